"""How much room letters take, without a font at hand: wrapping and cutting labels."""

from __future__ import annotations

import unicodedata

_WIDE_LATIN = frozenset("MWmw@%&—…")
_NARROW_LATIN = frozenset("iIjlftr.,:;'|!()[]{} -/\\“”‘’·")


_JOINTS = "_-/.:"
"""Where a name such as CUDA_LAUNCH_BLOCKING may be broken."""


def width(text: str, size: float) -> float:
    """The width of a text in pixels at a font size, rather too much than too little.

    Reckoned for the widest of the usual sans-serif fonts, so that a label that fits here fits
    whichever font is installed.
    """
    return size * sum(_ems(c) for c in text)


def _ems(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.04
    if letter in _WIDE_LATIN:
        return 1.02
    if letter in _NARROW_LATIN:
        return 0.42
    if letter.isupper() or letter.isdigit():
        return 0.78 if letter.isupper() else 0.66
    if letter.isascii() or "\u00c0" <= letter <= "\u024f":
        return 0.65
    return 1.1


def cut(text: str, room: float, size: float) -> str:
    """The text on one line, cut with `…` where it does not fit."""
    line = " ".join(text.split())
    if width(line, size) <= room:
        return line
    while line and width(f"{line}…", size) > room:
        line = line[:-1]
    return f"{line.rstrip()}…"


def wrap(text: str, room: float, size: float, most: int) -> list[str]:
    """The text in at most `most` lines; the last one is cut with `…` where more would follow.

    Lines break between words; a word longer than a line after one of `_ - / . :` in it where there
    is one, else anywhere.
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if width(longer, size) <= room:
            lines[-1] = longer
            continue
        lines += [word] if lines[-1] else []
        lines[-1] = lines[-1] or word
        while width(lines[-1], size) > room and len(lines[-1]) > 1:
            head = _head(lines[-1], room, size)
            lines[-1:] = [lines[-1][:head], lines[-1][head:]]
    if len(lines) <= most:
        return lines
    kept = lines[:most]
    kept[-1] = cut(f"{kept[-1]} {lines[most]}…", room, size)
    return kept


def _head(word: str, room: float, size: float) -> int:
    """How many letters of a word fit, at least one; as far as its last joint where it has one."""
    head = 1
    while head < len(word) and width(word[: head + 1], size) <= room:
        head += 1
    joint = max(word.rfind(sign, 1, head) for sign in _JOINTS) + 1
    return joint if joint > 1 else head
