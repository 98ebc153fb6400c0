"""The words of explanations: lengths of time, lists of names, labels, particles."""

from __future__ import annotations

import pytest

from kg.model import Duration
from kg.queries.wording import Words, capital, particle
from tests.helpers.tiny import term, tiny_vocabulary

VOCABULARY = tiny_vocabulary(
    term("symptom:dns", "names do not resolve", "이름 해석 실패"),
    term("cause:oom", "out of memory", "메모리 부족"),
    term("symptom:quiet", "no error logged", "오류 기록 없음"),
)


@pytest.mark.parametrize(
    ("seconds", "approx", "en", "ko"),
    [
        (0, False, "0 seconds", "0초"), (1, False, "1 second", "1초"),
        (3600, True, "about 1 hour", "약 1시간"), (5040, False, "1 hour 24 minutes", "1시간 24분"),
        (90061, False, "about 1 day 1 hour", "약 1일 1시간"),
        (90000, False, "1 day 1 hour", "1일 1시간"),
        (86390, False, "about 1 day", "약 1일"), (7170, False, "about 2 hours", "약 2시간"),
        (0.4, False, "0 seconds", "0초"),
        (172800, False, "2 days", "2일"),
    ],
)  # fmt: skip
def test_lengths_of_time_in_words(seconds: float, approx: bool, en: str, ko: str) -> None:
    duration = Duration(seconds=seconds, approx=approx)
    assert Words(VOCABULARY, "en").duration(duration) == en
    assert Words(VOCABULARY, "ko").duration(duration) == ko


@pytest.mark.parametrize(
    ("names", "en", "ko"),
    [
        ([], "", ""), (["a"], "a", "a"), (["노드", "결함"], "노드 and 결함", "노드와 결함"),
        (["a", "b", "c"], "a, b and c", "a, b, c"),
        (["a", "b", "c", "d"], "a, b, c and d", "a, b, c, d"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 more", "a, b, c, 그 밖에 2가지"),
    ],
)  # fmt: skip
def test_names_as_one_phrase(names: list[str], en: str, ko: str) -> None:
    assert Words(VOCABULARY, "en").listed(names, 3) == en
    assert Words(VOCABULARY, "ko").listed(names, 3) == ko


def test_a_label_that_is_a_sentence_stands_between_quotes_in_english_only() -> None:
    assert Words(VOCABULARY, "en").label("symptom:dns") == "“names do not resolve”"
    assert Words(VOCABULARY, "ko").label("symptom:dns") == "이름 해석 실패"
    assert Words(VOCABULARY, "en").label("cause:race") == "race condition"


def test_a_label_that_would_run_together_with_a_verb_stands_between_quotes() -> None:
    english, korean = Words(VOCABULARY, "en"), Words(VOCABULARY, "ko")
    assert english.label("cause:oom") == "“out of memory”"
    assert english.label("symptom:quiet") == "“no error logged”"
    assert korean.label("cause:oom") == "메모리 부족"


def test_a_particle_agrees_with_the_word_before_a_bracket() -> None:
    assert particle("체크포인트(180건 중 19건)", "과/와") == "체크포인트(180건 중 19건)와"
    assert particle("결함(노드)", "을/를") == "결함(노드)을"
    assert particle("노드", "을/를") == "노드를"
    assert capital("“a”") == "“a”"
    assert capital("abc") == "Abc"
