"""Numbers of a case keep all of their digits: none is rounded or written with an exponent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.library import Library
from kg.model.html import table
from kg.server.pages.case import case_page
from kg.server.pages.compare import compare_page
from kg.server.pages.names import number_text
from tests.helpers.tiny import make_case, tiny_vocabulary

SHOWN = [
    (0.0, "0"),
    (7.0, "7"),
    (30_888.0, "30,888"),
    (466_119_168.0, "466,119,168"),
    (1_234_567.25, "1,234,567.25"),
    (0.17, "0.17"),
    (0.0000001, "0.0000001"),
    (-12_345.5, "-12,345.5"),
    (100.0, "100"),
    (1e21, "1,000,000,000,000,000,000,000"),
]


@pytest.mark.parametrize(("number", "text"), SHOWN)
def test_a_number_is_shown_as_it_is_stated(number: float, text: str) -> None:
    assert number_text(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False, width=64))
def test_it_can_be_read_back(number: float) -> None:
    text = number_text(number)
    assert float(text.replace(",", "")) == number
    assert "e" not in text


def figure(number: float, **more: Any) -> dict[str, Any]:
    quote = {"field": "summary", "lang": "en", "quote": "Summary"}
    label = {"en": "restarts", "ko": "재시작"}
    own = {"id": "n", "label": label, "value": number, "unit": "count", "evidence": [quote]}
    return {**own, **more}


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Two cases that state large numbers of the same."""
    symptom = ("symptom", "symptom:failure")
    long = {"seconds": 46_684_160}
    made = kg.build_library(
        [
            make_case("N-1", symptom, figures=[figure(466_119_168)], time_to_recover=long),
            make_case("N-2", symptom, figures=[figure(1_601_408)], time_to_recover={"seconds": 61}),
            make_case("N-3", symptom, figures=[figure(0, value=None, min=1e7, max=2.5e7)]),
        ],
        tmp_path_factory.mktemp("counted") / "counted.duckdb",
        vocabulary=tiny_vocabulary(),
        encoder="hash",
    )
    with made as it:
        yield it


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_figures_on_the_page_of_a_case(counted: Library, lang: str) -> None:
    amounts = [case_page(counted, i, lang).figures[0].amount for i in ("N-1", "N-2", "N-3")]
    assert amounts == ["466,119,168 count", "1,601,408 count", "10,000,000–25,000,000 count"]


@pytest.mark.parametrize(("lang", "unit"), [("en", " s"), ("ko", "초")])
def test_times_on_the_page_of_a_case_and_beside_each_other(
    counted: Library, lang: str, unit: str
) -> None:
    told = [f.value for f in case_page(counted, "N-1", lang).facts]
    assert f"46,684,160{unit}" in told
    measures = compare_page(counted, "N-1", "N-2", lang).measures
    assert any(m[1:] == (f"46,684,160{unit}", f"61{unit}") for m in measures)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (4_665_600.0, "4,665,600"),
        (12_345.678, "12,346"),
        (0.123456, "0.1235"),
        (3.0, "3"),
        (1_234, "1,234"),
        (9_999.5, "10,000"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_numbers_in_tables_of_notebooks(number: float, text: str) -> None:
    assert f">{text}<" in table(("n",), [(number,)])
