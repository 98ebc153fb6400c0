"""Pages of an incident library, as text and as HTML: the page of a case, and a list of cases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kg.errors import Problem
from kg.model import CaseKind, ClaimKind, DateKind, SourceKind
from kg.readers.document import Document
from kg.readers.draft import Cited, Draft, Given, Passage
from kg.readers.formats.format import Format, Reading
from kg.readers.gathering import LABELLED, RANGE, Gathering
from kg.readers.libraryline import CHIP, Line, chips, page_lines
from kg.readers.librarylist import is_list, listed
from kg.readers.markdown import MOST
from kg.readers.problems import too_long
from kg.readers.spoken import kind_by_words, spoken_language
from kg.readers.timelines import sentences

SYSTEM = "incident-library"

_HEAD = re.compile(
    r"(?P<id>[A-Z]{2,6}-\d{1,8})\b[\s¦]*(?P<org>[^·]*?)[\s¦]*·?\s*(?P<at>(?:19|20)\d{2}(?:-\d{2}){0,2})"
    r"\s*\((?P<kind>[^()]{2,12})\)[\s¦]*(?P<domain>[a-z][\w-]*)?"
)
_KINDS = {
    "게시일": DateKind.PUBLISHED, "발생일": DateKind.STARTED, "시작일": DateKind.STARTED,
    "감지일": DateKind.DETECTED, "종료일": DateKind.ENDED, "published": DateKind.PUBLISHED,
    "started": DateKind.STARTED, "occurred": DateKind.STARTED, "ended": DateKind.ENDED,
}  # fmt: skip
_LABELS = {
    "심각도": "severity", "severity": "severity", "영향 범위": "impact", "impact": "impact",
    "영향 사용자": "affected_users", "affected users": "affected_users", "지역": "regions",
    "region": "regions", "감지까지": "ttd", "time to detect": "ttd", "복구까지": "ttr",
    "time to recover": "ttr",
}  # fmt: skip
_PARTS = {
    "증상": "symptom", "symptom": "symptom", "symptoms": "symptom", "원인": "cause",
    "cause": "cause", "causes": "cause", "감지": "detection", "detection": "detection",
    "조치": "mitigation", "mitigation": "mitigation", "mitigations": "mitigation",
    "후속 조치": "follow_up", "follow-up": "follow_up", "follow-ups": "follow_up",
    "교훈": "lesson", "lesson": "lesson", "lessons": "lesson", "출처": "sources",
    "sources": "sources", "참고 문서": "references", "references": "references",
    "관련 사례": "related", "related cases": "related",
    "내 클러스터에도 있는지 확인하기": "exposure", "check your own cluster": "exposure",
    "ai 도구와 스크립트용": "machine", "for ai tools and scripts": "machine",
}  # fmt: skip
_WITHIN = {
    "촉발": "trigger", "trigger": "trigger", "기여 요인": "factor",
    "contributing factors": "factor",
    "구성 요소": "component", "components": "component", "원인": "cause", "증상": "symptom",
}  # fmt: skip
_CHIPS = {
    "증상": ClaimKind.SYMPTOM, "symptoms": ClaimKind.SYMPTOM, "원인": ClaimKind.CAUSE,
    "causes": ClaimKind.CAUSE, "구성 요소": ClaimKind.COMPONENT, "components": ClaimKind.COMPONENT,
    "기여 요인": ClaimKind.FACTOR, "contributing factors": ClaimKind.FACTOR,
}  # fmt: skip
_TELLING = ("심각도", "감지까지", "증상", "Time to detect", "Severity", "Symptoms")
_ID = re.compile(r"\b[A-Z]{2,6}-\d{1,8}\b")
_RECORDS = re.compile(r"기록|분석|traces?\b|analy[sz]", re.I)


def _header(lines: Sequence[Line]) -> tuple[int, re.Match[str]] | None:
    for i, line in enumerate(lines[:12]):
        if found := _HEAD.match(line.text):
            return i, found
    return None


def _sure(document: Document) -> float:
    head = document.head
    if not (_HEAD.search(head) or "Incident Library" in head or _ID.search(head)):
        return 0.0
    if not any(word in document.text[:60_000] for word in _TELLING):
        return 0.0
    lines = page_lines(Document(document.name, document.text[:60_000]))
    known = {line.text.lower() for line in lines}
    if _header(lines):
        labels = sum(label in known for label in _LABELS)
        return 0.97 if labels >= 2 else 0.4
    return 0.96 if is_list(lines) else 0.0


def _read(document: Document) -> Reading:
    if len(document.text) > MOST:
        yield too_long(document.name, MOST)
        return
    lines = page_lines(document)
    head = _header(lines)
    if head is not None:
        yield _page(document.name, lines, *head)
    elif is_list(lines):
        yield from listed(document.name, lines, SYSTEM)
    else:
        yield Problem(
            document.name,
            0,
            "",
            "neither the page of a case nor a list of cases",
            "Save the page of a case, with its id and date in the first lines",
        )


def _page(name: str, lines: Sequence[Line], at: int, head: re.Match[str]) -> Draft:
    into = Gathering("library-page", name, source_id=head["id"], system=SYSTEM)
    into.organization = re.sub(r"(?<=[A-Za-z])의$", "", head["org"].replace(CHIP, " ").strip())
    kind = _KINDS.get(head["kind"].strip().lower())
    into.when(kind or DateKind.PUBLISHED, head["at"], LABELLED)
    if kind is None:
        into.note(
            f"the date is a {head['kind']!r}, which is not known", "Taken for that of the page"
        )
    into.title = lines[at + 1].text.replace(CHIP, " ") if at + 1 < len(lines) else ""
    into.line = lines[at].number
    body = lines[at + 2 :]
    parts = dict(_divided(body))
    _summary(into, parts.pop("summary", []))
    for part, part_lines in parts.items():
        _part(into, part, part_lines)
    _what_kind(into)
    draft = into.draft()
    address = next((k.href for k in into.links if k.rel == "json"), "")
    return replace(
        draft,
        lang=spoken_language(
            " ".join([into.title, into.passages[0].text if into.passages else ""])
        ),
        passages=_with_languages(draft),
        domain=head["domain"] or "",
        source=Cited(SourceKind.LIBRARY, into.title, address),
    )


def _divided(lines: Sequence[Line]) -> Iterator[tuple[str, list[Line]]]:
    """The parts of a page by their headings; what stands above the first is the summary."""
    part, found = "summary", dict[str, list[Line]]()
    found["summary"] = []
    for line in lines:
        key = line.text.lower().rstrip(":")
        if key in _PARTS and (_PARTS[key] not in found or _PARTS[key] == part):
            part = _PARTS[key]
            found.setdefault(part, [])
        else:
            found[part].append(line)
    yield from found.items()


def _summary(into: Gathering, lines: Sequence[Line]) -> None:
    """The paragraphs, and below them the labels with their values."""
    keys = [line.text.lower().rstrip(":") for line in lines]
    first = next((i for i, key in enumerate(keys) if key in _LABELS), len(lines))
    if first:
        into.add("summary", "\n\n".join(t.text for t in lines[:first]), "", lines[0].number)
    label, role = "", ""
    for line, key in zip(lines[first:], keys[first:], strict=True):
        if key in _LABELS:
            label, role = line.text, _LABELS[key]
        else:
            _value(into, role, label, line)


def _value(into: Gathering, role: str, label: str, line: Line) -> None:
    if not line.said:
        return
    if role in ("impact", "affected_users"):
        into.add(role, line.text.replace(CHIP, " "), label, line.number)
    else:
        into.value(role, label, line.text.replace(CHIP, ", "), line.number)


def _part(into: Gathering, part: str, lines: Sequence[Line]) -> None:
    if part == "related":
        text = " ".join([*(t.said for t in lines), *(a for t in lines for a in t.links)])
        into.related += [i for i in dict.fromkeys(_ID.findall(text)) if i != into.source_id]
    elif part in ("sources", "references"):
        rel = "source" if part == "sources" else "reference"
        into.link((a for t in lines for a in t.links), rel)
    elif part == "machine":
        for href in (a for t in lines for a in t.links):
            into.link([href], _rel(href))
    elif part != "exposure":
        _prose(into, part, lines)


def _rel(href: str) -> str:
    if href.rstrip("/").endswith("/similar"):
        return "similar"
    if "/cases/" in href:
        return "json"
    return "mcp" if "mcp" in href else "related"


def _prose(into: Gathering, part: str, lines: Sequence[Line]) -> None:
    """The paragraphs or list items of a part; what stands under a label within it is its own."""
    heading = _heading_of(part)
    texts: dict[tuple[str, str], list[Line]] = {}
    place, label = part, heading
    for line in lines:
        key = line.text.lower().rstrip(":")
        if part == "cause" and key in _WITHIN:
            place, label = _WITHIN[key], line.text
        elif _chips(into, line, label if place in ("component", "factor") else ""):
            continue
        elif line.said:
            texts.setdefault((place, label), []).append(line)
    for (name, said), found in texts.items():
        field = {"factor": "cause", "component": "cause"}.get(name, name)
        joined = "\n\n".join(t.text.replace(CHIP, ", ") for t in found)
        into.add(field, joined, said, found[0].number)
    if not lines:
        into.note(
            f"the heading {heading!r} has no text; taken for not captured, not for none",
            "Add its text, or [] for none, if you know it",
            about=part,
        )


def _heading_of(part: str) -> str:
    return next(label for label, name in _PARTS.items() if name == part)


def _chips(into: Gathering, line: Line, under: str) -> bool:
    """Takes a line of labels: `증상 NCCL 타임아웃학습 작업 실패`, or labels under their heading."""
    opened = next((k for k in _CHIPS if line.text.lower().startswith((f"{k} ", f"{k}{CHIP}"))), "")
    key = opened or (under.lower() if under.lower() in _CHIPS else "")
    if not key or not line.said:
        return False
    kind = _CHIPS[key]
    found = chips(line.text[len(opened) :].strip(f" {CHIP}"), str(kind))
    if not found:
        return False
    into.given += [Given(kind, name, key=key) for name in found]
    return True


def _what_kind(into: Gathering) -> None:
    """A study of many jobs states the time that it looked at, which is its start and end."""
    text = into.passages[0].text if into.passages else ""
    into.kind = kind_by_words(into.title, text)
    if into.kind is CaseKind.INCIDENT:
        return
    into.note(
        f"taken for a {into.kind} and not for one incident, by the words of its beginning",
        "Say so if it tells of one incident",
        about="kind",
    )
    if into.kind is CaseKind.STUDY:
        for said in sentences(text):
            if _RECORDS.search(said) and into.stretch(said, RANGE):
                return


def _with_languages(draft: Draft) -> tuple[Passage, ...]:
    """The passages, each with its language where it is another than that of the page."""
    first = draft.passages[0].text if draft.passages else ""
    main = spoken_language(f"{draft.title} {first}")
    found = []
    for passage in draft.passages:
        lang = spoken_language(passage.text)
        found.append(replace(passage, lang=lang if lang != main else ""))
    return tuple(found)


FORMAT = Format(
    name="library-page",
    about="pages of an incident library, as text or HTML: a case, or a list of cases",
    suffixes=(".txt", ".html", ".htm"),
    sure=_sure,
    read=_read,
)
