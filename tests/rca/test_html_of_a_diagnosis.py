"""The HTML of a diagnosis shows what others wrote and does nothing with it."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from kg.rca.html import page
from tests.helpers.planted import EVIL, SEEN, diagnose, evil_cases

ALLOWED = {"div", "style", "blockquote", "mark", "h3", "p", "details", "summary"}


class Reader(HTMLParser):
    """Collects tags, attributes and text, as a browser would see them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_only_our_own_tags_and_attributes_come_out(lang: str) -> None:
    found = diagnose(f"{SEEN} {EVIL}", cases=evil_cases(), likely={"P-1": 0.9}, lang=lang)
    html = page(found)
    seen = read(html)
    assert set(seen.tags) <= ALLOWED
    assert {name for name, _ in seen.attributes} <= {"class", "lang", "style", "title"}
    assert seen.open == []
    assert seen.text.count("<script>alert(1)</script>") > 5
    assert "\u202e" not in html
    assert "\u0007" not in html


def test_everything_that_the_text_says_is_there() -> None:
    found = diagnose()
    text = read(found._repr_html_()).text
    for line in str(found).split("\n"):
        assert line.strip() in text


def test_the_user_sees_the_text_that_was_asked() -> None:
    assert read(page(diagnose("NCCL timeout & more"))).text.count("NCCL timeout & more") == 1


def test_the_same_diagnosis_gives_the_same_bytes() -> None:
    assert page(diagnose()) == page(diagnose())
    assert page(diagnose(), "ko") != page(diagnose(), "en")
