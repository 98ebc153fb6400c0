"""Outages that are planted twice are proposed, what only looks like them is not, and the figures of
docs/merging.md are those that are measured here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kg.intake.same_event import same_events
from tests.helpers.planted_events import (
    World,
    cases_of,
    document_of,
    hand_written_world,
    planted_world,
)

REPORTED = (21, 22, 23, 24, 25)
"""Worlds on which no weight was ever looked at."""
PAGE = Path(__file__).parents[2] / "docs" / "merging.md"


@dataclass(frozen=True)
class Measured:
    """Pairs proposed rightly and wrongly, and those that were to be proposed and not to be."""

    right: int
    wrong: int
    wrong_hard: int
    same: int
    hard: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / self.same

    def row(self, name: str) -> str:
        counts = f"{self.same} | {self.hard} | {self.right} | {self.wrong}"
        return f"| {name} | {counts} | {self.precision:.2f} | {self.recall:.2f} |"


def measured(worlds: Iterable[World], least: float = 0.5) -> Measured:
    counts = [0] * 5
    for world in worlds:
        cases = cases_of(world)
        name = {c.id: document_of(c) for c in cases}
        assert len(name) == len(set(name.values()))
        found = {frozenset((name[p.case_id], name[p.other_id]))
                 for p in same_events(cases, least=least)}  # fmt: skip
        right, wrong = found & world.same, found - world.same
        told = (right, wrong, wrong & world.hard, world.same, world.hard)
        counts = [n + len(t) for n, t in zip(counts, told, strict=True)]
    return Measured(*counts)


@pytest.fixture(scope="module")
def planted() -> list[World]:
    return [planted_world(seed) for seed in REPORTED]


def test_each_world_has_enough_pairs_of_both_kinds(planted: list[World]) -> None:
    for world in planted:
        assert len(world.same) >= 30
        assert len(world.hard) >= 60
    hand = hand_written_world()
    assert len(hand.same) >= 12
    assert len(hand.hard) >= 6


def test_the_two_documents_of_an_outage_share_no_sentence(planted: list[World]) -> None:
    """Else it would be no art to find them."""
    for world in planted[:1]:
        cases = {document_of(c): c for c in cases_of(world)}
        for pair in world.same:
            one, other = ({t for _, lang, t in cases[n].texts() if lang != "zxx"} for n in pair)
            assert not one & other


def test_planted_duplicates_are_proposed_and_the_page_says_how_many(planted: list[World]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = {
        "planted worlds": measured(planted),
        "planted worlds, from 0.8": measured(planted, 0.8),
        "written by hand": measured([hand_written_world()]),
    }
    for name, found in rows.items():
        print(found.row(name))
        assert found.row(name) in text, f"put into docs/merging.md: {found.row(name)}"
    assert rows["planted worlds"].precision >= 0.8
    assert rows["planted worlds"].recall >= 0.8
    assert rows["written by hand"].recall == 1
    assert rows["written by hand"].precision >= 0.9


def test_what_came_back_is_rarely_taken_for_the_same(planted: list[World]) -> None:
    found = measured(planted)
    assert found.wrong_hard / found.hard <= 0.08


def test_a_higher_least_probability_asks_less(planted: list[World]) -> None:
    one, other = measured(planted[:2]), measured(planted[:2], 0.9)
    assert other.right + other.wrong < one.right + one.wrong
    assert other.precision >= one.precision
