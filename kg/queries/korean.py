"""Korean particles that fit the word before them."""

from __future__ import annotations

_FINAL_DIGITS = frozenset("013678")  # 영 일 삼 육 칠 팔 end in a consonant
_FINAL_LETTERS = frozenset("lmnr")  # 엘 엠 엔 알, when read letter by letter
_RIEUL = 8


def josa(word: str, pair: str) -> str:
    """The word with the fitting particle of a pair: `은/는`, `이/가`, `을/를`, `과/와`, `으로/로`.

    The first of the pair follows a final consonant. Latin words and digits are judged by how
    their last sign is read aloud; anything else takes the second.
    """
    with_final, without = pair.split("/")
    last = next((c for c in reversed(word) if c.isalnum()), "")
    final = _final(last)
    if with_final == "으로":
        return word + (without if final in (0, _RIEUL) else with_final)
    return word + (with_final if final else without)


def _final(letter: str) -> int:
    """0 without a final consonant, 8 for ㄹ, another number for the rest."""
    if "가" <= letter <= "힣":
        return (ord(letter) - 0xAC00) % 28
    if letter == "r":
        return 0  # a word such as Docker, which ends in 어; R alone is 알
    if letter in ("1", "7", "8") or letter.lower() in ("l", "r"):
        return _RIEUL
    return 1 if letter in _FINAL_DIGITS or letter.lower() in _FINAL_LETTERS else 0
