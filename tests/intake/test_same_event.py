"""Which pairs of cases are proposed as one event, why, and which never are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.intake.eventmarks import marks_of, rarity_of
from kg.intake.reasons import SENTENCES, reason_text
from kg.intake.same_event import BEFOREHAND, WEIGHTS, Reason, SameEvent, compared, same_events
from kg.model import Case
from tests.helpers.planted_events import cases_of, planted_world
from tests.helpers.random_cases import random_cases
from tests.helpers.strategies import QUICK

TITLES = ("Expired certificate", "Queue backlog", "Route withdrawn", "Disk full", "Bad rollout")


def event(case_id: str, title: str = "Expired certificate", **fields: Any) -> Case:
    """A case that was read from a document of its own system."""
    told = {"format": "statuspage", "system": f"{case_id}.example", "identifier": case_id}
    origin = told | fields.pop("origin", {}) | {"digest": "0" * 64}
    data = {
        "id": case_id,
        "domain": "own",
        "title": {"en": [title]},
        "summary": {"en": [title]},
        "origin": {k: v for k, v in origin.items() if v is not None},
    }
    return Case.model_validate(data | fields)


def at(start: str, end: str | None = None) -> list[dict[str, str]]:
    found = [{"kind": "started", "at": start}]
    return [*found, {"kind": "ended", "at": end}] if end else found


def proposed(cases: Sequence[Case], **more: Any) -> set[tuple[str, str]]:
    return {(p.case_id, p.other_id) for p in same_events(cases, **more)}


def outcomes(one: Case, other: Case) -> set[str]:
    marks = [marks_of(c) for c in (one, other)]
    return {r.what for r in compared(*marks, rarity_of(marks)).reasons}


ONE = event("A-1000", dates=at("2025-03-02T09:00Z", "2025-03-02T10:00Z"), services=["Login"])
SAME = event(
    "B-1000", "TLS certificate of the gateway ran out", services=["login"],
    dates=at("2025-03-02T18:05+09:00", "2025-03-02T19:02+09:00"), origin={"format": "markdown"},
)  # fmt: skip


def test_an_outage_of_two_sources_is_proposed_with_reasons_that_add_up() -> None:
    (found,) = same_events([SAME, ONE])
    assert (found.case_id, found.other_id) == ("A-1000", "B-1000")
    odds = BEFOREHAND + sum(r.weight for r in found.reasons)
    assert found.probability == pytest.approx(1 / (1 + math.exp(-odds)), abs=1e-4)
    assert {r.what for r in found.reasons} >= {"begin and end", "services"}
    assert [abs(r.weight) for r in found.reasons] == sorted(
        (abs(r.weight) for r in found.reasons), reverse=True
    )


@pytest.mark.parametrize(
    ("dates", "other", "what"),
    [
        (at("2025-03-02T09:00Z", "2025-03-02T10:00Z"), at("2025-03-02T09:10Z"), "begin"),
        (at("2025-03-02T09:00Z", "2025-03-02T12:00Z"), at("2025-03-02T11:00Z"), "overlap"),
        (at("2025-03-02T09:00Z"), at("2025-03-02"), "same day"),
        (at("2025-03-02T09:00Z"), at("2025-03-02T19:00Z"), "apart in a day"),
        (at("2025-03-02"), at("2025-03-03"), "next day"),
        (at("2025-03-02"), at("2025-03-09"), "other day"),
        (at("2025-03-02", "2025-03-12"), at("2025-03-09"), "days overlap"),
        (at("2025-03-02"), [{"kind": "published", "at": "2025-03-02"}], "told that day"),
        (at("2025-03-02"), [{"kind": "published", "at": "2025-03-11"}], "told soon after"),
        (at("2025-03-02"), [{"kind": "published", "at": "2025-04-20"}], "told much later"),
        (at("2025-03-02"), [{"kind": "published", "at": "2025-02-20"}], "other day"),
        (
            [{"kind": "published", "at": "2025-03-02"}],
            [{"kind": "published", "at": "2025-03-20"}],
            "told on other days",
        ),
        (at("2025-03-02"), [], "no day"),
        (at("2025"), at("2025-03-02"), "no day"),
    ],
)
def test_times_are_compared(dates: Any, other: Any, what: str) -> None:
    assert what in outcomes(event("A-1", dates=dates), event("B-1", dates=other))


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ({"services": ["Check-out"]}, {"services": ["check out"]}, "services"),
        ({"services": ["Checkout"]}, {"summary": {"en": ["The checkout broke."]}}, "service named"),
        ({"services": ["Checkout"]}, {"services": ["Login"]}, "other services"),
        ({"regions": ["eu-west"]}, {"regions": ["EU West"]}, "regions"),
        ({"regions": ["eu-west"]}, {"regions": ["us"]}, "other regions"),
        (
            {"links": [{"rel": "page", "href": "https://s.example/i/77"}]},
            {"summary": {"en": ["See http://www.s.example/i/77."]}},
            "address",
        ),
        ({}, {"summary": {"en": ["Same as A-1234."]}}, "identifier"),
        ({"summary": {"en": ["It lost 4711 rows in 93 s."]}},
         {"summary": {"en": ["Rows lost: 4,711, and 93 seconds."]}}, "figures"),
        ({"time_to_recover": {"seconds": 600}}, {"time_to_recover": {"seconds": 630}}, "length"),
        ({"time_to_recover": {"seconds": 60}}, {"time_to_recover": {"seconds": 900}},
         "other length"),
    ],
)  # fmt: skip
def test_names_links_and_figures_are_compared(one: Any, other: Any, what: str) -> None:
    dates = at("2025-03-02")
    pair = event("A-1234", "a", dates=dates, **one), event("B-1", "b", dates=dates, **other)
    assert what in outcomes(*pair)
    assert what in outcomes(*reversed(pair))


def test_a_short_number_is_no_identifier_in_a_text() -> None:
    one = event("A-1", origin={"identifier": "5000"})
    other = event("B-1", summary={"en": ["It took 5000 ms."]})
    assert "identifier" not in outcomes(one, other)


def test_a_citation_from_another_day_is_no_sign_of_one_event() -> None:
    one = event("A-1234", dates=at("2025-03-02"))
    other = event("B-1", dates=at("2025-05-02"), summary={"en": ["As in A-1234."]})
    assert "cited" in outcomes(one, other)
    assert proposed([one, other]) == set()


def test_what_the_source_calls_a_duplicate_is_proposed() -> None:
    one = event("A-1", "x", dates=at("2025-03-02"), origin={"system": "jira", "identifier": "S-1"})
    told = {"system": "jira", "identifier": "S-2", "duplicates": ["S-1"]}
    other = event("B-1", "y", dates=at("2025-03-04"), origin=told)
    assert "duplicate" in outcomes(one, other)
    alone = event("B-1", "y", dates=at("2025-03-02"), origin=told | {"duplicates": []})
    assert "one system" in outcomes(one, alone)


def test_events_of_one_report_are_several_but_a_feed_links_the_page_that_it_tells_of() -> None:
    source = [{"kind": "blog", "title": "t", "locator": "https://s.example/three-issues"}]
    bare = {"format": "markdown", "system": None, "identifier": None}
    one, other = (event(i, dates=at("2025-03-02"), sources=source, origin=bare) for i in ("A", "B"))
    assert "one report" in outcomes(one, other)
    feed = event("C", dates=at("2025-03-02"), sources=source, origin=bare | {"format": "feed"})
    assert "address" in outcomes(one, feed)


def test_never_proposed_however_alike() -> None:
    key = {"system": "s.example", "identifier": "K-1"}
    one = event("A-1000", dates=at("2025-03-02T09:00Z"), services=["Login"], origin=key)
    twin = event("B-1000", dates=at("2025-03-02T09:00Z"), services=["Login"], origin=key)
    assert proposed([one, twin]) == set()
    series = Case.model_validate(SAME.model_dump() | {"kind": "series"})
    assert proposed([ONE, series]) == set()
    assert proposed([ONE, series], mixed=True) == {("A-1000", "B-1000")}
    assert proposed([ONE, SAME], apart=[("A-1000", "B-1000")]) == set()


@pytest.mark.parametrize("what", WEIGHTS)
def test_every_outcome_has_a_sentence_in_both_languages(what: str) -> None:
    for lang in ("en", "ko"):
        told = reason_text(Reason(what, WEIGHTS[what], ("{1}", "<b>")), lang)
        assert told
        assert ("{1}, <b>" in told) == ("{0}" not in told and told.endswith(", <b>"))
    assert set(SENTENCES) == set(WEIGHTS)


def test_outcomes_in_one_direction_speak_for_it_and_in_the_other_against_it() -> None:
    against = {what for what in WEIGHTS if WEIGHTS[what] < 0}
    assert against >= {"other day", "one system", "other services", "one report"}
    assert {w for w in WEIGHTS if WEIGHTS[w] > 3} >= {"address", "duplicate", "begin and end"}


def by_brute_force(cases: Sequence[Case], least: float) -> list[SameEvent]:
    """Every pair compared, without looking up which may meet."""
    marks = [marks_of(c) for c in cases]
    rarity = rarity_of(marks)
    found = [
        compared(a, b, rarity) for a, b in combinations(marks, 2) if not a.key or a.key != b.key
    ]
    return [p for p in found if p.probability >= least]


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_likely_is_missed_by_looking_pairs_up(seed: int) -> None:
    cases = sorted(cases_of(planted_world(seed, 12)), key=lambda c: c.id)
    expected = {(p.case_id, p.other_id): p for p in by_brute_force(cases, 0.5)}
    assert {(p.case_id, p.other_id): p for p in same_events(cases)} == expected


@QUICK
@given(st.permutations(random_cases(12, 3)), st.floats(0, 1))
def test_the_order_of_cases_does_not_matter(cases: list[Case], least: float) -> None:
    found = same_events(cases, least=least)
    assert found == same_events(sorted(cases, key=lambda c: c.id), least=least)
    assert all(p.case_id < p.other_id and p.probability >= least for p in found)


def test_a_crowded_day_is_looked_up_by_what_is_shared() -> None:
    crowd = [event(f"C-{i}", f"Quiet thing number x{i}", dates=at("2025-03-02")) for i in range(60)]
    one = ONE.model_copy(update={"dates": crowd[0].dates})
    other = SAME.model_copy(update={"dates": crowd[0].dates})
    found = proposed([*crowd, one, other], least=0.3)
    assert ("A-1000", "B-1000") in found
