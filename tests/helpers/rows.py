"""Edges as plain rows, the arrays over them, and the answers that plain Python gives."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from kg.graph import ALLOWED, GraphArrays, Relation
from kg.graph.arrays import RELATIONS, ROLES, STATUSES
from kg.model import Role, Status

OF_CASES = sorted((relation, kind) for a, relation, kind in ALLOWED if a == "case")
"""Every relation that leaves a case, with the kind of node it leads to."""
COUNTED = [(r, k) for r, k in OF_CASES if k in ("cause", "symptom", "component", "trigger")]


@dataclass(frozen=True)
class Row:
    """An edge from a case to a node."""

    case: str
    node: str
    relation: Relation
    status: Status = Status.CONFIRMED
    role: Role | None = None

    @property
    def kind(self) -> str:
        return self.node.partition(":")[0]

    def states(self) -> bool:
        """Whether the case states the node, rather than being checked for it."""
        return self.relation is not Relation.CHECKED_BY


@st.composite
def tables(
    draw: st.DrawFn,
    relations: Sequence[tuple[Relation, str]] = OF_CASES,
    most: int = 60,
    slugs: int = 3,
) -> tuple[list[str], list[Row]]:
    """Ids of one to six cases, and edges of them in any order, many of them alike."""
    cases = [f"C-{i}" for i in range(draw(st.integers(1, 6)))]
    row = st.builds(
        lambda case, edge, slug, status, role: Row(
            case, f"{edge[1]}:{slug}", edge[0], status, role
        ),
        st.sampled_from(cases),
        st.sampled_from(relations),
        st.integers(1, slugs),
        st.sampled_from([Status.CONFIRMED, Status.CONFIRMED, *Status]),
        st.sampled_from([None, None, *Role]),
    )
    return cases, draw(st.lists(row, max_size=most))


def arrays_of(cases: Sequence[str], rows: Sequence[Row]) -> GraphArrays:
    """The arrays over rows, ids and rows in the order given."""
    nodes = list(dict.fromkeys(row.node for row in rows))
    return GraphArrays.from_columns(
        cases,
        nodes,
        np.array([cases.index(r.case) for r in rows], dtype=np.int64),
        np.array([nodes.index(r.node) for r in rows], dtype=np.int64),
        np.array([RELATIONS.index(r.relation) for r in rows], dtype=np.int64),
        np.array([STATUSES.index(r.status) for r in rows], dtype=np.int64),
        np.array([ROLES.index(r.role) for r in rows], dtype=np.int64),
    )


def terms_of(
    rows: Iterable[Row], case: str, kind: str, statuses: Collection[Status] = (Status.CONFIRMED,)
) -> set[str]:
    """The terms of a kind that a case states with one of these statuses."""
    return {
        r.node
        for r in rows
        if (r.case, r.kind) == (case, kind) and r.status in statuses and r.states()
    }
