"""A list by a term tells how many of its cases only suspect it."""

from __future__ import annotations

import pytest

import kg
from kg.queries.filters import make_filter, suspecting
from tests.helpers.tiny import make_case, tiny_vocabulary

WORDS = tiny_vocabulary()
CASES = [
    make_case("A-1", ("cause", "cause:race")),
    make_case("A-2", ("cause", "cause:race", "suspected")),
    make_case("A-3", ("cause", "cause:gpu-fault", "suspected")),
    make_case("A-4", ("cause", "cause:gpu-fault"), ("cause", "cause:race", "suspected")),
    make_case("A-5", ("cause", "cause:race", "ruled_out")),
]


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> kg.Library:
    path = tmp_path_factory.mktemp("lists") / "x.duckdb"
    return kg.build_library(CASES, path, vocabulary=WORDS, encoder="hash")


@pytest.mark.parametrize(
    ("wanted", "ids", "suspected"),
    [
        ({"cause": "cause:race"}, {"A-1", "A-2", "A-4"}, ("A-2", "A-4")),
        ({"cause": "cause:hardware"}, {"A-3", "A-4"}, ("A-3",)),
        ({"cause": ["cause:race", "cause:gpu-fault"]}, {"A-4"}, ("A-4",)),
        ({"domain": "ai-infra"}, {c.id for c in CASES}, ()),
        ({}, {c.id for c in CASES}, ()),
    ],
)
def test_those_that_only_suspect_a_term_are_named(
    lib: kg.Library, wanted: dict[str, str], ids: set[str], suspected: tuple[str, ...]
) -> None:
    page = lib.list(**wanted)
    assert set(page.ids) == ids
    assert page.suspected == suspected
    assert lib.list(**wanted, limit=1).suspected == suspected, "of all that match, not of a page"


def test_the_notice_says_so_in_both_languages(lib: kg.Library) -> None:
    told = [lib.list(cause="cause:race", lang=lang).notice for lang in ("en", "ko")]
    assert "2 of them only suspect it" in told[0]
    assert "그중 2건은" in told[1]
    assert lib.list(domain="ai-infra").notice == "Filtered list, newest first."


def test_nothing_is_suspected_without_cases(lib: kg.Library) -> None:
    wanted = make_filter(WORDS, {"cause": "cause:race"})
    assert suspecting(lib.graph, WORDS, wanted, ()) == []
