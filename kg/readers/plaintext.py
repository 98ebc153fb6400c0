"""Plain text out of Markdown and HTML as they stand in fields of exports, with its headings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser

from kg.readers.headings import field_of
from kg.readers.jsonvalues import address, clean, words

HEAD = "\x02"
"""Marks a line as a heading while a text is being read; `clean` takes it out of what comes in."""

BOLD, LABEL = 7, 9
"""Levels of a line in bold type and of a label such as `Root cause:`, below all headings."""


@dataclass(frozen=True)
class Block:
    """A piece of text under a heading; level 1 is the outermost, 0 what stands before any."""

    text: str
    heading: str = ""
    level: int = 0


@dataclass(frozen=True)
class Plain:
    """A text without mark-up: its blocks, the addresses that it links to, whom it mentions."""

    blocks: tuple[Block, ...] = ()
    links: tuple[str, ...] = ()
    people: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All blocks with their headings, an empty line between them."""
        parts = (part for b in self.blocks for part in (b.heading, b.text) if part)
        return "\n\n".join(parts)


def tidy(text: str) -> str:
    """Paragraphs with one empty line between them, no spaces at line ends."""
    lines = "\n".join(line.rstrip() for line in text.replace("\xa0", " ").split("\n"))
    return re.sub(r"\n{3,}", "\n\n", lines).strip()


def blocks_of(text: str) -> tuple[Block, ...]:
    """The blocks of a text whose headings are marked; labels such as `Root cause:` count too."""
    found: list[tuple[int, str, list[str]]] = [(0, "", [])]
    for line in text.split("\n"):
        if line.startswith(HEAD):
            level, _, heading = line[1:].partition(" ")
            found.append((int(level), heading.strip(" :"), []))
        elif label := _label(line):
            found.append((LABEL, label[0], [label[1]]))
        else:
            found[-1][2].append(line)
    blocks = (Block(tidy("\n".join(lines)), heading, level) for level, heading, lines in found)
    return tuple(b for b in blocks if b.text or b.heading)


def mark(level: int, heading: str) -> str:
    """A heading on a line of its own, marked."""
    return f"\n\n{HEAD}{level} {' '.join(heading.split())}\n\n"


_LABEL = re.compile(r"([^\W\d_][\w /&-]{1,38}?)\s?[:：]\s+(\S.*)")


def _label(line: str) -> tuple[str, str] | None:
    found = _LABEL.fullmatch(line)
    return (found[1], found[2]) if found and field_of(found[1]) else None


