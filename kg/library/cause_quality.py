"""How well root causes are predicted: `python -m kg.library.cause_quality SETS` in a checkout.

Writes `docs/diagnosis-quality.md`. The causes of the shipped incidents are predicted from their
symptoms alone, each with its report left out; then the human cause labels of every set in SETS
whose documents carry some, learned from the other documents of the set.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kg.library import Library, open_library
from kg.library.cause_judging import Answers
from kg.library.cause_novelty import NoveltyCase, novelty_apart, novelty_together
from kg.library.cause_page import page
from kg.library.cause_plain import METHODS, plain
from kg.library.cause_questions import (
    LEVELS,
    Predicted,
    Questions,
    predict_all,
)
from kg.library.cause_sets import Split, TypedReports, folds, leave_one_out, read_reports
from kg.library.progress import print_progress
from kg.library.root_causes import RootCauses
from kg.rca.evidence import KINDS
from kg.vocab import Vocabulary

Scores = NDArray[np.float64]
Progress = Callable[[str, int, int], None]

PAGE = Path("docs", "diagnosis-quality.md")

WITHOUT: Mapping[str, Sequence[str]] = {
    "without the descriptions (meaning, words)": ("meaning", "alike", "covered"),
    "without the words of the descriptions": ("alike", "covered"),
    "without the meaning of the descriptions": ("meaning",),
    "without the regression on cases": ("learned", "class_learned"),
    "without the votes of search": ("votes",),
    "shares alone": ("learned", "class_learned", "meaning", "alike", "covered", "votes"),
}
"""What is left out to see what it brings; the weights of the rest are learned anew."""


@dataclass(frozen=True)
class Shipped:
    """What was measured on the shipped incidents.

    Attributes:
        questions: with the plain methods.
        predicted: by the predictor as it is.
        fewer: the same with something left out or hidden, at levels 2 and 1.
        apart, together: how new causes were said to be, see `cause_novelty`.
    """

    questions: Questions
    predicted: Predicted
    fewer: Mapping[str, Predicted]
    apart: Sequence[NoveltyCase]
    together: Sequence[NoveltyCase]


@dataclass(frozen=True)
class Typed:
    """What was measured on one set of reports with labels.

    Attributes:
        name: of the folder.
        reports: with their labels.
        answers: by name of the method, each report left out in turn.
        chance: the probabilities of the predictor, (reports, classes).
        folded: the predictor's answers under ten folds, one a shuffle.
    """

    name: str
    reports: TypedReports
    answers: Mapping[str, Answers]
    chance: Scores
    folded: Sequence[Answers]


def measure_shipped(library: Library, progress: Progress) -> Shipped:
    """Predict every incident, with all evidence and with less, and say how new causes are."""
    questions = Questions(library)
    fewer = {
        name: predict_all(questions, progress, LEVELS[:2], [k for k in KINDS if k not in out])
        for name, out in WITHOUT.items()
    }
    bare = Questions(library, _without_aliases(library))
    fewer["aliases of causes hidden"] = predict_all(bare, progress, LEVELS[:2])
    return Shipped(
        questions,
        predict_all(questions, progress),
        fewer,
        novelty_apart(questions, progress),
        novelty_together(questions, progress),
    )


def measure_set(folder: Path, library: Library, progress: Progress) -> Typed | None:
    """Predict the labels of a set; None where its documents carry none."""
    found = read_reports(folder)
    if not found:
        return None
    reports = TypedReports(found, library)
    splits = leave_one_out(len(found))
    mine, chance = reports.predict(splits, reports.whole, progress)
    described = ("meaning", "alike", "covered")
    answers = {
        "prediction": mine,
        "without told terms": reports.predict(splits, reports.whole, progress, tags=False)[0],
        "without descriptions of labels": reports.predict(
            splits, reports.whole, progress, [k for k in KINDS if k not in described]
        )[0],
        "from the short texts": reports.predict(splits, reports.short, progress)[0],
        **{method: plain(reports, method, splits) for method in METHODS},
    }
    shuffled: list[Sequence[Split]] = [folds(len(found), 10, seed) for seed in range(5)]
    folded = [reports.predict(s, reports.whole, progress)[0] for s in shuffled]
    return Typed(folder.name, reports, answers, chance, folded)


def _without_aliases(library: Library) -> RootCauses:
    """The same library with causes that go by their labels and definitions only."""
    known = library.vocabulary
    schemes = []
    for scheme in known.schemes.values():
        bare = tuple(t.model_copy(update={"aliases": {}}) for t in scheme.terms)
        hidden = scheme.scheme == "cause"
        schemes.append(scheme.model_copy(update={"terms": bare}) if hidden else scheme)
    snapshot = replace(library._snapshot, vocabulary=Vocabulary(schemes))
    lanes, tagger = library._text_lanes, library._tagger
    return RootCauses(snapshot, library.graph, lanes, library.encoder, tagger)


def main(arguments: Sequence[str]) -> int:
    """Measure everything and write the page; 2 on bad use."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("use: python -m kg.library.cause_quality SETS", file=sys.stderr)
        return 2
    folders = sorted(f for f in Path(arguments[0]).iterdir() if (f / "corpus.jsonl").is_file())
    with open_library() as library:
        typed = [measure_set(folder, library, print_progress) for folder in folders]
        shipped = measure_shipped(library, print_progress)
        text = page(shipped, [t for t in typed if t is not None])
    PAGE.write_text(text, encoding="utf-8")
    print(f"wrote {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
