"""Runs of letters within words: every window, in any script."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings import BM25F
from embeddings.tokens import GRAM, letter_grams


def twin(text: str, size: int) -> list[str]:
    """Sign by sign: words are what lies between signs that are neither letter, digit nor _."""
    folded = unicodedata.normalize("NFKC", text).lower()
    words = "".join(c if c.isalnum() or c == "_" else " " for c in folded).split()
    grams = []
    for word in words:
        padded = " " + word + " "
        if len(padded) <= size:
            grams.append(padded)
            continue
        while len(padded) >= size:
            grams.append(padded[:size])
            padded = padded[1:]
    return grams


@given(st.text(alphabet="abAB é_-.0 ß가나다训练任務ñ①\n", max_size=30), st.integers(1, 6))
def test_grams_equal_the_twin(text: str, size: int) -> None:
    assert letter_grams(text, size) == twin(text, size)


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("timeout", [" tim", "time", "imeo", "meou", "eout", "out "]),
        ("GPU", [" gpu", "gpu "]),
        ("a", [" a "]),
        ("it is", [" it ", " is "]),
        ("노드에서", [" 노드에", "노드에서", "드에서 "]),
        ("训练任务", [" 训练任", "训练任务", "练任务 "]),
        ("x_1-y", [" x_1", "x_1 ", " y "]),
        ("", []),
        (" ,.- ", []),
    ],
)
def test_by_hand(text: str, grams: list[str]) -> None:
    assert letter_grams(text) == grams


def test_the_size_is_the_one_that_was_measured() -> None:
    assert GRAM == 4
    assert letter_grams("switch") == letter_grams("switch", 4)
    assert letter_grams("switch", 3) != letter_grams("switch")


@given(st.lists(st.sampled_from(["노드가", "GPU", "é", "Straße", "ﬁne"]), max_size=6))
def test_decomposed_text_gives_the_same_grams(parts: list[str]) -> None:
    text = " ".join(parts)
    assert letter_grams(unicodedata.normalize("NFD", text)) == letter_grams(text)
    assert letter_grams(text.swapcase().lower()) == letter_grams(text.swapcase())


@given(st.lists(st.sampled_from(["gpu", "node", "训练"]), max_size=6))
def test_repeats_stay(words: list[str]) -> None:
    assert letter_grams(" ".join(words)) == [g for w in words for g in letter_grams(w)]


@pytest.mark.parametrize(
    ("document", "query"),
    [
        ("the allreduce operation hangs", "allreduces hanging"),
        ("Speicherfehler im Knoten", "Speicherfehlers"),
        ("스위치가재부팅되었다", "스위치가 재부팅"),
        ("训练任务卡住了", "训练任务"),
        ("checkpoint corrupted", "chekpoint"),
    ],
)
def test_inflected_compounded_and_misspelt_words_meet(document: str, query: str) -> None:
    index = BM25F({"text": 1.0}, tokenizer=letter_grams)
    index.fit([{"text": "nothing of the kind"}, {"text": document}])
    scores = index.scores(query)
    assert scores[1] > scores[0]
