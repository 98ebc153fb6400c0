"""The dynamic programme against a twin that tries every way to cut."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings.passages import (
    _OVERLONG,
    Span,
    _atoms,
    _best_cuts,
    _size_cost,
    split_passages,
)

TOKENS = st.sampled_from(["word", "end.", "and,", "노드가", "`a b`", "e.g.", "Yes!", "训。"])


def _cost(text: str, spans: list[Span], low: float, high: float) -> float:
    """Total cost of one way to cut; infinite when a passage is far too long."""
    atoms = _atoms(text, 0, len(text))
    total = 0.0
    for start, end in spans:
        inside = [atom for atom in atoms if start <= atom.start < end]
        weight = sum(atom.weight for atom in inside)
        if weight > _OVERLONG * high and len(inside) > 1:
            return float("inf")
        total += inside[0].cut + _size_cost(weight, low, high)
    return total


def _cheapest(text: str, low: float, high: float) -> float:
    atoms = _atoms(text, 0, len(text))
    best = float("inf")
    for cuts in itertools.product([False, True], repeat=len(atoms) - 1):
        firsts = [0, *(i + 1 for i, cut in enumerate(cuts) if cut)]
        lasts = [*(i - 1 for i in firsts[1:]), len(atoms) - 1]
        spans = [Span(atoms[a].start, atoms[b].end) for a, b in zip(firsts, lasts, strict=True)]
        best = min(best, _cost(text, spans, low, high))
    return best


@settings(max_examples=80, deadline=None)
@given(st.lists(TOKENS, min_size=1, max_size=9), st.integers(1, 4), st.integers(0, 3))
def test_no_other_way_to_cut_costs_less(tokens: list[str], low: int, more: int) -> None:
    text = " ".join(tokens)
    found = split_passages(text, low, low + more)
    assert _cost(text, found, low, low + more) == pytest.approx(_cheapest(text, low, low + more))


def test_nothing_to_cut() -> None:
    assert _best_cuts([], 1, 2) == []


def test_sizes_within_the_bounds_cost_almost_nothing() -> None:
    assert _size_cost(25, 25, 45) == _size_cost(45, 25, 45) < 0.05
    assert _size_cost(10, 25, 45) > _size_cost(20, 25, 45) > _size_cost(25, 25, 45)
    assert _size_cost(60, 25, 45) > _size_cost(50, 25, 45) > _size_cost(45, 25, 45)


@pytest.mark.parametrize("before", range(4, 16))
def test_backticks_are_kept_although_a_cut_inside_would_balance(before: int) -> None:
    code = "`one two. Three four. Five six`"
    text = " ".join(["word"] * before) + f" {code} " + " ".join(["word"] * (18 - before))
    found = [text[start:end] for start, end in split_passages(text, 6, 10)]
    assert any(code in part for part in found), found
