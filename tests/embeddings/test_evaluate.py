"""The evaluator: every lane over a set that people judged, and the report of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpus import ENCODER, WithoutTokens, parameters

from embeddings import Ranking, embed_query
from embeddings.errors import BadEvalSet
from embeddings.evaluate import (
    BASELINES,
    LANES,
    MEASURES,
    Document,
    EvalSet,
    Query,
    Report,
    bootstrap,
    evaluate,
    measure,
    plain_text,
    ranked,
    rankings,
    scores_of,
)
from embeddings.evaluate.corpus import build_retriever, passages_of, size_of
from embeddings.evaluate.run import language_pair

DOCUMENTS = (
    Document("d1", "NCCL timeout", "The watchdog fired after a switch rebooted."),
    Document("d2", "Disk full", "A checkpoint filled the disk and the job stopped."),
    Document("d3", "", "노드가 멈추고 통신이 끊겼다. 스위치가 재부팅되었다."),
    Document("d4", "GPU lost", "The GPU has fallen off the bus, Xid 79."),
    Document("d5", "Full disk again", "The disk was full again after a checkpoint."),
    Document("d6", "", "", {"cause": "케이블이 빠졌다", "fix": "케이블을 바꿨다"}),
)
QUERIES = (
    Query("q1", "switch rebooted, watchdog timeout"),
    Query("q2", "스위치 재부팅으로 통신이 끊김"),
    Query("d2", "A checkpoint filled the disk", "en"),
    Query("q4", "Xid 79"),
    Query("q5", "nobody judged this"),
    Query("q6", "케이블"),
)
QRELS: Mapping[str, Mapping[str, int]] = {
    "q1": {"d1": 3, "d3": 1},
    "q2": {"d3": 2, "d1": 2},
    "d2": {"d2": 3, "d5": 2},
    "q4": {"d4": 1},
    "q6": {"d6": 1, "d2": 0},
    "only-zero": {"d1": 0},
}
SET = EvalSet("small", DOCUMENTS, QUERIES, QRELS, ("corpus.jsonl: one line is odd",))


class Lengths:
    """A lane that knows the length of each document."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def fit(self, documents: Sequence[Sequence[str]]) -> None:
        self.seen = [list(passages) for passages in documents]

    def scores(self, query: str) -> np.ndarray:
        lengths = [sum(map(len, passages)) for passages in self.seen]
        return np.array([-abs(length - 3 * len(query)) for length in lengths], dtype=float)


def quiet(stage: str, done: int, total: int) -> None:
    pass


@pytest.fixture(scope="module")
def report() -> Report:
    return evaluate(SET, ENCODER, extra={"graph": Lengths()}, parameters=parameters())


def test_every_lane_and_baseline_has_every_scored_query(report: Report) -> None:
    assert list(report.lanes) == [*LANES, *BASELINES]
    for rows in report.lanes.values():
        assert set(rows) == {"q1", "q2", "d2", "q4", "q6"}
        assert all(tuple(row) == MEASURES for row in rows.values())
    assert (report.name, report.documents, report.queries) == ("small", 6, 5)
    assert report.problems == ("corpus.jsonl: one line is odd",)
    assert set(report.seconds) == {"embedding", "ranking", "baselines"}
    assert all(value >= 0 for value in report.seconds.values())


def slow_scores(lane: str, found: Ranking) -> list[float]:
    """What a lane alone ranks by, document by document."""
    if lane == "hybrid":
        return [sum(part[d] for part in found.parts.values()) for d in range(len(DOCUMENTS))]
    if lane == "late":
        seen = [s for s in found.lanes["late"].tolist() if not math.isnan(s)]
        low = min([*seen, 0.0]) - 1
        return [
            low + 1e-3 * math.tanh(float(t) / 100) if math.isnan(s) else s
            for s, t in zip(found.lanes["late"].tolist(), found.total.tolist(), strict=True)
        ]
    if lane != "words":
        return found.lanes[lane].tolist()
    # By the standard scores alone, however little of the query the corpus knows; translations by
    # how much of it the corpus does not know.
    weights, summed = parameters().fusion.weights, [0.0] * len(DOCUMENTS)
    heard = {"words": 1.0, "grams": 1.0, "bridge": 1 - found.known_share}
    for third, share in heard.items():
        scores = found.lanes[third].tolist()
        mean = sum(scores) / len(scores)
        deviation = math.sqrt(sum((s - mean) ** 2 for s in scores) / len(scores))
        for d, s in enumerate(scores):
            summed[d] += share * weights[third] * (s - mean) / deviation if deviation > 1e-9 else 0
    return summed


