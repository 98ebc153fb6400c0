"""Where in a JSON text each value stands, so that an error can name the line."""

from __future__ import annotations

import json
import re

Path = tuple[str | int, ...]
_SPACE = re.compile(r"[ \t\n\r]*")
_scalar = json.JSONDecoder().raw_decode
_AT = re.compile(r" at line (\d+) column (\d+)$")


def syntax_place(message: str) -> tuple[int, int, str]:
    """Line, column and text of a message of pydantic's parser about JSON that is none."""
    placed = _AT.search(message)
    line, column = map(int, placed.groups()) if placed else (1, 1)
    what = _AT.sub("", message).removeprefix("Invalid JSON: ")
    return line, column, f"not valid JSON: {what}"


class Positions:
    """Lines of all values of a valid JSON text, and the keys that an object holds twice.

    Args:
        text: JSON that `json.loads` accepts; it is walked once.

    Attributes:
        repeated: (line, key) of every key that stands twice in one object.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: dict[Path, int] = {}
        self.repeated: list[tuple[int, str]] = []
        self._value(self._skip(0), ())

    def line(self, path: Path) -> int:
        """The line (from 1) of a value, or of its nearest parent that exists."""
        while path and path not in self._starts:
            path = path[:-1]
        return self._line_at(self._starts.get(path, 0))

    def _line_at(self, at: int) -> int:
        return self._text.count("\n", 0, at) + 1

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def _value(self, at: int, path: Path) -> int:
        """Record a value that begins at `at`; return where it ends."""
        self._starts[path] = at
        if self._text[at] == "{":
            return self._object(self._skip(at + 1), path)
        if self._text[at] == "[":
            return self._array(self._skip(at + 1), path)
        return _scalar(self._text, at)[1]

    def _object(self, at: int, path: Path) -> int:
        seen: set[str] = set()
        while self._text[at] != "}":
            key, end = _scalar(self._text, at)
            if key in seen:
                self.repeated.append((self._line_at(at), key))
            seen.add(key)
            colon = self._skip(end)
            at = self._after(self._value(self._skip(colon + 1), (*path, key)))
        return at + 1

    def _array(self, at: int, path: Path) -> int:
        index = 0
        while self._text[at] != "]":
            at = self._after(self._value(at, (*path, index)))
            index += 1
        return at + 1

    def _after(self, at: int) -> int:
        """Past the comma that may follow a value."""
        at = self._skip(at)
        return self._skip(at + 1) if self._text[at] == "," else at
