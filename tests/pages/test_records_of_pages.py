"""The records behind the pages say what the library says, in either language."""

from __future__ import annotations

import pytest

from kg.errors import BadQuery, CaseNotFound, TermNotFound
from kg.library import Library
from kg.queries import Filter
from kg.server.pages.case import case_page
from kg.server.pages.find import Asked, find_page
from kg.server.pages.graph import graph_view, picture
from kg.server.pages.hits import hit_views
from kg.server.pages.links import LiveLinks, StaticLinks
from kg.server.pages.names import Names, fallback
from kg.server.pages.topic import topic_page, topics_page
from tests.helpers.tiny import make_case


@pytest.fixture
def names(tiny: Library) -> Names:
    return Names(tiny, "ko")


def test_a_term_without_a_korean_name_keeps_the_english_one(names: Names) -> None:
    assert names.term("component:a100").label == "A100"
    assert names.term("cause:race").label == "경쟁 상태"
    assert names.term("cause:race").kind == "원인"


def test_a_term_that_is_not_in_the_vocabulary_keeps_its_id(names: Names) -> None:
    assert names.term("cause:gone").label == "cause:gone"


def test_the_strongest_status_of_a_term_counts_and_roles_are_those_of_facts(names: Names) -> None:
    case = make_case(
        "X-1",
        ("cause", "cause:race", "suspected"),
        ("cause", "cause:race", "confirmed", "primary"),
        ("cause", "cause:mismatch", "suspected"),
        ("cause", "cause:link-down", "ruled_out"),
    )
    told = [(s.term.id, s.status, s.roles) for s in names.stated(case, "cause")]
    assert told == [
        ("cause:race", "confirmed", ("primary",)),
        ("cause:mismatch", "suspected", ()),
    ]
    denied = [(s.term.id, s.status) for s in names.stated(case, "cause", denied=True)]
    assert denied[-1] == ("cause:link-down", "ruled_out")


def test_a_case_names_its_owner_and_its_year_apart(tiny: Library) -> None:
    name = Names(tiny, "en").case("A-1")
    assert [o.label for o in name.organizations] == ["Alpha Labs"]
    assert (name.year, name.date, name.date_kind) == (2024, "2024-03-01", "published")
    undated = Names(tiny, "en").case("B-2")
    assert (undated.year, undated.date, undated.organizations) == (None, None, ())


@pytest.mark.parametrize(
    ("languages", "wanted", "shown"),
    [
        (("en", "ko"), "ko", "ko"),
        (("en", "de"), "ko", "en"),
        (("de", "fr"), "ko", "de"),
        ((), "ko", None),
    ],
)
def test_a_text_falls_back_to_what_there_is(
    languages: tuple[str, ...], wanted: str, shown: str | None
) -> None:
    assert fallback(languages, wanted) == shown


def test_a_list_says_where_it_is_and_what_comes_before_and_after(tiny: Library) -> None:
    first = find_page(tiny, Asked(limit=4), "en")
    assert (first.total, first.start, first.end, first.before, first.after) == (6, 1, 4, None, 4)
    last = find_page(tiny, Asked(limit=4, offset=4), "en")
    assert (last.start, last.end, last.before, last.after) == (5, 6, 0, None)
    beyond = find_page(tiny, Asked(offset=60), "en")
    assert (beyond.total, beyond.start, beyond.end, beyond.cards) == (6, 0, 0, ())


def test_cases_without_a_confirmed_cause_are_counted_apart(tiny: Library) -> None:
    page = find_page(tiny, Asked(), "en")
    grouped = [m.id for g in page.groups for m in g.members]
    assert sorted(grouped) == ["A-1", "A-2", "A-3", "B-1", "S-1"]
    assert page.ungrouped == 1


