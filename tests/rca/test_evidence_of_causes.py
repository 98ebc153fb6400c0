"""The evidence for each cause, against a slow twin, and against a library without the case."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from kg.rca.causes import Causes, confirmed_causes
from kg.rca.described import Descriptions
from kg.rca.evidence import ADDED, ADDED_CLASS, KINDS, SHARPNESS, Counts, Evidence
from kg.rca.rows import Rows
from kg.rca.sighting import Sighting
from tests.helpers.sighted import World, planted

STRENGTH = 2.0


@pytest.fixture(scope="module")
def world() -> World:
    return planted(each=4)


def evidence_of(world: World, without: Sequence[str] = ()) -> tuple[Causes, Evidence]:
    kept = [c.id for c in world.cases if c.id not in without]
    stated = confirmed_causes(world.graph, kept)
    causes = Causes(world.vocabulary)
    rows = Rows(world.vocabulary, tuple(stated), world.vectors, {})
    described = Descriptions(world.vocabulary, causes.ids, {}, None)
    practice = [p for p in world.practice if p[0] in stated]
    evidence = Evidence(causes, stated, rows, described, practice)
    evidence.learn(STRENGTH)
    return causes, evidence


def share(held: float, cases: int, causes: int, whole: float, added: float) -> float:
    extra = min(added, (whole + 1) / (2 * causes))
    return (held + extra) / (cases + extra * causes)


def slow_shares(
    causes: Causes, stated: Mapping[str, Sequence[str]], whole: float
) -> tuple[dict[str, float], dict[str, float]]:
    """The share of each cause, and of each class; `whole`: statements of the full library."""
    count = len(stated)
    held = {c: sum(c in s for s in stated.values()) for c in causes.ids}
    classes = causes.up(1)[0]
    above = [frozenset().union(*(causes.at(c, 1) for c in s)) for s in stated.values()]
    of_class = {k: sum(k in a for a in above) for k in classes}
    return (
        {c: share(n, count, len(held), whole, ADDED) for c, n in held.items()},
        {k: share(n, count, len(classes), whole, ADDED_CLASS) for k, n in of_class.items()},
    )


def column(found: np.ndarray, kind: str) -> np.ndarray:
    return found[..., KINDS.index(kind)]


def test_shares_are_smoothed_counts_and_those_of_classes_above(world: World) -> None:
    causes, evidence = evidence_of(world)
    stated = confirmed_causes(world.graph, [c.id for c in world.cases])
    own, of_class = slow_shares(causes, stated, whole=len(stated))
    found = evidence.of(Sighting())
    for row, cause in enumerate(causes.ids):
        assert column(found, "share")[row] == pytest.approx(math.log(own[cause]))
        logs = [math.log(of_class[k]) for k in causes.at(cause, 1)]
        assert column(found, "class_share")[row] == pytest.approx(sum(logs) / len(logs))


def test_shares_add_up_when_each_case_has_one_cause(world: World) -> None:
    _, evidence = evidence_of(world)
    assert np.exp(column(evidence.of(Sighting()), "share")).sum() == pytest.approx(1.0)


def test_less_is_added_where_the_vocabulary_has_many_more_causes_than_there_are_cases() -> None:
    marks = np.zeros((2, 1000))
    marks[0, 0] = marks[1, 1] = 1.0
    counts = Counts(marks, ADDED)
    assert counts.shares.sum() == pytest.approx(1.0)
    assert counts.shares[:2].sum() > 0.5


def test_nothing_seen_is_no_evidence_beyond_shares(world: World) -> None:
    _, evidence = evidence_of(world)
    found = evidence.of(Sighting())
    for kind in ("meaning", "alike", "covered", "votes"):
        assert not column(found, kind).any()


def test_votes_are_the_lift_among_cases_by_their_likeness(world: World) -> None:
    causes, evidence = evidence_of(world)
    stated = confirmed_causes(world.graph, [c.id for c in world.cases])
    likeness = {c.id: float(i % 5) for i, c in enumerate(world.cases)} | {"not there": 99.0}
    values = [likeness[c] for c in evidence.cases]
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
    weight = {c: math.exp(SHARPNESS * (likeness[c] - max(values)) / spread) for c in stated}
    own, _ = slow_shares(causes, stated, whole=len(stated))
    found = column(evidence.of(Sighting(likeness=likeness)), "votes")
    for row, cause in enumerate(causes.ids):
        votes = sum(w for c, w in weight.items() if cause in stated[c]) / sum(weight.values())
        assert found[row] == pytest.approx(math.log((votes + own[cause]) / (2 * own[cause])))


def test_the_scale_of_likeness_does_not_matter(world: World) -> None:
    _, evidence = evidence_of(world)
    likeness = {c.id: float(i % 7) for i, c in enumerate(world.cases)}
    scaled = {c: 1000.0 * v - 5.0 for c, v in likeness.items()}
    one, other = (evidence.of(Sighting(likeness=x)) for x in (likeness, scaled))
    assert one == pytest.approx(other)


def test_cases_that_are_all_equally_alike_vote_alike(world: World) -> None:
    _, evidence = evidence_of(world)
    found = evidence.of(Sighting(likeness=dict.fromkeys(evidence.cases, 3.0)))
    assert np.ptp(column(found, "votes")[evidence.marks.any(axis=0)]) == pytest.approx(0.0)


def test_a_known_case_is_judged_by_shares_of_the_others(world: World) -> None:
    _, whole = evidence_of(world)
    found, marks = whole.of_known()
    for number, (case_id, sighting) in enumerate(world.practice):
        _, others = evidence_of(world, [case_id])
        alone = others.of(sighting)
        for kind in ("share", "class_share"):
            assert column(found, kind)[number] == pytest.approx(column(alone, kind), abs=1e-9)
        assert marks[number].sum() == 1.0


def test_a_known_case_is_judged_by_a_regression_on_the_others(world: World) -> None:
    """Brute force: solve the ridge again without the case, with the same targets."""
    causes, whole = evidence_of(world)
    found, _ = whole.of_known()
    rows = Rows(world.vocabulary, whole.cases, world.vectors, {})
    targets = whole.marks - whole.marks.mean(axis=0)
    raw = []
    for case_id, sighting in world.practice:
        kept = np.array([c != case_id for c in whole.cases])
        left = rows.cases[kept].T @ rows.cases[kept] + STRENGTH * np.eye(rows.cases.shape[1])
        weights = np.linalg.solve(left, rows.cases[kept].T @ targets[kept])
        held = whole.marks[kept].sum(axis=0)
        count, extra = kept.sum(), min(ADDED, (whole.marks.sum() + 1) / (2 * len(causes)))
        shares = (held + extra) / (count + extra * len(causes))
        raw.append(rows.of(sighting) @ weights / np.sqrt(shares))
    expected = np.array(raw) / np.std(raw)
    assert column(found, "learned") == pytest.approx(expected, abs=1e-8)


def test_descriptions_count_above_what_texts_usually_have(world: World) -> None:
    _, evidence = evidence_of(world)
    found, _ = evidence.of_known()
    for kind in ("alike", "covered"):
        values = column(found, kind)
        assert values.mean(axis=0) == pytest.approx(np.zeros(values.shape[1]), abs=1e-9)
        assert values.std() == pytest.approx(1.0)


def test_what_cases_add_is_what_regression_and_votes_say_of_their_causes(world: World) -> None:
    _, evidence = evidence_of(world)
    case_id, seen = world.practice[3]
    sighting = replace(seen, likeness={c: float(c == case_id) for c in evidence.cases})
    weights = dict.fromkeys(KINDS, 0.0) | {"votes": 2.0}
    added = evidence.support(sighting, weights)
    lift = np.maximum(column(evidence.of(sighting), "votes"), 0.0)
    held = evidence.marks.any(axis=0)
    assert added.sum(axis=0)[held] == pytest.approx(2.0 * lift[held])
    assert not added[evidence.marks == 0].any()


def test_what_all_cases_add_by_regression_makes_its_score(world: World) -> None:
    """Cases that have a cause and those that have not, together, are the prediction."""
    _, evidence = evidence_of(world)
    sighting = world.practice[5][1]
    weights = dict.fromkeys(KINDS, 0.0) | {"learned": 1.5}
    likeness = evidence._fit.likeness(evidence._rows.of(sighting))
    each = evidence._fit.coefficients / np.sqrt(evidence._counts.shares) / evidence._scale[0]
    total = 1.5 * (likeness[:, None] * each).sum(axis=0)
    assert total == pytest.approx(1.5 * column(evidence.of(sighting), "learned"), abs=1e-9)
    mine = evidence.support(sighting, weights)
    assert mine == pytest.approx(1.5 * likeness[:, None] * each * evidence.marks, abs=1e-9)


def test_a_known_case_hears_the_votes_of_the_others_by_the_likeness_of_rows(world: World) -> None:
    causes, evidence = evidence_of(world)
    stated = confirmed_causes(world.graph, [c.id for c in world.cases])
    found, _ = evidence.of_known()
    for number in (0, 7, 15):
        own, sighting = world.practice[number]
        others = [c for c in stated if c != own]
        likeness = {c: float(world.vectors[c] @ sighting.vector) for c in others}
        mean = sum(likeness.values()) / len(likeness)
        spread = math.sqrt(sum((v - mean) ** 2 for v in likeness.values()) / len(likeness))
        top = max(likeness.values())
        weight = {c: math.exp(SHARPNESS * (v - top) / spread) for c, v in likeness.items()}
        shares, _ = slow_shares(causes, {c: stated[c] for c in others}, whole=len(stated))
        for row, cause in enumerate(causes.ids):
            votes = sum(w for c, w in weight.items() if cause in stated[c]) / sum(weight.values())
            expected = math.log((votes + shares[cause]) / (2 * shares[cause]))
            assert column(found, "votes")[number, row] == pytest.approx(expected, abs=1e-5)


def test_where_no_likeness_is_given_that_of_the_rows_stands_in(world: World) -> None:
    _, evidence = evidence_of(world)
    seen = world.practice[2][1]
    likeness = {c: float(world.vectors[c] @ seen.vector) for c in evidence.cases}
    given = column(evidence.of(replace(seen, likeness=likeness)), "votes")
    assert column(evidence.of(seen), "votes") == pytest.approx(given, abs=1e-5)


def test_likeness_of_some_cases_lets_only_those_vote(world: World) -> None:
    causes, evidence = evidence_of(world)
    mine = world.cases[0].id
    found = column(evidence.of(Sighting(likeness={mine: 1.0})), "votes")
    stated = confirmed_causes(world.graph, [mine])[mine]
    assert causes.ids[int(found.argmax())] in stated
    assert (np.delete(found, found.argmax()) < 0).all()