@pytest.mark.parametrize("lane", LANES)
def test_the_rows_are_those_of_a_plain_loop(report: Report, lane: str) -> None:
    retriever = build_retriever(DOCUMENTS, passages_of(DOCUMENTS), ENCODER, parameters(), quiet)
    graph = Lengths()
    graph.fit(passages_of(DOCUMENTS))
    for query in QUERIES:
        if not any(g > 0 for d, g in QRELS.get(query.id, {}).items() if d != query.id):
            assert query.id not in report.lanes[lane]
            continue
        others = np.array([d.id != query.id for d in DOCUMENTS])
        found = retriever.rank(
            embed_query(ENCODER, query.text),
            extra={"graph": graph.scores(query.text)},
            allowed=np.flatnonzero(others),
            counted=others,
        )
        scores = slow_scores(lane, found)
        scores = scores if lane == "late" else [round(s, 6) for s in scores]
        order = ranked(scores, [d.id for d in DOCUMENTS], query.id)
        judge = measure(query.id, order, QRELS[query.id])
        assert report.lanes[lane][query.id] == pytest.approx(judge)


@pytest.mark.parametrize("name", BASELINES)
def test_the_baselines_are_those_that_every_table_shows(report: Report, name: str) -> None:
    ids = [d.id for d in DOCUMENTS]
    for query in SET.scored:
        (row,) = BASELINES[name]([plain_text(d) for d in DOCUMENTS], [query.text])
        judge = measure(query.id, ranked(row, ids), QRELS[query.id])
        assert report.lanes[name][query.id] == judge


def test_the_own_document_is_no_answer_and_moves_no_statistic() -> None:
    """Whatever the own document says of itself, the other rows stay (its words are in idf)."""
    retriever = build_retriever(DOCUMENTS, passages_of(DOCUMENTS), ENCODER, parameters(), quiet)
    found = {q.id: r for q, r in rankings(SET, retriever, ENCODER, {}, quiet)}
    counted = [d.id != "d2" for d in DOCUMENTS]
    for part in ("dense", "late"):
        values = found["d2"].parts[part][counted]
        assert abs(float(values.mean())) < 1e-5
    assert abs(float(found["d2"].parts["dense"][counted].std()) - 1) < 1e-4
    assert np.isnan(found["d2"].lanes["late"][1])
    assert found["d2"].parts["dense"][1] > found["d2"].parts["dense"][counted].max()
    # And with it left out, the other report of the same thing comes first.
    best = ranked(found["d2"].total, [d.id for d in DOCUMENTS], "d2")
    assert best[0] == "d5"


def test_rankings_come_in_order_and_progress_is_told() -> None:
    queries = tuple(Query(f"n{i}", f"disk {i}") for i in range(45))
    data = replace(SET, queries=queries, qrels={q.id: {"d2": 1} for q in queries})
    retriever = build_retriever(DOCUMENTS, passages_of(DOCUMENTS), ENCODER, parameters(), quiet)
    told: list[tuple[str, int, int]] = []
    found = rankings(data, retriever, ENCODER, {}, lambda *what: told.append(what))
    assert [q.id for q, _ in found] == [q.id for q in queries]
    assert told == [("ranking", n, 45) for n in (20, 40, 45)]


def test_a_lane_of_the_caller_sees_the_passages_and_is_weighted() -> None:
    lane = Lengths()
    found = evaluate(SET, ENCODER, extra={"graph": lane}, parameters=parameters())
    assert lane.seen == passages_of(DOCUMENTS)
    without = evaluate(SET, ENCODER, parameters=parameters())
    assert "graph" not in without.lanes
    assert found.lanes["dense"] == without.lanes["dense"]
    heavy = parameters()
    fusion = replace(heavy.fusion, weights={"graph": 1.0})
    only = evaluate(SET, ENCODER, extra={"graph": lane}, parameters=replace(heavy, fusion=fusion))
    assert only.lanes["hybrid"] == only.lanes["graph"]
    assert only.lanes["hybrid"] != found.lanes["hybrid"]


class Blind(Lengths):
    """Looks at the first documents only."""

    def scores(self, query: str) -> np.ndarray:
        return np.array([1.0, 2.0, *[math.nan] * (len(self.seen) - 2)])


def test_a_lane_that_did_not_look_everywhere_still_has_a_row() -> None:
    found = evaluate(SET, ENCODER, extra={"graph": Blind()}, parameters=parameters())
    assert found.lanes["graph"]["q1"]["mrr"] == 0.5  # d2, then d1
    retriever = build_retriever(DOCUMENTS, passages_of(DOCUMENTS), ENCODER, parameters(), quiet)
    for _, one in rankings(SET, retriever, ENCODER, {}, quiet):
        scores = scores_of("late", one, parameters())
        seen = np.isfinite(one.lanes["late"])
        assert np.isfinite(scores).all()
        assert np.array_equal(scores[seen], one.lanes["late"][seen])
        assert scores[~seen].max(initial=-9) < scores[seen].min()


