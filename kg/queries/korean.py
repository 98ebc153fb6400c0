"""Korean particles that fit the word before them."""

from __future__ import annotations

import re

_FINAL_DIGITS = frozenset("013678")  # 영 일 삼 육 칠 팔 end in a consonant
_RIEUL_DIGITS = frozenset("178")
_RIEUL = 8

_TOKEN = re.compile(r"[A-Za-z]+")
_SPELLED_TAIL = re.compile(r"(?<=[a-z])[A-Z]{2,}$|^[A-Z]+$")
"""Capitals that are read letter by letter: all of GPU, the end of ChatGPT."""

_LONGEST_SPELLED, _LONGEST_IN_SETTING = 5, 3
"""Longer runs of capitals are words (BLOCKING), sooner so in a name with underscores (MAX_SIZE)."""

_READ_AS_WORDS = {"idrac": 1}
"""Names in capitals that are not spelled out."""

_LETTERS = {"L": _RIEUL, "R": _RIEUL, "M": 1, "N": 1}
"""Letters whose Korean name ends in a consonant: 엘 알 엠 엔."""

# How Korean writes the end of an English word. Stops close the last syllable after one short
# vowel (퍼핏, 슬랙, 스텝) and get a vowel of their own else (링크, 노드, 루프).
_ENDINGS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"(?:^|[^a-z])(?:bit|check|part)$"), 0),
    (re.compile(r"comb$"), 1),
    (re.compile(r"(?:l|le|wl|el)$"), _RIEUL),
    (re.compile(r"(?:ng|n|m|[aeiou]ne|[aeiou]me|type)$"), 1),
    (re.compile(r"(?:ck|[aeiou]c|ook|(?:^|[^aeiou])[aeiou]k)$"), 1),
    (re.compile(r"(?:(?:^|[^aeiou])[aeiou]tt?|out)$"), 1),
    (re.compile(r"oop$"), 0),
    (re.compile(r"[aeiou]pp?$"), 1),
    (re.compile(r"(?:^|[^aeiou])[aeio]b$"), 1),
)


def josa(word: str, pair: str) -> str:
    """The word with the fitting particle of a pair: `은/는`, `이/가`, `을/를`, `과/와`, `으로/로`.

    The first of the pair follows a final consonant. Korean is judged by its last syllable, digits
    and Latin letters by how they are read aloud; anything else takes the second.
    """
    with_final, without = pair.split("/")
    final = _final(word)
    if with_final == "으로":
        return word + (without if final in (0, _RIEUL) else with_final)
    return word + (with_final if final else without)


def _final(word: str) -> int:
    """0 without a final consonant, 8 for ㄹ, another number for the rest."""
    end = next((i for i in range(len(word), 0, -1) if word[i - 1].isalnum()), 0)
    letter = word[end - 1 : end]
    if "가" <= letter <= "힣":
        return (ord(letter) - 0xAC00) % 28
    if letter in _RIEUL_DIGITS:
        return _RIEUL
    if letter in _FINAL_DIGITS:
        return 1
    return _final_of_latin(word[:end])


def _final_of_latin(text: str) -> int:
    """The same of a text that ends in a Latin word; 0 where it does not."""
    tokens = [m for m in _TOKEN.finditer(text) if m.end() == len(text)]
    if not tokens:
        return 0
    token = tokens[0].group()
    if token.lower() in _READ_AS_WORDS:
        return _READ_AS_WORDS[token.lower()]
    tail = _SPELLED_TAIL.search(token)
    longest = _LONGEST_IN_SETTING if "_" in text.split()[-1] else _LONGEST_SPELLED
    if tail is not None and len(tail.group()) <= longest:
        return _LETTERS.get(token[-1], 0)
    if not re.search("[aeiouy]", token.lower()):  # npm, as letters too
        return _LETTERS.get(token[-1].upper(), 0)
    small = token.lower()
    return next((final for pattern, final in _ENDINGS if pattern.search(small)), 0)
