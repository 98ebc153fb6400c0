"""The edges that leave the cases as integer arrays, by case and by node: the fast truth.

Every question about which case has which term runs on these arrays; `graph.nx` holds the same
edges for whoever wants networkx, and judges the arrays in the tests and in `benchmarks/graph.py`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from operator import lt

import numpy as np
from numpy.typing import NDArray

from kg.errors import BadQuery, CaseNotFound
from kg.graph.combinations import Combinations, Counting, Stated
from kg.graph.csr import Ints, distinct, grouped, offsets, picked
from kg.graph.edges import Edge
from kg.graph.postings import Ups, postings
from kg.graph.schema import ALLOWED, NODE_KINDS, Relation
from kg.model import Role, Status
from kg.vocab import Vocabulary

RELATIONS = tuple(Relation)
STATUSES = tuple(Status)
ROLES = (None, *Role)
CODES = len(RELATIONS) * len(STATUSES) * len(ROLES)
STANDING = frozenset({Status.CONFIRMED, Status.SUSPECTED})
"""What is not ruled out."""
CONFIRMED = frozenset({Status.CONFIRMED})


class GraphArrays:
    """Cases × nodes in both directions: CSR by case, CSC by node, one cell an edge.

    A node is whatever a case points at: terms, sources, other cases. Two claims of a case about
    one term are two cells. Edges between terms and derived ones are not in it.

    Attributes:
        cases, nodes: their ids, sorted; the codes below are places in them.
        starts: edges of case i are the cells starts[i] to starts[i + 1], (cases + 1,) int64.
        node: the node of each edge, (edges,) int32; edges of a case keep the given order.
        code: relation, status and role of each edge, (edges,) uint16, see `meaning`.
        node_starts, case_of, code_of: the same by node, cases ascending.
        edge_of: which edge each cell by node is, (edges,) int64.
    """

    def __init__(
        self, cases: tuple[str, ...], nodes: tuple[str, ...], case: Ints, node: Ints, code: Ints
    ) -> None:
        """Sorted ids, and edges sorted by case; see `from_columns`, which takes any order."""
        self.cases, self.nodes = cases, nodes
        self.starts = offsets(case, len(cases))
        self.node = node.astype(np.int32, copy=False)
        self.code = code.astype(np.uint16, copy=False)
        self.node_starts, self.edge_of = grouped(self.node, len(nodes))
        self.case_of = picked(case.astype(np.int32, copy=False), self.edge_of)
        self.code_of = picked(self.code, self.edge_of)

    @classmethod
    def from_columns(
        cls,
        cases: Iterable[str],
        nodes: Iterable[str],
        case: Ints,
        node: Ints,
        relation: Ints,
        status: Ints,
        role: Ints | None = None,
    ) -> GraphArrays:
        """The arrays from columns of a table, one row an edge, without a Python loop over edges.

        Args:
            cases: case ids without repeats, in any order.
            nodes: node ids, likewise.
            case: the case of each edge, as a place in `cases`, shape (edges,).
            node: its node, as a place in `nodes`, (edges,).
            relation: its relation, as a place in `RELATIONS`, (edges,).
            status: its status, as a place in `STATUSES`, (edges,).
            role: its role, as a place in `ROLES`, (edges,); none where not given.

        Raises:
            BadQuery: columns differ in length, a place is out of range, or an id stands twice.
        """
        case_ids, node_ids = tuple(cases), tuple(nodes)
        sizes = (len(case_ids), len(node_ids), len(RELATIONS), len(STATUSES), len(ROLES))
        columns = {"case": case, "node": node, "relation": relation, "status": status}
        _check(columns if role is None else {**columns, "role": role}, sizes)
        case_ids, case = _in_order("case", case_ids, case)
        node_ids, node = _in_order("node", node_ids, node)
        code = relation.astype(np.uint16) * len(STATUSES) + status.astype(np.uint16)
        code *= len(ROLES)
        if role is not None:
            code += role.astype(np.uint16)
        if (case[1:] < case[:-1]).any():
            _, order = grouped(case, len(case_ids))
            case, node, code = case[order], node[order], code[order]
        return cls(case_ids, node_ids, case, node, code)

    @classmethod
    def from_edges(cls, case_ids: Iterable[str], edges: Iterable[Edge]) -> GraphArrays:
        """The arrays of the edges that leave these cases; other edges are passed over."""
        cases = tuple(sorted(case_ids))
        at = {c: i for i, c in enumerate(cases)}
        kept = [e for e in edges if not e.derived and e.case_id in at]
        nodes = tuple(sorted({e.target for e in kept}))
        place = {n: i for i, n in enumerate(nodes)}
        relations = {r: i for i, r in enumerate(RELATIONS)}
        statuses = {s: i for i, s in enumerate(STATUSES)}
        # The role of a citation is the kind of its source, which is no role of a claim.
        roles = {str(r): i for i, r in enumerate(ROLES) if r is not None}
        return cls.from_columns(
            cases,
            nodes,
            np.array([at[e.case_id] for e in kept], dtype=np.int32),
            np.array([place[e.target] for e in kept], dtype=np.int32),
            np.array([relations[e.relation] for e in kept], dtype=np.uint8),
            np.array([statuses[e.status] for e in kept], dtype=np.uint8),
            np.array([roles.get(str(e.role), 0) for e in kept], dtype=np.uint8),
        )

    # Edges

    def edges_of(self, case_id: str) -> range:
        """The numbers of the edges that leave a case; none for an unknown one."""
        i = _place(self.cases, case_id)
        return range(0) if i is None else range(int(self.starts[i]), int(self.starts[i + 1]))

    def edges_to(self, node_id: str) -> list[int]:
        """The numbers of the edges from cases to a node, ascending."""
        j = _place(self.nodes, node_id)
        found: list[int] = [] if j is None else self.edge_of[self.column(j)].tolist()
        return found

    def column(self, node: int) -> slice:
        """The cells by node of one node."""
        return slice(int(self.node_starts[node]), int(self.node_starts[node + 1]))

    # Cases

    def cases_of(
        self,
        node_ids: Collection[str],
        statuses: Collection[Status] = STANDING,
        relations: Collection[Relation] | None = None,
    ) -> list[str]:
        """Sorted ids of the cases with an edge to one of these nodes.

        Args:
            node_ids: ids of nodes; unknown ones have no cases.
            statuses: only edges of these.
            relations: only these; None takes all.
        """
        places = [j for n in sorted(node_ids) if (j := _place(self.nodes, n)) is not None]
        return self._ids(self._cases_with(places, _passing(statuses, relations)))

    def neighbours(
        self, case_id: str, kind: str = "cause", statuses: Collection[Status] = CONFIRMED
    ) -> list[str]:
        """Sorted ids of the other cases that have a term of this kind in common with a case.

        By default the cases with the same confirmed cause. Broader terms are not looked at.

        Raises:
            CaseNotFound: there is no such case.
            BadQuery: there is no such kind of term.
        """
        own = self.case_code(case_id)
        passing = _passing(statuses, relations_of_kind(kind))
        cells = slice(self.starts[own], self.starts[own + 1])
        places = self.node[cells][passing.take(self.code[cells])]
        found = self._cases_with(sorted(set(places.tolist())), passing)
        return self._ids(found[found != own])

    def case_code(self, case_id: str) -> int:
        """The place of a case.

        Raises:
            CaseNotFound: there is no such case.
        """
        i = _place(self.cases, case_id)
        if i is None:
            raise CaseNotFound(case_id)
        return i

    # Counts

    def holders(
        self,
        relations: Collection[Relation],
        statuses: Collection[Status] = CONFIRMED,
        roles: Collection[Role] | None = None,
        cases: Collection[str] | None = None,
    ) -> dict[str, list[str]]:
        """Which cases state each node by one of these relations: sorted ids, nodes in order.

        Args:
            relations: the relations that count.
            statuses: claims of these statuses count.
            roles: claims in these roles; None takes all, and those without a role.
            cases: only these cases are looked at; all where not given.

        Raises:
            CaseNotFound: there is no such case.
        """
        keep = _passing(statuses, relations, roles).take(self.code_of)
        if cases is not None:
            keep &= self._marked(cases)[self.case_of]
        held = postings(self.node_starts, self.case_of, keep.astype(np.float32))
        bounds, ids = held.starts.tolist(), self._ids(held.cases)
        return {
            self.nodes[j]: ids[bounds[j] : bounds[j + 1]]
            for j in np.flatnonzero(np.diff(held.starts)).tolist()
        }

    def cooccurrence(
        self,
        *kinds: str,
        statuses: Collection[Status] = CONFIRMED,
        cases: Collection[str] | None = None,
        vocabulary: Vocabulary | None = None,
        minimum: int = 1,
    ) -> Combinations:
        """In how many cases terms of these kinds stand together: one term of each kind.

        `cooccurrence("cause", "symptom")` counts pairs, three kinds triples; a kind that is named
        twice gives pairs of different terms of it, each pair once. A case counts a combination
        once, however many claims say it. Exposure checks around a case count for nothing.

        Args:
            kinds: kinds of terms, at least one (which gives the cases of each term).
            statuses: claims of these statuses count.
            cases: only these cases are looked at, such as incidents; all where not given.
            vocabulary: count a term for its broader terms as well; else only as it is stated.
            minimum: leave out combinations of fewer cases.

        Raises:
            BadQuery: no kind, or none of that name; or minimum is below 1.
            CaseNotFound: there is no such case.
        """
        return self.counting(statuses, cases, vocabulary).cooccurrence(*kinds, minimum=minimum)

    def counting(
        self,
        statuses: Collection[Status] = CONFIRMED,
        cases: Collection[str] | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> Counting:
        """For several counts over the same cases: `cooccurrence` without laying them out again.

        Raises:
            CaseNotFound: there is no such case.
        """
        chosen = None if cases is None else self._marked(cases)
        of = len(self.cases) if chosen is None else int(np.count_nonzero(chosen))
        return Counting(lambda kind: self._stated(kind, statuses, chosen, vocabulary), of)

    def _stated(
        self,
        kind: str,
        statuses: Collection[Status],
        chosen: NDArray[np.bool_] | None,
        vocabulary: Vocabulary | None,
    ) -> Stated:
        passing = _passing(statuses, relations_of_kind(kind))
        # Ids are sorted, so the terms of a kind stand side by side, and so do their cells.
        first, end = bisect_left(self.nodes, f"{kind}:"), bisect_left(self.nodes, f"{kind};")
        bounds = self.node_starts[first : end + 1]
        cells = slice(bounds[0], bounds[-1])
        cases, keep = self.case_of[cells], passing.take(self.code_of[cells])
        if chosen is not None:
            keep &= chosen[cases]
        held = postings(bounds - bounds[0], cases, keep.astype(np.float32))
        ups = Ups(self.nodes[first:end], np.flatnonzero(np.diff(held.starts)).tolist(), vocabulary)
        held = ups.widened(held, len(self.cases))
        terms = np.repeat(np.arange(len(ups.terms)), np.diff(held.starts))
        starts, order = grouped(held.cases, len(self.cases))
        return Stated(ups.terms, starts, terms[order])

    def _cases_with(self, places: Sequence[int], passing: NDArray[np.bool_]) -> Ints:
        """The cases with an edge of a passing code to one of these nodes, each once, ascending."""
        if not places:
            return np.zeros(0, dtype=np.int64)
        columns = [self.column(j) for j in places]
        found = [self.case_of[c][np.flatnonzero(passing.take(self.code_of[c]))] for c in columns]
        return distinct(found[0] if len(found) == 1 else np.concatenate(found), len(self.cases))

    def _marked(self, case_ids: Collection[str]) -> NDArray[np.bool_]:
        marked = np.zeros(len(self.cases), dtype=bool)
        marked[[self.case_code(c) for c in case_ids]] = True
        return marked

    def _ids(self, codes: Ints) -> list[str]:
        found: list[str] = self._names[codes].tolist()
        return found

    @cached_property
    def _names(self) -> NDArray[np.object_]:
        return np.array(self.cases, dtype=object)


RELATIONS_OF_KIND = {
    kind: frozenset(r for a, r, b in ALLOWED if (a, b) == ("case", kind)) - {Relation.CHECKED_BY}
    for kind in NODE_KINDS
}
"""The relations by which a case states a node of each kind; a check around it states nothing."""


def relations_of_kind(kind: str) -> frozenset[Relation]:
    """The relations by which a case states a term of a kind.

    Raises:
        BadQuery: there is no such kind.
    """
    if kind not in RELATIONS_OF_KIND:
        raise BadQuery(f"no kind {kind!r}; there are {', '.join(NODE_KINDS)}")
    return RELATIONS_OF_KIND[kind]


def meaning(code: int) -> tuple[Relation, Status, Role | None]:
    """What the code of an edge says: relation, status and role."""
    claim, role = divmod(code, len(ROLES))
    relation, status = divmod(claim, len(STATUSES))
    return RELATIONS[relation], STATUSES[status], ROLES[role]


def _passing(
    statuses: Collection[Status],
    relations: Collection[Relation] | None,
    roles: Collection[Role] | None = None,
) -> NDArray[np.bool_]:
    """For each code, whether it has one of these statuses, relations and roles; None takes all."""
    chosen = (c if c is None else frozenset(c) for c in (relations, roles))
    return _passing_codes(frozenset(statuses), *chosen)


@lru_cache(maxsize=256)
def _passing_codes(
    statuses: frozenset[Status],
    relations: frozenset[Relation] | None,
    roles: frozenset[Role] | None,
) -> NDArray[np.bool_]:
    return np.array(
        [
            status in statuses
            and (relations is None or relation in relations)
            and (roles is None or role in roles)
            for relation, status, role in map(meaning, range(CODES))
        ]
    )


def _place(ids: Sequence[str], wanted: str) -> int | None:
    i = bisect_left(ids, wanted)
    return i if i < len(ids) and ids[i] == wanted else None


def _in_order(name: str, ids: tuple[str, ...], codes: Ints) -> tuple[tuple[str, ...], Ints]:
    """Ids in order, and codes that point at them there."""
    if all(map(lt, ids, islice(ids, 1, None))):
        return ids, codes
    order = sorted(range(len(ids)), key=ids.__getitem__)
    ordered = tuple(ids[i] for i in order)
    if not all(map(lt, ordered, islice(ordered, 1, None))):
        raise BadQuery(f"a {name} id stands twice; give each once")
    place = np.empty(len(ids), dtype=np.int64)
    place[order] = np.arange(len(ids))
    return ordered, place[codes]


def _check(columns: Mapping[str, Ints], sizes: Iterable[int]) -> None:
    if len({len(c) for c in columns.values()}) > 1:
        told = ", ".join(f"{name} {len(c)}" for name, c in columns.items())
        raise BadQuery(f"the columns have different lengths: {told}")
    for (name, codes), size in zip(columns.items(), sizes, strict=False):
        if len(codes) and not (codes.min() >= 0 and codes.max() < size):
            raise BadQuery(f"column {name} holds a number outside 0 to {size - 1}")
