"""Settings files in YAML or JSON: their values, and the line of each for messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from kg.errors import Problem
from kg.readers.positions import Path, Positions

MOST_VALUES = 10_000
"""A file with more values is no settings file."""

_DEEPEST = 20
_TAG = "tag:yaml.org,2002:"
_KINDS = ("map", "seq", "str", "null", "bool", "int", "float", "timestamp", "value", "merge")


@dataclass(frozen=True)
class Settings:
    """The values of a file.

    Attributes:
        file: its path, for messages.
        data: its values: objects, lists, texts, numbers, true, false, None.
        lines: the line of each value by its path.
    """

    file: str
    data: Any
    lines: dict[Path, int]

    def line(self, path: Path) -> int:
        """The line of a value, or of its nearest parent that exists."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def problem(self, path: Path, message: str, remedy: str) -> Problem:
        """What is wrong with a value."""
        return Problem(self.file, self.line(path), ".".join(map(str, path)), message, remedy)


class _Refused(ValueError):
    def __init__(self, line: int, message: str, remedy: str) -> None:
        super().__init__(message)
        self.line, self.remedy = line, remedy


def read_settings(text: str, file: str) -> Settings | Problem:
    """The values of a text in JSON (a name in `.json`) or YAML.

    Of YAML nothing is constructed but texts, numbers, truth values and nothing; anchors, tags
    and keys that stand twice are refused.
    """
    if file.lower().endswith(".json"):
        return _json(text, file)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        lines: dict[Path, int] = {}
        data = None if node is None else _value(node, (), lines, set())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        told = f"not valid YAML: {error.problem or error.context}"
        line = mark.line + 1 if mark else 0
        return Problem(file, line, "", told, "Correct it; texts with signs go between quotes")
    except yaml.YAMLError as error:
        return Problem(file, 0, "", f"not valid YAML: {error}", "Save it as plain UTF-8 text")
    except _Refused as error:
        return Problem(file, error.line, "", str(error), error.remedy)
    except (RecursionError, ValueError, OverflowError):
        return Problem(
            file, 0, "", "not valid YAML: nested too deep, or a value too large", "Mend it"
        )
    return Settings(file, data, lines)


def _value(node: yaml.Node, path: Path, lines: dict[Path, int], seen: set[int]) -> Any:
    line = node.start_mark.line + 1
    if id(node) in seen:
        raise _Refused(line, "an anchor is used", "Write the value out where it is wanted")
    lines[path] = line
    if len(path) > _DEEPEST or len(lines) > MOST_VALUES:
        raise _Refused(line, "too many values, or too deep", "See docs/mapping.md for the form")
    seen.add(id(node))
    if node.tag.removeprefix(_TAG) not in _KINDS:
        raise _Refused(line, f"a tag {node.tag}", "Leave it out")
    if isinstance(node, yaml.MappingNode):
        return dict(_pairs(node, path, lines, seen))
    if isinstance(node, yaml.SequenceNode):
        return [_value(n, (*path, i), lines, seen) for i, n in enumerate(node.value)]
    return _scalar(node)


def _pairs(
    node: yaml.MappingNode, path: Path, lines: dict[Path, int], seen: set[int]
) -> Iterator[tuple[str, Any]]:
    names: set[str] = set()
    for key, value in node.value:
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
        line = key.start_mark.line + 1
        if not name:
            raise _Refused(line, "a key that is no text", "Write the key as text")
        if name in names:
            raise _Refused(line, f"the key {name!r} stands twice", "Keep one of the two")
        names.add(name)
        made = _value(value, (*path, name), lines, seen)
        # An error in a value over several lines is told at its key.
        lines[(*path, name)] = line
        yield name, made


def _scalar(node: yaml.Node) -> Any:
    kind = node.tag.rpartition(":")[2]
    if kind == "null":
        return None
    if kind == "bool" and str(node.value).lower() in ("true", "false"):
        return str(node.value).lower() == "true"
    if kind == "int" and str(node.value).lstrip("-").isdecimal() and len(node.value) < 18:
        return int(node.value)
    # A date, a float, and `No` (the name of many a column) are texts, as they are written.
    return str(node.value)


def _json(text: str, file: str) -> Settings | Problem:
    try:
        data = json.loads(text)
        places = Positions(text)
    except json.JSONDecodeError as error:
        told = f"not valid JSON: {error.msg}"
        return Problem(file, error.lineno, "", told, f"Look at column {error.colno} of this line")
    except (ValueError, RecursionError):
        return Problem(
            file, 0, "", "not valid JSON: nested too deep, or a number too long", "Mend it"
        )
    if places.repeated:
        line, key = places.repeated[0]
        return Problem(file, line, "", f"the key {key!r} stands twice", "Keep one of the two")
    return Settings(file, data, {path: places.line(path) for path in _paths(data, ())})


def _paths(value: Any, path: Path) -> Iterator[Path]:
    yield path
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield from _paths(value[key], (*path, key))