def test_a_search_stops_at_so_many_and_says_so(
    tiny: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = len(tiny.search("NCCL timeout", k=6, threshold=0.0))
    monkeypatch.setattr("kg.server.pages.find.MOST_HITS", 1)
    page = find_page(tiny, Asked("NCCL timeout"), "en")
    assert found > 1
    assert page.total <= 1
    assert page.capped == (page.total == 1)


def test_what_a_query_denies_is_told_and_not_offered(tiny: Library) -> None:
    page = find_page(tiny, Asked("NCCL timeout, but no ECC error"), "en")
    understood = {t.id: denied for t, denied in page.understood}
    assert understood["symptom:nccl-timeout"] is False
    assert understood["cause:ecc-error"] is True
    assert "ECC error" not in {s.label for s in page.suggestions}


def test_a_suggestion_keeps_the_filters_that_are_there(tiny: Library) -> None:
    wanted = tiny.filter(component="nccl")
    page = find_page(tiny, Asked("NCCL timeout", wanted), "en")
    (offered,) = [s for s in page.suggestions if s.label == "NCCL timeout"]
    assert offered.wanted.terms == {
        "component": ("component:nccl",),
        "symptom": ("symptom:nccl-timeout",),
    }
    assert offered.alone == Filter(terms={"symptom": ("symptom:nccl-timeout",)})


def test_a_search_in_nothing_finds_nothing(tiny: Library) -> None:
    wanted = tiny.filter(since="2099-01-01")
    page = find_page(tiny, Asked("NCCL timeout", wanted), "ko")
    assert (page.total, page.hits, page.weaker, page.graph) == (0, (), (), None)
    assert page.message == "견줄 사례가 남아 있지 않습니다."


@pytest.mark.parametrize("asked", [Asked(sort="odd"), Asked(offset=-1), Asked("!!!")])
def test_what_cannot_be_asked_is_refused(tiny: Library, asked: Asked) -> None:
    with pytest.raises(BadQuery):
        find_page(tiny, asked, "en")


def test_hits_tell_their_parts_in_the_order_of_the_lanes(quick: Library) -> None:
    found = quick.similar("IL-0480", k=3, lang="ko")
    views = hit_views(quick, found.items, Names(quick, "ko"), beside="IL-0480")
    for view, hit in zip(views, found, strict=True):
        assert [lane for lane, _ in view.parts] == ["뜻", "낱말", "분류 값"]
        assert sum(float(x) for _, x in view.parts) == pytest.approx(hit.score, abs=0.02)
        assert len(view.shared) + view.more == len(hit.shared)
        assert view.same_cause == hit.same_cause
        for quote in view.passages:
            text = quick.get(hit.id).text(quote.field, quote.lang)
            assert text[quote.start : quote.end] == quote.quote
            assert quote.lang == "ko" or all(p.lang != "ko" for p in hit.passages)


def test_a_case_page_counts_every_claim_once(tiny: Library) -> None:
    page, case = case_page(tiny, "A-2", "en"), tiny.get("A-2")
    shown = [c for s in page.sections for c in s.claims]
    told = [c for c in case.claims if c.kind not in ("organization", "check")]
    assert len(shown) == len(told)
    assert len({c.anchor for c in shown}) == len(shown)


def test_figures_say_about_and_of_what(quick: Library) -> None:
    page = case_page(quick, "IL-0417", "en")
    figures = quick.get("IL-0417").figures
    assert len(page.figures) == len(figures)
    for view, figure in zip(page.figures, figures, strict=True):
        assert view.amount.startswith("about ") == figure.approx
        assert view.amount.endswith(figure.unit)
        assert view.quote in quick.get("IL-0417").text(
            next(s.field for s in figure.evidence if s.quote == view.quote), view.lang
        )


def test_what_is_not_there_is_an_error_of_the_library(tiny: Library) -> None:
    with pytest.raises(CaseNotFound):
        case_page(tiny, "Z-9", "en")
    with pytest.raises(TermNotFound):
        topic_page(tiny, "cause:nothing", "en")
    with pytest.raises(TermNotFound):
        topics_page(tiny, "en", "colour")


def test_one_scheme_can_be_shown_alone(tiny: Library) -> None:
    (only,) = topics_page(tiny, "ko", "symptom")
    assert only.word == "증상"
    assert [t.label for t, _ in only.terms] == ["학습 작업 실패", "NCCL 타임아웃", "느린 학습"]


def test_equal_results_give_equal_pictures(tiny: Library, names: Names) -> None:
    view = graph_view(tiny, list(tiny.cases), names)
    again = graph_view(tiny, sorted(tiny.cases, reverse=True), names)
    assert view == again
    links = LiveLinks(lang="ko")
    assert picture(tiny, view, links, "ko") == picture(tiny, again, links, "ko")


def test_a_picture_leads_where_its_pages_lie(tiny: Library, names: Names) -> None:
    view = graph_view(tiny, ["A-1"], names)
    drawn = picture(tiny, view, StaticLinks("ko", "lists/cause/x.html"), "ko")
    assert '<a href="../../cases/A-1.html">' in drawn
    assert '<a href="../../topics/cause/mismatch.html">' in drawn
    assert 'role="group"' in drawn
