"""Fitting what a library answers: a model of relevance, a threshold, and the files of the command.

The rows are made here, so that the truth is known.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import kg
from embeddings import HashEncoder, centre, fitted, lexicon
from embeddings.evaluate import EvalSet, mean_ndcg, read_set
from embeddings.fitted import FusionParameters
from embeddings.lexicon import Lexicon, Pair
from kg.library import Library, bilingual, fit
from kg.library.confidence import agreement
from kg.library.evaluation import answerable, library_rankings, read_questions
from kg.library.fit import (
    fair_rankings,
    fit_cases,
    fit_centre,
    judged_questions,
    judged_set,
)
from kg.library.fit_answers import (
    ERROR,
    Answer,
    answers,
    confidence_figures,
    fit_probability,
    held_out,
    refusal_threshold,
)
from kg.library.fitted import case_fusion
from tests.helpers.judged import small_set, tiny_questions
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

TRUTH = {"intercept": -2.0, "score": 1.1, "agreement": 1.7, "closeness": 2.5, "ko": -0.6}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_questions(tmp_path_factory.mktemp("asked") / "eval")


def made(count: int, seed: int = 0, cases: int = 10) -> list[Answer]:
    """Questions whose cases are relevant just as often as the true model says."""
    random = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        lang = "ko" if number % 2 else "en"
        score = np.sort(random.normal(1, 1.5, cases))[::-1]
        agrees = -np.sort(random.exponential(0.7, cases))
        close = random.normal(0, 0.3, cases)
        logit = TRUTH["intercept"] + TRUTH["score"] * score + TRUTH["agreement"] * agrees
        logit += TRUTH["closeness"] * close
        likely = 1 / (1 + np.exp(-(logit + (TRUTH["ko"] if lang == "ko" else 0))))
        grades = 3 * (random.random(cases) < likely).astype(np.int64)
        features = np.column_stack([score, agrees, close])
        rows.append(Answer(lang, features, grades, bool(grades.any())))
    return rows


def test_the_model_is_found_again() -> None:
    found = fit_probability(made(3000))
    assert found["intercept"] == pytest.approx(TRUTH["intercept"], abs=0.15)
    assert found["score"] == pytest.approx(TRUTH["score"], abs=0.08)
    assert found["agreement"] == pytest.approx(TRUTH["agreement"], abs=0.15)
    assert found["closeness"] == pytest.approx(TRUTH["closeness"], abs=0.2)
    assert found["languages"] == {"ko": pytest.approx(TRUTH["ko"], abs=0.15)}


def test_grade_one_is_not_relevant() -> None:
    rows = made(200)
    weak = [Answer(r.lang, r.features, np.where(r.grades, r.grades, 1), True) for r in rows]
    assert fit_probability(weak) == fit_probability(rows)


def test_of_one_language_there_is_no_shift() -> None:
    english = [row for row in made(200) if row.lang == "en"]
    assert fit_probability(english)["languages"] == {}


def test_held_out_probabilities_have_the_shape_of_the_rows_and_fall() -> None:
    rows = made(60)
    for found, row in zip(held_out(rows, seed=1), rows, strict=True):
        assert found.shape == row.grades.shape
        assert (np.diff(found) <= 0).all()
        assert ((found > 0) & (found < 1)).all()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_question_is_never_seen_by_the_model_that_judges_it(seed: int) -> None:
    """Turning a question's own judgements round changes nothing that is said of it."""
    rows = made(40)
    judge = held_out(rows, seed)
    for number in range(0, 40, 7):
        row = rows[number]
        turned = Answer(row.lang, row.features, 3 - row.grades, row.answerable)
        other = [*rows[:number], turned, *rows[number + 1 :]]
        found = held_out(other, seed)
        assert np.array_equal(found[number], judge[number])
        assert any(not np.array_equal(a, b) for a, b in zip(found, judge, strict=True))


