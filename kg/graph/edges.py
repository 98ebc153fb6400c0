"""From records to edges: the one place where claims become a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from kg.graph.schema import Relation, check_edge, relation_of, relation_of_terms
from kg.model import (
    RELATED_FIELD,
    SOURCE_FIELD,
    Case,
    Claim,
    ClaimKind,
    Span,
    Status,
    TermRelation,
)
from kg.vocab import Vocabulary

_STRENGTH = {Status.CONFIRMED: 2, Status.SUSPECTED: 1, Status.RULED_OUT: 0}


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge. Edges that leave a case always carry status and evidence.

    Attributes:
        source, relation, target: the triple.
        key: tells parallel edges apart; the same input always gives the same key.
        case_id: the case that says so; "" for edges of the vocabulary.
        claim_id: the claim behind it; "" where there is none.
        status, role, value: as in the claim.
        statement: the claim in each language (language → text).
        evidence: spans of the case's stored text.
        derived: computed from several claims of the case, not stated as such.
        result: what came of a mitigation or follow-up; None where not stated.
    """

    source: str
    relation: Relation
    target: str
    key: str
    case_id: str = ""
    claim_id: str = ""
    status: Status = Status.CONFIRMED
    role: str | None = None
    value: str | None = None
    statement: tuple[tuple[str, str], ...] = ()
    evidence: tuple[Span, ...] = ()
    derived: bool = False
    result: str | None = None

    def __post_init__(self) -> None:
        check_edge(self.source, self.relation, self.target)


def case_node(case_id: str) -> str:
    """The node of a case."""
    return f"case:{case_id}"


def source_node(locator: str) -> str:
    """The node of a source; cases that cite the same place share it."""
    return f"source:{locator}"


def case_edges(case: Case) -> Iterator[Edge]:
    """All edges that one case contributes, stated ones first, then derived ones."""
    resolved = case.resolved()
    for claim_id, claim in resolved.claim_ids():
        yield from _claim_edges(case.id, claim_id, claim)
    yield from _citations(resolved)
    yield from _links(case)


def _links(case: Case) -> Iterator[Edge]:
    """The edges of a case behind which there is no claim and no source."""
    for other in case.related or ():
        yield Edge(
            case_node(case.id), Relation.RELATED_TO, case_node(other), "RELATED_TO", case.id,
            evidence=(_line_span(case, RELATED_FIELD, other),),
        )  # fmt: skip
    yield from _derived(case)


def _claim_edges(case_id: str, claim_id: str, claim: Claim) -> Iterator[Edge]:
    relation = relation_of(claim.kind, claim.role)
    for term in claim.terms:
        yield Edge(
            source=case_node(case_id),
            relation=relation,
            target=term,
            key=f"{relation}/{claim_id}",
            case_id=case_id,
            claim_id=claim_id,
            status=claim.status,
            role=claim.role,
            value=claim.value,
            statement=tuple(claim.statement.items()) if claim.statement else (),
            evidence=claim.evidence,
            result=claim.result,
        )


def _citations(case: Case) -> Iterator[Edge]:
    for number, source in enumerate(case.sources or (), 1):
        key = f"{Relation.CITES}/{case.id}#source-{number}"
        yield Edge(
            case_node(case.id), Relation.CITES, source_node(source.locator), key, case.id,
            role=source.kind, evidence=(_line_span(case, SOURCE_FIELD, source.line),),
        )  # fmt: skip


def _line_span(case: Case, field: str, line: str) -> Span:
    """The span of one whole line of a pseudo-field."""
    start = f"\n{case.text(field, 'zxx')}\n".index(f"\n{line}\n")
    return Span(field=field, lang="zxx", quote=line, start=start, end=start + len(line))


def _derived(case: Case) -> Iterator[Edge]:
    chains = ((ClaimKind.TRIGGER, ClaimKind.CAUSE), (ClaimKind.CAUSE, ClaimKind.SYMPTOM))
    for before, after in chains:
        pairs = product(_standing(case, before).items(), _standing(case, after).items())
        for (source, first), (target, second) in pairs:
            status = min(first, second, key=lambda s: _STRENGTH[s])
            yield _derived_edge(case.id, source, Relation.LEADS_TO, target, status)
    seen: set[tuple[str, str]] = set()
    for claim in case.claims:
        if claim.kind in (ClaimKind.MITIGATION, ClaimKind.FOLLOW_UP):
            for pair in product(claim.terms, claim.addresses):
                if pair not in seen:
                    seen.add(pair)
                    yield _derived_edge(case.id, pair[0], Relation.ADDRESSES, pair[1], claim.status)


def _standing(case: Case, kind: ClaimKind) -> dict[str, Status]:
    """Terms of a kind that are not ruled out, with their strongest status."""
    found: dict[str, Status] = {}
    for claim in case.claims_of(kind, status=None):
        for term in claim.terms if claim.status is not Status.RULED_OUT else ():
            best = max(claim.status, found.get(term, claim.status), key=lambda s: _STRENGTH[s])
            found[term] = best
    return found


def _derived_edge(
    case_id: str, source: str, relation: Relation, target: str, status: Status
) -> Edge:
    return Edge(
        source, relation, target, f"{relation}/{case_id}", case_id, status=status, derived=True
    )


def term_edges(vocabulary: Vocabulary) -> Iterator[Edge]:
    """The edges between terms, sorted."""
    for term in vocabulary.terms.values():
        for parent in sorted(term.broader):
            yield Edge(term.id, Relation.BROADER, parent, "BROADER")
        for kind in TermRelation:
            relation = relation_of_terms(kind)
            for target in sorted(term.related(kind)):
                yield Edge(term.id, relation, target, str(relation))


def all_edges(cases: Iterable[Case], vocabulary: Vocabulary) -> list[Edge]:
    """Every edge of a library in a fixed order: cases by id, then the vocabulary.

    Curated links to cases that are not in the library are left out.
    """
    return [*_of_cases(cases, case_edges), *term_edges(vocabulary)]


def link_edges(cases: Iterable[Case], vocabulary: Vocabulary) -> list[Edge]:
    """Those of `all_edges` behind which there is no claim and no source, in the same order."""
    return [*_of_cases(cases, _links), *term_edges(vocabulary)]


def _of_cases(cases: Iterable[Case], edges_of: Callable[[Case], Iterable[Edge]]) -> Iterator[Edge]:
    ordered = sorted(cases, key=lambda c: c.id)
    present = {case_node(c.id) for c in ordered}
    for case in ordered:
        for edge in edges_of(case):
            if edge.relation is not Relation.RELATED_TO or edge.target in present:
                yield edge
