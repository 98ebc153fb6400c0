"""How near a text is to the description of a cause: by words, by spellings, by vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kg.rca.described import KINDS, Descriptions, plain_words
from kg.vocab import Vocabulary
from tests.helpers.tiny import term, tiny_vocabulary

CAUSES = ["cause:disk-full", "cause:link-down", "cause:race"]
MEANING, ALIKE, COVERED = (KINDS.index(k) for k in ("meaning", "alike", "covered"))


@pytest.fixture(scope="module")
def known() -> Vocabulary:
    return tiny_vocabulary(
        term(
            "cause:disk-full", "disk full", "디스크 가득 참",
            aliases={"en": ["no space left on device", "ENOSPC"]},
        )
    )  # fmt: skip


@pytest.fixture(scope="module")
def described(known: Vocabulary) -> Descriptions:
    return Descriptions(known, CAUSES, {}, None)


def said(text: str) -> frozenset[str]:
    return frozenset(plain_words(text))


def test_a_spelling_that_stands_in_the_text_is_covered_whole(described: Descriptions) -> None:
    found = described.measure(None, said("writes fail: no space left on the device"))
    assert found[0, COVERED] == pytest.approx(1.0)
    assert found[2, COVERED] == 0.0


def test_the_longest_spelling_need_not_stand_there(described: Descriptions) -> None:
    found = described.measure(None, said("ENOSPC on node 7"))
    assert found[0, COVERED] == pytest.approx(1.0)


def test_part_of_a_spelling_is_covered_in_part(described: Descriptions) -> None:
    found = described.measure(None, said("the disk of node 7 is slow"))
    assert 0 < found[0, COVERED] < 1


def test_words_of_the_definition_make_a_text_alike(described: Descriptions) -> None:
    words = said("a race condition on a lock")
    found = described.measure(None, words)
    assert found[:, ALIKE].argmax() == 2
    assert (found[:, ALIKE] <= 1.0).all()


def test_korean_labels_count_as_well(described: Descriptions) -> None:
    found = described.measure(None, said("디스크 가득 참"))
    assert found[:, COVERED].argmax() == 0
    assert found[0, COVERED] == pytest.approx(1.0)


def test_an_empty_text_is_near_to_nothing(described: Descriptions) -> None:
    assert described.measure(None, frozenset()).tolist() == [[0.0, 0.0, 0.0]] * 3


def test_causes_without_a_name_are_described_by_nothing() -> None:
    vocabulary = tiny_vocabulary(term("cause:nameless", "frobnication", unnamed=True))
    described = Descriptions(vocabulary, ["cause:nameless", "cause:race"], {}, None)
    found = described.measure(None, said("frobnication"))
    assert found[0].tolist() == [0.0, 0.0, 0.0]


def test_meaning_is_the_cosine_with_descriptions_seen_from_their_middle(
    known: Vocabulary,
) -> None:
    random = np.random.default_rng(1)
    vectors = {c: random.normal(size=(2, 4)).astype(np.float32) for c in CAUSES}
    text = random.normal(size=4)
    found = Descriptions(known, CAUSES, vectors, None).measure(text, frozenset())[:, MEANING]
    every = [row.astype(float).tolist() for c in CAUSES for row in vectors[c]]
    middle = [sum(column) / len(every) for column in zip(*every, strict=True)]
    for number, cause in enumerate(CAUSES):
        cosines = []
        for row in vectors[cause].astype(float).tolist():
            seen = [x - m for x, m in zip(row, middle, strict=True)]
            length = math.sqrt(sum(x * x for x in seen))
            cosines.append(sum(x * y for x, y in zip(seen, text.tolist(), strict=True)) / length)
        assert found[number] == pytest.approx(sum(cosines) / 2)


def test_a_vector_of_another_space_says_nothing(known: Vocabulary) -> None:
    vectors = {c: np.eye(4, dtype=np.float32)[i] for i, c in enumerate(CAUSES)}
    found = Descriptions(known, CAUSES, vectors, None).measure(np.ones(7), frozenset())
    assert found[:, MEANING].tolist() == [0.0, 0.0, 0.0]


def test_a_cause_whose_description_has_no_vector_is_near_to_nothing(known: Vocabulary) -> None:
    vectors = {c: np.eye(4, dtype=np.float32)[i] for i, c in enumerate(CAUSES[:2])}
    found = Descriptions(known, CAUSES, vectors, None).measure(np.ones(4), frozenset())
    assert found[2, MEANING] == 0.0


def test_the_words_are_those_of_the_tokenizer_that_is_given(known: Vocabulary) -> None:
    described = Descriptions(known, CAUSES, {}, lambda text: list(text))
    found = described.measure(None, frozenset("disk full"))
    assert found[0, COVERED] == pytest.approx(1.0)
