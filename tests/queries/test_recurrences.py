"""The same cause again in the same organisation, and what had been changed in between."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.model import Case, FieldState
from kg.queries import SameCause, same_cause
from kg.queries.ordering import order_of
from kg.queries.recurrences import Recurrences, recurrences
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import Told, case_data, make_case, tiny_vocabulary
from tests.helpers.tiny import term as make_term

VOCABULARY = tiny_vocabulary()
ALPHA: Told = ("organization", "organization:alpha")
BETA: Told = ("organization", "organization:beta")


def incident(case_id: str, started: str | None, *told: Told, **fields: Any) -> Case:
    dates = [{"kind": "started", "at": started}] if started else []
    return make_case(case_id, *told, **{"dates": dates, **fields})


def ask(*cases: Case, vocabulary: Vocabulary = VOCABULARY) -> Recurrences:
    return recurrences(IncidentGraph(cases, vocabulary), vocabulary, cases)


RACE: Told = ("cause", "cause:race")
FIRST = incident("A-1", "2024-01-01", ALPHA, RACE, ("follow_up", "mitigation:replace"))
AGAIN = incident("A-2", "2024-02-01", ALPHA, RACE)


def test_the_same_cause_again_is_told_with_what_was_changed_in_between() -> None:
    found = ask(FIRST, AGAIN)
    (item,) = found
    assert (item.organization, item.causes) == ("organization:alpha", ("cause:race",))
    assert (item.earlier, item.later, item.times, item.before) == ("A-1", "A-2", 2, ("A-1",))
    assert (item.order.least_days, item.order.most_days, item.order.sure) == (31, 31, True)
    assert item.follow_ups.state is FieldState.STATED
    assert [e.target for e in item.follow_ups.edges] == ["mitigation:replace"]
    assert {(e.case_id, e.target) for e in item.evidence} == {
        (c, t) for c in ("A-1", "A-2") for t in ("cause:race", "organization:alpha")
    }
    assert (found.incidents, found.usable, found.unsure, found.unplaced) == (2, 2, (), ())


def test_another_organization_or_cause_is_no_recurrence() -> None:
    assert len(ask(FIRST, incident("B-1", "2024-02-01", BETA, RACE))) == 0
    other = incident("A-3", "2024-02-01", ALPHA, ("cause", "cause:mismatch"))
    assert len(ask(FIRST, other)) == 0


def test_a_vendor_or_a_suspected_owner_is_not_the_organization() -> None:
    vendor = incident("A-3", "2024-02-01", (*ALPHA, "confirmed", "vendor"), RACE)
    doubtful = incident("A-4", "2024-02-01", (*ALPHA, "suspected"), RACE)
    found = ask(FIRST, vendor, doubtful)
    assert (len(found), found.usable) == (0, 1)


def test_owners_without_a_name_need_not_be_the_same_one() -> None:
    vocabulary = tiny_vocabulary(make_term("organization:someone", "someone", unnamed=True))
    someone = ("organization", "organization:someone")
    cases = (
        incident("U-1", "2024-01-01", someone, RACE),
        incident("U-2", "2025-01-01", someone, RACE),
    )
    found = ask(*cases, vocabulary=vocabulary)
    assert (len(found), found.usable) == (0, 0)


def test_suspected_and_ruled_out_causes_do_not_recur() -> None:
    for status in ("suspected", "ruled_out"):
        assert len(ask(FIRST, incident("A-3", "2024-02-01", ALPHA, (*RACE, status)))) == 0


def test_only_incidents_recur() -> None:
    study = make_case("S-1", ALPHA, RACE, kind="study", published="2025-01-01")
    series = make_case("S-2", ALPHA, RACE, kind="series", published="2025-01-01")
    assert ask(FIRST, study, series).incidents == 1


def test_a_narrower_cause_is_the_same_and_a_most_general_class_is_not() -> None:
    gpu = incident("A-3", "2024-01-01", ALPHA, ("cause", "cause:gpu-fault"))
    ecc = incident("A-4", "2024-02-01", ALPHA, ("cause", "cause:ecc-error"))
    hardware = incident("A-5", "2024-03-01", ALPHA, ("cause", "cause:hardware"))
    (item,) = ask(gpu, ecc, hardware)
    assert (item.earlier, item.later, item.causes) == ("A-3", "A-4", ("cause:gpu-fault",))


def test_the_third_time_names_the_nearest_before_and_all_of_them() -> None:
    third = incident("A-0", "2024-06-01", ALPHA, RACE)
    found = ask(third, AGAIN, FIRST)
    assert [(i.later, i.earlier, i.times, i.before) for i in found] == [
        ("A-0", "A-2", 3, ("A-1", "A-2")),
        ("A-2", "A-1", 2, ("A-1",)),
    ]


def test_dates_of_publication_prove_no_order_and_are_kept_apart() -> None:
    a = make_case("P-1", ALPHA, RACE, published="2023-01-01")
    b = make_case("P-2", ALPHA, RACE, published="2024-01-01")
    found = ask(a, b)
    assert found.items == ()
    (item,) = found.unsure
    assert (item.earlier, item.later, item.order.sure) == ("P-1", "P-2", False)
    assert str(item.order.earlier_kind) == str(item.order.later_kind) == "published"


def test_a_proven_order_counts_only_proven_ones() -> None:
    published = make_case("A-0", ALPHA, RACE, published="2024-01-15")
    found = ask(published, FIRST, AGAIN)
    (item,) = (i for i in found if i.later == "A-2")
    # Published before it started, so it must have come before as well.
    assert item.before == ("A-1", "A-0")
    # By publication A-8 came before A-9, which proves nothing and is not counted here.
    doubtful = make_case("A-8", ALPHA, RACE, published="2024-06-01")
    dates = [{"kind": "started", "at": "2024-02-01"}, {"kind": "published", "at": "2025-01-01"}]
    both = make_case("A-9", ALPHA, RACE, dates=dates)
    (again,) = (i for i in ask(doubtful, FIRST, both) if i.later == "A-9")
    assert (again.earlier, again.before, again.times) == ("A-1", ("A-1",), 2)
    assert [i.later for i in ask(doubtful, both).unsure] == ["A-9"]


def test_cases_that_no_date_puts_in_order_are_named() -> None:
    found = ask(FIRST, incident("A-3", None, ALPHA, RACE), incident("A-4", "2024", ALPHA, RACE))
    assert found.items == ()
    assert found.unplaced == ("A-1", "A-3", "A-4")


def test_what_is_not_stated_is_not_none() -> None:
    silent = incident("A-1", "2024-01-01", ALPHA, RACE)
    nothing = incident("A-1", "2024-01-01", ALPHA, RACE, follow_up=[])
    told = incident("A-1", "2024-01-01", ALPHA, RACE, follow_up={"en": ["We changed it."]})
    states = [ask(case, AGAIN)[0].follow_ups.state for case in (silent, nothing, told)]
    assert states == [FieldState.NOT_STATED, FieldState.NONE, FieldState.STATED]
    assert ask(told, AGAIN)[0].follow_ups.edges == ()


def test_follow_ups_aimed_at_the_cause_are_marked() -> None:
    data = case_data(
        "A-1", ALPHA, RACE,
        ("follow_up", "mitigation:replace"), ("follow_up", "mitigation:restart"),
        ("follow_up", "mitigation:replace", "ruled_out"),
        dates=[{"kind": "started", "at": "2024-01-01"}],
    )  # fmt: skip
    data["claims"][2]["addresses"] = ["cause:software"]
    data["claims"][3]["addresses"] = ["cause:gpu-fault"]
    (item,) = ask(Case.model_validate(data), AGAIN)
    assert [e.target for e in item.follow_ups.edges] == ["mitigation:replace", "mitigation:restart"]
    assert item.follow_ups.aimed == ("A-1#follow_up-1",)


def test_the_note_is_in_the_language_that_was_asked_for() -> None:
    graph = IncidentGraph([FIRST, AGAIN], VOCABULARY)
    assert "라이브러리" in recurrences(graph, VOCABULARY, [FIRST, AGAIN], "ko").note


@st.composite
def companies(draw: st.DrawFn) -> tuple[Vocabulary, list[Case]]:
    """Random incidents of two owners with random causes and starts."""
    vocabulary, _ = draw(worlds(most=1))
    causes = [t.id for t in vocabulary.of("cause")]
    owners = [t.id for t in vocabulary.of("organization")]
    cases = []
    for i in range(draw(st.integers(2, 6))):
        told: list[Told] = [
            ("cause", c, s)
            for c in draw(st.lists(st.sampled_from(causes), max_size=2, unique=True))
            for s in [draw(st.sampled_from(["confirmed", "suspected"]))]
        ]
        told += [("organization", draw(st.sampled_from(owners)))]
        started = draw(st.sampled_from([None, "2020", "2021-05-01", "2021-05-02", "2022"]))
        kind = draw(st.sampled_from(["incident", "incident", "study"]))
        cases.append(incident(f"C-{i}", started, *told, kind=kind))
    return vocabulary, cases


@WORLDS
@given(companies())
def test_brute_force_finds_the_same_recurrences(drawn: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = drawn
    graph = IncidentGraph(cases, vocabulary)
    by_id = {c.id: c for c in cases if c.kind == "incident"}

    def owner(case_id: str) -> set[str]:
        return {
            t for t, d in twins.edges_out(graph, case_id)
            if d["relation"] == "REPORTED_BY" and d["status"] == "confirmed"
        }  # fmt: skip

    wanted: dict[tuple[str, str], set[str]] = {}
    unplaced = set()
    for a in by_id:
        for b in by_id:
            shared = owner(a) & owner(b)
            if a == b or not shared or same_cause(graph, vocabulary, a, b) is not SameCause.YES:
                continue
            order = order_of(by_id[a], by_id[b])
            if order is None:
                unplaced |= {a, b}
            elif order.later == b:
                for one in shared:
                    wanted.setdefault((one, b), set()).add(a)
    found = recurrences(graph, vocabulary, cases)
    assert {(i.organization, i.later): set(i.before) for i in found} == wanted
    assert set(found.unplaced) == unplaced
    for item in found:
        assert item.earlier in item.before
        gaps = [o.least_days for x in item.before if (o := order_of(by_id[x], by_id[item.later]))]
        assert item.order.least_days == min(gaps)
    turned = cases[::-1]
    assert recurrences(IncidentGraph(turned, vocabulary), vocabulary, turned) == found


def test_a_single_incident_is_no_recurrence() -> None:
    assert ask(FIRST) == ask(FIRST)
    assert len(ask(FIRST)) == 0
    with pytest.raises(IndexError):
        ask(FIRST)[0]
