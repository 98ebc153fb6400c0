"""Where long texts are cut."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings.passages import Span, split_passages, words

ENGLISH = (
    "The job stopped at step 1200, e.g. because the leaf switch rebooted. We saw the timeout on 54 "
    "ranks. The on-call engineer restarted the job. It failed again. After 3.5 hours the vendor "
    "confirmed a firmware bug, and the fabric was drained; version 2.4.1 was installed on all "
    "switches in the pod. Nothing else was changed."
)
KOREAN = (
    "훈련 중에 노드가 멈추고 통신이 끊겼다. 원인은 스위치 펌웨어 오류였다. "
    "운영자가 노드를 격리하고 작업을 재시작했다. 이후 동일한 증상은 나타나지 않았다. "
    "재발 방지를 위해 스위치 펌웨어를 갱신하고 모니터링 항목을 추가했다. 담당자는 결과를 공유했다."
)
CHINESE = "训练任务在第一千二百步停止。原因是叶交换机重启，通信超时。工程师重启了任务。" * 6


def parts(text: str, **sizes: float) -> list[str]:
    return [text[start:end] for start, end in split_passages(text, **sizes)]


TEXTS = st.text(
    st.sampled_from("ab가노。，.!?,;:`\n -1/訓練カ\u3000\t\"')") | st.characters(codec="utf-8"),
    max_size=300,
)


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.integers(1, 12), st.integers(0, 12))
def test_spans_cover_everything_in_order_without_overlap(text: str, low: int, more: int) -> None:
    spans = split_passages(text, low, low + more)
    covered = "".join(text[start:end] for start, end in spans)
    assert re.sub(r"\s+", "", covered) == re.sub(r"\s+", "", text)
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        at = end


@settings(deadline=None)
@given(TEXTS)
def test_no_passage_holds_a_paragraph_break(text: str) -> None:
    assert not [part for part in parts(text) if re.search(r"\n[^\S\n]*\n", part)]


@settings(deadline=None)
@given(st.lists(st.sampled_from(["word", "노드가", "end.", "and,", "训"]), max_size=300))
def test_no_passage_is_far_too_long(tokens: list[str]) -> None:
    text = " ".join(tokens)
    assert all(words(part) <= 1.5 * 45 + 1e-9 for part in parts(text))


@pytest.mark.parametrize("text", [ENGLISH, KOREAN, CHINESE], ids=["en", "ko", "zh"])
def test_passages_have_the_wanted_size_and_end_with_sentences(text: str) -> None:
    found = parts(text)
    assert len(found) >= 2
    for part in found:
        assert part.endswith((".", "。"))
        assert 20 <= words(part) <= 50


def test_korean_words_weigh_more_and_ideographs_less() -> None:
    assert words("one two three") == 3
    assert words("노드가 멈췄다") == pytest.approx(3.2)
    assert words("训练任务") == pytest.approx(2.4)
    assert words("x" * 120) == 10


@pytest.mark.parametrize(
    "kept",
    [
        "e.g. the switch",
        "i.e. The second",
        "Fig. 3 shows",
        "Dr. Kim said",
        "No. 7 failed",
        "3.5 hours",
        "version 2.4.1 of",
        "`a b. C d. E`",
        "https://example.org/a.b?c=d. Then",
    ],
)
def test_no_cut_inside(kept: str) -> None:
    """The phrase stands where a cut would be due; it must come out in one piece."""
    for before in range(3, 9):
        text = " ".join(["word"] * before) + f" {kept} " + " ".join(["word"] * 8) + "."
        phrase = kept.removesuffix(" Then")
        assert any(phrase in part for part in parts(text, low=6, high=14)), (before, parts(text))


def test_paragraphs_are_never_joined() -> None:
    assert parts("Lessons.\n\nMonitor the links.\n \nEnd.") == [
        "Lessons.",
        "Monitor the links.",
        "End.",
    ]


def test_short_sentences_of_one_paragraph_are_joined() -> None:
    text = "It failed. We waited. It failed again. Then it worked."
    assert split_passages(text) == [Span(0, len(text))]


def test_a_list_is_cut_between_its_items() -> None:
    items = [f"- item {n} " + "and some more words here " * 3 for n in range(6)]
    text = "\n".join(item.strip() for item in items)
    assert all(part.startswith("- item") for part in parts(text))


def test_a_somewhat_long_sentence_stays_whole_and_a_very_long_one_does_not() -> None:
    assert len(parts("word " * 54 + "end.")) == 1
    assert len(parts("word " * 119 + "end.")) >= 2
    long = "word " * 34 + "comma, " + "word " * 34 + "end."
    assert parts(long)[0].endswith("comma,")


@pytest.mark.parametrize("text", ["", " ", "\n\n\n"])
def test_nothing_gives_nothing(text: str) -> None:
    assert split_passages(text) == []


def test_the_same_text_is_cut_the_same_way() -> None:
    assert split_passages(ENGLISH) == split_passages(ENGLISH)
    assert split_passages("\n\n" + ENGLISH) == [
        Span(a + 2, b + 2) for a, b in split_passages(ENGLISH)
    ]


@pytest.mark.parametrize(("low", "high"), [(0, 5), (-1, 5), (6, 5)])
def test_bad_sizes_are_refused(low: int, high: int) -> None:
    with pytest.raises(ValueError, match="low"):
        split_passages("x", low, high)
