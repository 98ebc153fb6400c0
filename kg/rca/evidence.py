"""The kinds of evidence for each cause, learned from a library, for sightings old and new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from kg.rca.causes import Causes
from kg.rca.described import KINDS as DESCRIBED
from kg.rca.described import Descriptions
from kg.rca.ridge import Ridge, RidgeFit
from kg.rca.rows import Rows
from kg.rca.sighting import Sighting

Scores = NDArray[np.float64]
Numbers = NDArray[np.int64]

KINDS = ("share", "class_share", "learned", "class_learned", *DESCRIBED, "votes")
"""What is known of a cause for a sighting, in the order of the weights.

- share, class_share: logarithm of the share of cases that have it, and of its most general classes;
- learned, class_learned: what ridge regression on the cases says of it and of its classes, over
  the square root of the share, since chance makes common ones vary more;
- meaning, alike, covered: see `kg.rca.described`, above what texts usually have;
- votes: logarithm of its lift among the cases that are alike.

From `learned` to `covered` in units of how much they vary over the sightings of the library.
"""

ADDED = 0.3
"""What is added to the number of cases of each cause (Lidstone 1920), at most: less where the
vocabulary has many more causes than the library cases."""
ADDED_CLASS = 0.5
SHARPNESS = 2.0
"""A case that is one standard deviation more alike has e to this power times the vote."""


class Counts:
    """How many cases have each cause, from marks (cases, causes)."""

    def __init__(self, marks: Scores, added: float) -> None:
        self.cases = len(marks)
        self.held: Scores = marks.sum(axis=0)
        most = (float(self.held.sum()) + 1.0) / (2.0 * max(1, marks.shape[1]))
        self._added = min(added, most)
        self.shares: Scores = self._share(self.held, self.cases)

    def without(self, marks: Scores) -> Scores:
        """The shares when a case with these marks is left out, one row each."""
        return self._share(self.held - marks, self.cases - 1)

    def _share(self, held: Scores, cases: int) -> Scores:
        share: Scores = (held + self._added) / (cases + self._added * held.shape[-1])
        return share


class Evidence:
    """The evidence that the cases of a library give.

    Attributes:
        cases: ids of the cases learned from, sorted.
        marks: which of them has which cause, (cases, causes) of 0 and 1.
    """

    def __init__(
        self,
        causes: Causes,
        stated: Mapping[str, Sequence[str]],
        rows: Rows,
        descriptions: Descriptions,
        practice: Sequence[tuple[str, Sighting]],
    ) -> None:
        """Learn.

        Args:
            causes: what is chosen from.
            stated: the causes of each case.
            rows: of these cases, in order of id.
            descriptions: of the causes.
            practice: sightings of these cases.
        """
        self.cases = tuple(sorted(stated))
        self._rows, self._descriptions = rows, descriptions
        self.marks = causes.marks([stated[c] for c in self.cases])
        _, member = causes.up(1)
        self._class_marks: Scores = np.minimum(self.marks @ member, 1.0)
        self._up: Scores = (member / np.maximum(member.sum(axis=1, keepdims=True), 1.0)).T
        self._counts = Counts(self.marks, ADDED)
        self._class_counts = Counts(self._class_marks, ADDED_CLASS)
        self._ridge = Ridge(rows.cases)
        self._practise(practice)
        self.learn(10.0)

    @property
    def practised(self) -> tuple[int, ...]:
        """The number of the case of each practised sighting."""
        return tuple(self._numbers.tolist())

    def learn(self, strength: float) -> None:
        """Fit the regressions with a ridge of this strength."""
        self._fit = _centred_fit(self._ridge, self.marks, strength)
        self._class_fit = _centred_fit(self._ridge, self._class_marks, strength)
        self._scale = (1.0, 1.0)
        if len(self._numbers):
            left_out = self._learned_without()
            self._scale = (_spread(left_out[0]), _spread(left_out[1]))

    def of(self, sighting: Sighting) -> Scores:
        """The evidence of a new sighting, (causes, KINDS)."""
        point = self._rows.of(sighting)[None]
        shares, class_shares = self._counts.shares, self._class_counts.shares
        learned = self._fit.at(point) / np.sqrt(shares)
        of_class = self._class_fit.at(point) / np.sqrt(class_shares) @ self._up
        common = self._common(shares[None], class_shares[None])
        described = self._described([self._measured(sighting)], [sighting])
        votes = self._lift(self._votes(sighting))
        stacked = self._stacked(common, (learned, of_class), described, votes[None])
        return np.asarray(stacked[0])

    def of_known(self) -> tuple[Scores, Scores]:
        """The evidence of the practised sightings, the case itself left out; and their causes.

        How alike cases are by the lanes of a search is not known: for the votes of practice, the
        likeness of their rows stands in.

        Returns:
            (n, causes, KINDS), and (n, causes) of 0 and 1.
        """
        marks = self.marks[self._numbers]
        common = self._common(
            self._counts.without(marks),
            self._class_counts.without(self._class_marks[self._numbers]),
        )
        votes = self._lifts(self._known_votes, self._counts.without(marks))
        return self._stacked(common, self._learned_without(), self._known, votes), marks

    def support(self, sighting: Sighting, weights: Mapping[str, float]) -> Scores:
        """What each case adds to the score of each cause that it has: (cases, causes).

        Cases add through regression and votes; of the lift that votes give to a cause, each case
        that has it adds the part that is its part of these votes.
        """
        likeness = self._fit.likeness(self._rows.of(sighting))[:, None]
        each = self._fit.coefficients / np.sqrt(self._counts.shares)
        of_class = self._class_fit.coefficients / np.sqrt(self._class_counts.shares) @ self._up
        own = weights["learned"] / self._scale[0] * each
        added = likeness * (own + weights["class_learned"] / self._scale[1] * of_class)
        votes = self._votes(sighting)
        shares = votes[:, None] * self.marks
        lift = np.maximum(self._lift(votes), 0.0) / np.maximum(shares.sum(axis=0), 1e-12)
        return np.asarray((added + weights["votes"] * lift * shares) * self.marks)

    def _stacked(
        self,
        common: Sequence[Scores],
        learned: tuple[Scores, Scores],
        described: Scores,
        votes: Scores,
    ) -> Scores:
        own, of_class = learned
        first = [*common, own / self._scale[0], of_class / self._scale[1]]
        full = np.stack([np.broadcast_to(kind, own.shape) for kind in first], axis=-1)
        return np.concatenate([full, described, votes[..., None]], axis=-1)

    def _common(self, shares: Scores, class_shares: Scores) -> list[Scores]:
        """The first two kinds, (n, causes) each."""
        return [np.log(shares), np.log(class_shares) @ self._up]

    def _learned_without(self) -> tuple[Scores, Scores]:
        """What the regressions say of practised sightings, the case itself left out."""
        points, numbers = self._points, self._numbers
        shares = self._counts.without(self.marks[numbers])
        class_shares = self._class_counts.without(self._class_marks[numbers])
        own = self._fit.without(points, numbers) / np.sqrt(shares)
        of_class = self._class_fit.without(points, numbers) / np.sqrt(class_shares) @ self._up
        return own, of_class

    def _practise(self, practice: Sequence[tuple[str, Sighting]]) -> None:
        """Look at the practised sightings: the rows, and how near texts come to descriptions."""
        number = {c: i for i, c in enumerate(self.cases)}
        self._numbers: Numbers = np.array([number[c] for c, _ in practice], dtype=np.int64)
        sightings = [s for _, s in practice]
        points = [self._rows.of(s) for s in sightings]
        self._points: Scores = np.stack(points) if points else np.zeros((0, 0))
        raw = [self._measured(s) for s in sightings]
        self._usual: Scores = np.zeros((self.marks.shape[1], len(DESCRIBED)))
        self._varies: Scores = np.ones(len(DESCRIBED))
        if raw:
            self._usual = np.mean(raw, axis=0)
            varies = (np.stack(raw) - self._usual).std(axis=(0, 1))
            self._varies = np.where(varies > 1e-9, varies, 1.0)
        self._known = self._described(raw, sightings)
        self._known_votes = self._votes_of_practice()

    def _measured(self, sighting: Sighting) -> Scores:
        vector = sighting.vector
        known = None if vector is None else np.asarray(vector, np.float64)
        return self._descriptions.measure(known, sighting.words)

    def _described(self, measured: Sequence[Scores], sightings: Sequence[Sighting]) -> Scores:
        """Descriptions above the usual; 0 where a sighting tells nothing: (n, causes, 3)."""
        found = np.zeros((len(sightings), *self._usual.shape))
        for row, (raw, sighting) in enumerate(zip(measured, sightings, strict=True)):
            told = np.array([sighting.vector is not None, *[bool(sighting.words)] * 2])
            found[row] = np.where(told, (raw - self._usual) / self._varies, 0.0)
        return found

    def _votes_of_practice(self) -> Scores:
        """The votes of the other cases for each practised sighting, (n, cases)."""
        votes = np.zeros((len(self._numbers), len(self.cases)))
        if not len(votes):
            return votes
        likeness = self._points @ self._rows.cases.T
        for row, own in enumerate(self._numbers.tolist()):
            others = np.arange(len(self.cases)) != own
            if likeness[row, others].any():
                votes[row, others] = _shares_of(likeness[row, others])
        return votes

    def _votes(self, sighting: Sighting) -> Scores:
        """The part of each case in the votes, adding up to 1; none where nothing is known.

        Where no likeness is given, that of the rows stands in, as in practice.
        """
        known = [i for i, c in enumerate(self.cases) if c in sighting.likeness]
        votes = np.zeros(len(self.cases))
        if known:
            values = np.array([sighting.likeness[self.cases[i]] for i in known])
            votes[known] = _shares_of(values)
        elif (likeness := self._rows.cases @ self._rows.of(sighting)).any():
            votes = _shares_of(likeness)
        return votes

    def _lift(self, votes: Scores) -> Scores:
        """The logarithm of each cause's lift among the votes (cases,): (causes,)."""
        return np.asarray(self._lifts(votes[None], self._counts.shares)[0])

    def _lifts(self, votes: Scores, shares: Scores) -> Scores:
        """The same of many votes (n, cases), smoothed by shares; 0 where nobody votes."""
        lift = np.log((votes @ self.marks + shares) / (2.0 * shares))
        return np.asarray(np.where(votes.any(axis=1, keepdims=True), lift, 0.0))


def _shares_of(likeness: Scores) -> Scores:
    """Parts that add up to 1, by how many standard deviations each likeness stands out."""
    spread = float(likeness.std())
    above = (likeness - likeness.max()) / (spread if spread > 1e-12 else 1.0)
    parts = np.exp(SHARPNESS * above)
    return np.asarray(parts / parts.sum())


def _centred_fit(ridge: Ridge, marks: Scores, strength: float) -> RidgeFit:
    middle = marks.mean(axis=0) if len(marks) else np.zeros(marks.shape[1])
    return ridge.solve(marks - middle, strength)


def _spread(values: Scores) -> float:
    """The standard deviation; 1 where nothing varies."""
    found = float(values.std())
    return found if found > 1e-12 else 1.0
