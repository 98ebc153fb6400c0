"""A general cause is believed at least as much as each of its kinds, whatever is said."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.rca import CausePredictor, Sighting
from kg.rca.beliefs import LEARNED
from kg.rca.hypotheses import NAMED
from kg.rca.make import rivals
from kg.rca.tell import tell
from tests.helpers import twins
from tests.helpers.planted import LIKELY, PLANTED_VOCABULARY, diagnose, planted_cases
from tests.helpers.tiny import make_case

SLOW = ("symptom", "symptom:slow")
CASES = [
    *planted_cases(),
    make_case("Q-1", SLOW, ("cause", "cause:ecc-error")),
    make_case("Q-2", SLOW, ("cause", "cause:gpu-fault")),
    make_case("Q-3", SLOW, ("cause", "cause:hardware"), ("cause", "cause:race", "suspected")),
]
CAUSES = sorted(t for t in PLANTED_VOCABULARY.terms if t.startswith("cause:"))
LABELS = {t: PLANTED_VOCABULARY.terms[t].label.best("en") for t in CAUSES}
likely_cases = st.dictionaries(
    st.sampled_from([c.id for c in CASES]), st.floats(0.0, 1.0), min_size=1
)


@settings(max_examples=60, deadline=None)
@given(likely_cases, st.sets(st.sampled_from(CAUSES), max_size=2), st.sampled_from([None, *CAUSES]))
def test_of_two_hypotheses_the_broader_one_is_as_likely(
    likely: dict[str, float], named: set[str], observed: str | None
) -> None:
    text = "slow training, perhaps " + " or ".join(LABELS[t] for t in sorted(named))
    found = diagnose(
        text, cases=CASES, likely=likely, observed=[observed] if observed else [], threshold=0.3
    )
    by_cause = {h.cause: h for h in found.hypotheses}
    for h in found.hypotheses:
        for above in twins.above(PLANTED_VOCABULARY, h.cause):
            if above in by_cause and above != h.cause:
                assert by_cause[above].probability >= h.probability
                assert h.cause in by_cause[above].includes
                assert above not in h.together
                assert h.cause not in by_cause[above].together


@settings(max_examples=40, deadline=None)
@given(likely_cases)
def test_no_case_speaks_past_what_it_and_the_learned_share_allow(likely: dict[str, float]) -> None:
    """A hypothesis rests on cases: unlike ones, all together, carry none past `LEARNED`."""
    found = diagnose("slow training", cases=CASES, likely=likely, threshold=0.3)
    for h in found.hypotheses:
        heard = [likely.get(s.statement.case_id, 0.0) for s in h.support]
        assert max(heard) >= 0.05
        assert h.probability <= sum(heard) + max(LEARNED, sum(heard)) + 1e-6


@settings(max_examples=40, deadline=None)
@given(likely_cases, st.floats(0.0, 0.2))
def test_a_case_that_rises_lifts_its_cause_above_no_fewer_others(
    likely: dict[str, float], more: float
) -> None:
    """Its own cause may lose to nothing by it; others may only fall."""
    best = max(sorted(likely), key=lambda i: likely[i])
    raised = {**likely, best: min(1.0, likely[best] + more)}
    before, after = (
        {
            h.cause: h.probability
            for h in diagnose("slow training", cases=CASES, likely=x, threshold=0.3).hypotheses
        }
        for x in (likely, raised)
    )
    own = {
        t
        for c in CASES
        if c.id == best
        for claim in c.claims
        if claim.kind == "cause" and str(claim.status) == "confirmed"
        for t in claim.terms
    }
    kin = {up for t in own for up in twins.above(PLANTED_VOCABULARY, t)}
    for cause, probability in before.items():
        if cause in after and cause in own:
            assert after[cause] >= probability - 1e-6
        if cause in after and cause not in kin and not twins.below(PLANTED_VOCABULARY, cause) & own:
            assert after[cause] <= probability + 1e-6


def test_the_general_cause_stands_behind_the_kind_that_it_holds() -> None:
    found = diagnose("slow training", cases=CASES, likely={"Q-1": 0.8, "Q-2": 0.4}, threshold=0.3)
    narrow, broad = found.hypotheses[:2]
    assert (narrow.cause, broad.cause) == ("cause:ecc-error", "cause:gpu-fault")
    assert broad.probability > narrow.probability
    assert broad.includes == (narrow.cause,)
    assert "% with all its kinds, 1 among them, confirmed in 2 of 2 incidents" in tell(found)
    assert "(1번을 비롯한 하위 원인 포함)" in tell(found, "ko")
    assert list(rivals(found.hypotheses)) == [narrow.cause]


def test_what_the_text_names_gains_a_part_and_takes_from_no_other() -> None:
    plain = {h.cause: h.probability for h in diagnose().hypotheses}
    named = {
        h.cause: h.probability
        for h in diagnose("NCCL timeout and slow training, perhaps a race condition").hypotheses
    }
    assert named["cause:race"] >= NAMED
    assert all(named[c] >= p - 1e-6 for c, p in plain.items())


def test_the_predictor_says_of_a_cause_with_its_kinds_no_less_than_of_the_cause() -> None:
    predictor = CausePredictor(IncidentGraph(CASES, PLANTED_VOCABULARY), PLANTED_VOCABULARY)
    seen = Sighting(terms={"symptom:slow": 1.0}, ruled_out=frozenset({"cause:race"}))
    within = {p.cause: p.probability for p in predictor.within(seen)}
    for p in predictor.predict(seen):
        assert within[p.cause] >= p.probability - 1e-12
        for above in twins.above(PLANTED_VOCABULARY, p.cause):
            assert within[above] >= within[p.cause] - 1e-12
    assert within["cause:race"] == 0.0


def test_of_an_unknown_cause_it_is_said_that_it_is_unknown() -> None:
    known = diagnose(likely={"P-1": 0.9})
    beside = diagnose(likely={"P-1": 0.5, "P-3": 0.97})
    assert LIKELY["P-3"] > 0
    assert beside.novelty > known.novelty
