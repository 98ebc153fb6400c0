"""Figures in one measure, whatever the language and the unit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.rca.figures import amounts
from kg.rca.figures import given as stored


def read(text: str) -> list[tuple[float, str]]:
    return [(a.value, a.unit) for a in amounts(text)]


@pytest.mark.parametrize(
    "same",
    [
        ["3 hours", "3h", "three hours", "3시간", "세 시간", "180 minutes", "180분", "10,800 s"],
        ["100%", "100 %", "100 percent", "100퍼센트"],
        ["190 W", "190W", "0.19 kW", "190와트"],
        ["2 GB", "2GB", "2,000 MB"],
        ["1 GiB", "1024 MiB"],
        ["53k tok/s", "53,000 tokens/s"],
        ["90 minutes", "1 h 30 min", "1시간 30분", "1 hour and 30 minutes", "1.5 hours"],
        ["5 million", "5,000,000", "500만"],
        ["3배", "3x"],
        ["15", "fifteen"],
    ],
)
def test_one_amount_in_many_ways(same: list[str]) -> None:
    first, *others = (amounts(text) for text in same)
    assert len(first) == 1
    for text, other in zip(same[1:], others, strict=True):
        assert len(other) == 1, text
        assert first[0].equals(other[0]), text


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("3 hours", "4 hours"), ("190 W", "190 ms"), ("15", "15%"), ("100", "100.5"),
        ("2 GB", "2 GiB"), ("3,850", "3,857"), ("3 h 10 min", "3 h"), ("1.5 h", "1.6 h"),
    ],
)  # fmt: skip
def test_other_amounts_are_others(a: str, b: str) -> None:
    (x,), (y,) = amounts(a), amounts(b)
    assert not x.equals(y)
    assert not y.equals(x)


@pytest.mark.parametrize(
    "text",
    ["A100", "H100s", "NCCL 2.4.1", "10:32", "2024-03-01", "176B", "1024*14", "16x4", "v1.26",
     "IL-0480", "sm_90", "세계", "rank3"],
)  # fmt: skip
def test_the_digits_of_a_name_are_no_figure(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10 to 20 minutes", [(600.0, "s"), (1200.0, "s")]),
        ("10–20분", [(600.0, "s"), (1200.0, "s")]),
        ("320 to 384 GPUs", [(320.0, ""), (384.0, "")]),
        ("step 3,850 of 3,857", [(3850.0, ""), (3857.0, "")]),
        ("GPU 16장, 랭크 3개", [(16.0, ""), (3.0, "")]),
        ("16-GPU job", [(16.0, "")]),
        ("0.17% in 1.5 epochs.", [(0.17, "%"), (1.5, "")]),
        ("at 100.", [(100.0, "")]),
        ("2 h, 3 min", [(7380.0, "s")]),
        ("nothing", []),
    ],
)
def test_figures_are_read_in_running_text(text: str, found: list[tuple[float, str]]) -> None:
    assert read(text) == found


def test_places_are_true() -> None:
    text = "After three hours at 190 W, 10 to 20 min more."
    assert [text[a.start : a.end] for a in amounts(text)] == [a.text for a in amounts(text)] == [
        "three hours", "190 W", "10", "20 min",
    ]  # fmt: skip


def test_stored_figures_are_in_the_same_measure() -> None:
    found = stored([(10800.0, "s"), (0.17, "%"), (16.0, "GPU"), (2.0, "GB")])
    assert [(a.value, a.unit) for a in found] == [
        (10800.0, "s"), (0.17, "%"), (16.0, ""), (2e9, "byte"),
    ]  # fmt: skip
    assert amounts("3시간")[0].equals(found[0])


@given(st.integers(0, 10**6), st.sampled_from(["s", "분", "hours", "%", "W", "MB", ""]))
def test_what_is_written_is_read(number: int, unit: str) -> None:
    for text in (f"{number} {unit}".strip(), f"took {number:,} {unit}, then"):
        (one,) = amounts(text)
        (other,) = amounts(f"{number} {unit}".strip())
        assert one.equals(other)


@given(st.text(alphabet="0123456789.,%a가hms -", max_size=30))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for a in amounts(text):
        assert text[a.start : a.end] == a.text
