"""Korean particles fit the sound before them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.queries.korean import josa
from tests.helpers.strategies import QUICK


@pytest.mark.parametrize(
    ("word", "pair", "wanted"),
    [
        ("노드", "은/는", "노드는"), ("결함", "은/는", "결함은"), ("결함", "이/가", "결함이"),
        ("서버", "과/와", "서버와"), ("재시작", "과/와", "재시작과"), ("서울", "으로/로", "서울로"),
        ("부산", "으로/로", "부산으로"), ("노드", "으로/로", "노드로"),
        ("IL-0480", "은/는", "IL-0480은"), ("IL-0023", "은/는", "IL-0023은"),
        ("IL-2", "은/는", "IL-2는"),
        ("IL-1", "으로/로", "IL-1로"), ("IL-3", "으로/로", "IL-3으로"), ("IL-7", "을/를", "IL-7을"),
        ("IL-4", "을/를", "IL-4를"), ("NCCL", "이/가", "NCCL이"), ("NCCL", "으로/로", "NCCL로"),
        ("GPU", "을/를", "GPU를"), ("VPN", "이/가", "VPN이"), ("OOM", "으로/로", "OOM으로"),
        ("Docker", "이/가", "Docker가"), ("reduce_scatter", "과/와", "reduce_scatter와"),
        ("DNR", "이/가", "DNR이"),
        ("노드(A)", "은/는", "노드(A)는"), ("결함.", "은/는", "결함.은"),
        ("", "은/는", "는"), ("!!", "은/는", "!!는"),
        ("장애", "이라는/라는", "장애라는"), ("결함", "이라는/라는", "결함이라는"),
    ],
)  # fmt: skip
def test_particles_fit_the_sound_before_them(word: str, pair: str, wanted: str) -> None:
    assert josa(word, pair) == wanted


@QUICK
@given(st.text(max_size=8), st.sampled_from(["은/는", "이/가", "을/를", "과/와", "으로/로"]))
def test_any_word_takes_one_particle_of_the_pair(word: str, pair: str) -> None:
    assert josa(word, pair) in {word + p for p in pair.split("/")}
