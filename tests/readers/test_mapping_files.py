"""Mapping files: what is in order, and errors that name their line."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import InputError
from kg.model import ClaimKind, Status
from kg.readers.formdates import Order
from kg.readers.mapping import FIELDS, Mapped, Taken, parse_mapping, read_mapping
from kg.readers.settings import Settings, read_settings
from tests.helpers.foreign import DATA
from tests.helpers.strategies import QUICK

SHEET = (DATA / "mapping" / "outages.yaml").read_text(encoding="utf-8")


def faults(text: str, file: str = "m.yaml") -> list[tuple[int, str, str]]:
    with pytest.raises(InputError) as caught:
        parse_mapping(text, file)
    assert all(p.file == file and p.remedy for p in caught.value.problems)
    return [(p.line, p.field, p.message) for p in caught.value.problems]


def test_a_mapping_is_read_whole() -> None:
    one = parse_mapping(SHEET, "outages.yaml")
    assert (one.name, one.format, one.separator) == ("network-sheet", "csv", ";")
    assert one.missing == {"?", "tbd"}
    assert one.fields["summary"].columns == ("What", "Notes")
    assert one.fields["system"] == Taken(
        value="network-sheet", order=Order.DAY_FIRST, zone="Asia/Seoul", line=9
    )
    assert one.fields["ended"].format == "%d.%m.%Y %H:%M"
    assert one.fields["severity"].values == (("1", "critical"), ("2", "major"))
    assert (one.given[0].kind, one.given[0].status) == (ClaimKind.CAUSE, Status.SUSPECTED)
    assert one.fields["cause"].line == 12


def test_json_serves_as_well() -> None:
    one = read_mapping(DATA / "mapping" / "tickets.json")
    assert (one.path, one.fields["services"].columns) == ("data.tickets", ("body.tags",))


@pytest.mark.parametrize(
    ("text", "line", "field", "said"),
    [
        ("mapping: x\nfields:\n  titel: A\n  summary: B", 3, "fields.titel", "no such key 'titel'"),
        ("colour: red\nfields: {title: A}", 1, "colour", "no such key 'colour'"),
        ("fields: [a]", 1, "fields",
         'must be an object with id, title, system, severity …, not the list ["a"]'),
        ("mapping: x", 1, "fields", "neither a title nor a text is mapped"),
        ("fields:\n  title: A\n  started: {column: B, order: dmy}", 3, "fields.started.order",
         "must be one of day-first, month-first, not 'dmy'"),
        ("dates: {zone: Mars}\nfields: {title: A}", 1, "dates.zone", "no time zone 'Mars'"),
        ("fields:\n  title: A\n  ended: {column: E, format: '%d/%m'}", 3, "fields.ended.format",
         "the format has no year"),
        ("fields:\n  title: A\n  ended: {column: E, format: '%Y %d'}", 3, "fields.ended.format",
         "the format does not tell month and day"),
        ("fields:\n  title: {column: A, value: B}", 2, "fields.title",
         "must have a column or a value, one of the two"),
        ("fields:\n  title: {split: ','}", 2, "fields.title",
         "must have a column or a value, one of the two"),
        ("fields:\n  title: [A, {b: 1}]", 2, "fields.title",
         "must be the name of a column, not the object {\"b\": 1}"),
        ("fields: {title: A}\ngiven:\n  - {column: C}", 3, "given.0.kind",
         "must be one of trigger, cause, factor, component, symptom, detection, mitigation, "
         "follow_up, organization, check, not null"),
        ("fields: {title: A}\nrecords: {last_counts: true}", 2, "records.last_counts",
         "records can be updates of one event only by an id"),
        ("fields: {title: A}\nrecords: {separator: ab}", 2, "records.separator",
         "must be one sign, or `tab`, not 'ab'"),
        ("fields:\n  title: A\n  kind: {value: accident}", 3, "fields.kind.value",
         "must be one of incident, series, study, not 'accident'"),
    ],
)  # fmt: skip
def test_an_error_names_its_line(text: str, line: int, field: str, said: str) -> None:
    assert faults(text) == [(line, field, said)]


def test_all_errors_are_told_together() -> None:
    found = faults("records: {format: xls}\ndates: {order: x}\nfields: {titel: A}\n")
    assert [line for line, _, _ in found] == [1, 2, 3, 3]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("fields: {title: A\n", 2, "not valid YAML: expected ',' or '}', but got '<stream end>'"),
        ("fields: {title: A}\nfields: {title: B}\n", 2, "the key 'fields' stands twice"),
        ("a: &x [1]\nb: *x\n", 1, "an anchor is used"),
        ("fields: !!python/name:os.system A\n", 1, "a tag tag:yaml.org,2002:python/name:os.system"),
        ("fields: !mine A\n", 1, "a tag !mine"),
        ("- a\n", 1, "a mapping is an object, this is a list"),
        ("", 1, "a mapping is an object, this is null"),
        ("[" * 5000, 0, "not valid YAML: nested too deep, or a value too large"),
    ],
)  # fmt: skip
def test_yaml_that_is_refused(text: str, line: int, said: str) -> None:
    (found,) = faults(text)
    assert (found[0], found[2]) == (line, said)


def test_json_that_is_refused() -> None:
    assert faults('{"fields": {"title": "A",}}', "m.json")[0][0] == 1
    assert faults('{"a": 1,\n "a": 2}', "m.json") == [(2, "", "the key 'a' stands twice")]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_mapping(tmp_path / "nothing.yaml")
    (tmp_path / "m.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="empty"):
        read_mapping(tmp_path / "m.yaml")


def test_values_of_yaml_are_texts_but_for_truth_and_whole_numbers() -> None:
    found = read_settings("a: 2024-01-02\nb: 1.50\nc: true\nd: ~\ne: 7\nf: No\n", "m.yaml")
    assert isinstance(found, Settings)
    assert found.data == {
        "a": "2024-01-02", "b": "1.50", "c": True, "d": None, "e": 7, "f": "No",
    }  # fmt: skip


def test_the_page_names_every_field() -> None:
    page = (DATA.parents[2] / "docs" / "mapping.md").read_text(encoding="utf-8")
    assert [name for name in FIELDS if f"`{name}`" not in page] == []


JUNK = st.text(alphabet="{}[]:,&*!-\n \"'aé\x00", max_size=4)


@QUICK
@given(st.integers(0, len(SHEET)), st.integers(0, 20), JUNK)
def test_a_mangled_mapping_is_read_or_refused(start: int, length: int, junk: str) -> None:
    text = SHEET[:start] + junk + SHEET[start + length :]
    found: object = None
    with suppress(InputError):
        found = parse_mapping(text, "m.yaml")
    assert found is None or isinstance(found, Mapped)
