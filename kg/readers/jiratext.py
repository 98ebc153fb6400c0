"""Plain text out of what Jira writes: its wiki mark-up, and the Atlassian Document Format (ADF)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kg.readers.jsonvalues import address, clean, objects, word, words
from kg.readers.plaintext import BOLD, Plain, blocks_of, mark

_CODE = re.compile(
    r"\{(?P<name>code|noformat)(?P<kind>:[^}\n]*)?\}(?P<code>.*?)(?:\{(?P=name)\}|\Z)", re.DOTALL
)
_INLINE_CODE = re.compile(r"\{\{([^{}\n]+)\}\}")
_MENTION = re.compile(r"\[~(?:accountid:)?([^\]\n|]+)\]")
_LINK = re.compile(
    r"\[(?:([^\[\]|\n]*)\|)?([a-z]+://[^\s\[\]|]+|mailto:[^\s\[\]|]+)(?:\|[^\[\]\n]*)?\]"
)
_INNER_LINK = re.compile(r"\[([^\[\]|\n]+)\|(?:#|\^)?[^\[\]|\n]+\]")
_PAIR = r"(?<![\w{0}]){0}(?=[^\s{0}])([^\n{0}]+?)(?<=\S){0}(?![\w{0}])"

_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
_PARTS = "panel|quote|color|expand|info|warning|note|tip|anchor|section|column"
_PICTURE = r"!([^\s!|]+\.(?:png|jpe?g|gif|bmp|svg|webp))(?:\|[^!\n]*)?!"
_RULES: tuple[_Rule, ...] = (
    (re.compile(r"^[ \t]*h([1-6])\.[ \t]+([^\n]+)$", re.M), lambda m: mark(int(m[1]), m[2])),
    (re.compile(r"^[ \t]*\*([^*\n]{1,80})\*[ \t]*:?[ \t]*$", re.M), lambda m: mark(BOLD, m[1])),
    (re.compile(rf"\{{(?:{_PARTS})(?::[^}}\n]*)?\}}"), ""),
    (re.compile(r"^[ \t]*bq\.[ \t]+", re.M), ""),
    (re.compile(r"^[ \t]*-{4,}[ \t]*$", re.M), ""),
    (re.compile(r"^[ \t]*[*#-]+[ \t]+", re.M), "- "),
    (re.compile(_PICTURE, re.I), r"\1"),
    (re.compile(_PAIR.format(r"\*")), r"\1"),
    (re.compile(_PAIR.format(r"\+")), r"\1"),
    (re.compile(r"^\|\|(.*?)\|\|[ \t]*$", re.M), lambda m: m[1].replace("||", " | ")),
    (re.compile(r"\\([\[\]{}*_+!|-])"), r"\1"),
    (re.compile(r"\\\\(?=\s|$)"), "\n"),
)


def wiki_text(text: str) -> Plain:
    """Plain text of Jira's wiki mark-up; what stands in code and `noformat` stays as it is."""
    text = clean(text)
    links: list[str] = []
    people: list[str] = []
    out, end = [], 0
    for code in _CODE.finditer(text):
        out += [_unmarked(text[end : code.start()], links, people), _apart(code["code"])]
        end = code.end()
    out.append(_unmarked(text[end:], links, people))
    return Plain(blocks_of("".join(out)), _once(links), _once(people))


def _apart(code: str) -> str:
    return f"\n{code.strip()}\n" if "\n" in code else code


def _unmarked(text: str, links: list[str], people: list[str]) -> str:
    def link(found: re.Match[str]) -> str:
        if target := address(found[2]):
            links.append(target)
        return found[1] or found[2].removeprefix("mailto:")

    def mention(found: re.Match[str]) -> str:
        people.append(found[1])
        return found[1]

    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[1])
        return f"\x03{len(kept) - 1}\x03"

    text = _INLINE_CODE.sub(keep, text)
    text = _INNER_LINK.sub(r"\1", _LINK.sub(link, _MENTION.sub(mention, text)))
    for pattern, by in _RULES:
        text = pattern.sub(by, text)
    return re.sub(r"\x03(\d+)\x03", lambda m: kept[int(m[1])], text)


def _once(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


_BLOCKS = words(
    "paragraph codeBlock blockquote panel bulletList orderedList table rule expand nestedExpand "
    "mediaSingle mediaGroup taskList decisionList"
)
_LINES = words("listItem tableRow taskItem decisionItem")


def document_text(document: object) -> Plain:
    """Plain text of a document in ADF: an object of `type`, `content`, `text`, `marks`."""
    links: list[str] = []
    people: list[str] = []
    out: list[str] = []
    # A stack of its own: documents may be nested deeper than Python calls may be.
    todo: list[Any] = [document]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            out.append(node)
            continue
        if not isinstance(node, dict):
            continue
        before, after = _around(node, links, people)
        out.append(before)
        todo.append(after)
        content = node.get("content")
        if node.get("type") == "heading":
            todo.append(mark(_level(node), _flat(content)))
        elif isinstance(content, list):
            todo.extend(reversed([c for c in content if isinstance(c, dict)]))
    text = re.sub(r"^- \n+", "- ", "".join(out), flags=re.M)  # items hold paragraphs
    return Plain(blocks_of(text), _once(links), _once(people))


def _around(node: dict[str, Any], links: list[str], people: list[str]) -> tuple[str, str]:
    """What to write before and after the content of a node."""
    kind, given = word(node.get("type")), node.get("attrs")
    attrs = given if isinstance(given, dict) else {}
    marks = (mark_.get("attrs") for mark_ in objects(node.get("marks")))
    for link in objects([attrs, *marks]):
        links += [t for t in [address(link.get("href")) or address(link.get("url"))] if t]
    if kind == "text":
        return clean(node["text"]) if isinstance(node.get("text"), str) else "", ""
    if kind == "hardBreak":
        return "\n", ""
    if kind == "mention":
        people.append(word(attrs.get("text")).lstrip("@"))
        return people[-1], ""
    if kind in ("inlineCard", "blockCard"):
        return word(attrs.get("url")), ""
    if kind in ("emoji", "status", "date"):
        return word(attrs.get("text") or attrs.get("shortName")), ""
    if kind in _LINES:
        return "\n- " if kind != "tableRow" else "\n", ""
    if kind in ("tableCell", "tableHeader"):
        return "", " | "
    return ("\n\n", "\n\n") if kind in _BLOCKS else ("", "")


def _level(node: dict[str, Any]) -> int:
    attrs = node.get("attrs")
    level = attrs.get("level") if isinstance(attrs, dict) else None
    return level if isinstance(level, int) and 1 <= level <= 6 else 6


def _flat(content: object) -> str:
    return "".join(_spaced(c.get("text")) for c in objects(content))


def _spaced(value: object) -> str:
    """A text with its spaces kept; "" for all else."""
    return clean(value) if isinstance(value, str) else ""
