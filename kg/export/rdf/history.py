"""The history of a vocabulary: its changes as PROV activities, old ids as deprecated concepts."""

from __future__ import annotations

from collections.abc import Iterator

from kg.export.rdf.activities import activity
from kg.export.rdf.triples import Lit, Triple, boolean, integer, texts
from kg.export.records import change_line
from kg.model import Change, Term
from kg.readers.rdf_names import (
    CHANGE_NOTE,
    DEFINITION,
    DEPRECATED,
    IN_SCHEME,
    NOTATION,
    PREF,
    REPLACED_BY,
    REPLACES,
    SKOS,
    TYPE,
    case_iri,
    choice,
    scheme_iri,
    term_iri,
    word,
)
from kg.vocab import Vocabulary
from kg.vocab.history import retired_in


def history_triples(vocabulary: Vocabulary, base: str) -> Iterator[Triple]:
    """Every change of a vocabulary, and every old id with the term that stands for it now."""
    for number, change in enumerate(vocabulary.history, 1):
        iri = f"{base}change/{number}"
        yield from _change(change, number, iri, base)
        for term in (*change.old, *change.new):
            yield term_iri(base, vocabulary.current(term)), CHANGE_NOTE, iri
    for old, new in vocabulary.replaced.items():
        yield from _old(old, new, _as_it_was(vocabulary, old), base)


def _change(change: Change, number: int, iri: str, base: str) -> Iterator[Triple]:
    yield from activity(iri, "Change", change, change_line(change))
    yield iri, word("position"), integer(number)
    yield iri, word("operation"), choice("operation", change.operation)
    for name, ids in (("oldTerm", change.old), ("newTerm", change.new)):
        for term in ids:
            yield iri, word(name), term_iri(base, term)
    for claim in sorted({r.claim for r in change.retags}):
        case_id, _, name = claim.partition("#")
        yield iri, word("retagged"), f"{case_iri(base, case_id)}/claim/{name}"


def _as_it_was(vocabulary: Vocabulary, old: str) -> Term | None:
    """The term of an old id when it ended, where that is known."""
    change = vocabulary.history[retired_in(vocabulary.history, old) - 1]
    return next((t for t in change.before if t.id == old), None)


def _old(old: str, new: str, term: Term | None, base: str) -> Iterator[Triple]:
    iri, now = term_iri(base, old), term_iri(base, new)
    yield iri, NOTATION, Lit(old)
    yield iri, DEPRECATED, boolean(True)
    yield iri, REPLACED_BY, now
    yield now, REPLACES, iri
    if term is not None:
        yield iri, TYPE, f"{SKOS}Concept"
        yield iri, IN_SCHEME, scheme_iri(base, term.scheme)
        yield from texts(iri, PREF, term.label)
        yield from texts(iri, DEFINITION, term.definition)
