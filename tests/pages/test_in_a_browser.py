"""The pages in a real browser: what a person does, by mouse, by keys, on a phone, in the dark.

Skipped where Playwright or Chromium is not installed.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from kg.library import Library
from kg.server.app import create_app
from kg.server.holder import Holder
from kg.server.pages.site import write_site
from kg.server.settings import Settings
from tests.helpers.served import listening

sync_api = pytest.importorskip("playwright.sync_api")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")
def address(held: Holder) -> Iterator[str]:
    """A server of the reference cases under the real encoder, on a port of its own."""
    with listening(create_app(Settings(), held)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


class Visit:
    """A page in a browser that notes what leaves the server, and what the policy forbids."""

    def __init__(self, browser: Any, address: str, **context: Any) -> None:
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.address = address
        self.outside: list[str] = []
        self.complaints: list[str] = []
        self.context.on("request", lambda r: self._note(r.url))
        self.page.on("console", lambda m: self._complain(m.type, m.text))
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))

    def _note(self, url: str) -> None:
        if not url.startswith((self.address, "data:")):
            self.outside.append(url)

    def _complain(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def go(self, path: str) -> Any:
        self.page.goto(self.address + path)
        return self.page

    def leave(self) -> None:
        self.context.close()
        assert self.outside == []
        assert self.complaints == []


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Visit]:
    it = Visit(browser, address, locale="ko-KR", viewport={"width": 1200, "height": 900})
    yield it
    it.leave()


def test_filter_search_open_compare_and_see_the_graph(visit: Visit) -> None:
    page = visit.go("/")
    assert page.locator("html").get_attribute("lang") == "ko"
    page.get_by_role("complementary").get_by_role("link", name="학습 작업 실패").first.click()
    assert page.locator("h2#cases").inner_text().startswith("사례")
    assert page.locator(".chip strong").inner_text() == "학습 작업 실패"
    page.get_by_role("link", name="모두 풀기").click()
    assert page.locator(".chip").count() == 0
    page.get_by_label("무엇을 보았나요?").fill(
        "체크포인트 직전에 사용률은 100%인데 NCCL 교착으로 멈춤"
    )
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?**")
    first = page.locator("article").first
    assert first.locator(".id").first.inner_text() == "IL-0480"
    assert first.locator("mark").count() >= 1
    first.get_by_role("heading").get_by_role("link").click()
    assert "IL-0480" in page.locator("article .id").first.inner_text()
    page.get_by_role("link", name="IL-0480 – IL-0428 비교").click()
    assert page.locator(".verdict strong").inner_text() == "알 수 없음"
    assert page.locator(".saying mark").count() > 10
    page.get_by_role("navigation", name="주 메뉴").get_by_role("link", name="그래프").click()
    page.locator("svg a").first.click()
    assert page.locator("h1").count() == 1


def test_a_link_to_evidence_unfolds_and_lights_up_its_place(visit: Visit) -> None:
    page = visit.go("/cases/IL-0480?lang=en#claim-component-1")
    claim = page.locator("#claim-component-1")
    assert claim.is_visible()
    claim.get_by_role("link", name="Show the place in the text").first.click()
    lit = page.locator("mark:target, .at:target + mark").first
    assert lit.is_visible()
    background = lit.evaluate("e => getComputedStyle(e).backgroundColor")
    assert background != "rgba(0, 0, 0, 0)"


def test_the_assistant_answers_and_says_what_changed(visit: Visit) -> None:
    page = visit.go("/diagnose?lang=en")
    page.get_by_label("Symptoms, log lines").fill(
        "NCCL watchdog timeout, power dropped to 190 W, GPUs at 100%"
    )
    page.get_by_role("button", name="Diagnose").click()
    page.get_by_role("heading", name="What the library has to say").wait_for()
    page.locator("a.cite").first.click()
    assert page.locator("li:target mark").count() >= 1
    page.get_by_text("What can you tell now?").click()
    fact = page.locator("fieldset.fact").first
    fact.get_by_label("ruled out").check()
    page.get_by_role("button", name="Diagnose again").click()
    page.get_by_role("heading", name="Changed").wait_for()
    assert page.locator("#ruled_out").input_value() != ""


def test_keys_alone_are_enough(visit: Visit) -> None:
    page = visit.go("/cases?lang=en")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    page.keyboard.press("Tab")
    focused = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate("document.activeElement.id") == "q"
    assert page.evaluate(focused) == "solid"


def test_no_page_scrolls_sideways_on_a_phone(browser: Any, address: str) -> None:
    visit = Visit(browser, address, viewport={"width": 360, "height": 740})
    for path in (
        "/?lang=en", "/cases?symptom=training-job-failure&lang=ko", "/search?q=NCCL&lang=en",
        "/cases/IL-0428?lang=ko", "/cases/IL-0428?lang=en", "/diagnose?lang=ko", "/graph?lang=en",
        "/explain?a=IL-0480&b=IL-0428&lang=ko", "/topics/cause:dependency-failure?lang=en",
    ):  # fmt: skip
        page = visit.go(path)
        assert page.evaluate("document.documentElement.scrollWidth") == 360, path
    visit.leave()


def test_the_dark_is_dark_and_the_light_is_light(browser: Any, address: str) -> None:
    shades = []
    for scheme in ("light", "dark"):
        visit = Visit(browser, address, color_scheme=scheme)
        colour = visit.go("/").evaluate("getComputedStyle(document.body).backgroundColor")
        shades.append(sum(map(int, colour.strip("rgb()").split(","))))
        visit.leave()
    assert shades[0] > 700
    assert shades[1] < 150


BRIGHTEST = """() => [...document.querySelectorAll(".picture svg rect")].map(
    r => Math.min(...getComputedStyle(r).fill.match(/\\d+/g).slice(0, 3).map(Number)))"""
LETTERS = """() => [...document.querySelectorAll(".picture svg text")].map(
    t => Math.min(...getComputedStyle(t).fill.match(/\\d+/g).slice(0, 3).map(Number)))"""


@pytest.mark.parametrize("path", ["/graph", "/explain?a=IL-0480&b=IL-0023"])
def test_pictures_are_dark_in_the_dark_and_light_in_the_light(
    browser: Any, address: str, path: str
) -> None:
    for scheme, dark in (("light", False), ("dark", True)):
        visit = Visit(browser, address, color_scheme=scheme)
        page = visit.go(path)
        grounds, letters = page.evaluate(BRIGHTEST), page.evaluate(LETTERS)
        assert len(grounds) > 5
        assert (max(grounds) < 128) if dark else (max(grounds) == 255)
        assert (min(letters) > 150) if dark else (max(letters) < 100)
        visit.leave()


def test_everything_works_without_a_script(browser: Any, address: str) -> None:
    visit = Visit(browser, address, java_script_enabled=False)
    page = visit.go("/?lang=en")
    page.locator("#q").fill("NCCL timeout")
    page.locator("form.search button").click()
    assert page.locator("article").count() >= 1
    page.goto(f"{address}/diagnose?lang=en")
    page.locator("#text").fill("NCCL watchdog timeout, GPUs at 100% and power dropped")
    page.locator("form.diagnose button").click()
    assert page.locator("h2#answer").count() == 1
    visit.leave()


def test_written_pages_search_on_the_device(
    browser: Any, tiny: Library, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = write_site(tiny, tmp_path_factory.mktemp("shown") / "site").path
    make = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), make) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        visit = Visit(browser, f"http://127.0.0.1:{server.server_address[1]}")
        page = visit.go("/ko/index.html")
        page.locator("#q").fill("타임아웃이 링크")
        page.locator("#static-results a").first.wait_for()
        assert [e.inner_text() for e in page.locator("#static-results .id").all()] == ["B-2"]
        for words, found in (
            ("ncclTIMEOUT", ["A-1", "A-2", "B-2"]),
            ("a-1의 제목", ["A-1"]),
            ("타임아웃 없는낱말", []),
            ("<img src=x onerror=alert(1)>", []),
            ("   ", []),
        ):
            page.locator("#q").fill(words)
            sync_api.expect(page.locator("#static-results li")).to_have_count(len(found))
            shown = [e.inner_text() for e in page.locator("#static-results .id").all()]
            assert sorted(shown) == found
            told = "찾은 것이 없습니다." if words.strip() else ""
            told = f"찾은 사례: {len(found)}" if found else told
            sync_api.expect(page.locator("#static-count")).to_have_text(told)
        page.locator("#q").fill("타임아웃이 링크")
        page.locator("#static-results a").first.click()
        assert "B-2" in page.locator(".id").first.inner_text()
        page.get_by_role("link", name="비교").first.click()
        assert page.locator(".verdict strong").count() == 1
        visit.leave()
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""
