"""Questions against a library: what counts as answerable, languages apart, sets with the tagger."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from embeddings import embed_query
from embeddings.errors import BadEvalSet
from embeddings.evaluate import BASELINES, EvalSet, Query, read_set
from kg.library import Library
from kg.library.evaluation import (
    answerable,
    evaluate_set,
    library_rankings,
    read_questions,
    tag_lane,
)
from kg.library.text_lanes import TextLanes
from kg.readers import shipped
from kg.vocab import Vocabulary
from tests.helpers.judged import small_set, tiny_questions


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EvalSet]:
    return dict(read_questions(tiny_questions(tmp_path_factory.mktemp("asked") / "eval")))


def asking(grades: dict[str, int] | None, **metadata: object) -> tuple[EvalSet, Query]:
    query = Query("q", "what", metadata=metadata)
    return EvalSet("x", (), (query,), {} if grades is None else {"q": grades}), query


@pytest.mark.parametrize(
    ("grades", "metadata", "yes"),
    [
        ({"a": 3}, {}, True),
        ({"a": 1}, {}, True),  # the set does not say otherwise
        ({"a": 1}, {"answerable": False}, False),
        ({"a": 3}, {"answerable": False}, False),
        ({"a": 0}, {}, False),
        ({"a": 0}, {"answerable": True}, False),
        ({}, {"answerable": True}, False),
        (None, {}, False),
    ],
)
def test_what_is_answerable(
    grades: dict[str, int] | None, metadata: dict[str, object], yes: bool
) -> None:
    assert answerable(*asking(grades, **metadata)) is yes


def test_questions_are_parted_by_split(questions: dict[str, EvalSet]) -> None:
    assert list(questions) == ["dev", "test"]
    for split, data in questions.items():
        assert len(data.queries) == 18
        assert all(q.id.startswith(f"{split}-") for q in data.queries)
        assert set(data.qrels) <= {q.id for q in data.queries}
        assert sum(answerable(data, q) for q in data.queries) == 12


def test_the_shipped_questions_are_all_read() -> None:
    found = read_questions(shipped("cases").parent / "eval")
    ids = [q.id for data in found.values() for q in data.queries]
    assert len(ids) == len(set(ids)) == 131
    without = [q.id for data in found.values() for q in data.queries if not answerable(data, q)]
    assert len(without) == 18
    assert not {q for d in (found["dev"],) for q in d.qrels} & {q.id for q in found["test"].queries}


def test_each_question_is_ranked_as_a_search_ranks_it(
    tiny: Library, questions: dict[str, EvalSet]
) -> None:
    data = questions["dev"]
    rows = list(library_rankings(tiny, data))
    assert [q.id for q, _ in rows] == [q.id for q in data.queries]
    ids = list(tiny.cases)
    for query, ranking in rows:
        judge = {h.id: h.score for h in tiny.search(query.text, k=99, threshold=0.0)}
        found = dict(zip(ids, ranking.total.tolist(), strict=True))
        for case_id, score in judge.items():
            assert found[case_id] == pytest.approx(score, abs=2e-6)


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_the_language_of_the_texts_can_be_chosen(
    tiny: Library, questions: dict[str, EvalSet], lang: str
) -> None:
    lanes = TextLanes(tiny._snapshot, tiny.graph, lang)
    for query, ranking in library_rankings(tiny, questions["test"], lang):
        judge = lanes.rank(
            embed_query(tiny.encoder, query.text), tiny.labels(query.text), lanes.ids
        )
        assert ranking.total == pytest.approx(judge.total, abs=2e-6)
        assert len(ranking.passages) == sum(p.lang == lang for p in tiny._snapshot.passages)


def test_only_dense_and_words_hang_on_the_language(
    tiny: Library, questions: dict[str, EvalSet]
) -> None:
    both, english, korean = (
        [r for _, r in library_rankings(tiny, questions["dev"], lang)]
        for lang in (None, "en", "ko")
    )
    for b, e, k in zip(both, english, korean, strict=True):
        assert np.array_equal(b.lanes["graph"], e.lanes["graph"])
        assert np.array_equal(b.lanes["graph"], k.lanes["graph"])
    assert any(
        not np.allclose(e.lanes["words"], k.lanes["words"])
        for e, k in zip(english, korean, strict=True)
    )


def test_a_set_is_measured_with_the_names_that_a_tagger_knows(tmp_path: Path) -> None:
    report = evaluate_set(small_set(tmp_path / "small"), encoder="hash")
    assert list(report.lanes) == ["dense", "words", "graph", "late", "hybrid", *BASELINES]
    assert (report.name, report.documents, report.queries) == ("small", 6, 4)
    assert any(report.values("graph", "ndcg@10"))


def test_a_document_that_is_the_query_never_counts(tmp_path: Path) -> None:
    """d2 asks with its own words: of the others only d5 answers, so it can be found at once."""
    report = evaluate_set(small_set(tmp_path / "small"), encoder="hash")
    for lane, rows in report.lanes.items():
        if lane in ("words", "hybrid", *BASELINES):
            assert rows["d2"]["ndcg@10"] == rows["d2"]["recall@1"] == 1


def test_a_read_set_may_be_given_and_lanes_chosen(tmp_path: Path) -> None:
    data = read_set(small_set(tmp_path / "small"))
    report = evaluate_set(data, encoder="hash", lanes=["words"])
    assert list(report.lanes) == ["words", *BASELINES]
    whole = evaluate_set(data, encoder="hash")
    assert report.lanes["words"] == whole.lanes["words"]


def test_another_split_has_its_own_judgements(tmp_path: Path) -> None:
    report = evaluate_set(small_set(tmp_path / "small"), encoder="hash", split="dev")
    assert report.queries == 1
    assert set(report.lanes["hybrid"]) == {"q4"}


def test_a_set_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadEvalSet):
        evaluate_set(tmp_path / "nothing", encoder="hash")
    with pytest.raises(BadEvalSet):
        evaluate_set(small_set(tmp_path / "small"), encoder="hash", split="train")


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    evaluate_set(
        small_set(tmp_path / "small"), encoder="hash", progress=lambda *step: told.append(step)
    )
    assert {stage for stage, _, _ in told} >= {"embedding passages", "ranking"}
    assert all(0 <= done <= total for _, done, total in told)


def test_the_lane_of_names_finds_both_languages(vocabulary: Vocabulary) -> None:
    lane = tag_lane(vocabulary)
    lane.fit([["NCCL timeout", "the job hung"], ["a disk was full"], []])
    for query in ("NCCL timeout", "NCCL 타임아웃"):
        assert int(lane.scores(query).argmax()) == 0
        assert lane.scores(query)[2] == 0
