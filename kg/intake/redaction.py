"""Secrets and people out of a draft before anything of it is stored, with placeholders in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from kg.errors import BadQuery
from kg.intake.secrets import KINDS, secrets_in
from kg.readers.draft import Cited, Draft, Given


@dataclass
class Redaction:
    """Replaces what it finds, the same value of one document by the same placeholder.

    A placeholder such as `[redacted email 2]` counts the values of a kind in the order in which
    they first stand in the document, so that it depends on nothing else.

    Attributes:
        people: names to replace wherever they stand.
        keep: kinds that are left as they are, of `KINDS`.
        found: how many places were replaced, by kind.
    """

    people: Sequence[str] = ()
    keep: frozenset[str] = frozenset()
    found: Counter[str] = field(default_factory=Counter)
    _numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    _seen: Counter[str] = field(default_factory=Counter)

    def text(self, text: str) -> str:
        """A text with placeholders."""
        parts, at = [], 0
        for found in secrets_in(text, self.people):
            if found.kind in self.keep:
                continue
            parts += [
                text[at : found.start],
                self._placeholder(found.kind, text[found.start : found.end]),
            ]
            at = found.end
        return "".join([*parts, text[at:]]) if parts else text

    def _placeholder(self, kind: str, value: str) -> str:
        if (kind, value) not in self._numbers:
            self._seen[kind] += 1
            self._numbers[kind, value] = self._seen[kind]
        self.found[kind] += 1
        return f"[redacted {kind} {self._numbers[kind, value]}]"


def checked_kinds(keep: Iterable[str]) -> frozenset[str]:
    """Kinds to keep.

    Raises:
        BadQuery: there is no such kind.
    """
    kept = frozenset(keep)
    if unknown := sorted(kept - set(KINDS)):
        raise BadQuery(f"no kind {unknown[0]!r} to keep; there are {', '.join(KINDS)}")
    return kept


def redacted(draft: Draft, keep: Iterable[str] = ()) -> tuple[Draft, Mapping[str, int]]:
    """A draft without secrets and people, and how many places were replaced by kind.

    Args:
        draft: what was read.
        keep: kinds to leave as they are; everything but `person` names of the fields of authors,
            which are never stored.

    Raises:
        BadQuery: `keep` names a kind that there is not.
    """
    work = Redaction(draft.people, checked_kinds(keep))
    clean = work.text
    made = replace(
        draft,
        title=clean(draft.title),
        passages=tuple(
            replace(p, text=clean(p.text), heading=clean(p.heading)) for p in draft.passages
        ),
        services=tuple(map(clean, draft.services)),
        regions=tuple(map(clean, draft.regions)),
        given=tuple(Given(g.kind, clean(g.name), g.status, g.key) for g in draft.given),
        source=draft.source
        and Cited(draft.source.kind, clean(draft.source.title), clean(draft.source.address)),
        links=tuple(link.model_copy(update={"href": clean(link.href)}) for link in draft.links),
        organization=clean(draft.organization),
        file=str(PurePath(draft.file).with_name(clean(PurePath(draft.file).name)))
        if PurePath(draft.file).name
        else draft.file,
        severity=draft.severity and clean(draft.severity),
        people=(),
    )
    return made, dict(sorted(work.found.items()))
