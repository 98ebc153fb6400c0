"""Judged sets: the documents of a corpus are drafts, its questions are not."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.model import CaseKind, Link
from kg.readers.document import Document
from kg.readers.formats.beir import FORMAT
from tests.helpers.foreign import document, drafts, mangled, problem, survives
from tests.helpers.strategies import QUICK

CORPUS = document("beir/corpus.jsonl")
LINES = [json.loads(line) for line in CORPUS.text.splitlines()]
FLAPS, STUDY = drafts(FORMAT, CORPUS)


def test_is_recognised_by_its_keys() -> None:
    assert FORMAT.sure(CORPUS) == 0.95
    assert FORMAT.sure(Document("a.jsonl", '{"_id": "1", "title": "", "text": "x"}')) == 0.95
    assert FORMAT.sure(Document("a.jsonl", '{"_id": "1", "text": "x"}')) == 0.0
    assert FORMAT.sure(Document("a.jsonl", '{"_id": 1, "title": "", "text": "x"}')) == 0.0


def test_each_line_is_a_draft() -> None:
    assert (FLAPS.source_id, FLAPS.line, FLAPS.title) == ("doc-1", 1, "Link flaps on a leaf switch")
    assert FLAPS.text("summary") == "Jobs on rack 7 lost their links for seconds at a time."
    assert FLAPS.links == (Link(rel="related", href="https://example.com/doc-1"),)


def test_a_document_without_title_is_called_by_its_first_sentence() -> None:
    assert (STUDY.title, STUDY.kind) == ("A study of 200 jobs", CaseKind.STUDY)


def test_a_text_of_one_long_word_gives_a_title_too() -> None:
    (one,) = drafts(FORMAT, Document("corpus.jsonl", json.dumps({"_id": "1", "text": "x" * 400})))
    assert one.title == "x" * 120 + " …"


def test_questions_are_refused_with_what_to_do() -> None:
    told = problem(FORMAT, document("beir/queries.jsonl"))
    assert "kg eval" in told.remedy
    assert FORMAT.sure(document("beir/queries.jsonl")) == 0.95


def test_a_broken_line_does_not_take_the_others() -> None:
    text = CORPUS.text.splitlines()
    found = list(FORMAT.read(Document("corpus.jsonl", "\n".join([text[0], "{oops", text[1]]))))
    assert [type(one).__name__ for one in found] == ["Draft", "Problem", "Draft"]
    assert isinstance(found[1], Problem)
    assert found[1].line == 2


@QUICK
@given(mangled(LINES), st.integers(0, 200))
def test_a_mangled_corpus_never_raises(lines: object, cut: int) -> None:
    listed = lines if isinstance(lines, list) else [lines]
    text = "\n".join(json.dumps(line) for line in listed)
    survives(FORMAT, Document("corpus.jsonl", text))
    survives(FORMAT, Document("corpus.jsonl", text[:cut]))
