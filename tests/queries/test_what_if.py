"""What the records would still explain without a term: causes, triggers, factors, and the rest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.graph import IncidentGraph
from kg.model import Case
from kg.queries.chance import wilson
from kg.queries.what_if import WHAT_IF_KINDS, WhatIf, what_if
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import Told, case_data, make_case, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()


def ask(term: str, *cases: Case, lang: str = "en") -> WhatIf:
    chosen = cases or tuple(tiny_cases())
    graph = IncidentGraph(chosen, VOCABULARY)
    return what_if(graph, VOCABULARY, chosen, VOCABULARY.get(term), lang)


def ids(group: tuple[Any, ...]) -> list[str]:
    return [w.case for w in group]


def test_a_case_whose_only_cause_is_struck_is_no_longer_explained() -> None:
    found = ask("cause:mismatch")
    assert ids(found.gone) == ["A-1", "A-2"]
    assert (found.remaining, found.weakened, found.spared) == ((), (), ())
    assert (found.incidents, found.of) == (5, 4)
    assert (found.share, found.low, found.high) == (0.5, *wilson(2, 4))
    assert [e.target for e in found.gone[0].lost] == ["cause:mismatch"]
    assert found.gone[0].left == ()


def test_a_suspected_cause_explains_nothing_that_could_stay() -> None:
    # A-2 also suspects a race, which does not save it.
    assert "A-2" in ids(ask("cause:mismatch").gone)
    found = ask("cause:race")
    assert (ids(found.weakened), found.gone) == (["A-2"], ())


def test_a_case_with_another_confirmed_cause_stays_explained_by_it() -> None:
    case = make_case("X-1", ("cause", "cause:race"), ("cause", "cause:ecc-error"))
    found = ask("cause:race", case)
    assert ids(found.remaining) == ["X-1"]
    assert [e.target for e in found.remaining[0].left] == ["cause:ecc-error"]


def test_what_lies_below_goes_too() -> None:
    found = ask("cause:hardware")
    assert found.struck == ("cause:ecc-error", "cause:gpu-fault", "cause:link-down")
    assert ids(found.gone) == ["A-3", "B-1"]
    assert ids(found.weakened) == ["B-2"]
    both = make_case("X-1", ("cause", "cause:gpu-fault"), ("cause", "cause:link-down"))
    assert ids(ask("cause:hardware", both).gone) == ["X-1"]
    assert ids(ask("cause:gpu-fault", both).remaining) == ["X-1"]


def test_what_is_ruled_out_is_not_missed() -> None:
    assert "B-2" not in ids((*ask("cause:mismatch").gone, *ask("cause:mismatch").weakened))


def test_studies_and_series_are_not_incidents() -> None:
    assert "S-1" not in ids(ask("cause:hardware").gone)
    study = make_case("S-1", ("cause", "cause:race"), kind="study")
    found = ask("cause:race", study)
    assert (found.incidents, found.of, found.share, found.touched) == (0, 0, None, 0)


def test_a_factor_only_weakens() -> None:
    found = ask("factor:no-alert")
    assert ids(found.weakened) == ["A-3", "B-1"]
    assert (found.gone, found.of, found.share) == ((), 0, None)


def test_a_trigger_sets_off_a_case() -> None:
    two = make_case("X-1", ("trigger", "trigger:upgrade"), ("trigger", "trigger:node-loss"))
    one = make_case("X-2", ("trigger", "trigger:upgrade"))
    found = ask("trigger:upgrade", two, one)
    assert (ids(found.gone), ids(found.remaining), found.of) == (["X-2"], ["X-1"], 2)


def test_a_component_that_did_not_itself_fail_only_weakens() -> None:
    failed: Told = ("component", "component:nccl", "confirmed", "failed")
    seen: Told = ("component", "component:nccl", "confirmed", "affected")
    other: Told = ("component", "component:pytorch", "confirmed", "failed")
    cases = [
        make_case("X-1", failed),
        make_case("X-2", seen, other),
        make_case("X-3", failed, other),
    ]
    found = ask("component:nccl", *cases)
    assert (ids(found.gone), ids(found.weakened), ids(found.remaining)) == (
        ["X-1"],
        ["X-2"],
        ["X-3"],
    )
    assert [e.target for e in found.weakened[0].left] == ["component:pytorch"]


def with_results(case_id: str, *told: tuple[Told, str | None]) -> Case:
    data = case_data(case_id, *(claim for claim, _ in told))
    for claim, (_, result) in zip(data["claims"], told, strict=True):
        if result is not None:
            claim["result"] = result
    return Case.model_validate(data)


RESTART: Told = ("mitigation", "mitigation:restart")
REPLACE: Told = ("mitigation", "mitigation:replace")


def test_a_mitigation_is_missed_where_nothing_else_helped() -> None:
    found = ask(
        "mitigation:restart",
        with_results("X-1", (RESTART, "worked")),
        with_results("X-2", (RESTART, "worked"), (REPLACE, "partly")),
        with_results("X-3", (RESTART, None), (REPLACE, "failed")),
        with_results("X-4", (RESTART, "failed"), (REPLACE, "worked")),
        with_results("X-5", (("mitigation", "mitigation:restart", "suspected"), "worked")),
        make_case("X-6", ("follow_up", "mitigation:restart")),
    )
    assert ids(found.gone) == ["X-1", "X-3"]
    assert ids(found.remaining) == ["X-2"]
    assert ids(found.spared) == ["X-4"]
    assert ids(found.weakened) == ["X-5", "X-6"]
    assert (found.of, found.share, found.touched) == (4, 0.5, 6)


def test_it_says_that_it_speaks_of_the_records_only() -> None:
    assert "out of the records" in ask("cause:race").note
    assert "기록에서" in ask("cause:race", lang="ko").note


def test_what_no_case_states_changes_nothing() -> None:
    found = ask("cause:software", make_case("X-1", ("cause", "cause:ecc-error")))
    assert (found.touched, found.struck, found.of, found.share) == (0, (), 1, 0.0)


@pytest.mark.parametrize("term", ["symptom:slow", "tool:exposure", "organization:alpha"])
def test_what_explains_nothing_cannot_be_struck(term: str) -> None:
    with pytest.raises(BadQuery, match=f"{term} explains nothing; ask without a cause, trigger"):
        ask(term)


@WORLDS
@given(worlds(), st.data())
def test_brute_force_sorts_the_cases_in_the_same_way(
    drawn: tuple[Vocabulary, list[Case]], data: st.DataObject
) -> None:
    vocabulary, cases = drawn
    graph = IncidentGraph(cases, vocabulary)
    kind = data.draw(st.sampled_from(WHAT_IF_KINDS))
    term = data.draw(st.sampled_from(vocabulary.of(kind)))
    found = what_if(graph, vocabulary, cases, term)
    below = twins.below(vocabulary, term.id)
    results = {cid: c.result for case in cases for cid, c in case.claim_ids()}

    def works(edge: dict[str, Any]) -> bool:
        return (
            edge["status"] == "confirmed"
            and {
                "cause": edge["relation"] == "CAUSED_BY",
                "trigger": edge["relation"] == "TRIGGERED_BY",
                "factor": False,
                "component": edge["relation"] == "AFFECTS" and edge["role"] == "failed",
                "mitigation": edge["relation"] == "MITIGATED_BY"
                and results[str(edge["claim_id"])] != "failed",
            }[kind]
        )

    relations = {
        "cause": {"CAUSED_BY"}, "trigger": {"TRIGGERED_BY"}, "factor": {"CONTRIBUTED_BY"},
        "component": {"AFFECTS"}, "mitigation": {"MITIGATED_BY", "FOLLOWED_UP_BY"},
    }[kind]  # fmt: skip
    groups: dict[str, list[str]] = {"gone": [], "remaining": [], "other": []}
    of = 0
    for case in sorted(cases, key=lambda c: c.id):
        if case.kind != "incident":
            continue
        edges = [
            (t, d) for t, d in twins.edges_out(graph, case.id)
            if d["relation"] in relations and d["status"] != "ruled_out"
        ]  # fmt: skip
        working = {t for t, d in edges if works(d)}
        of += bool(working)
        if not any(t in below for t, _ in edges):
            continue
        if not working & below:
            groups["other"].append(case.id)
        else:
            groups["remaining" if working - below else "gone"].append(case.id)
    assert ids(found.gone) == groups["gone"]
    assert ids(found.remaining) == groups["remaining"]
    assert sorted(ids((*found.weakened, *found.spared))) == groups["other"]
    assert found.of == of
    assert found.share == (len(found.gone) / of if of else None)
