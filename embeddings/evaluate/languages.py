"""Which language a text is in, where the set does not say: by its script."""

from __future__ import annotations

import re

_SCRIPTS = {
    "ko": re.compile(r"[\uac00-\ud7a3]"),
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "zh": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
}
_LETTER = re.compile(r"[^\W\d_]")
_SHARE = 0.15
"""Share of a script's letters from which it names the language: Korean and Chinese reports are full
of Latin identifiers, and say in one sign what takes several letters."""


def language_of(text: str) -> str:
    """`ko`, `ja`, `zh` or `ru` by script; anything else counts as `en`.

    Languages that share a script are not told apart; a set that mixes them says so in its metadata.
    """
    letters = len(_LETTER.findall(text))
    for language, script in _SCRIPTS.items():
        if letters and len(script.findall(text)) >= _SHARE * letters:
            return language
    return "en"
