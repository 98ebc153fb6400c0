"""Searching texts in plain SQL, judged by BM25 in plain Python."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.library import Library
from tests.helpers.strategies import QUICK, sentences

ALPHABET = st.characters(exclude_categories=("Cs",))


def words(text: str) -> list[str]:
    """The words of a text, character by character."""
    runs: list[tuple[str, str]] = []
    before = ""
    for c in unicodedata.normalize("NFC", text).lower():
        kind = kind_of(c)
        if kind and kind == before:
            runs[-1] = (kind, runs[-1][1] + c)
        elif kind:
            runs.append((kind, c))
        before = kind
    found: list[str] = []
    for kind, run in runs:
        parts = [p for p in run.split("_") if p]
        if kind == "hangul" and len(run) > 2:
            found += ["".join(pair) for pair in pairwise(run)]
        elif kind == "word" and "_" in run.strip("_"):
            found += [run, *parts]
        else:
            found.append(run)
    return found


def kind_of(c: str) -> str:
    if "HANGUL" in unicodedata.name(c, "") and unicodedata.category(c) == "Lo":
        return "hangul"
    return "word" if c == "_" or unicodedata.category(c)[0] in "LMN" else ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("NCCL_IB_TIMEOUT=22, twice: 22", ["nccl_ib_timeout", "nccl", "ib", "timeout", "22",
                                           "twice", "22"]),
        ("학습 작업이 멈췄다", ["학습", "작업", "업이", "멈췄", "췄다"]),
        ("GPU가 2대", ["gpu", "가", "2", "대"]),
        ("Café Ärger", ["café", "ärger"]),
        ("__init__ _", ["__init__", "_"]),
        ("", []),
        (" -- '; DROP TABLE cases;", ["drop", "table", "cases"]),
    ],
)  # fmt: skip
def test_words_are_split_as_told(quick: Library, text: str, found: list[str]) -> None:
    assert quick.sql("SELECT words_of(?)", [text]).rows == ((found,),)
    assert words(text) == found


@given(text=sentences)
@QUICK
def test_words_of_any_sentence(quick: Library, text: str) -> None:
    assert quick.sql("SELECT words_of(?)", [text]).rows == ((words(text),),)


def bm25(library: Library, question: str) -> dict[tuple[str, str, str], float]:
    """Each text that holds a word of the question, with its score to nine digits."""
    texts = {(i, f, g): t for i, case in library.cases.items() for f, g, t in case.texts()}
    asked, scores = sorted(set(words(question))), {}
    counts = {key: Counter(words(text)) for key, text in texts.items()}
    for key, count in counts.items():
        same = [k for k in texts if k[2] == key[2]]
        mean = sum(len(texts[k]) for k in same) / len(same)
        score = 0.0
        for word in (w for w in asked if count[w]):
            having = sum(1 for k in same if counts[k][word])
            rarity = math.log(1 + (len(same) - having + 0.5) / (having + 0.5))
            length = 0.25 + 0.75 * len(texts[key]) / mean
            score += rarity * count[word] * 2.2 / (count[word] + 1.2 * length)
        if score:
            scores[key] = score
    return scores


QUESTIONS = (
    "NCCL watchdog timeout", "학습 작업이 멈춤", "NCCL_IB_TIMEOUT", "power 190 W GPU 전력", "zzz",
)  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_texts_are_ranked_as_in_plain_python(quick: Library, question: str) -> None:
    rows = quick.sql("FROM search_texts(?)", [question]).rows
    found = {tuple(r[:3]): r[3] for r in rows}
    assert found == pytest.approx(bm25(quick, question), abs=1e-8)
    assert [r[:4] for r in rows] == [
        r[:4] for r in sorted(rows, key=lambda r: (-r[3], r[0], r[1], r[2]))
    ]
    for _, _, _, _, matched, text in rows:
        assert matched == sorted(set(words(question)) & set(words(text)))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_case_stands_where_its_best_text_does(quick: Library, question: str) -> None:
    texts = quick.sql("SELECT case_id, score FROM search_texts(?)", [question]).rows
    best: dict[str, float] = {}
    for case_id, score in texts:
        best[case_id] = max(best.get(case_id, 0.0), score)
    ranked = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))
    rows = quick.sql("SELECT case_id, score FROM search_cases(?, k := 3)", [question]).rows
    assert list(rows) == ranked[:3]
    titles = quick.sql("SELECT case_id, title FROM search_cases(?)", [question]).rows
    assert all(title == quick.get(case_id).name() for case_id, title in titles)


@pytest.mark.parametrize("question", ["", " ,. ", "%", "' OR 1=1 --;"])
def test_signs_find_nothing(quick: Library, question: str) -> None:
    rows = quick.sql("SELECT matched FROM search_texts(?)", [question]).rows
    assert {w for (matched,) in rows for w in matched} <= {"or", "1"}
