"""The language of a text, and whether it tells of one event, of many, or of statistics."""

from __future__ import annotations

import re

from kg.model import CaseKind

_COMMON = frozenset(
    [
        "the",
        "of",
        "and",
        "to",
        "in",
        "is",
        "was",
        "a",
        "for",
        "on",
        "that",
        "with",
        "we",
        "it",
        "were",
        "at",
        "from",
        "by",
        "this",
    ]
)
_MANY = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,3}\+?|several|multiple|many)\s+"
    r"(?:distinct|separate|different|individual|unexpected|unplanned)\s+"
    r"(?:\w+\s+){0,2}(?:incidents|outages|disruptions|interruptions|events|failures|restarts)\b"
    r"|\b\d{2,4}\+?\s+(?:\w+\s+){0,1}(?:restarts|interruptions)\b"
    r"|\bmultiple (?:service )?(?:outages|interruptions)\b"
    r"|일주일에 한 번|되풀이(?:됐|되었)|반복(?:해서|됐|되었)|\d{2,4}\s?번\s?(?:넘게|이상"
    r"|의)?\s?(?:[가-힣]+\s?){0,2}(?:중단|재시작|장애)", re.I
)  # fmt: skip
_STUDY = re.compile(
    r"(?:작업|사례|장애|사고|잡)\s?[\d,]{2,}\s?(?:개|건)[^.]{0,20}(?:분석|조사)"
    r"|\b(?:analy[sz]ed?|stud(?:y|ied)|survey(?:ed)? of"
    r"|characteri[sz]e\w*)\s+(?:of\s+)?[\d,]{3,}\s+(?:\w+\s+){0,3}"
    r"(?:jobs|incidents|failures|outages|postmortems|bugs)", re.I
)  # fmt: skip
_DIARY = re.compile(
    r"\b(?:chronicles?|logbook|diary|journal|training[ _-](?:notes|log)s?)\b|일지|日志|日記|日誌",
    re.I,
)
_COUNTS = {
    w: i for i, w in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
}  # fmt: skip
_DISTINCT = re.compile(
    r"\b(\w+)\s+(?:distinct|separate|different|individual)\s+(?:\w+\s+){0,2}"
    r"(?:incidents|outages|disruptions|interruptions|events)\b", re.I
)  # fmt: skip


def spoken_language(text: str) -> str:
    """The language tag of a text by its letters: `ko`, `ja`, `zh`, `en`; `und` for another.

    Reports of engineers mix English identifiers into every language, so a fifth of the letters
    is enough (Hangul and kana a tenth).
    """
    sample = text[:20_000]
    letters = sum(c.isalpha() for c in sample) or 1
    hangul = sum("가" <= c <= "힣" for c in sample) / letters
    kana = sum("\u3040" <= c <= "\u30ff" for c in sample) / letters
    han = sum("\u4e00" <= c <= "\u9fff" for c in sample) / letters
    if hangul >= 0.1:
        return "ko"
    if kana >= 0.1 or (kana >= 0.03 and han >= 0.1):
        return "ja"
    if han >= 0.1:
        return "zh"
    words = re.findall(r"[a-zA-ZÀ-ÿ]+", sample.lower())
    common = sum(w in _COMMON for w in words)
    return "und" if len(words) >= 60 and common < len(words) * 0.04 else "en"


def kind_by_words(title: str, lead: str) -> CaseKind:
    """Whether a report says that it tells of many events or of statistics; else one event."""
    said = f"{title}\n{lead[:2000]}"
    if _STUDY.search(said):
        return CaseKind.STUDY
    many = _DIARY.search(title) or _MANY.search(said)
    return CaseKind.SERIES if many else CaseKind.INCIDENT


def events_spoken_of(text: str) -> int | None:
    """How many distinct events a report says that it tells of, None when it does not say."""
    found = _DISTINCT.search(text)
    if not found:
        return None
    word = found[1].lower()
    return int(word) if word.isdecimal() and len(word) < 4 else _COUNTS.get(word)
