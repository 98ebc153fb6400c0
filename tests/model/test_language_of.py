"""In which language a writer is answered."""

from __future__ import annotations

import unicodedata

import pytest

from kg.model.text import language_of


@pytest.mark.parametrize("text", ["학습이 멈췄다", "NCCL 타임아웃", "ㅠㅠ", "GPU가"])
def test_hangul_is_hangul_in_either_form(text: str) -> None:
    assert language_of(text) == "ko"
    assert language_of(unicodedata.normalize("NFD", text)) == "ko"


@pytest.mark.parametrize("text", ["", "NCCL timeout", "训练卡住", "学習が止まる", "ñandú"])
def test_without_hangul_it_is_english(text: str) -> None:
    assert language_of(text) == "en"
