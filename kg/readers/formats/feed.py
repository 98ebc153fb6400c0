"""Atom and RSS feeds: histories of status pages, and lists of outages. Each entry is one event."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

from kg.errors import Problem
from kg.model import CaseKind, DateKind, SourceKind, When
from kg.readers.blocks import Block, Section, tidy
from kg.readers.clock import moment
from kg.readers.document import Document
from kg.readers.draft import Cited, Draft
from kg.readers.formats.format import Format, Reading
from kg.readers.gathering import LABELLED, SENTENCE, Gathering
from kg.readers.htmltext import html_blocks, html_text
from kg.readers.problems import no_text
from kg.readers.report import Placed, tell
from kg.readers.stated import people_in
from kg.readers.telling import Telling, told
from kg.readers.times_in_prose import Near, Written, find_times, nearest_year, settle

_OPENS = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*|<\?.*?\?>\s*)*<(?:feed|rss|rdf:RDF)\b", re.S
)
_ENTITIES = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.I)
_PREFIX = re.compile(r"(</?)[\w-]+:(?=[a-z])")
_ENTRIES = ("entry", "item")
_PIECE = 65_536
_UPDATE = re.compile(r"(?P<when>[^\n]{5,48})\n(?P<label>[^\n]{3,30}?)\s+[-–—]\s*(?P<text>.*)", re.S)
_STATES = {
    "investigating": "symptom", "identified": "summary", "monitoring": "mitigation",
    "update": "summary", "resolved": "summary", "postmortem": "summary", "verifying": "summary",
    "completed": "summary", "scheduled": "summary", "in progress": "summary",
    "mitigated": "summary",
    "조사 중": "symptom", "확인됨": "summary", "모니터링 중": "mitigation", "해결됨": "summary",
    "업데이트": "summary", "調査中": "symptom", "特定": "summary", "監視中": "mitigation",
    "解決済み": "summary",
}  # fmt: skip
"""What a status page calls its updates, and where their text belongs."""

_OVER = ("resolved", "completed", "해결됨", "解決済み")
_PLANNED = ("scheduled", "in progress", "verifying")
_CODE = re.compile(r"/incidents?/([\w-]{4,60})/?$")


@dataclass(frozen=True)
class _Feed:
    """What a feed says of all its entries."""

    title: str = ""
    author: str = ""
    link: str = ""


@dataclass(frozen=True)
class _Update:
    """One update of a status page."""

    when: Written | None
    label: str
    text: str
    shown: str


def _sure(document: Document) -> float:
    return 0.95 if _OPENS.match(document.head) else 0.0


def _read(document: Document) -> Reading:
    # Pieces of a feed are the prolog, the element of the feed, and its entries, one at a time.
    if _ENTITIES.search(document.text[:20_000]):
        yield _broken(document.name, 1, "it declares a document type or entities, which is refused")
        return
    reading = _entries(document)
    feed, count = _Feed(), 0
    while True:
        try:
            entry = next(reading, None)
        except (ElementTree.ParseError, ValueError, RecursionError) as error:
            line = getattr(error, "position", (0, 0))[0]
            yield _broken(document.name, line, f"its XML is broken here ({error})")
            return
        if entry is None:
            break
        if isinstance(entry, _Feed):
            feed = entry
            continue
        count += 1
        yield from _drafts(document.name, entry, feed)
    if not count:
        yield no_text(document.name)


def _broken(name: str, line: int, what: str) -> Problem:
    return Problem(name, line, "", f"the feed cannot be read: {what}", "Fetch it again, or mend it")


def _entries(document: Document) -> Iterator[ElementTree.Element | _Feed]:
    """The head of a feed as far as it is known, and its entries, as they are read."""
    text = document.text.encode("utf-8", "replace").decode()
    parser: ElementTree.XMLPullParser[Any] = ElementTree.XMLPullParser(("start", "end"))
    depth, told_head = 0, False
    root: ElementTree.Element | None = None
    for start in range(0, len(text), _PIECE):
        parser.feed(text[start : start + _PIECE])
        for pair in parser.read_events():
            event, element = str(pair[0]), pair[-1]
            if not isinstance(element, ElementTree.Element):
                continue
            root = element if root is None else root
            depth += 1 if event == "start" else -1
            if event == "start" and _local(element) in _ENTRIES and not told_head:
                told_head = True
                yield _head(root)
            elif event == "end" and _local(element) in _ENTRIES and depth <= 2:
                yield element
                element.clear()
    parser.close()


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _head(root: ElementTree.Element) -> _Feed:
    channel = next((c for c in root if _local(c) == "channel"), root)
    author = next((c for c in channel if _local(c) == "author"), None)
    return _Feed(
        _text(channel, "title"), _text(author, "name") if author is not None else "", _link(channel)
    )


def _text(element: ElementTree.Element, *names: str) -> str:
    """The text of the first child of one of the names, its mark-up kept as it stands."""
    for name in names:
        for child in element:
            if _local(child) == name:
                if len(child):
                    # XHTML inside: written out again, without the prefixes of its namespace.
                    marked = "".join(ElementTree.tostring(c, encoding="unicode") for c in child)
                    return (child.text or "") + _PREFIX.sub(r"\1", marked)
                return (child.text or "").strip()
    return ""


def _link(element: ElementTree.Element) -> str:
    """The address of an entry or feed: Atom's alternate link, or the text of RSS's."""
    found = ""
    for child in element:
        if _local(child) != "link":
            continue
        href = child.get("href") or (child.text or "").strip()
        if child.get("rel", "alternate") == "alternate" and href:
            found = found or href
    return found.replace(" ", "%20")


def _drafts(name: str, entry: ElementTree.Element, feed: _Feed) -> Iterator[Draft | Problem]:
    title = tidy(html_text(_text(entry, "title"))).replace("\n", " ")
    html = _text(entry, "content", "encoded", "description", "summary")
    blocks = html_blocks(html)
    updates = [u for b in blocks if (u := _update(b))]
    published = moment(_text(entry, "published", "pubDate", "date", "issued"))
    updated = moment(_text(entry, "updated", "modified"))
    link = _link(entry)
    host, path = _site(link or feed.link)
    code = _CODE.search(path) if link else None
    source_id = code[1] if code else _text(entry, "id", "guid")
    day = date.fromisoformat((published or updated or "2000-01-01")[:10])
    telling = Telling(
        "feed",
        name,
        blocks,
        title=title,
        source_id=source_id,
        system=host,
        address=link,
        cited=SourceKind.DOCUMENT,
        whole_file=False,
        near=Near(year=day.year, where="the date of the entry") if published or updated else Near(),
    )
    author = next((c for c in entry if _local(c) in ("author", "creator")), None)
    people = people_in(_text(author, "name") or author.text or "") if author is not None else []
    known = any(u.label.lower() in _STATES for u in updates)
    if known:
        made: Iterator[Draft | Problem] = _status(telling, updates, feed, day)
    else:
        made = told(telling)
    for draft in made:
        if isinstance(draft, Problem):
            yield draft if known else replace(draft, message=f"{title[:80]!r}: {draft.message}")
        else:
            yield _dated(draft, published, updated, people)


def _site(address: str) -> tuple[str, str]:
    """Host and path of an address, "" and "" of what is none."""
    try:
        parts = urlsplit(address) if address.startswith(("http://", "https://")) else None
        return (parts.hostname or "", parts.path) if parts else ("", "")
    except ValueError:
        return "", ""


def _dated(draft: Draft, published: str | None, updated: str | None, people: list[str]) -> Draft:
    """The draft with the times of its entry."""
    dates = draft.dates
    if published:
        first = When(kind=DateKind.PUBLISHED, at=published)
        dates = (first, *(d for d in dates if d.kind is not DateKind.PUBLISHED))
    return replace(
        draft,
        dates=dates,
        updated=updated or "",
        people=tuple(dict.fromkeys((*draft.people, *people))),
    )


def _update(block: Block) -> _Update | None:
    """The update that a block is: a time, a line below it a state and its text."""
    found = _UPDATE.fullmatch(block.text)
    if not found:
        return None
    times = find_times(found["when"])
    if len(times) != 1:
        return None
    return _Update(times[0], found["label"].strip(), found["text"].strip(), found["when"].strip())


def _status(
    telling: Telling, updates: list[_Update], feed: _Feed, day: date
) -> Iterator[Draft | Problem]:
    """An incident of a status page, its updates in order of time."""
    labels = [u.label.lower() for u in updates]
    if any(label in _PLANNED for label in labels) and "investigating" not in labels:
        yield Problem(
            telling.file,
            0,
            "",
            f"{telling.title[:80]!r} is scheduled maintenance, not an incident",
            "Nothing needs to be done",
        )
        return
    into = Gathering("feed", telling.file, near=telling.near, title=telling.title)
    into.source_id, into.system, into.organization = telling.source_id, telling.system, feed.author
    into.kind = CaseKind.INCIDENT
    timed = [(u, _at(u, day)) for u in updates]
    timed.sort(key=lambda pair: pair[1] or "9999")
    for update, at in timed:
        heading = f"{update.label} {update.shown}"
        role = _STATES.get(update.label.lower(), "summary")
        near = (
            Near(date.fromisoformat(at[:10]), where="the time of the update") if at else into.near
        )
        into.near = Near(year=near.years(), where=near.where)
        section = Section(heading, blocks=[Block("text", update.text)])
        tell(into, [Placed(section, role)], of_series=True)
    into.near = telling.near
    _ends(into, timed)
    into.source = Cited(telling.cited, telling.title, telling.address)
    into.link([telling.address] if telling.address else [])
    yield into.draft()


def _at(update: _Update, day: date) -> str | None:
    """The time of an update, its year the one that lies nearest to the day of the entry."""
    if update.when is None:
        return None
    year = update.when.year or nearest_year(update.when, day)
    return settle(update.when, Near(year=year))[0]


def _ends(into: Gathering, timed: list[tuple[_Update, str | None]]) -> None:
    """Start and end by the updates, where no text says it better."""
    first, at = timed[0]
    if at and first.label.lower() not in (*_OVER, "postmortem"):
        into.when(DateKind.STARTED, at, SENTENCE)
    over = [at for update, at in timed if update.label.lower() in _OVER and at]
    still = next((u for u, _ in reversed(timed) if u.label.lower() != "postmortem"), None)
    if over and still and still.label.lower() in _OVER:
        into.when(DateKind.ENDED, over[-1], LABELLED + 2)


FORMAT = Format(
    name="feed",
    about="Atom and RSS feeds of status pages and outages",
    suffixes=(".atom", ".rss", ".xml"),
    sure=_sure,
    read=_read,
)
