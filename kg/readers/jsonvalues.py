"""Values of a JSON record of which nothing is sure: keys may be absent, types may be any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

MISSING = frozenset({"", "?", "-", "–", "—", "None", "null", "NULL", "nil", "undefined"})
"""What programs write where they have nothing. (`none` in small letters is a word of people.)"""

_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_SPACE = re.compile(r"\s+")


def words(text: str, by: str | None = None) -> frozenset[str]:
    """The words of a text, or its parts between `by`, as a set."""
    return frozenset(text.split(by))


def clean(text: str) -> str:
    """A text with line feeds only, without control signs and halves of surrogate pairs."""
    return _UNWANTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def word(value: object) -> str:
    """A value as one line; "" when it is nothing, or no text and no number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    try:
        line = _SPACE.sub(" ", clean(str(value))).strip()
    except ValueError:  # a whole number of thousands of digits
        return ""
    return "" if line in MISSING else line


def prose(value: object) -> str:
    """A value as a text of lines; "" when it is nothing, or no text and no number."""
    return clean(value).strip() if isinstance(value, str) and word(value) else word(value)


def inside(value: object, *keys: str | int) -> Any:
    """What lies under the keys, one within the other; None where the way ends."""
    for key in keys:
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and -len(value) <= key < len(value):
            value = value[key]
        else:
            return None
    return value


def objects(value: object) -> list[dict[str, Any]]:
    """The objects of a list, or the one object itself; empty for all else."""
    if isinstance(value, dict):
        return [value]
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def named(value: object, *keys: str) -> list[str]:
    """The names in a value: a text, an object with one of the keys, or a list of these."""
    return list(dict.fromkeys(_named(value, keys or ("name",))))


def _named(value: object, keys: tuple[str, ...]) -> Iterator[str]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            found = next((name for key in keys if (name := word(one.get(key)))), "")
        else:
            found = word(one)
        if found:
            yield found


def address(value: object) -> str:
    """A web address, "" when it is none."""
    text = word(value)
    return text if host(text) and " " not in text else ""


def host(value: object) -> str:
    """The host of a web address, in lower case; "" when it is none."""
    try:
        parts = urlsplit(word(value))
        return (parts.hostname or "") if parts.scheme in ("http", "https") else ""
    except ValueError:
        return ""


def unwrapped(
    value: object, *wrappers: str, at: str = "", deep: int = 3
) -> Iterator[tuple[str, Any]]:
    """The records in lists and under the keys that exports wrap them in, with their JSON paths.

    Args:
        value: the whole document, or a part.
        wrappers: keys such as `incidents`, `data`; the first that holds something counts.
        at: the path of the value.
        deep: how many wrappings there can be.
    """
    if isinstance(value, list) and deep:
        for i, one in enumerate(value):
            yield from unwrapped(one, *wrappers, at=joined(at, i), deep=deep - 1)
        return
    if isinstance(value, dict) and deep:
        for key in wrappers:
            if isinstance(value.get(key), list | dict):
                yield from unwrapped(value[key], *wrappers, at=joined(at, key), deep=deep - 1)
                return
    yield at, value


def joined(at: str, key: str | int) -> str:
    """The dotted path of what lies under a key."""
    return f"{at}.{key}" if at else str(key)
