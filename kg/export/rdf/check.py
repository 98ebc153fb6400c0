"""A graph held against our SHACL shapes: what is wrong, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from kg.errors import MissingExtra
from kg.export.rdf.graph import document
from kg.readers.rdf_names import word

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.query import Result
    from rdflib.term import Node

_SH = "http://www.w3.org/ns/shacl#"


@dataclass(frozen=True, order=True)
class ShapeFault:
    """One thing that the shapes do not allow.

    Attributes:
        node: the IRI of the thing that is wrong; of a quotation that does not stand in its text,
            the span.
        path: the property that is wrong, where the fault is about one; else empty.
        value: the value that is wrong, as text; empty where something is missing.
        message: what is wrong, in the language that was asked for where the shape has it.
    """

    node: str
    path: str
    value: str
    message: str

    def __str__(self) -> str:
        place = " ".join(p for p in (self.node, self.path and f"<{self.path}>") if p)
        shown = f" ({self.value})" if self.value and self.value != self.node else ""
        return f"{place}: {self.message}{shown}"


@dataclass(frozen=True)
class RdfCheck:
    """What a check found.

    Attributes:
        cases: how many cases the graph holds.
        triples: how many triples were looked at, without the ontology.
        faults: everything that the shapes do not allow, sorted; none when the graph conforms.
    """

    cases: int
    triples: int
    faults: tuple[ShapeFault, ...]

    @property
    def conforms(self) -> bool:
        """Whether the shapes allow all of it."""
        return not self.faults


def check_graph(graph: Graph, lang: str = "en") -> RdfCheck:
    """Hold a graph against the shapes that ship with the library, our ontology beside it.

    The graph is not changed. It takes about a tenth of a second a case, and a second for the
    vocabulary.

    Args:
        graph: vocabulary and cases together, as `to_rdf` gives them or a file holds them.
        lang: the language of the messages, `en` or `ko`.

    Raises:
        MissingExtra: pyshacl is not installed.
    """
    try:
        import pyshacl
    except ImportError as error:
        raise MissingExtra("pyshacl", "rdf") from error
    import rdflib

    both = _asked()
    both += graph
    for triple in _documents()[0]:
        both.add(triple)
    _, report, text = pyshacl.validate(both, shacl_graph=_documents()[1])
    if not isinstance(report, rdflib.Graph):  # pyshacl hands over what stopped it
        raise ValueError(f"pyshacl could not check the graph: {text}")
    case = rdflib.URIRef(word("Case"))
    cases = sum(1 for _ in graph.subjects(rdflib.RDF.type, case, unique=True))
    return RdfCheck(cases, len(graph), tuple(sorted(set(_faults(report, both, lang)))))


@cache
def _documents() -> tuple[Graph, Graph]:
    """Ontology and shapes."""
    from rdflib import Graph

    names = ("ontology", "shapes")
    ontology, shapes = (Graph().parse(data=document(n), format="turtle") for n in names)
    return ontology, shapes


@cache
def _messages() -> dict[str, dict[str, str]]:
    """The messages of a shape by language, under each of them: pyshacl reports any one."""
    from rdflib import Literal, URIRef

    found: dict[str, dict[str, str]] = {}
    shapes, message = _documents()[1], URIRef(f"{_SH}message")
    for shape in set(shapes.subjects(message)):
        told = [m for m in shapes.objects(shape, message) if isinstance(m, Literal)]
        found |= {str(one): {m.language or "": str(m) for m in told} for one in told}
    return found


def _asked() -> Graph:
    """An empty graph that reads each question once: pyshacl puts the same ones to every case."""
    from rdflib import Graph
    from rdflib.plugins.sparql import prepareQuery

    class Asked(Graph):
        prepare = staticmethod(cache(prepareQuery))

        def query(self, query_object: Any, *args: Any, **kwargs: Any) -> Result:
            if isinstance(query_object, str):
                query_object = self.prepare(query_object)
            return super().query(query_object, *args, **kwargs)

    return Asked(bind_namespaces="none")


def _faults(report: Graph, graph: Graph, lang: str) -> Iterator[ShapeFault]:
    from rdflib import RDF, URIRef

    def sh(name: str) -> URIRef:
        return URIRef(_SH + name)

    evidence = URIRef(word("Evidence"))
    for result in report.objects(None, sh("result")):
        focus, path, value = (report.value(result, sh(n)) for n in _ABOUT)
        told = min(map(str, report.objects(result, sh("resultMessage"))), default="")
        message = _messages().get(told, {}).get(lang, told)
        # Quotations are looked at case by case; what is wrong is the span.
        is_span = path is None and (value, RDF.type, evidence) in graph
        named = path if isinstance(path, URIRef) else None  # several steps have no name
        yield ShapeFault(_text(value if is_span else focus), _text(named), _text(value), message)


_ABOUT = ("focusNode", "resultPath", "value")


def _text(node: Node | None) -> str:
    return "" if node is None else str(node)
