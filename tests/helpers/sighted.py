"""Cases with planted causes, and how they would be sighted: for tests of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kg.graph import IncidentGraph
from kg.model import Case
from kg.rca.prediction import CausePredictor, Sighting
from kg.vocab import Vocabulary
from tests.helpers.tiny import make_case, tiny_vocabulary

PLANTED = {
    "cause:ecc-error": ("memori", "xid", "ecc"),
    "cause:link-down": ("port", "flap", "link"),
    "cause:race": ("order", "lock", "race"),
    "cause:mismatch": ("hang", "watchdog", "mismatch"),
}
"""Causes of the tiny vocabulary, each with stems by which its cases are seen; the last is of its
label."""
DIMENSION = 8


@dataclass(frozen=True)
class World:
    """A library of planted cases.

    Attributes:
        graph, vocabulary, cases: of the library.
        vectors: of what is told of each case.
        practice: a sighting a case.
    """

    graph: IncidentGraph
    vocabulary: Vocabulary
    cases: tuple[Case, ...]
    vectors: dict[str, NDArray[np.float32]]
    practice: tuple[tuple[str, Sighting], ...]

    def predictor(self, without: Sequence[str] = (), **more: object) -> CausePredictor:
        """Learned from all cases but some."""
        kept = [c.id for c in self.cases if c.id not in without]
        practice = [p for p in self.practice if p[0] in kept]
        arguments: dict[str, object] = {"incidents": kept, "practice": practice, **more}
        return CausePredictor(self.graph, self.vocabulary, self.vectors, **arguments)  # type: ignore[arg-type]

    def sighting(self, case_id: str) -> Sighting:
        """How a case was sighted."""
        return dict(self.practice)[case_id]


def direction(cause: str, noise: NDArray[np.float64] | None = None) -> NDArray[np.float32]:
    """A unit vector near the axis of a planted cause."""
    vector = np.zeros(DIMENSION)
    vector[list(PLANTED).index(cause)] = 1.0
    vector += 0.0 if noise is None else noise
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def planted(each: int = 5, noise: float = 0.3, causes: Sequence[str] = tuple(PLANTED)) -> World:
    """A library with so many cases of each cause, told apart by their vectors and words."""
    random = np.random.default_rng(3)
    vocabulary = tiny_vocabulary()
    cases, vectors, practice = [], {}, []
    for number, cause in enumerate(causes):
        for k in range(each):
            case_id = f"P-{number}{k:02d}"
            cases.append(make_case(case_id, ("cause", cause), ("symptom", "symptom:failure")))
            vectors[case_id] = direction(cause, noise * random.normal(size=DIMENSION))
            seen = direction(cause, noise * random.normal(size=DIMENSION))
            said = frozenset(PLANTED[cause][: 1 + k % 3])
            practice.append((case_id, Sighting(vector=seen, words=said)))
    graph = IncidentGraph(cases, vocabulary)
    return World(graph, vocabulary, tuple(cases), vectors, tuple(practice))
