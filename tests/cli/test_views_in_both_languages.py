"""The fixed words of the views follow the language, and count rightly."""

from __future__ import annotations

import re
import string

import pytest

from kg.cli import words
from kg.cli.words import count_of_cases, word
from kg.library import Library
from kg.model import PROSE_FIELDS, CaseKind, ClaimKind, DateKind, FieldState, Role, Status
from kg.model.case import SourceKind
from kg.queries.sharing import SameCause
from tests.cli.conftest import Run

ENGLISH = re.compile(
    r"same cause|shared:|words:|understood|nearest|time to|not stated|— \w*[a-z] —|claims|figures"
    r"|confirmed|suspected|ruled_out|primary|broader|narrower|serves|with |cases|undated|lift"
    r"|library|rarity|paths|most frequent|incident|published"
)
ASKED = [
    ["search", "NCCL timeout", "--threshold", "0", "-k", "2"],
    ["search", "NCCL timeout", "--threshold", "1"],
    ["similar", "IL-0480", "-k", "2"],
    ["explain", "IL-0480", "IL-0428"],
    ["causes", "IL-0023", "IL-0025"],
    ["causes", "IL-0480", "IL-0023"],
    ["show", "IL-0428"],
    ["list"],
    ["topic", "cause:dependency-failure"],
]


def own_words(text: str) -> str:
    """The text without quotations, identifiers and places."""
    kept = re.sub(r"“[^”]*”|\[[^\]]*\]|\([a-z]+:[^)]*\)|[a-z]+:[a-z0-9][a-z0-9.-]*", "", text)
    return re.sub(r"(?s)^— (?:[^—\n]*) —\n(?:(?!—).*\n?)*", "", kept)


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_a_korean_view_has_no_english_labels(ask: Run, arguments: list[str]) -> None:
    answer = ask(*arguments, "--lang", "ko")
    assert answer.err == ""
    assert re.search("[가-힣]", answer.out)
    labels = [line.split(":")[0] for line in answer.out.splitlines() if ":" in line]
    assert [x for x in labels if ENGLISH.search(own_words(x))] == []


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_an_english_view_has_no_korean_labels(ask: Run, arguments: list[str]) -> None:
    out = ask(*arguments, "--lang", "en").out
    korean = [korean for _, korean in words._WORDS.values()]
    assert [k for k in korean if f"{k}:" in out or f"— {k} —" in out] == []


def test_a_korean_question_is_answered_in_korean(ask: Run) -> None:
    out = ask("search", "NCCL 타임아웃", "--threshold", "0").out
    assert "알아들은 말: " in out
    assert "원인 동일: " in out


@pytest.mark.parametrize(
    "names",
    [PROSE_FIELDS, CaseKind, ClaimKind, DateKind, FieldState, Role, SourceKind, Status, SameCause],
    ids=lambda n: getattr(n, "__name__", "fields"),
)
def test_every_name_that_a_view_shows_has_a_word(names: type) -> None:
    assert [str(n) for n in names if str(n) not in words._WORDS and str(n) != "stated"] == []


def test_both_languages_take_the_same_values() -> None:
    for key, pair in {**words._WORDS, **words._PHRASES}.items():
        fields = [
            {name for _, name, _, _ in string.Formatter().parse(t) if name is not None}
            for t in pair
        ]
        assert fields[0] == fields[1], key
        assert re.search("[가-힣]", pair[1]) or key == "with", key


@pytest.mark.parametrize(
    ("number", "lang", "said"), [(0, "en", "0 cases"), (1, "en", "1 case"), (1, "ko", "사례 1건")]
)
def test_one_case_is_one_case(number: int, lang: str, said: str) -> None:
    assert count_of_cases(number, lang) == said


def test_a_list_of_one_counts_one(ask: Run, quick: Library) -> None:
    one = next(e.id for e in quick.vocab("cause") if e.count == 1)
    assert ask("list", "--cause", one).out.startswith("1 case with ")
    assert "1 of 1 case," in ask("causes", "IL-0480", "--minimum", "1").out


def test_a_word_that_the_table_lacks_is_shown_as_it_is() -> None:
    assert word("{odd}", "ko") == "{odd}"
