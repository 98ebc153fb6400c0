"""The vocabulary as SKOS: one concept scheme a list, one concept a term."""

from __future__ import annotations

from collections.abc import Iterator

from kg.export.rdf.triples import Lit, Triple, boolean, in_order, integer, texts
from kg.model import Scheme, Term, TermRelation
from kg.readers.rdf_names import (
    ALT,
    BROADER,
    DEFINITION,
    IN_SCHEME,
    MATCH_OF,
    NOTATION,
    PREF,
    SKOS,
    SKOSXL,
    TYPE,
    XL_ALT,
    XL_FORM,
    camel,
    scheme_iri,
    term_iri,
    word,
)
from kg.vocab import Vocabulary


def vocabulary_triples(vocabulary: Vocabulary, base: str) -> Iterator[Triple]:
    """Every scheme and term of a vocabulary."""
    for scheme in vocabulary.schemes.values():
        yield from _scheme(scheme, base)
        for term in scheme.terms:
            yield from _term(term, base)


def _scheme(scheme: Scheme, base: str) -> Iterator[Triple]:
    iri = scheme_iri(base, scheme.scheme)
    yield iri, TYPE, f"{SKOS}ConceptScheme"
    yield iri, NOTATION, Lit(scheme.scheme)
    yield from texts(iri, PREF, scheme.label)
    yield from texts(iri, DEFINITION, scheme.definition)
    for term in scheme.terms:
        if not term.broader:
            yield iri, f"{SKOS}hasTopConcept", term_iri(base, term.id)


def _term(term: Term, base: str) -> Iterator[Triple]:
    iri = term_iri(base, term.id)
    yield iri, TYPE, f"{SKOS}Concept"
    yield iri, NOTATION, Lit(term.id)
    yield iri, IN_SCHEME, scheme_iri(base, term.scheme)
    yield from texts(iri, PREF, term.label)
    yield from texts(iri, DEFINITION, term.definition)
    if term.type is not None:
        yield iri, word("termType"), Lit(term.type)
    if term.unnamed:
        yield iri, word("unnamed"), boolean(True)
    for name, match in term.matches():
        yield iri, MATCH_OF[name], match
    yield from _aliases(term, iri)
    yield from _relations(term, iri, base)


def _aliases(term: Term, iri: str) -> Iterator[Triple]:
    """Each alias twice: plainly, and with its place among those of its language."""
    for lang, names in sorted(term.aliases.items()):
        for position, name in enumerate(names, 1):
            label = f"{iri}/alias/{lang}/{position}"
            yield iri, ALT, Lit(name, lang)
            yield iri, XL_ALT, label
            yield label, TYPE, f"{SKOSXL}Label"
            yield label, XL_FORM, Lit(name, lang)
            yield label, word("position"), integer(position)
        if not names:  # an empty list is kept apart from none
            yield iri, word("noAliasIn"), Lit(lang)


def _relations(term: Term, iri: str, base: str) -> Iterator[Triple]:
    for above in term.broader:
        yield iri, BROADER, term_iri(base, above)
        yield term_iri(base, above), f"{SKOS}narrower", iri
    yield from in_order(iri, "broader", term.broader)
    for relation in TermRelation:
        for other in term.related(relation):
            yield iri, word(camel(relation)), term_iri(base, other)
        yield from in_order(iri, relation, term.related(relation))
