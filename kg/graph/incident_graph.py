"""The typed graph of a library: a thin layer over `networkx.MultiDiGraph`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kg.graph.arrays import CONFIRMED, STANDING, GraphArrays
from kg.graph.combinations import Combinations
from kg.graph.compact import CaseTerms
from kg.graph.edges import Edge, all_edges, case_node, source_node
from kg.graph.schema import Relation, kind_of
from kg.model import Case, Status
from kg.vocab import Vocabulary

if TYPE_CHECKING:
    import networkx


class IncidentGraph:
    """Cases, terms and sources with typed edges, each edge with its status and evidence.

    Args:
        cases: the cases of the library.
        vocabulary: its terms; every term of the cases must be in it.

    Attributes:
        edges: all edges in a fixed order.
    """

    def __init__(self, cases: Iterable[Case], vocabulary: Vocabulary) -> None:
        self._cases = {c.id: c for c in sorted(cases, key=lambda c: c.id)}
        self._vocabulary = vocabulary
        self.edges: tuple[Edge, ...] = tuple(all_edges(self._cases.values(), vocabulary))

    @cached_property
    def terms(self) -> CaseTerms:
        """What makes cases alike: the case × term matrix, widened up the hierarchy."""
        return CaseTerms.from_arrays(self.arrays, self._vocabulary)

    @cached_property
    def arrays(self) -> GraphArrays:
        """The edges of the cases as integer arrays, behind every fast question."""
        return GraphArrays.from_edges(self._cases, self._stated)

    @cached_property
    def nx(self) -> networkx.MultiDiGraph[str]:
        """The whole graph as a real networkx graph, built on first use.

        Nodes carry `kind` and `label`; edges carry `relation`, `status`, `role`, `value`,
        `result`, `statement` (by language), `evidence` (dicts of field, lang, start, end, quote),
        `case_id`, `claim_id` and `derived`. The key of an edge is its relation and claim, so
        that two claims of a case about one term stay two edges and loading twice adds nothing.
        """
        import networkx

        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(name="incident-kg")
        for node, data in self.nodes():
            graph.add_node(node, **data)
        for edge in self.edges:
            graph.add_edge(edge.source, edge.target, key=edge.key, **edge_attributes(edge))
        return graph

    def edges_of(self, case_id: str, relation: Relation | None = None) -> list[Edge]:
        """The edges that leave a case, in order of its claims."""
        edges = (self._stated[i] for i in self.arrays.edges_of(case_id))
        return [e for e in edges if relation in (None, e.relation)]

    def cases_of(
        self,
        term_id: str,
        *,
        narrower: bool = False,
        status: Status | None = None,
        relations: Collection[Relation] | None = None,
    ) -> list[str]:
        """Sorted ids of the cases with an edge to a term.

        Args:
            term_id: any node that is not a case; of a term, an old id serves as well.
            narrower: also count edges to narrower terms.
            status: only edges of this status; None takes confirmed and suspected ones.
            relations: only these relations; None takes all.
        """
        here = self._vocabulary.current(term_id)
        wanted = self._vocabulary.narrower_all(here) if narrower else {here}
        statuses = STANDING if status is None else {status}
        return self.arrays.cases_of(wanted, statuses, relations)

    def cooccurrence(
        self,
        *kinds: str,
        statuses: Collection[Status] = CONFIRMED,
        cases: Collection[str] | None = None,
        minimum: int = 1,
    ) -> Combinations:
        """In how many cases terms of these kinds stand together, narrower terms counted as well.

        See `GraphArrays.cooccurrence`; a term may stand beside one above it.

        Raises:
            BadQuery: no kind, or none of that name; or minimum is below 1.
            CaseNotFound: there is no such case.
        """
        return self.arrays.cooccurrence(
            *kinds, statuses=statuses, cases=cases, vocabulary=self._vocabulary, minimum=minimum
        )

    def edges_to(self, term_id: str) -> list[Edge]:
        """The edges from cases to a term, whatever their status."""
        here = self._vocabulary.current(term_id)
        return [self._stated[i] for i in self.arrays.edges_to(here)]

    @cached_property
    def _stated(self) -> tuple[Edge, ...]:
        """The edges that leave a case, in the order of the arrays."""
        return tuple(e for e in self.edges if e.source == case_node(e.case_id))

    def nodes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The nodes with what they carry in `nx`: cases, terms and sources, each sorted by id."""
        for case in self._cases.values():
            yield (
                case_node(case.id),
                {
                    "kind": "case",
                    "label": case.name(),
                    "label_ko": case.name("ko"),
                    "case_kind": str(case.kind),
                },
            )
        for term in self._vocabulary.terms.values():
            yield (
                term.id,
                {
                    "kind": kind_of(term.id),
                    "label": term.label.best(),
                    "label_ko": term.label.best("ko"),
                    "type": term.type or "",
                },
            )
        sources = {s.locator: s for c in self._cases.values() for s in c.sources or ()}
        for locator, source in sorted(sources.items()):
            yield (
                source_node(locator),
                {
                    "kind": "source",
                    "label": source.title,
                    "label_ko": source.title,
                    "type": str(source.kind),
                },
            )


def edge_attributes(edge: Edge) -> dict[str, Any]:
    """What an edge carries in `IncidentGraph.nx`."""
    return {
        "relation": str(edge.relation),
        "status": str(edge.status),
        "role": edge.role and str(edge.role),
        "value": edge.value,
        "result": edge.result and str(edge.result),
        "statement": dict(edge.statement),
        "evidence": tuple(s.model_dump() for s in edge.evidence),
        "case_id": edge.case_id,
        "claim_id": edge.claim_id,
        "derived": edge.derived,
    }
