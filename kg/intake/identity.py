"""Which case a draft is: its id, and whether the library holds the same event already.

Only identifiers decide by themselves. What is alike in other ways is proposed, never merged.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable
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
    found, others = _own_id(draft), frozenset(taken)
    if found in others:
        found = f"{found}-{_mark(draft.format, draft.system, draft.source_id, _name(draft))}"
    if found in others:
        found = f"{_own_id(draft)}-{digest_of(draft)[: 2 * _MARK]}"
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


class KnownCases:
    """The cases of a library that were read from documents, to be found again."""

    def __init__(self, cases: Iterable[Case]) -> None:
        """`cases`: any; those that were written by hand are never found."""
        self._by_key: dict[object, Case] = {}
        self._by_content: dict[object, Case] = {}
        self._by_name: dict[object, dict[str, Case]] = {}
        for case in cases:
            self.add(case)

    def add(self, case: Case) -> None:
        """Let a case be found from now on."""
        if (origin := case.origin) is None:
            return
        if origin.key is not None:
            self._by_key.setdefault((origin.format, origin.key), case)
            return
        self._by_content.setdefault((origin.format, origin.digest), case)
        for title in {case.title.best(lang) for lang in case.title.languages}:
            named = self._by_name.setdefault((origin.format, origin.file, title), {})
            named.setdefault(case.id, case)

    def found(self, draft: Draft, done: Collection[str] = ()) -> Known | None:
        """The case that was read from the same source as a draft; None if there is none.

        By system and identifier where the source has one; else by equal content; else by the name
        of the file, where the title is the same too.

        Args:
            draft: what was read.
            done: ids of cases that other documents of this batch are. Only an identifier or equal
                content finds one of them: two documents of one name in two folders are two cases.
        """
        digest, key = digest_of(draft), _key(draft)
        if key is not None:
            case = self._by_key.get((draft.format, key))
        else:
            case = self._by_content.get((draft.format, digest)) or self._of_name(draft, done)
        if case is None or case.origin is None:
            return None
        return Known(case, case.origin.digest != digest)

    def _of_name(self, draft: Draft, done: Collection[str]) -> Case | None:
        place = (draft.format, _name(draft), " ".join(draft.title.split()))
        named = self._by_name.get(place, {})
        return next((c for case_id, c in named.items() if case_id not in done), None)


def found_again(draft: Draft, cases: Iterable[Case]) -> Known | None:
    """The case among these that was read from the same source as a draft, see `KnownCases`."""
    return KnownCases(cases).found(draft)


def _key(draft: Draft) -> tuple[str, str] | None:
    return (draft.system or draft.format, draft.source_id) if draft.source_id else None