_TAGS = words(
    "a abbr article aside b big blockquote body br center cite code dd del details div dl dt em "
    "font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img ins kbd li link main "
    "mark meta nav noscript ol p pre q s samp script section small span strike strong style sub "
    "summary sup svg table tbody td template textarea tfoot th thead time title tr tt u ul var"
)
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)(?=[\s/>])")
_DROPPED = words("head iframe noscript script style svg template textarea title")
_VOID = words("br hr img link meta")
_BREAKING = words(
    "article aside blockquote body dd details div dl dt footer form header hr li main nav ol p "
    "pre section summary table tr ul"
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def has_html(text: str) -> bool:
    """Whether there is a tag of HTML in a text (`<rank>` and `List<String>` are none)."""
    return any(m[1].lower() in _TAGS for m in _TAG.finditer(text))


class _Reader(HTMLParser):
    """HTML to text: blocks on lines of their own, headings marked, nothing hidden or scripted."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.links: list[str] = []
        self._hidden: list[str] = []
        self._heading: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _TAGS:
            self.handle_data(self.get_starttag_text() or "")
            return
        given = dict(attrs)
        hidden = "hidden" in given or _HIDDEN.search(given.get("style") or "")
        if (tag in _DROPPED or hidden or self._hidden) and tag not in _VOID:
            self._hidden.append(tag)
            return
        if self._hidden:
            return
        if tag == "a" and address(given.get("href") or ""):
            self.links.append(address(given["href"]))
        if tag == "br":
            self._add("\n")
        elif tag in _BREAKING:
            self._add("\n\n" if tag not in ("li", "tr", "dt", "dd") else "\n")
            self._add("- " if tag == "li" else "")
        elif tag in ("td", "th"):
            self._add(" ")
        elif re.fullmatch("h[1-6]", tag):
            self._heading = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID or tag not in _TAGS:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            if tag in self._hidden:
                while self._hidden.pop() != tag:
                    pass
        elif self._heading is not None and re.fullmatch("h[1-6]", tag):
            heading, self._heading = "".join(self._heading), None
            self.parts.append(mark(int(tag[1]), heading))
        elif tag in _BREAKING and tag not in ("li", "tr", "dt", "dd"):
            self._add("\n\n")
        elif tag not in _TAGS:
            self.handle_data(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._add(data)

    def _add(self, text: str) -> None:
        if not self._hidden and text:
            (self.parts if self._heading is None else self._heading).append(text)

    def whole(self) -> str:
        self.close()
        if self._heading is not None:
            self.parts.extend(self._heading)
        return "".join(self.parts)


def html_text(text: str) -> Plain:
    """Plain text of HTML; entities are decoded once, scripts and hidden parts left out."""
    reader = _read_html(text)
    return Plain(blocks_of(reader.whole()), tuple(dict.fromkeys(reader.links)))


_DECLARED = re.compile(r"<[!?](?!--)[^<>]*>")
_STRAY = re.compile(r"<(?!/?[a-zA-Z][^<>]*>|!--)")
"""A bracket that opens no tag; the parser would look for its end again and again."""


def _read_html(text: str) -> _Reader:
    reader = _Reader()
    reader.feed(_STRAY.sub("&lt;", _DECLARED.sub("", clean(text))))
    return reader


_CODE = re.compile(
    r"^(```|~~~)[^\n]*\n(.*?)(?:^\1[ \t]*$|\Z)|`([^`\n]+)`", re.DOTALL | re.MULTILINE
)
_TARGET = r"<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?"
_LINK = re.compile(rf"!?\[([^\[\]\n]*)\]\({_TARGET}(?:\s+\"[^\"\n]*\")?\)")
_BOLD_LINE = r"^[ \t]*(?:\*\*|__)([^*_\n]{1,80}?)(?:\*\*|__)[ \t]*:?[ \t]*$"
_UNDERLINED = r"^[ ]{0,3}(\S[^\n]{0,90})\n(=+|-{3,})[ \t]*$"
_EMPHASIS = r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])"
_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
_RULES: tuple[_Rule, ...] = (
    (re.compile(r"<(https?://[^\s<>]+)>"), r"\1"),
    (
        re.compile(r"^[ ]{0,3}(#{1,6})[ \t]+([^\n]*?)[ \t]*#*$", re.M),
        lambda m: mark(len(m[1]), m[2]),
    ),
    (re.compile(_UNDERLINED, re.M), lambda m: mark(1 + (m[2][0] == "-"), m[1])),
    (re.compile(_BOLD_LINE, re.M), lambda m: mark(BOLD, m[1])),
    (re.compile(r"^[ ]{0,3}(?:[-*_][ \t]*){3,}$", re.M), ""),
    (re.compile(r"^[ ]{0,3}>[ ]?", re.M), ""),
    (re.compile(r"\*\*(?=\S)([^\n]+?)(?<=\S)\*\*"), r"\1"),
    (re.compile(_EMPHASIS), r"\1"),
    (re.compile(r"^([ \t]*)[*+][ ]+", re.M), r"\1- "),
)


def marked_text(text: str) -> Plain:
    """Plain text of Markdown, with HTML in it or not; what stands in code stays as it is."""
    text, links = clean(text), []
    if has_html(text):
        reader = _read_html(_escaped_code(text))
        text, links = reader.whole(), reader.links
    else:
        text = unescape(text)
    out, end = [], 0
    for code in _CODE.finditer(text):
        out += [_unmarked(text[end : code.start()], links), code[2] or code[3] or ""]
        end = code.end()
    out.append(_unmarked(text[end:], links))
    return Plain(blocks_of("".join(out)), tuple(dict.fromkeys(links)))


def _escaped_code(text: str) -> str:
    """The text with the angle brackets of its code written so that HTML keeps them."""
    return _CODE.sub(lambda m: m[0].replace("&", "&amp;").replace("<", "&lt;"), text)


def _unmarked(text: str, links: list[str]) -> str:
    def shown(found: re.Match[str]) -> str:
        if target := address(found[2]):
            links.append(target)
        return found[1] or target

    text = _LINK.sub(shown, text)
    for pattern, by in _RULES:
        text = pattern.sub(by, text)
    return text
