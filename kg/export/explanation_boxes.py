"""What the picture of an explanation shows: a box for each term, by kind and by whose it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from kg.export.palette import KINDS, STATUS
from kg.export.view_words import view_word
from kg.graph import Relation, kind_of
from kg.model import Status
from kg.queries import Explanation, SharedTerm
from kg.queries.differences import About
from kg.queries.paths import PathKind, Step
from kg.queries.sides import TEXT, Saying, weaker

COLUMNS = ("factor", "trigger", "cause", "symptom", "component", "mitigation", "tool")
"""Kinds from left to right: trigger, cause and symptom stand side by side, as a chain runs."""

MOST_SHARED, MOST_ONLY = 6, 4
"""At most so many boxes of a kind in a row; the rest is counted in one more box."""


class Row(IntEnum):
    """The rows of the picture, from the side above to the side below."""

    ONLY_A = 0
    BOTH = 1
    AGAINST = 2
    ONLY_B = 3


@dataclass(frozen=True)
class Box:
    """A term as it is drawn.

    Attributes:
        term: the term; "" for the box that counts the rest.
        kind: its column.
        label, notes: the large line and the small ones below it.
        tip: all of it, shown when pointed at.
        above, below: status of the line to the side above and below; None where there is none.
    """

    term: str
    kind: str
    label: str
    notes: tuple[str, ...]
    tip: str
    above: Status | None
    below: Status | None

    @property
    def status(self) -> Status:
        """The weaker of its two statuses, which its frame shows."""
        return weaker(status for status in (self.above, self.below) if status is not None)


def name_of(side: str, korean: bool) -> str:
    """The name of a side: the id of a case, or the word for a text."""
    return KINDS["text"][korean] if side == TEXT else side


def owner_of(side: str, korean: bool) -> str:
    """The name of a side within a phrase: the id of a case, or `the text`."""
    return view_word("the text", "ko" if korean else "en") if side == TEXT else side


def stated_by(step: Step, lang: str) -> str:
    """Whose claims a derived step rests on: `both`, or the id of a case."""
    cases = list(dict.fromkeys(s.case_id for s in step.sayings))
    return view_word("both", lang) if len(cases) > 1 else cases[0]


def boxes(found: Explanation) -> dict[tuple[Row, str], list[Box]]:
    """The boxes of each row and column, most telling first."""
    maker = _Maker(found)
    cells: dict[tuple[Row, str], list[Box]] = {}
    for row, made, most in (
        (Row.BOTH, maker.shared(), MOST_SHARED),
        (Row.AGAINST, maker.against(), MOST_SHARED),
        (Row.ONLY_A, maker.only(first=True), MOST_ONLY),
        (Row.ONLY_B, maker.only(first=False), MOST_ONLY),
    ):
        for kind, column in _by_kind(made).items():
            cells[row, kind] = _capped(column, most, found.lang == "ko")
    return cells


def arrows(found: Explanation) -> list[tuple[str, str, Status]]:
    """The derived steps of the chains as (term, term, status), trigger to cause to symptom.

    Where both cases go along a chain only such are drawn, else those of one case as hints.
    """
    chains = [path for path in found.paths if path.kind is PathKind.CHAIN]
    common = {s.term for s in found.shared if s.kind == "cause"}
    both = [path for path in chains if common & set(path.nodes)]
    steps: dict[tuple[str, str], Status] = {}
    for step in (step for path in both or chains for step in path.steps):
        if step.relation == Relation.LEADS_TO:
            steps.setdefault((step.source, step.target), step.status)
    return [(source, target, status) for (source, target), status in sorted(steps.items())]


def _by_kind(made: Iterable[Box]) -> dict[str, list[Box]]:
    found: dict[str, list[Box]] = {}
    for box in made:
        if box.kind in COLUMNS:
            found.setdefault(box.kind, []).append(box)
    return found


def _capped(column: list[Box], most: int, korean: bool) -> list[Box]:
    rest = column[most:]
    if len(rest) < 2:
        return column
    label = f"그 밖에 {len(rest)}가지" if korean else f"{len(rest)} more"
    tip = ", ".join(box.label for box in rest)
    lines = [_strongest(box.above for box in rest), _strongest(box.below for box in rest)]
    more = replace(rest[0], term="", label=label, notes=(), tip=tip, above=lines[0], below=lines[1])
    return [*column[:most], more]


def _strongest(statuses: Iterable[Status | None]) -> Status | None:
    there = set(statuses)
    return next((status for status in STATUS if status in there), None)


class _Maker:
    def __init__(self, found: Explanation) -> None:
        self._found = found
        self._korean = found.lang == "ko"
        self._beside = dict(self._counterparts())

    def shared(self) -> Iterator[Box]:
        ranked = sorted(self._found.shared, key=lambda s: (s.generic, -s.weight, s.term))
        for shared in ranked:
            left, right = shared.left[0], shared.right[0]
            notes = [*self._own(shared), *self._differing(shared.term)]
            yield self._box(
                shared.term, notes, (left, right), above=left.status, below=right.status
            )

    def against(self) -> Iterator[Box]:
        for contrast in self._found.contrasts:
            if contrast.about is About.STATUS:
                left, right = contrast.left, contrast.right
                told = right if left.status is Status.RULED_OUT else left
                notes = []
                if told.target != contrast.term:
                    notes = [f"{self._name(told)}: {self._label(told.target)}"]
                yield self._box(
                    contrast.term, notes, (left, right), above=left.status, below=right.status
                )
        for x in self._found.excluded:
            notes = [
                f"{self._name(s)}: {self._label(s.target)}"
                for s in (x.left, x.right)
                if s.target != x.term
            ]
            yield self._box(
                x.term, notes, (x.left, x.right), above=x.left.status, below=x.right.status
            )
        for s in self._found.denied_a:
            yield self._box(s.target, [], (s,), above=s.status, below=None)
        for s in self._found.denied_b:
            yield self._box(s.target, [], (s,), above=None, below=s.status)

    def only(self, *, first: bool) -> Iterator[Box]:
        only = self._found.only_a if first else self._found.only_b
        told = self._found.told_a if first else self._found.told_b
        for term in (t for terms in only.values() for t in terms):
            status = told[term][0].status
            above, below = (status, None) if first else (None, status)
            notes = [self._beside[term]] if term in self._beside else []
            yield self._box(term, notes, told[term][:1], above=above, below=below)

    def _box(
        self,
        term: str,
        notes: Sequence[str],
        said: Sequence[Saying],
        *,
        above: Status | None,
        below: Status | None,
    ) -> Box:
        label = self._label(term)
        tips = [f"{label} ({term})", *notes, *(self._said(s) for s in said)]
        return Box(term, kind_of(term), label, tuple(notes), "\n".join(tips), above, below)

    def _own(self, shared: SharedTerm) -> Iterator[str]:
        """The narrower term of a side that has one."""
        for steps, said in zip(shared.steps, (shared.left[0], shared.right[0]), strict=True):
            if steps:
                yield f"{self._name(said)}: {self._label(said.target)}"

    def _differing(self, term: str) -> Iterator[str]:
        """Values, results and roles in which the sides differ."""
        for c in self._found.contrasts:
            if c.term == term and c.about is not About.STATUS:
                one, other = (_WORDS.get(w, (w, w))[self._korean] for w in c.words)
                yield f"{self._name(c.left)}: {one} · {self._name(c.right)}: {other}"

    def _counterparts(self) -> Iterator[tuple[str, str]]:
        """For each term that stands for the same circumstance as one of the other side: which."""
        for path in self._found.paths:
            if path.kind is PathKind.COUNTERPART:
                one, other = path.steps[0].sayings[0], path.steps[-1].sayings[0]
                for mine, theirs in ((one, other), (other, one)):
                    kind = KINDS[kind_of(theirs.target)][self._korean]
                    told = f"{self._name(theirs)}: {self._label(theirs.target)} ({kind})"
                    yield mine.target, f"≈ {told}"

    def _said(self, saying: Saying) -> str:
        """Whose claim it is, how sure, and its words."""
        _, en, ko = STATUS[saying.status]
        words = dict(saying.statement)
        spans = saying.evidence
        span = next((s for s in spans if s.lang == self._found.lang), spans[0])
        text = words.get(self._found.lang) or f"“{span.quote}”"
        return f"{self._name(saying)} ({ko if self._korean else en}): {text}"

    def _label(self, term: str) -> str:
        return self._found.labels[term]

    def _name(self, saying: Saying) -> str:
        return name_of(saying.case_id, self._korean)


_WORDS = {
    "worked": ("worked", "효과 있음"),
    "partly": ("partly worked", "일부 효과"),
    "failed": ("failed", "효과 없음"),
    "detected": ("found it", "감지함"),
    "diagnosed": ("found it", "진단함"),
    "missed": ("missed it", "놓침"),
}
