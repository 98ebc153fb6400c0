"""Every cause with three or more shipped cases has a topic page that reads in both languages."""

from __future__ import annotations

import re

import pytest

from kg.cli import show
from kg.library import Library


def _frequent(library: Library) -> list[str]:
    return [e.id for e in library.vocab("cause") if e.count >= 3]


def test_there_are_such_causes_once_the_library_has_grown(whole: Library) -> None:
    assert len(_frequent(whole)) >= len(whole) // 10


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_each_page_names_and_defines_the_cause_and_lists_its_cases(
    whole: Library, lang: str
) -> None:
    for cause in _frequent(whole):
        topic = whole.topic(cause, lang)
        page = show.topic(whole, topic, lang)
        term = whole.vocabulary.get(cause)
        flat = " ".join(page.split())
        assert term.label.get(lang) in page
        assert " ".join((term.definition.get(lang) or "").split()) in flat
        standing = {*topic.cases["confirmed"], *topic.cases["suspected"]}
        assert standing == set(topic.entry.cases)
        for case_id in standing:
            assert case_id in page
            assert " ".join(whole.get(case_id).name(lang).split()) in flat
        if lang == "ko":
            assert len(re.findall("[가-힣]", page)) > 50, cause


def test_what_comes_with_a_cause_leaves_out_its_own_kin(whole: Library) -> None:
    for cause in _frequent(whole):
        kin = {*whole.vocabulary.narrower_all(cause), *whole.vocabulary.broader_steps(cause)}
        together = {t for pairs in whole.topic(cause).together.values() for t, _ in pairs}
        assert not together & kin
