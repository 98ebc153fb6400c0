"""A document on its way to a reader: its name, its text, and what its text is as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Any


@dataclass(frozen=True)
class Declared:
    """What the caller says of documents that do not say it themselves.

    Attributes:
        order: `day-first` or `month-first`, for dates such as 03/04/2021; "" when not said.
        zone: where the clock stood for times without a zone, such as `Asia/Seoul`, `+09:00` or
            `UTC`; "" when not said.
    """

    order: str = ""
    zone: str = ""


@dataclass(frozen=True)
class Document:
    """One file, or one member of an archive.

    Attributes:
        name: its path as the caller gave it, for messages.
        text: its decoded text, with line feeds only and no byte order mark.
        declared: what the caller says of it.
    """

    name: str
    text: str
    declared: Declared = Declared()

    @property
    def suffix(self) -> str:
        """The ending of its name in lower case, with the dot."""
        return PurePath(self.name).suffix.lower()

    @cached_property
    def data(self) -> Any:
        """The text as JSON; None when it is none (or is `null`)."""
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            return None

    @cached_property
    def head(self) -> str:
        """The first 4,000 characters: enough to recognise a format by."""
        return self.text[:4000]
