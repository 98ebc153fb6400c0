"""The questions with answers: enough of them, judged by two, in words of their own."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kg.readers import shipped

FOLDER = shipped("cases").parent / "eval"
GRADES = 4


@cache
def queries() -> dict[str, dict[str, Any]]:
    lines = (FOLDER / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return {q["_id"]: q for q in map(json.loads, lines)}


@cache
def corpus() -> dict[str, dict[str, Any]]:
    lines = (FOLDER / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    return {d["_id"]: d for d in map(json.loads, lines)}


def qrels(split: str) -> dict[tuple[str, str], int]:
    with (FOLDER / "qrels" / f"{split}.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {(r["query-id"], r["corpus-id"]): int(r["score"]) for r in rows}


def judgements() -> list[dict[str, str]]:
    with (FOLDER / "judgements.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def weighted_kappa(pairs: list[tuple[int, int]], grades: int) -> float:
    """Cohen's kappa with quadratic weights (Cohen 1968)."""
    n = len(pairs)
    seen = Counter(pairs)
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    cells = [(a, b) for a in range(grades) for b in range(grades)]
    observed = sum((a - b) ** 2 * seen[a, b] / n for a, b in cells)
    expected = sum((a - b) ** 2 * left[a] * right[b] / n**2 for a, b in cells)
    return 1 - observed / expected


def test_kappa_of_known_tables() -> None:
    assert weighted_kappa([(0, 0), (1, 1), (2, 2), (3, 3)], 4) == 1
    assert weighted_kappa([(0, 3), (3, 0)], 4) == -1
    assert weighted_kappa([(0, 0), (0, 1), (1, 0), (1, 1)], 4) == pytest.approx(0)


def test_there_are_enough_questions_in_both_languages() -> None:
    langs = Counter(q["metadata"]["lang"] for q in queries().values())
    assert sum(langs.values()) >= 120
    assert set(langs) == {"en", "ko"}
    assert abs(langs["en"] - langs["ko"]) <= 0.1 * sum(langs.values())


def test_questions_are_in_the_language_they_say() -> None:
    for query in queries().values():
        hangul = bool(re.search("[가-힣]", query["text"]))
        assert hangul == (query["metadata"]["lang"] == "ko"), query["_id"]


def test_some_have_no_answer_and_the_others_have_one() -> None:
    answered = {q for split in ("dev", "test") for (q, _), g in qrels(split).items() if g >= 2}
    unanswered = {i for i, q in queries().items() if not q["metadata"]["answerable"]}
    assert len(unanswered) >= 15
    assert answered == set(queries()) - unanswered


def test_a_third_is_kept_for_the_test() -> None:
    splits = Counter(q["metadata"]["split"] for q in queries().values())
    assert set(splits) == {"dev", "test"}
    assert splits["test"] >= sum(splits.values()) / 3 - 1
    for split in splits:
        asked = {q for q, _ in qrels(split)}
        assert asked <= {i for i, q in queries().items() if q["metadata"]["split"] == split}


def test_grades_speak_of_questions_and_cases_that_exist() -> None:
    for split in ("dev", "test"):
        for (query, case), grade in qrels(split).items():
            assert query in queries()
            assert case in corpus()
            assert 1 <= grade < GRADES


def test_the_corpus_is_the_library() -> None:
    assert set(corpus()) == {f.stem for f in shipped("cases").glob("*.json")}


def test_two_readers_agree() -> None:
    rows = judgements()
    pairs = [(int(r["reader_a"]), int(r["reader_b"])) for r in rows]
    kappa = weighted_kappa(pairs, GRADES)
    assert kappa >= 0.7
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"{kappa:.3f}" in readme, f"datasets/eval/README.md must give the kappa, {kappa:.3f}"
    assert f"{len(rows):,} pairs" in readme, f"… and the number of pairs, {len(rows):,}"


def test_the_grades_are_the_settled_judgements() -> None:
    settled = {(r["query"], r["case"]): int(r["settled"]) for r in judgements()}
    graded = qrels("dev") | qrels("test")
    assert graded == {pair: grade for pair, grade in settled.items() if grade > 0}
    for row in judgements():
        if row["reader_a"] == row["reader_b"]:
            assert row["settled"] == row["reader_a"], row


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9가-힣]+", re.sub(r"`[^`]*`", " ", text.lower()))
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def test_questions_do_not_repeat_the_words_of_their_cases() -> None:
    repeated = []
    for (query, case), grade in (qrels("dev") | qrels("test")).items():
        if grade >= 2:
            document = f"{corpus()[case]['title']}\n{corpus()[case]['text']}"
            if shared := _runs(queries()[query]["text"], 6) & _runs(document, 6):
                repeated.append(f"{query} {case}: {' '.join(min(shared))}")
    assert repeated == []


def test_the_folder_has_the_beir_layout() -> None:
    header = Path(FOLDER / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[0]
    assert header == "query-id\tcorpus-id\tscore"
    assert all(set(d) >= {"_id", "title", "text"} for d in corpus().values())
