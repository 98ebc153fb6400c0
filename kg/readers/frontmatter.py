"""The front matter of a Markdown file: YAML between `---`, or TOML between `+++`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

MOST = 100_000
"""Characters of front matter that are read; more is none."""

_FENCED = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)\n?^(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)


class _Words(yaml.SafeLoader):  # type: ignore[misc]
    """YAML whose scalars all stay text, as written, and which has no aliases.

    `yes`, `1.10` and `2021-09-30` mean what their field says; aliases can make a small file huge.
    """

    yaml_implicit_resolvers: Mapping[str, Any] = {}

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias (*name) is not read")
        return super().compose_node(parent, index)


@dataclass(frozen=True)
class FrontMatter:
    """What stands above the text of a file.

    Attributes:
        values: keys with their values; {} without front matter.
        body: the text below.
        lines: how many lines stand above the body.
        problem: why it could not be read, "" when it was.
    """

    values: Mapping[str, Any]
    body: str
    lines: int
    problem: str = ""


def split_front_matter(text: str) -> FrontMatter:
    """Front matter and body of a text. Never raises: front matter that cannot be read is told."""
    found = _FENCED.match(text[: MOST + 10])
    if not found:
        return FrontMatter({}, text, 0)
    body, lines = text[found.end() :], text.count("\n", 0, found.end())
    try:
        values = tomllib.loads(found[2]) if found[1] == "+++" else yaml.load(found[2], _Words)  # noqa: S506
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        return FrontMatter({}, body, lines, " ".join(str(error).split())[:200])
    if values is None:
        return FrontMatter({}, body, lines)
    if not isinstance(values, dict):
        # A line of dashes above and below a text is no front matter.
        return FrontMatter({}, text, 0)
    return FrontMatter({str(k): v for k, v in values.items()}, body, lines)


def as_text(value: Any) -> str | None:
    """A value of front matter as one text, lists joined by commas; None for nested ones."""
    if isinstance(value, list):
        parts = [as_text(v) for v in value]
        return (
            None
            if None in parts or any(isinstance(v, list) for v in value)
            else ", ".join(p for p in parts if p)
        )
    if isinstance(value, dict):
        return None
    return "" if value is None else str(value)
