"""Similar cases with their reasons: what they share, where they say so, what differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.queries import Hit
from kg.queries.hits import HitPassage
from kg.rca.wording import share
from kg.server.pages.marking import Quotation, quotation
from kg.server.pages.names import CaseName, Names, StatedTerm

if TYPE_CHECKING:
    from kg.library import Library

PASSAGES = 2
"""So many passages of a hit are quoted."""

SHARED = 8
"""So many shared terms of a hit are named."""


@dataclass(frozen=True)
class HitView:
    """A similar case.

    Attributes:
        level: the probability that it is relevant to a text, in words; "" of two cases.
        score, parts: how near it is, and what each lane gives to that, as (lane, score).
        shared: terms in common, the telling ones first, with the status that the case gives them.
        more: how many further terms it shares.
        words: words of the query that stand in it.
        passages: its best passages, in their paragraphs.
        same_cause: yes, no or unknown.
        difference: what differs, in words.
        repeated: cases that tell the same nearly word for word.
        beside: the case that it is like; None for a text.
    """

    name: CaseName
    level: str
    score: str
    parts: tuple[tuple[str, str], ...]
    shared: tuple[StatedTerm, ...]
    more: int
    words: tuple[str, ...]
    passages: tuple[Quotation, ...]
    same_cause: str
    difference: str
    repeated: tuple[CaseName, ...]
    beside: str | None

    @property
    def reasons(self) -> bool:
        """Whether anything can be named beyond the score."""
        return bool(self.shared or self.words or self.passages)


def hit_views(
    library: Library, hits: Iterable[Hit], names: Names, beside: str | None = None
) -> tuple[HitView, ...]:
    """Hits as a page shows them, in order."""
    return tuple(_view(library, hit, names, beside) for hit in hits)


def _view(library: Library, hit: Hit, names: Names, beside: str | None) -> HitView:
    return HitView(
        name=names.case(hit.id),
        level="" if hit.probability is None else share(hit.probability, names.lang),
        score=f"{hit.score:.2f}",
        parts=tuple(
            (names.word(f"lane.{lane}"), f"{x / 100:.2f}") for lane, x in hit.hundredths().items()
        ),
        shared=tuple(StatedTerm(names.term(t.term), t.status) for t in hit.shared[:SHARED]),
        more=max(0, len(hit.shared) - SHARED),
        words=hit.found_words,
        passages=tuple(
            _passage(library, hit.id, p) for p in _in_language(hit.passages, names.lang)
        ),
        same_cause=str(hit.same_cause),
        difference=hit.difference,
        repeated=tuple(names.case(i) for i in hit.repeated),
        beside=beside,
    )


def _in_language(passages: Sequence[HitPassage], lang: str) -> Sequence[HitPassage]:
    """The best passages in the language of the page; those of another where it has none."""
    mine = [p for p in passages if p.lang == lang]
    return (mine or list(passages))[:PASSAGES]


def _passage(library: Library, case_id: str, passage: HitPassage) -> Quotation:
    text = library.cases[case_id].text(passage.field, passage.lang)
    return quotation(text, passage.start, passage.end, passage.field, passage.lang, room=60)
