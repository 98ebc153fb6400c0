"""The whole prediction against a slow twin in plain Python, from cases to probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from kg.rca.causes import Causes, confirmed_causes
from kg.rca.described import plain_words
from kg.rca.evidence import ADDED, ADDED_CLASS, SHARPNESS
from kg.rca.prediction import CausePredictor, Sighting
from tests.helpers.sighted import World, direction, planted
from tests.helpers.twins import above, below

Row = dict[str, float]


class Twin:
    """The same model, spelled out; weights, ridge and spreads are taken from the fast one."""

    def __init__(self, world: World, fast: CausePredictor) -> None:
        self.world, self.fast = world, fast
        self.stated = confirmed_causes(world.graph, [c.id for c in world.cases])
        self.cases = sorted(self.stated)
        self.causes = sorted(
            t.id for t in world.vocabulary.terms.values() if t.scheme == "cause" and not t.unnamed
        )
        tops = {c: [t for t in above(world.vocabulary, c) if not world.vocabulary.terms[t].broader]
                for c in self.causes}  # fmt: skip
        self.tops = {c: sorted(t) for c, t in tops.items()}
        self.classes = sorted({t for found in self.tops.values() for t in found})

    def share(self, kind: Sequence[str], held: Mapping[str, int], added: float) -> Row:
        extra = min(added, (sum(held.values()) + 1) / (2 * len(kind)))
        whole = len(self.cases) + extra * len(kind)
        return {c: (held[c] + extra) / whole for c in kind}

    def shares(self) -> tuple[Row, Row]:
        own = {c: sum(c in s for s in self.stated.values()) for c in self.causes}
        of_class = {
            k: sum(any(k in self.tops[c] for c in s) for s in self.stated.values())
            for k in self.classes
        }
        return (
            self.share(self.causes, own, ADDED),
            self.share(self.classes, of_class, ADDED_CLASS),
        )

    def kernel(self, a: Sequence[float], b: Sequence[float]) -> float:
        return math.fsum(x * y for x, y in zip(a, b, strict=True))

    def learned(self, text: Sequence[float], has: Mapping[str, Sequence[bool]]) -> Row:
        """Ridge regression in its dual form, by Gaussian elimination."""
        vectors = [self.world.vectors[c].astype(float).tolist() for c in self.cases]
        gram = [[self.kernel(x, y) for y in vectors] for x in vectors]
        for i in range(len(gram)):
            gram[i][i] += self.fast.strength
        names = sorted(has)
        targets = []
        for i in range(len(self.cases)):
            means = [sum(has[n]) / len(self.cases) for n in names]
            targets.append([has[n][i] - m for n, m in zip(names, means, strict=True)])
        dual = eliminate(gram, targets)
        near = [self.kernel(text, x) for x in vectors]
        return {
            n: math.fsum(k * row[j] for k, row in zip(near, dual, strict=True))
            for j, n in enumerate(names)
        }

    def votes(self, likeness: Mapping[str, float]) -> Row:
        if not likeness:
            return dict.fromkeys(self.causes, 0.0)
        values = [likeness[c] for c in self.cases]
        mean = sum(values) / len(values)
        spread = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values)) or 1.0
        weights = {
            c: math.exp(SHARPNESS * (likeness[c] - max(values)) / spread) for c in self.cases
        }
        whole = sum(weights.values())
        own, _ = self.shares()
        return {
            cause: math.log(
                (sum(w for c, w in weights.items() if cause in self.stated[c]) / whole + own[cause])
                / (2 * own[cause])
            )
            for cause in self.causes
        }

    def scores(self, sighting: Sighting, described: Mapping[str, tuple[float, float]]) -> Row:
        weight = self.fast.weights
        own, of_class = self.shares()
        text = sighting.vector.astype(float).tolist() if sighting.vector is not None else None
        has = {c: [c in self.stated[i] for i in self.cases] for c in self.causes}
        of = {k: [any(k in self.tops[c] for c in self.stated[i]) for i in self.cases]
              for k in self.classes}  # fmt: skip
        learned = self.learned(text, has) if text else dict.fromkeys(self.causes, 0.0)
        class_learned = self.learned(text, of) if text else dict.fromkeys(self.classes, 0.0)
        stand_in = {}
        if text is not None:
            vectors = self.world.vectors
            stand_in = {c: self.kernel(text, vectors[c].astype(float).tolist()) for c in self.cases}
        votes = self.votes(sighting.likeness or stand_in)
        scale = self.fast._evidence._scale
        found = {}
        for c in self.causes:
            tops = self.tops[c]
            kinds = {
                "share": math.log(own[c]),
                "class_share": sum(math.log(of_class[k]) for k in tops) / len(tops),
                "learned": learned[c] / math.sqrt(own[c]) / scale[0],
                "class_learned": sum(class_learned[k] / math.sqrt(of_class[k]) for k in tops)
                / len(tops)
                / scale[1],
                "votes": votes[c],
                "alike": described[c][0],
                "covered": described[c][1],
                "meaning": 0.0,
            }
            found[c] = math.fsum(weight[k] * v for k, v in kinds.items())
        return found

    def described(self, said: frozenset[str]) -> dict[str, tuple[float, float]]:
        """Words of labels and definitions, above the mean of the practised texts, in spreads."""
        raw = [self.words(s.words) for _, s in sorted(self.world.practice, key=lambda p: p[0])]
        mine, found = self.words(said), {}
        for c in self.causes:
            values = []
            for kind in (0, 1):
                usual = {x: sum(r[x][kind] for r in raw) / len(raw) for x in self.causes}
                away = [(r[x][kind] - usual[x]) ** 2 for r in raw for x in self.causes]
                values.append((mine[c][kind] - usual[c]) / (math.sqrt(sum(away) / len(away)) or 1))
            found[c] = (values[0], values[1]) if said else (0.0, 0.0)
        return found

    def words(self, said: frozenset[str]) -> dict[str, tuple[float, float]]:
        terms = self.world.vocabulary.terms
        whole = {
            c: {w for t in [*(s for _, s in terms[c].spellings()),
                            *(x for _, x in terms[c].definition.items())] for w in plain_words(t)}
            for c in self.causes
        }  # fmt: skip
        held = {w: sum(w in x for x in whole.values()) for x in whole.values() for w in x}

        def rare(word: str) -> float:
            n = held.get(word, 0)
            return math.log1p((len(self.causes) - n + 0.5) / (n + 0.5))

        found = {}
        for c in self.causes:
            length = math.sqrt(sum(rare(w) ** 2 for w in whole[c]))
            asked = math.sqrt(sum(rare(w) ** 2 for w in said))
            dot = sum(rare(w) ** 2 for w in whole[c] & said)
            cover = [
                sum(rare(w) for w in set(plain_words(s)) & said)
                / sum(rare(w) for w in set(plain_words(s)))
                for _, s in terms[c].spellings()
            ]
            found[c] = (dot / (length * asked) if asked else 0.0, max(cover))
        return found

    def chance(self, sighting: Sighting) -> Row:
        scores = self.scores(sighting, self.described(sighting.words))
        gone = {b for t in sighting.ruled_out for b in below(self.world.vocabulary, t)}
        top = max(scores.values())
        parts = {c: 0.0 if c in gone else math.exp(s - top) for c, s in scores.items()}
        return {c: p / sum(parts.values()) for c, p in parts.items()}


def eliminate(matrix: list[list[float]], right: list[list[float]]) -> list[list[float]]:
    """Solve by Gauss-Jordan elimination with pivots."""
    size = len(matrix)
    rows = [[*a, *b] for a, b in zip(matrix, right, strict=True)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(size):
            if j != i:
                factor = rows[j][i]
                rows[j] = [x - factor * y for x, y in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]


@pytest.fixture(scope="module")
def world() -> World:
    return planted(each=4)


@pytest.fixture(scope="module")
def fast(world: World) -> CausePredictor:
    return world.predictor(case_terms={})


@pytest.fixture(scope="module")
def twin(world: World, fast: CausePredictor) -> Twin:
    return Twin(world, fast)


SEEN = {
    "nothing": Sighting(),
    "a direction": Sighting(vector=direction("cause:race")),
    "words": Sighting(words=frozenset({"race", "link", "order"})),
    "votes": Sighting(likeness={f"P-{n}0{k}": n - k / 2 for n in range(4) for k in range(4)}),
    "all of it": Sighting(
        likeness={f"P-{n}0{k}": k - n / 3 for n in range(4) for k in range(4)},
        vector=direction("cause:mismatch"),
        words=frozenset({"hang", "mismatch", "down"}),
    ),
}


@pytest.mark.parametrize("name", SEEN)
def test_shares_of_the_choice_are_those_of_the_twin(
    fast: CausePredictor, twin: Twin, name: str
) -> None:
    found = dict(zip(Causes(twin.world.vocabulary).ids, fast._chance(SEEN[name]), strict=True))
    expected = twin.chance(SEEN[name])
    assert {c: float(p) for c, p in found.items()} == pytest.approx(expected, abs=1e-7)


def test_what_is_ruled_out_is_shared_among_the_others_as_in_the_twin(
    fast: CausePredictor, twin: Twin
) -> None:
    seen = replace(SEEN["all of it"], ruled_out=frozenset({"cause:gpu-fault", "cause:race"}))
    found = dict(zip(Causes(twin.world.vocabulary).ids, fast._chance(seen), strict=True))
    expected = twin.chance(seen)
    assert {c: float(p) for c, p in found.items()} == pytest.approx(expected, abs=1e-7)
    assert expected["cause:ecc-error"] == 0.0


@pytest.mark.parametrize("level", [None, 1, 2])
def test_causes_of_a_level_are_ranked_by_the_shares_that_add_up_in_them(
    fast: CausePredictor, twin: Twin, level: int | None
) -> None:
    causes = Causes(twin.world.vocabulary)
    for seen in SEEN.values():
        chance = twin.chance(seen)
        total: Row = {}
        for cause, part in chance.items():
            for top in causes.at(cause, level):
                total[top] = total.get(top, 0.0) + part
        best = max(total.values())
        first = fast.predict(seen, level)[0].cause
        assert total[first] == pytest.approx(best, abs=1e-7)
