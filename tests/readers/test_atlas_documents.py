"""Case studies of ATLAS: YAML of all kinds, dates of their own granularity, exercises."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.model import CaseKind
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.atlas import FORMAT
from tests.helpers.foreign import dates, document, draft, mangled, problem, survives
from tests.helpers.strategies import QUICK

STUDY = document("atlas/case-study.yaml")


def test_a_case_study_is_read() -> None:
    one = draft(FORMAT, STUDY)
    assert FORMAT.sure(STUDY) > 0.5
    assert one.kind is CaseKind.INCIDENT
    assert dates(one) == {"started": "2024-03"}
    assert one.services == ("Shop helper",)
    assert [g.name for g in one.given] == ["AML.T0051", "meta_prompt"]
    assert "The helper repeated the orders." in one.text("summary")
    assert "{{" not in "".join(p.text + p.heading for p in one.passages)
    assert one.source is not None
    assert one.source.address == "https://norn.example/helper"


def test_an_exercise_enters_no_statistics_and_bad_entries_are_named() -> None:
    exercise, bad = FORMAT.read(document("atlas/ATLAS.yaml"))
    assert isinstance(exercise, Draft)
    assert exercise.kind is CaseKind.STUDY
    assert dates(exercise) == {"started": "2022-06-15"}
    assert isinstance(bad, Problem)
    assert bad.field == "case-studies.1"


def test_json_is_yaml_too() -> None:
    study = {"name": "A", "summary": "S.", "object-type": "case-study"}
    day = {"incident-date": "2021-01-01", "incident-date-granularity": "YEAR"}
    value = {"study": study | day}
    given_ = Document("a.json", json.dumps(value, indent=1))
    assert FORMAT.sure(given_) > 0.5
    assert dates(draft(FORMAT, given_)) == {"started": "2021"}


@pytest.mark.parametrize(
    ("text", "line"),
    [("object-type: case-study\n- x\n", 2), ("object-type: case-study\na: }", 2)],
)
def test_what_is_no_yaml_names_the_line(text: str, line: int) -> None:
    assert problem(FORMAT, Document("a.yaml", text)).line == line


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a]\nobject-type: case-study\nsummary: x\nprocedure: *a",
        "summary: &a\n  b: *a\nname: *a\nprocedure: *a",
        "[" * 3000,
        "- " * 30_000 + "x",
        "!!python/object/apply:os.system [ls]",
        "summary: 2021-99-99\nname: !!binary x",
        "? [a]\n: b",
        "incident-date: 0001-01-01T00:00:00+99:99\nsummary: x",
        "&x {*x: 1}",
        "",
        "null",
        "summary: 0x\nname: 1_0:99",
    ],
)
def test_no_strange_yaml_raises(text: str) -> None:
    survives(FORMAT, Document("a.yaml", text))


@QUICK
@given(mangled(json.loads(json.dumps({"object-type": "case-study", "name": "n", "summary": "s",
    "incident-date": "2024-01-02", "incident-date-granularity": "DATE", "target": "t",
    "procedure": [{"tactic": "a", "technique": "b", "description": "c"}],
    "references": [{"title": "t", "url": "https://norn.example"}],
    "case-study-type": "exercise"}))))  # fmt: skip
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, Document("a.yaml", json.dumps(value)))


@QUICK
@given(st.integers(0, 900))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.yaml", STUDY.text[:length]))
