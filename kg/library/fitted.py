"""The fitted parameters of a library's answers: a small reviewed file, and its types.

`fitted.json` lies beside this file; `python -m kg.library.fit` writes it. Those of the text lanes
and their sum lie with the lanes, in `embeddings/fitted.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from embeddings import FusionParameters, WordParameters

FILE = Path(__file__).with_name("fitted.json")


@dataclass(frozen=True, slots=True)
class ProbabilityParameters:
    """A logistic model of relevance: see `kg.library.confidence`.

    Attributes:
        intercept, score, agreement, closeness: its coefficients.
        languages: what the language of the question adds to the intercept.
    """

    intercept: float
    score: float
    agreement: float
    closeness: float
    languages: Mapping[str, float]


def case_words(field_weights: Mapping[str, float]) -> WordParameters:
    """The words lane of curated cases, which differ less in length than reports do."""
    return WordParameters(field_weights=field_weights, **_content()["words"])


def case_fusion() -> FusionParameters:
    """The sum of the lanes over a library of curated cases."""
    own = _content()["fusion"]
    return FusionParameters(dict(own["weights"]), float(own["coverage_power"]))


def probability_parameters() -> ProbabilityParameters:
    """The fitted model of relevance."""
    return ProbabilityParameters(**_content()["probability"])


def default_threshold() -> float:
    """The probability below which nothing is called similar."""
    return float(_content()["threshold"])


@lru_cache(maxsize=1)
def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content
