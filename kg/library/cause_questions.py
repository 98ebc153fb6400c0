"""Predicting the cause of each shipped incident from its symptoms alone, itself left out.

The question is the stored symptom text, in one language. The case and the other parts of its
report are not learned from; nothing of its cause, mitigation, lesson or summary is read. Everything
that is learned (regressions, shares, weights, probabilities, the rule of sets) comes from the other
cases. Only the rarity of words in the lanes of search, and the middle of the vectors, are those of
the whole library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from embeddings import embed_queries
from embeddings.evaluate.baselines import bm25
from kg.library import Library
from kg.library.cause_judging import Answers, SetRule, fit_rule, marks_of, row_of, smoothed
from kg.library.root_causes import SEEN, RootCauses
from kg.rca.causes import Causes, confirmed_causes, incidents_of
from kg.rca.evidence import KINDS
from kg.rca.prediction import CausePredictor, Sighting

Scores = NDArray[np.float64]
Marks = NDArray[np.bool_]
Progress = Callable[[str, int, int], None]

LANGUAGES = ("en", "ko")
LEVELS = (2, 1, None)
BASELINES = ("majority", "BM25 neighbour", "dense neighbour", "search neighbour")
_STEP = 16


def report_of(case_id: str) -> str:
    """The report of a case: `KG-0033a` and `KG-0033b` are parts of one."""
    return re.sub(r"(?<=\d)[a-z]$", "", case_id)


@dataclass(frozen=True)
class Question:
    """The symptoms of a case in a language, as the predictor sees them."""

    case: str
    lang: str
    text: str
    sighting: Sighting


class Questions:
    """All questions of a library, with what plain methods answer.

    Attributes:
        cases: incidents with a confirmed cause, sorted.
        asked: by language, a question a case, in order of `cases`.
    """

    def __init__(self, library: Library, root: RootCauses | None = None) -> None:
        """`root`: where the predictors come from; the library's own where not given."""
        self._library = library
        self.root = root or root_causes(library)
        stated = confirmed_causes(library.graph, incidents_of(library.graph))
        self.cases = tuple(c for c in stated if all(
            library.cases[c].text(SEEN, lang) for lang in LANGUAGES))  # fmt: skip
        self._stated = {c: stated[c] for c in self.cases}
        self.causes = Causes(library.vocabulary, {t for s in stated.values() for t in s})
        self._row = {c: i for i, c in enumerate(self.cases)}
        self._dense: dict[str, Scores] = {}
        self._search: dict[str, Scores] = {}
        self.asked = {lang: self._ask(lang) for lang in LANGUAGES}

    def truths(self, level: int | None) -> list[frozenset[str]]:
        """The causes of each case at a level."""
        return [self._at(c, level) for c in self.cases]

    def names(self, level: int | None) -> list[str]:
        """The causes of a level that some case has, sorted."""
        return sorted(frozenset().union(*self.truths(level)))

    def report(self, case_id: str) -> set[str]:
        """The case and the other parts of its report, in the whole library."""
        return {c for c in self._library.cases if report_of(c) == report_of(case_id)}

    def domain(self, case_id: str) -> str:
        """The domain of a case."""
        return self._library.cases[case_id].domain

    def others(self, case_id: str) -> Marks:
        """Which cases may be learned from, (cases,)."""
        gone = self.report(case_id)
        return np.array([c not in gone for c in self.cases])

    def sharing(self, case_id: str) -> set[str]:
        """All cases that share a second-level cause with a case, with their reports."""
        mine = self._at(case_id, 2)
        found = {c for c in self.cases if self._at(c, 2) & mine}
        return {other for c in found | {case_id} for other in self.report(c)}

    def is_known(self, case_id: str, learned_from: Collection[str]) -> bool:
        """Whether one of these cases has a second-level cause of the case."""
        mine = self._at(case_id, 2)
        return any(self._at(c, 2) & mine for c in learned_from if c in self._row)

    def neighbours(self, method: str, lang: str, level: int | None) -> Answers:
        """What a plain method answers at a level.

        The majority is the most frequent causes of the other cases. A neighbour answers with the
        causes of the nearest other case, as a set, the most frequent first; then come those of
        the next.
        """
        names = self.names(level)
        true = marks_of(self.truths(level), names)
        scores = np.zeros(true.shape)
        told = np.zeros(true.shape, dtype=bool)
        for row, case_id in enumerate(self.cases):
            kept = self.others(case_id)
            often = true[kept].sum(axis=0)
            if method == BASELINES[0]:
                scores[row] = often
                told[row, int(scores[row].argmax())] = True
            else:
                near = np.where(kept, self._likeness(method, lang)[row], -np.inf)
                order = np.argsort(-near, kind="stable")
                rank = np.empty(len(order))
                rank[order] = np.arange(len(order))
                first = np.where(true & kept[:, None], rank[:, None], np.inf).min(axis=0)
                scores[row] = often / (1.0 + len(order)) - first
                told[row] = true[order[0]]
        return Answers.of(scores, told, true)

    def _likeness(self, method: str, lang: str) -> Scores:
        """How like each question every case is, (questions, cases)."""
        if method == BASELINES[1]:
            return self._words[lang]
        return (self._dense if method == BASELINES[2] else self._search)[lang]

    @cached_property
    def _words(self) -> Mapping[str, Scores]:
        """BM25 of each question against the whole texts of the cases, in its language."""
        found = {}
        for lang, asked in self.asked.items():
            texts = [
                "\n".join(t for _, code, t in self._library.cases[c].texts() if code == lang)
                for c in self.cases
            ]
            found[lang] = np.stack(list(bm25(texts, [q.text for q in asked]))).astype(float)
        return found

    def _at(self, case_id: str, level: int | None) -> frozenset[str]:
        return frozenset(a for t in self._stated[case_id] for a in self.causes.at(t, level))

    def _ask(self, lang: str) -> list[Question]:
        """Embed and rank; what search says of the case's own report is left out."""
        library, lanes = self._library, self._library._text_lanes
        texts = [library.cases[c].text(SEEN, lang) for c in self.cases]
        rows = [lanes.row[c] for c in self.cases]
        asked, dense, search = [], [], []
        for start in range(0, len(texts), _STEP):
            some = embed_queries(library.encoder, texts[start : start + _STEP])
            for number, query in enumerate(some, start):
                case_id, text = self.cases[number], texts[number]
                ranking = lanes.rank(query, library.labels(text), lanes.ids)
                dense.append(ranking.lanes["dense"][rows])
                search.append(ranking.total[rows])
                gone = self.report(case_id)
                likeness = zip(lanes.ids, ranking.total.tolist(), strict=True)
                near = {c: value for c, value in likeness if c not in gone}
                seen = self.root.sighting(text, query, self.root.tagged(text), near)
                asked.append(Question(case_id, lang, text, seen))
        self._dense[lang], self._search[lang] = np.stack(dense), np.stack(search)
        return asked


