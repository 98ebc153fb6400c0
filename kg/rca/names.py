"""Identifiers and names of a text, and whether another text holds them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_])(?:--?)?[A-Za-z0-9_](?:[A-Za-z0-9_.\-/:=*@+#]*[A-Za-z0-9_+#])?"
)
_CODE = re.compile(r"`([^`\n]+)`")
_CAPITALISED = re.compile(r"(?<![A-Za-z0-9_])[A-Z][a-z]+(?:[ -][A-Z][a-z]+)*(?![A-Za-z0-9_])")
_LOOK_ALIKE = re.compile(r"\w*[\u0370-\u03ff\u0400-\u052f]\w*")
"""Words with Greek or Cyrillic letters, some of which look like Latin ones."""
_HANGUL = re.compile("[가-힣]")
_WITHIN = re.compile(r"[a-z0-9,;%’'가-힣] $")
_PLAIN_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})*(?:\.\d+)?|\d+(?:\.\d+)?")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_COUNTED = re.compile(r"^\d[\d,.]*-(?=[A-Za-z])")  # the 16 of 16-GPU is a figure
_EMPHASIS = """
a i ok no not and or the only must never always may all any none yes is are was were unknown if it
per vs id am pm
"""
_DOTTED = "e.g i.e a.m p.m a.k.a etc vs"
_ORDINARY = frozenset([*_EMPHASIS.split(), *_DOTTED.split()])


def identifiers(text: str) -> list[str]:
    """What must be written letter by letter, in order, each once.

    Words that mix letters and digits or cases, words in capitals, with an underscore or a dot
    inside, options, settings, paths, dates and times, and whatever stands in inline code.
    """
    found = [token for span in _CODE.findall(text) for token in span.split()]
    found = [t.strip("\"'(),;") for t in found]
    plain = _CODE.sub(" ", text)
    found += _LOOK_ALIKE.findall(plain)
    tokens = (_COUNTED.sub("", m.group()) for m in _TOKEN.finditer(plain))
    found += [t for t in tokens if _is_identifier(t)]
    return [t for t in dict.fromkeys(found) if any(c.isalnum() for c in t)]


def capitalised(text: str) -> list[str]:
    """Runs of words that begin with a capital, which makes them names.

    The first word of an English sentence proves nothing, so that it is left out.
    """
    plain = _CODE.sub(" ", text)
    found = []
    for match in _CAPITALISED.finditer(plain):
        # A Korean particle behind it makes the first word a name as well.
        within = _WITHIN.search(plain, 0, match.start()) or _HANGUL.match(plain, match.end())
        words = match.group().split() if within else match.group().split()[1:]
        found.append(" ".join(words))
    return [name for name in dict.fromkeys(found) if name]


def holds(text: str, token: str) -> bool:
    """Whether a text has a token as a whole: `NCCL` is not in `NCCLX`, nor `2.4` in `2.4.1`.

    The plural of an abbreviation is the same word: `GPU`, `GPUs`.
    """
    short = token[:-1] if re.fullmatch(r"[A-Z]{2,}s", token) else token
    plural = "s?" if short.isupper() else ""
    form = rf"{re.escape(short)}{plural}"
    pattern = rf"(?<![A-Za-z0-9_])(?<!\d\.){form}(?![A-Za-z0-9_])(?!\.\d)"
    return re.search(pattern, text, re.IGNORECASE) is not None


def _is_identifier(token: str) -> bool:
    if token.casefold().rstrip(".") in _ORDINARY:
        return False
    if any(p.fullmatch(token) for p in (_PLAIN_NUMBER, _ORDINAL)):
        return False
    return any(_marks(token))


def _marks(token: str) -> Iterator[bool]:
    """The marks of an identifier; one is enough."""
    letters = [c for c in token if c.isalpha()]
    yield any(c.isdigit() for c in token) and bool(letters or re.search(r"\d[./:*=_-]\d", token))
    yield bool(re.search(r"_|=|\*|@|::|^-", token))
    yield bool(re.search(r"[A-Za-z0-9]\.[A-Za-z]", token))
    yield bool(re.search(r"[a-z][A-Z]|[A-Z]{2}", token))
