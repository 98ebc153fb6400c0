"""A draft as a case: sections become fields, and what a tagger finds in them becomes claims.

Every claim made here is marked as made by a program, carries its confidence and its spans, and is
suspected or ruled out: only a person's review makes it a fact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pydantic import ValidationError

from kg.errors import Problem
from kg.intake.claims import factor_texts, field_claims, text_claims
from kg.intake.identity import digest_of
from kg.model import (
    PROSE_FIELDS,
    Case,
    Claim,
    DateKind,
    Origin,
    Prose,
    Source,
    SourceKind,
    When,
)
from kg.model.text import PARAGRAPH_BREAK
from kg.readers.draft import Draft
from kg.vocab import Tag, Vocabulary

Tagged = Callable[[str], Sequence[Tag]]
"""A text -> the terms that it tells of."""


@dataclass(frozen=True)
class Structured:
    """A case made of a draft, and what was left out of it or read with doubt."""

    case: Case
    notes: tuple[Problem, ...] = ()


def structured(
    draft: Draft, case_id: str, domain: str, tagged: Tagged, vocabulary: Vocabulary
) -> Structured | Problem:
    """The case of a draft, or why it makes none.

    Args:
        draft: what was read, already redacted.
        case_id: its id.
        domain: field of work that the case is filed under.
        tagged: finds terms in a text.
        vocabulary: the terms; names in fields of the source are looked up there.
    """
    dates, doubtful = _ordered(draft)
    if not draft.title.strip():
        return _no_case(draft, case_id, "it has no title", "Give it a title")
    try:
        bare = Case(
            id=case_id,
            kind=draft.kind,
            domain=domain,
            dates=dates,
            severity=draft.severity or None,
            regions=_lines(draft.regions),
            time_to_detect=draft.time_to_detect,
            time_to_recover=draft.time_to_recover,
            sources=(_source(draft),),
            links=draft.links,
            origin=_origin(draft),
            services=_lines(draft.services),
            labels=_lines(tuple(g.name for g in draft.given)),
            **_texts(draft),
        )
        claims = _claims(draft, bare, tagged, vocabulary)
        case = Case.model_validate(bare.model_dump() | {"claims": claims})
    except ValidationError as error:
        told = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:3])
        return _no_case(draft, case_id, told, "Correct the document")
    return Structured(case, (*draft.notes, *doubtful))


def _no_case(draft: Draft, case_id: str, told: str, remedy: str) -> Problem:
    return Problem(draft.file, draft.line, "", f"makes no case: {told}", remedy, case_id)


def _claims(draft: Draft, case: Case, tagged: Tagged, vocabulary: Vocabulary) -> list[Claim]:
    """What the fields of the source name, and what else its texts tell of."""
    named = list(field_claims(draft, vocabulary))
    known = {(c.kind, c.terms) for c in named}
    told = text_claims(case, tagged, factor_texts(draft))
    return named + [c for c in told if (c.kind, c.terms) not in known]


def _texts(draft: Draft) -> dict[str, Prose]:
    """The prose of each field that the draft has; a case without a summary has its title."""
    title = " ".join(draft.title.split())
    found: dict[str, Prose] = {"title": _prose(draft.lang, [title])}
    for field in PROSE_FIELDS[1:]:
        if any(_paragraphs(p.text) for p in draft.passages if p.field == field):
            found[field] = _in_languages(draft, field)
        elif field in draft.none and field != "summary":
            found[field] = Prose.model_validate([])
    found.setdefault("summary", found["title"])
    return found


def _in_languages(draft: Draft, field: str) -> Prose:
    """The paragraphs of a field, each in its language.

    Languages that do not run side by side cannot stand in one field; there all is told under the
    one that says most.
    """
    by_lang: dict[str, list[str]] = defaultdict(list)
    for passage in draft.passages:
        if passage.field == field:
            by_lang[passage.lang or draft.lang] += _paragraphs(passage.text)
    told = {lang: paragraphs for lang, paragraphs in by_lang.items() if paragraphs}
    if len({len(paragraphs) for paragraphs in told.values()}) == 1:
        return Prose.model_validate(told)
    most = max(told, key=lambda lang: (sum(map(len, told[lang])), lang))
    return _prose(most, [p for paragraphs in told.values() for p in paragraphs])


def _prose(lang: str, paragraphs: Sequence[str]) -> Prose:
    return Prose.model_validate({lang: list(paragraphs)})


def _paragraphs(text: str) -> list[str]:
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return [p.strip() for p in lines.split(PARAGRAPH_BREAK) if p.strip()]


def _lines(names: Sequence[str]) -> tuple[str, ...] | None:
    kept = tuple(dict.fromkeys(line for n in names if (line := " ".join(n.split()))))
    return kept or None


def _source(draft: Draft) -> Source:
    name = PurePath(draft.file).name or draft.format
    cited = draft.source
    if cited is None:
        return Source(kind=SourceKind.DOCUMENT, title=draft.title, locator=name)
    return Source(kind=cited.kind, title=cited.title or draft.title, locator=cited.address or name)


def _origin(draft: Draft) -> Origin:
    return Origin(
        format=draft.format,
        system=draft.system or None,
        identifier=draft.source_id or None,
        file=PurePath(draft.file).name or None,
        digest=digest_of(draft),
        updated=draft.updated or None,
        duplicates=tuple(line for d in draft.duplicates if (line := d.strip())),
    )


def _ordered(draft: Draft) -> tuple[tuple[When, ...], tuple[Problem, ...]]:
    """The dates, without an end before the beginning: which of the two is wrong is not known."""
    started = next((d for d in draft.dates if d.kind is DateKind.STARTED), None)
    ended = next((d for d in draft.dates if d.kind is DateKind.ENDED), None)
    if started is None or ended is None or started.earliest() <= ended.earliest():
        return draft.dates, ()
    told = f"ends ({ended.at}) before it starts ({started.at}), so both times were left out"
    note = Problem(draft.file, draft.line, "dates", told, "Correct the document, then add it again")
    kept = tuple(d for d in draft.dates if d.kind not in (DateKind.STARTED, DateKind.ENDED))
    return kept, (note,)
