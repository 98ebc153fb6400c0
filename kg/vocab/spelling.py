"""How spellings are compared: one normal form for labels, aliases and running text.

Two spellings are the same when their words are the same after Unicode normalisation (NFKC)
and case folding; separators never count, so `all_reduce`, `all-reduce` and `All Reduce` agree,
while `A100` and `H100`, or `NCCL` and `NCCLX`, are different words and stay different.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# Letters of one script family make a word; a change of script ends it ("NCCL이" is two words).
# Full-width letters, combining marks and Hangul in separate jamo are words before NFKC as after.
_WORD = re.compile(
    r"[A-Za-z0-9\u00c0-\u024f\u0300-\u036fεµμ\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]+"
    r"|[\uac00-\ud7a3\u1100-\u11ff]+|[\u3040-\u30ff\u4e00-\u9fff]+|[^\W_]"
)
_PARTICLES = """
은 는 이 가 을 를 의 에 에서 에게 께 으로 로 와 과 도 만 까지 부터 처럼 보다 마다 조차 이나 나
이며 며 이고 고 이라 라 라는 이라는 에는 에서는 에도 으로는 로는 으로서 로서 으로써 로써 에서의
이다 입니다 이었다 였다 이었습니다 였습니다 이었고 였고 이었으며 였으며 인 한 하는 하고 하며
"""
PARTICLES = tuple(sorted(_PARTICLES.split(), key=lambda p: (-len(p), p)))
"""Korean particles and the like, longest first, so that "에서는" is taken before "는"."""
_HANGUL = re.compile(r"^[\uac00-\ud7a3]+$")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: its normal form, the form without a Korean particle, and its span."""

    form: str
    stem: str
    start: int
    end: int


@lru_cache(maxsize=65536)
def strip_particle(form: str) -> str:
    """A Hangul word without its particle; other words, and words too short, unchanged."""
    if _HANGUL.match(form):
        for particle in PARTICLES:
            if form.endswith(particle) and len(form) - len(particle) >= 2:
                return form[: -len(particle)]
    return form


def words(text: str) -> list[Word]:
    """The words of a text in order. A particle glued to a Latin word (`NCCL이`) is dropped.

    Spans refer to `text` as given; normalisation is done word by word to keep them true.
    """
    found: list[Word] = []
    for match in _WORD.finditer(text):
        form = unicodedata.normalize("NFKC", match.group()).casefold()
        glued = bool(found) and found[-1].end == match.start() and _HANGUL.match(form) is not None
        if glued and form in PARTICLES and not _HANGUL.match(found[-1].form):
            continue
        found.append(Word(form, strip_particle(form), match.start(), match.end()))
    return found


@lru_cache(maxsize=65536)
def normal(spelling: str) -> tuple[str, ...]:
    """The words of a spelling; equal for spellings that mean the same."""
    return tuple(w.form for w in words(spelling))
