"""Addresses keep what was asked and the language; written files find each other."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.queries import Filter
from kg.server.language import accepted_language, named_language
from kg.server.pages.links import LiveLinks, StaticLinks

FILES = ["index.html", "graph.html", "topics/index.html", "cases/A-1.html", "topics/cause/x.html"]


def test_a_language_in_the_address_stays_in_every_link() -> None:
    links = LiveLinks(lang="ko", path="/cases", pairs=(("symptom", "x"),))
    assert links.case("A-1") == "/cases/A-1?lang=ko"
    assert links.case("A-1", "claim-cause-1") == "/cases/A-1?lang=ko#claim-cause-1"
    assert links.topic("cause:x") == "/topics/cause:x?lang=ko"
    assert links.here("en") == "/cases?symptom=x&lang=en"


def test_without_one_the_browser_goes_on_deciding() -> None:
    assert LiveLinks().case("A-1") == "/cases/A-1"
    assert LiveLinks().find() == "/cases"


def test_a_query_and_its_filters_round_trip() -> None:
    wanted = Filter(
        terms={"symptom": ("symptom:a",), "cause": ("cause:b", "cause:c")}, kind="study"
    )
    address = LiveLinks().find("NCCL 타임아웃 & more", wanted, "recent", 20)
    assert address == (
        "/search?q=NCCL+%ED%83%80%EC%9E%84%EC%95%84%EC%9B%83+%26+more"
        "&cause=b&cause=c&symptom=a&kind=study&offset=20"
    )


def test_what_could_end_an_address_is_quoted() -> None:
    assert LiveLinks().case("a/../b?c#d") == "/cases/a%2F..%2Fb%3Fc%23d"


def test_a_proxy_may_stand_before_a_folder() -> None:
    links = LiveLinks(root="/kb", path="/cases")
    assert links.asset("pages.css") == "/kb/assets/pages.css"
    assert links.data("A-1", "similar") == "/kb/cases/A-1/similar?format=json"
    assert links.here("ko") == "/kb/cases?lang=ko"


@pytest.mark.parametrize("here", FILES)
@pytest.mark.parametrize("there", FILES)
def test_written_files_find_each_other(here: str, there: str) -> None:
    links = StaticLinks("en", here)
    target = links._to(there)
    assert posixpath.normpath(posixpath.join(posixpath.dirname(here), target)) == there


@pytest.mark.parametrize("here", FILES)
def test_written_files_find_assets_and_the_other_language(here: str) -> None:
    links, folder = StaticLinks("en", here), posixpath.dirname(f"en/{here}")
    style = posixpath.normpath(posixpath.join(folder, links.asset("pages.css")))
    assert style == "assets/pages.css"
    assert posixpath.normpath(posixpath.join(folder, links.here("ko"))) == f"ko/{here}"


def test_written_pages_do_not_lead_where_only_a_server_answers() -> None:
    links = StaticLinks("en", "index.html")
    assert links.compare("a", "b") is links.diagnose() is links.search() is links.data("a") is None
    assert (
        links.find("words") is links.find("", Filter(), "id") is links.find("", Filter(), offset=9)
    )
    two = Filter(terms={"cause": ("cause:a", "cause:b")})
    assert links.find("", two) is links.graph("", two) is None
    assert links.find("", Filter(terms={"cause": ("cause:a",)})) == "lists/cause/a.html"


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("ko", "ko"),
        ("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", "ko"),
        ("en-US,en;q=0.9,ko;q=0.8", "en"),
        ("fr;q=1.0, ko;q=0.3, en;q=0.2", "ko"),
        ("fr", "en"),
        ("", "en"),
        ("*", "en"),
        ("ko;q=0, en;q=0", "en"),
        ("ko;q=many, en;q=0.5", "en"),
    ],
)
def test_the_language_that_a_browser_likes_best(header: str, wanted: str) -> None:
    assert accepted_language(header, "en") == wanted


def test_where_none_of_ours_is_liked_the_setting_decides() -> None:
    assert accepted_language("fr", "ko") == "ko"


@settings(max_examples=40)
@given(st.text(max_size=60))
def test_no_header_breaks_it(header: str) -> None:
    assert accepted_language(header, "en") in ("en", "ko")
    assert named_language(header) in (None, "en", "ko")
