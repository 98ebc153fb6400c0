"""An answer in its sentences, each with its place and the numbers that it cites.

Headings, list items, table rows and code blocks are told apart. In doubt a text is split rather
than joined: a sentence that is split too often lacks a citation and is refused, one that is joined
could hide a claim behind the citation of the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """What a piece of an answer is."""

    SENTENCE = "sentence"
    HEADING = "heading"
    CODE = "code"


@dataclass(frozen=True)
class Sentence:
    """A piece of an answer: `text` is answer[start:end], `cited` the numbers that it gives."""

    part: Part
    text: str
    start: int
    end: int
    cited: tuple[int, ...]

    @property
    def bare(self) -> str:
        """The text without its citations, list marker and emphasis."""
        return plain_words(self.text)


_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^\s{0,3}#{1,6}(?:\s|$)")
_BOLD_LINE = re.compile(r"^\s*(?:\*\*|__)[^*_]+(?:\*\*|__)\s*:?\s*$")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$")
_ITEM = re.compile(r"^\s*(?:>\s*)*(?:[-*+•·]|\d{1,3}[.)])\s+")
_QUOTE = re.compile(r"^\s*(?:>\s*)+")

_NUMBERS = r"\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*"
CITATION = re.compile(rf"[\[［【]\s*({_NUMBERS})\s*[\]］】](?!\()")
_EMPHASIS = re.compile(r"(?<!\w)(?P<sign>\*{1,3}|_{1,3})(?=\S)(?P<text>.+?)(?<=\S)(?P=sign)(?!\w)")
_INLINE_CODE = re.compile(r"`[^`\n]+`")
_CODE_OR_CITATION = re.compile(rf"(?P<code>{_INLINE_CODE.pattern})|{CITATION.pattern}")
_STOP = re.compile(
    r"[.!?。！？…]+[\"'”’)\]»*_]*(?=\s|$)"  # a stop, closing signs, then space
    r"|(?<=[가-힣])[.!?](?=[가-힣])"  # Korean without the space
    r"|[.!?。！？…]+[\"'”’)»*_]*(?=\s*[\[［【]\s*\d)"  # a stop, then a citation
    r"|[。！？]"
)
_TRAILING = re.compile(rf"(?:\s*[\[［【]\s*{_NUMBERS}\s*[\]］】](?!\())+[.。]?[*_]*")
_SHORT = "e.g i.e cf vs approx no nos fig eq sec ca resp incl excl dr mr mrs ms st a.k.a"
_ABBREVIATIONS = frozenset(_SHORT.split())
_BEFORE = re.compile(r"([A-Za-z][A-Za-z.]*)$")


def sentences(answer: str) -> list[Sentence]:
    """All pieces of an answer in order; blank lines, rules and fences are left out."""
    return list(_pieces(answer))


def plain_words(text: str) -> str:
    """A text without citations, list markers, heading signs and emphasis."""
    bare = _CODE_OR_CITATION.sub(lambda m: m.group("code") or " ", _ITEM.sub("", text))
    bare = _EMPHASIS.sub(lambda m: m.group("text"), re.sub(r"^\s*#{1,6}\s*", "", bare))
    return re.sub(r"\s+", " ", bare).strip(" |")


def _pieces(answer: str) -> Iterator[Sentence]:
    lines = list(_lines(answer))
    at = 0
    while at < len(lines):
        start, line = lines[at]
        fence = _FENCE.match(line)
        if fence:
            last = _closing(lines, at, fence.group(1))
            yield from _code(answer, lines, at, last)
            at = last + 1
        elif not line.strip() or _RULE.match(line) or _TABLE_RULE.match(line):
            at += 1
        elif _is_heading(lines, at):
            yield _piece(answer, Part.HEADING, start, start + len(line))
            at += 1
        else:
            last = _end_of_block(lines, at)
            end = lines[last][0] + len(lines[last][1])
            yield from _split(answer, _text_start(line, start), end)
            at = last + 1


def _lines(answer: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in answer.split("\n"):
        yield start, line
        start += len(line) + 1


def _closing(lines: list[tuple[int, str]], at: int, fence: str) -> int:
    """The line that closes a code block; the last line where none does."""
    for number in range(at + 1, len(lines)):
        if lines[number][1].strip().startswith(fence):
            return number
    return len(lines) - 1


def _code(answer: str, lines: list[tuple[int, str]], first: int, last: int) -> Iterator[Sentence]:
    start = lines[first][0] + len(lines[first][1]) + 1
    closed = last > first and _FENCE.match(lines[last][1])
    end = lines[last][0] if closed else lines[last][0] + len(lines[last][1])
    if answer[start:end].strip():
        yield Sentence(Part.CODE, answer[start:end], start, end, ())


def _is_heading(lines: list[tuple[int, str]], at: int) -> bool:
    line = lines[at][1]
    following = lines[at + 1][1] if at + 1 < len(lines) else ""
    table_head = "|" in line and "|" in following and _TABLE_RULE.match(following)
    underlined = re.match(r"^\s*(?:={3,}|-{3,})\s*$", following) and not _ITEM.match(line)
    return bool(_HEADING.match(line) or _BOLD_LINE.match(line) or table_head or underlined)


def _end_of_block(lines: list[tuple[int, str]], at: int) -> int:
    """The last line of a paragraph or list item; each table row is one."""
    if lines[at][1].strip().startswith("|"):
        return at
    last = at
    while last + 1 < len(lines):
        line = lines[last + 1][1]
        new = not line.strip() or _FENCE.match(line) or _ITEM.match(line) or _RULE.match(line)
        quoted = bool(_QUOTE.match(line)) is not bool(_QUOTE.match(lines[at][1]))
        if new or quoted or line.strip().startswith("|") or _is_heading(lines, last + 1):
            break
        last += 1
    return last


def _text_start(line: str, start: int) -> int:
    marker = _ITEM.match(line) or _QUOTE.match(line)
    return start + (marker.end() if marker else len(line) - len(line.lstrip()))


def _split(answer: str, start: int, end: int) -> Iterator[Sentence]:
    """The sentences of answer[start:end]."""
    block = answer[start:end]
    code = [m.span() for m in _INLINE_CODE.finditer(block)]
    begin = 0
    for stop in _STOP.finditer(block):
        if stop.start() < begin or any(a <= stop.start() < b for a, b in code):
            continue
        if _abbreviated(block[: stop.start()], stop.group()):
            continue
        cut = stop.end()
        trailing = _TRAILING.match(block, cut)
        cut = trailing.end() if trailing else cut
        yield from _sentence(answer, start + begin, start + cut)
        begin = cut
    yield from _sentence(answer, start + begin, end)


def _sentence(answer: str, start: int, end: int) -> Iterator[Sentence]:
    text = answer[start:end]
    lead = len(text) - len(text.lstrip())
    if any(c.isalnum() for c in text):
        yield _piece(answer, Part.SENTENCE, start + lead, start + len(text.rstrip()))


def _piece(answer: str, part: Part, start: int, end: int) -> Sentence:
    text = answer[start:end]
    return Sentence(part, text, start, end, cited_in(text))


def cited_in(text: str) -> tuple[int, ...]:
    """The numbers that a text cites, each once; `[2-4]` is three. Inline code cites nothing."""
    found: list[int] = []
    hidden = _INLINE_CODE.sub(lambda m: "`" + " " * (len(m.group()) - 2) + "`", text)
    for match in CITATION.finditer(hidden):
        for part in re.split(r"[,;]", match.group(1)):
            ends = [int(n) for n in re.findall(r"\d+", part)]
            low, high = ends[0], ends[-1]
            found += range(low, high + 1) if high - low < 50 else [low, high]
    return tuple(dict.fromkeys(found))


def _abbreviated(before: str, stop: str) -> bool:
    word = _BEFORE.search(before)
    return stop == "." and word is not None and word.group(1).lower() in _ABBREVIATIONS
