"""A library as triples in named graphs, and as an rdflib graph or dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from kg.export.rdf.cases import case_triples
from kg.export.rdf.decisions import decision_triples
from kg.export.rdf.history import history_triples
from kg.export.rdf.schemes import vocabulary_triples
from kg.export.rdf.triples import Lit, Triple
from kg.export.rdf.write import Parts, prefixes
from kg.model import Case
from kg.readers.decisions import NO_DECISIONS, Decisions
from kg.vocab import Vocabulary

if TYPE_CHECKING:
    from rdflib import Dataset, Graph
    from rdflib.term import Node

DOCUMENTS = {
    "ontology": "ontology.ttl",
    "shapes": "shapes.ttl",
    "context": "context.jsonld",
}
"""What ships beside the data: our classes and properties, the SHACL shapes, the JSON-LD context."""


def document(name: str) -> str:
    """The text of one of `DOCUMENTS`.

    Raises:
        KeyError: there is none of that name.
    """
    return resources.files("kg.export.rdf").joinpath(DOCUMENTS[name]).read_text(encoding="utf-8")


def rdf_parts(
    cases: Iterable[Case],
    vocabulary: Vocabulary,
    base: str,
    decisions: Decisions = NO_DECISIONS,
) -> Parts:
    """One graph for the vocabulary and one for each case, sorted by name, whatever their order.

    What was decided about cases, and how they came to be, is in one graph more where there is any.

    Args:
        cases: the cases, each once.
        vocabulary: the terms; all of them are told, whether a case names them or not, and their
            history.
        base: what addresses begin with, from `checked_base`.
        decisions: reviews of claims, histories of cases, and pairs that were told apart.
    """
    words = (*vocabulary_triples(vocabulary, base), *history_triples(vocabulary, base))
    parts = [(f"{base}graph/vocabulary", _once(words))]
    parts += [(f"{base}graph/case/{case.id}", _once(case_triples(case, base))) for case in cases]
    if told := _once(decision_triples(decisions, base)):
        parts.append((f"{base}graph/decisions", told))
    return sorted(parts, key=lambda part: part[0])


def _once(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    """Each triple once: two claims of a case may say the same of it."""
    return tuple(dict.fromkeys(triples))


def as_graph(parts: Parts, base: str) -> Graph:
    """All triples in one rdflib graph, with the prefixes bound."""
    from rdflib import Graph

    graph, node = Graph(bind_namespaces="none"), _maker()
    graph.addN((node(s), node(p), node(o), graph) for _, said in parts for s, p, o in said)
    return _bound(graph, base)


def as_dataset(parts: Parts, base: str) -> Dataset:
    """The same as a dataset that keeps the named graphs apart."""
    from rdflib import Dataset, URIRef

    dataset, node = Dataset(), _maker()
    for name, said in parts:
        graph = dataset.graph(URIRef(name))
        graph.addN((node(s), node(p), node(o), graph) for s, p, o in said)
    _bound(dataset, base)
    return dataset


def _bound(graph: Graph, base: str) -> Graph:
    for prefix, namespace in sorted(prefixes(base).items()):
        graph.bind(prefix, namespace, override=True)
    return graph


def _maker() -> Callable[[str | Lit], Node]:
    """Makes rdflib terms, each IRI once."""
    from rdflib import Literal, URIRef

    iri = cache(URIRef)

    def node(given: str | Lit) -> Node:
        if not isinstance(given, Lit):
            return iri(given)
        datatype = iri(given.datatype) if given.datatype else None
        # Not normalised: the text stays as it was written.
        return Literal(given.text, given.lang or None, datatype, normalize=False)

    return node
