"""A text is read in sentences, with what it takes out of question apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.vocab.pieces import MOST_PIECES, pieces_of
from tests.helpers.strategies import QUICK, sentences


def told(text: str) -> list[str]:
    return [text[p.start : p.end] for p in pieces_of(text) if not p.excluded]


def apart(text: str) -> list[str]:
    return [text[p.start : p.end] for p in pieces_of(text) if p.excluded]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", []),
        (" \n ", []),
        ("?!", []),
        ("The disk is full", ["The disk is full"]),
        ("The disk is full. Logins fail.", ["The disk is full.", "Logins fail."]),
        ("a line\nanother line", ["a line", "another line"]),
        ("version 1.2.3 of v2", ["version 1.2.3 of v2"]),
        ("디스크가 찼다. 로그인이 안 된다.", ["디스크가 찼다.", "로그인이 안 된다."]),
        ("It failed; then it hung, twice", ["It failed; then it hung, twice"]),
        ('He said "stop." And left.', ['He said "stop.', "And left."]),
    ],
)
def test_sentences_and_lines(text: str, wanted: list[str]) -> None:
    assert told(text) == wanted
    assert apart(text) == []


@pytest.mark.parametrize(
    ("text", "affirmed", "denied"),
    [
        (
            "We ruled out an expired certificate; the DNS record was wrong",
            ["the DNS record was wrong"],
            ["We ruled out an expired certificate;"],
        ),
        (
            "neither OOM nor a link failure, but the disk had no space left",
            ["but the disk had no space left"],
            ["neither OOM nor a link failure,"],
        ),
        ("The network was not the cause.", [], ["The network was not the cause."]),
        (
            "인증서는 원인이 아니었다. 설정이 틀렸다.",
            ["설정이 틀렸다."],
            ["인증서는 원인이 아니었다."],
        ),
        (
            "네트워크는 배제했지만 디스크가 찼다",
            ["디스크가 찼다"],
            ["네트워크는 배제했지만"],
        ),
    ],
)
def test_what_is_excluded_is_a_piece_of_its_own(
    text: str, affirmed: list[str], denied: list[str]
) -> None:
    assert told(text) == affirmed
    assert apart(text) == denied


def test_clauses_that_say_alike_stay_together() -> None:
    text = "The queue grew, the disk filled, but it was not the cause of the crash"
    assert told(text) == ["The queue grew, the disk filled,"]


def test_lists_of_checks_are_left_out() -> None:
    text = "Health checks: ECC errors, link down, disk full.\nThe job hung."
    assert told(text) == ["The job hung."]


def test_long_texts_are_read_from_the_beginning_to_the_end() -> None:
    text = " ".join(f"Sentence {i} of the log." for i in range(500))
    found = told(text)
    assert len(found) == MOST_PIECES
    assert found[0] == "Sentence 0 of the log."
    assert found[-1] == "Sentence 499 of the log."


def test_a_text_without_an_end_of_sentence_is_cut() -> None:
    text = "word " * 1000
    assert len(told(text)) > 5
    assert all(len(piece) <= 400 for piece in told(text))


def test_a_text_without_spaces_is_cut_as_well() -> None:
    assert all(len(piece) <= 400 for piece in told("가" * 3000))


texts = st.lists(st.one_of(sentences, st.text(max_size=30)), max_size=8).map(". ".join)


@QUICK
@given(texts)
def test_pieces_lie_in_the_text_in_order_and_apart(text: str) -> None:
    pieces = pieces_of(text)
    at = 0
    for piece in pieces:
        assert at <= piece.start < piece.end <= len(text)
        assert any(c.isalnum() for c in text[piece.start : piece.end])
        at = piece.end
    assert len(pieces) <= MOST_PIECES


@QUICK
@given(texts)
def test_no_letter_is_lost_from_a_short_plain_text(text: str) -> None:
    pieces = pieces_of(text)
    if len(pieces) < MOST_PIECES and "heck" not in text and "점검" not in text:
        kept = "".join(text[p.start : p.end] for p in pieces)
        assert [c for c in kept if c.isalnum()] == [c for c in text if c.isalnum()]
