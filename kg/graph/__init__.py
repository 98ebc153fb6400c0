"""The typed incident graph: schema, edges, networkx view, and compact arrays."""

from kg.graph.arrays import GraphArrays
from kg.graph.combinations import Combinations
from kg.graph.compact import CaseTerms
from kg.graph.edges import Edge, all_edges, case_node, link_edges
from kg.graph.incident_graph import IncidentGraph
from kg.graph.schema import ALLOWED, NODE_KINDS, Relation, kind_of

__all__ = [
    "ALLOWED",
    "NODE_KINDS",
    "CaseTerms",
    "Combinations",
    "Edge",
    "GraphArrays",
    "IncidentGraph",
    "Relation",
    "all_edges",
    "case_node",
    "kind_of",
    "link_edges",
]
