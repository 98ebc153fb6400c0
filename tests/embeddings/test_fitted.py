"""The fitted parameters: a small file, read whole or not at all."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import pytest

import embeddings
from embeddings.evaluate.fit import FIXED
from embeddings.fitted import FILE, Fitted, parameters_from

CONTENT: dict[str, Any] = {
    "dense": {"best_share": 0.5, "best_of": 4, "candidates": 9},
    "words": {"field_weights": {"title": 3.0}, "k1": 1.0, "b": 0.5, "grams_k1": 2.0, "grams_b": 1},
    "late": {"documents": 7, "passages": 2, "tokens": 11},
    "fusion": {"weights": {"dense": 1.0, "words": 2.0}, "coverage_power": 0.25},
}
PLACES = [(part, name) for part, numbers in CONTENT.items() for name in numbers]


def test_each_number_arrives_at_its_place() -> None:
    found = parameters_from(CONTENT)
    assert found.dense.best_share == 0.5
    assert (found.dense.best_of, found.dense.candidates) == (4, 9)
    assert found.words.field_weights == {"title": 3.0}
    assert (found.words.k1, found.words.b) == (1.0, 0.5)
    assert (found.words.grams_k1, found.words.grams_b) == (2.0, 1)
    assert (found.late.documents, found.late.passages, found.late.tokens) == (7, 2, 11)
    assert found.fusion.weights == {"dense": 1.0, "words": 2.0}
    assert found.fusion.coverage_power == 0.25


@pytest.mark.parametrize(("part", "name"), PLACES)
def test_a_missing_number_is_named(part: str, name: str) -> None:
    content = copy.deepcopy(CONTENT)
    del content[part][name]
    with pytest.raises(KeyError, match=name):
        parameters_from(content)


@pytest.mark.parametrize("part", CONTENT)
def test_a_missing_part_is_named(part: str) -> None:
    with pytest.raises(KeyError, match=part):
        parameters_from({k: v for k, v in CONTENT.items() if k != part})


def test_what_else_is_in_the_file_is_passed_over() -> None:
    content = {**CONTENT, "provenance": "by hand", "figures": {"x": 1}}
    assert parameters_from(content) == parameters_from(CONTENT)


def test_the_shipped_file_is_what_fitted_gives() -> None:
    content = json.loads(FILE.read_text(encoding="utf-8"))
    assert embeddings.fitted() == parameters_from(content)
    assert embeddings.fitted() is embeddings.fitted()
    assert {"provenance", "figures"} <= set(content)


def test_the_shipped_numbers_are_within_their_ranges() -> None:
    found = embeddings.fitted()
    assert isinstance(found, Fitted)
    assert 0 <= found.dense.best_share <= 1
    assert found.dense.best_of >= 1
    assert found.dense.candidates >= 100  # what recall@100 can be made of
    assert set(found.words.field_weights) == {"title", "text"}  # what a set in BEIR has
    assert min(found.late.documents, found.late.passages, found.late.tokens) >= 1
    assert set(found.fusion.weights) == {"dense", "words", "grams", "bridge", "graph", "late"}
    weights = found.fusion.weights.values()
    assert all(math.isfinite(w) and w >= 0 for w in weights)
    assert found.fusion.weights[FIXED] > 0
    assert 0 <= found.fusion.coverage_power <= 1


def test_parameters_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        embeddings.fitted().dense.best_of = 9  # type: ignore[misc]
