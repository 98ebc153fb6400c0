"""Check R, which every named thing of the seed pages has to pass, and the list of the seed page."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from kg.graph import Edge
from kg.library import Library
from kg.model import Case, Term
from kg.vocab import Vocabulary

CheckR = Callable[..., Term]


def ids(numbers: str) -> set[str]:
    """`"0428 0125"` as case ids."""
    return {f"IL-{number}" for number in numbers.split()}


def check_evidence(edges: Iterable[Edge], cases: dict[str, Case]) -> None:
    """Every edge quotes the stored text, in English and in Korean, at the place it says."""
    for edge in edges:
        assert {"en", "ko"} <= {s.lang for s in edge.evidence}, edge
        for span in edge.evidence:
            assert span.quote
            assert cases[edge.case_id].text(span.field, span.lang)[span.start : span.end] == (
                span.quote
            )


@pytest.fixture(scope="session")
def check_r(quick: Library, vocabulary: Vocabulary) -> CheckR:
    """Check R of one row; returns the term."""

    def check(
        spellings: Iterable[str], term: str, kind: str, cases: str, *, narrower: bool = False
    ) -> Term:
        for spelling in spellings:
            assert vocabulary.resolve(spelling).id == term, spelling
            assert len(vocabulary.lookup(spelling)) == 1, spelling
        found = vocabulary.get(term)
        assert found.type == kind
        assert set(quick.graph.cases_of(term, narrower=narrower)) == ids(cases)
        below = vocabulary.narrower_all(term) if narrower else {term}
        edges = [e for t in sorted(below) for e in quick.graph.edges_to(t)]
        assert {e.case_id for e in edges} >= ids(cases)
        check_evidence(edges, dict(quick.cases))
        return found

    return check


@pytest.fixture(scope="session")
def five(quick: Library) -> tuple[str, ...]:
    """The list of the seed page: its symptom, as it was before IL-0480 came."""
    return quick.list(symptom="학습 작업 실패", before="2026-08-06").ids
