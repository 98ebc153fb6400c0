"""Written pages compare each case with those nearest to it: a page a pair, linked from both."""

from __future__ import annotations

import pytest

from kg.library import Library
from kg.server.pages.links import StaticLinks, compare_file, pair
from kg.server.pages.site import COMPARED
from kg.server.pages.words import word
from tests.helpers.html import Element, faults

Pages = dict[str, Element]


@pytest.fixture(scope="module")
def pairs(tiny: Library) -> set[tuple[str, str]]:
    """The pairs that are near."""
    near = {i: tiny.similar(i, k=COMPARED).ids for i in tiny.cases}
    return {pair(i, n) for i, ids in near.items() for n in ids}


def test_there_is_one_page_a_pair_and_language(pages: Pages, pairs: set[tuple[str, str]]) -> None:
    wanted = {f"{lang}/{compare_file(a, b)}" for lang in ("en", "ko") for a, b in pairs}
    assert {name for name in pages if "/compare/" in name} == wanted
    assert len(pairs) <= COMPARED * 6


def test_it_says_why_they_are_alike_and_whether_the_cause_is_the_same(
    tiny: Library, pages: Pages, pairs: set[tuple[str, str]]
) -> None:
    for lang in ("en", "ko"):
        for a, b in pairs:
            page = pages[f"{lang}/{compare_file(a, b)}"]
            found = tiny.explain(a, b, lang)
            assert faults(page) == []
            assert page.one("p", _class="lead").text == found.text
            verdict = page.one("p", _class="verdict").one("strong").text
            assert verdict == word(f"same.{found.same_cause}", lang)
            shared = page.one("section", aria_labelledby="shared")
            assert len(shared.all("h3")) == len(found.shared)
            assert len(page.all("blockquote")) >= 2 * bool(found.shared)
            assert [h for h in page.all("h2") if h.get("id") == "paths"] or not found.paths


def test_a_path_stands_there_with_its_evidence(pages: Pages, pairs: set[tuple[str, str]]) -> None:
    seen = 0
    for a, b in pairs:
        page = pages[f"en/{compare_file(a, b)}"]
        for section in (s for s in page.all("section") if s.get("aria-labelledby") == "paths"):
            first = section.all("li")[0]
            assert a in first.text
            assert b in first.text
            assert first.all("blockquote")
            seen += 1
    assert seen


def test_each_of_the_two_links_to_it_and_it_links_back(
    pages: Pages, pairs: set[tuple[str, str]]
) -> None:
    for a, b in pairs:
        file = f"../{compare_file(a, b)}"
        leading = [
            case for case in (a, b)
            if file in {x.get("href") for x in pages[f"en/cases/{case}.html"].all("a")}
        ]  # fmt: skip
        assert leading, (a, b)
        back = {x.get("href") for x in pages[f"en/{compare_file(a, b)}"].all("a")}
        assert {f"../../cases/{a}.html", f"../../cases/{b}.html"} <= back


def test_the_nearest_cases_of_a_page_all_have_one(tiny: Library, pages: Pages) -> None:
    for case_id in tiny.cases:
        section = pages[f"ko/cases/{case_id}.html"].one("section", aria_labelledby="similar")
        links = [
            any("/compare/" in (a.get("href") or "") for a in card.all("a"))
            for card in section.all("article")
        ]
        assert all(links[:COMPARED])
        assert any(links)


def test_nothing_can_be_asked_there(pages: Pages) -> None:
    for name, page in pages.items():
        if "/compare/" in name:
            assert page.all("form") == page.all("input") == page.all("datalist") == [], name


def test_a_pair_that_was_not_written_has_no_address() -> None:
    links = StaticLinks("en", "cases/B.html", None, frozenset({("A", "B")}))
    assert links.compare("B", "A") == links.compare("A", "B") == "../compare/A/B.html"
    assert links.compare("A", "C") is links.compare("A") is links.compare() is None
    assert StaticLinks("en", "compare/A/B.html").case("A") == "../../cases/A.html"
