"""The language of a text by its script, where a set does not say it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.evaluate.languages import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The switch rebooted.", "en"),
        ("Der Knoten fällt aus.", "en"),
        ("스위치가 재부팅되었다.", "ko"),
        ("NCCL_IB_TIMEOUT 값을 바꾼 뒤 통신이 멈췄다", "ko"),
        ("节点停止响应", "zh"),
        ("训练任务在 step 1200 卡住了", "zh"),
        ("ノードが応答しない", "ja"),
        ("再起動した", "ja"),  # more ideographs than kana: kana decide
        ("узел не отвечает", "ru"),
        ("", "en"),
        ("12 34 -- ?", "en"),
        ("一", "zh"),
    ],
)
def test_by_script(text: str, language: str) -> None:
    assert language_of(text) == language


def test_a_foreign_word_does_not_make_the_language() -> None:
    english = "The job named 학습 stopped after the switch between the racks had been replaced."
    assert language_of(english) == "en"
    assert language_of("학습 stopped") == "ko"


@pytest.mark.parametrize("korean", range(0, 101, 5))
def test_the_share_decides(korean: int) -> None:
    text = "가" * korean + "a" * (100 - korean)
    assert language_of(text) == ("ko" if korean >= 15 else "en")


@given(st.text(max_size=40))
def test_any_text_has_one_and_signs_do_not_count(text: str) -> None:
    found = language_of(text)
    assert found in {"en", "ko", "ja", "zh", "ru"}
    assert language_of(text + " 123 ... \n\t _") == found
    assert language_of(text * 3) == found
