"""Every word that a page can ask for is there, in both languages, and none is left over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

import pytest

from kg.model import PROSE_FIELDS, CaseKind, DateKind, Result, Role, SourceKind, Status
from kg.model.case import LINE_FIELDS
from kg.model.origin import MadeBy
from kg.queries.differences import TIMES, About
from kg.queries.filters import FACETS
from kg.queries.listing import CARD_FIELDS, RESULT_KINDS
from kg.queries.sharing import SameCause
from kg.server.pages.claims import NOTES
from kg.server.pages.links import SORTS
from kg.server.pages.words import word, words

HERE = Path(str(files("kg.server.pages")))
CODE = [*HERE.glob("*.py"), *HERE.glob("templates/*.html")]
BY_DATA: dict[str, tuple[str, ...] | type[StrEnum]] = {
    "case": CaseKind,
    "date": DateKind,
    "role": Role,
    "source": SourceKind,
    "status": Status,
    "made": MadeBy,
    "about": About,
    "same": SameCause,
    "same.text": SameCause,
    "topic.status": Status,
    "kind": (*FACETS, *RESULT_KINDS),
    "field": (*PROSE_FIELDS, *LINE_FIELDS, *CARD_FIELDS, "text"),
    "fact": TIMES,
    "note": NOTES,
    "sort": SORTS,
    "notice": SORTS,
    "lane": ("dense", "words", "graph", "late"),
    "result": Result,
    "nav": ("cases", "diagnose", "compare", "topics", "graph"),
    "basis": ("vocabulary", "derived", "counterpart"),
    "fact.said": ("unknown", "observed", "ruled_out"),
    "topic": ("exact", "close"),
}
"""Words of which a page takes the end of the key from a record."""


def _asked_for() -> Iterator[str]:
    """Keys that stand in the code as they are."""
    for file in CODE:
        text = file.read_text(encoding="utf-8")
        yield from re.findall(r"""\b(?:w|word|_word|_said)\(\s*"([a-z_.]+)"(?!\s*~)""", text)


def _by_data() -> Iterator[str]:
    for head, ends in BY_DATA.items():
        yield from (f"{head}.{end}" for end in ends)


def test_each_word_is_there_in_both_languages() -> None:
    assert sorted({*_asked_for(), *_by_data()} - set(words())) == []
    for key, (en, ko) in words().items():
        assert en.strip(), key
        assert ko.strip(), key
        assert sorted(re.findall(r"\{\d\}", en)) == sorted(re.findall(r"\{\d\}", ko)), key


def test_no_word_is_left_over() -> None:
    code = "".join(f.read_text(encoding="utf-8") for f in CODE)
    used = {*_asked_for(), *_by_data()} | {
        k for k in words() if f'"{k}"' in code or f"'{k}'" in code
    }
    heads = ("fact.", "field.")  # facts and fields of a case, by the names of the model
    left = [k for k in words() if k.removesuffix(".one") not in used and not k.startswith(heads)]
    assert left == []


def test_korean_words_are_korean() -> None:
    plain = {"own_name"}
    latin = [k for k, (_, ko) in words().items() if not re.search("[가-힣]", ko) and k not in plain]
    assert latin == []
    assert [k for k, (en, _) in words().items() if re.search("[가-힣]", en)] == []


def test_no_template_says_anything_by_itself() -> None:
    """Text of templates outside of tags and expressions is punctuation."""
    for file in HERE.glob("templates/*.html"):
        text = re.sub(r"\{[{%#].*?[}%#]\}", " ", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        text = re.sub(r"<!?[^>]*>", " ", text)
        assert re.findall(r"[A-Za-z가-힣]{2,}", text.replace("kg show", "")) == [], file


def test_a_word_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        word("nothing of the kind", "en")


def test_values_are_put_in() -> None:
    assert word("list.range", "ko", 5, 1, 5) == "5건 중 1~5번째"
    assert word("list.range", "en", 5, 1, 5) == "1–5 of 5"


def test_one_of_a_thing_has_words_of_its_own() -> None:
    assert word("n_cases", "en", 1) == "1 case"
    assert word("n_cases", "en", 2) == "2 cases"
    assert word("list.head", "en", 1) == "Cases: 1"
    single = [k for k in words() if k.endswith(".one")]
    assert all(k.removesuffix(".one") in words() for k in single)
    assert not any("{0}" in text for k in single for text in words()[k])
