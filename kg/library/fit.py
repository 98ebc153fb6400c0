"""Fit the parameters of retrieval: `python -m kg.library.fit SETS` in a checkout.

SETS is a folder of sets in the BEIR layout that people judged. From these and the shipped questions
of the split `dev` come the middles of the default encoder's space, the weights of the lanes, the
model of relevance and its threshold. The files are written into the checkout, with where the
numbers come from and what they reached, for a review. Nothing of the split `test` is looked at.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from embeddings import fitted, fuse
from embeddings.calibrate import (
    auroc,
    expected_calibration_error,
    logistic_fit,
    threshold_for_error,
)
from embeddings.centre import FILE as CENTRE_FILE
from embeddings.centre import Centre, forget_centre, write_centre
from embeddings.evaluate import (
    EvalSet,
    JudgedRanking,
    Query,
    fit_weights,
    judged,
    left_out,
    mean_ndcg,
    rankings,
    read_set,
)
from embeddings.evaluate.corpus import build_retriever, passages_of
from embeddings.fitted import FILE as LANES_FILE
from embeddings.fitted import FusionParameters
from kg.library import Library, open_library
from kg.library.build import open_encoder
from kg.library.confidence import agreement, probability_of
from kg.library.evaluation import answerable, library_rankings, read_questions, tag_lane
from kg.library.fitted import FILE as ANSWERS_FILE
from kg.library.fitted import probability_parameters
from kg.library.progress import print_progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from embeddings import Ranking

    Numbers = NDArray[np.float64]

RELEVANT = 2
"""Grade from which a case answers a question: the same class of cause and like symptoms."""
ERROR = 0.05
"""Share of answered questions whose first hit is not even related that the threshold allows."""
CANDIDATES = 20
"""Cases per question that the model of relevance is fitted on: the best ones."""
REFERENCE = {
    "en": "GPUs show 100 % but power fell to 190 W and nothing progresses",
    "ko": "GPU는 100%라고 나오는데 보드 전력이 190 W까지 내려갔고 학습이 전혀 나아가지 않는다",
}
REFERENCE_CASE = "IL-0480"
"""A number that only one case states must lead to it, though others have the same symptom."""
PROVENANCE = (
    "Fitted by python -m kg.library.fit on the judged sets named here and the shipped questions of "
    "the split dev; see docs/quality.md."
)
_FOLDS, _SEEDS = 5, 3
_RIDGE = 1.0


@dataclass(frozen=True)
class Answer:
    """A question with its best cases: what the model of relevance sees, and what people said.

    Attributes:
        lang: language of the question.
        features: score and agreement of each case, (cases, 2), best first.
        grades: (cases,).
        answerable: whether any case of the library answers it.
    """

    lang: str
    features: Numbers
    grades: NDArray[np.int64]
    answerable: bool


def fit_centre(library: Library, questions: EvalSet) -> Centre:
    """The middle of the library's passages, and of questions: each language counts alike."""
    means = []
    for lang in sorted({q.lang for q in questions.queries if q.lang}):
        texts = [q.text for q in questions.queries if q.lang == lang]
        means.append(library.encoder.encode_queries(texts).mean(axis=0))
    query = np.mean(means, axis=0).astype(np.float32)
    return Centre(query, library._snapshot.vectors.mean(axis=0).astype(np.float32))


def judged_set(folder: Path, library: Library) -> list[JudgedRanking]:
    """The rankings of a set under the current parameters, with its judgements."""
    data = read_set(folder)
    _, encoder = open_encoder(None)
    passages = passages_of(data.documents)
    retriever = build_retriever(data.documents, passages, encoder, fitted(), print_progress)
    lane = tag_lane(library.vocabulary)
    lane.fit(passages)
    ids = [d.id for d in data.documents]
    found = rankings(data, retriever, encoder, {"graph": lane}, print_progress)
    return [judged(ranking, data.qrels[q.id], ids, q.id) for q, ranking in found]


