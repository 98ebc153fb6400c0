"""Our own case files among documents: recognised by what only cases have."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.model import Case
from kg.readers.document import Document
from kg.readers.formats.case import FORMAT
from tests.helpers.foreign import json_document, mangled
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import case_data

CASE = case_data("X-1")


def lines(*values: Any) -> Document:
    return Document("a.jsonl", "\n".join(json.dumps(value) for value in values) + "\n")


def test_a_case_is_sure() -> None:
    assert FORMAT.sure(json_document(CASE)) == 1.0
    assert FORMAT.sure(lines(CASE, CASE)) == 1.0
    assert FORMAT.sure(Document("a.txt", json.dumps(CASE, indent=2))) == 1.0


@pytest.mark.parametrize(
    "value",
    [{"id": "A-1", "title": "words"}, {"title": {"en": ["x"]}}, [CASE], 7, None, {"id": "A-1"},
     {"id": "A-1", "title": {"text": "x"}, "claims": [1]}],
)  # fmt: skip
def test_records_of_others_are_not(value: Any) -> None:
    assert FORMAT.sure(json_document(value)) == 0.0


def test_cases_come_ready() -> None:
    (one,) = FORMAT.read(json_document(CASE))
    assert isinstance(one, Case)
    found = list(FORMAT.read(lines(CASE, {"id": "X-2"}, {**CASE, "id": "X-3"})))
    assert [one.id for one in found if isinstance(one, Case)] == ["X-1", "X-3"]
    assert {one.line for one in found if isinstance(one, Problem)} == {2}


@QUICK
@given(mangled(CASE), st.integers(0, 300))
def test_a_mangled_case_never_raises(value: Any, cut: int) -> None:
    text = json.dumps(value)
    for document in (Document("a.json", text), Document("a.jsonl", text[:cut])):
        assert 0 <= FORMAT.sure(document) <= 1
        for one in FORMAT.read(document):
            assert isinstance(one, Case) or one.remedy
