"""`kg eval SET`: a table or JSON of every lane, for a folder in the BEIR layout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from embeddings.evaluate import BASELINES, LANES, MEASURES, Report
from kg.library.evaluation import evaluate_set
from tests.cli.conftest import Answer, Run
from tests.helpers.judged import DOCUMENTS, QRELS, QUERIES, small_set, write_set


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_set(tmp_path_factory.mktemp("sets") / "small")


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return evaluate_set(folder, encoder="hash")


@pytest.fixture
def measured(run: Run, folder: Path) -> Run:
    def call(*arguments: str) -> Answer:
        return run("eval", str(folder), "--encoder", "hash", *arguments)

    return call


def test_json_has_every_lane_with_every_measure_and_its_interval(
    measured: Run, report: Report
) -> None:
    answer = measured("--json")
    assert answer.code == 0
    data = answer.json
    assert data["set"] == "small"
    assert (data["documents"], data["queries"]) == (6, 4)
    assert list(data["lanes"]) == list(LANES)
    assert list(data["baselines"]) == list(BASELINES)
    for name, measures in {**data["lanes"], **data["baselines"]}.items():
        assert list(measures) == list(MEASURES)
        for of, value in measures.items():
            assert list(value) == ["value", "low", "high"]
            assert 0 <= value["low"] <= value["value"] <= value["high"] <= 1
            assert value == report.interval(name, of)._asdict()
    # Language pairs apart, and what it cost.
    assert set(data["pairs"]) == {"en-en", "ko-ko"}
    assert sum(pair["queries"] for pair in data["pairs"].values()) == data["queries"]
    for pair in data["pairs"].values():
        assert set(pair["lanes"]) == {*LANES, *BASELINES}
    assert set(data["seconds"]) == {"embedding", "ranking", "baselines"}
    assert all(seconds >= 0 for seconds in data["seconds"].values())
    assert data["index_bytes"] > 0
    assert data["problems"] == []


def test_the_table_shows_the_same_figures(measured: Run, report: Report) -> None:
    answer = measured()
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == "small: 6 documents, 4 queries"
    assert lines[1].split() == ["ndcg@10", "mrr", "recall@1", "recall@10", "recall@100"]
    shown = {line.split()[0]: line.split()[1:] for line in lines[2 : 2 + 8]}
    assert list(shown) == [*LANES, *BASELINES]
    for lane, cells in shown.items():
        first = report.interval(lane, "ndcg@10")
        rest = [report.interval(lane, n).value for n in lines[1].split()[1:]]
        judge = [f"{first.value:.3f}", f"[{first.low:.3f}-{first.high:.3f}]"]
        assert cells == [*judge, *(f"{value:.3f}" for value in rest)]
    assert any(line.startswith("ko-ko (1 ") for line in lines)
    assert lines[-1].endswith(" MB")


def test_progress_goes_to_standard_error_only(measured: Run) -> None:
    answer = measured("--json", "--lane", "words")
    json.loads(answer.out)
    assert "ranking" in answer.err


@pytest.mark.parametrize("lanes", [["words"], ["hybrid"], ["dense", "late"], ["graph"]])
def test_only_the_lanes_asked_for(measured: Run, report: Report, lanes: list[str]) -> None:
    chosen = [argument for lane in lanes for argument in ("--lane", lane)]
    data = measured("--json", *chosen).json
    assert list(data["lanes"]) == lanes
    assert list(data["baselines"]) == list(BASELINES)
    for lane in lanes:
        if lane != "late":  # the documents that it does not look at stand by the sum
            assert data["lanes"][lane]["mrr"] == report.interval(lane, "mrr")._asdict()


def test_a_lane_that_is_not_there_is_bad_use(measured: Run) -> None:
    answer = measured("--lane", "bm25")
    assert answer.code == 2
    assert "invalid choice: 'bm25'" in answer.err


def test_another_split(measured: Run) -> None:
    quick = ("--lane", "words", "--json")
    assert measured("--split", "dev", *quick).json["queries"] == 1
    answer = measured("--split", "train")
    assert (answer.code, answer.out) == (2, "")
    assert "qrels/train.tsv" in answer.err


def test_a_document_whose_id_is_the_querys_never_counts(run: Run, tmp_path: Path) -> None:
    """Of d2's own text the query is a copy: if it counted, nothing else could come first."""
    own = [q for q in QUERIES if q["_id"] == "d2"]
    qrels = {"test": {"d2": {"d2": 3, "d5": 2}}}
    folder = write_set(tmp_path / "own", DOCUMENTS, own, qrels)
    chosen = ("--lane", "words", "--lane", "hybrid")
    data = run("eval", str(folder), "--encoder", "hash", "--json", *chosen).json
    for lane in ("words", "hybrid"):
        assert data["lanes"][lane]["recall@1"]["value"] == 1
        assert data["lanes"][lane]["ndcg@10"]["value"] == 1
    # Judged alone, it leaves nothing to measure.
    alone = write_set(tmp_path / "alone", DOCUMENTS, own, {"test": {"d2": {"d2": 3}}})
    answer = run("eval", str(alone), "--encoder", "hash")
    assert answer.code == 2
    assert "no query is judged" in answer.err


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("corpus.jsonl", "corpus.jsonl"),
        ("queries.jsonl", "queries.jsonl"),
        ("qrels/test.tsv", "qrels/test.tsv"),
    ],
)
def test_a_folder_that_is_no_set_is_refused_in_one_clear_message(
    run: Run, tmp_path: Path, missing: str, said: str
) -> None:
    folder = small_set(tmp_path / "broken")
    (folder / missing).unlink()
    answer = run("eval", str(folder), "--encoder", "hash")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("kg: ")
    assert said in answer.err
    assert "Traceback" not in answer.err