def judged_questions(library: Library, questions: EvalSet) -> list[JudgedRanking]:
    """The rankings of the shipped questions that have an answer."""
    ids = list(library.cases)
    return [
        judged(ranking, questions.qrels[q.id], ids)
        for q, ranking in library_rankings(library, questions)
        if answerable(questions, q)
    ]


def fit_cases(
    sets: Mapping[str, Sequence[JudgedRanking]], shared: FusionParameters
) -> FusionParameters:
    """The weights of the lanes over curated cases, beginning from those over plain reports.

    Claims that people reviewed say more than terms found in a report, and short curated texts
    hold more in their words than in their letters.
    """
    return _scaled(fit_weights(sets, _relative(shared)))


def reference_questions(library: Library) -> list[JudgedRanking]:
    """The two questions of the demo, which one case answers best."""
    asked = tuple(Query(text, text, lang) for lang, text in REFERENCE.items())
    data = EvalSet("reference", (), asked, {q.id: {REFERENCE_CASE: 3} for q in asked})
    return judged_questions(library, data)


def answers(library: Library, questions: EvalSet, weights: FusionParameters) -> list[Answer]:
    """What the model of relevance is fitted on, under the weights of the lanes."""
    ids = list(library.cases)
    rows = []
    for query, ranking in library_rankings(library, questions):
        under = _under(ranking, weights)
        best = np.argsort(-under.total, kind="stable")[:CANDIDATES]
        grades = questions.qrels.get(query.id, {})
        rows.append(
            Answer(
                query.lang or "en",
                np.column_stack([under.total, agreement(under)])[best],
                np.array([grades.get(ids[i], 0) for i in best]),
                answerable(questions, query),
            )
        )
    return rows


def fit_probability(rows: Sequence[Answer]) -> dict[str, Any]:
    """The logistic model of relevance over all rows, with an intercept for each language."""
    languages = sorted({row.lang for row in rows})
    model = logistic_fit(_design(rows, languages), _relevant(rows), l2=_RIDGE)
    score, agrees, *shifts = (round(float(c), 4) for c in model.coefficients)
    return {
        "intercept": round(float(model.intercept), 4),
        "score": score,
        "agreement": agrees,
        "languages": dict(zip(languages[1:], shifts, strict=True)),
    }


def predicted(row: Answer) -> float:
    """The shipped model's probability of a question's best case."""
    score, agrees = row.features[:1].T
    return float(probability_of(score, agrees, row.lang, probability_parameters())[0])


def held_out(rows: Sequence[Answer], seed: int) -> list[Numbers]:
    """Probabilities of each row's cases by models that did not see the question."""
    languages = sorted({row.lang for row in rows})
    fold = np.random.default_rng(seed).permutation(len(rows)) % _FOLDS
    found: list[Numbers] = [np.zeros(0)] * len(rows)
    for k in range(_FOLDS):
        seen = [row for row, f in zip(rows, fold, strict=True) if f != k]
        model = logistic_fit(_design(seen, languages), _relevant(seen), l2=_RIDGE)
        for number in np.flatnonzero(fold == k).tolist():
            raw = model.predict(_design([rows[number]], languages))
            found[number] = np.minimum.accumulate(raw)
    return found


def confidence_figures(rows: Sequence[Answer]) -> dict[str, float]:
    """Calibration and refusal on held-out folds, means over `_SEEDS` divisions.

    `ece` over all candidates, by language too; `auroc` of a question's best probability for
    telling those that have an answer from those that have none.
    """
    tables = [_figures(rows, held_out(rows, seed)) for seed in range(_SEEDS)]
    return {name: round(float(np.mean([t[name] for t in tables])), 4) for name in tables[0]}


def refusal_threshold(rows: Sequence[Answer]) -> float:
    """The least probability at which at most `ERROR` of the answers begin with an unrelated case.

    Chosen on held-out probabilities, in whole hundredths; 1 where none does it.
    """
    best, related = [], []
    for seed in range(_SEEDS):
        for row, found in zip(rows, held_out(rows, seed), strict=True):
            best.append(math.floor(100 * found[0]) / 100)
            related.append(float(row.grades[0] >= 1))
    least = threshold_for_error(best, related, ERROR)
    return 1.0 if least is None else least


