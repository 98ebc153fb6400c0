"""Which case a draft is: its id, and whether the library holds the same event already.

Only identifiers decide by themselves. What is alike in other ways is proposed, never merged.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePath

from kg.model import Case
from kg.readers.draft import Draft

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9]*[-_]\d+(?:[-_.]\d+)*|[A-Z]{2,}\d{3,}")
"""What people call an incident by, such as `PM2021-011` or `INC0010023`."""
_OTHER = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 80
_HEAD = 40
_MARK = 6
"""Digits of a digest that tell apart what has no id of its own, or an id that is taken."""


def digest_of(draft: Draft) -> str:
    """SHA-256 of what a draft says, wherever its file lies: equal drafts have equal digests."""
    told = asdict(draft)
    for place in ("file", "line", "notes"):
        del told[place]
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()


def case_id_for(draft: Draft, taken: Iterable[str] = ()) -> str:
    """The id of a draft's case: the key of its source, else made of its day and title.

    Args:
        draft: what was read.
        taken: ids of other cases; where one of them stands in the way, a mark is put behind.

    The same draft always gets the same id, whatever else is read with it.
    """
    found = _own_id(draft)
    if found in set(taken):
        found = f"{found}-{_mark(draft.format, draft.system, draft.source_id, _name(draft))}"
    return found


def _own_id(draft: Draft) -> str:
    given = _plain(draft.source_id)
    if _KEY.fullmatch(given):
        return given[:_LONGEST]
    if given:
        return f"{_plain(draft.system) or draft.format}-{given}"[:_LONGEST].rstrip("-._")
    day = min((d.earliest().isoformat() for d in draft.dates), default="undated")
    title = _plain(draft.title.lower())[:_HEAD].strip("-._")
    mark = _mark(draft.title, day, draft.system)
    return "-".join(part for part in (day, title, mark) if part)


def _plain(text: str) -> str:
    return _OTHER.sub("-", text.strip()).strip("-._")


def _mark(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_MARK]


def _name(draft: Draft) -> str:
    return PurePath(draft.file).name


@dataclass(frozen=True)
class Known:
    """The case that a draft is already, and whether the document has changed since."""

    case: Case
    changed: bool


def found_again(draft: Draft, cases: Sequence[Case]) -> Known | None:
    """The case of the library that was read from the same source as a draft; None if there is none.

    By system and identifier where the source has one; else by equal content; else by the name of
    the file, where the title is the same too.
    """
    digest, key = digest_of(draft), _key(draft)
    for case in cases:
        origin = case.origin
        if origin is None or origin.format != draft.format:
            continue
        if key is not None or origin.key is not None:
            same = origin.key == key
        else:
            titled = case.title.best(draft.lang) == draft.title.strip()
            same = origin.digest == digest or (origin.file == _name(draft) and titled)
        if same:
            return Known(case, origin.digest != digest)
    return None


def _key(draft: Draft) -> tuple[str, str] | None:
    return (draft.system or draft.format, draft.source_id) if draft.source_id else None