def test_below_what_was_looked_at_the_sum_decides() -> None:
    late = np.array([math.nan, 0.2, math.nan, 0.1, math.nan])
    dense = np.array([100.0, 0.0, 300.0, 0.0, 200.0])  # however high the sum is
    found = Ranking({"late": late}, {"dense": dense}, np.zeros(0, np.float32), 1.0, 5)
    scores = scores_of("late", found, parameters())
    assert np.argsort(-scores, kind="stable").tolist() == [1, 3, 2, 4, 0]
    assert scores_of("graph", found, parameters()).tolist() == [0] * 5


def test_only_the_lanes_asked_for() -> None:
    found = evaluate(SET, ENCODER, lanes=("hybrid", "dense"), parameters=parameters())
    assert list(found.lanes) == ["hybrid", "dense", *BASELINES]
    with pytest.raises(ValueError, match="unknown lane 'bm25'; there are dense, words"):
        evaluate(SET, ENCODER, lanes=("bm25",))


def test_an_encoder_without_tokens_has_no_late_row() -> None:
    found = evaluate(SET, WithoutTokens(), parameters=parameters())
    assert list(found.lanes) == ["dense", "words", "hybrid", *BASELINES]
    assert found.index_bytes < evaluate(SET, ENCODER, parameters=parameters()).index_bytes


def test_the_index_is_as_large_as_its_arrays(report: Report) -> None:
    assert report.index_bytes == size_of(
        build_retriever(DOCUMENTS, passages_of(DOCUMENTS), ENCODER, parameters(), quiet)
    )


def test_the_same_set_gives_the_same_report(report: Report) -> None:
    again = evaluate(SET, ENCODER, extra={"graph": Lengths()}, parameters=parameters())
    one, other = report.as_dict(), again.as_dict()
    assert one.pop("seconds").keys() == other.pop("seconds").keys()
    assert one == other


@settings(deadline=None, max_examples=8)
@given(st.permutations(DOCUMENTS), st.permutations(QUERIES))
def test_the_order_of_the_files_does_not_matter(
    report: Report, documents: list[Document], queries: list[Query]
) -> None:
    """But for lanes with ties, such as words that many documents lack: those stand by the file."""
    moved = replace(SET, documents=tuple(documents), queries=tuple(queries))
    other = evaluate(moved, ENCODER, extra={"graph": Lengths()}, parameters=parameters())
    for lane in ("dense", "late", "hybrid"):
        for query, row in report.lanes[lane].items():
            assert other.lanes[lane][query] == pytest.approx(row)


def test_the_shape_of_the_json(report: Report) -> None:
    data = json.loads(json.dumps(report.as_dict(), allow_nan=False))
    assert data["set"] == "small"
    assert set(data["lanes"]) == set(LANES)
    assert set(data["baselines"]) == set(BASELINES)
    assert set(data["lanes"]["hybrid"]) == set(MEASURES)
    assert set(data["lanes"]["hybrid"]["ndcg@10"]) == {"value", "low", "high"}
    assert {"documents": 6, "queries": 5}.items() <= data.items()
    assert data["problems"] == ["corpus.jsonl: one line is odd"]
    assert isinstance(data["index_bytes"], int)
    for name, rows in {**data["lanes"], **data["baselines"]}.items():
        for key, cell in rows.items():
            values = [row[key] for row in report.lanes[name].values()]
            assert cell == pytest.approx(bootstrap(values)._asdict())
            assert cell["low"] <= cell["value"] <= cell["high"]


def test_pairs_part_the_queries(report: Report) -> None:
    data = report.as_dict()["pairs"]
    assert set(data) == {"en-en", "ko-en", "ko-ko"}
    assert {pair: rows["queries"] for pair, rows in data.items()} == {
        "en-en": 3,
        "ko-en": 1,
        "ko-ko": 1,
    }
    for pair, rows in data.items():
        mine = [q for q, p in report.languages.items() if p == pair]
        for lane, cells in rows["lanes"].items():
            values = [report.lanes[lane][q]["mrr"] for q in sorted(mine)]
            assert report.values(lane, "mrr", pair) == values
            assert cells["mrr"]["value"] == pytest.approx(sum(values) / len(values))


