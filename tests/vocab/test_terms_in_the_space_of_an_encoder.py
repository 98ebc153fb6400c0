"""Nearness of texts to terms: centred by language, whitened, against a slow twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.vocab.space import MOST_EXAMPLES, SHRINK, Examples, Space
from tests.helpers.strategies import QUICK
from tests.helpers.tagging import unit_rows

ROW = {"cause:a": 0, "cause:b": 1, "symptom:c": 2}
TEXTS = [(t, lang, "") for t in ROW for lang in ("en", "ko")]
SIZE = 8


def world(seed: int, texts: int, pairs: list[tuple[str, int]]) -> tuple[np.ndarray, Examples]:
    rows = unit_rows(seed, len(TEXTS) + texts, SIZE)
    languages = ["en" if i % 2 else "ko" for i in range(texts)]
    return rows[: len(TEXTS)], Examples(rows[len(TEXTS) :], languages, pairs)


class Twin:
    """The same, one vector and one number at a time."""

    def __init__(self, terms: np.ndarray, examples: Examples) -> None:
        self.all = [
            *((lang, v) for (_, lang, _), v in zip(TEXTS, terms, strict=True)),
            *zip(examples.languages, examples.vectors, strict=True),
        ]
        every = self.mean([v for _, v in self.all])
        self.means = {"": every}
        for lang in {lang for lang, _ in self.all}:
            mine = [v for code, v in self.all if code == lang]
            share = len(mine) / (len(mine) + 10)
            self.means[lang] = share * self.mean(mine) + (1 - share) * every
        centred = [self.centred(v, lang) for lang, v in self.all]
        covariance = sum(np.outer(c, c) for c in centred) / len(centred)
        level = sum(covariance[i, i] for i in range(SIZE)) / SIZE
        shrunk = (1 - SHRINK) * covariance + SHRINK * level * np.eye(SIZE)
        self.inverse = np.linalg.inv(shrunk)
        self.factor = np.linalg.cholesky(self.inverse)
        points = [self.place(v, lang) for lang, v in self.all]
        self.centres = []
        for term in ROW:
            mine = [points[i] for i, (t, _, _) in enumerate(TEXTS) if t == term]
            mine += [points[len(TEXTS) + i] for t, i in set(examples.terms) if t == term]
            total = sum(mine)
            self.centres.append(total / math.sqrt(total @ total))
        usual = np.array([[p @ c for c in self.centres] for p in points])
        self.usual = [float(np.median(usual[:, i])) for i in range(len(ROW))]
        self.spread = float(usual.std())

    @staticmethod
    def mean(rows: list[np.ndarray]) -> np.ndarray:
        return sum(r.astype(float) for r in rows) / len(rows)

    def centred(self, vector: np.ndarray, lang: str) -> np.ndarray:
        moved = vector - self.means.get(lang, self.means[""])
        return moved / math.sqrt(moved @ moved)

    def place(self, vector: np.ndarray, lang: str) -> np.ndarray:
        centred = self.centred(vector, lang)
        moved = centred @ self.factor
        return moved / math.sqrt(moved @ moved)

    def nearness(self, vector: np.ndarray, lang: str) -> list[float]:
        place = self.place(vector, lang)
        return [
            (place @ c - u) / self.spread for c, u in zip(self.centres, self.usual, strict=True)
        ]


PAIRS = st.lists(st.tuples(st.sampled_from(sorted(ROW)), st.integers(0, 19)), max_size=15)


@QUICK
@given(st.integers(0, 10_000), PAIRS)
def test_nearness_is_that_of_the_slow_twin(seed: int, pairs: list[tuple[str, int]]) -> None:
    terms, examples = world(seed, 20, pairs)
    space, twin = Space(TEXTS, terms, examples, ROW), Twin(terms, examples)
    asked = unit_rows(seed + 1, 3, SIZE)
    languages = ["en", "ko", "fr"]
    fast = space.nearness(asked, languages)
    slow = [twin.nearness(v, lang) for v, lang in zip(asked, languages, strict=True)]
    assert np.allclose(fast, slow, atol=1e-4)


@QUICK
@given(st.integers(0, 10_000), PAIRS)
def test_the_order_of_examples_does_not_matter(seed: int, pairs: list[tuple[str, int]]) -> None:
    terms, examples = world(seed, 20, pairs)
    turned = Examples(examples.vectors, examples.languages, [*pairs[::-1], *pairs])
    asked = unit_rows(seed + 1, 2, SIZE)
    first = Space(TEXTS, terms, examples, ROW).nearness(asked, ["en", "ko"])
    second = Space(TEXTS, terms, turned, ROW).nearness(asked, ["en", "ko"])
    assert np.array_equal(first, second)


def test_an_example_brings_its_text_nearer() -> None:
    terms, examples = world(3, 30, [])
    taught = Examples(examples.vectors, examples.languages, [("cause:b", 4)])
    asked, language = examples.vectors[[4]], [examples.languages[4]]
    before = Space(TEXTS, terms, examples, ROW).nearness(asked, language)[0]
    after = Space(TEXTS, terms, taught, ROW).nearness(asked, language)[0]
    assert after[1] > before[1] + 0.5
    assert abs(after[0] - before[0]) < 0.5


def test_languages_may_lie_far_apart() -> None:
    """Each term is a direction; Korean texts have a common offset that is larger than it."""
    meanings = np.eye(SIZE)[:3]
    offset = 3 * np.eye(SIZE)[SIZE - 1]

    def vectors(pairs: list[tuple[int, str]]) -> np.ndarray:
        rows = np.array([meanings[m] + (offset if lang == "ko" else 0) for m, lang in pairs])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    order = list(ROW)
    terms = vectors([(order.index(t), lang) for t, lang, _ in TEXTS])
    texts = [(i % 3, "ko" if i % 2 else "en") for i in range(60)]
    examples = Examples(vectors(texts), [lang for _, lang in texts], [])
    space = Space(TEXTS, terms, examples, ROW)
    near = space.nearness(examples.vectors, examples.languages)
    assert near.argmax(axis=1).tolist() == [meaning for meaning, _ in texts]


@pytest.mark.parametrize("texts", [0, 1])
def test_a_library_with_hardly_a_text(texts: int) -> None:
    terms, examples = world(1, texts, [("cause:a", 0)] if texts else [])
    near = Space(TEXTS, terms, examples, ROW).nearness(terms, [lang for _, lang, _ in TEXTS])
    assert np.isfinite(near).all()
    assert near.shape == (len(TEXTS), 3)


def test_a_vocabulary_of_nothing() -> None:
    nothing = np.zeros((0, SIZE), np.float32)
    space = Space([], nothing, Examples(nothing, [], []), {})
    assert space.nearness(unit_rows(1, 2), ["en", "ko"]).shape == (2, 0)


def test_no_text_asks_nothing() -> None:
    terms, examples = world(2, 5, [])
    assert Space(TEXTS, terms, examples, ROW).nearness(terms[:0], []).shape == (0, 3)


def test_equal_vectors_everywhere_give_finite_numbers() -> None:
    same = np.tile(unit_rows(1, 1), (len(TEXTS), 1))
    examples = Examples(same[:2], ["en", "ko"], [("cause:a", 0)])
    space = Space(TEXTS, same, examples, ROW)
    assert np.isfinite(space.nearness(same, [lang for _, lang, _ in TEXTS])).all()


def test_terms_that_are_not_known_are_no_examples() -> None:
    terms, examples = world(4, 10, [("cause:gone", 3), ("cause:a", 2)])
    without = Examples(examples.vectors, examples.languages, [("cause:a", 2)])
    asked = unit_rows(9, 2)
    assert np.array_equal(
        Space(TEXTS, terms, examples, ROW).nearness(asked, ["en", "en"]),
        Space(TEXTS, terms, without, ROW).nearness(asked, ["en", "en"]),
    )


def test_of_many_examples_some_are_kept() -> None:
    count = MOST_EXAMPLES * 3
    terms, examples = world(6, count, [("cause:a", i) for i in range(count)])
    near = Space(TEXTS, terms, examples, ROW).nearness(unit_rows(7, 1), ["en"])
    assert np.isfinite(near).all()
