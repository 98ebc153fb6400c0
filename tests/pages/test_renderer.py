"""The renderer escapes whatever it shows, and refuses to show what nobody said."""

from __future__ import annotations

import sys

import pytest
from jinja2 import UndefinedError

from kg.errors import MissingExtra
from kg.server.pages.links import LiveLinks
from kg.server.pages.problem import problem_page
from kg.server.pages.renderer import Renderer
from kg.server.problems import TITLES, Told
from tests.helpers.html import faults, read_html

EVIL = "<script>x</script> \u202e\u0000 \ud800 \"'>"


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer()


def _problem(renderer: Renderer, **values: object) -> str:
    given = {
        "title": "t",
        "detail": "",
        "detail_lang": "en",
        "status": 404,
        "near": [],
        "current": "",
        **values,
    }
    return renderer.page("problem", "en", LiveLinks(), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["title", "detail"])
def test_text_stays_text_and_unseen_signs_are_shown(renderer: Renderer, name: str) -> None:
    html = _problem(renderer, **{name: EVIL})
    assert "<script>x" not in html
    assert "\u202e" not in html
    assert "\u0000" not in html
    html.encode()  # no halves of pairs are left
    assert "&lt;script&gt;x&lt;/script&gt; \ufffd\ufffd \ufffd &#34;&#39;&gt;" in html


def test_attributes_are_escaped_as_well(renderer: Renderer) -> None:
    html = _problem(renderer, near=[(EVIL, f'/x?"{EVIL}')])
    page = read_html(html)
    assert faults(page) == []
    assert any((a.get("href") or "").startswith('/x?"<script>') for a in page.all("a"))


def test_what_is_not_said_is_not_shown_as_a_word(renderer: Renderer) -> None:
    with pytest.raises(ValueError, match="None"):
        _problem(renderer, title=None)


def test_what_a_template_needs_must_be_given(renderer: Renderer) -> None:
    with pytest.raises(UndefinedError):
        renderer.page("problem", "en", LiveLinks(), current="", title="t", status=404, near=[])


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("kind", sorted(TITLES))
def test_every_problem_has_its_page(renderer: Renderer, kind: str, lang: str) -> None:
    told = Told(kind, "what to do", {"near": ["A-1", "cause:x"], "candidates": []})
    page = read_html(problem_page(renderer, told, lang, LiveLinks(lang=lang)))
    assert faults(page) == []
    assert page.one("h1").text == told.title(lang)
    assert str(told.status) in page.one("p", _class="meta").text
    links = [a.get("href") for a in page.one("main").all("a")]
    assert f"/cases/A-1?lang={lang}" in links
    assert f"/topics/cause:x?lang={lang}" in links


def test_without_jinja2_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match=r"incident-kg\[server\]"):
        Renderer()
