"""Lines of JSON values, judged by `json` itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.readers.positions import Positions
from tests.helpers.strategies import QUICK

keys = st.text(max_size=4)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=15,
)


def walk(data: Any, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    """Every value with its path."""
    found = [(path, data)]
    pairs = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in pairs:
        found += walk(value, (*path, key))
    return found


@QUICK
@given(
    values, st.sampled_from([None, 0, 1, 3]), st.booleans(), st.sampled_from(["", "\n", " \r\n\t"])
)
def test_the_value_that_begins_on_the_line_is_the_value(
    data: Any, indent: int | None, ascii_only: bool, before: str
) -> None:
    text = before + json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    positions = Positions(text)
    decoder = json.JSONDecoder()
    starts = positions._starts
    assert set(starts) == {path for path, _ in walk(data)}
    for path, value in walk(data):
        assert decoder.raw_decode(text, starts[path])[0] == value
        assert positions.line(path) == text[: starts[path]].count("\n") + 1
    assert positions.repeated == []


def test_lines_count_from_one() -> None:
    positions = Positions('{\n  "a": [\n    1,\n    {"b": 2}\n  ]\n}')
    assert positions.line(()) == 1
    assert positions.line(("a",)) == 2
    assert positions.line(("a", 0)) == 3
    assert positions.line(("a", 1, "b")) == 4


def test_a_path_that_does_not_exist_falls_back_to_its_parent() -> None:
    positions = Positions('{\n"a": {\n"b": 1}}')
    assert positions.line(("a", "missing", 7)) == 2
    assert positions.line(("x",)) == 1


def test_repeated_keys_are_told_for_each_object_of_its_own() -> None:
    text = '{\n"a": 1,\n"b": {"a": 2},\n"a": [{"c": 1,\n"c": 2}],\n"a": 3}'
    assert Positions(text).repeated == [(4, "a"), (5, "c"), (6, "a")]


@pytest.mark.parametrize("text", ["{}", "[]", "[ ]", "{ }", '"x"', "-0.5e+3", " null "])
def test_values_without_children(text: str) -> None:
    assert Positions(text).line(()) == 1


def test_escaped_keys_are_compared_unescaped() -> None:
    assert Positions('{"a": 1, "\\u0061": 2}').repeated == [(1, "a")]
