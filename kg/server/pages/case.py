"""What the page of a case says: its texts with their evidence, claims, figures, sources, kin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.model import Case, FieldState, Source
from kg.server.pages.claims import ClaimView, claim_views, place_id
from kg.server.pages.hits import HitView, hit_views
from kg.server.pages.marking import Piece, Place, paragraphs
from kg.server.pages.names import CaseName, Names, StatedTerm, TermName, fallback, number_text

if TYPE_CHECKING:
    from kg.library import Library

SIMILAR = 5
"""So many similar cases stand on the page of a case."""

SECTIONS = (
    ("symptom", "symptom"),
    ("trigger", "trigger"),
    ("cause", "cause"),
    (None, "factor"),
    (None, "component"),
    ("detection", "detection"),
    ("mitigation", "mitigation"),
    ("follow_up", "follow_up"),
    ("lesson", None),
)
"""The parts of a case in reading order: the field that tells of it, the kind of its claims."""

STATED, NONE, NOT_STATED = (str(s) for s in (FieldState.STATED, FieldState.NONE, "not_stated"))


@dataclass(frozen=True)
class Fact:
    """A line of the head of a case; `value` is None where the case does not state it."""

    word: str
    value: str | None
    none: bool = False


@dataclass(frozen=True)
class Section:
    """A part of a case: its text, marked where claims rest on it, and the claims.

    `state` is that of the text; `lang` its language, which may not be that of the page.
    """

    key: str
    state: str
    lang: str | None
    text: tuple[tuple[Piece, ...], ...]
    terms: tuple[StatedTerm, ...]
    claims: tuple[ClaimView, ...]


@dataclass(frozen=True)
class SourceView:
    """A source: `href` only where its locator is a web address."""

    kind: str
    title: str
    locator: str
    href: str | None
    archived: bool


@dataclass(frozen=True)
class FigureView:
    """A number that the case states, with the words that say so."""

    label: str
    amount: str
    of: str
    quote: str
    lang: str


@dataclass(frozen=True)
class Related:
    """A case that this one names as related; `name` is None where the library does not have it."""

    id: str
    name: CaseName | None


@dataclass(frozen=True)
class CasePage:
    """All that the page of a case says.

    Attributes:
        asked: the id that was asked for, where the case is now under another one.
        sources, references, related: None where the case does not state them.
        machine_made: how many claims a program made and nobody has judged yet.
        components: software that a check of one's own cluster would look at.
    """

    name: CaseName
    domain: str
    asked: str | None
    facts: tuple[Fact, ...]
    dates: tuple[tuple[str, str], ...]
    summary: Section
    sections: tuple[Section, ...]
    organizations: tuple[StatedTerm, ...]
    figures: tuple[FigureView, ...]
    sources: tuple[SourceView, ...] | None
    references: tuple[SourceView, ...] | None
    related: tuple[Related, ...] | None
    check: Section
    components: tuple[TermName, ...]
    similar: tuple[HitView, ...]
    machine_made: int


def case_page(library: Library, case_id: str, lang: str) -> CasePage:
    """The page of a case.

    Raises:
        CaseNotFound: there is no such case.
    """
    case = library.get(case_id).resolved()
    names = Names(library, lang)
    return CasePage(
        name=names.named(case),
        domain=case.domain,
        asked=case_id if case_id != case.id else None,
        facts=tuple(_facts(case, names)),
        dates=tuple(
            (names.word(f"date.{d.kind}"), _about(names, d.at, d.approx)) for d in case.dates
        ),
        summary=_section(case, "summary", "summary", None, names),
        sections=tuple(
            _section(case, field or kind or "", field, kind, names) for field, kind in SECTIONS
        ),
        organizations=names.stated(case, "organization", denied=True),
        figures=tuple(_figures(case, names)),
        sources=_sources(case.sources),
        references=_sources(case.references),
        related=_related(library, case, names),
        check=_section(case, "check", "check", "check", names),
        components=names.terms(library.check_components(case.id)),
        similar=hit_views(
            library, library.similar(case.id, k=SIMILAR, lang=lang).items, names, beside=case.id
        ),
        machine_made=sum(c.in_review for c in case.claims),
    )


def _facts(case: Case, names: Names) -> Iterator[Fact]:
    """Severity, impact, who was affected, regions, times: said to be unknown where they are."""
    lang = names.lang
    yield Fact(names.word("fact.severity"), case.severity)
    for field in ("impact", "affected_users"):
        prose = getattr(case, field)
        none = case.field_state(field) is FieldState.NONE
        yield Fact(names.word(f"fact.{field}"), prose.best(lang) if prose else None, none)
    for field in ("regions", "services", "labels"):
        values = getattr(case, field)
        if field == "regions" or values is not None:
            yield Fact(names.word(f"fact.{field}"), ", ".join(values or ()) or None, values == ())
    for field in ("time_to_detect", "time_to_recover"):
        duration = getattr(case, field)
        told = duration and (duration.text or names.word("seconds", number_text(duration.seconds)))
        about = duration is not None and duration.approx and not duration.text
        yield Fact(names.word(f"fact.{field}"), _about(names, told, about) if told else None)


def _about(names: Names, text: str, approx: bool) -> str:
    return names.word("about", text) if approx else text


def _section(case: Case, key: str, field: str | None, kind: str | None, names: Names) -> Section:
    prose = getattr(case, field) if field else None
    state = str(case.field_state(field)) if field else NOT_STATED
    lang = fallback(prose.languages, names.lang) if prose else None
    text = prose.text(lang) if prose and lang else ""
    claims = claim_views(case, kind, names, _shown(case, names)) if kind else ()
    if field is None:
        state = STATED if claims else NOT_STATED
    return Section(
        key=key,
        state=state,
        lang=lang if lang != names.lang else None,
        text=paragraphs(text, _places(case, field, lang)) if text else (),
        terms=names.stated(case, kind, denied=True) if kind else (),
        claims=claims,
    )


def _shown(case: Case, names: Names) -> frozenset[tuple[str, str]]:
    """The texts that stand on the page with their places marked."""
    fields = ["summary", "check", *(field for field, _ in SECTIONS if field)]
    prose = [(field, getattr(case, field)) for field in fields]
    chosen = [(field, fallback(p.languages, names.lang)) for field, p in prose if p is not None]
    return frozenset((field, lang) for field, lang in chosen if lang is not None)


def _places(case: Case, field: str | None, lang: str | None) -> list[Place]:
    """The spans of all claims and figures that lie in a text, each place once."""
    found = {
        (span.start or 0, span.end or 0)
        for _, span in case.spans()
        if span.field == field and span.lang == lang
    }
    return [Place(a, b, place_id(field or "", lang or "", a, b)) for a, b in sorted(found)]


def _figures(case: Case, names: Names) -> Iterator[FigureView]:
    for figure in case.figures:
        if figure.value is not None:
            number = number_text(figure.value)
        else:
            low, high = ("" if x is None else number_text(x) for x in (figure.min, figure.max))
            number = f"{low}–{high}"
        spans = figure.evidence
        span = next((s for s in spans if s.lang == names.lang), spans[0])
        yield FigureView(
            label=figure.label.best(names.lang),
            amount=_about(names, f"{number} {figure.unit}".strip(), figure.approx),
            of=figure.of.best(names.lang) if figure.of else "",
            quote=span.quote,
            lang=span.lang,
        )


def web_address(locator: str) -> str | None:
    """The locator, if it is a plain web address that a link may lead to."""
    scheme, found, rest = locator.partition("://")
    plain = scheme.lower() in ("http", "https") and found and rest[:1].isalnum()
    return locator if plain and not any(c.isspace() for c in locator) else None


def _sources(sources: Sequence[Source] | None) -> tuple[SourceView, ...] | None:
    if sources is None:
        return None
    return tuple(
        SourceView(str(s.kind), s.title, s.locator, web_address(s.locator), s.archived)
        for s in sources
    )


def _related(library: Library, case: Case, names: Names) -> tuple[Related, ...] | None:
    if case.related is None:
        return None
    found = ((i, library.find(i)) for i in case.related)
    return tuple(Related(i, names.named(other) if other else None) for i, other in found)


__all__ = [
    "CasePage",
    "Fact",
    "FigureView",
    "Related",
    "Section",
    "SourceView",
    "case_page",
    "web_address",
]
