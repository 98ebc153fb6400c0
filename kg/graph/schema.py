"""What the graph may hold: kinds of nodes, relations, and the edges between them."""

from __future__ import annotations

from enum import StrEnum

from kg.errors import SchemaError
from kg.model import ClaimKind, Role, TermRelation
from kg.vocab import RELATION_SCHEMES, SCHEMES

NODE_KINDS = (
    "case",
    "cause",
    "trigger",
    "factor",
    "component",
    "symptom",
    "mitigation",
    "organization",
    "tool",
    "source",
)
"""A node's kind is the part of its id before the colon."""


class Relation(StrEnum):
    """The types of edges."""

    CAUSED_BY = "CAUSED_BY"
    TRIGGERED_BY = "TRIGGERED_BY"
    CONTRIBUTED_BY = "CONTRIBUTED_BY"
    AFFECTS = "AFFECTS"
    EXHIBITS = "EXHIBITS"
    DETECTED_WITH = "DETECTED_WITH"
    MITIGATED_BY = "MITIGATED_BY"
    FOLLOWED_UP_BY = "FOLLOWED_UP_BY"
    CITES = "CITES"
    REPORTED_BY = "REPORTED_BY"
    INVOLVES = "INVOLVES"
    CHECKED_BY = "CHECKED_BY"
    RELATED_TO = "RELATED_TO"
    BROADER = "BROADER"
    PART_OF = "PART_OF"
    DEPENDS_ON = "DEPENDS_ON"
    VARIANT_OF = "VARIANT_OF"
    DOES_NOT_COVER = "DOES_NOT_COVER"
    LEADS_TO = "LEADS_TO"
    ADDRESSES = "ADDRESSES"


_OF_KIND = {
    ClaimKind.TRIGGER: Relation.TRIGGERED_BY,
    ClaimKind.CAUSE: Relation.CAUSED_BY,
    ClaimKind.FACTOR: Relation.CONTRIBUTED_BY,
    ClaimKind.COMPONENT: Relation.AFFECTS,
    ClaimKind.SYMPTOM: Relation.EXHIBITS,
    ClaimKind.DETECTION: Relation.DETECTED_WITH,
    ClaimKind.MITIGATION: Relation.MITIGATED_BY,
    ClaimKind.FOLLOW_UP: Relation.FOLLOWED_UP_BY,
    ClaimKind.ORGANIZATION: Relation.REPORTED_BY,
    ClaimKind.CHECK: Relation.CHECKED_BY,
}
_OF_TERM_RELATION = {r: Relation[r.name] for r in TermRelation}

ALLOWED: frozenset[tuple[str, Relation, str]] = frozenset(
    [
        ("case", Relation.TRIGGERED_BY, "trigger"),
        ("case", Relation.CAUSED_BY, "cause"),
        ("case", Relation.CONTRIBUTED_BY, "factor"),
        ("case", Relation.AFFECTS, "component"),
        ("case", Relation.EXHIBITS, "symptom"),
        ("case", Relation.DETECTED_WITH, "tool"),
        ("case", Relation.MITIGATED_BY, "mitigation"),
        ("case", Relation.FOLLOWED_UP_BY, "mitigation"),
        ("case", Relation.REPORTED_BY, "organization"),
        ("case", Relation.INVOLVES, "organization"),
        ("case", Relation.CHECKED_BY, "tool"),
        ("case", Relation.CHECKED_BY, "component"),
        ("case", Relation.CITES, "source"),
        ("case", Relation.RELATED_TO, "case"),
        ("trigger", Relation.LEADS_TO, "cause"),
        ("cause", Relation.LEADS_TO, "symptom"),
        ("mitigation", Relation.ADDRESSES, "cause"),
        *((scheme, Relation.BROADER, scheme) for scheme in SCHEMES),
        *((a, _OF_TERM_RELATION[r], b) for r, pairs in RELATION_SCHEMES.items() for a, b in pairs),
    ]
)
"""Every (kind, relation, kind) that may stand in the graph; anything else is refused."""

DERIVED = frozenset({Relation.LEADS_TO, Relation.ADDRESSES})
"""Relations that are computed from the claims of a case rather than stated as such."""


def kind_of(node: str) -> str:
    """The kind of a node, from its id."""
    return node.partition(":")[0]


def check_edge(source: str, relation: Relation, target: str) -> None:
    """Refuse an edge that the schema does not hold.

    Raises:
        SchemaError: naming the kinds and what the relation does allow.
    """
    named = ":" in source and ":" in target
    if not named or (kind_of(source), relation, kind_of(target)) not in ALLOWED:
        allowed = ", ".join(sorted(f"{a} → {b}" for a, r, b in ALLOWED if r is relation))
        raise SchemaError(
            f"no edge {source} -{relation}-> {target} in the schema; {relation} allows {allowed}"
        )


def relation_of(kind: ClaimKind, role: Role | None) -> Relation:
    """The relation that a claim becomes. Vendors and the like are involved, not reporters."""
    if kind is ClaimKind.ORGANIZATION and role is Role.VENDOR:
        return Relation.INVOLVES
    return _OF_KIND[kind]


def relation_of_terms(relation: TermRelation) -> Relation:
    """The graph relation of a relation between terms."""
    return _OF_TERM_RELATION[relation]
