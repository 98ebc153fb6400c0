"""Predicting root causes over a library: cases as a predictor learns them, a text as it is seen.

A case is learned by what is told of it besides its cause, and practised on by its symptoms alone,
in every language that it has: so the weights fit what somebody on call can tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embeddings import tokenize
from kg.library.tag_lane import surest
from kg.model import CaseKind
from kg.rca.evidence import KINDS
from kg.rca.prediction import CausePredictor, Sighting
from kg.vocab import term_texts

if TYPE_CHECKING:
    from embeddings import EmbeddedQuery, Encoder
    from kg.graph import IncidentGraph
    from kg.library.text_lanes import TextLanes
    from kg.store import Snapshot
    from kg.vocab import Tag, Tagger

    Floats = NDArray[np.float32]

TOLD = ("title", "summary", "symptom", "impact")
"""The fields by which a case is learned: what is told of it besides its cause."""
SEEN = "symptom"
"""The field by which the predictor practises."""


class RootCauses:
    """What a predictor needs of a library, made once and cheap to leave cases out of."""

    def __init__(
        self,
        snapshot: Snapshot,
        graph: IncidentGraph,
        lanes: TextLanes,
        encoder: Encoder,
        tagger: Tagger,
    ) -> None:
        """`lanes`: over all languages of the snapshot; `tagger`: finds the names of terms."""
        self._snapshot, self._graph, self._lanes = snapshot, graph, lanes
        self._encoder, self._tagger = encoder, tagger

    @cached_property
    def predictor(self) -> CausePredictor:
        """Learned from all incidents of the library."""
        return self.learned()

    def learned(
        self, without: Collection[str] = (), kinds: Collection[str] = KINDS
    ) -> CausePredictor:
        """A predictor that has seen nothing of some cases; the library holds them still.

        `kinds`: the kinds of evidence that count.
        """
        kept = [
            c.id
            for c in self._snapshot.cases
            if c.kind is CaseKind.INCIDENT and c.id not in without
        ]
        known = set(kept)
        return CausePredictor(
            self._graph,
            self._snapshot.vocabulary,
            self._case_vectors,
            incidents=kept,
            term_vectors=self._term_vectors,
            tokenize=tokenize,
            practice=[pair for pair in self._practice if pair[0] in known],
            kinds=kinds,
        )

    def sighting(
        self,
        text: str,
        query: EmbeddedQuery,
        terms: Mapping[str, float],
        likeness: Mapping[str, float],
        ruled_out: Iterable[str] = (),
    ) -> Sighting:
        """A text as the predictor sees it.

        Args:
            text: what was written.
            query: the same, embedded.
            terms: terms seen -> confidence, 0 to 1.
            likeness: case id -> how like the text it is.
            ruled_out: terms that are out of question.
        """
        centre = self._lanes.retriever.centre
        vectors = centre.queries(query.vectors) if centre else query.vectors - self._middle
        return Sighting(
            likeness, terms, frozenset(ruled_out), _mean(vectors), frozenset(tokenize(text))
        )

    def tagged(self, text: str) -> dict[str, float]:
        """The terms that a text names and does not deny, each as sure as its surest place."""
        tags: Sequence[Tag] = self._tagger.tag(text)
        return surest(tags)

    @cached_property
    def _middle(self) -> Floats:
        """Where the vectors lie, for an encoder whose middles were not measured."""
        vectors = self._snapshot.vectors
        if not len(vectors):
            return np.zeros(vectors.shape[1], np.float32)
        return np.asarray(vectors.mean(axis=0), np.float32)

    @cached_property
    def _passages(self) -> Floats:
        """The vectors of all passages seen from the middle, (passages, dimension)."""
        vectors = self._lanes.retriever.index.vectors
        return vectors if self._lanes.retriever.centre else vectors - self._middle

    @cached_property
    def _case_vectors(self) -> dict[str, Floats]:
        return self._means({}, TOLD)

    @cached_property
    def _term_vectors(self) -> dict[str, Floats]:
        """The vectors of the descriptions of each cause, as a build embeds them."""
        texts = [t for t in term_texts(self._snapshot.vocabulary) if t[0].startswith("cause:")]
        vectors = self._encoder.encode_passages([text for _, _, text in texts])
        rows: dict[str, list[int]] = {}
        for row, (term, _, _) in enumerate(texts):
            rows.setdefault(term, []).append(row)
        return {term: vectors[mine] for term, mine in rows.items()}

    @cached_property
    def _practice(self) -> list[tuple[str, Sighting]]:
        """Every incident as its symptoms alone show it, once a language."""
        found = []
        for case in self._snapshot.cases:
            vectors = self._symptoms.get(case.id, {})
            for lang, vector in sorted(vectors.items()):
                text = case.text(SEEN, lang)
                seen = Sighting({}, self.tagged(text), frozenset(), vector,
                                frozenset(tokenize(text)))  # fmt: skip
                found.append((case.id, seen))
        return found

    @cached_property
    def _symptoms(self) -> dict[str, dict[str, Floats]]:
        """Case → language → vector of its symptoms."""
        found: dict[str, dict[str, Floats]] = {}
        for lang in sorted({p.lang for p in self._snapshot.passages}):
            for case_id, vector in self._means({lang}, (SEEN,)).items():
                found.setdefault(case_id, {})[lang] = vector
        return found

    def _means(self, languages: Collection[str], fields: Collection[str]) -> dict[str, Floats]:
        """The mean direction of each case's passages of these fields and languages (all: none)."""
        rows: dict[str, list[int]] = {}
        for number, p in enumerate(self._snapshot.passages):
            if p.field in fields and (not languages or p.lang in languages):
                rows.setdefault(p.case_id, []).append(number)
        return {case_id: _mean(self._passages[mine]) for case_id, mine in rows.items()}


def _mean(vectors: Floats) -> Floats:
    """The mean of the directions of vectors, unit length; zero where they cancel out."""
    middle = vectors.mean(axis=0, dtype=np.float64)
    length = float(np.linalg.norm(middle))
    return np.asarray(middle / length if length > 1e-9 else middle, np.float32)
