"""The figures of a text in one measure: `3 hours`, `3시간`, `180 min` and `10,800 s` are equal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_UNITS: dict[str, tuple[float, str]] = {}


def _known(kind: str, names: dict[str, float]) -> None:
    for row, factor in names.items():
        _UNITS.update(dict.fromkeys(row.split(), (factor, kind)))


_known("s", {
    "ns nanosecond nanoseconds 나노초": 1e-9, "us µs μs microsecond microseconds 마이크로초": 1e-6,
    "ms millisecond milliseconds 밀리초": 1e-3, "s sec secs second seconds 초": 1.0,
    "m min mins minute minutes 분": 60.0, "h hr hrs hour hours 시간": 3600.0,
    "d day days 일": 86400.0, "week weeks 주": 604800.0,
})  # fmt: skip
_known("%", {"% ％ percent pct 퍼센트 프로": 1.0})
_known("byte", {
    "byte bytes 바이트": 1.0, "kb kilobyte kilobytes": 1e3, "mb megabyte megabytes": 1e6,
    "gb gigabyte gigabytes 기가바이트": 1e9, "tb terabyte terabytes": 1e12, "pb": 1e15,
    "kib": 2.0**10, "mib": 2.0**20, "gib": 2.0**30, "tib": 2.0**40,
})  # fmt: skip
_known("W", {"w watt watts 와트": 1.0, "kw kilowatt kilowatts 킬로와트": 1e3, "mw": 1e6})
_known("x", {"x × 배": 1.0})
_known("Hz", {"hz": 1.0, "khz": 1e3, "mhz": 1e6, "ghz": 1e9})
_known("°C", {"°c": 1.0})
_known("bit/s", {"bps": 1.0, "kbps": 1e3, "mbps": 1e6, "gbps gbit/s": 1e9, "tbps": 1e12})
_known("byte/s", {"kb/s": 1e3, "mb/s": 1e6, "gb/s": 1e9, "tb/s": 1e12})
_known("token/s", {"tok/s token/s tokens/s": 1.0})
_known("request/s", {"rps qps req/s request/s requests/s": 1.0})
_known("GPU·h", {"gpu·h gpu-hours gpu-hour": 1.0})

_SCALES = {
    "k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9,
    "천": 1e3, "만": 1e4, "백만": 1e6, "억": 1e8,
}  # fmt: skip
_SPELLED = """
zero | one 한 | two 두 | three 세 | four 네 | five 다섯 | six 여섯 | seven 일곱 | eight 여덟 |
nine 아홉 | ten 열 | eleven | twelve | thirteen | fourteen | fifteen | sixteen | seventeen |
eighteen | nineteen | twenty 스무
"""
_WORDS = {
    word: float(number)
    for number, names in enumerate(_SPELLED.split("|"))
    for word in names.split()
}
_WORDS.update({"thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "ninety": 90.0})

_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_WORD = "|".join(sorted(_WORDS, key=lambda w: -len(w)))
_SCALE = (
    r"(?:\s?(?P<scale>thousand|million|billion|백만|천|만|억)(?![A-Za-z])|(?P<k>k)(?![A-Za-z]))?"
)
_UNIT = "|".join(sorted((re.escape(u) for u in _UNITS), key=lambda u: -len(u)))
_FIGURE = re.compile(
    rf"(?<![\w.])(?<!\d,)(?:(?P<low>{_DIGITS})\s?(?:-|–|~|to|and|에서|내지)\s?)?"
    rf"(?:(?P<number>{_DIGITS})(?!\.?\d)|(?P<word>{_WORD})(?![A-Za-z]))"
    rf"{_SCALE}(?:[\s-]?(?P<unit>{_UNIT})(?![A-Za-z0-9_/]))?",
    re.IGNORECASE,
)
_ONE = rf"(?:{_DIGITS}|{_WORD}|an?)"
_AND_A_HALF = re.compile(
    rf"(?<![\w.])(?P<number>{_ONE})\s?(?:and\s+a\s+half)\s+(?P<unit>{_UNIT})(?![A-Za-z0-9_/])"
    rf"|(?<![\w.])(?P<one>{_ONE})\s+(?P<of>{_UNIT})\s+and\s+a\s+half(?![A-Za-z])"
    rf"|(?<![\w.])(?P<ko>{_DIGITS}|{_WORD})\s?(?P<ko_unit>{_UNIT})\s?반(?![A-Za-z복응대])"
    rf"|(?<![\w.])half\s+(?:an?\s+)?(?P<half>{_UNIT})(?![A-Za-z0-9_/])"
    rf"|(?<![가-힣\w])반\s?(?P<ko_half>시간|년|일|나절)",
    re.IGNORECASE,
)
"""Halves of units: three and a half hours, 세 시간 반."""
_PARTS = re.compile(
    r"(?<![A-Za-z-])(?P<part>half|two[\s-]thirds|three[\s-]quarters|a\s+third|one\s+third|a\s+quarter"
    r"|one\s+quarter)(?=\s+(?:of|the|as)\b|\s*[.,;]|$)|(?P<ko>절반|반수|삼분의\s?일|사분의\s?일)",
    re.IGNORECASE,
)
"""Parts of a whole in words: half of the ranks, 절반."""
_SHARES = {
    "half": 50.0, "twothirds": 200 / 3, "threequarters": 75.0, "athird": 100 / 3,
    "onethird": 100 / 3, "aquarter": 25.0, "onequarter": 25.0, "절반": 50.0, "반수": 50.0,
    "삼분의일": 100 / 3, "사분의일": 25.0,
}  # fmt: skip
_JOIN = re.compile(r"\s?(?:,|and)?\s?")
_GLUED = re.compile(r"[A-Za-z_]")


@dataclass(frozen=True)
class Amount:
    """A figure: its value in the basic unit of its kind (seconds, bytes, …), where it stands.

    `unit` is "" for a plain number, whatever is counted. `spelled` says that it is a word.
    """

    value: float
    unit: str
    text: str
    start: int
    end: int
    spelled: bool = False

    def equals(self, other: Amount) -> bool:
        """Whether two figures say the same, but for the rounding of units."""
        near = abs(self.value - other.value) <= 1e-3 * max(abs(self.value), abs(other.value))
        exact = self.value == other.value
        return self.unit == other.unit and (near if self.unit else exact)


def amounts(text: str) -> list[Amount]:
    """The figures of a text in order; `1 h 30 min` is one, `10 to 20 min` two of the same unit."""
    found: list[Amount] = []
    for amount in _amounts(text):
        last = found[-1] if found else None
        joined = last and last.unit == amount.unit == "s" and amount.value < last.value
        if last and joined and _JOIN.fullmatch(text[last.end : amount.start]):
            whole = text[last.start : amount.end]
            found[-1] = Amount(last.value + amount.value, "s", whole, last.start, amount.end)
        else:
            found.append(amount)
    return found


def given(values: Iterable[tuple[float, str]]) -> list[Amount]:
    """Figures that are stored as (value, unit); a unit that is not known counts things."""
    found = []
    for value, unit in values:
        factor, kind = _UNITS.get(unit.casefold(), (1.0, ""))
        found.append(Amount(value * factor, kind, f"{value:g} {unit}", 0, 0))
    return found


def _amounts(text: str) -> Iterator[Amount]:
    """Those with halves first taken out, so that the rest of the text is read without them."""
    found = list(_halves(text))
    for a in found:
        text = text[: a.start] + " " * (a.end - a.start) + text[a.end :]
    yield from sorted([*found, *_plain(text)], key=lambda a: a.start)


def _halves(text: str) -> Iterator[Amount]:
    for match in _AND_A_HALF.finditer(text):
        groups = match.groupdict()
        unit = next(groups[u] for u in ("unit", "of", "ko_unit", "half", "ko_half") if groups[u])
        number = next((groups[n] for n in ("number", "one", "ko") if groups[n]), "")
        factor, kind = _UNITS.get(unit.casefold(), (1.0, ""))
        value = (_whole(number) + 0.5) * factor
        yield Amount(round(value, 12), kind, match.group(), *match.span(), spelled=True)
    for match in _PARTS.finditer(text):
        word = re.sub(r"[\s-]", "", match.group().casefold())
        yield Amount(_SHARES[word], "%", match.group(), *match.span(), spelled=True)


def _whole(number: str) -> float:
    word = number.casefold()
    if not word:
        return 0.0
    return 1.0 if word in ("a", "an") else _WORDS[word] if word in _WORDS else _number(number)


def _plain(text: str) -> Iterator[Amount]:
    for match in _FIGURE.finditer(text):
        if _part_of_name(text, match) or _part_of_word(text, match):
            continue
        scale = (match["scale"] or match["k"] or "").casefold()
        factor, kind = _UNITS.get((match["unit"] or "").casefold(), (1.0, ""))
        times = _SCALES.get(scale, 1.0) * factor
        if match["low"]:
            at = match.start("low")
            yield Amount(_number(match["low"]) * times, kind, match["low"], at, match.end("low"))
        spelled = match["word"] is not None
        value = _WORDS[match["word"].casefold()] if spelled else _number(match["number"])
        start = match.start("word") if spelled else match.start("number")
        shown = text[start : match.end()]
        yield Amount(round(value * times, 12), kind, shown, start, match.end(), spelled)


def _part_of_name(text: str, match: re.Match[str]) -> bool:
    """Whether what was matched goes on as a name: `2.4.1`, `16x4`, `3-way`, `10:32`, `176B`."""
    after = text[match.end() : match.end() + 2]
    before = text[max(0, match.start() - 2) : match.start()]
    if match["unit"]:
        return False
    name = _GLUED.match(after) or re.match(r"[.:/*=_][A-Za-z0-9]|-\d", after)
    return bool(name or re.search(r"[A-Za-z0-9][:/*=_+-]$", before))


def _part_of_word(text: str, match: re.Match[str]) -> bool:
    """Whether a Korean number word only begins another word: 세 of 세계."""
    return bool(match["word"] and not match["unit"] and "가" <= text[match.end() :][:1] <= "힣")


def _number(text: str) -> float:
    return float(text.replace(",", ""))
