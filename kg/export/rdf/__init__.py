"""Linked data: a library as RDF, in files and as an rdflib graph, and questions in SPARQL."""

from kg.export.rdf.check import RdfCheck, ShapeFault, check_graph
from kg.export.rdf.graph import DOCUMENTS, as_dataset, as_graph, document, rdf_parts
from kg.export.rdf.sparql import Asked, ask_graph
from kg.export.rdf.write import ENDINGS, FORMATS, prefixes, rdf_text, write_rdf

__all__ = [
    "DOCUMENTS",
    "ENDINGS",
    "FORMATS",
    "Asked",
    "RdfCheck",
    "ShapeFault",
    "as_dataset",
    "as_graph",
    "ask_graph",
    "check_graph",
    "document",
    "prefixes",
    "rdf_parts",
    "rdf_text",
    "write_rdf",
]
