"""Measuring predictions of root causes: each case left out, new causes held out, the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import kg
from embeddings.calibrate import auroc
from kg.library import Library, cause_quality
from kg.library.cause_judging import FIGURES, differences, figures
from kg.library.cause_novelty import (
    NoveltyCase,
    novelty_apart,
    novelty_figures,
    novelty_together,
)
from kg.library.cause_page import page
from kg.library.cause_quality import WITHOUT, Shipped, Typed, measure_set, measure_shipped
from kg.library.cause_questions import BASELINES, LANGUAGES, Predicted, Questions, predict_all
from kg.library.progress import no_progress
from tests.helpers.judged import write_set
from tests.helpers.tiny import tiny_vocabulary
from tests.library.test_cause_labels_of_reports import QUERIES, documents
from tests.library.test_root_causes_of_a_library import told_case, told_cases

ROOT = Path(cause_quality.__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = tmp_path_factory.mktemp("told") / "told.duckdb"
    with kg.build_library(told_cases(4), path, vocabulary=tiny_vocabulary(), encoder="hash") as it:
        yield it


@pytest.fixture(scope="module")
def questions(told: Library) -> Questions:
    return Questions(told)


@pytest.fixture(scope="module")
def predicted(questions: Questions) -> Predicted:
    return predict_all(questions, no_progress)


@pytest.fixture(scope="module")
def shipped(told: Library) -> Shipped:
    return measure_shipped(told, no_progress)


@pytest.fixture(scope="module")
def typed(told: Library, tmp_path_factory: pytest.TempPathFactory) -> Typed:
    qrels = {"test": {"other": {"software#1": 1}}}
    folder = write_set(tmp_path_factory.mktemp("s") / "small", documents(3), QUERIES, qrels)
    found = measure_set(folder, told, no_progress)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def text(shipped: Shipped, typed: Typed) -> str:
    return page(shipped, [typed])


def test_planted_causes_are_predicted_better_than_by_plain_methods(
    questions: Questions, predicted: Predicted
) -> None:
    for lang in LANGUAGES:
        mine = figures(predicted.answers[lang, 2])["top-1"].value
        majority = figures(questions.neighbours("majority", lang, 2))["top-1"].value
        assert mine >= 0.7 > 0.3 >= majority


def test_the_question_is_the_symptom_text_and_nothing_else(
    questions: Questions, told: Library
) -> None:
    for lang in LANGUAGES:
        for question in questions.asked[lang]:
            assert question.text == told.get(question.case).text("symptom", lang)
            assert question.case not in question.sighting.likeness


def test_other_parts_of_a_report_are_left_out_too(tmp_path: Path) -> None:
    cases = [told_case(i, "cause:race", n) for n, i in enumerate(("U-1a", "U-1b", "U-2", "U-3"))]
    vocabulary = tiny_vocabulary()
    path = tmp_path / "parts.duckdb"
    with kg.build_library(cases, path, vocabulary=vocabulary, encoder="hash") as library:
        questions = Questions(library)
        assert questions.report("U-1a") == {"U-1a", "U-1b"}
        assert questions.others("U-1a").tolist() == [False, False, True, True]
        first = questions.asked["en"][0]
        assert first.case == "U-1a"
        assert set(first.sighting.likeness) == {"U-2", "U-3"}
        assert questions.sharing("U-2") == {"U-1a", "U-1b", "U-2", "U-3"}


def test_neighbours_answer_with_the_causes_of_the_nearest_other_case(
    questions: Questions,
) -> None:
    names = questions.names(2)
    for method in BASELINES[1:]:
        found = questions.neighbours(method, "en", 2)
        likeness = questions._likeness(method, "en")
        for row in range(len(questions.cases)):
            near = likeness[row].copy()
            near[row] = -np.inf
            nearest = int(np.argsort(-near, kind="stable")[0])
            told = {names[i] for i in np.flatnonzero(found.told[row])}
            assert told == questions.truths(2)[nearest]
            assert found.right[0][row] == float(told <= questions.truths(2)[row])


def test_new_causes_are_those_that_no_case_of_the_library_has(questions: Questions) -> None:
    found = novelty_apart(questions, no_progress)
    assert len(found) == len(questions.cases) * 2 * len(LANGUAGES)
    assert sum(c.new for c in found) == len(found) // 2
    together = novelty_together(questions, no_progress)
    assert {c.case for c in together} == set(questions.cases)
    assert {c.new for c in together} == {True, False}


def test_within_one_library_auroc_is_the_plain_one() -> None:
    random = np.random.default_rng(0)
    scores, labels = random.random(60), random.random(60) < 0.4
    cases = [
        NoveltyCase(f"c{i}", 0, float(s), bool(y))
        for i, (s, y) in enumerate(zip(scores, labels, strict=True))
    ]
    found = novelty_figures(cases)
    assert found.value == pytest.approx(auroc(scores, labels.astype(float)))
    assert found.low < found.value < found.high


def test_libraries_are_not_mixed() -> None:
    """In each library the new cause has the higher score; across libraries it has not."""
    cases = [
        NoveltyCase("a", 0, 0.1, False), NoveltyCase("b", 0, 0.2, True),
        NoveltyCase("c", 1, 0.8, False), NoveltyCase("d", 1, 0.9, True),
    ]  # fmt: skip
    assert novelty_figures(cases).value == 1.0


def rows_of(text: str, heading: str) -> list[list[str]]:
    section = text.split(f" {heading}\n", 1)[1].split("\n##", 1)[0]
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|") and not line.startswith("|---")
    ]


def test_the_page_has_a_row_for_each_method_with_its_figures(text: str, shipped: Shipped) -> None:
    rows = rows_of(text, "Second level")
    for lang in LANGUAGES:
        mine = [r for r in rows if r[:2] == [lang, "**prediction**"]]
        value = figures(shipped.predicted.answers[lang, 2])["top-1"]
        assert mine[0][2] == f"{value.value:.3f} [{value.low:.3f}, {value.high:.3f}]"
        for name in BASELINES:
            assert any(r[:2] == [lang, name] for r in rows)
            assert any(r[:2] == [lang, f"prediction − {name}"] for r in rows)


def test_the_page_tells_what_each_kind_of_evidence_brings(text: str) -> None:
    named = {row[0] for row in rows_of(text, "What each kind of evidence brings")}
    assert {"all", *WITHOUT, "aliases of causes hidden"} <= named


def test_the_page_tells_of_new_causes_calibration_and_failures(text: str) -> None:
    assert len(rows_of(text, "Whether a cause is new")) == 3
    assert any("cause" in row[0] for row in rows_of(text, "Where it fails"))
    assert len(rows_of(text, "How far a probability can be trusted")) >= 4


def test_the_page_says_what_the_coarse_level_is_and_counts_labels(text: str) -> None:
    section = text.split("\n## small\n", 1)[1]
    assert "hardware 6, overload 3, software 3" in section
    assert "part\nbefore the slash" in section
    for name in ("prediction", "majority", "linear on TF-IDF", "from the short texts"):
        assert f"\n| {name} |" in section


def first_told(shipped: Shipped, lang: str, level: int) -> list[str]:
    """The likeliest cause of each question."""
    names = shipped.questions.names(level)
    return [names[int(row.argmax())] for row in shipped.predicted.chance[lang, level]]


def test_the_head_counts_cases_causes_and_those_that_nobody_else_has(
    text: str, shipped: Shipped
) -> None:
    questions = shipped.questions
    often = Counter(c for true in questions.truths(2) for c in true)
    alone = sum(all(often[c] == 1 for c in true) for true in questions.truths(2))
    assert f"{len(questions.cases)} incidents with a confirmed cause" in text
    assert f"{alone} cases\nhave none" in text
    assert "its 2 most general ones" in text


def test_the_page_counts_what_is_taken_for_what(text: str, shipped: Shipped) -> None:
    missed: Counter[tuple[str, str]] = Counter()
    for lang in LANGUAGES:
        told = first_told(shipped, lang, 1)
        for true, first in zip(shipped.questions.truths(1), told, strict=True):
            if first not in true:
                missed.update((c.partition(":")[2], first.partition(":")[2]) for c in true)
    section = text.split("taken for one another", 1)[1].split("\nSecond-level causes", 1)[0]
    rows = [[c.strip() for c in x.strip("|").split("|")]
            for x in section.splitlines() if x.startswith("|") and x[1] != "-"][1:]  # fmt: skip
    assert [(true, told, int(n)) for true, told, n in rows] == [
        (*pair, n) for pair, n in sorted(missed.items(), key=lambda p: (-p[1], p[0]))[:10]
    ]


def test_the_page_counts_how_often_each_frequent_cause_is_found(
    text: str, shipped: Shipped
) -> None:
    names, truths = shipped.questions.names(2), shipped.questions.truths(2)
    section = text.split("\nSecond-level causes of at least", 1)[1].split("\nBy kind", 1)[0]
    rows = {x.split("|")[1].strip(): [int(c) for c in x.split("|")[2:-1]]
            for x in section.splitlines() if x.startswith("| ") and x[2:7] != "cause"}  # fmt: skip
    for slug, (count, *found) in rows.items():
        cause = f"cause:{slug}"
        assert count == sum(cause in t for t in truths) >= 4
        expected = []
        for depth in (1, 3):
            for lang in LANGUAGES:
                chance = shipped.predicted.chance[lang, 2]
                order = np.argsort(-chance, axis=1, kind="stable")[:, :depth]
                hits = [cause in {names[i] for i in row} for row in order]
                expected.append(sum(h and cause in t for h, t in zip(hits, truths, strict=True)))
        assert found == expected


def test_kinds_of_cases_part_all_cases(text: str, shipped: Shipped) -> None:
    section = text.split("\nBy kind of case", 1)[1].split("\n###", 1)[0]
    lines = [x for x in section.splitlines() if x.startswith("| ") and x[2:7] != "cases"]
    counts = {x.split("|")[1].strip(): int(x.split("|")[2]) for x in lines}
    whole = len(shipped.questions.cases)
    assert sum(n for name, n in counts.items() if "domain" in name) == whole
    assert sum(n for name, n in counts.items() if "another case" in name) == whole
    assert sum(n for name, n in counts.items() if "symptoms" in name) == whole


def test_what_is_brought_is_the_mean_of_both_languages(text: str, shipped: Shipped) -> None:
    rows = {(r[0], r[1]): r[2:] for r in rows_of(text, "What each kind of evidence brings")[1:]}
    for name, predicted in {"all": shipped.predicted, **shipped.fewer}.items():
        each = [figures(predicted.answers[lang, 2]) for lang in LANGUAGES]
        means = [f"{np.mean([e[f].value for e in each]):.3f}" for f in FIGURES]
        assert rows[name, "2"] == means


def test_without_evidence_beyond_shares_questions_all_get_one_answer(shipped: Shipped) -> None:
    for lang in LANGUAGES:
        chance = shipped.fewer["shares alone"].chance[lang, 2]
        assert np.ptp(chance.argmax(axis=1)) <= 2
        assert figures(shipped.fewer["shares alone"].answers[lang, 2])["top-1"].value < 0.5


def test_calibration_bins_hold_all_questions_of_both_languages(text: str, shipped: Shipped) -> None:
    section = text.split("How far a probability can be trusted", 1)[1].split("\n###", 1)[0]
    bins = section.split("Second level: of likeliest", 1)[1].split("Most general", 1)[0]
    counts = [int(x.split("|")[1]) for x in bins.splitlines() if re.match(r"\| \d", x)]
    assert sum(counts) == 2 * len(shipped.questions.cases)


def test_the_typed_section_gives_folds_labels_and_confusions(text: str, typed: Typed) -> None:
    section = text.split("\n## small\n", 1)[1]
    line = next(x for x in section.splitlines() if x.startswith("Under ten folds"))
    micro = [f"{figures(a)['micro F1'].value:.3f}" for a in typed.folded]
    assert re.findall(r"(\d\.\d{3}) / ", line) == micro
    assert len(micro) == 5
    table = section.split("| label | reports | F1 | told |", 1)[1].split("\n\n", 1)[0]
    rows = {x.split("|")[1].strip(): x.split("|")[2:-1] for x in table.splitlines() if "|" in x}
    mine = typed.answers["prediction"]
    for column, label in enumerate(typed.reports.classes):
        assert int(rows[label][0]) == mine.true[:, column].sum()
        assert int(rows[label][2]) == mine.told[:, column].sum()


def test_differences_stand_below_the_methods_of_a_typed_set(text: str, typed: Typed) -> None:
    section = text.split("\n## small\n", 1)[1]
    for method in ("majority", "linear on TF-IDF"):
        gap = differences(typed.answers["prediction"], typed.answers[method])["micro F1"]
        row = next(x for x in section.splitlines() if x.startswith(f"| prediction − {method} |"))
        assert f"{gap.value:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]" in row


def test_a_set_without_labels_is_not_measured(told: Library, tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "x"}\n', encoding="utf-8")
    assert measure_set(tmp_path, told, no_progress) is None


def test_bad_use_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cause_quality.main([]) == 2
    assert cause_quality.main(["no such folder"]) == 2
    assert "cause_quality SETS" in capsys.readouterr().err


def committed() -> str:
    return (ROOT / "docs" / "diagnosis-quality.md").read_text(encoding="utf-8")


def interval(cell: str) -> list[float]:
    return [float(x) for x in re.findall(r"[-+]?\d+\.\d+", cell)]


def test_the_committed_page_shows_better_figures_than_every_plain_method() -> None:
    """At the second level, in both languages, for all four figures, beyond chance."""
    gaps = [r for r in rows_of(committed(), "Second level") if r[1].startswith("prediction −")]
    assert len(gaps) == len(LANGUAGES) * len(BASELINES)
    for row in gaps:
        for cell in row[2:]:
            assert interval(cell)[1] > 0, row


def test_the_committed_page_reaches_what_was_asked_for_on_typed_incidents() -> None:
    section = committed().split("\n## d1_cloud_incidents_typed\n", 1)[1]
    row = next(line for line in section.splitlines() if line.startswith("| prediction |"))
    cells = [c.strip() for c in row.strip("|").split("|")]
    found = dict(zip(FIGURES, (interval(c)[0] for c in cells[1:5]), strict=True))
    assert found["micro F1"] >= 0.74
    assert found["macro F1"] >= 0.45