def test_values_come_by_query_id_and_unknown_names_are_refused(report: Report) -> None:
    rows = report.lanes["hybrid"]
    assert report.values("hybrid", "mrr") == [rows[q]["mrr"] for q in sorted(rows)]
    assert report.interval("hybrid", "mrr") == bootstrap(report.values("hybrid", "mrr"))
    for lane, name in (("tags", "mrr"), ("hybrid", "map")):
        with pytest.raises(KeyError):
            report.interval(lane, name)
    with pytest.raises(ValueError, match="one finite number per query"):
        report.interval("hybrid", "mrr", "zh-en")


@pytest.mark.parametrize(
    ("query", "grades", "pair"),
    [
        (Query("x", "switch"), {"d1": 1}, "en-en"),
        (Query("x", "스위치"), {"d1": 1}, "ko-en"),
        (Query("x", "switch"), {"d3": 1, "d1": 1, "d6": 2}, "en-ko"),
        (Query("x", "switch"), {"d3": 1, "d1": 1}, "en-en"),  # as many: the first by name
        (Query("x", "switch"), {"d3": 0, "d1": 1}, "en-en"),
        (Query("x", "switch"), {"lost": 2}, "en-en"),
        (Query("x", "switch"), {"d6": 1}, "en-ko"),  # typed fields have a language too
        (Query("x", "switch", "fr"), {"d1": 1}, "fr-en"),
        (Query("d1", "switch"), {"d1": 3, "d3": 1}, "en-ko"),
    ],
)
def test_the_name_of_a_pair(query: Query, grades: dict[str, int], pair: str) -> None:
    data = replace(SET, qrels={query.id: grades})
    assert language_pair(data, query) == pair


def test_a_set_may_say_the_language_of_its_documents() -> None:
    documents = (replace(DOCUMENTS[0], lang="de"), *DOCUMENTS[1:])
    data = replace(SET, documents=documents, qrels={"q1": {"d1": 1}})
    assert language_pair(data, QUERIES[0]) == "en-de"


@pytest.mark.parametrize("qrels", [{}, {"q1": {"d1": 0}}, {"d2": {"d2": 3}}])
def test_a_set_that_nobody_judged_is_refused_before_any_work(
    qrels: Mapping[str, Mapping[str, int]],
) -> None:
    class Refusing:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError("nothing should be embedded")

    with pytest.raises(BadEvalSet, match=r"evaluation set small: no query is judged"):
        evaluate(replace(SET, qrels=qrels), Refusing())


def test_a_folder_is_read_with_the_split_that_is_named(tmp_path: Path) -> None:
    corpus = [{"_id": d.id, "title": d.title, "text": d.text} for d in DOCUMENTS[:5]]
    queries = [{"_id": q.id, "text": q.text} for q in QUERIES]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "qrels").mkdir()
    for split, line in (("test", "q1\td1\t2"), ("dev", "q4\td4\t1\nq2\td3\t1")):
        text = f"query-id\tcorpus-id\tscore\n{line}\n"
        (tmp_path / "qrels" / f"{split}.tsv").write_text(text)
    found = evaluate(tmp_path, ENCODER, parameters=parameters())
    assert (found.name, found.queries) == (tmp_path.name, 1)
    told: list[str] = []
    dev = evaluate(
        str(tmp_path),
        ENCODER,
        split="dev",
        parameters=parameters(),
        progress=lambda stage, done, total: told.append(stage),
    )
    assert set(dev.lanes["hybrid"]) == {"q2", "q4"}
    assert set(told) == {"embedding passages", "ranking"}
    with pytest.raises(BadEvalSet):
        evaluate(tmp_path / "missing", ENCODER)


def test_a_corpus_smaller_than_the_depth_and_a_lost_document() -> None:
    data = EvalSet("one", DOCUMENTS[:1], QUERIES[:1], {"q1": {"d1": 2, "lost": 2}})
    found = evaluate(data, ENCODER, parameters=parameters())
    for row in found.lanes.values():
        assert row["q1"]["recall@100"] == 0.5
        assert row["q1"]["mrr"] == 1


def test_a_set_of_empty_documents_measures_zero_and_breaks_nothing() -> None:
    data = EvalSet(
        "none", (Document("a", "", ""), Document("b", "", " ")), QUERIES[:1], {"q1": {"a": 1}}
    )
    found = evaluate(data, ENCODER, parameters=parameters())
    # All scores are equal, so every lane says the same: the order by lot.
    first = found.lanes["dense"]["q1"]
    assert all(row["q1"] == first for row in found.lanes.values())
    assert 0 < first["mrr"] <= 1


def test_judgements_of_another_corpus_are_refused() -> None:
    other = replace(SET, qrels={"q1": {"x1": 2}, "q2": {"x2": 1}})
    with pytest.raises(BadEvalSet, match="none of the judged documents, such as 'x1'"):
        evaluate(other, ENCODER)
