"""Like cases speak for their causes; what none of them says goes by the prediction."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Case
from kg.rca import CausePrediction
from kg.rca.beliefs import (
    AT_LEAST,
    LEARNED,
    REPORT,
    SECONDARY,
    SHARED,
    SILENT,
    WATCHING,
    Voices,
)  # fmt: skip
from kg.rca.statements import Statements
from tests.helpers import twins
from tests.helpers.planted import PLANTED_VOCABULARY, planted_cases
from tests.helpers.tiny import case_data, make_case, term

CASES = {
    c.id: c
    for c in (
        *planted_cases(),
        make_case("P-6", ("cause", "cause:mismatch"), ("cause", "cause:race")),
    )
}
STATEMENTS = Statements(CASES)
CAUSES = {
    "P-1": {"cause:mismatch"}, "P-2": {"cause:link-down"}, "P-4": {"cause:ecc-error"},
    "P-5": {"cause:link-down"}, "P-6": {"cause:mismatch", "cause:race"},
}  # fmt: skip
"""The confirmed causes of the cases; P-3 has none."""

HEARD = {"P-3": SILENT, "P-5": REPORT}
"""How much of a case is heard: P-5 is a study, and P-3 confirms no cause."""
SECOND = {("P-6", "cause:race"): SECONDARY}

ALL = sorted(t for t in PLANTED_VOCABULARY.terms if t.startswith("cause:"))
likely_cases = st.dictionaries(st.sampled_from(sorted(CASES)), st.floats(0.0, 1.0))


def by_hand(likely: dict[str, float]) -> tuple[dict[str, float], float]:
    """All ways in which the cases may apply or not, those with at most one that does."""
    speaking = [i for i in sorted(likely) if likely[i] >= AT_LEAST]
    weights: dict[str | None, float] = {}
    for truth in product([False, True], repeat=len(speaking)):
        if sum(truth) > 1:
            continue
        weight = 1.0
        for case_id, true in zip(speaking, truth, strict=True):
            told = SHARED * likely[case_id] * HEARD.get(case_id, 1.0)
            weight *= told if true else 1 - told
        chosen = next((i for i, true in zip(speaking, truth, strict=True) if true), None)
        weights[chosen] = weight
    whole = sum(weights.values())
    parts = {i: w / whole for i, w in weights.items() if i is not None}
    return parts, weights[None] / whole


@given(likely_cases)
def test_parts_are_those_of_independent_events_of_which_one_at_most_is_true(
    likely: dict[str, float],
) -> None:
    voices = Voices(STATEMENTS, likely)
    parts, rest = by_hand(likely)
    silent = parts.pop("P-3", 0.0)
    assert dict(voices.parts) == pytest.approx(parts)
    assert voices.rest == pytest.approx(rest)
    assert voices.silent == pytest.approx(silent)
    assert sum(voices.parts.values()) + voices.silent + voices.rest == pytest.approx(1.0)


def test_a_case_alone_speaks_with_its_probability() -> None:
    voices = Voices(STATEMENTS, {"P-1": 0.5})
    (only,) = voices.believed([])
    assert only.cause == "cause:mismatch"
    assert only.probability == pytest.approx(SHARED * 0.5)
    assert only.support == (("P-1", only.probability),)


def test_agreeing_cases_are_louder_and_disagreeing_ones_hold_each_other_down() -> None:
    alone = Voices(STATEMENTS, {"P-1": 0.5}).believed([])[0].probability
    agreeing = Voices(STATEMENTS, {"P-1": 0.5, "P-6": 0.5}).believed([])
    disagreeing = Voices(STATEMENTS, {"P-1": 0.5, "P-2": 0.5}).believed([])
    assert agreeing[0].cause == "cause:mismatch"
    assert agreeing[0].probability > alone > disagreeing[0].probability


@given(likely_cases, st.floats(0.0, 1.0))
def test_what_is_left_goes_by_the_prediction(likely: dict[str, float], share: float) -> None:
    predictions = [
        CausePrediction("cause:race", share, (("P-6", 3.0), ("P-4", 1.0))),
        CausePrediction("cause:software", share / 2, ()),
    ]
    voices = Voices(STATEMENTS, likely)
    found = {p.cause: p for p in voices.believed(predictions)}
    parts, rest = by_hand(likely)
    for cause, prediction in (("cause:race", share), ("cause:software", share / 2)):
        spoken = sum(
            part * SECOND.get((i, cause), 1.0)
            for i, part in parts.items()
            if cause in CAUSES.get(i, ())
        )
        assert found[cause].probability == pytest.approx(
            min(1.0, spoken + min(max(LEARNED, spoken), rest * prediction)), abs=1e-6
        )
    shares = dict(found["cause:race"].support)
    assert sum(shares.values()) == pytest.approx(found["cause:race"].probability, abs=3e-6)
    assert found["cause:software"].support == ()


def test_a_report_on_many_events_shares_its_part_out() -> None:
    claims = [("cause", f"cause:{c}") for c in ("race", "mismatch", "link-down", "ecc-error")]
    cases = {i: make_case(i, *claims, kind=k) for i, k in (("R-1", "series"), ("R-2", "incident"))}
    report, alone = SHARED * 0.5 * REPORT, SHARED * 0.5
    for case_id, part, expected in (
        ("R-1", report, [report / 4] * 4),
        ("R-2", alone, [alone, *[alone * SECONDARY] * 3]),
    ):
        voices = Voices(Statements(cases), {case_id: 0.5})
        assert voices.parts == {case_id: pytest.approx(part)}
        assert [p.probability for p in voices.believed([])] == pytest.approx(expected, abs=1e-6)


def test_what_is_ruled_out_of_a_report_does_not_go_to_its_other_causes() -> None:
    case = make_case("R-1", ("cause", "cause:race"), ("cause", "cause:link-down"), kind="study")
    (only,) = Voices(Statements({"R-1": case}), {"R-1": 0.9}, {"cause:link-down"}).believed([])
    assert only.cause == "cause:race"
    assert only.probability == pytest.approx(SHARED * 0.9 * REPORT / 2)


def test_a_report_alone_carries_no_hypothesis_far() -> None:
    case = make_case("R-1", ("cause", "cause:race"), kind="study")
    (only,) = Voices(Statements({"R-1": case}), {"R-1": 1.0}).believed([])
    assert only.probability <= 0.2


def test_a_cause_that_only_explains_why_nobody_noticed_counts_as_a_secondary_one() -> None:
    watch = term("mitigation:improve-monitoring", "add or improve alerts")
    assert watch.id == WATCHING
    for role, expected in (("missed", SECONDARY), ("diagnosed", 1.0)):
        data = case_data(
            "W-1", ("cause", "cause:race"), ("detection", "tool:exposure", "confirmed", role),
            ("mitigation", WATCHING),
        )  # fmt: skip
        data["claims"][2]["addresses"] = ["cause:race"]
        statements = Statements({"W-1": Case.model_validate(data)})
        (only,) = Voices(statements, {"W-1": 0.5}).believed([])
        assert only.probability == pytest.approx(SHARED * 0.5 * expected)


def test_unlike_cases_do_not_speak_and_cases_without_a_cause_name_none() -> None:
    voices = Voices(STATEMENTS, {"P-3": 0.9, "P-1": AT_LEAST / 2})
    assert voices.parts == {}
    assert voices.believed([]) == []
    assert voices.silent == pytest.approx(SILENT * SHARED * 0.9)


def test_a_like_case_of_unknown_cause_holds_the_others_down() -> None:
    alone = Voices(STATEMENTS, {"P-1": 0.5})
    beside = Voices(STATEMENTS, {"P-1": 0.5, "P-3": 0.97})
    assert beside.believed([])[0].probability < alone.believed([])[0].probability
    assert alone.silent == 0.0 < beside.silent


def test_a_case_whose_causes_are_all_ruled_out_is_not_taken_for_one_without() -> None:
    assert Voices(STATEMENTS, {"P-1": 0.9}, {"cause:mismatch"}).silent == 0.0


@given(likely_cases, st.dictionaries(st.sampled_from(ALL), st.floats(0.0, 1.0)))
def test_a_cause_is_as_likely_as_each_that_is_narrower(
    likely: dict[str, float], learned: dict[str, float]
) -> None:
    """With predictions that are themselves coherent, as those of a predictor are."""
    whole = {
        c: max((learned.get(n, 0.0) for n in twins.below(PLANTED_VOCABULARY, c)), default=0.0)
        for c in ALL
    }
    voices = Voices(STATEMENTS, likely)
    alone = voices.believed([CausePrediction(c, p, ()) for c, p in learned.items()])
    found = voices.within(PLANTED_VOCABULARY, [CausePrediction(c, p, ()) for c, p in whole.items()])
    for p in alone:
        assert found[p.cause].probability >= p.probability
    for cause in found:
        for above in twins.above(PLANTED_VOCABULARY, cause):
            assert found[above].probability >= found[cause].probability


def test_what_was_learned_carries_no_cause_far_by_itself() -> None:
    found = Voices(STATEMENTS, {}).believed([CausePrediction("cause:race", 0.9, (("P-4", 1.0),))])
    assert [p.probability for p in found] == [LEARNED]


def test_a_ruled_out_cause_is_not_spoken_for() -> None:
    voices = Voices(STATEMENTS, {"P-1": 0.9, "P-6": 0.9}, {"cause:mismatch"})
    assert [p.cause for p in voices.believed([])] == ["cause:race"]
    assert set(voices.parts) == {"P-6"}


def test_causes_come_by_probability_and_then_by_id() -> None:
    found = Voices(STATEMENTS, {"P-6": 0.9, "P-2": 0.1}).believed([])
    assert [p.cause for p in found] == ["cause:mismatch", "cause:race", "cause:link-down"]
