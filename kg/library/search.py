"""From lane scores to hits: ranking, reasons, and the line below which nothing is similar."""

from __future__ import annotations

from collections.abc import Sequence

from kg.graph import IncidentGraph
from kg.graph.compact import widen
from kg.library.lanes import LANES, Lanes, LaneScores
from kg.model import Status
from kg.queries import Hit, HitPassage, Hits, HitTerm, SameCause, same_cause, shared_terms
from kg.queries.sharing import KIND_WEIGHTS
from kg.queries.tell import difference
from kg.store import Snapshot
from kg.vocab import Tag

THRESHOLD = 0.15
"""Scores below this are not called similar. Set on the questions of datasets/eval that are not
kept for the test, where it answers 93 % of those that have an answer and refuses 42 % of those that
have none; a calibrated probability has its own place."""

PASSAGES = 3
WORDS = 6
WEAKER = 3


class Searcher:
    """Turns lane scores into hits with reasons."""

    def __init__(self, snapshot: Snapshot, graph: IncidentGraph, lanes: Lanes) -> None:
        self._snapshot = snapshot
        self._graph = graph
        self._lanes = lanes
        self._vocabulary = snapshot.vocabulary

    def by_text(
        self,
        text: str,
        scores: LaneScores,
        tags: Sequence[Tag],
        allowed: Sequence[str],
        k: int,
        threshold: float,
        lang: str,
    ) -> Hits:
        """The hits of a text query among the allowed cases."""
        named = {t.term for t in tags if not t.negated}
        ranked = self._ranked(scores, allowed)
        hits = [
            self._hit(scores, i, self._terms_of_query(named, i, lang), self._words(text, i),
                      SameCause.UNKNOWN, "", lang)
            for i in ranked[: k + WEAKER]
        ]  # fmt: skip
        return self._split(text, hits, k, threshold, tags, lang)

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
        hits = []
        for other in self._ranked(scores, allowed)[: k + WEAKER]:
            verdict = same_cause(self._graph, self._vocabulary, case_id, other)
            differs = difference(self._graph, self._vocabulary, case_id, other, verdict, lang)
            shared = self._terms_of_pair(case_id, other, lang)
            hits.append(self._hit(scores, other, shared, (), verdict, differs, lang))
        return self._split(case_id, hits, k, threshold, (), lang)

    def _ranked(self, scores: LaneScores, allowed: Sequence[str]) -> list[str]:
        total = scores.total
        row = self._lanes.row
        return sorted(allowed, key=lambda i: (-round(float(total[row[i]]), 6), i))

    def _hit(
        self,
        scores: LaneScores,
        case_id: str,
        shared: tuple[HitTerm, ...],
        words: tuple[tuple[str, float], ...],
        verdict: SameCause,
        differs: str,
        lang: str,
    ) -> Hit:
        row = self._lanes.row[case_id]
        parts = {lane: round(float(scores.parts[lane][row]), 6) for lane in LANES}
        return Hit(
            id=case_id,
            title=self._snapshot.cases[row].name(lang),
            score=round(sum(parts.values()), 6),
            parts=parts,
            passages=self._passages(scores, case_id),
            shared=shared,
            words=words,
            same_cause=verdict,
            difference=differs,
        )

    def _passages(self, scores: LaneScores, case_id: str) -> tuple[HitPassage, ...]:
        found = []
        for number, cosine in self._lanes.best_passages(scores, case_id, PASSAGES):
            p = self._snapshot.passages[number]
            found.append(HitPassage(p.field, p.lang, p.start, p.end, p.text, round(cosine, 4)))
        return tuple(found)

    def _words(self, text: str, case_id: str) -> tuple[tuple[str, float], ...]:
        parts = self._lanes.word_index.explain(text, self._lanes.row[case_id])
        whole = sum(value for _, value in parts)
        return tuple((word, round(value / whole, 4)) for word, value in parts[:WORDS] if whole)

    def _terms_of_query(self, named: set[str], case_id: str, lang: str) -> tuple[HitTerm, ...]:
        """Terms of the query that the case states, itself or in a broader form."""
        mine = self._graph.terms.row(case_id)
        wanted = widen(dict.fromkeys(named, 1.0), self._vocabulary)
        shared = set(mine) & set(wanted)
        # A broader term says nothing new where a narrower one is already shared.
        told = {
            t for t in shared
            if not any(t != s and t in self._vocabulary.broader_steps(s) for s in shared)
        }  # fmt: skip
        found = [
            self._hit_term(t, self._status(t, case_id), lang)
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

    def _status(self, term: str, case_id: str) -> Status:
        below = self._vocabulary.narrower_all(term)
        edges = [e for e in self._graph.edges_of(case_id) if e.target in below]
        confirmed = any(e.status is Status.CONFIRMED for e in edges)
        return Status.CONFIRMED if confirmed else Status.SUSPECTED

    def _split(
        self,
        query: str,
        hits: list[Hit],
        k: int,
        threshold: float,
        tags: Sequence[Tag],
        lang: str,
    ) -> Hits:
        items = tuple(h for h in hits if h.score >= threshold)[:k]
        weaker = tuple(h for h in hits if h.score < threshold)[:WEAKER]
        return Hits(query, items, weaker, threshold, tuple(tags), lang)
