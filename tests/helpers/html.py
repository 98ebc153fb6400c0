"""Reading HTML back: a tree that refuses what a browser would have to guess at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


@dataclass
class Element:
    """An element with its attributes, its children (elements and texts) and its parent."""

    tag: str
    attributes: dict[str, str]
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    def get(self, name: str) -> str | None:
        return self.attributes.get(name)

    @property
    def text(self) -> str:
        """All text in it, runs of blanks as one."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, tag: str | None = None, **wanted: str) -> list[Element]:
        """The elements with this tag and these attributes; `_class` is one of the classes."""
        own = wanted.pop("_class", None)
        return [
            e
            for e in self.walk()
            if (tag is None or e.tag == tag)
            and all(e.get(name.replace("_", "-")) == value for name, value in wanted.items())
            and (own is None or own in (e.get("class") or "").split())
        ]

    def one(self, tag: str | None = None, **wanted: str) -> Element:
        (found,) = self.all(tag, **wanted)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.at = self.root
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        twice = [n for n, count in Counter(n for n, _ in attrs).items() if count > 1]
        self.problems += [f"<{tag}> has {n} twice" for n in twice]
        element = Element(tag, {n: v or "" for n, v in attrs}, self.at)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.at.tag != tag or self.at.parent is None:
            self.problems.append(f"</{tag}> ends <{self.at.tag}>")
            return
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


def read_html(text: str) -> Element:
    """The tree of a document; AssertionError where tags do not match."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.problems == []
    assert reader.at is reader.root, f"<{reader.at.tag}> is never ended"
    return reader.root


def faults(page: Element) -> list[str]:
    """What keeps a page from being read by everybody, or from running under its own policy."""
    found = [f"id {i} twice" for i, n in Counter(_ids(page)).items() if n > 1]
    known = set(_ids(page))
    for element in page.walk():
        found += [f"inline {n}" for n in element.attributes if n.startswith("on") or n == "style"]
        for name in ("aria-labelledby", "aria-describedby", "for", "list"):
            refers = (element.get(name) or "").split()
            found += [f"{name}={i} leads nowhere" for i in refers if i not in known]
        found += _own_faults(element)
    if len(page.all("h1")) != 1 or len(page.all("main")) != 1 or not page.all("a", _class="skip"):
        found.append("no single h1 and main with a way past the menu")
    return found


def _ids(page: Element) -> list[str]:
    return [i for e in page.walk() if (i := e.get("id")) is not None]


def _own_faults(element: Element) -> Iterator[str]:
    tag = element.tag
    if tag == "style" or (tag == "script" and (element.text or not element.get("src"))):
        yield f"inline <{tag}>"
    named = element.get("aria-label") or element.get("aria-labelledby")
    if tag in ("nav", "aside") and not named:
        yield f"<{tag}> without a name"
    if tag in ("a", "button", "summary") and not (element.text or element.get("aria-label")):
        yield f"<{tag}> without words"
    if tag == "th" and element.get("scope") is None:
        yield "<th> without scope"
    if tag == "html" and element.get("lang") not in ("en", "ko"):
        yield "no language"
