"""A case as triples: texts, dates, durations, sources, what it states and what it does not."""

from __future__ import annotations

from collections.abc import Iterator

from kg.export.rdf.claims import claim_triples, figure_triples
from kg.export.rdf.triples import Lit, Triple, boolean, in_order, integer, items, number
from kg.model import Case, DateKind, Duration, FieldState, Origin, Source, When
from kg.model.values import Precision
from kg.readers.rdf_names import (
    DCTERMS,
    IDENTIFIER,
    LANGUAGE,
    REFERENCES,
    SOURCE,
    TRISTATE,
    TYPE,
    VALUE,
    XSD,
    camel,
    case_iri,
    choice,
    word,
)

_DATATYPE = {Precision.YEAR: "gYear", Precision.MONTH: "gYearMonth"}
_STATES = {FieldState.NONE: "noneStated", FieldState.NOT_STATED: "notStated"}


def case_triples(case: Case, base: str) -> Iterator[Triple]:
    """Everything that one case says."""
    iri = case_iri(base, case.id)
    yield iri, TYPE, word("Case")
    yield iri, TYPE, word(case.kind.capitalize())
    yield iri, IDENTIFIER, Lit(case.id)
    yield iri, word("domain"), Lit(case.domain)
    if case.severity is not None:
        yield iri, word("severity"), Lit(case.severity)
    for lang in case.title.languages:
        yield iri, f"{DCTERMS}title", Lit(case.title.text(lang), lang)
    for field in TRISTATE:
        if (state := case.field_state(field)) in _STATES:
            yield iri, word(_STATES[state]), choice("field", field)
    yield from _texts(case, iri)
    yield from _dates(case, iri)
    for name in ("time_to_detect", "time_to_recover"):
        yield from _duration(getattr(case, name), iri, name)
    yield from items(iri, word("region"), "region", case.regions or ())
    yield from items(iri, word("service"), "service", case.services or ())
    yield from items(iri, word("sourceLabel"), "source-label", case.labels or ())
    yield from items(iri, word("arithmetic"), "arithmetic", case.arithmetic)
    yield from _sources(case, iri)
    yield from _beside(case, iri, base)
    yield from _origin(case.origin, iri)
    yield from claim_triples(case, iri, base)
    yield from figure_triples(case, iri)


def _texts(case: Case, iri: str) -> Iterator[Triple]:
    for field, lang, text in case.texts():
        node = f"{iri}/text/{field}/{lang}"
        yield iri, word("text"), node
        yield node, TYPE, word("StoredText")
        yield node, word("field"), choice("field", field)
        yield node, LANGUAGE, Lit(lang)
        yield node, VALUE, Lit(text, lang)


def _dates(case: Case, iri: str) -> Iterator[Triple]:
    for position, when in enumerate(case.dates, 1):
        node = f"{iri}/date/{position}"
        yield iri, word("date"), node
        yield node, TYPE, word("Date")
        yield node, word("position"), integer(position)
        yield node, word("dateKind"), choice("date", when.kind)
        yield node, word("at"), Lit(when.at)
        yield node, word("precision"), choice("precision", when.precision)
        yield node, word("approximate"), boolean(when.approx)
        yield node, word("earliest"), _day(when)
    if published := case.when(DateKind.PUBLISHED):
        yield iri, f"{DCTERMS}issued", _as_known(published)


def _day(when: When) -> Lit:
    return Lit(when.earliest().isoformat(), datatype=f"{XSD}date")


def _as_known(when: When) -> Lit:
    """A time no finer than it is known; of a clock time, its day."""
    if datatype := _DATATYPE.get(when.precision):
        return Lit(when.at, datatype=XSD + datatype)
    return _day(when)


def _duration(duration: Duration | None, iri: str, name: str) -> Iterator[Triple]:
    if duration is None:
        return
    node = f"{iri}/{name.replace('_', '-')}"
    yield iri, word(camel(name)), node
    yield node, TYPE, word("Duration")
    yield node, word("seconds"), number(duration.seconds)
    yield node, word("approximate"), boolean(duration.approx)
    if duration.text is not None:
        yield node, word("asWritten"), Lit(duration.text)


def _sources(case: Case, iri: str) -> Iterator[Triple]:
    groups = ((SOURCE, "source", case.sources), (REFERENCES, "reference", case.references))
    for predicate, path, sources in groups:
        for position, source in enumerate(sources or (), 1):
            node = f"{iri}/{path}/{position}"
            yield iri, predicate, node
            yield node, word("position"), integer(position)
            yield from _source(source, node)


def _source(source: Source, node: str) -> Iterator[Triple]:
    yield node, TYPE, word("Source")
    yield node, word("sourceKind"), choice("source", source.kind)
    yield node, f"{DCTERMS}title", Lit(source.title)
    yield node, word("locator"), Lit(source.locator)  # a text: it may hold anything
    yield node, word("archived"), boolean(source.archived)


def _beside(case: Case, iri: str, base: str) -> Iterator[Triple]:
    """Curated links to other cases, which may lie outside the library, and addresses."""
    for other in case.related or ():
        yield iri, word("relatedTo"), case_iri(base, other)
    yield from in_order(iri, "related", case.related or ())
    for position, link in enumerate(case.links, 1):
        node = f"{iri}/link/{position}"
        yield iri, word("link"), node
        yield node, TYPE, word("Link")
        yield node, word("position"), integer(position)
        yield node, word("relation"), Lit(link.rel)
        yield node, word("href"), Lit(link.href)


def _origin(origin: Origin | None, iri: str) -> Iterator[Triple]:
    if origin is None:
        return
    node = f"{iri}/origin"
    yield iri, word("origin"), node
    yield node, TYPE, word("Origin")
    named = {
        word("format"): origin.format,
        word("system"): origin.system,
        IDENTIFIER: origin.identifier,
        word("fileName"): origin.file,
        word("digest"): origin.digest,
        word("updated"): origin.updated,
    }
    for predicate, value in named.items():
        if value is not None:
            yield node, predicate, Lit(value)
    for name in origin.duplicates:
        yield node, word("duplicate"), Lit(name)
