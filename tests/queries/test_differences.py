"""What sets two sides apart: contradictions, what only one has, times and figures."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from kg.graph import IncidentGraph
from kg.model import Case, Duration, Figure, Status
from kg.queries import make_explanation
from kg.queries.differences import About, contrasts, excluded, measures, only
from kg.queries.sides import Side, case_side
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import Told, case_data, make_case, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)
World = tuple[Vocabulary, list[Case]]


def sides(left: list[Told], right: list[Told]) -> tuple[Side, Side]:
    cases = [make_case("X-1", *left), make_case("X-2", *right)]
    graph = IncidentGraph(cases, VOCABULARY)
    return case_side(graph, cases[0]), case_side(graph, cases[1])


def against(left: list[Told], right: list[Told]) -> list[tuple[str, str, tuple[str, str]]]:
    return [(c.term, str(c.about), c.words) for c in contrasts(VOCABULARY, *sides(left, right))]


def test_what_one_rules_out_and_the_other_does_not_is_a_contrast() -> None:
    one, other = (case_side(GRAPH, CASES[i]) for i in ("A-1", "B-2"))
    (found,) = contrasts(VOCABULARY, one, other)
    assert (found.term, found.about) == ("cause:mismatch", About.STATUS)
    assert (found.left.status, found.right.status) == (Status.CONFIRMED, Status.RULED_OUT)
    assert found.words == ("confirmed", "ruled_out")
    assert contrasts(VOCABULARY, one, case_side(GRAPH, CASES["A-2"])) == []


@pytest.mark.parametrize("status", ["confirmed", "suspected"])
def test_ruling_out_a_class_rules_out_what_lies_in_it(status: str) -> None:
    out: list[Told] = [("cause", "cause:hardware", "ruled_out")]
    found = against(out, [("cause", "cause:ecc-error", status)])
    assert found == [("cause:hardware", "status", ("ruled_out", status))]
    turned = against([("cause", "cause:ecc-error", status)], out)
    assert turned == [("cause:hardware", "status", (status, "ruled_out"))]


def test_ruling_out_one_cause_leaves_the_class_open() -> None:
    out: list[Told] = [("cause", "cause:ecc-error", "ruled_out")]
    assert against(out, [("cause", "cause:hardware")]) == []
    assert against(out, [("cause", "cause:link-down")]) == []


def test_a_case_that_says_both_contradicts_only_itself() -> None:
    both: list[Told] = [("cause", "cause:race", "ruled_out"), ("cause", "cause:race", "suspected")]
    assert against(both, [("cause", "cause:race")]) == []


@pytest.mark.parametrize(
    ("out", "told", "count"),
    [("involved", "involved", 1), ("involved", "changed", 0), ("failed", "affected", 0)],
)
def test_components_contradict_only_in_the_same_part(out: str, told: str, count: int) -> None:
    left: list[Told] = [("component", "component:nccl", "ruled_out", out)]
    right: list[Told] = [("component", "component:nccl", "confirmed", told)]
    assert len(against(left, right)) == count


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        ("detected", "missed", ("detected", "missed")),
        ("missed", "diagnosed", ("missed", "diagnosed")),
        ("detected", "diagnosed", None),
        ("missed", "missed", None),
        ("check_item", "missed", None),
    ],
)
def test_a_tool_that_found_one_and_missed_the_other(
    left: str, right: str, words: tuple[str, str] | None
) -> None:
    tool = "tool:flight-recorder"
    told = against(
        [("detection", tool, "confirmed", left)], [("detection", tool, "confirmed", right)]
    )
    assert told == ([(tool, "role", words)] if words else [])


def test_a_tool_that_both_found_and_missed_one_case_is_no_contrast() -> None:
    tool = "tool:flight-recorder"
    both: list[Told] = [
        ("detection", tool, "confirmed", "detected"), ("detection", tool, "confirmed", "missed"),
    ]  # fmt: skip
    assert against(both, [("detection", tool, "confirmed", "missed")]) == []


def changed(case_id: str, told: Told, **claim: Any) -> Case:
    """A case with one claim, of which some fields are set."""
    data = case_data(case_id, told)
    data["claims"][0].update(claim)
    return Case.model_validate(data)


def both(left: Case, right: Case) -> tuple[Side, Side]:
    graph = IncidentGraph([left, right], VOCABULARY)
    return case_side(graph, left), case_side(graph, right)


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        ("worked", "failed", True), ("worked", "partly", True), ("failed", "failed", False),
        ("unknown", "failed", False), (None, "failed", False),
    ],
)  # fmt: skip
def test_what_worked_in_one_and_failed_in_the_other(
    left: str | None, right: str, told: bool
) -> None:
    restart: Told = ("mitigation", "mitigation:restart")
    pair = both(changed("X-1", restart, result=left), changed("X-2", restart, result=right))
    found = [(c.term, c.about, c.words) for c in contrasts(VOCABULARY, *pair)]
    wanted = [("mitigation:restart", About.RESULT, (left, right))] if told else []
    assert found == wanted


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        ("2.7.9", "2.28.9", True), ("1", "0", True), ("8", "8", False), (None, "8", False),
        ("100", "100 steps", False), ("beta2 0.95", "Adam beta2 0.95", False),
    ],
)  # fmt: skip
def test_only_plain_values_are_held_against_each_other(
    left: str | None, right: str, told: bool
) -> None:
    setting: Told = ("component", "component:nccl")
    pair = both(changed("X-1", setting, value=left), changed("X-2", setting, value=right))
    found = [(c.about, c.words) for c in contrasts(VOCABULARY, *pair)]
    assert found == ([(About.VALUE, (left, right))] if told else [])


def test_what_both_rule_out_is_told_apart_and_shares_nothing() -> None:
    out: list[Told] = [("cause", "cause:race", "ruled_out")]
    pair = sides(out, out)
    (found,) = excluded(VOCABULARY, *pair)
    assert (found.term, found.left.case_id, found.right.case_id) == ("cause:race", "X-1", "X-2")
    assert contrasts(VOCABULARY, *pair) == []
    cases = [s.case for s in pair if s.case]
    explained = make_explanation(IncidentGraph(cases, VOCABULARY), VOCABULARY, *cases, "en")
    assert (explained.shared, explained.paths) == ((), ())
    assert explained.text.endswith("Both rule out race condition.")


def test_what_only_one_case_has_in_the_order_of_its_claims() -> None:
    found = make_explanation(GRAPH, VOCABULARY, CASES["A-1"], CASES["A-2"], "en")
    assert found.only_a == {"trigger": ("trigger:upgrade",), "mitigation": ("mitigation:restart",)}
    assert found.only_b == {"cause": ("cause:race",), "component": ("component:pytorch",)}
    assert found.told_b["cause:race"][0].status is Status.SUSPECTED
    assert {s.case_id for said in found.told_a.values() for s in said} == {"A-1"}


def test_kin_of_what_the_other_has_is_not_only_here() -> None:
    one, other = sides(
        [("symptom", "symptom:nccl-timeout"), ("symptom", "symptom:slow")],
        [("symptom", "symptom:failure")],
    )
    assert only(VOCABULARY, one, other, ()) == {"symptom": ("symptom:slow",)}
    assert only(VOCABULARY, other, one, ()) == {}
    assert only(VOCABULARY, one, other, ["symptom:slow"]) == {}


@WORLDS
@given(worlds(least=2))
def test_contrasts_of_random_cases_by_the_rule_in_words(world: World) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    one, other = cases[0], cases[1]
    found = contrasts(vocabulary, case_side(graph, one), case_side(graph, other))
    told = {
        (c.term, c.left.case_id if c.left.status == "ruled_out" else c.right.case_id)
        for c in found if c.about is About.STATUS
    }  # fmt: skip
    wanted = set()
    for x, y in ((one.id, other.id), (other.id, one.id)):
        mine, theirs = (
            [(t, d) for t, d in twins.edges_out(graph, i) if d["relation"] in twins.ALIKE]
            for i in (x, y)
        )
        open_to = {t for t, d in mine if d["status"] != "ruled_out"}
        out = {t: d for t, d in mine if d["status"] == "ruled_out" and t not in open_to}
        for t, d in theirs:
            stands = d["status"] != "ruled_out"
            up = {u: n for u, n in twins.above(vocabulary, t).items() if u in out}
            if stands and up and t.split(":")[0] in ("cause", "trigger", "factor", "symptom"):
                wanted.add((min(up, key=lambda u: (up[u], u)), x))
    kinds = ("cause", "trigger", "factor", "symptom")
    assert {pair for pair in told if pair[0].split(":")[0] in kinds} == wanted


def test_times_of_two_incidents_are_compared_and_of_a_study_not() -> None:
    one, other, study = (case_side(GRAPH, CASES[i]) for i in ("A-1", "A-3", "S-1"))
    found = {m.name: (m.left, m.right) for m in measures(one, other)}
    assert set(found) == {"time_to_detect", "time_to_recover"}
    left, right = found["time_to_detect"]
    assert isinstance(left, Duration)
    assert isinstance(right, Duration)
    assert (left.seconds, right.seconds) == (600, 30)
    assert measures(one, study) == []
    assert [m.name for m in measures(one, case_side(GRAPH, CASES["A-2"]))] == ["time_to_detect"]


def figure(label: str, unit: str = "GPU", name: str = "gpus") -> dict[str, Any]:
    span = {"field": "summary", "lang": "en", "quote": "Summary"}
    return {"id": name, "label": {"en": label}, "value": 8, "unit": unit, "evidence": [span]}


@pytest.mark.parametrize(
    ("right", "told"),
    [
        (figure("GPUs of the job"), True), (figure("gpus  of the JOB"), True),
        (figure("GPUs of the cluster"), False), (figure("GPUs of the job", "nodes"), False),
        (figure("GPUs of the job", name="all_gpus"), False),
    ],
)  # fmt: skip
def test_only_figures_of_one_name_label_and_unit_are_compared(
    right: dict[str, Any], told: bool
) -> None:
    pair = both(
        make_case("X-1", figures=[figure("GPUs of the job")]), make_case("X-2", figures=[right])
    )
    found = measures(*pair)
    assert [m.name for m in found] == (["gpus"] if told else [])
    for m in found:
        assert isinstance(m.left, Figure)
        assert m.left.evidence[0].start == 0
