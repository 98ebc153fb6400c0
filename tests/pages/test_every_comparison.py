"""Whatever two cases are compared: places are where they are said to be, and no status is lost."""

from __future__ import annotations

from itertools import combinations

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from kg.queries.sharing import SameCause
from kg.server.pages.compare import ComparePage, SayingView, compare_page
from tests.helpers.html import Element
from tests.pages.conftest import page_of

Pages = dict[tuple[str, str, str], ComparePage]


@pytest.fixture(scope="module")
def compared(tiny: Library) -> Pages:
    """Every pair of six cases, in both languages."""
    return {
        (a, b, lang): compare_page(tiny, a, b, lang)
        for a, b in combinations(sorted(tiny.cases), 2)
        for lang in ("en", "ko")
    }


def sayings(page: ComparePage) -> list[SayingView]:
    """All that the sides are quoted with."""
    both = [*page.shared, *page.contrasts, *page.excluded]
    found = [s for b in both for s in (*b.left, *b.right)]
    found += [s for _, said in page.denied for s in said]
    found += [s for only in page.only for _, said in only.kinds for s in said]
    return [*found, *(s for p in page.paths for step in p.steps for s in step.sayings)]


def test_every_quotation_is_a_place_in_a_stored_text(tiny: Library, compared: Pages) -> None:
    seen = 0
    for page in compared.values():
        for saying in sayings(page):
            place = saying.quotation
            assert saying.case_id is not None
            assert place is not None
            text = tiny.cases[saying.case_id].text(place.field, place.lang)
            assert text[place.start : place.end] == place.quote
            assert place.before + place.quote + place.after in text
            seen += 1
    assert seen > 200


def test_quotations_are_in_the_language_of_the_page(compared: Pages) -> None:
    for (_, _, lang), page in compared.items():
        spoken = {s.quotation.lang for s in sayings(page) if s.quotation}
        assert spoken <= {lang, "zxx"}


def test_each_saying_has_the_status_of_its_claim(tiny: Library, compared: Pages) -> None:
    for page in compared.values():
        for saying in sayings(page):
            name = saying.claim.removeprefix("claim-")
            claims = {
                i.partition("#")[2]: c for i, c in tiny.cases[saying.case_id or ""].claim_ids()
            }
            if saying.claim.startswith("claim-"):
                assert str(claims[name].status) == saying.status
            else:
                assert saying.claim in ("sources", "related")


def test_what_is_ruled_out_is_never_held_in_common(compared: Pages) -> None:
    for page in compared.values():
        for both in page.shared:
            assert both.status in ("confirmed", "suspected")
            statuses = {s.status for s in (*both.left, *both.right)}
            assert "ruled_out" not in statuses
            assert both.left
            assert both.right
            if both.status == "confirmed":
                assert "confirmed" in {s.status for s in both.left}
                assert "confirmed" in {s.status for s in both.right}
        for path in page.paths:
            assert path.status in ("confirmed", "suspected")


def test_same_cause_is_said_of_confirmed_causes_alone(tiny: Library, compared: Pages) -> None:
    said = set()
    for (a, b, _), page in compared.items():
        said.add(page.same_cause)
        confirmed = [
            {t for c in tiny.cases[i].claims
             if c.kind == "cause" and c.status == "confirmed" for t in c.terms}
            for i in (a, b)
        ]  # fmt: skip
        if page.same_cause != SameCause.UNKNOWN:
            assert all(confirmed)
        if page.same_cause == SameCause.YES:
            above = [
                {up for t in terms for up in tiny.vocabulary.broader_steps(t)}
                for terms in confirmed
            ]
            assert confirmed[0] & above[1] or confirmed[1] & above[0]
    assert said == {"yes", "no", "unknown"}


def test_turning_the_sides_round_changes_no_verdict(tiny: Library, compared: Pages) -> None:
    for (a, b, lang), page in compared.items():
        other = compare_page(tiny, b, a, lang)
        assert other.same_cause == page.same_cause
        assert {x.term.id for x in other.shared} == {x.term.id for x in page.shared}
        assert other.names == page.names[::-1]
        assert [m[::2] + m[1:2] for m in other.measures] == [
            (m[0], m[1], m[2]) for m in page.measures
        ]


def test_every_link_of_a_live_comparison_leads_to_a_place(
    tiny: Library, tiny_client: TestClient
) -> None:
    places: dict[str, set[str | None]] = {}
    for a, b in combinations(sorted(tiny.cases), 2):
        page = page_of(tiny_client, f"/explain?a={a}&b={b}&lang=en")
        for link in _within(page, "/cases/"):
            address, _, place = link.partition("#")
            if address not in places:
                places[address] = {e.get("id") for e in page_of(tiny_client, address).walk()}
            assert not place or place in places[address], link
    assert len(places) == len(tiny)


def _within(page: Element, start: str) -> list[str]:
    return [h for a in page.one("main").all("a") if (h := a.get("href") or "").startswith(start)]