def test_what_stands_beside_is_learned_from_and_not_judged() -> None:
    rows, beside = made(40), made(30, seed=7)
    alone, with_others = held_out(rows, 0), held_out(rows, 0, beside)
    assert len(with_others) == len(rows)
    assert any(not np.array_equal(a, b) for a, b in zip(alone, with_others, strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(alone, held_out(rows, 0, []), strict=True))


def test_every_question_is_judged_once_whatever_the_seed() -> None:
    rows = made(23)
    for seed in range(4):
        assert all(len(found) == 10 for found in held_out(rows, seed))


def test_figures_are_good_where_the_model_is_true() -> None:
    figures = confidence_figures(made(1500))
    assert list(figures) == ["ece", "ece en", "ece ko", "auroc"]
    assert max(figures[name] for name in figures if name.startswith("ece")) < 0.03
    assert 0.6 < figures["auroc"] <= 1


def test_figures_are_bad_where_scores_say_nothing() -> None:
    random = np.random.default_rng(5)
    rows = [
        Answer(r.lang, r.features, 3 * (random.random(10) < 0.2), bool(random.random() < 0.5))
        for r in made(400)
    ]
    assert confidence_figures(rows)["auroc"] == pytest.approx(0.5, abs=0.08)


def first_hits(rows: list[Answer]) -> list[tuple[float, int]]:
    """Probability and grade of each question's first hit, over three divisions."""
    return [
        (float(found[0]), int(row.grades[0]))
        for seed in range(3)
        for row, found in zip(rows, held_out(rows, seed), strict=True)
    ]


def wrong_above(hits: list[tuple[float, int]], threshold: float) -> float:
    """Share of the answers that begin with an unrelated case."""
    kept = [grade >= 1 for best, grade in hits if best >= threshold]
    return 1 - float(np.mean(kept)) if kept else 0.0


@pytest.mark.parametrize("seed", range(5))
def test_the_threshold_is_the_lowest_hundredth_that_keeps_the_promise(seed: int) -> None:
    rows = made(300, seed)
    threshold = refusal_threshold(rows)
    assert 0 < threshold < 1
    assert threshold == round(threshold, 2)
    hits = first_hits(rows)
    assert wrong_above(hits, threshold) <= ERROR
    assert all(wrong_above(hits, step / 100) > ERROR for step in range(round(100 * threshold)))


def test_where_nothing_keeps_the_promise_nothing_is_answered() -> None:
    rows = [
        Answer(r.lang, r.features, np.where(np.arange(10) == 0, 0, r.grades), r.answerable)
        for r in made(60)
    ]
    assert refusal_threshold(rows) == 1.0


def test_where_every_answer_is_right_all_are_given() -> None:
    rows = [
        Answer(r.lang, r.features, np.where(np.arange(10) == 0, 1, r.grades), r.answerable)
        for r in made(60)
    ]
    least = min(found[0] for seed in range(3) for found in held_out(rows, seed))
    assert refusal_threshold(rows) == pytest.approx(least, abs=0.0101)


def test_the_centre_counts_each_language_alike(tiny: Library, asked: Path) -> None:
    data = read_questions(asked)["dev"]
    found = fit_centre(tiny, data)
    english, korean = (
        [tiny.encoder.encode_queries([q.text])[0] for q in data.queries if q.lang == lang]
        for lang in ("en", "ko")
    )
    more = fit_centre(tiny, type(data)("x", (), (*data.queries, *data.queries[::2]), {}))
    judge = (np.mean(english, axis=0) + np.mean(korean, axis=0)) / 2
    assert found.query == pytest.approx(judge, abs=1e-6)
    assert more.query == pytest.approx(judge, abs=1e-6)  # English twice: no heavier
    assert found.passage == pytest.approx(tiny._snapshot.vectors.mean(axis=0), abs=1e-6)
    assert (found.query.dtype, found.passage.dtype) == (np.float32, np.float32)


def test_answers_are_the_best_cases_under_the_weights(tiny: Library, asked: Path) -> None:
    data = read_questions(asked)["dev"]
    weights = FusionParameters({"words": 1.0, "dense": 0.25}, 0.0)
    rows = answers(tiny, data, weights)
    ids = list(tiny.cases)
    for row, (query, ranking) in zip(rows, library_rankings(tiny, data), strict=True):
        z = {n: ranking.lanes[n] - ranking.lanes[n].mean() for n in ("words", "dense")}
        total = sum(w * z[n] / (z[n].std() or 1) for n, w in weights.weights.items())
        assert row.features[:, 0] == pytest.approx(np.sort(total)[::-1], abs=1e-5)
        assert row.features[:, 1] == pytest.approx(
            agreement(ranking)[np.argsort(-np.round(total, 6), kind="stable")], abs=1e-9
        )
        grades = data.qrels.get(query.id, {})
        assert Counter(row.grades.tolist()) == Counter(grades.get(i, 0) for i in ids)
        assert row.answerable == answerable(data, query)
        assert row.lang == query.lang


def test_questions_without_an_answer_are_no_judged_rankings(tiny: Library, asked: Path) -> None:
    data = read_questions(asked)["dev"]
    rows = judged_questions(tiny, data, fair_rankings(tiny, data))
    assert len(rows) == sum(answerable(data, q) for q in data.queries) == 12
    assert all(row.gains.any() for row in rows)


def test_a_question_is_ranked_by_a_lexicon_that_its_best_case_did_not_teach(
    tiny: Library, asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = read_questions(asked)["dev"]
    taught: dict[int, set[str]] = {}
    used: list[tuple[str, int]] = []
    inner_teach, inner_rankings = bilingual.teach, fit.library_rankings

    def teach(pairs: Sequence[Pair]) -> Lexicon:
        found = inner_teach(pairs)
        taught[id(found)] = {pair.owner for pair in pairs}
        used_lexicons.append(found)
        return found

    def rankings(library: Library, some: EvalSet, lang: str | None, by: Lexicon) -> object:
        used.extend((q.id, id(by)) for q in some.queries)
        return inner_rankings(library, some, lang, by)

    used_lexicons: list[Lexicon] = []
    monkeypatch.setattr(bilingual, "teach", teach)
    monkeypatch.setattr(fit, "library_rankings", rankings)
    found = fair_rankings(tiny, data)
    assert [q.id for q, _ in found] == [q.id for q in data.queries]
    assert sorted(name for name, _ in used) == sorted(q.id for q in data.queries)
    assert set().union(*taught.values()) >= set(tiny.cases)
    for name, number in used:
        graded = data.qrels.get(name, {})
        if graded:
            best = max(graded, key=lambda case_id: (graded[case_id], case_id))
            assert best not in taught[number]


def test_a_library_gets_weights_that_serve_it_no_worse(tiny: Library, asked: Path) -> None:
    data = read_questions(asked)["dev"]
    rows = judged_questions(tiny, data, list(library_rankings(tiny, data)))
    shared = fitted().fusion
    own = fit_cases({"shipped": rows}, shared)
    assert sum(own.weights.values()) == pytest.approx(1, abs=1e-3)
    assert set(own.weights) == set(shared.weights)
    assert mean_ndcg(rows, own) >= mean_ndcg(rows, shared) - 1e-3


class Checkout:
    """A checkout with a tiny library, one judged set, and copies of the fitted files."""

    def __init__(self, folder: Path) -> None:
        tiny_questions(folder / "datasets" / "eval")
        self.sets = folder / "sets"
        small_set(self.sets / "small")
        (self.sets / "notes").mkdir()
        self.lanes, self.answers = folder / "lanes.json", folder / "answers.json"
        self.centre, self.lexicon = folder / "centre.npz", folder / "lexicon.json"
        self.own = [fit.LANES_FILE, fit.ANSWERS_FILE, fit.CENTRE_FILE, fit.LEXICON_FILE]
        shutil.copy(fit.LEXICON_FILE, self.lexicon)
        self.before = [path.read_bytes() for path in self.own]
        shutil.copy(fit.LANES_FILE, self.lanes)
        shutil.copy(fit.ANSWERS_FILE, self.answers)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Checkout]:
    made_here = Checkout(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(fit, "LANES_FILE", made_here.lanes)
    monkeypatch.setattr(fit, "ANSWERS_FILE", made_here.answers)
    monkeypatch.setattr(fit, "CENTRE_FILE", made_here.centre)
    monkeypatch.setattr(fit, "LEXICON_FILE", made_here.lexicon)
    monkeypatch.setattr(lexicon, "FILE", made_here.lexicon)
    monkeypatch.setattr(centre, "FILE", made_here.centre)
    monkeypatch.setattr(fit, "open_encoder", lambda _: ("hash", HashEncoder()))
    monkeypatch.setattr(
        fit,
        "open_library",
        lambda: kg.build_library(
            tiny_cases(), tmp_path / "t.duckdb", vocabulary=tiny_vocabulary(), encoder="hash"
        ),
    )
    yield made_here
    centre.forget_centre()
    lexicon.shipped_lexicon.cache_clear()
    assert [path.read_bytes() for path in made_here.own] == made_here.before


def test_the_command_writes_all_that_was_fitted(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    was = json.loads(checkout.lanes.read_text(encoding="utf-8"))
    assert fit.main([str(checkout.sets)]) == 0
    assert "round 1" in capsys.readouterr().out
    lanes = json.loads(checkout.lanes.read_text(encoding="utf-8"))
    assert lanes.keys() == was.keys()
    assert {k: lanes[k] for k in ("dense", "words", "late")} == {
        k: was[k] for k in ("dense", "words", "late")
    }
    assert sum(lanes["fusion"]["weights"].values()) == pytest.approx(1, abs=1e-3)
    assert set(lanes["figures"]["ndcg@10"]) == {"small"}
    assert 0 < lanes["figures"]["ndcg@10"]["small"] <= 1
    assert lanes["provenance"]
    answered = json.loads(checkout.answers.read_text(encoding="utf-8"))
    assert answered["figures"]["questions"] == 18  # those of `dev` only
    assert set(answered["probability"]) == {
        "intercept",
        "score",
        "agreement",
        "closeness",
        "languages",
    }
    assert 0 <= answered["threshold"] <= 1
    assert answered["words"] == json.loads(checkout.before[1])["words"]
    assert json.loads(checkout.lexicon.read_text(encoding="utf-8"))["provenance"]
    with np.load(checkout.centre) as file:
        assert str(file["fingerprint"]) == HashEncoder().fingerprint


def test_the_command_gives_the_same_numbers_again(checkout: Checkout) -> None:
    assert fit.main([str(checkout.sets)]) == 0
    files = (checkout.lanes, checkout.answers, checkout.centre)
    first = [path.read_bytes() for path in files[:2]]
    checkout.centre.unlink()
    centre.forget_centre()
    shutil.copy(checkout.own[0], checkout.lanes)
    shutil.copy(checkout.own[1], checkout.answers)
    assert fit.main([str(checkout.sets)]) == 0
    assert [path.read_bytes() for path in files[:2]] == first


def test_nothing_of_the_test_split_is_looked_at(checkout: Checkout) -> None:
    assert fit.main([str(checkout.sets)]) == 0
    judge = [checkout.lanes.read_bytes(), checkout.answers.read_bytes()]
    folder = Path("datasets", "eval")
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    dev = [line for line in lines if '"dev-' in line]
    spoilt = [json.dumps({**json.loads(x), "text": "x"}) for x in lines if '"test-' in x]
    (folder / "queries.jsonl").write_text("\n".join([*dev, *spoilt]), encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\ntest-en-bread\tA-1\t3\n", encoding="utf-8"
    )
    checkout.centre.unlink()
    centre.forget_centre()
    shutil.copy(checkout.own[0], checkout.lanes)
    shutil.copy(checkout.own[1], checkout.answers)
    assert fit.main([str(checkout.sets)]) == 0
    assert [checkout.lanes.read_bytes(), checkout.answers.read_bytes()] == judge


def test_a_judged_set_is_ranked_with_the_names_in_it(checkout: Checkout, tiny: Library) -> None:
    folder = checkout.sets / "small"
    rows = judged_set(folder, tiny)
    assert len(rows) == len(read_set(folder).scored) == 4
    assert set(rows[0].lanes) == {"dense", "words", "grams", "bridge", "graph", "late"}
    assert [int((~row.answers).sum()) for row in rows] == [0, 0, 1, 0]  # d2 is a document too


@pytest.mark.parametrize("arguments", [[], ["nothing-here"], ["a", "b"]])
def test_bad_use_is_two(
    checkout: Checkout, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = checkout.answers.read_bytes()
    assert fit.main(arguments) == 2
    assert "kg.library.fit SETS" in capsys.readouterr().err
    assert checkout.answers.read_bytes() == before


def test_the_weights_in_use_are_those_of_the_files() -> None:
    own = json.loads(fit.ANSWERS_FILE.read_text(encoding="utf-8"))["fusion"]
    assert case_fusion() == FusionParameters(own["weights"], own["coverage_power"])
    assert set(case_fusion().weights) == set(fitted().fusion.weights)
