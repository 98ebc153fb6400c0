"""Every notebook runs from top to bottom in a kernel, and its page shows all of it offline."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kg.notebook import copy_notebooks, export_html, shipped_notebooks
from tests.helpers.browsers import browser

NAMES = sorted(file.stem for file in shipped_notebooks().glob("*.ipynb"))
MINUTES = 4
"""All notebooks together must not take longer."""

PICTURES = {
    "01_first_look": 2,
    "02_rca_assistant": 1,
    "03_shared_root_causes": 4,
    "04_sql": 0,
    "05_linked_data": 0,
    "06_your_own_incidents": 1,
    "07_quality": 1,
}
LOADING = {"src", "srcset", "data", "action", "poster", "background", "formaction", "ping"}


@dataclass(frozen=True)
class Run:
    """The pages of all notebooks, and how many seconds of a core they took together."""

    pages: dict[str, Path]
    seconds: float


@pytest.fixture(scope="module")
def ran(shipped_at_hand: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Each notebook in a kernel of its own, over the shipped library; nothing is set."""
    folder = tmp_path_factory.mktemp("notebooks")
    before = _spent()
    environment = {"INCIDENT_KG_CACHE": str(shipped_at_hand)}
    pages = {
        file.stem: export_html(file, run=True, environment=environment)
        for file in copy_notebooks(folder)
        if file.suffix == ".ipynb"
    }
    return Run(pages, _spent() - before)


def _spent() -> float:
    """Seconds of a core of this process and its kernels: other tests run beside them."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


class Page(HTMLParser):
    """What a page would load, what it links to, and its pictures."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.loads: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in LOADING or (name.endswith("href") and tag != "a"):
                self.loads.append(value or "")
            elif tag == "a" and name == "href":
                self.links.append(value or "")


def test_there_are_seven_of_them() -> None:
    assert list(PICTURES) == NAMES


def test_all_run_within_four_minutes_together(ran: Run) -> None:
    assert sorted(ran.pages) == NAMES
    assert ran.seconds < 60 * MINUTES


@pytest.mark.parametrize("name", NAMES)
def test_a_page_loads_nothing_and_runs_nothing(ran: Run, name: str) -> None:
    html = ran.pages[name].read_text(encoding="utf-8")
    page = Page(html)
    assert [x for x in page.loads if not x.startswith(("data:", "#"))] == []
    assert not {"script", "iframe", "object", "embed", "link", "base", "form"} & set(page.tags)
    assert "default-src 'none'" in html
    assert re.findall(r"@import|url\((?!#)", html) == []
    assert all(link.endswith(".ipynb") for link in page.links)


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_is_in_its_page(ran: Run, name: str) -> None:
    html = ran.pages[name].read_text(encoding="utf-8")
    assert html.count('<svg class="kgp"') == PICTURES[name]


def test_what_the_assistant_says_is_in_its_page(ran: Run) -> None:
    html = ran.pages["02_rca_assistant"].read_text(encoding="utf-8")
    for said in (
        "알아들은 것", "비슷한 사례", "가설", "다음에 확인할 것", "그런 사례에서 한 조치",
        "Look-alikes: like symptoms", "새로 배제됨", "사후 보고 (초안)", "BEGIN DATA",
        "NCCL watchdog timeout",
    ):  # fmt: skip
        assert said in html


def test_the_measured_figures_are_of_the_shipped_questions(ran: Run) -> None:
    html = ran.pages["07_quality"].read_text(encoding="utf-8")
    assert re.search(r"\d\d questions; of this library", html)
    assert "without graph" in html


def test_the_review_makes_causes_count(ran: Run) -> None:
    html = ran.pages["06_your_own_incidents"].read_text(encoding="utf-8")
    assert "causes that count before review: 0" in html
    assert "decided" in html
    assert "unchanged" in html


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_without_a_network_draws_all_of_it(ran: Run, scheme: str) -> None:
    asked: list[str] = []
    wrong: list[str] = []
    with browser(color_scheme=scheme, offline=True) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        for name, file in ran.pages.items():
            page.goto(file.as_uri())
            _drawn(page, name)
            ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert wrong == []


def _drawn(page: Any, name: str) -> None:
    """Every picture is there, in its size."""
    pictures = page.locator("svg.kgp")
    assert pictures.count() == PICTURES[name]
    for i in range(PICTURES[name]):
        box = pictures.nth(i).bounding_box()
        assert box["width"] > 200
        assert box["height"] > 100


LETTERS = """
() => ['\uac00', '\ud799', '\uc6d0'].map(letter => {
  const canvas = document.createElement('canvas'), font = getComputedStyle(
    document.querySelector('svg.kgp text')).fontFamily;
  canvas.width = canvas.height = 40;
  const pen = canvas.getContext('2d');
  pen.font = '30px ' + font;
  pen.fillText(letter, 4, 32);
  return canvas.toDataURL();
})
"""


def test_hangul_is_drawn_letter_by_letter(ran: Run) -> None:
    """Three syllables look different: boxes in the place of missing letters would be alike."""
    fonts = shutil.which("fc-list") or pytest.skip("no fontconfig")
    if not subprocess.run([fonts, ":lang=ko"], capture_output=True, check=True).stdout:
        pytest.skip("no Korean font is installed")
    with browser(offline=True) as page:
        page.goto(ran.pages["02_rca_assistant"].as_uri())
        drawn = page.evaluate(LETTERS)
        assert len(set(drawn)) == 3
        assert page.locator("svg.kgp text", has_text="원인").count() >= 1
