"""Figures are a value or a range; sums over them are checked and never executed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kg.model import Case, Figure
from kg.model.values import arithmetic_error
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import case_data

SPAN = {"field": "summary", "lang": "en", "quote": "Summary"}


def figure(figure_id: str, value: float | None = None, **more: Any) -> Figure:
    data = {"id": figure_id, "label": {"en": figure_id}, "unit": "1", "evidence": [SPAN]}
    return Figure.model_validate({**data, "value": value, **more})


def values(**numbers: float) -> dict[str, Figure]:
    return {name: figure(name, number) for name, number in numbers.items()}


@pytest.mark.parametrize(
    "numbers", [{"value": 1}, {"min": 1}, {"max": 1}, {"min": 1, "max": 2}, {"min": 2, "max": 2}]
)
def test_a_figure_is_a_value_or_a_range(numbers: dict[str, float]) -> None:
    assert figure("x", **numbers).unit == "1"


@pytest.mark.parametrize(
    "numbers",
    [
        {}, {"value": 1, "min": 0}, {"value": 1, "max": 2}, {"min": 2, "max": 1},
        {"value": float("inf")}, {"value": float("nan")}, {"min": float("-inf")}, {"value": "many"},
    ],
)  # fmt: skip
def test_a_figure_is_not_both_nor_neither_nor_infinite(numbers: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        figure("x", **numbers)


def test_a_figure_needs_evidence() -> None:
    with pytest.raises(ValidationError):
        figure("x", 1, evidence=[])


@pytest.mark.parametrize("bad", ["X", "1x", "a-b", "", "a.b", "__import__('os')"])
def test_ids_of_figures_are_plain_names(bad: str) -> None:
    with pytest.raises(ValidationError):
        figure(bad, 1)


@pytest.mark.parametrize(
    ("value", "tolerance"), [(466, 0.5), (0.17, 0.005), (7.5, 0.05), (0, 0.5), (1e6, 0.5)]
)
def test_the_tolerance_is_half_of_the_last_written_digit(value: float, tolerance: float) -> None:
    assert figure("x", value).tolerance == pytest.approx(tolerance)


@pytest.mark.parametrize(
    ("statement", "numbers"),
    [
        ("total = unexpected + planned", {"total": 466, "unexpected": 419, "planned": 47}),
        ("share = gap / mine * 100", {"share": 0.17, "gap": 53, "mine": 30888}),
        ("share = 53 / 30888 * 100", {"share": 0.17}),
        ("a = (b - c) / 2", {"a": 3, "b": 10, "c": 4}),
        ("a=b", {"a": 1, "b": 1.4}),
        ("a = a", {"a": 1}),
    ],
)
def test_sums_that_hold_within_rounding(statement: str, numbers: dict[str, float]) -> None:
    assert arithmetic_error(statement, values(**numbers)) is None


@pytest.mark.parametrize(
    ("statement", "numbers", "said"),
    [
        ("total = a + b", {"total": 467, "a": 419, "b": 47}, "466"),
        ("share = gap / all * 100", {"share": 0.18, "gap": 53, "all": 30888}, "0.171"),
        ("a = b", {"a": 1, "b": 1.6}, "1.6"),
    ],
)
def test_a_wrong_sum_is_told_with_both_numbers(
    statement: str, numbers: dict[str, float], said: str
) -> None:
    error = arithmetic_error(statement, values(**numbers))
    assert error is not None
    assert said in error
    assert statement in error


@pytest.mark.parametrize(
    "right",
    [
        "__import__('os').system('true')", "b.real", "b.__class__", "abs(b)", "[b][0]",
        "b if b else b",
        "lambda: b", "b ** 9", "b // 2", "b % 2", "b << 2", "-b", "not b", "b == b", "b and b",
        "'1'", "b'1'", "1j", "True", "None", "...", "f'{b}'", "(b,)", "{b}", "b := 1", "await b",
        "missing", "", " ", "b +", "b b", "b; b", "b\nb", "import os", "b\x00", "= b",
        "1 / 0", "b / (b - b)", "1e999", "1e999 - 1e999", "9" * 400, "9" * 5000,
        "(" * 3000 + "b" + ")" * 3000, "-" * 100_000 + "b", "+".join(["b"] * 20_000),
    ],
    ids=lambda text: repr(text[:24]),
)  # fmt: skip
def test_only_names_numbers_and_the_four_operations_are_read(right: str) -> None:
    assert arithmetic_error(f"a = {right}", values(a=1, b=2)) is not None


def test_nothing_on_the_right_side_is_executed() -> None:
    ran: list[str] = []

    class Loud(Figure):
        def __call__(self, *args: object) -> float:
            ran.append("called")
            return 1.0

        def __add__(self, other: object) -> float:
            ran.append("added")
            return 1.0

    loud = Loud.model_validate(figure("b", 1).model_dump())
    assert arithmetic_error("a = b() + b", {"a": figure("a", 1), "b": loud}) is not None
    assert arithmetic_error("a = b + 0", {"a": figure("a", 1), "b": loud}) is None
    assert ran == []


@pytest.mark.parametrize("left", ["missing", "", "a + b", "r", "a.b"])
def test_the_left_side_is_a_figure_with_a_value(left: str) -> None:
    figures = {**values(a=1, b=2), "r": figure("r", min=1, max=2)}
    error = arithmetic_error(f"{left} = b", figures)
    assert error is not None
    assert "left side" in error


def test_a_range_has_no_value_to_reckon_with() -> None:
    error = arithmetic_error("a = r", {**values(a=1), "r": figure("r", min=1, max=2)})
    assert error is not None
    assert "'r'" in error


OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
}


@QUICK
@given(
    st.integers(-99, 99),
    st.integers(-99, 99),
    st.sampled_from(sorted(OPERATIONS)),
    st.integers(0, 2),
)
def test_whole_numbers_are_judged_exactly(x: int, y: int, sign: str, off: int) -> None:
    true = OPERATIONS[sign](x, y)
    error = arithmetic_error(f"a = b {sign} c", values(a=true + off, b=x, c=y))
    assert (error is None) == (off == 0)


def _with_figures(*figures: Figure, arithmetic: list[str]) -> dict[str, Any]:
    dumped = [f.model_dump(mode="json") for f in figures]
    return {**case_data("X-1"), "figures": dumped, "arithmetic": arithmetic}


def test_a_case_with_a_wrong_sum_is_refused() -> None:
    figures = [figure("total", 466), figure("unexpected", 419), figure("planned", 47)]
    good = _with_figures(*figures, arithmetic=["total = unexpected + planned"])
    assert Case.model_validate(good).arithmetic
    with pytest.raises(ValidationError, match="right side is 372"):
        Case.model_validate({**good, "arithmetic": ["total = unexpected - planned"]})


def test_two_figures_of_one_id_are_refused() -> None:
    with pytest.raises(ValidationError, match="'x' is used 2 times"):
        Case.model_validate(_with_figures(figure("x", 1), figure("x", 2), arithmetic=[]))


def test_figures_are_found_by_id() -> None:
    case = Case.model_validate(_with_figures(figure("x", 1), figure("y", 2), arithmetic=[]))
    assert {i: f.value for i, f in case.figures_by_id().items()} == {"x": 1, "y": 2}