def main(arguments: Sequence[str]) -> int:
    """Fit everything and write the files; 2 on bad use."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("use: python -m kg.library.fit SETS", file=sys.stderr)
        return 2
    questions = read_questions(Path("datasets", "eval"))["dev"]
    with open_library() as library:
        write_centre(CENTRE_FILE, library.encoder.fingerprint, fit_centre(library, questions))
        forget_centre()
        folders = sorted(f for f in Path(arguments[0]).iterdir() if (f / "corpus.jsonl").is_file())
        sets = {folder.name: judged_set(folder, library) for folder in folders}
        weights = _fit_lanes(sets)
        shipped = {
            "shipped": judged_questions(library, questions),
            "reference": reference_questions(library),
        }
        own = fit_cases(shipped, weights)
        _fit_answers(answers(library, questions, own), own)
    return 0


def _fit_lanes(sets: Mapping[str, Sequence[JudgedRanking]]) -> FusionParameters:
    start = _relative(fitted().fusion)
    best = fit_weights(sets, start, print)
    away = left_out(sets, start, print)
    best = _scaled(best)
    content = json.loads(LANES_FILE.read_text(encoding="utf-8"))
    content["fusion"] = {"weights": best.weights, "coverage_power": best.coverage_power}
    content["provenance"] = PROVENANCE
    content["figures"] = {
        "ndcg@10": {name: round(mean_ndcg(rows, best), 4) for name, rows in sets.items()},
        "ndcg@10 when the set is left out": {k: round(v, 4) for k, v in away.items()},
    }
    _write(LANES_FILE, content)
    return best


def _relative(weights: FusionParameters) -> FusionParameters:
    """The same weights with that of the words 1, as the grid counts them."""
    first = weights.weights["words"]
    return replace(weights, weights={k: w / first for k, w in weights.weights.items()})


def _scaled(weights: FusionParameters) -> FusionParameters:
    """The same weights with the sum 1: a score is then a mean of standard scores."""
    whole = sum(weights.weights.values())
    return replace(weights, weights={k: round(w / whole, 4) for k, w in weights.weights.items()})


def _fit_answers(rows: Sequence[Answer], weights: FusionParameters) -> None:
    content = json.loads(ANSWERS_FILE.read_text(encoding="utf-8"))
    content["fusion"] = {
        "weights": dict(weights.weights),
        "coverage_power": weights.coverage_power,
    }
    content["probability"] = fit_probability(rows)
    content["threshold"] = refusal_threshold(rows)
    content["provenance"] = PROVENANCE
    content["figures"] = {"questions": len(rows), **confidence_figures(rows)}
    _write(ANSWERS_FILE, content)


def _figures(rows: Sequence[Answer], found: Sequence[Numbers]) -> dict[str, float]:
    p, y = np.concatenate(found), _relevant(rows)
    lang = np.repeat([row.lang for row in rows], [len(row.grades) for row in rows])
    figures = {"ece": expected_calibration_error(p, y)}
    for code in sorted(set(lang)):
        figures[f"ece {code}"] = expected_calibration_error(p[lang == code], y[lang == code])
    best = [float(f[0]) for f in found]
    figures["auroc"] = auroc(best, [float(row.answerable) for row in rows])
    return figures


def _under(ranking: Ranking, weights: FusionParameters) -> Ranking:
    """The same lanes under other weights."""
    return replace(ranking, parts=fuse(ranking.lanes, weights, ranking.known_share))


def _design(rows: Sequence[Answer], languages: Sequence[str]) -> Numbers:
    """Score, agreement, and one column a language but the first."""
    parts = []
    for row in rows:
        shifts = [np.full(len(row.features), float(row.lang == code)) for code in languages[1:]]
        parts.append(np.column_stack([row.features, *shifts]))
    return np.concatenate(parts)


def _relevant(rows: Sequence[Answer]) -> Numbers:
    return np.concatenate([row.grades >= RELEVANT for row in rows]).astype(np.float64)


def _write(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
