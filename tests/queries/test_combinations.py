"""Mining combinations, judged by trying every one of them in plain Python."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.queries import combinations as mining
from kg.queries.combinations import Combination, Item, find_combinations, looked_at
from tests.helpers.strategies import QUICK
from tests.queries.test_chance import exactly

Rows = list[set[str]]
"""Which items each case has."""


def covers_of(rows: Rows) -> dict[Item, int]:
    names = sorted({x for row in rows for x in row})
    return {("k", x): sum(1 << i for i, row in enumerate(rows) if x in row) for x in names}


def cases_with(rows: Rows, names: Collection[str]) -> frozenset[int]:
    return frozenset(i for i, row in enumerate(rows) if set(names) <= row)


def worst_split(rows: Rows, names: tuple[str, ...]) -> tuple[Fraction, Fraction]:
    """The most cases and the highest probability over all splits in two, in whole numbers."""
    n, of = len(cases_with(rows, names)), len(rows)
    sides = [
        (len(cases_with(rows, left)), len(cases_with(rows, set(names) - set(left))))
        for size in range(1, len(names))
        for left in combinations(names, size)
    ]
    expected = max(Fraction(a * b, of) for a, b in sides)
    return expected, max(exactly(n, a, b, of) for a, b in sides)


def by_trying_all(
    rows: Rows, minimum: int, sizes: Collection[int], apart: Collection[frozenset[str]] = ()
) -> dict[frozenset[int], Fraction]:
    """Each set of cases that some combination covers → the least p × looked_at of any of them."""
    names = sorted({x for row in rows for x in row})
    frequent = [x for x in names if len(cases_with(rows, [x])) >= minimum]
    found: dict[frozenset[int], Fraction] = {}
    for size in sizes:
        for chosen in combinations(frequent, size):
            cover = cases_with(rows, chosen)
            barred = any(frozenset(pair) in apart for pair in combinations(chosen, 2))
            if barred or len(cover) < minimum:
                continue
            expected, p = worst_split(rows, chosen)
            if len(cover) > expected:
                surprise = p * math.comb(len(frequent), size)
                found[cover] = min(surprise, found.get(cover, surprise))
    return found


def cover_of(rows: Rows, found: Combination) -> frozenset[int]:
    return cases_with(rows, [name for _, name in found.items])


row_lists = st.lists(st.sets(st.sampled_from("abcdefg")), min_size=1, max_size=14)
size_lists = st.sampled_from([(2,), (3,), (2, 3), (2, 3, 4), (2, 4)])


@QUICK
@given(row_lists, st.integers(1, 3), size_lists)
def test_every_set_of_cases_is_told_once_by_its_least_likely_combination(
    rows: Rows, minimum: int, sizes: tuple[int, ...]
) -> None:
    found = find_combinations(covers_of(rows), len(rows), minimum, sizes)
    wanted = by_trying_all(rows, minimum, sizes)
    told = [cover_of(rows, c) for c in found]
    assert sorted(map(sorted, told)) == sorted(map(sorted, wanted))
    for c, cover in zip(found, told, strict=True):
        expected, p = worst_split(rows, tuple(name for _, name in c.items))
        assert c.n == len(cover) >= minimum
        assert len(c.items) in sizes
        assert c.expected == pytest.approx(float(expected))
        assert c.lift == pytest.approx(float(c.n / expected))
        assert c.lift > 1
        assert c.p == pytest.approx(float(p))
        assert c.p * c.looked_at == pytest.approx(float(wanted[cover]))


@QUICK
@given(row_lists, st.sets(st.sampled_from(["ab", "bc", "ac", "de", "fg"])))
def test_what_belongs_together_by_definition_is_never_combined(rows: Rows, pairs: set[str]) -> None:
    apart = {frozenset((("k", a), ("k", b))) for a, b in pairs}
    found = find_combinations(covers_of(rows), len(rows), 1, (2, 3, 4), apart)
    assert not any(pair <= set(c.items) for c in found for pair in apart)
    wanted = by_trying_all(rows, 1, (2, 3, 4), {frozenset(p) for p in pairs})
    assert sorted(sorted(cover_of(rows, c)) for c in found) == sorted(map(sorted, wanted))


@QUICK
@given(row_lists)
def test_the_order_of_cases_and_items_does_not_matter(rows: Rows) -> None:
    found = find_combinations(covers_of(rows), len(rows), 2, (2, 3, 4))
    turned = rows[::-1]
    covers: Mapping[Item, int] = dict(reversed(covers_of(turned).items()))
    assert find_combinations(covers, len(rows), 2, (2, 3, 4)) == found


def test_a_triple_is_told_only_if_it_beats_its_pairs() -> None:
    # a and b come together; c comes half the time everywhere.
    rows: Rows = [{"a", "b", *("c" if i % 2 else "")} for i in range(6)]
    rows += [set("c") if i % 2 else set() for i in range(14)]
    found = find_combinations(covers_of(rows), len(rows), 3, (2, 3))
    assert [tuple(n for _, n in c.items) for c in found] == [("a", "b")]


def test_three_that_come_together_only_as_three_are_told_as_three() -> None:
    rows: Rows = [set("abc")] * 4 + [set("ab"), set("ac"), set("bc")] * 2 + [set("a")] * 4
    rows += [set("b"), set("c")] * 4 + [set()] * 80
    found = find_combinations(covers_of(rows), len(rows), 4, (2, 3, 4))
    assert ("a", "b", "c") in [tuple(n for _, n in c.items) for c in found]


def test_the_narrower_of_two_with_equal_chances_is_preferred() -> None:
    # x has the cases of y and one more; with z both cover the same three.
    rows: Rows = [set("xyz")] * 3 + [set("x"), set(), set(), set()]
    (found,) = find_combinations(covers_of(rows), len(rows), 3, (2,))
    assert "x" not in [n for _, n in found.items]


def test_they_come_the_least_likely_first() -> None:
    rows: Rows = [set("ab")] * 6 + [set("cd")] * 3 + [set("c")] * 2 + [set()] * 20
    found = find_combinations(covers_of(rows), len(rows), 2, (2,))
    assert [tuple(n for _, n in c.items) for c in found] == [("a", "b"), ("c", "d")]
    assert found[0].p < found[1].p


def test_what_could_have_been_found_hangs_on_single_terms_alone() -> None:
    rows: Rows = [set("ab")] * 3 + [set("c")] * 3 + [set("d")]
    assert looked_at(covers_of(rows), 3, (2, 3)) == {2: 3, 3: 1}


def test_of_nothing_nothing_is_found() -> None:
    assert find_combinations({}, 0, 1, (2, 3, 4)) == []


def test_thousands_of_cases_are_counted_as_a_matrix_product_counts_them() -> None:
    cases, items, minimum = 3000, 50, 60
    chance = np.random.default_rng(5)
    odds = 0.4 / np.arange(1, items + 1) ** 0.7
    has = chance.random((cases, items)) < odds
    has[:200, 30:32] = True  # planted
    covers = {
        ("k", f"{j:02}"): int.from_bytes(np.packbits(has[:, j], bitorder="little"), "little")
        for j in range(items)
    }
    found = find_combinations(covers, cases, minimum, (2,))
    counts = has.astype(int).T @ has.astype(int)
    wanted = {}
    for i in range(items):
        for j in range(i + 1, items):
            n, alone = counts[i, j], counts[i, i] * counts[j, j]
            if n >= minimum and n * cases > alone:
                wanted[f"{i:02}", f"{j:02}"] = (n, n * cases / alone)
    assert {tuple(name for _, name in c.items): (c.n, c.lift) for c in found} == {
        pair: (n, pytest.approx(lift)) for pair, (n, lift) in wanted.items()
    }
    assert [name for _, name in found[0].items] == ["30", "31"]
    assert len(wanted) > 20


def test_too_wide_a_question_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "MOST", 20)
    rows: Rows = [set("abcdefg")] * 3 + [set()]
    with pytest.raises(BadQuery, match="more than 20 combinations have at least 2 cases; raise"):
        find_combinations(covers_of(rows), len(rows), 2, (2, 3, 4))
    with pytest.raises(BadQuery, match="at least 1 case;"):
        find_combinations(covers_of(rows), len(rows), 1, (2, 3, 4))
