"""Whether a cause is new: said of questions whose causes the library was never shown.

New is a case none of whose second-level causes another case of the library has.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embeddings.calibrate import auroc
from embeddings.evaluate.measures import Interval
from kg.library.cause_questions import LANGUAGES, Questions, report_of

Progress = Callable[[str, int, int], None]

GROUPS, FOLDS = 10, 5
_DRAWS = 500


@dataclass(frozen=True)
class NoveltyCase:
    """How new the cause of a question was said to be, and whether it was.

    Attributes:
        case: the case asked for.
        group: the library that was asked; questions of one group saw the same cases.
        score: 0 to 1.
        new: whether no case of that library has a second-level cause of the case.
    """

    case: str
    group: int
    score: float
    new: bool


def novelty_apart(questions: Questions, progress: Progress) -> list[NoveltyCase]:
    """Each case against two libraries: without its report, and without its causes altogether."""
    found = []
    for row, case_id in enumerate(questions.cases):
        for gone in (questions.report(case_id), questions.sharing(case_id)):
            predictor = questions.root.learned(gone)
            new = not questions.is_known(case_id, predictor.cases)
            for lang in LANGUAGES:
                score = predictor.novelty(questions.asked[lang][row].sighting)
                found.append(NoveltyCase(case_id, 0, score, new))
        progress("holding out causes", row + 1, len(questions.cases))
    return found


def novelty_together(questions: Questions, progress: Progress) -> list[NoveltyCase]:
    """Known and new causes against one and the same library.

    The second-level causes are dealt into ten groups, the reports into five folds. A library lacks
    the cases of a group and those of a fold; the cases of the fold are asked for.
    """
    found = []
    for number, gone, asked in _halves(questions):
        predictor = questions.root.learned(gone)
        for row in asked:
            case_id = questions.cases[row]
            new = not questions.is_known(case_id, predictor.cases)
            for lang in LANGUAGES:
                score = predictor.novelty(questions.asked[lang][row].sighting)
                found.append(NoveltyCase(case_id, number, score, new))
        progress("holding out groups of causes", number + 1, GROUPS * FOLDS)
    return found


def _halves(questions: Questions) -> Iterator[tuple[int, set[str], list[int]]]:
    """The libraries of `novelty_together`: number, what is left out, the rows asked for."""
    truths = questions.truths(2)
    for number in range(GROUPS * FOLDS):
        group, fold = divmod(number, FOLDS)
        asked = [i for i, c in enumerate(questions.cases) if _dealt(report_of(c), FOLDS) == fold]
        held = [i for i, t in enumerate(truths) if any(_dealt(c, GROUPS) == group for c in t)]
        gone = {c for i in (*asked, *held) for c in questions.report(questions.cases[i])}
        yield number, gone, asked


def _dealt(name: str, parts: int) -> int:
    return zlib.crc32(name.encode()) % parts


def novelty_figures(cases: Sequence[NoveltyCase]) -> Interval:
    """AUROC of the novelty for new causes, within each group, with an interval over cases.

    Groups count by the number of pairs that they hold; draws take cases with all their questions.
    """
    ids = sorted({c.case for c in cases})
    number = {c: i for i, c in enumerate(ids)}
    row = np.array([number[c.case] for c in cases])
    generator = np.random.default_rng(0)
    draws = generator.multinomial(len(ids), [1 / len(ids)] * len(ids), size=_DRAWS)
    found = [_within(cases, weight[row]) for weight in draws]
    low, high = np.quantile([f for f in found if f is not None], [0.025, 0.975])
    return Interval(_within(cases, np.ones(len(cases), int)) or 0.5, float(low), float(high))


def _within(cases: Sequence[NoveltyCase], times: NDArray[np.int64]) -> float | None:
    groups: dict[int, tuple[list[float], list[float]]] = {}
    for case, count in zip(cases, times.tolist(), strict=True):
        scores, labels = groups.setdefault(case.group, ([], []))
        scores += [case.score] * count
        labels += [float(case.new)] * count
    total = pairs = 0.0
    for scores, labels in groups.values():
        both = sum(labels) * (len(labels) - sum(labels))
        if both:
            total, pairs = total + both * auroc(scores, labels), pairs + both
    return total / pairs if pairs else None
