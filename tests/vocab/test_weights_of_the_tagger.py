"""The fitted parameters: read, checked, and turned into confidences."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import SchemaError
from kg.vocab import SCHEMES, MeaningWeights
from kg.vocab.weights import FEATURES, FILE, MEASURES, SchemeWeights, shipped_weights
from tests.helpers.strategies import QUICK


def content(**changes: Any) -> dict[str, Any]:
    one = {"weights": dict.fromkeys(FEATURES, 1.0), "intercept": -2.0, "threshold": 0.3}
    return {"features": list(FEATURES), "schemes": {"cause": one}, **changes}


def write(folder: Path, data: Any) -> Path:
    file = folder / "tagger.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return file


def test_weights_are_read_in_the_order_of_the_features(tmp_path: Path) -> None:
    numbers = {name: float(i) for i, name in enumerate(FEATURES)}
    data = content()
    data["schemes"]["cause"]["weights"] = dict(reversed(numbers.items()))
    read = MeaningWeights.read(write(tmp_path, data))
    assert read.schemes["cause"] == SchemeWeights(tuple(numbers.values()), -2.0, 0.3)


@pytest.mark.parametrize(
    "data",
    [
        "",
        "[]",
        "{}",
        "{",
        content(features=["named"]),
        content(schemes={"cause": {}}),
        content(schemes={"cause": {"weights": {}, "intercept": 0, "threshold": 0}}),
        content(schemes=[1]),
        content(schemes={"cause": {"weights": dict.fromkeys(FEATURES, "x"), "intercept": 0,
                                   "threshold": 0}}),
    ],
)  # fmt: skip
def test_a_file_that_holds_no_weights_is_refused(tmp_path: Path, data: Any) -> None:
    with pytest.raises(SchemaError, match=r"tagger\.json holds no weights"):
        MeaningWeights.read(write(tmp_path, data))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="holds no weights"):
        MeaningWeights.read(tmp_path / "none.json")


def test_the_shipped_weights_cover_every_scheme() -> None:
    weights = shipped_weights()
    assert set(weights.schemes) == set(SCHEMES)
    for made in weights.schemes.values():
        assert all(math.isfinite(w) for w in (*made.weights, made.intercept))
        assert 0.1 <= made.threshold <= 1
        assert max(made.weights) > 0


def test_the_shipped_file_says_where_it_comes_from() -> None:
    told = json.loads(FILE.read_text(encoding="utf-8"))["provenance"]
    assert told["command"].startswith("python -m kg.library.tagger_quality")
    assert told["cases"] > 0
    assert told["folds"] > 1
    assert told["encoder"]


ROWS = st.lists(
    st.tuples(*[st.floats(-50, 50)] * len(FEATURES)), min_size=1, max_size=6
)  # fmt: skip


@QUICK
@given(ROWS, st.tuples(*[st.floats(-3, 3)] * len(FEATURES)), st.floats(-5, 5))
def test_confidence_is_the_logistic_function(
    rows: list[tuple[float, ...]], weights: tuple[float, ...], intercept: float
) -> None:
    made = MeaningWeights({"cause": SchemeWeights(weights, intercept, 0.5)})
    found = made.confidence(np.array(rows), [("cause", np.arange(len(rows)))])
    for row, value in zip(rows, found, strict=True):
        total = sum(w * x for w, x in zip(weights, row, strict=True)) + intercept
        assert value == pytest.approx(1 / (1 + math.exp(-max(-40.0, min(40.0, total)))), abs=1e-9)
        assert 0 <= value <= 1


def test_each_scheme_has_its_own_function() -> None:
    made = MeaningWeights(
        {
            "cause": SchemeWeights((1.0,) + (0.0,) * (len(FEATURES) - 1), 0.0, 0.5),
            "symptom": SchemeWeights((0.0,) * len(FEATURES), 1.0, 0.5),
        }
    )
    rows = np.ones((3, len(FEATURES)))
    found = made.confidence(rows, [("cause", np.array([0, 2])), ("symptom", np.array([1]))])
    assert found.tolist() == pytest.approx([1 / (1 + math.exp(-1))] * 3)


def test_pieces_are_weighed_by_what_they_measure() -> None:
    made = MeaningWeights({"cause": SchemeWeights((9.0, 1.0, 2.0, 3.0, 9.0, 9.0), -1.0, 0.5)})
    measured = np.zeros((2, 1, len(MEASURES)))
    measured[0, 0] = (1, 1, 1)
    measured[1, 0] = (0, 0, 3)
    assert made.of_pieces(measured, [("cause", np.array([0]))]).tolist() == [[6.0], [9.0]]
