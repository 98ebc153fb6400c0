"""An answer is split into sentences: not at decimals, versions or file names, never too seldom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.rca.sentences import Part, cited_in, plain_words, sentences


def texts(answer: str) -> list[str]:
    return [s.text for s in sentences(answer)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The gap was 0.17% of 1.5 epochs [1].",
        "NCCL 2.4.1 and v1.26.3 hung in train.py at torch/distributed/c10d.py:1191 [2].",
        "It ran on 10.0.0.1 at 10:32 on 2024-03-01 [3].",
        "Some ranks, e.g. rank 3, left early, i.e. before the barrier, cf. Fig. 2 [1].",
        "Set `NCCL_DEBUG=INFO. Then go.` in the job [2].",
        "스텝마다 1.5배 느려졌고 v2.4.1에서 고쳐졌다 [3].",
        "It stopped... at step 3,850 [1]."[:2] + " stopped at step 3,850 of 3,857 [1].",
        "See https://example.org/a.b?c=d for more [1].",
    ],
)
def test_one_sentence_stays_one(sentence: str) -> None:
    assert texts(sentence) == [sentence]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It hung [1]. It came back [2].", ["It hung [1].", "It came back [2]."]),
        ("It hung. [1] It came back. [2][3]", ["It hung. [1]", "It came back. [2][3]"]),
        ("It hung! Did it? Yes.", ["It hung!", "Did it?", "Yes."]),
        ('He said "it hung." Then it did.', ['He said "it hung."', "Then it did."]),
        ("멈췄다. 다시 돌았다[2].", ["멈췄다.", "다시 돌았다[2]."]),
        ("멈췄다.[1] 다시 돌았다.", ["멈췄다.[1]", "다시 돌았다."]),
        ("멈췄다.다시 돌았다.", ["멈췄다.", "다시 돌았다."]),
        ("멈췄습니다。再起動した。", ["멈췄습니다。", "再起動した。"]),
        ("It was rank A. Then B.", ["It was rank A.", "Then B."]),
        ("one line [1]\ngoes on here [2].", ["one line [1]\ngoes on here [2]."]),
        ("first\n\nsecond", ["first", "second"]),
    ],
)
def test_sentences_end_where_they_end(answer: str, expected: list[str]) -> None:
    assert texts(answer) == expected


def test_list_items_and_quotes_stand_alone() -> None:
    answer = "- one [1]\n- two\n  goes on. Three.\n1. four\n2) five\n* six\n> seven"
    assert texts(answer) == ["one [1]", "two\n  goes on.", "Three.", "four", "five", "six", "seven"]


def test_headings_tables_and_rules() -> None:
    answer = (
        "# Cause\n**What to check**\nUnder\n-----\n\n| tool | result |\n|---|:--|\n"
        "| dmesg | no OOM [1] |\n***\ntext"
    )
    pieces = sentences(answer)
    assert [(s.part, s.bare) for s in pieces] == [
        (Part.HEADING, "Cause"),
        (Part.HEADING, "What to check"),
        (Part.HEADING, "Under"),
        (Part.HEADING, "tool | result"),
        (Part.SENTENCE, "dmesg | no OOM"),
        (Part.SENTENCE, "text"),
    ]


@pytest.mark.parametrize("fence", ["```", "~~~~", "```bash"])
def test_a_code_block_is_one_piece(fence: str) -> None:
    close = fence.removesuffix("bash")
    answer = f"Run it [1].\n{fence}\nls. -l\n\nrm x. Then.\n{close}\nDone [2]."
    pieces = sentences(answer)
    assert [s.part for s in pieces] == [Part.SENTENCE, Part.CODE, Part.SENTENCE]
    assert pieces[1].text == "ls. -l\n\nrm x. Then.\n"


def test_a_code_block_that_never_closes_runs_to_the_end() -> None:
    pieces = sentences("Run it [1].\n```\nls\nmore")
    assert pieces[-1].part is Part.CODE
    assert pieces[-1].text == "ls\nmore"
    assert [s.part for s in sentences("```\n```\nx")] == [Part.SENTENCE]


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("a [1] b [23]", (1, 23)),
        ("a [1, 2; 4]", (1, 2, 4)),
        ("a [2-4] [7–8]", (2, 3, 4, 7, 8)),
        ("a [3][3]", (3,)),
        ("a【5】 ［6］", (5, 6)),
        ("a `x[1]` b", ()),
        ("a [1](http://x) [b] [^2] [x1]", ()),
        ("a [1-9999]", (1, 9999)),
        ("a[0]", (0,)),
    ],
)
def test_citations_are_read(text: str, cited: tuple[int, ...]) -> None:
    assert cited_in(text) == cited


def test_bare_words_have_no_signs_of_markdown() -> None:
    assert plain_words("- **It** _hung_ at `a[1]` [1, 2] again") == "It hung at `a[1]` again"
    assert plain_words("snake_case stays") == "snake_case stays"


@given(st.text(alphabet="ab.가다!? \n[1]`#-|", max_size=60))
def test_no_word_is_lost_and_places_are_true(answer: str) -> None:
    pieces = sentences(answer)
    for s in pieces:
        assert answer[s.start : s.end] == s.text
    assert [s.start for s in pieces] == sorted(s.start for s in pieces)
    covered = {i for s in pieces for i in range(s.start, s.end)}
    lines = [line for line in answer.split("\n") if set("ab가다") & set(line)]
    lost = [i for i, c in enumerate(answer) if c in "ab가다" and i not in covered]
    # Only what stands behind an opening fence (the language of the code) is no text.
    assert not lost or any(line.lstrip().startswith("```") for line in lines)
