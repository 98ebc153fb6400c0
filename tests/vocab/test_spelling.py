"""When two spellings are the same, and when they only look it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.vocab.spelling import PARTICLES, normal, strip_particle, words
from tests.helpers.strategies import QUICK


@pytest.mark.parametrize(
    "spellings",
    [
        ("all_reduce", "all-reduce", "All Reduce", "ALL.REDUCE", "all/reduce", " all  reduce "),
        ("Ｎｃｃｌ", "NCCL", "nccl"),
        ("NCCL 타임아웃", "nccl-타임아웃", "NCCL타임아웃"),
        ("1024*14", "1024 14"),
        ("µs", "μs"),
        ("Straße", "STRASSE"),
        ("caf\u00e9", "cafe\u0301"),
        ("멈춤", "\u1106\u1165\u11b7\u110e\u116e\u11b7"),
    ],
)
def test_case_width_and_separators_never_count(spellings: tuple[str, ...]) -> None:
    assert len({normal(s) for s in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A100", "H100"),
        ("NCCL", "NCCLX"),
        ("Xid 79", "Xid 7"),
        ("link down", "linkdown"),
        ("a b", "b a"),
    ],
)
def test_other_words_stay_other_words(one: str, other: str) -> None:
    assert normal(one) != normal(other)


@pytest.mark.parametrize("text", ["", " ", "–", "...", "_-/", "\n\t"])
def test_text_without_letters_has_no_words(text: str) -> None:
    assert normal(text) == ()


def test_a_change_of_script_ends_a_word() -> None:
    assert normal("H100노드") == ("h100", "노드")
    assert normal("日本語テスト한국") == ("日本語テスト", "한국")


@pytest.mark.parametrize("text", ["NCCL이", "NCCL에서는", "NCCL을", "NCCL은", "NCCL로"])
def test_a_particle_glued_to_a_latin_word_is_dropped(text: str) -> None:
    assert normal(text) == ("nccl",)


def test_a_particle_after_a_space_is_a_word() -> None:
    assert normal("NCCL 이") == ("nccl", "이")


def test_a_noun_glued_to_a_latin_word_stays() -> None:
    assert normal("NCCL오류") == ("nccl", "오류")


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("네트워크는", "네트워크"),
        ("서버에서는", "서버"),
        ("타임아웃이", "타임아웃"),
        ("하드웨어의", "하드웨어"),
        ("노드가", "노드"),
        ("나이", "나이"),
        ("이", "이"),
        ("nccl", "nccl"),
        ("", ""),
    ],
)
def test_a_particle_is_taken_off_only_when_a_word_is_left(word: str, stem: str) -> None:
    assert strip_particle(word) == stem


def test_longer_particles_are_tried_first() -> None:
    lengths = [len(p) for p in PARTICLES]
    assert lengths == sorted(lengths, reverse=True)
    assert len(set(PARTICLES)) == len(PARTICLES)


def test_words_keep_form_stem_and_place() -> None:
    found = words("The NCCL이 네트워크는")
    assert [(w.form, w.stem, w.start, w.end) for w in found] == [
        ("the", "the", 0, 3),
        ("nccl", "nccl", 4, 8),
        ("네트워크는", "네트워크", 10, 15),
    ]


@QUICK
@given(st.text(max_size=60))
def test_places_are_true_for_any_text(text: str) -> None:
    found = words(text)
    for word in found:
        assert 0 <= word.start < word.end <= len(text)
        assert normal(text[word.start : word.end])[0] == word.form
    for left, right in pairwise(found):
        assert left.end <= right.start


@QUICK
@given(
    st.text("abAB09", min_size=1, max_size=8), st.sampled_from("-_ ./"), st.text("xyXY", min_size=1)
)
def test_any_separator_is_as_good_as_another(left: str, sign: str, right: str) -> None:
    assert normal(left + sign + right) == normal(f"{left} {right}".upper())


@QUICK
@given(st.text("가나다", min_size=1, max_size=6), st.sampled_from(PARTICLES))
def test_stripping_takes_off_one_particle_or_nothing(noun: str, particle: str) -> None:
    stem = strip_particle(noun + particle)
    assert (noun + particle).startswith(stem)
    assert noun + particle == stem or (noun + particle)[len(stem) :] in PARTICLES
    assert len(stem) >= min(2, len(noun + particle))
