"""From paths to drafts: the format that is taken, what is refused, what a fault of ours does."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kg.errors import BadQuery, Problem
from kg.model import Case
from kg.readers.document import Declared, Document
from kg.readers.draft import Draft
from kg.readers.formats import Format, beir, case, jira_csv, log, records, servicenow_csv
from kg.readers.reading import EXPORT, ReadDocument, read_documents
from tests.helpers.foreign import DATA, dates
from tests.helpers.tiny import case_data, write_json

FORMATS = [m.FORMAT for m in (beir, case, jira_csv, log, records, servicenow_csv)]


def read(*paths: Path, **given: Any) -> list[ReadDocument]:
    return list(read_documents(paths, FORMATS, **given))


def told(one: ReadDocument) -> str:
    (item,) = one.items
    assert isinstance(item, Problem)
    return f"{item.message}. {item.remedy}"


@pytest.mark.parametrize(
    ("file", "format", "count"),
    [
        ("jira_csv/issues.csv", "jira-csv", 3),
        ("servicenow_csv/audit.csv", "servicenow-csv", 2),
        ("servicenow_csv/list.csv", "servicenow-csv", 1),
        ("beir/corpus.jsonl", "beir", 2),
        ("records/outages.jsonl", "records", 2),
        ("records/outages.csv", "records", 2),
    ],
)
def test_a_document_is_read_in_its_format(file: str, format: str, count: int) -> None:
    (one,) = read(DATA / file)
    assert (one.format, one.named) == (format, True)
    assert sum(isinstance(item, Draft) for item in one.items) == count


def test_case_files_go_on_as_they_are(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", case_data("X-1"))
    lines = "\n".join(json.dumps(case_data(f"Y-{i}")) for i in (1, 2))
    (tmp_path / "b.jsonl").write_text(lines, encoding="utf-8")
    found = read(tmp_path)
    assert [one.format for one in found] == ["case", "case"]
    items = [item for one in found for item in one.items]
    assert [item.id for item in items if isinstance(item, Case)] == ["X-1", "Y-1", "Y-2"]


def test_a_case_with_a_fault_keeps_the_words_of_the_case_reader(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {**case_data("X-1"), "colour": "red"})
    (one,) = read(tmp_path / "a.json")
    assert one.format == "case"
    assert "no such field" in told(one)


def test_an_export_of_a_library_is_one_document(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    write_json(folder / "manifest.json", {"incident_kg_export": 1, "format": "jsonl", "files": {}})
    (folder / "cases.jsonl").write_text(json.dumps(case_data("X-1")), encoding="utf-8")
    (one,) = read(tmp_path)
    assert one.format == EXPORT
    assert [item.id for item in one.items if isinstance(item, Case)] == ["X-1"]


def test_what_is_in_no_format_says_what_was_tried_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("nothing known\n", encoding="utf-8")
    (one,) = read(tmp_path / "a.jsonl")
    assert (one.format, one.also) == ("", ())
    assert told(one) == (
        "in no known format; tried 6: beir, case, records. "
        "Say it with --format NAME, or write a mapping file (docs/mapping.md)"
    )


def test_the_caller_may_say_the_format() -> None:
    (one,) = read(DATA / "jira_csv" / "issues.csv", wanted="servicenow-csv")
    assert one.format == "servicenow-csv"
    assert "no column `number`" in told(one)


def test_a_format_that_is_none_is_refused_before_anything_is_read() -> None:
    with pytest.raises(BadQuery, match="the formats are beir, case, jira-csv"):
        read_documents(["nowhere"], FORMATS, "word")


@pytest.mark.parametrize("declared", [Declared(order="dmy"), Declared(zone="Mars")])
def test_what_cannot_be_declared_is_refused(declared: Declared) -> None:
    with pytest.raises(BadQuery):
        read_documents([], FORMATS, declared=declared)


def test_what_is_declared_reaches_the_reader() -> None:
    (one,) = read(DATA / "jira_csv" / "issues.csv", declared=Declared(zone="Asia/Seoul"))
    first = next(one.items)
    assert isinstance(first, Draft)
    assert dates(first)["published"] == "2021-09-30T17:20+09:00"


def test_other_formats_that_fit_are_named() -> None:
    (one,) = read(DATA / "jira_csv" / "issues.csv")
    assert one.also == ("records",)


def fixed(name: str, sure: float) -> Format:
    return Format(name, "a test", (), lambda _: sure, lambda _: iter(()))


@pytest.mark.parametrize("turn", [1, -1])
def test_the_surest_format_is_taken_and_the_order_of_the_list_does_not_matter(turn: int) -> None:
    formats = [fixed("b", 0.7), fixed("a", 0.7), fixed("c", 0.9), fixed("d", 0.4)][::turn]
    (one,) = read_documents([DATA / "logs" / "node.log"], formats)
    assert (one.format, one.also) == ("c", ("a", "b"))


def test_a_fault_of_a_reader_ends_its_document_and_not_the_batch(tmp_path: Path) -> None:
    def breaks(document: Document) -> Iterator[Draft]:
        yield Draft("odd", document.name, "first")
        raise KeyError("x")

    (tmp_path / "a.txt").write_text("words", encoding="utf-8")
    (tmp_path / "b.txt").write_text("words", encoding="utf-8")
    odd = replace(fixed("odd", 0.9), read=breaks)
    found = [list(one.items) for one in read_documents([tmp_path], [odd])]
    assert [[type(i).__name__ for i in items] for items in found] == [["Draft", "Problem"]] * 2
    assert "reading it as odd failed: KeyError" in str(found[0][1])


def test_a_fault_of_a_judgement_leaves_the_format_out(tmp_path: Path) -> None:
    def breaks(_: Document) -> float:
        raise RecursionError

    (tmp_path / "a.txt").write_text("words", encoding="utf-8")
    formats = [replace(fixed("odd", 0.9), sure=breaks), fixed("even", 0.6)]
    (one,) = read_documents([tmp_path], formats)
    assert one.format == "even"


def test_members_of_an_archive_are_read_like_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(DATA / "jira_csv" / "issues.csv", "x/issues.csv")
        archive.write(DATA / "logs" / "node.log", "node.log")
    found = read(tmp_path / "a.zip")
    assert [(one.name.rpartition("!/")[2], one.format, one.named) for one in found] == [
        ("node.log", "log", False), ("x/issues.csv", "jira-csv", False),
    ]  # fmt: skip
    draft = next(found[1].items)
    assert isinstance(draft, Draft)
    assert draft.file.endswith("a.zip!/x/issues.csv")


@pytest.mark.parametrize(
    ("encoding", "end"), [("utf-8-sig", "\n"), ("utf-16", "\n"), ("utf-8", "\r\n"), ("utf-8", "\r")]
)
def test_encodings_and_line_ends_change_nothing(tmp_path: Path, encoding: str, end: str) -> None:
    text = (DATA / "jira_csv" / "issues.csv").read_text(encoding="utf-8")
    path = tmp_path / "issues.csv"
    path.write_bytes(text.replace("\n", end).encode(encoding))
    (plain,) = read(DATA / "jira_csv" / "issues.csv")
    (other,) = read(path)
    same = [replace(d, file="") for d in other.items if isinstance(d, Draft)]
    assert same == [replace(d, file="") for d in plain.items if isinstance(d, Draft)]


def test_a_problem_of_opening_is_told_under_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    (one,) = read(tmp_path)
    assert (one.format, one.named) == ("", False)
    assert told(one).startswith("a PNG image, not text")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 20_000, "[" * 900 + "]" * 900])
def test_deep_nesting_is_no_fault(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    (one,) = read(tmp_path)
    assert "fault" not in told(one)
