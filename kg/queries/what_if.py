"""What if: which incidents would still be explained if one thing were struck from the records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kg.errors import BadQuery
from kg.graph import Edge, IncidentGraph, Relation
from kg.model import Case, CaseKind, Result, Role, Status, Term
from kg.queries.chance import wilson
from kg.queries.holding import edges_of_kind
from kg.queries.notes import note
from kg.queries.shown import Shown
from kg.vocab import Vocabulary

WHAT_IF_KINDS = ("cause", "trigger", "factor", "component", "mitigation")
"""The schemes of terms that can be struck out."""


@dataclass(frozen=True)
class Without:
    """One incident without the term: the claims that it would lose, and what stays in its place.

    `left` are the other claims that do the same work: other confirmed causes, triggers, failed
    components, or mitigations that did not fail.
    """

    case: str
    lost: tuple[Edge, ...]
    left: tuple[Edge, ...]


@dataclass(frozen=True)
class WhatIf(Shown):
    """What the records would still say without a term and everything below it.

    It strikes claims out of the records. It does not say what would have happened in the world.

    Attributes:
        term: what is struck out; `kind` is its scheme.
        struck: the term and those below it that some incident states.
        incidents: how many incidents were looked at; series and studies never are.
        of: of these, those that state something that does this work now, see `carries`.
        gone: incidents in which nothing else does: no confirmed cause (trigger, failed component,
            mitigation that did not fail) is left. Of a factor none, as a factor explains nothing.
        remaining: incidents in which others are left.
        weakened: incidents that lose only a factor, a suspicion, a component that did not
            itself fail, or a follow-up.
        spared: incidents in which the struck mitigation was tried and failed: nothing is missed.
        share: len(gone) / of, with its 95 % Wilson interval `low` to `high`; None without any.
        note: that this speaks of the records, not of the world.
    """

    term: str
    kind: str
    struck: tuple[str, ...]
    incidents: int
    of: int
    gone: tuple[Without, ...]
    remaining: tuple[Without, ...]
    weakened: tuple[Without, ...]
    spared: tuple[Without, ...]
    share: float | None
    low: float
    high: float
    note: str

    @property
    def touched(self) -> int:
        """How many incidents state the term or one below it, as fact or suspicion."""
        return sum(map(len, (self.gone, self.remaining, self.weakened, self.spared)))


def what_if(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    cases: Iterable[Case],
    without: Term,
    lang: str = "en",
) -> WhatIf:
    """Strike a term and all below it from the incidents among `cases`, and see what is left.

    Raises:
        BadQuery: the term explains nothing (a symptom, tool or organisation).
    """
    kind = without.scheme
    if kind not in WHAT_IF_KINDS:
        raise BadQuery(
            f"{without.id} explains nothing; ask without a {', '.join(WHAT_IF_KINDS[:-1])} "
            f"or {WHAT_IF_KINDS[-1]}"
        )
    incidents = sorted((c for c in cases if c.kind is CaseKind.INCIDENT), key=lambda c: c.id)
    struck = vocabulary.narrower_all(without.id)
    sorted_out: dict[str, list[Without]] = {
        "gone": [], "remaining": [], "weakened": [], "spared": [],
    }  # fmt: skip
    of = 0
    for case in incidents:
        said = _standing_claims(graph, case.id, kind)
        results = _results(case, kind)
        carrying = [e for e in said if _carries(e, kind, results)]
        of += bool(carrying)
        lost = [e for e in said if e.target in struck]
        if lost:
            verdict = _verdict(lost, carrying, struck, kind, results)
            left = tuple(e for e in carrying if e.target not in struck)
            sorted_out[verdict].append(Without(case.id, tuple(lost), left))
    gone = len(sorted_out["gone"])
    low, high = wilson(gone, of)
    stated = {e.target for found in sorted_out.values() for w in found for e in w.lost}
    return WhatIf(
        term=without.id,
        kind=kind,
        struck=tuple(sorted(stated)),
        incidents=len(incidents),
        of=of,
        gone=tuple(sorted_out["gone"]),
        remaining=tuple(sorted_out["remaining"]),
        weakened=tuple(sorted_out["weakened"]),
        spared=tuple(sorted_out["spared"]),
        share=gone / of if of else None,
        low=low,
        high=high,
        note=note("what_if", lang),
    )


def _standing_claims(graph: IncidentGraph, case_id: str, kind: str) -> list[Edge]:
    """The claims of a kind that are not ruled out; follow-ups stand beside mitigations."""
    kinds = ("mitigation", "follow_up") if kind == "mitigation" else (kind,)
    edges = [e for k in kinds for e in edges_of_kind(graph, case_id, k)]
    return [e for e in edges if e.status is not Status.RULED_OUT]


def _results(case: Case, kind: str) -> Mapping[str, Result | None]:
    """Claim id → what came of it, for mitigations."""
    claims = case.claim_ids() if kind == "mitigation" else ()
    return {claim_id: claim.result for claim_id, claim in claims}


def _carries(edge: Edge, kind: str, results: Mapping[str, Result | None]) -> bool:
    """Whether a claim does the work that is asked about: explain, set off, break, or help."""
    if edge.status is not Status.CONFIRMED or kind == "factor":
        return False
    if kind == "component":
        return edge.role == Role.FAILED
    if kind == "mitigation":
        done_then = edge.relation is Relation.MITIGATED_BY
        return done_then and results[edge.claim_id] is not Result.FAILED
    return True


def _verdict(
    lost: Sequence[Edge],
    carrying: Sequence[Edge],
    struck: Collection[str],
    kind: str,
    results: Mapping[str, Result | None],
) -> str:
    if any(e.target in struck for e in carrying):
        return "remaining" if any(e.target not in struck for e in carrying) else "gone"
    failed = kind == "mitigation" and all(results[e.claim_id] is Result.FAILED for e in lost)
    return "spared" if failed else "weakened"
