"""Each of the twenty questions of docs/questions.md has one answer in SQL, SPARQL, networkx and
Python: over the shipped cases and over made-up ones, with several values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import kg
from kg.library import Library
from kg.model import Case, Duration
from kg.model.claim import Result
from kg.store import write_library
from tests.helpers.libraries import make_snapshot
from tests.helpers.random_cases import random_cases
from tests.helpers.tiny import tiny_vocabulary

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "questions.md").read_text(encoding="utf-8")
HEAD, *PARTS = re.split(r"^## ", PAGE, flags=re.MULTILINE)
WAYS = ("SQL", "SPARQL", "networkx", "Python")

Names = dict[str, Any]
Rows = list[tuple[Any, ...]]


def _blocks(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


QUESTIONS = {part.split("\n", 1)[0]: _blocks(part) for part in PARTS}

VALUES: dict[int, list[dict[str, str]]] = {
    1: [{"IL-0025": "IL-0127"}, {"IL-0023": "IL-0480", "IL-0025": "IL-0417"}],
    2: [{"checkpoint": slug} for slug in ("nccl", "gpu")],
    3: [{"aws": slug} for slug in ("bigscience", "wikimedia", "github")],
    4: [{"configuration-error": slug} for slug in ("hardware-failure", "dependency-failure")],
    5: [{"training-job-failure": slug} for slug in ("job-hang",)],
    6: [{"hardware-failure": slug} for slug in ("software-defect", "third-party-defect")],
    7: [{"dependency-failure": slug} for slug in ("hardware-failure", "race-condition")],
    10: [{"service-outage": slug} for slug in ("job-hang",)],
    11: [{"IL-0428": "IL-0417"}, {"IL-0480": "IL-0023", "IL-0428": "IL-0025"}],
    12: [{"IL-0023": "IL-0127"}, {"IL-0023": "IL-0480"}],
    13: [{"IL-0480": "IL-0023"}],
    15: [{"job-hang": slug} for slug in ("node-down", "data-loss")],
    17: [{"IL-0480": "IL-0417"}],
}
"""Other values to put in the place of those of the page, by the number of the question."""

MADE_UP = {
    "IL-0023": "R-1", "IL-0025": "R-9", "IL-0480": "R-22", "IL-0428": "R-15",
    "component:checkpoint": "component:gpu", "organization:aws": "organization:alpha",
    "cause:configuration-error": "cause:race", "cause:hardware-failure": "cause:hardware",
    "cause:dependency-failure": "cause:software", "symptom:training-job-failure": "symptom:failure",
    "symptom:service-outage": "symptom:failure", "symptom:job-hang": "symptom:failure",
}  # fmt: skip
"""What stands in their place where the cases are made up."""


def asked(blocks: list[tuple[str, str]], values: dict[str, str]) -> list[tuple[str, str]]:
    """The blocks of a question with other values."""
    if not values:
        return blocks
    known = re.compile("|".join(map(re.escape, sorted(values, key=len, reverse=True))))
    return [(lang, known.sub(lambda m: values[m.group()], text)) for lang, text in blocks]


def answers(names: Names, blocks: list[tuple[str, str]]) -> list[Rows]:
    """The answer of each of the four blocks, as sorted rows of plain values."""
    lib: Library = names["lib"]
    (_, sql), (_, sparql), (_, on_graph), (_, python) = blocks
    found = [lib.sql(sql).rows, lib.sparql(sparql).rows]
    for code in (on_graph, python):
        inner = dict(names)
        exec(compile(code, "questions.md", "exec"), inner)  # noqa: S102 - our own text
        found.append(tuple(inner["rows"]))
    return [sorted(tuple(map(_plain, row)) for row in rows) for rows in found]


def _plain(cell: Any) -> Any:
    if isinstance(cell, float | Decimal):
        return round(float(cell), 6)
    return str(cell) if isinstance(cell, str) else cell


def ready(lib: Library, folder: Path) -> Names:
    """What the head of the page leaves behind for the questions."""
    names: Names = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(kg, "open_library", lambda: lib)
        ((_, code),) = _blocks(HEAD)
        exec(compile(code, "questions.md", "exec"), names)  # noqa: S102 - our own text
    return names


@pytest.fixture(scope="module")
def shipped_names(whole: Library, tmp_path_factory: pytest.TempPathFactory) -> Names:
    return ready(whole, tmp_path_factory.mktemp("shipped"))


def made_up_cases() -> list[Case]:
    """Cases with results of mitigations, and with times of which no end is open."""
    cases = []
    for number, case in enumerate(random_cases(90, 11)):
        claims = tuple(
            c.model_copy(update={"result": (Result.FAILED, Result.WORKED)[number % 2]})
            if c.kind == "mitigation"
            else c
            for c in case.claims
        )
        time = Duration(seconds=60 * number) if number % 3 else None
        cases.append(case.model_copy(update={"claims": claims, "time_to_recover": time}))
    return cases


@pytest.fixture(scope="module")
def made_up_names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Names]:
    folder = tmp_path_factory.mktemp("made-up")
    snapshot = make_snapshot(made_up_cases(), tiny_vocabulary())
    with Library(write_library(snapshot, folder / "made-up.duckdb")) as lib:
        yield ready(lib, folder)


def test_there_are_twenty_questions_in_four_ways_each() -> None:
    assert len(QUESTIONS) == 20
    for number, (title, blocks) in enumerate(QUESTIONS.items(), 1):
        assert title.startswith(f"{number}. ")
        assert [lang for lang, _ in blocks] == ["sql", "sparql", "python", "python"]


@pytest.mark.parametrize("title", QUESTIONS)
def test_the_four_answers_are_equal(shipped_names: Names, title: str) -> None:
    first, *others = answers(shipped_names, QUESTIONS[title])
    assert first
    for way, other in zip(WAYS[1:], others, strict=True):
        assert other == first, way


@pytest.mark.parametrize("title", QUESTIONS)
def test_they_are_equal_for_other_values(shipped_names: Names, title: str) -> None:
    for values in VALUES.get(int(title.split(".")[0]), []):
        first, *others = answers(shipped_names, asked(QUESTIONS[title], values))
        assert others == [first] * 3, values


@pytest.mark.parametrize("title", QUESTIONS)
def test_they_are_equal_over_made_up_cases(made_up_names: Names, title: str) -> None:
    first, *others = answers(made_up_names, asked(QUESTIONS[title], MADE_UP))
    assert first or title.startswith("18.")
    for way, other in zip(WAYS[1:], others, strict=True):
        assert other == first, way
