"""What is seen of an incident, and what is thought of its cause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Sighting:
    """What is seen of an incident whose cause is asked for. Whatever is not known is left out.

    Attributes:
        likeness: case id -> how alike its symptoms are to the text; higher is nearer. Any scale.
            Where it is not given, the likeness of vectors and terms stands in.
        terms: terms seen (symptom, component, trigger, factor …) -> confidence, 0 to 1.
        ruled_out: terms that the user has ruled out; narrower ones go with them.
        vector: of the text, in the space of the predictor's `case_vectors`, unit length.
        words: of the text, as the predictor's `tokenize` gives them.
    """

    likeness: Mapping[str, float] = field(default_factory=dict)
    terms: Mapping[str, float] = field(default_factory=dict)
    ruled_out: frozenset[str] = frozenset()
    vector: NDArray[np.float32] | None = None
    words: frozenset[str] = frozenset()


@dataclass(frozen=True)
class CausePrediction:
    """A cause with the probability that the incident has it, and the cases that speak for it.

    Attributes:
        cause: a term of the cause scheme.
        probability: that it is among the causes of the incident, 0 to 1; at a level, that it or a
            cause that stands for it there is. An incident may have several, so probabilities need
            not add up to 1.
        support: (case id, weight) of the cases that confirm such a cause and raise it: what each
            adds to its score, in natural log-odds; largest first, ties by id. Empty for a cause
            that no case has: then its description alone speaks for it.
    """

    cause: str
    probability: float
    support: tuple[tuple[str, float], ...]
