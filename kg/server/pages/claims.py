"""Claims as pages show them: terms, status, words, and the places that they rest on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kg.model import Case, Claim, Span, Status
from kg.rca.phrases import outcome_word
from kg.rca.statements import Statements
from kg.server.pages.marking import Quotation, quotation
from kg.server.pages.names import Names, TermName

NOTES = ("outcome", "conditions", "caveat")


@dataclass(frozen=True)
class EvidenceView:
    """A quotation, and the id of the place in a text of the same page, if it is shown there."""

    quotation: Quotation
    place: str | None


@dataclass(frozen=True)
class ClaimView:
    """One claim of a case.

    Attributes:
        anchor: its id on the page, `claim-symptom-1`.
        role: of a confirmed claim; what is ruled out has no part in the case.
        statement: it in words; "" where the evidence speaks for itself.
        result: what came of a mitigation, in words; "" where nothing is told of it.
        notes: outcome, conditions and caveat, as (word, text).
        addresses: the causes that a mitigation acts on.
        made: how a program came to the claim and how sure it was; "" where a person wrote it.
        in_review: whether nobody has judged that yet.
    """

    anchor: str
    kind: str
    terms: tuple[TermName, ...]
    status: str
    role: str | None
    value: str | None
    statement: str
    result: str
    notes: tuple[tuple[str, str], ...]
    addresses: tuple[TermName, ...]
    made: str
    in_review: bool
    evidence: tuple[EvidenceView, ...]


def place_id(field: str, lang: str, start: int, end: int) -> str:
    """The id of a place in a text of a page."""
    return f"at-{field}-{lang}-{start}-{end}"


def claim_views(
    case: Case, kind: str, names: Names, shown: frozenset[tuple[str, str]]
) -> tuple[ClaimView, ...]:
    """The claims of a kind in order; `shown` are the fields and languages on the page, marked."""
    told = Statements({case.id: case}).of(case.id)
    return tuple(
        ClaimView(
            anchor=f"claim-{claim_id.partition('#')[2]}",
            kind=kind,
            terms=names.terms(claim.terms),
            status=str(claim.status),
            role=str(claim.role) if claim.role and claim.status is Status.CONFIRMED else None,
            value=claim.value,
            statement=claim.statement.best(names.lang) if claim.statement else "",
            result=outcome_word(statement, names.lang),
            notes=tuple(_notes(claim, names)),
            addresses=names.terms(claim.addresses),
            made=_made(claim, names),
            in_review=claim.in_review,
            evidence=tuple(_evidence(case, claim, names.lang, shown)),
        )
        for (claim_id, claim), statement in zip(case.claim_ids(), told, strict=True)
        if claim.kind == kind
    )


def _notes(claim: Claim, names: Names) -> Iterator[tuple[str, str]]:
    for note in NOTES:
        text = getattr(claim, note)
        if text is not None:
            yield names.word(f"note.{note}"), text.best(names.lang)


def _made(claim: Claim, names: Names) -> str:
    if claim.made is None:
        return ""
    how = names.word(f"made.{claim.made.by}")
    told = names.word("made", how, f"{100 * claim.made.confidence:.0f}")
    return told if claim.in_review else f"{told}, {names.word('made.reviewed')}"


def _evidence(
    case: Case, claim: Claim, lang: str, shown: frozenset[tuple[str, str]]
) -> Iterator[EvidenceView]:
    """The quotations in the language of the page; all of them where it has none."""
    mine = [s for s in claim.evidence if s.lang == lang]
    for span in mine or claim.evidence:
        yield EvidenceView(
            quoted(case, span),
            place_id(span.field, span.lang, span.start or 0, span.end or 0)
            if (span.field, span.lang) in shown
            else None,
        )


def quoted(case: Case, span: Span) -> Quotation:
    """A span of a case with what stands around it."""
    start, end = case.locate(span)
    return quotation(case.text(span.field, span.lang), start, end, span.field, span.lang)
