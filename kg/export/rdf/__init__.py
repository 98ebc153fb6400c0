"""Linked data: a library as RDF, in files and as an rdflib graph, and questions in SPARQL."""

from kg.export.rdf.graph import DOCUMENTS, as_dataset, as_graph, document, rdf_parts
from kg.export.rdf.sparql import ask_graph
from kg.export.rdf.write import FORMATS, prefixes, rdf_text

__all__ = [
    "DOCUMENTS",
    "FORMATS",
    "as_dataset",
    "as_graph",
    "ask_graph",
    "document",
    "prefixes",
    "rdf_parts",
    "rdf_text",
]
