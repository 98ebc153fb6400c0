"""The analyst's calls on a library: any selection of cases, and what they refuse."""

from __future__ import annotations

import json

import pytest

from kg.errors import BadQuery, CaseNotFound, TermNotFound
from kg.library import Library
from kg.queries import plain


def test_cases_are_chosen_by_id_facet_filter_or_search(tiny: Library) -> None:
    by_id = tiny.common(["A-2", "A-1", "B-2"], "component")
    by_facet = tiny.common(kind="component", symptom="nccl-timeout")
    by_filter = tiny.common(kind="component", wanted=tiny.filter(symptom="watchdog timeout"))
    hits = tiny.search("NCCL timeout", k=6, threshold=0.0, symptom="nccl-timeout")
    by_search = tiny.common(hits, "component")
    assert by_id.cases == by_facet.cases == by_search.cases == ("A-1", "A-2", "B-2")
    assert [c.term for c in by_id] == ["component:nccl"]
    assert by_facet == by_filter
    assert by_id.items == by_facet.items == by_search.items


def test_ids_and_facets_together_choose_the_ids_that_match(tiny: Library) -> None:
    found = tiny.common(["A-1", "A-2", "A-3"], "cause", organization="alpha", minimum=1)
    assert found.cases == ("A-1", "A-2")
    assert tiny.patterns(["A-1", "A-3"], organization="alpha", minimum=1).of == 1


def test_what_the_cases_were_chosen_by_is_no_finding(tiny: Library) -> None:
    found = tiny.common(kind="cause", cause="hardware", minimum=1)
    assert found.given == ("cause:hardware",)
    assert "cause:hardware" not in [c.term for c in found]
    assert {c.term for c in found} >= {"cause:gpu-fault", "cause:link-down"}


def test_the_kind_of_a_case_is_chosen_beside_the_kind_of_a_term(tiny: Library) -> None:
    assert tiny.common(kind="cause", case_kind="study", minimum=1).cases == ("S-1",)
    assert tiny.shared_causes(kind="study", minimum=1)[0].cases == ("S-1",)


def test_shared_causes_are_what_the_cases_have_in_common_of_that_kind(tiny: Library) -> None:
    found = tiny.shared_causes(["A-1", "A-2"])
    assert [(c.cause, c.n, c.of) for c in found] == [("cause:mismatch", 2, 2)]
    assert plain(found[0]) == plain(tiny.common(["A-1", "A-2"])[0])
    assert [c.cause for c in tiny.shared_causes(symptom="nccl-timeout")] == ["cause:mismatch"]


def test_an_empty_choice_is_a_mistake_but_an_empty_search_is_an_answer(tiny: Library) -> None:
    for asked in (lambda: tiny.common(), lambda: tiny.common([]), lambda: tiny.shared_causes()):
        with pytest.raises(BadQuery, match="give the ids of the cases"):
            asked()
    nothing = tiny.search("sourdough bread", threshold=1.0)
    assert len(tiny.common(nothing)) == 0
    assert len(tiny.common(domain="nowhere")) == 0


def test_wrong_ids_facets_and_terms_say_so(tiny: Library) -> None:
    for ask in (tiny.common, tiny.patterns, tiny.recurrences):
        with pytest.raises(CaseNotFound):
            ask(["X-1"])
        with pytest.raises(BadQuery, match="give a list of ids"):
            ask("A-1")
        with pytest.raises(BadQuery, match="no facet 'colour'"):
            ask(["A-1"], colour="red")
    with pytest.raises(TermNotFound):
        tiny.stats(cause="nonsense")
    with pytest.raises(BadQuery, match="either a filter or facets"):
        tiny.trends(wanted=tiny.filter(domain="web"), domain="web")


def test_a_term_is_struck_by_any_spelling(tiny: Library) -> None:
    assert tiny.what_if("mismatch").term == "cause:mismatch"
    assert tiny.what_if("집합 통신 어긋남").term == "cause:mismatch"
    assert tiny.what_if("NCCL").kind == "component"
    assert [w.case for w in tiny.what_if("mismatched collectives").gone] == ["A-1", "A-2"]
    with pytest.raises(TermNotFound):
        tiny.what_if("nonsense")
    with pytest.raises(BadQuery, match="symptom:slow explains nothing"):
        tiny.what_if("slow training")


def test_facets_choose_the_incidents_of_every_call(tiny: Library) -> None:
    assert tiny.stats(organization="alpha").incidents == 2
    assert tiny.what_if("mismatch", ["A-1", "A-3"]).incidents == 2
    assert tiny.trends(dated="published", organization="alpha").periods == (("2024", 2),)
    assert tiny.patterns(organization="alpha").of == 2
    assert tiny.recurrences(organization="beta").incidents == 1


def test_the_tiny_library_tells_its_recurrence_as_unsure(tiny: Library) -> None:
    found = tiny.recurrences()
    assert found.items == ()
    (item,) = found.unsure
    assert (item.earlier, item.later) == ("A-1", "A-2")
    assert (item.order.least_days, item.order.most_days) == (61, 91)


def test_every_answer_is_json_and_the_same_each_time(tiny: Library) -> None:
    for ask in (
        lambda: tiny.common(kind="component", symptom="nccl-timeout"),
        lambda: tiny.patterns(minimum=1),
        tiny.recurrences,
        lambda: tiny.what_if("gpu-fault"),
        lambda: tiny.stats("organization"),
        lambda: tiny.trends("component", dated="published"),
    ):
        first = json.dumps(plain(ask()), ensure_ascii=False)
        assert first == json.dumps(plain(ask()), ensure_ascii=False)
        assert len(first) > 100


def test_notes_follow_the_language(tiny: Library) -> None:
    answers = (
        tiny.common(["A-1", "A-2"], lang="ko"), tiny.patterns(lang="ko"),
        tiny.recurrences(lang="ko"), tiny.what_if("mismatch", lang="ko"), tiny.stats(lang="ko"),
        tiny.trends(lang="ko"),
    )  # fmt: skip
    assert all(any("가" <= c <= "힣" for c in a.note) for a in answers)
