"""The two sides of an explanation: a case with its claims, or a text with what it tells of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from kg.graph import IncidentGraph, Relation, case_node, kind_of
from kg.graph.compact import CHECK_ITEM_WEIGHT, SIMILARITY_RELATIONS, STATUS_WEIGHT
from kg.model import Case, Role, Span, Status
from kg.model.text import language_of
from kg.vocab import Tag
from kg.vocab.tagger import LABEL

TEXT = "(text)"
"""Stands for the id of a side that is a text; no case can have it."""

TEXT_FIELD = "text"
"""The field of the spans of a text."""

_TEXT_NODE = "text:query"
_RELATION_OF_SCHEME: Mapping[str, Relation] = {
    "cause": Relation.CAUSED_BY,
    "trigger": Relation.TRIGGERED_BY,
    "factor": Relation.CONTRIBUTED_BY,
    "symptom": Relation.EXHIBITS,
    "component": Relation.AFFECTS,
    "mitigation": Relation.MITIGATED_BY,
    "tool": Relation.DETECTED_WITH,
    "organization": Relation.REPORTED_BY,
}
_NEVER_CONFIRMED = frozenset({"cause", "trigger", "factor"})
"""What a text may guess but does not confirm: why something happened."""


class Saying(Protocol):
    """What one side says of a term. The edges of a case are such; so are those of a text."""

    @property
    def source(self) -> str:
        """The node of the side."""

    @property
    def relation(self) -> Relation:
        """How the side stands to the term."""

    @property
    def target(self) -> str:
        """The term."""

    @property
    def case_id(self) -> str:
        """The case, or `TEXT`."""

    @property
    def claim_id(self) -> str:
        """The claim behind it; of a text, the number of the place."""

    @property
    def status(self) -> Status:
        """How far the side stands behind it."""

    @property
    def role(self) -> str | None:
        """The part that the term plays."""

    @property
    def value(self) -> str | None:
        """The value of a setting."""

    @property
    def statement(self) -> tuple[tuple[str, str], ...]:
        """It in words, by language; where there is none, the evidence speaks."""

    @property
    def evidence(self) -> tuple[Span, ...]:
        """Where it is said."""


@dataclass(frozen=True, slots=True)
class TextSaying:
    """What a text says of a term; its evidence is the place in the text itself.

    `confidence` and `how` are those of the tag: whether the text names the term (`label`) or tells
    of it in other words (`meaning`). The rest is as in `Edge`.
    """

    source: str
    relation: Relation
    target: str
    claim_id: str
    status: Status
    evidence: tuple[Span, ...]
    confidence: float
    how: str
    case_id: str = TEXT
    role: str | None = None
    value: str | None = None
    statement: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Side:
    """One side: its name (a case id or `TEXT`), its node, all that it says, and the case.

    `muted` are terms that a text names in a denial, so that it cannot be said to tell of them.
    """

    name: str
    node: str
    sayings: tuple[Saying, ...]
    case: Case | None = None
    muted: frozenset[str] = frozenset()


def case_side(graph: IncidentGraph, case: Case) -> Side:
    """A case of the graph as a side."""
    return Side(case.id, case_node(case.id), tuple(graph.edges_of(case.id)), case)


def text_side(text: str, tags: Sequence[Tag]) -> Side:
    """A text as a side.

    What it denies is ruled out. Causes, triggers and factors are suspected at most, since a text
    confirms none; so is what it only tells of in other words.
    """
    lang = language_of(text)
    sayings = tuple(_of_tag(text, tag, number, lang) for number, tag in enumerate(tags, 1))
    return Side(TEXT, _TEXT_NODE, sayings, muted=_named_in_denials(tags))


def _named_in_denials(tags: Sequence[Tag]) -> frozenset[str]:
    """Terms that are denied somewhere, and those that stand only within the words of a denial."""
    spans = [(t.start, t.end) for t in tags if t.negated]
    free = {
        t.term for t in tags if not any(t.start < end and start < t.end for start, end in spans)
    }
    denied = {t.term for t in tags if t.negated}
    return frozenset(denied | ({t.term for t in tags} - free))


_CLAUSE_ENDS = re.compile(
    r"[.!?;:,。](?=\s|$)|\n|\s+(?:but|while|whereas|although)\s+"
    r"|(?<=고)\s|(?<=[는인은]데)\s|(?<=지만)\s|(?<=며)\s"
)
"""Where a clause ends; Korean ones end in a connective."""


def clause(text: str, start: int, end: int) -> tuple[int, int]:
    """The clause of a text around a place, without the space at its ends, as (start, end)."""
    ends = [m.span() for m in _CLAUSE_ENDS.finditer(text)]
    first = max((b for _, b in ends if b <= start), default=0)
    last = min((a for a, _ in ends if a >= end), default=len(text))
    first += len(text[first:last]) - len(text[first:last].lstrip())
    return first, first + len(text[first:last].rstrip())


def _of_tag(text: str, tag: Tag, number: int, lang: str) -> TextSaying:
    """What a tag says; one found by meaning rests on its clause, as no single word holds it."""
    scheme = kind_of(tag.term)
    sure = tag.how == LABEL and scheme not in _NEVER_CONFIRMED
    status = Status.CONFIRMED if sure else Status.SUSPECTED
    start, end = (tag.start, tag.end) if tag.how == LABEL else clause(text, tag.start, tag.end)
    span = Span(field=TEXT_FIELD, lang=lang, quote=text[start:end], start=start, end=end)
    return TextSaying(
        source=_TEXT_NODE,
        relation=_RELATION_OF_SCHEME[scheme],
        target=tag.term,
        claim_id=f"{TEXT}#{number}",
        status=Status.RULED_OUT if tag.negated else status,
        evidence=(span,),
        confidence=tag.confidence,
        how=tag.how,
    )


def standing(sayings: Iterable[Saying]) -> dict[str, list[Saying]]:
    """What makes a side like others and is not ruled out, by term; the strongest saying first."""
    found: dict[str, list[Saying]] = {}
    for saying in sayings:
        if saying.relation in SIMILARITY_RELATIONS and saying.status is not Status.RULED_OUT:
            found.setdefault(saying.target, []).append(saying)
    return {term: sorted(said, key=lambda s: -strength(s)) for term, said in found.items()}


def strength(saying: Saying) -> float:
    """How much a saying counts, 0 to 1: by its status; of a text, by the confidence too."""
    weight = STATUS_WEIGHT[saying.status]
    if saying.role == Role.CHECK_ITEM:
        weight *= CHECK_ITEM_WEIGHT
    return weight * saying.confidence if isinstance(saying, TextSaying) else weight


def weaker(statuses: Iterable[Status]) -> Status:
    """The weakest of some statuses."""
    return min(statuses, key=lambda status: STATUS_WEIGHT[status])


def named(saying: Saying) -> bool:
    """Whether a text names the term, rather than telling of it in other words; true of a case."""
    return not isinstance(saying, TextSaying) or saying.how == LABEL
