"""Fit the parameters of retrieval: `python -m kg.library.fit SETS` in a checkout.

SETS is a folder of sets in the BEIR layout that people judged. From these and the shipped questions
of the split `dev` come the middles of the default encoder's space, the weights of the lanes, the
model of relevance and its threshold; from the shipped texts the lexicon. The files are written into
the checkout, with where the numbers come from and what they reached, for a review. Nothing of the
split `test` is looked at.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from embeddings import fitted
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
from embeddings.lexicon import FILE as LEXICON_FILE
from embeddings.lexicon import shipped_lexicon, write_lexicon
from kg.library import Library, open_library
from kg.library.bilingual import bilingual_pairs, folds_of, taught_without, teach
from kg.library.build import open_encoder
from kg.library.evaluation import answerable, library_rankings, read_questions, tag_lane
from kg.library.fit_answers import (
    Answer,
    answers,
    confidence_figures,
    fit_probability,
    refusal_threshold,
    unrelated_answers,
)
from kg.library.fitted import FILE as ANSWERS_FILE
from kg.library.progress import print_progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from embeddings import Ranking

    Numbers = NDArray[np.float64]

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
LEXICON_PROVENANCE = (
    "Learned by python -m kg.library.fit from the bilingual texts of the shipped cases and terms."
)


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


def fair_rankings(
    library: Library, questions: EvalSet, lang: str | None = None
) -> list[tuple[Query, Ranking]]:
    """The rankings of questions by lexicons that the case which answers best did not teach.

    `lang`: look at the cases' texts of this language only.
    That case's own words would else come back as translations, and a lexicon seem better than it
    is for the next library.
    """
    pairs = bilingual_pairs(list(library.cases.values()), list(library.vocabulary.terms.values()))
    folds = folds_of(list(library.cases))
    found: dict[str, tuple[Query, Ranking]] = {}
    for number, lexicon in enumerate(taught_without(pairs, folds)):
        mine = tuple(q for q in questions.queries if _fold(questions, q, folds) == number)
        some = replace(questions, queries=mine)
        found |= {q.id: (q, r) for q, r in library_rankings(library, some, lang, lexicon)}
    return [found[q.id] for q in questions.queries]


def judged_questions(
    library: Library, questions: EvalSet, ranked: Sequence[tuple[Query, Ranking]]
) -> list[JudgedRanking]:
    """The rankings of the shipped questions that have an answer."""
    ids = list(library.cases)
    return [
        judged(ranking, questions.qrels[q.id], ids)
        for q, ranking in ranked
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
    return judged_questions(library, data, fair_rankings(library, data))


def main(arguments: Sequence[str]) -> int:
    """Fit everything and write the files; 2 on bad use."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("use: python -m kg.library.fit SETS", file=sys.stderr)
        return 2
    questions = read_questions(Path("datasets", "eval"))["dev"]
    with open_library() as library:
        write_centre(CENTRE_FILE, library.encoder.fingerprint, fit_centre(library, questions))
        forget_centre()
        _write_lexicon(library)
        folders = sorted(f for f in Path(arguments[0]).iterdir() if (f / "corpus.jsonl").is_file())
        sets = {folder.name: judged_set(folder, library) for folder in folders}
        weights = _fit_lanes(sets)
        ranked = fair_rankings(library, questions)
        shipped = {
            "shipped": judged_questions(library, questions, ranked),
            # A library may hold one language only, and be asked in the other.
            **{
                f"texts in {lang}": judged_questions(
                    library, questions, fair_rankings(library, questions, lang)
                )
                for lang in ("en", "ko")
            },
            "reference": reference_questions(library),
        }
        own = fit_cases(shipped, weights)
        rows = answers(library, questions, own, ranked)
        _fit_answers(rows, unrelated_answers(library, own), own)
    return 0


def _write_lexicon(library: Library) -> None:
    pairs = bilingual_pairs(list(library.cases.values()), list(library.vocabulary.terms.values()))
    write_lexicon(LEXICON_FILE, teach(pairs), LEXICON_PROVENANCE)
    shipped_lexicon.cache_clear()


def _fold(questions: EvalSet, query: Query, folds: Mapping[str, int]) -> int:
    """The fold of the case that answers a question best; the first one where none does."""
    graded = questions.qrels.get(query.id, {})
    best = max(graded, key=lambda case_id: (graded[case_id], case_id), default="")
    return folds.get(best, 0)


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


def _fit_answers(
    rows: Sequence[Answer], unrelated: Sequence[Answer], weights: FusionParameters
) -> None:
    """The model learns from both; threshold and figures are of the questions of the field."""
    content = json.loads(ANSWERS_FILE.read_text(encoding="utf-8"))
    content["fusion"] = {
        "weights": dict(weights.weights),
        "coverage_power": weights.coverage_power,
    }
    content["probability"] = fit_probability([*rows, *unrelated])
    content["threshold"] = refusal_threshold(rows, unrelated)
    content["provenance"] = PROVENANCE
    content["figures"] = {"questions": len(rows), **confidence_figures(rows, unrelated)}
    _write(ANSWERS_FILE, content)


def _write(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
