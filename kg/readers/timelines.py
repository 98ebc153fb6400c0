"""When an incident started, was detected, mitigated and ended, by the words beside a time.

A kind is read only where the words say it: the first entry of a timeline is not the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from kg.model import DateKind
from kg.readers.blocks import Block
from kg.readers.times_in_prose import Near, Written, day_in, find_times, next_day, settle

_EVENT = (
    r"(?:incident|outage|disruption|downtime|degradation|issue|problem|impact|event|interruption)"
)
_SERVICE = (
    r"(?:services?|sites?|systems?|everything|all \w+|functionality|operations?|traffic|platform)"
)
_BACK = r"(?:fully |completely )?(?:restored|recovered|resolved|operational|back to normal|healthy)"
_AT_ALL = {
    DateKind.STARTED: (
        rf"\b(?:the )?{_EVENT} (?:has |had )?(?:start|beg[iau]n)(?:s|ed|ning|ing|ns)?\b"
        rf"|\b(?:start|beginning|onset) of (?:the |customer |user )?{_EVENT}"
        r"|장애(?:가|는)?\s*(?:발생|시작)|사고(?:가|는)?\s*(?:발생|시작)|障害(?:が|は)?発生|故障(?:发生|开始)"
    ),
    DateKind.ENDED: (
        rf"\b(?:the )?{_EVENT} (?:was |is |has been |had been |were )?(?:fully |completely )?"
        r"(?:resolved|ended|ends|over|closed)\b"
        rf"|\b(?:end) of (?:the |customer |user )?{_EVENT}"
        rf"|\b{_SERVICE} (?:was |were |is |are |has |have |had )?(?:been )?{_BACK}\b"
        r"|장애(?:가|는)?\s*(?:종료|해소|복구)|서비스(?:가|는)?\s*(?:정상화|복구)|障害(?:が|は)?(?:復旧|解消)"
        r"|サービス(?:が|は)?復旧|故障(?:恢复|解除)|服务(?:已)?恢复"
    ),
    DateKind.DETECTED: (
        r"\bfirst (?:alarms?|alerts?|pages?)\b|\b(?:alarms?|alerts?|monitoring|monitors?|pages?)\b"
        r"[^.]{0,30}\b(?:fir(?:ed|es|ing)|trigger(?:ed|s)?|went off|detect(?:ed|s))\b"
        rf"|\b{_EVENT} (?:was |is |were )?(?:first )?(?:detected|discovered|noticed)\b"
        r"|\bbec(?:a|o)me aware\b|\b(?:we|engineers?|team|on-?call) (?:was |were )?"
        r"(?:first )?(?:detect(?:ed|s)|paged|alerted|notified)\b"
        r"|장애(?:를|가)?\s*(?:감지|인지|탐지)|障害(?:を|が)?検知|发现故障"
    ),
    DateKind.MITIGATED: (
        rf"\b{_EVENT} (?:was |is |has been |were )?(?:fully )?mitigated\b|영향(?:이|을)?\s*완화"
    ),
}  # fmt: skip
"""Phrases that say it wherever they stand."""

_IN_ENTRY = {
    DateKind.STARTED: r"^(?:incident|outage|impact) start(?:ed|s)?$|^(?:장애|사고) (?:발생|시작)$",
    DateKind.ENDED: (
        r"\b(?:fully|completely) (?:restored|recovered|resolved|mitigated)\b"
        r"|^(?:\w+ ){0,3}(?:resolved|all clear)\b|\bmarked (?:as )?resolved\b"
        r"|복구\s*(?:완료|확인|됨)|정상화|장애\s*(?:종료|해소)|상황\s*종료|復旧(?:完了|確認)|恢复正常|完全恢复"
    ),
    DateKind.DETECTED: (
        r"\bdetect(?:s|ed)\b|\b(?:alerts?|alarms?|pages?|pagers?)\b[^.]{0,20}"
        r"\b(?:fired?|fires|triggered|received|goes off|went off)\b|\bpaged\b"
        r"|\breceives? [^.]{0,20}alert"
        r"|감지|인지(?!도)|탐지|알람\s*(?:발생|수신)|알림\s*(?:발생|수신)|検知|アラート発|告警(?:触发)?|发现"
    ),
    DateKind.MITIGATED: (
        r"\bmitigated\b|\bmitigation (?:completed?|applied|in place|deployed)\b|완화\s*(?:완료|됨)"
    ),
}  # fmt: skip
"""Further phrases that say it in an entry of a timeline, which speaks of the incident."""

_NOT = re.compile(
    r"\b(?:not|n't|never|no longer|un(?:resolved|detected)|partial(?:ly)?|would|should|could"
    r"|might|may"
    r"|some|most|until|before|after|expected|attempt\w*|try(?:ing)?|begins? to|started? to|why"
    r"|if)\b"
    r"|미복구|부분|일부|못|않|안\s됨|실패|未|部分"
)
_HURT = re.compile(
    r"\b(?:outages?|incidents?|disrupt\w*|unavailab\w*|degrad\w*|down(?:time)?|impact\w*|fail\w*|errors?"
    r"|unable|interrupt\w*|experienc\w*|affect\w*|offline|inaccessible|unreachable|latenc\w*|slow\w*)\b"
    r"|장애|중단|오류|불가|지연|느려|먹통|실패|障害|停止|故障|中断|不可用|エラー", re.I
)  # fmt: skip
_STEP = re.compile(
    r"\s*(?:,\s*)?(?:to|until|till|through|thru|up to|–|-|—|~|〜|→|부터|에서|から|到|至)\s*"
    r"(?:approximately|about|around|roughly|약|~)?\s*(?:on\s+)?", re.I
)  # fmt: skip
_AND = re.compile(r"\s*(?:,\s*)?and\s*(?:approximately|about|around)?\s*", re.I)
_BETWEEN = re.compile(r"\bbetween\s+(?:approximately\s+|about\s+|around\s+)?(?:on\s+)?$", re.I)
_SENTENCE = re.compile(r"(?<=[.!?。])(?<!\b[a-zA-Z]\.)(?<!\b[ap]\.m\.)\s+(?=\S)|\n+|(?<=다\.)\s")
_EDGE = " \t-–—:|,.()[]•*·→>"


@dataclass(frozen=True)
class Span:
    """The stretch between two written times, in words of the source."""

    start: Written
    end: Written


@dataclass(frozen=True)
class Entry:
    """An entry of a timeline.

    Attributes:
        when: its time as written.
        words: what it says.
        line: line of the document.
    """

    when: Written
    words: str
    line: int = 0


def sentences(text: str) -> list[str]:
    """The sentences of a text; lines end sentences."""
    return [s for s in _SENTENCE.split(text) if s.strip()]


def kind_in_sentence(text: str) -> DateKind | None:
    """What a sentence says of the incident at the time that it names; None for nothing clear."""
    return _only(_said(text, kind, _AT_ALL) for kind in DateKind)


def kind_of_entry(words: str) -> DateKind | None:
    """What an entry of a timeline says happened then; None for nothing clear or for two things."""
    bare = words.strip(_EDGE)
    return _only(_said(bare, k, _AT_ALL) or _said(bare, k, _IN_ENTRY) for k in DateKind)


def _said(text: str, kind: DateKind, phrases: Mapping[DateKind, str]) -> DateKind | None:
    """The kind, where a phrase says it and no word around the phrase takes it back."""
    found = re.search(phrases[kind], text, re.I) if kind in phrases else None
    if found is None:
        return None
    around = text[max(0, found.start() - 30) : found.end() + 12]
    return None if _NOT.search(around.lower()) else kind


def _only(kinds: Iterable[DateKind | None]) -> DateKind | None:
    found = [kind for kind in kinds if kind]
    return found[0] if len(found) == 1 else None


def entry_of(block: Block) -> Entry | None:
    """The entry that a list item, paragraph or table row is, None when no time begins it."""
    if block.kind == "row":
        return _row_entry(block)
    if block.kind not in ("item", "text"):
        return None
    times = find_times(block.text[:80])
    if not times or block.text[: times[0].start].strip(_EDGE):
        return None
    first = times[0]
    rest = block.text[first.end :]
    if len(times) > 1 and _STEP.fullmatch(block.text[first.end : times[1].start]):
        rest = block.text[times[1].end :]
    return Entry(first, rest.strip(_EDGE + "\n"), block.line)


def _row_entry(block: Block) -> Entry | None:
    """The time in the first cell, or a date there and a time in the second."""
    cells = block.cells
    if len(cells) < 2 or block.level:
        return None
    for used in (2, 1):
        head = " ".join(cells[:used])
        times = find_times(head)
        if len(times) == 1 and not (head[: times[0].start] + head[times[0].end :]).strip(_EDGE):
            rest = " | ".join(c for c in cells[used:] if c)
            return Entry(times[0], rest, block.line) if rest else None
    return None


def entries(blocks: Sequence[Block]) -> list[Entry]:
    """The entries among blocks, in their order."""
    return [found for block in blocks if (found := entry_of(block))]


def settled(found: Sequence[Entry], near: Near) -> Iterator[tuple[Entry, str | None, str]]:
    """Each entry with its time as `When.at` has it and a note, the day carried on.

    A time of day far before the one above it (by half a day and more) is on the next day, which
    the note says.
    """
    now, last = near, -1
    for entry in found:
        one = entry.when
        if one.dated:
            now, last = replace(now, day=day_in([one], now), where="the entry above it"), -1
        minutes = (one.hour or 0) * 60 + (one.minute or 0) if one.timed else -1
        at, note = settle(one, now)
        if at and one.timed and not one.dated and last - minutes > 12 * 60 and now.day:
            at = next_day(at)
            now = replace(now, day=date.fromisoformat(at[:10]), where="the order of entries")
            note = f"{one.words}: taken for the next day, since the entry above it is later"
        last = minutes if one.timed else last
        yield entry, at, note


def spans(text: str) -> Iterator[Span]:
    """Stretches such as `from 16:58 to 18:46 UTC`; what one end leaves out the other gives."""
    times = find_times(text)
    for first, second in pairwise(times):
        gap = text[first.end : second.start]
        before = text[max(0, first.start - 25) : first.start]
        if _STEP.fullmatch(gap) or (_AND.fullmatch(gap) and _BETWEEN.search(before)):
            yield Span(_completed(first, second), _completed(second, replace(first, day=None)))


def _completed(one: Written, other: Written) -> Written:
    if one.timed and not one.zone and other.zone:
        one = replace(one, zone=other.zone)
    if one.timed and not one.dated and other.dated:
        # Only the start takes its day from the end: an end without day may be on the next one.
        one = replace(one, year=other.year, month=other.month, day=other.day)
    if one.dated and one.year is None and other.year:
        one = replace(one, year=other.year)
    return one


def tells_harm(sentence: str) -> bool:
    """Whether a sentence speaks of an outage, errors or the like."""
    return _HURT.search(sentence) is not None
