"""A library without some of its cases is that of the others, and has nothing of those."""

from __future__ import annotations

from pathlib import Path

import pytest

import kg
from kg.errors import CaseNotFound, LibraryError
from kg.library.visible import _vocabulary_of, content_version, library_without

UNSEEN = ["IL-0480", "IL-0127"]


@pytest.fixture(scope="module")
def left(quick):
    with library_without(quick, UNSEEN) as it:
        yield it


def test_the_others_are_there_as_they_were(quick, left):
    assert set(left.cases) == set(quick.cases) - set(UNSEEN)
    for case_id, case in left.cases.items():
        assert case == quick.get(case_id)


def test_it_is_what_would_have_been_built_of_them(quick, left, tmp_path):
    cases = list(left.cases.values())
    words = _vocabulary_of(cases, quick.vocabulary)
    with kg.build_library(
        cases, tmp_path / "own.duckdb", vocabulary=words, encoder="hash"
    ) as built:
        assert content_version(built) == content_version(left)
        for question in ("SELECT * FROM similarity ORDER BY ALL", "SELECT count(*) FROM passages"):
            assert built.sql(question).rows == left.sql(question).rows
        assert built.search("NCCL timeout", threshold=0.0) == left.search(
            "NCCL timeout", threshold=0.0
        )


def test_terms_that_only_the_hidden_cases_have_are_gone_and_all_others_lead_somewhere(quick, left):
    for term in quick.vocabulary.terms:
        cases = set(quick.graph.cases_of(term, narrower=True))
        if cases & set(left.cases):
            assert term in left.vocabulary, term
        elif cases:
            kept = term in left.vocabulary
            # What is kept without a case of its own is what a kept term leads to.
            assert not kept or any(
                term in (*t.broader, *t.part_of, *t.depends_on, *t.variant_of, *t.does_not_cover)
                for t in left.vocabulary.terms.values()
            ), term
    assert "organization:meta" not in left.vocabulary


def test_its_file_is_nowhere(left):
    assert not Path(left.path).exists()
    assert left.sql("SELECT count(*) FROM cases").rows == ((6,),)


def test_the_library_itself_stays_as_it_is(quick, left):
    assert set(UNSEEN) <= set(quick.cases)


def test_the_version_tells_content_from_content(quick, left):
    assert content_version(quick) == content_version(quick)
    assert content_version(quick) != content_version(left)
    assert content_version(quick, "ko") != content_version(quick, "en")


def test_a_case_that_is_not_there_cannot_be_hidden(quick):
    with pytest.raises(CaseNotFound):
        library_without(quick, ["NOPE"])


def test_not_everything_can_be_hidden(quick):
    with pytest.raises(LibraryError):
        library_without(quick, list(quick.cases))
