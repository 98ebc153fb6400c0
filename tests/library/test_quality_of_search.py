"""What search reaches on the shipped questions: floors, so that no change loses it unseen.

The measured figures stand in docs/quality.md; these floors lie below them by about the noise.
"""

from __future__ import annotations

import numpy as np
import pytest

from embeddings import Ranking, fitted
from embeddings.calibrate import auroc, expected_calibration_error
from embeddings.evaluate import EvalSet, Query, measure, paired_difference, ranked, scores_of
from kg.library import Library
from kg.library.evaluation import answerable, library_rankings, read_questions
from kg.library.fit_answers import answers, held_out
from kg.library.fitted import case_fusion, default_threshold
from kg.readers import shipped

QUESTIONS = read_questions(shipped("cases").parent / "eval")
SINGLE = ("dense", "words", "graph", "late")

Rows = dict[str, list[tuple[Query, Ranking]]]


@pytest.fixture(scope="module")
def rows(real: Library) -> Rows:
    return {name: list(library_rankings(real, data)) for name, data in QUESTIONS.items()}


def ndcg(rows: Rows, real: Library, split: str, lane: str, lang: str) -> list[float]:
    data: EvalSet = QUESTIONS[split]
    values = []
    for query, ranking in rows[split]:
        if query.lang == lang and answerable(data, query):
            ids = ranked(scores_of(lane, ranking, fitted()), list(real.cases), depth=101)
            found = measure(query.id, ids, data.qrels[query.id])
            assert found is not None
            values.append(found["ndcg@10"])
    return values


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("lane", SINGLE)
def test_the_sum_is_not_below_any_lane(rows: Rows, real: Library, lane: str, lang: str) -> None:
    hybrid, single = (ndcg(rows, real, "dev", x, lang) for x in ("hybrid", lane))
    assert paired_difference(hybrid, single).high >= 0, f"the sum loses against {lane}"
    assert np.mean(hybrid) >= np.mean(single) - 0.01


@pytest.mark.parametrize(("split", "lang", "floor"), [
    ("dev", "en", 0.80), ("dev", "ko", 0.92), ("test", "en", 0.86), ("test", "ko", 0.90),
])  # fmt: skip
def test_floors(rows: Rows, real: Library, split: str, lang: str, floor: float) -> None:
    assert np.mean(ndcg(rows, real, split, "hybrid", lang)) >= floor


def test_probabilities_are_calibrated_and_tell_what_has_no_answer(
    rows: Rows, real: Library
) -> None:
    weights = case_fusion()
    told = [a for n, data in QUESTIONS.items() for a in answers(real, data, weights, rows[n])]
    found = held_out(told, seed=0)
    relevant = np.concatenate([a.grades >= 2 for a in told]).astype(float)
    assert expected_calibration_error(np.concatenate(found), relevant) <= 0.05
    best = [float(p[0]) for p in found]
    assert auroc(best, [float(a.answerable) for a in told]) >= 0.87


def test_most_questions_are_answered_and_nonsense_is_not(real: Library) -> None:
    assert 0 < default_threshold() < 0.5
    data = QUESTIONS["dev"]
    asked = [q for q in data.queries if answerable(data, q)]
    heard = [bool(real.search(q.text, k=1).items) for q in asked]
    assert np.mean(heard) >= 0.9
    for text in (
        "How do I reset a forgotten Outlook password?",
        "엑셀 피벗 테이블을 CSV로 내보내는 방법",
    ):
        assert not real.search(text).items
