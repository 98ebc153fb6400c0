"""The closed lists of words."""

from __future__ import annotations

import unicodedata

import pytest

from embeddings.tokens import stem, tokenize
from embeddings.word_lists import KEPT_WHOLE, PARTICLES, STOP_WORDS


def test_lists_are_in_the_form_that_tokenize_compares() -> None:
    for word in [*STOP_WORDS, *PARTICLES, *KEPT_WHOLE]:
        assert word == unicodedata.normalize("NFKC", word).lower()
        assert " " not in word


def test_particles_are_hangul_of_at_most_four_syllables() -> None:
    assert all(0 < len(p) <= 4 and all("가" <= c <= "힣" for c in p) for p in PARTICLES)


@pytest.mark.parametrize("particle", sorted(PARTICLES))
def test_every_particle_is_cut_from_a_noun_and_dropped_after_latin(particle: str) -> None:
    assert tokenize(f"클러스터{particle}")[0] in {"클러스터", f"클러스터{particle[:-1]}"}
    assert tokenize(f"GPU{particle}") == ["gpu"]


@pytest.mark.parametrize("word", KEPT_WHOLE)
def test_words_kept_whole_need_keeping(word: str) -> None:
    """Each ends like a particle, or is too short to be cut anyway as part of a compound."""
    assert tokenize(word)[0] == word
    assert tokenize(f"부분{word}")[0] == f"부분{word}"


@pytest.mark.parametrize("word", ["gpu", "nccl", "timeout", "failure", "down", "error"])
def test_words_that_say_something_are_no_stop_words(word: str) -> None:
    assert word not in STOP_WORDS
    assert tokenize(word) == [stem(word)]
