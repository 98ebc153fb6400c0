"""The results of a search: hits with reasons, and the honest "nothing similar"."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kg.queries.sharing import SameCause
from kg.vocab import Tag


@dataclass(frozen=True)
class HitPassage:
    """A passage of a case that is near the query: where it stands, its text and its cosine."""

    field: str
    lang: str
    start: int
    end: int
    text: str
    score: float


@dataclass(frozen=True)
class HitTerm:
    """A term that query and case share, with its kind, its rarity and the case's status of it."""

    term: str
    kind: str
    label: str
    rarity: float
    status: str


@dataclass(frozen=True)
class Hit:
    """A case that is like the query.

    Attributes:
        id, title: the case.
        score: higher is nearer; the sum of `parts`. Of a text: weighted standard deviations above
            the mean case, to be compared within one answer only. Of a case: 0 to 1.
        parts: what each lane contributes (`dense`, `words`, `graph`, and `late` for a text).
        passages: its best passages, nearest first.
        shared: terms in common, the telling ones first.
        probability: that the case is relevant, 0 to 1, fitted on judged questions; None for the
            likeness of two cases, of which nobody judged enough.
        words: query words found in the case, with their share of the words part.
        same_cause: whether a confirmed cause is the same; always unknown for a text, whose writer
            may guess a cause but does not confirm it.
        repeated: further cases that tell the same nearly word for word, folded into this hit.
        difference: in words, what differs when the cause is not known to be the same.
    """

    id: str
    title: str
    score: float
    parts: Mapping[str, float]
    passages: tuple[HitPassage, ...]
    shared: tuple[HitTerm, ...]
    probability: float | None = None
    words: tuple[tuple[str, float], ...] = ()
    repeated: tuple[str, ...] = ()
    same_cause: SameCause = SameCause.UNKNOWN
    difference: str = ""

    @property
    def level(self) -> float:
        """What a threshold is held against: the probability, or the score where there is none."""
        return self.score if self.probability is None else self.probability

    @property
    def found_words(self) -> tuple[str, ...]:
        """The query words found in the case, without pieces of other ones among them.

        Korean is searched by whole words and by pairs of syllables as well.
        """
        found = [word for word, _ in self.words]
        return tuple(w for w in found if not any(w != other and w in other for other in found))

    def hundredths(self) -> dict[str, int]:
        """The parts in hundredths, rounded so that they add up to the rounded score.

        Those cut furthest from their value are rounded up, ties by name (the method of Hamilton,
        of the largest remainder).
        """
        exact = {lane: 100 * value for lane, value in self.parts.items()}
        whole = {lane: math.floor(value) for lane, value in exact.items()}
        left = round(100 * self.score) - sum(whole.values())
        for lane in sorted(exact, key=lambda lane: (whole[lane] - exact[lane], lane))[:left]:
            whole[lane] += 1
        return whole


@dataclass(frozen=True)
class Hits:
    """The answer to a search.

    Iterating gives only the hits that reach the threshold. `weaker` keeps the nearest ones
    below it, so that the case just under the line can still be seen. `understood` are the terms
    found in the query, `message` says in words when nothing is similar.
    """

    query: str
    items: tuple[Hit, ...]
    weaker: tuple[Hit, ...]
    threshold: float
    understood: tuple[Tag, ...]
    lang: str
    message: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", _message(self.items, self.weaker, self.lang))

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Hit:
        return self.items[index]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the hits, nearest first."""
        return tuple(hit.id for hit in self.items)

    def above(self, threshold: float) -> Hits:
        """The same answer with another threshold, over the hits that were kept."""
        every = (*self.items, *self.weaker)
        return Hits(
            self.query,
            tuple(h for h in every if h.level >= threshold),
            tuple(h for h in every if h.level < threshold),
            threshold,
            self.understood,
            self.lang,
        )

    def _repr_html_(self) -> str:
        from kg.queries.views import hits_view

        return hits_view(self)


def _message(items: Sequence[Hit], weaker: Sequence[Hit], lang: str) -> str:
    if items:
        return ""
    if not weaker:
        return (
            "견줄 사례가 남아 있지 않습니다."
            if lang == "ko"
            else "No case is left to compare with."
        )
    near = weaker[0]
    if near.probability is None:
        return _below(near, f"{near.score:.2f}", lang)
    return _unlikely(near, near.probability, lang)


def _below(near: Hit, score: str, lang: str) -> str:
    if lang == "ko":
        return (
            f"비슷한 사례가 없습니다. 가장 가까운 {near.id}의 점수는 {score}로 기준에 못 미칩니다."
        )
    return f"No case is like this one. The nearest, {near.id}, scores {score}, below the line."


def _unlikely(near: Hit, probability: float, lang: str) -> str:
    percent = f"{100 * probability:.0f}"
    if lang == "ko":
        return (
            f"비슷한 사례가 없습니다. 가장 가까운 {near.id}도 관련 있을 확률이 {percent}%로 "
            "기준에 못 미칩니다."
        )
    return (
        f"Nothing in this library is like this. The nearest, {near.id}, is relevant with a "
        f"probability of {percent} %, below the line."
    )
