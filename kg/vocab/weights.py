"""The fitted parameters of the tagger by meaning, as they stand in `tagger.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from kg.errors import SchemaError

Scores = NDArray[np.float64]
Schemes = Sequence[tuple[str, NDArray[np.int64]]]

FILE = Path(__file__).with_name("tagger.json")
"""Written by `python -m kg.library.tagger_quality`, with how it was found and what it reaches."""

MEASURES = ("covered", "alike", "near")
"""What is measured of each piece of a text; see `kg.vocab.meaning`."""

FEATURES = ("named", *MEASURES, "covered_lead", "near_lead")
"""What the confidence is made of, in the order of the weights."""


@dataclass(frozen=True)
class SchemeWeights:
    """The logistic function of one scheme, and the confidence from which a term is a tag."""

    weights: tuple[float, ...]
    intercept: float
    threshold: float


@dataclass(frozen=True)
class MeaningWeights:
    """The weights of all schemes."""

    schemes: Mapping[str, SchemeWeights]

    @classmethod
    def read(cls, file: Path) -> Self:
        """The weights in a file.

        Raises:
            SchemaError: the file is missing, or not what `kg.library.tagger_quality` writes.
        """
        try:
            content: Any = json.loads(file.read_text(encoding="utf-8"))
            if tuple(content["features"]) != FEATURES:
                raise ValueError("its features are others than those of this version")
            schemes = {
                name: SchemeWeights(
                    tuple(float(s["weights"][f]) for f in FEATURES),
                    float(s["intercept"]),
                    float(s["threshold"]),
                )
                for name, s in content["schemes"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SchemaError(f"{file.name} holds no weights of the tagger: {error}") from error
        return cls(schemes)

    def confidence(self, features: Scores, schemes: Schemes) -> Scores:
        """The confidence of each term from its features, shape (terms, FEATURES)."""
        confidence = np.zeros(len(features))
        for name, rows in schemes:
            mine = self.schemes[name]
            value = features[rows] @ np.array(mine.weights) + mine.intercept
            confidence[rows] = 1 / (1 + np.exp(-np.clip(value, -40, 40)))
        return confidence

    def of_pieces(self, measured: Scores, schemes: Schemes) -> Scores:
        """How much each piece speaks for each term: (pieces, terms).

        `measured`: shape (pieces, terms, MEASURES).
        """
        value = np.zeros(measured.shape[:2])
        for name, rows in schemes:
            mine = self.schemes[name].weights[1 : 1 + len(MEASURES)]
            value[:, rows] = measured[:, rows] @ np.array(mine)
        return value


@lru_cache(maxsize=1)
def shipped_weights() -> MeaningWeights:
    """The weights that come with the package, read once."""
    return MeaningWeights.read(FILE)
