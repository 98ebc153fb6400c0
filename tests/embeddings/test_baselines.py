"""The plain rows against loops, against scikit-learn, and against the shared figures."""

from __future__ import annotations

import importlib
import itertools
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings.errors import MissingExtra
from embeddings.evaluate import (
    BASELINES,
    Document,
    bm25,
    measure,
    plain_text,
    read_set,
    tfidf_characters,
    tfidf_words,
)

VOCABULARY = [
    "gpu",
    "GPU",
    "node",
    "the",
    "x",
    "스위치",
    "训练",
    "nccl_ib",
    "time-lag",
    "of",
    "ñandú",
]
TEXT = st.lists(st.sampled_from(VOCABULARY), max_size=9).map(" ".join)
TEXTS = st.lists(TEXT, max_size=7)
SHARED = Path(__file__).parents[3] / "shared" / "eval"


def words(text: str) -> list[str]:
    """Runs of two or more word signs, found sign by sign, without three stop words."""
    runs = ["".join(run) for good, run in itertools.groupby(text.lower(), _is_sign) if good]
    return [run for run in runs if len(run) > 1 and run not in ("the", "of", "to")]


def _is_sign(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def slow_bm25(documents: list[str], query: str, k1: float = 1.2, b: float = 0.75) -> list[float]:
    bags = [words(text) for text in documents]
    mean = sum(map(len, bags)) / len(bags)
    scores = []
    for bag in bags:
        score = 0.0
        for word in words(query):  # once for every time it occurs
            df = sum(word in other for other in bags)
            idf = math.log(1 + (len(bags) - df + 0.5) / (df + 0.5))
            tf = bag.count(word)
            if tf:
                score += idf * tf / (tf + k1 * (1 - b + b * len(bag) / mean))
        scores.append(score)
    return scores


@settings(deadline=None)
@given(TEXTS.filter(bool), TEXTS, st.floats(0.1, 3), st.floats(0, 1))
def test_bm25_equals_the_slow_one(
    documents: list[str], queries: list[str], k1: float, b: float
) -> None:
    for query, row in zip(queries, bm25(documents, queries, k1, b), strict=True):
        assert row.dtype == np.float32
        assert row.shape == (len(documents),)
        assert np.allclose(row, slow_bm25(documents, query, k1, b), rtol=1e-5, atol=1e-6)


def slow_cosine(documents: list[Counter[str]], query: Counter[str]) -> list[float]:
    """The weights of the docstring and their cosine, term by term."""

    def weights(terms: Counter[str]) -> dict[str, float]:
        known = {}
        for term, count in terms.items():
            df = sum(term in other for other in documents)
            if df:
                idf = 1 + math.log((1 + len(documents)) / (1 + df))
                known[term] = (1 + math.log(count)) * idf
        length = math.sqrt(sum(value**2 for value in known.values()))
        return {term: value / length for term, value in known.items()}

    asked = weights(query)
    return [sum(asked.get(t, 0) * w for t, w in weights(d).items()) for d in documents]


def grams(text: str) -> Counter[str]:
    """Runs of 3 to 5 signs of each padded word; a word shorter than a run gives itself."""
    found: Counter[str] = Counter()
    for word in text.lower().split():
        padded = f" {word} "
        for n in (3, 4, 5):
            found.update(padded[i : i + n] for i in range(max(1, len(padded) - n + 1)))
            if len(padded) <= n:
                break
    return found


@settings(deadline=None)
@given(TEXTS.filter(bool), TEXTS)
def test_tfidf_over_words_equals_the_slow_one(documents: list[str], queries: list[str]) -> None:
    bags = [Counter(words(text)) for text in documents]
    for query, row in zip(queries, tfidf_words(documents, queries), strict=True):
        assert row.dtype == np.float32
        assert np.allclose(row, slow_cosine(bags, Counter(words(query))), atol=1e-6)


@settings(deadline=None)
@given(TEXTS.filter(bool), TEXTS)
def test_tfidf_over_characters_equals_the_slow_one(
    documents: list[str], queries: list[str]
) -> None:
    bags = [grams(text) for text in documents]
    for query, row in zip(queries, tfidf_characters(documents, queries), strict=True):
        assert np.allclose(row, slow_cosine(bags, grams(query)), atol=1e-6)


@pytest.mark.parametrize("name", BASELINES)
@settings(deadline=None, max_examples=25)
@given(texts=TEXTS.filter(bool), queries=TEXTS, random=st.randoms())
def test_order_of_documents_and_queries_does_not_matter(
    name: str, texts: list[str], queries: list[str], random: Any
) -> None:
    order = list(range(len(texts)))
    random.shuffle(order)
    rows = list(BASELINES[name](texts, queries))
    moved = list(BASELINES[name]([texts[i] for i in order], queries[::-1]))[::-1]
    for row, other in zip(rows, moved, strict=True):
        assert np.allclose(row[order], other, atol=1e-6)


@pytest.mark.parametrize("name", BASELINES)
def test_more_queries_than_fit_a_block(name: str) -> None:
    documents = ["switch port down", "disk full", "gpu lost"]
    queries = [documents[n % 3] for n in range(150)]
    rows = list(BASELINES[name](documents, queries))
    assert len(rows) == 150
    assert [int(row.argmax()) for row in rows] == [n % 3 for n in range(150)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", BASELINES)
def test_nothing_to_find(name: str) -> None:
    score = BASELINES[name]
    assert [row.shape for row in score([], ["gpu"])] == [(0,)]
    assert [row.tolist() for row in score(["", " "], ["gpu", ""])] == [[0, 0], [0, 0]]
    assert list(score(["gpu"], [])) == []
    assert [row.tolist() for row in score(["gpu lost", ""], ["", "disk"])] == [[0, 0], [0, 0]]


def test_stop_words_and_single_signs_find_nothing() -> None:
    texts = ["the node is of no use to it", "a b c"]
    assert [row.tolist() for row in bm25(texts, ["the of to it is a b c"])] == [[0, 0]]
    assert [row.tolist() for row in tfidf_words(texts, ["the of to it is a b c"])] == [[0, 0]]


def test_a_repeated_query_word_counts_as_often() -> None:
    once, twice = bm25(["gpu node", "node"], ["gpu", "gpu GPU"])
    assert twice[0] == pytest.approx(2 * once[0])
    assert once[0] > 0


def test_characters_find_what_words_do_not() -> None:
    documents = ["스위치가 재부팅되었다", "디스크가 가득 찼다"]
    (by_words,) = tfidf_words(documents, ["스위치를 재부팅"])
    (by_characters,) = tfidf_characters(documents, ["스위치를 재부팅"])
    assert by_words.tolist() == [0, 0]
    assert by_characters[0] > by_characters[1]


def test_a_title_counts_twice() -> None:
    assert plain_text(Document("d", "Disk full", "It was.")) == "Disk full Disk full It was."
    assert plain_text(Document("d", "", "It was.", {"cause": "x"})).strip() == "It was."


def test_fields_stand_in_for_a_missing_text() -> None:
    text = plain_text(Document("d", "T", "", {"cause": "bad cable", "fix": "new cable"}))
    assert text == "T T bad cable\nnew cable"


def test_without_scikit_learn_the_install_line_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.import_module

    def refuse(name: str, package: str | None = None) -> Any:
        if name.startswith("sklearn"):
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", refuse)
    with pytest.raises(MissingExtra, match="pip install scikit-learn"):
        tfidf_words(["gpu"], ["gpu"])
    assert [row.argmax() for row in bm25(["disk", "gpu"], ["gpu"])] == [1]


def shared_figures() -> dict[tuple[str, str], list[float]]:
    if not SHARED.is_dir():
        return {}
    rows = [line.split("\t") for line in (SHARED / "baselines.tsv").read_text().splitlines()]
    return {(row[0], row[1]): [float(cell) for cell in row[2:6]] for row in rows}


# Equal scores are ordered by the file here, in no stated order there; and one query of 226 finds
# its duplicate within ten there and not here. All else agrees to the four figures printed.
APART = {
    ("a1_jira_duplicates", "bm25"): 0.0045,
    ("a1_jira_duplicates", "tfidf-word"): 0.0002,
    ("c2_zh_en_training_log", "bm25"): 0.035,
    ("c3_korean_seed_to_english_source", "bm25"): 0.0005,
}


def in_file_order(scores: np.ndarray, ids: list[str], own: str) -> list[str]:
    """As the shared figures were taken: equal scores stand in the order of the file."""
    return [ids[r] for r in np.argsort(-scores, kind="stable") if ids[r] != own][:100]


# Also the same to four figures; they take twenty seconds, and six other sets show it.
SLOW = {("a1_jira_duplicates", "tfidf-char"), ("b4_summary_to_report", "tfidf-char")}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development sets are not here")
@pytest.mark.parametrize(("name", "method"), sorted(shared_figures().keys() - SLOW))
def test_the_shared_figures_are_reproduced(name: str, method: str) -> None:
    found = read_set(SHARED / name)
    ids = [document.id for document in found.documents]
    rows = BASELINES[method](
        [plain_text(document) for document in found.documents],
        [query.text for query in found.queries],
    )
    measured = [
        measure(query.id, in_file_order(row, ids, query.id), found.qrels[query.id])
        for query, row in zip(found.queries, rows, strict=True)
    ]
    means = [
        np.mean([one[key] for one in measured if one is not None])
        for key in ("ndcg@10", "mrr", "recall@10", "p@1")
    ]
    near = APART.get((name, method), 0.000051)
    assert means == pytest.approx(shared_figures()[name, method], abs=near)