@dataclass(frozen=True)
class Predicted:
    """What the predictor says of all questions, by language and level.

    Attributes:
        answers: with the sets of the rule that was fitted on the other cases.
        chance: the probabilities, (questions, names of the level).
        novelty: by language, a number a case.
    """

    answers: Mapping[tuple[str, int | None], Answers]
    chance: Mapping[tuple[str, int | None], Scores]
    novelty: Mapping[str, Scores]


def predict_all(
    questions: Questions,
    progress: Progress,
    levels: Sequence[int | None] = LEVELS,
    kinds: Collection[str] = KINDS,
) -> Predicted:
    """Predict every case with a predictor that has seen nothing of its report."""
    names = {level: questions.names(level) for level in levels}
    true = {level: marks_of(questions.truths(level), names[level]) for level in levels}
    chance = {(lang, v): np.zeros(true[v].shape) for lang in LANGUAGES for v in levels}
    told = {key: np.zeros(rows.shape, dtype=bool) for key, rows in chance.items()}
    novelty = {lang: np.zeros(len(questions.cases)) for lang in LANGUAGES}
    for row, case_id in enumerate(questions.cases):
        predictor = questions.root.learned(questions.report(case_id), kinds)
        for level in levels:
            rule, shares = _rule(predictor, level, names[level])
            for lang in LANGUAGES:
                asked = questions.asked[lang][row].sighting
                found = {p.cause: p.probability for p in predictor.predict(asked, level)}
                chance[lang, level][row] = row_of(found, names[level])
                told[lang, level][row] = rule.told(chance[lang, level][row][None], shares)[0]
        for lang in LANGUAGES:
            novelty[lang][row] = predictor.novelty(questions.asked[lang][row].sighting)
        progress("predicting", row + 1, len(questions.cases))
    answers = {k: Answers.of(chance[k], told[k], true[k[1]]) for k in chance}
    return Predicted(answers, chance, novelty)


def _rule(
    predictor: CausePredictor, level: int | None, names: Sequence[str]
) -> tuple[SetRule, Scores]:
    """The rule of sets, and the shares of causes, from the cases that were learned from."""
    left_out = predictor.left_out(level)
    column = {c: i for i, c in enumerate(left_out.causes)}
    known = [c in column for c in names]
    kept = [column[c] for c in names if c in column]
    chance, marks = np.zeros((2, len(left_out.cases), len(names)))
    chance[:, known], marks[:, known] = left_out.probabilities[:, kept], left_out.marks[:, kept]
    return fit_rule(chance, marks > 0), smoothed(marks > 0)


def root_causes(library: Library) -> RootCauses:
    """What predictors of a library are made from."""
    return RootCauses(
        library._snapshot, library.graph, library._text_lanes, library.encoder, library._tagger
    )
