"""Ways from one case to another in SQL are those that an explanation tells in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from kg.library import Library
from kg.queries.paths import PathKind
from kg.store import write_library
from tests.helpers.libraries import make_snapshot
from tests.helpers.random_cases import random_cases
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

ASK = "SELECT path, kind, status, cases FROM paths(?, ?)"


@pytest.fixture(scope="module", params=["tiny", "random", "shipped"])
def library(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, whole: Library
) -> Iterator[Library]:
    if request.param == "shipped":
        yield whole
        return
    cases = tiny_cases() if request.param == "tiny" else random_cases(40, 5)
    path: Path = tmp_path_factory.mktemp("paths") / "paths.duckdb"
    write_library(make_snapshot(cases, tiny_vocabulary()), path)
    with Library(path) as made:
        yield made


def some_pairs(library: Library) -> list[tuple[str, str]]:
    every = list(combinations(sorted(library.cases), 2))
    return every[:: max(1, len(every) // 25)]


def unmarked(path: object) -> str:
    """A path as SQL writes it: its status stands in a column, not at each step."""
    return re.sub(r"\[[a-z_, ]+\](?=-)", "", str(path))


def test_what_both_define_is_the_same(library: Library) -> None:
    told = dict.fromkeys(("same", "broader", "neighbour", "link"), 0)
    for a, b in some_pairs(library):
        rows = {row[0]: row[1:] for row in library.sql(ASK, [a, b]).rows}
        found = library.explain(a, b)
        shared = {s.term for s in found.shared}
        # SQL weighs by all cases that state a term; Python tells how many confirm it.
        stating = library.graph.terms
        frequency = dict(zip(stating.terms, stating.frequency.tolist(), strict=True))
        for path in found.paths:
            if path.kind in (PathKind.CHAIN, PathKind.COUNTERPART):
                continue
            kind, status, cases = rows[unmarked(path)]
            assert (kind, status) == (str(path.kind), str(path.status))
            told[kind] += 1
            if kind in ("same", "broader"):
                (meeting,) = (n for n in path.nodes if n in shared)
                assert cases == frequency[meeting]
        # Of terms that both state Python leaves out none but some that many cases have.
        generic = {s.term for s in found.shared if s.generic}
        shown = {unmarked(p) for p in found.paths}
        for path_text, (kind, _, _) in rows.items():
            if kind == "same" and not any(f" {t} " in path_text for t in generic):
                assert path_text in shown
    assert told["same"]
    assert told["broader"]


def test_the_way_back_is_the_same_way_turned(library: Library) -> None:
    for a, b in some_pairs(library)[:6]:
        there, back = (library.sql(ASK, pair).rows for pair in ([a, b], [b, a]))
        assert sorted(turned(r[0]) for r in back) == sorted(r[0] for r in there)
        assert sorted(r[1:] for r in back) == sorted(r[1:] for r in there)


def turned(path: str) -> str:
    words = path.split(" ")[::-1]
    arrows = {True: lambda w: f"<-{w[1:-2]}-", False: lambda w: f"-{w[2:-1]}->"}
    return " ".join(arrows[w.startswith("-")](w) if i % 2 else w for i, w in enumerate(words))


def test_a_way_to_itself_or_to_nobody_is_none(library: Library) -> None:
    some = sorted(library.cases)[0]
    assert library.sql(ASK, [some, some]).rows == ()
    assert library.sql(ASK, [some, "GONE"]).rows == ()
    assert library.sql(ASK, ["GONE", some]).rows == ()


def test_nothing_that_is_ruled_out_lies_on_a_way_and_suspicions_are_marked(tmp_path: Path) -> None:
    cases = [
        make_case("A-1", ("cause", "cause:race"), ("cause", "cause:mismatch")),
        make_case("A-2", ("cause", "cause:race", "suspected"), ("cause", "cause:gpu-fault")),
        make_case("A-3", ("cause", "cause:race", "ruled_out")),
    ]
    path = write_library(make_snapshot(cases, tiny_vocabulary()), tmp_path / "a.duckdb")
    with Library(path) as made:
        assert made.sql(ASK, ["A-1", "A-2"]).rows == (
            (
                "case:A-1 -CAUSED_BY-> cause:race <-CAUSED_BY- case:A-2",
                "same", "suspected", 2,
            ),
        )  # fmt: skip
        assert made.sql(ASK, ["A-1", "A-3"]).rows == ()
        assert made.sql(ASK, ["A-2", "A-3"]).rows == ()
