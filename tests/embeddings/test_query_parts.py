"""Of a query, what is embedded: checks that need no library."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import condense, query_parts
from embeddings.query import CONDENSED, LOOKED_AT, MOST_PARTS, PART, WHOLE_QUERY

LINE = st.text(alphabet="ab c.1,#가。\t", max_size=30)
# From one line to more than any bound, without drawing every sign of it.
LONG = st.tuples(st.lists(LINE, min_size=1, max_size=8), st.integers(1, 900)).map(
    lambda t: "\n".join(f"{line} {'x' * (i % 7)}" for i, line in enumerate(t[0] * t[1]))
)


@settings(deadline=None, max_examples=60)
@given(LONG)
def test_bounds_hold_for_any_text(text: str) -> None:
    parts = query_parts(text)
    assert 1 <= len(parts) <= MOST_PARTS
    if len(text) <= WHOLE_QUERY:
        assert parts == [text]
    else:
        assert max(map(len, parts)) <= PART
    short = condense(text)
    assert len(short) <= max(CONDENSED, 0)
    assert short is text if len(text) <= CONDENSED else condense(short) == short


@settings(deadline=None, max_examples=60)
@given(LONG)
def test_parts_are_made_of_the_text_and_in_its_order(text: str) -> None:
    where = 0
    for part in query_parts(text):
        for line in part.split("\n") if len(text) > WHOLE_QUERY else [part]:
            where = text.find(line, where)
            assert where >= 0
            where += len(line)


def test_the_first_line_of_each_kind_by_a_plain_loop() -> None:
    """Kinds are told apart by all but digits here, which is the rule for such lines."""
    lines = [f"job {i} {'abc'[i % 3]} took {i * 7} ms" for i in range(3000)]
    seen, kept = set(), []
    for line in lines:
        kind = "".join(c for c in line if not c.isdigit())
        if kind not in seen:
            seen.add(kind)
            kept.append(line)
    assert condense("\n".join(lines)).splitlines() == kept
    assert "\n".join(query_parts("\n".join(lines))).splitlines() == kept


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("step 10 at 0x7f2a", "step 11 at 0xffff", True),
        ("from aa:bb:cc:dd:ee:01", "from aa:bb:cc:dd:ee:02", True),
        ("commit 4f2c91d", "commit 00aa11b", True),
        ("ranks 1, 2, 3 wait", "ranks 4, 5, 6, 7, 8 wait", True),
        ("defaced", "decade", False),  # letters only: a word, not a number
        ("error 5 (io): 12", "error 6 (io): 12", False),
        ("retry a", "retry b", False),
        ("Retry 1", "retry 1", False),
    ],
)
def test_what_makes_lines_alike(one: str, other: str, same: bool) -> None:
    filler = "\n".join(f"tick {i}" for i in range(4000))
    found = condense(f"{one}\n{other}\n{filler}").splitlines()
    assert found == ([one, "tick 0"] if same else [one, other, "tick 0"])


def test_the_middle_of_a_giant_is_not_looked_at() -> None:
    half = LOOKED_AT // 2
    text = "start\n" + "- \n" * half + "middle\n" + "- \n" * half + "end"
    assert condense(text).splitlines() == ["start", "end"]


def test_a_text_of_signs_alone_still_gives_one_part() -> None:
    assert query_parts("-" * (WHOLE_QUERY + 1)) == ["-" * PART]
    assert query_parts("=\n" * 30_000) == [("=\n" * 30_000)[:PART]]


@pytest.mark.parametrize("count", range(1, 30))
def test_parts_are_spread_from_the_first_to_the_last(count: int) -> None:
    lines = [f"{chr(97 + i)}{'x' * (PART - 20)} " for i in range(26)][:count]
    text = "\n".join(lines)
    parts = query_parts(text)
    if len(text) > WHOLE_QUERY:
        assert len(parts) == min(len(lines), MOST_PARTS)
        assert parts[0] == lines[0].strip()
        assert parts[-1] == lines[-1].strip()
        starts = [lines.index(part + " ") for part in parts]
        gaps = [b - a for a, b in pairwise(starts)]
        assert max(gaps) - min(gaps) <= 1


def test_cutting_a_query_loads_no_encoder() -> None:
    code = (
        "import embeddings.query as q, sys; q.query_parts('x' * 999); print('faiss' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
