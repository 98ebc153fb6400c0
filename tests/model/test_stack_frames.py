"""Stack frames: the forms in which incident texts show them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Frame, parse_frame


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("`train (megatron/training.py:915)`에 서 있었고", ("megatron/training.py", 915, "train")),
        ('  File "main.py", line 12, in <module>', ("main.py", 12, "<module>")),
        ('File "a/b.py", line 3', ("a/b.py", 3, None)),
        ("deepspeed/runtime/pipe/engine.py:540", ("deepspeed/runtime/pipe/engine.py", 540, None)),
        ("engine.py:540 _aggregate_total_loss", ("engine.py", 540, "_aggregate_total_loss")),
        ("src/main.rs:7 then run (x.py:1)", ("src/main.rs", 7, "then")),
    ],
)
def test_the_first_frame_is_read(text: str, frame: tuple[str, int, str | None]) -> None:
    file, line, function = frame
    assert parse_frame(text) == Frame(file=file, line=line, function=function)


@pytest.mark.parametrize("text", ["", "no frame here", "at 12:30 it hung", "v2.13: 5 nodes"])
def test_other_text_has_none(text: str) -> None:
    assert parse_frame(text) is None


@given(
    file=st.from_regex(r"[a-z]{1,8}(/[a-z_]{1,8}){0,3}\.(py|cc|rs)", fullmatch=True),
    line=st.integers(1, 99_999),
    function=st.from_regex(r"[a-z_][a-z_0-9]{0,12}", fullmatch=True),
)
def test_what_py_spy_writes_is_read_back(file: str, line: int, function: str) -> None:
    assert parse_frame(f"x {function} ({file}:{line}) y") == Frame(
        file=file, line=line, function=function
    )
