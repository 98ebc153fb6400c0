"""What a case says, as a diagnosis quotes it: words, status, and the place in the stored text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kg.model import Case, CaseKind, Claim, ClaimKind, Span, Status, Text
from kg.queries.mentions import Mentions
from kg.vocab import Vocabulary

TITLE = "title"
"""The kind of the statement that a title makes."""

NOTES = ("outcome", "conditions", "caveat")


@dataclass(frozen=True)
class Statement:
    """One claim of a case (or its title) with its evidence.

    Attributes:
        case_id: the case that says it.
        claim_id: the claim, `<case>#<kind>-<n>`; `<case>#title` for a title.
        kind: kind of the claim, or `title`.
        terms: the terms that it names.
        status: confirmed, suspected or ruled out; None for a title, which is no claim.
        role: the part that the terms play, where the kind has roles.
        value: a setting's value.
        words: the claim in our words, as (language, text); empty where the evidence speaks.
        evidence: spans of the stored text, with start and end.
        addresses: causes that a mitigation acts on.
        result: what a mitigation achieved.
        notes: outcome, conditions and caveat of a mitigation, as (which, language, text).
        amounts: the figures of the claim, as (value, unit); the ends of a range one by one.
    """

    case_id: str
    claim_id: str
    kind: str
    terms: tuple[str, ...]
    status: Status | None
    role: str | None
    value: str | None
    words: tuple[tuple[str, str], ...]
    evidence: tuple[Span, ...]
    addresses: tuple[str, ...] = ()
    result: str | None = None
    notes: tuple[tuple[str, str, str], ...] = ()
    amounts: tuple[tuple[float, str], ...] = ()

    def span(self, lang: str) -> Span:
        """The first span in a language, else in English, else the first."""
        for wanted in (lang, "en"):
            for span in self.evidence:
                if span.lang == wanted:
                    return span
        return self.evidence[0]

    def spans(self, lang: str) -> tuple[Span, ...]:
        """All spans in a language, else in English, else in the language of the first."""
        wanted = self.span(lang).lang
        return tuple(span for span in self.evidence if span.lang == wanted)

    def said(self, lang: str) -> str:
        """The claim in a language: our words where there are any, else the quotation."""
        words = dict(self.words)
        return words.get(lang) or words.get("en") or self.span(lang).quote

    def note(self, which: str, lang: str) -> str:
        """Outcome, conditions or caveat in a language, else in English; "" where not stated."""
        found = {code: text for name, code, text in self.notes if name == which}
        return found.get(lang) or found.get("en") or next(iter(found.values()), "")


class Statements:
    """The statements of every case of a library, read off the claims once and kept."""

    def __init__(self, cases: Mapping[str, Case]) -> None:
        self._cases = cases
        self._kept: dict[str, tuple[Statement, ...]] = {}
        self._mentions: Mentions | None = None

    def of(self, case_id: str) -> tuple[Statement, ...]:
        """The claims of a case in order."""
        if case_id not in self._kept:
            case = self._cases[case_id].resolved()
            self._kept[case_id] = tuple(_statement(case, i, c) for i, c in case.claim_ids())
        return self._kept[case_id]

    def some(
        self, case_id: str, kind: ClaimKind, *statuses: Status, roles: Iterable[str] = ()
    ) -> Iterator[Statement]:
        """The claims of a kind with one of the statuses (any where none is given) and roles."""
        wanted = set(roles)
        for statement in self.of(case_id):
            if statement.kind != kind or (statuses and statement.status not in statuses):
                continue
            if not wanted or statement.role in wanted:
                yield statement

    def terms(self, case_id: str, kind: ClaimKind) -> dict[str, Statement]:
        """The terms of a kind that a case confirms, each with the first claim that says so."""
        found: dict[str, Statement] = {}
        for statement in self.some(case_id, kind, Status.CONFIRMED):
            for term in statement.terms:
                found.setdefault(term, statement)
        return found

    def title(self, case_id: str, lang: str) -> Statement:
        """The title of a case as a statement, every language of it quoted."""
        case = self._cases[case_id]
        languages = sorted(
            case.title.languages, key=lambda code: (code != lang, code != "en", code)
        )
        spans = tuple(
            Span(field=TITLE, lang=code, quote=text, start=0, end=len(text))
            for code in languages
            if (text := case.title.text(code))
        )
        return Statement(case_id, f"{case_id}#{TITLE}", TITLE, (), None, None, None, (), spans)

    def names(self, vocabulary: Vocabulary, case_id: str, term: str) -> bool:
        """Whether the words of a case name a term, whatever its claims list; looked for loosely.

        `vocabulary`: of the library, the same each time.
        """
        self._mentions = self._mentions or Mentions(vocabulary)
        return self._mentions.speaks(self._cases[case_id], term)

    def is_incident(self, case_id: str) -> bool:
        """Whether a case is one event; only such cases are counted."""
        return self._cases[case_id].kind is CaseKind.INCIDENT


def _statement(case: Case, claim_id: str, claim: Claim) -> Statement:
    return Statement(
        case_id=case.id,
        claim_id=claim_id,
        kind=str(claim.kind),
        terms=claim.terms,
        status=claim.status,
        role=claim.role and str(claim.role),
        value=claim.value,
        words=_items(claim.statement),
        evidence=claim.evidence,
        addresses=claim.addresses,
        result=claim.result and str(claim.result),
        notes=tuple((n, lang, text) for n in NOTES for lang, text in _items(getattr(claim, n))),
        amounts=tuple(_amounts(case, claim)),
    )


def _items(text: Text | None) -> tuple[tuple[str, str], ...]:
    return tuple(text.items()) if text else ()


def _amounts(case: Case, claim: Claim) -> Iterator[tuple[float, str]]:
    figures = case.figures_by_id()
    for name in claim.figures:
        figure = figures[name]
        for number in (figure.value, figure.min, figure.max):
            if number is not None:
                yield number, figure.unit
