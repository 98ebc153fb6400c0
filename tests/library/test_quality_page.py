"""The page of figures: every set, lane and language pair, and the numbers that were measured."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import kg
from embeddings.evaluate import BASELINES, EvalSet, Report, bootstrap, paired_difference, scores_of
from embeddings.fitted import fitted
from kg.library import Library, quality
from kg.library.evaluation import answerable, evaluate_set, library_rankings, read_questions
from kg.library.fit_answers import answers, confidence_figures
from kg.library.fitted import case_fusion, default_threshold
from kg.library.quality import LANES, page
from tests.helpers.judged import DOCUMENTS, QUERIES, small_set, tiny_questions, write_set
from tests.helpers.tiny import tiny_cases, tiny_vocabulary


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_questions(tmp_path_factory.mktemp("asked") / "eval")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Report]:
    folder = tmp_path_factory.mktemp("sets")
    english = [d for d in DOCUMENTS if d["_id"] in ("d1", "d2", "d4", "d5")]
    one = write_set(folder / "english", english, QUERIES[:1], {"test": {"q1": {"d1": 1, "d2": 1}}})
    return [evaluate_set(path, encoder="hash") for path in (one, small_set(folder / "small"))]


@pytest.fixture(scope="module")
def text(reports: list[Report], tiny: Library, questions: Path) -> str:
    return page(reports, tiny, questions)


def rows_of(text: str, heading: str) -> list[list[str]]:
    """The cells of all table rows under a heading, up to the next one."""
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|") and not line.startswith("|---")
    ]


def interval(values: list[float]) -> str:
    found = bootstrap(values)
    return f"{found.value:.3f} [{found.low:.3f}–{found.high:.3f}]"


def test_every_lane_and_baseline_has_its_row_with_the_figures_of_the_report(
    text: str, reports: list[Report]
) -> None:
    for report in reports:
        rows = {row[0]: row[1:] for row in rows_of(text, report.name)}
        for lane in (*LANES, *BASELINES):
            rest = [report.values(lane, n) for n in ("mrr", "recall@1", "recall@10", "recall@100")]
            judge = [interval(report.values(lane, "ndcg@10")), *(f"{np.mean(v):.3f}" for v in rest)]
            assert rows[lane] == judge


def test_the_gap_to_the_best_baseline_is_told_with_its_interval(
    text: str, reports: list[Report]
) -> None:
    for report in reports:
        means = {b: float(np.mean(report.values(b, "ndcg@10"))) for b in BASELINES}
        best = max(means, key=lambda b: means[b])
        gap = paired_difference(report.values("hybrid", "ndcg@10"), report.values(best, "ndcg@10"))
        told = f"hybrid − {best}: {gap.value:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]"
        assert told in text.split(f"\n## {report.name}\n", 1)[1].split("\n## ", 1)[0]


def test_language_pairs_are_told_where_there_are_several(text: str, reports: list[Report]) -> None:
    single, several = reports
    assert not [row for row in rows_of(text, single.name) if row[0] == "language pair"]
    rows = {row[0]: row[1:] for row in rows_of(text, several.name)}
    pairs = sorted(set(several.languages.values()))
    assert len(pairs) > 1
    for pair in pairs:
        values = several.values("hybrid", "ndcg@10", pair)
        assert rows[pair][:2] == [str(len(values)), interval(values)]


def test_the_means_are_those_of_the_sets(text: str, reports: list[Report]) -> None:
    rows = {row[0]: row[1:] for row in rows_of(text, "All sets")}
    hybrid = [float(np.mean(r.values("hybrid", "ndcg@10"))) for r in reports]
    plain = [max(float(np.mean(r.values(b, "ndcg@10"))) for b in BASELINES) for r in reports]
    for report, value in zip(reports, hybrid, strict=True):
        assert rows[report.name][0] == f"{value:.3f}"
        name = re.fullmatch(r"\d\.\d{3} \((\w+)\)", rows[report.name][1])
        assert name
        assert name[1] in LANES[:-1]
    assert rows["mean"] == [f"{np.mean(hybrid):.3f}", "", f"{np.mean(plain):.3f}"]
    gain = 100 * (np.mean(hybrid) / np.mean(plain) - 1)
    assert f"best baseline: {gain:+.1f} %." in text


def twin(library: Library, data: EvalSet, lane: str, lang: str | None) -> list[tuple[str, float]]:
    """Language and recall@5 of each question that has an answer; grades of 2 and above count."""
    ids, found = list(library.cases), []
    for query, ranking in library_rankings(library, data, lang):
        if answerable(data, query):
            scores = scores_of(lane, ranking, fitted()).tolist()
            best = sorted(range(len(ids)), key=lambda i: (-scores[i], i))[:5]
            right = {i for i, grade in data.qrels[query.id].items() if grade >= 2}
            assert len(right) <= 5
            hit = len(right & {ids[i] for i in best}) / len(right)
            found.append((str(query.lang), hit))
    return found


def test_the_shipped_questions_are_told_lane_by_lane(
    text: str, tiny: Library, questions: Path
) -> None:
    rows = rows_of(text, "The shipped questions, on the shipped library")
    lanes = [row for row in rows if row[0] in LANES]
    assert [row[0] for row in lanes] == [*LANES, *LANES]
    splits = read_questions(questions)
    for data, some in zip(splits.values(), (lanes[:5], lanes[5:]), strict=True):
        for lane, _, _, five in some:
            assert five == interval([value for _, value in twin(tiny, data, lane, None)])


def test_the_language_pairs_of_the_shipped_questions(
    text: str, tiny: Library, questions: Path
) -> None:
    rows = [
        row
        for row in rows_of(text, "The shipped questions, on the shipped library")
        if "→" in row[0] and row[1].isdigit()
    ]
    assert len(rows) == 8
    splits = read_questions(questions)
    for split, some in (("test", rows[:4]), ("dev", rows[4:])):
        for pair, count, _, five in some:
            mine, theirs = pair.split(" → ")
            values = [v for lang, v in twin(tiny, splits[split], "hybrid", theirs) if lang == mine]
            assert (count, five) == (str(len(values)), interval(values))
            assert len(values) == 6


def test_what_is_said_of_probabilities(text: str, tiny: Library, questions: Path) -> None:
    rows = {row[0]: row[1:] for row in rows_of(text, "How far a probability can be trusted")}
    splits = read_questions(questions)
    every = [a for data in splits.values() for a in answers(tiny, data, case_fusion())]
    for name, value in confidence_figures(every).items():
        assert rows[name] == [f"{value:.3f}"]
    for name, data in splits.items():
        given = {q.id: bool(tiny.search(q.text, k=1).items) for q in data.queries}
        yes = [given[q.id] for q in data.queries if answerable(data, q)]
        no = [not given[q.id] for q in data.queries if not answerable(data, q)]
        assert rows[name] == [f"{sum(yes)} of 12", f"{sum(no)} of 6"]
        assert (len(yes), len(no)) == (12, 6)
    assert f"The threshold, {default_threshold()}," in text


def test_every_table_has_as_many_cells_a_row_as_its_head(text: str) -> None:
    widths: list[int] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            widths.append(line.count("|"))
        else:
            assert len(set(widths)) <= 1
            widths = []
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "nan" not in text


def test_without_sets_the_library_is_still_measured(tiny: Library, questions: Path) -> None:
    assert "| dev | " in page([], tiny, questions)


def test_a_page_says_the_same_again(
    text: str, reports: list[Report], tiny: Library, questions: Path
) -> None:
    assert page(reports, tiny, questions) == text


def test_the_command_writes_the_page(
    tmp_path: Path, tiny: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    tiny_questions(tmp_path / "datasets" / "eval")
    small_set(tmp_path / "sets" / "small")
    (tmp_path / "sets" / "no set").mkdir()
    monkeypatch.chdir(tmp_path)
    measure = quality.evaluate_set
    monkeypatch.setattr(
        quality, "evaluate_set", lambda folder, progress: measure(folder, encoder="hash")
    )
    own = kg.build_library(
        tiny_cases(), tmp_path / "t.duckdb", vocabulary=tiny_vocabulary(), encoder="hash"
    )
    monkeypatch.setattr(quality, "open_library", lambda: own)
    assert quality.main(["sets"]) == 0
    written = (tmp_path / "docs" / "quality.md").read_text(encoding="utf-8")
    assert written.startswith("# How good search is\n")
    assert "\n## small\n" in written
    assert "no set" not in written


@pytest.mark.parametrize("arguments", [[], ["nothing-here"], ["a", "b"]])
def test_bad_use_is_two(
    tmp_path: Path,
    arguments: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert quality.main(arguments) == 2
    assert "kg.library.quality SETS" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
