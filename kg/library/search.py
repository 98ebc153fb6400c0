"""From lane scores to hits: ranking, reasons, and the line below which nothing is similar."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embeddings import Ranking, diverse, folded
from kg.errors import BadQuery
from kg.graph import IncidentGraph
from kg.graph.compact import widen
from kg.library.confidence import probabilities
from kg.library.fitted import default_threshold, probability_parameters
from kg.library.lanes import Lanes, LaneScores
from kg.library.text_lanes import LANES, TextLanes
from kg.model import Case, Status
from kg.model.text import language_of
from kg.queries import Hit, HitPassage, Hits, HitTerm, same_cause, shared_terms
from kg.queries.mentions import Mentions
from kg.queries.sharing import KIND_WEIGHTS
from kg.queries.tell import difference
from kg.store import Snapshot
from kg.vocab import Tag

THRESHOLD = default_threshold()
"""Cases less likely than this to be relevant are not called similar."""

PASSAGES = 3
WORDS = 6
WEAKER = 3
STATED = 10_000
"""Cases whose terms are kept at hand between searches."""
SPARE = 20
"""Further cases looked at, so that folding repeated ones and diversity have some to choose from."""


class Searcher:
    """Turns lane scores into hits with reasons."""

    def __init__(
        self, snapshot: Snapshot, graph: IncidentGraph, lanes: Lanes, text_lanes: TextLanes
    ) -> None:
        self._snapshot = snapshot
        self._graph = graph
        self._lanes = lanes
        self._text_lanes = text_lanes
        self._vocabulary = snapshot.vocabulary
        self._mentions = Mentions(snapshot.vocabulary)
        self._stated = lru_cache(STATED)(lambda case_id: frozenset(graph.terms.row(case_id)))
        self._confirmed = lru_cache(STATED)(self._confirmed_by)

    def by_text(
        self,
        text: str,
        ranking: Ranking,
        tags: Sequence[Tag],
        allowed: Sequence[str],
        k: int,
        threshold: float,
        lang: str,
        diversity: float = 0.0,
        likely: NDArray[np.float64] | None = None,
    ) -> Hits:
        """The hits of a text query among the allowed cases.

        `likely`: the probability of each case that it is relevant, by which they are then ranked;
        that of the ranking where not given.
        """
        named = self.named(tags)
        if likely is None:
            likely, standing = self.likely(text, ranking), ranking.total
        else:
            order = np.lexsort((-np.round(ranking.total, 6), -likely))
            standing = np.empty(len(order))
            standing[order] = -np.arange(len(order), dtype=np.float64)
        chosen = self._chosen(standing, allowed, k + WEAKER, diversity)
        levels = [float(likely[self._lanes.row[case_id]]) for case_id, _ in chosen]

        def hit(number: int) -> Hit:
            case_id, repeated = chosen[number]
            return self._hit(
                case_id,
                _parts(ranking.parts, self._lanes.row[case_id]),
                self._text_lanes.best_passages(ranking, case_id, PASSAGES),
                self._terms_of_query(named, case_id, lang),
                lang,
                words=self._words(text, case_id),
                probability=levels[number],
                repeated=repeated,
            )

        return _split(text, levels, hit, k, threshold, tags, lang)

    def named(self, tags: Sequence[Tag]) -> Mapping[str, float]:
        """The terms that a text names and does not deny, widened up the hierarchy."""
        return widen({t.term: 1.0 for t in tags if not t.negated}, self._vocabulary)

    def word_hit(
        self,
        text: str,
        case_id: str,
        ranking: Ranking,
        named: Mapping[str, float],
        passages: tuple[HitPassage, ...],
        lang: str,
    ) -> Hit:
        """A hit of a ranking by words alone; `passages` are those that have them."""
        parts = _parts(ranking.parts, self._lanes.row[case_id])
        shared = self._terms_of_query(named, case_id, lang)
        hit = self._hit(case_id, parts, (), shared, lang, words=self._words(text, case_id))
        return replace(hit, passages=passages)

    def likely(self, text: str, ranking: Ranking) -> NDArray[np.float64]:
        """The probability of each case that it is relevant to a text, (cases,), 0 to 1."""
        return probabilities(
            ranking, language_of(text), probability_parameters(), self._text_lanes.comparable
        )

    def by_case(
        self,
        case_id: str,
        scores: LaneScores,
        allowed: Sequence[str],
        k: int,
        threshold: float,
        lang: str,
    ) -> Hits:
        """The hits of a case among the allowed others."""
        others = self._ranked(scores.total, allowed)[: k + WEAKER]
        parts = [_parts(scores.parts, self._lanes.row[other]) for other in others]

        def hit(number: int) -> Hit:
            other = others[number]
            verdict = same_cause(self._graph, self._vocabulary, case_id, other)
            pair = (self._case(case_id), self._case(other))
            return self._hit(
                other,
                parts[number],
                self._lanes.best_passages(scores, other, PASSAGES),
                self._terms_of_pair(case_id, other, lang),
                lang,
                same_cause=verdict,
                difference=difference(
                    self._graph, self._vocabulary, *pair, verdict, lang, self._mentions
                ),
            )

        levels = [_score(part) for part in parts]
        return _split(case_id, levels, hit, k, threshold, (), lang)

    def _chosen(
        self, standing: NDArray[np.float64], allowed: Sequence[str], count: int, diversity: float
    ) -> list[tuple[str, tuple[str, ...]]]:
        """The cases to show, each with those that tell the same and are folded into it."""
        best = self._ranked(standing, allowed)[: count + SPARE]
        rows = [self._lanes.row[i] for i in best]
        vectors = self._text_lanes.case_vectors[rows]
        owner = folded(vectors)
        own = [i for i in range(len(best)) if owner[i] == i]
        if diversity:
            scores = [float(standing[rows[i]]) for i in own]
            own = [own[i] for i in diverse(scores, vectors[own], count, diversity)]
        return [
            (best[i], tuple(best[j] for j in range(len(best)) if j != i and owner[j] == i))
            for i in own[:count]
        ]

    def _ranked(self, total: NDArray[np.float64], allowed: Sequence[str]) -> list[str]:
        """The allowed cases, which come in order of their ids, best first, ties by id."""
        scores = total[[self._lanes.row[i] for i in allowed]]
        return [allowed[n] for n in np.argsort(-np.round(scores, 6), kind="stable").tolist()]

    def _case(self, case_id: str) -> Case:
        return self._snapshot.cases[self._lanes.row[case_id]]

    def _hit(
        self,
        case_id: str,
        parts: dict[str, float],
        passages: Sequence[tuple[int, float]],
        shared: tuple[HitTerm, ...],
        lang: str,
        **more: Any,
    ) -> Hit:
        return Hit(
            id=case_id,
            title=self._snapshot.cases[self._lanes.row[case_id]].name(lang),
            score=_score(parts),
            parts=parts,
            passages=tuple(self._passage(*found) for found in passages),
            shared=shared,
            **more,
        )

    def _passage(self, number: int, cosine: float) -> HitPassage:
        p = self._snapshot.passages[number]
        return HitPassage(p.field, p.lang, p.start, p.end, p.text, round(cosine, 4))

    def _words(self, text: str, case_id: str) -> tuple[tuple[str, float], ...]:
        parts = self._text_lanes.words_of(text, case_id)
        whole = sum(value for _, value in parts)
        return tuple((word, round(value / whole, 4)) for word, value in parts[:WORDS] if whole)

    def _terms_of_query(
        self, named: Mapping[str, float], case_id: str, lang: str
    ) -> tuple[HitTerm, ...]:
        """Terms of the query that the case states, itself or in a broader form.

        `named` is the query's terms, widened.
        """
        shared = self._stated(case_id) & named.keys()
        # A broader term says nothing new where a narrower one is already shared.
        broader = (self._vocabulary.broader_steps(t).keys() - {t} for t in shared)
        told = shared.difference(*broader)
        sure = self._confirmed(case_id)
        found = [
            self._hit_term(t, Status.CONFIRMED if t in sure else Status.SUSPECTED, lang)
            for t in told
            if t.partition(":")[0] in KIND_WEIGHTS
        ]
        return tuple(sorted(found, key=lambda t: (-t.rarity * KIND_WEIGHTS[t.kind], t.term)))

    def _terms_of_pair(self, a: str, b: str, lang: str) -> tuple[HitTerm, ...]:
        shared = shared_terms(self._graph, self._vocabulary, a, b)
        ranked = sorted(shared, key=lambda s: (-s.weight, s.term))
        return tuple(self._hit_term(s.term, s.status, lang) for s in ranked)

    def _hit_term(self, term: str, status: Status, lang: str) -> HitTerm:
        label = self._vocabulary.terms[term].label.best(lang)
        rarity = round(self._graph.terms.rarity_by_term(term), 4)
        return HitTerm(term, term.partition(":")[0], label, rarity, str(status))

    def _confirmed_by(self, case_id: str) -> frozenset[str]:
        """The terms that a case confirms, and all that are broader."""
        told = {e.target for e in self._graph.edges_of(case_id) if e.status is Status.CONFIRMED}
        sure = told & self._vocabulary.terms.keys()
        return frozenset(b for t in sure for b in self._vocabulary.broader_steps(t))


def _split(
    query: str,
    levels: Sequence[float],
    hit: Callable[[int], Hit],
    k: int,
    threshold: float,
    tags: Sequence[Tag],
    lang: str,
) -> Hits:
    """The answer: candidates by what the threshold is held against, best first, made on demand."""
    enough = [n for n, level in enumerate(levels) if level >= threshold][:k]
    weaker = [n for n, level in enumerate(levels) if level < threshold][:WEAKER]
    found = tuple(map(hit, enough)), tuple(map(hit, weaker))
    return Hits(query, *found, threshold, tuple(tags), lang)


def _score(parts: Mapping[str, float]) -> float:
    return round(sum(parts.values()), 6)


def _parts(lanes: Mapping[str, NDArray[np.float64]], row: int) -> dict[str, float]:
    return {lane: round(float(part[row]), 6) for lane, part in lanes.items()}


def check_size(k: int, threshold: float) -> None:
    """Raises BadQuery unless k is 1 or more and the threshold from 0 to 1."""
    if k < 1:
        raise BadQuery(f"k must be 1 or more, not {k}")
    if not 0 <= threshold <= 1:
        raise BadQuery(f"threshold must be a number from 0 to 1, not {threshold}")


def check_lanes(without: Sequence[str], diversity: float) -> None:
    """Raises BadQuery for an unknown lane, or a diversity that is not from 0 to 1."""
    unknown = [without] if isinstance(without, str) else sorted(set(without) - set(LANES))
    if unknown:
        raise BadQuery(f"no lane {unknown[0]!r} to leave out; give a list of {', '.join(LANES)}")
    if not 0 <= diversity <= 1:
        raise BadQuery(f"diversity must be a number from 0 to 1, not {diversity}")
