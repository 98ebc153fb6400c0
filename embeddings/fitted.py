"""The fitted parameters of retrieval: a small reviewed file, and its types.

`fitted.json` lies beside this file. It is written by the fitting command of the project (see
docs/quality.md) and holds, besides the numbers, how they were found and what they reached.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("fitted.json")


@dataclass(frozen=True, slots=True)
class WordParameters:
    """BM25F of the words lane, for words and for letter grams.

    Attributes:
        field_weights: weight of each field.
        k1, b: saturation and length discount for words.
        grams_k1, grams_b: the same for letter grams.
    """

    field_weights: Mapping[str, float]
    k1: float
    b: float
    grams_k1: float
    grams_b: float


@dataclass(frozen=True, slots=True)
class DenseParameters:
    """From passages to documents.

    Attributes:
        best_share: weight of a document's best passage; the rest is the mean of its best ones.
        best_of: how many best ones.
        candidates: how many nearest passages FAISS brings for each part of a query.
    """

    best_share: float
    best_of: int
    candidates: int


@dataclass(frozen=True, slots=True)
class LateParameters:
    """How many documents late interaction reorders, by how many passages each and query tokens."""

    documents: int
    passages: int
    tokens: int


@dataclass(frozen=True, slots=True)
class FusionParameters:
    """Weights of the standardised lanes, and how far the words lane is held down.

    Attributes:
        weights: by lane; `grams` is the letter half of the words lane.
        coverage_power: the words lane counts by the share of the query's words that the corpus
            knows, to this power: a question in another language has next to none.
    """

    weights: Mapping[str, float]
    coverage_power: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """All parameters of retrieval."""

    words: WordParameters
    dense: DenseParameters
    late: LateParameters
    fusion: FusionParameters


def parameters_from(data: Mapping[str, Any]) -> Fitted:
    """Parameters from the content of a file such as `fitted.json`.

    Raises:
        KeyError: a number is missing.
    """
    return Fitted(
        words=_read(WordParameters, data["words"]),
        dense=_read(DenseParameters, data["dense"]),
        late=_read(LateParameters, data["late"]),
        fusion=_read(FusionParameters, data["fusion"]),
    )


@lru_cache(maxsize=1)
def fitted() -> Fitted:
    """The parameters that come with the package."""
    return parameters_from(json.loads(FILE.read_text(encoding="utf-8")))


def _read(kind: Any, data: Mapping[str, Any]) -> Any:
    """The numbers of one kind, each by its name; others in the file are passed over."""
    return kind(**{field.name: data[field.name] for field in fields(kind)})
