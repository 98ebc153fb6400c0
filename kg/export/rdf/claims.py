"""Claims, figures and their evidence as triples.

A claim is a thing of its own with its status. Only a confirmed one is also said plainly of its
case (`kg:causedBy` and the like), so that nothing suspected or ruled out is ever read as a fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.export.rdf.triples import Lit, Triple, boolean, in_order, integer, number, texts
from kg.graph.schema import relation_of
from kg.model import Case, Claim, ClaimKind, Figure, Role, Span, Status
from kg.readers.rdf_names import (
    CLASS_OF_CLAIM,
    END,
    EXACT,
    IDENTIFIER,
    LABEL,
    LANGUAGE,
    QUOTED_FROM,
    START,
    TYPE,
    camel,
    choice,
    term_iri,
    word,
)

_TEXTS = ("statement", "outcome", "conditions", "caveat")

_NOT_PLAIN = frozenset({Role.MISSED, Role.CHECK_ITEM})
"""Roles in which a tool detected nothing: the plain `kg:detectedWith` would not be true."""


def claim_triples(case: Case, iri: str, base: str) -> Iterator[Triple]:
    """The claims of a case, and what the confirmed ones say plainly."""
    for position, (claim_id, claim) in enumerate(case.claim_ids(), 1):
        node = f"{iri}/claim/{claim_id.partition('#')[2]}"
        yield iri, word("claim"), node
        yield node, TYPE, word("Claim")
        yield node, TYPE, CLASS_OF_CLAIM[claim.kind]
        yield node, IDENTIFIER, Lit(claim_id)
        yield node, word("position"), integer(position)
        yield from _said(claim, node, iri, base)
        yield from _evidence(case, claim.evidence, node, iri)
        yield from _plain(claim, iri, base)


def _said(claim: Claim, node: str, iri: str, base: str) -> Iterator[Triple]:
    yield node, word("status"), choice("status", claim.status)
    if claim.role is not None:
        yield node, word("role"), choice("role", claim.role)
    if claim.result is not None:
        yield node, word("result"), choice("result", claim.result)
    if claim.made is not None:
        yield node, word("madeBy"), choice("made", claim.made.by)
        yield node, word("confidence"), number(claim.made.confidence)
        yield node, word("reviewed"), boolean(claim.made.reviewed)
    if claim.value is not None:
        yield node, word("settingValue"), Lit(claim.value)
    for name in _TEXTS:
        yield from texts(node, word(name), getattr(claim, name))
    for name, ids in (("term", claim.terms), ("addresses", claim.addresses)):
        for term in ids:
            yield node, word(name), term_iri(base, term)
        yield from in_order(node, name, ids)
    for figure in claim.figures:
        yield node, word("figure"), _figure_iri(iri, figure)
    yield from in_order(node, "figure", claim.figures)


def _plain(claim: Claim, iri: str, base: str) -> Iterator[Triple]:
    if claim.status is not Status.CONFIRMED:
        return
    relations = [camel(relation_of(claim.kind, claim.role))]
    if claim.role in _NOT_PLAIN:
        relations = ["missedBy"] if claim.role is Role.MISSED else []
    if claim.kind is ClaimKind.CAUSE and claim.role is Role.PRIMARY:
        relations.append("rootCause")
    if claim.role is Role.OWNER:
        relations.append("ownedBy")
    for relation in relations:
        for term in claim.terms:
            yield iri, word(relation), term_iri(base, term)


def figure_triples(case: Case, iri: str) -> Iterator[Triple]:
    """The figures of a case."""
    for position, figure in enumerate(case.figures, 1):
        node = _figure_iri(iri, figure.id)
        yield iri, word("figure"), node
        yield node, TYPE, word("Figure")
        yield node, IDENTIFIER, Lit(figure.id)
        yield node, word("position"), integer(position)
        yield node, word("unit"), Lit(figure.unit)
        yield node, word("approximate"), boolean(figure.approx)
        yield from texts(node, LABEL, figure.label)
        yield from texts(node, word("ofWhat"), figure.of)
        yield from _numbers(figure, node)
        yield from _evidence(case, figure.evidence, node, iri)


def _numbers(figure: Figure, node: str) -> Iterator[Triple]:
    named = {"value": figure.value, "minimum": figure.min, "maximum": figure.max}
    for name, value in named.items():
        if value is not None:
            yield node, word(name), number(value)


def _figure_iri(iri: str, figure_id: str) -> str:
    return f"{iri}/figure/{figure_id}"


def _evidence(case: Case, spans: Sequence[Span], node: str, iri: str) -> Iterator[Triple]:
    for position, span in enumerate(spans, 1):
        start, end = case.locate(span)
        place = f"{node}/evidence/{position}"
        yield node, word("evidence"), place
        yield place, TYPE, word("Evidence")
        yield place, word("position"), integer(position)
        yield place, QUOTED_FROM, f"{iri}/text/{span.field}/{span.lang}"
        yield place, word("field"), choice("field", span.field)
        yield place, LANGUAGE, Lit(span.lang)
        yield place, EXACT, Lit(span.quote, span.lang)
        yield place, START, integer(start)
        yield place, END, integer(end)
        # A record may leave its place out; what it did give is kept, so that it comes back equal.
        for name in ("start", "end"):
            if getattr(span, name) is not None:
                yield place, word("placeGiven"), Lit(name)
