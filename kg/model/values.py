"""Times, durations and figures, each with its precision and whether the source says "about"."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from kg.model.text import Lang, Record, Text, quoted

_UNITS = {
    "ms": 0.001, "millisecond": 0.001, "밀리초": 0.001,
    "s": 1, "sec": 1, "second": 1, "초": 1,
    "m": 60, "min": 60, "minute": 60, "분": 60,
    "h": 3600, "hr": 3600, "hour": 3600, "시간": 3600,
    "d": 86400, "day": 86400, "일": 86400,
    "w": 604800, "wk": 604800, "week": 604800, "주": 604800,
}  # fmt: skip
_NUMBER = r"(?<![\d.,])(\d[\d,]*(?:\.\d+)?)"
_PART = re.compile(_NUMBER + r"\s*-?\s*([a-z]+|밀리초|초|분|시간|일|주)(?:일|간)?", re.I)
_ABOUT = re.compile(r"(?:\babout\b|\bapprox\w*\b|\baround\b|\broughly\b|~|약\s|대략|쯤|정도)", re.I)


class DateKind(StrEnum):
    """What happened at a time."""

    PUBLISHED = "published"
    STARTED = "started"
    DETECTED = "detected"
    MITIGATED = "mitigated"
    ENDED = "ended"


class Precision(StrEnum):
    """How exactly a time is known."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    MINUTE = "minute"
    SECOND = "second"


_SHAPES = {
    Precision.YEAR: re.compile(r"^\d{4}$"),
    Precision.MONTH: re.compile(r"^\d{4}-\d{2}$"),
    Precision.DAY: re.compile(r"^\d{4}-\d{2}-\d{2}$"),
    Precision.MINUTE: re.compile(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})?$"),
    Precision.SECOND: re.compile(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})?$"),
}


class When(Record):
    """A time with its kind.

    `at` is ISO 8601 cut to what is known: `2022`, `2022-03`, `2022-03-04`, `2022-03-04T10:00Z`;
    its precision follows from its length.
    """

    kind: DateKind
    at: str
    approx: bool = False

    @model_validator(mode="after")
    def _possible(self) -> When:
        self.earliest()
        return self

    @property
    def precision(self) -> Precision:
        """How exactly the time is known.

        Raises:
            ValueError: `at` is none of the accepted forms.
        """
        for precision, shape in _SHAPES.items():
            if shape.match(self.at):
                return precision
        raise ValueError(
            f"{quoted(self.at)} is not a date; "
            "write it like 2022, 2022-03, 2022-03-04 or 2022-03-04T10:00Z"
        )

    def earliest(self) -> date:
        """The first day that the time can mean; lists are sorted by it.

        Raises:
            ValueError: there is no such time.
        """
        padded = {Precision.YEAR: "-01-01", Precision.MONTH: "-01"}.get(self.precision, "")
        try:
            return datetime.fromisoformat((self.at + padded).replace("Z", "+00:00")).date()
        except ValueError as error:
            raise ValueError(
                f"{quoted(self.at)} is not in the calendar; check month, day and time"
            ) from error


class Duration(Record):
    """A length of time in seconds, with the words of the source and whether it said "about"."""

    seconds: Annotated[float, Field(ge=0)]
    text: str | None = None
    approx: bool = False


def parse_duration(text: str) -> Duration | None:
    """Read a duration written in English or Korean: `3h`, `2 h 15 min`, `7시간`, `약 7초`, `54일`.

    Returns None when the text holds no duration. Parts are added up; `approx` is set by
    words such as "about", "~" or "약".
    """
    total, found = 0.0, False
    for number, unit in _PART.findall(text):
        key = unit.lower()
        factor = _UNITS.get(key) or _UNITS.get(key.removesuffix("s"))
        if factor is not None:
            total += float(number.replace(",", "")) * factor
            found = True
    approx = _ABOUT.search(text + " ") is not None
    return Duration(seconds=total, text=text.strip(), approx=approx) if found else None


class Span(Record):
    """Where in the stored text of a case something is said.

    `field` is a prose field of the case, `lang` the language of that text, `quote` its exact
    words. `start` and `end` count characters of the joined text (end excluded). In files
    they may be left out: then the first place where the quote stands is meant.
    """

    field: str
    lang: Lang
    quote: Annotated[str, Field(min_length=1)]
    start: Annotated[int, Field(ge=0)] | None = None
    end: Annotated[int, Field(ge=0)] | None = None


class Figure(Record):
    """A number that the case states: a value, or a range from `min` to `max`, with its unit.

    `label` says what is measured, `of` what a share or ratio refers to. `decimals` follows
    from how the number is written and gives the tolerance of arithmetic checks.
    """

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    label: Text
    value: float | None = None
    min: float | None = None
    max: float | None = None
    unit: str
    of: Text | None = None
    approx: bool = False
    evidence: Annotated[tuple[Span, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _value_or_range(self) -> Figure:
        bounds = (self.min, self.max)
        if (self.value is None) == (bounds == (None, None)):
            raise ValueError(
                "a figure has either a value or a range; give value, or min or max or both"
            )
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min:.10g} is above max {self.max:.10g}; swap them")
        return self

    @property
    def tolerance(self) -> float:
        """Half a unit of the last written digit."""
        digits = f"{self.value:.10f}".rstrip("0").partition(".")[2] if self.value else ""
        return float(0.5 * 10 ** -len(digits))


_OPERATORS: dict[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class _NotArithmetic(ValueError):
    """A statement that cannot be reckoned, in words of our own."""


def arithmetic_error(statement: str, values: Mapping[str, Figure]) -> str | None:
    """Check a statement such as `total = unexpected + planned` over figures by id.

    Only names, numbers and + - * / are read; nothing is executed. Returns None when it holds
    within the rounding of the left side (half of its last written digit), else what is wrong
    and, after a semicolon, what to do.
    """
    left, sign, right = statement.partition("=")
    name, said = left.strip(), quoted(statement)
    if not sign or name not in values or values[name].value is None:
        return (
            f"{said}: the left side must be the id of a figure with a value; "
            "write it like total = first + second"
        )
    try:
        computed = _evaluate(ast.parse(right.strip(), mode="eval").body, values)
    except _NotArithmetic as error:
        return f"{said}: {error}"
    except ZeroDivisionError:
        return f"{said}: the right side divides by zero; correct the divisor"
    except OverflowError:
        return f"{said}: a number on the right side is too large; write a smaller one"
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return f"{said}: the right side cannot be read; write only figures, numbers and + - * /"
    stated = values[name].value or 0.0
    if not abs(computed - stated) <= values[name].tolerance + 1e-9:  # NaN is never right
        return (
            f"{said}: the right side is {computed:.10g}, but {name} is {stated:.10g}; "
            "correct the statement or the figures"
        )
    return None


def _evaluate(node: ast.AST, values: Mapping[str, Figure]) -> float:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _evaluate(node.left, values), _evaluate(node.right, values)
        return _OPERATORS[type(node.op)](left, right)
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(node, ast.Name):
        figure = values.get(node.id)
        if figure is None or figure.value is None:
            raise _NotArithmetic(
                f"there is no figure {quoted(node.id)} with a value; add it to figures"
            )
        return figure.value
    raise _NotArithmetic(
        "only figures, numbers and + - * / are allowed; write the right side with these"
    )