def test_no_folder_at_all(run: Run, tmp_path: Path) -> None:
    answer = run("eval", str(tmp_path / "none"), "--encoder", "hash")
    assert answer.code == 2
    assert "corpus.jsonl" in answer.err
    assert run("eval").code == 2


def test_an_encoder_that_is_not_here(run: Run, folder: Path) -> None:
    answer = run("eval", str(folder), "--encoder", "no-such-model-here")
    assert answer.code == 2
    assert "no-such-model-here" in answer.err


def test_problems_of_a_set_are_told_and_the_rest_is_measured(run: Run, tmp_path: Path) -> None:
    folder = small_set(tmp_path / "odd")
    with (folder / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write("{not JSON\n")
    with (folder / "qrels" / "test.tsv").open("a", encoding="utf-8") as file:
        file.write("q1\td1\tmuch\n")
    quick = ("eval", str(folder), "--encoder", "hash", "--lane", "words")
    answer = run(*quick, "--json")
    assert answer.code == 0
    assert answer.json["queries"] == 4
    assert len(answer.json["problems"]) == 2
    assert "corpus.jsonl line 7" in answer.err
    assert "qrels/test.tsv line 8" in answer.err
    assert "corpus.jsonl line 7" not in run(*quick).out


def test_what_a_set_says_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    queries = [{**q, "metadata": {"lang": "e\x1b[2Jn"}} for q in QUERIES]
    folder = write_set(tmp_path / "steer", DOCUMENTS, queries, QRELS)
    quick = ("eval", str(folder), "--encoder", "hash", "--lane", "words")
    text, data = run(*quick), run(*quick, "--json")
    for answer in (text, data):
        assert answer.code == 0
        assert "\x1b" not in answer.out
    assert any("\x1b" in pair for pair in data.json["pairs"])  # escaped, and so kept


def test_a_set_without_language_pairs_has_one_table(run: Run, tmp_path: Path) -> None:
    folder = write_set(tmp_path / "one", DOCUMENTS[:2], QUERIES[:1], {"test": {"q1": {"d1": 1}}})
    out = run("eval", str(folder), "--encoder", "hash").out
    assert "queries)" not in out
    assert "one: 2 documents, 1 queries" in out


def test_help_names_the_word(run: Run) -> None:
    out = run("--help").out
    assert "eval" in out
    assert "BEIR" in run("eval", "--help").out


def test_when_no_judgement_can_be_used_the_first_reason_is_said(run: Run, tmp_path: Path) -> None:
    folder = write_set(tmp_path / "bad", DOCUMENTS, QUERIES, {"test": {"nobody": {"d1": 2}}})
    answer = run("eval", str(folder), "--encoder", "hash")
    assert answer.code == 2
    assert "no query is judged" in answer.err
    assert "'nobody' is not in queries.jsonl" in answer.err
