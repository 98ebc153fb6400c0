"""Documents of prose that are cut, shuffled and garbled: nothing is raised, nothing false kept."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.model import PROSE_FIELDS, DateKind, When
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats import feed, library_page, markdown, plain_text
from kg.readers.formats.format import recognised
from tests.helpers.drafts import DATA, survives

FORMATS = {
    "markdown": markdown.FORMAT,
    "text": plain_text.FORMAT,
    "feed": feed.FORMAT,
    "library-page": library_page.FORMAT,
}
FIXTURES = sorted(p for p in DATA.glob("*/*") if p.parent.name in FORMATS)
NOISE = ("\x00", "\ud800", "\u202e", "&#0;", "&amp;", "<", ">", "|", "```", "---\n", "{", "99:99",
         "2021-99-99", "12/11/2021", "Impact:", "없음", "[", "](", "*" * 50, "\n" * 3, "\t",
         "<!--")  # fmt: skip


def looked_at(draft: Draft) -> None:
    """What must hold of a draft whatever it was read from."""
    assert all(p.field in PROSE_FIELDS and p.text.strip() for p in draft.passages)
    assert not any("\x00" in p.text or "\ud800" in p.text for p in draft.passages)
    assert "\n" not in draft.title
    assert all(When(kind=w.kind, at=w.at) for w in draft.dates)
    kinds = [w.kind for w in draft.dates]
    assert len(kinds) == len(set(kinds))
    found = {w.kind: w.earliest() for w in draft.dates}
    if DateKind.STARTED in found and DateKind.ENDED in found:
        assert found[DateKind.STARTED] <= found[DateKind.ENDED]
    assert not set(draft.none) & {p.field for p in draft.passages}
    assert all(link.href.startswith(("http://", "https://")) for link in draft.links)


def garbled(name: str, text: str, seed: int) -> Iterator[Document]:
    rng = random.Random(seed)
    for _ in range(4):
        lines = text.split("\n")
        kind = rng.randrange(4)
        if kind == 0:
            rng.shuffle(lines)
        elif kind == 1:
            del lines[rng.randrange(len(lines)) :]
        elif kind == 2:
            lines = [line for line in lines if rng.random() < 0.7]
        text = "\n".join(lines)
        for _ in range(rng.randrange(6)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(NOISE) + text[at + rng.randrange(4) :]
        yield Document(name, text)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.name)
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**9))
def test_a_garbled_fixture_is_survived(path: Path, seed: int) -> None:
    text = path.read_text(encoding="utf-8")
    for form in FORMATS.values():
        survives(form, garbled(path.name, text, seed), looked_at)


@settings(max_examples=40, deadline=None)
@given(
    st.text(max_size=200), st.sampled_from(["a.md", "a.txt", "a.xml", "a.html", "2021-02-03", ""])
)
def test_any_text_is_survived(text: str, name: str) -> None:
    for form in FORMATS.values():
        survives(form, iter([Document(name, text)]), looked_at)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.name)
def test_each_fixture_is_recognised(path: Path) -> None:
    one = Document(path.name, path.read_text(encoding="utf-8"))
    assert recognised(one, FORMATS.values())[0][0].name == path.parent.name


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.name)
def test_reading_twice_gives_the_same(path: Path) -> None:
    form = FORMATS[path.parent.name]
    one = Document(path.name, path.read_text(encoding="utf-8"))
    assert list(form.read(one)) == list(form.read(one))


@pytest.mark.parametrize(
    "text",
    ["# a\n" * 800, "|a|b|\n|-|-|\n" + "|1|2|\n" * 500, "> " * 3000, "- " * 3000, "[" * 5000,
     "IL-0428 " * 3000, "Impact: a. " * 500, "2021-09-30 14:05 UTC " * 1000, "<div>" * 3000,
     "\n".join(" " * i + "- a" for i in range(200))],
    ids=lambda t: t[:12].strip(),
)  # fmt: skip
def test_hostile_texts_end(text: str) -> None:
    for form in FORMATS.values():
        survives(form, iter([Document("a.md", text)]), looked_at)
