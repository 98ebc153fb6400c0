"""Text -> words for the word lane: identifiers whole and in parts, English, Korean, Chinese.

``NCCL_IB_TIMEOUT`` gives itself and nccl, ib, timeout. English words lose common endings; a short
list of stop words is left out. A Korean word gives itself without its particle, and its pairs of
syllables, which stand in for a morphological analyser (Lee & Ahn 1996, "Using n-grams for Korean
text retrieval"); Chinese and Japanese give pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from embeddings.word_lists import KEPT_WHOLE, PARTICLES, STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

_LATIN = r"A-Za-z0-9\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff"
_HANGUL = r"\uac00-\ud7a3"
_IDEOGRAPH = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = re.compile(
    rf"(?P<latin>(?:--?)?[{_LATIN}_](?:[{_LATIN}_.\-/:*=+@#]*[{_LATIN}_])?)"
    rf"|(?P<hangul>[{_HANGUL}]+)|(?P<ideograph>[{_IDEOGRAPH}]+)"
)
_PART = re.compile(rf"[{_LATIN}]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z]{2})")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+(?:[-+.]?[a-z]+\d*)*)", re.IGNORECASE)
_LINE_NUMBER = re.compile(r":\d+(?::\d+)?$")
_ADDRESS = re.compile(r"\d+(?:\.\d+){3}(?::\d+)?")
_CLITIC = re.compile(r"(?<=[A-Za-z])['\u2019](?:s|t|re|ve|ll|d|m)\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\b([A-Za-z]{2,})(?:[ \t]*\([^()\n]{1,40}\))?:?[ \t]+"
    r"(\d{1,6})(?![A-Za-z0-9_]|[.*/:-][A-Za-z0-9_])"
)
_QUANTITY = re.compile(
    r"(?<![\w.,])(\d+(?:[.,]\d+)*)[ \t]?"
    r"(k?W|[KMGT]i?B|[kMG]bps|[munμ]?s|min|h|%|TFLOPs?|tok/s|°C|GHz)(?![A-Za-z0-9])"
)
_LETTERS = re.compile(r"\w+")
GRAM = 4
_EMPTY_FORMS = {"", "e.g", "i.e"}
_MEMORY = 50_000
_VOWEL = re.compile("[aeiouy]")


def tokenize(text: str) -> list[str]:
    """Words of a text, in order, repeated as often as they occur; lower case, NFKC.

    Identifiers come whole (hyphens as underscores, so reduce-scatter is reduce_scatter), without
    their value (``NAME=1`` also as name) or line number, and in parts. "Xid 79" is also xid_79, and
    a number with its unit is one word too, since it says more than both: "190 W" is 190_w.
    """
    words: list[str] = []
    text = _CLITIC.sub("", unicodedata.normalize("NFKC", text))
    after_latin = -1  # where the last Latin run ended: a particle right there belongs to it
    for match in _RUN.finditer(text):
        run = match.group()
        if match.lastgroup == "latin":
            words.extend(_latin_words(run))
            after_latin = match.end()
        elif match.lastgroup == "ideograph":
            words.extend(_pairs(run))
        elif not (match.start() == after_latin and run in PARTICLES):
            words.extend(_korean_words(run))
    # A lone letter is a unit or an axis; with its number it is a quantity below.
    words = [word for word in words if len(word) > 1 or not ("a" <= word <= "z")]
    return words + _numbered(text) + _quantities(text)


def whole_tokens(text: str) -> list[str]:
    """Only the identifiers of a text, each whole, once, in order of appearance.

    What has a joiner (``_ . / : = * -``), a digit beside a letter, capitals inside or two of them:
    names of settings, metrics, files, functions, error codes.
    """
    text = unicodedata.normalize("NFKC", text)
    found: dict[str, None] = {}
    for match in _RUN.finditer(text):
        run = match.group()
        if match.lastgroup == "latin" and _is_identifier(run):
            found.update(dict.fromkeys(_wholes(run)))
    found.update(dict.fromkeys(_numbered(text)))
    return list(found)


def letter_grams(text: str, size: int = GRAM) -> list[str]:
    """Runs of `size` letters within each word, spaces at both ends; lower case, NFKC.

    Inflected, compounded and misspelt words share most of their grams, in any script (McNamee &
    Mayfield 2004, "Character n-gram tokenization for European language text retrieval", where 4 is
    best on the mean; so it was here, and mixtures of 3 to 5 gave nothing more).
    """
    grams: list[str] = []
    for word in _LETTERS.findall(unicodedata.normalize("NFKC", text).lower()):
        grams.extend(_grams(word, size))
    return grams


@lru_cache(maxsize=_MEMORY)
def _grams(word: str, size: int) -> tuple[str, ...]:
    padded = f" {word} "
    return tuple(padded[i : i + size] for i in range(max(1, len(padded) - size + 1)))


def stem(word: str) -> str:
    """A lower-case English word without plural, -ed, -ing and final -e; others unchanged.

    Modest on purpose (compare Porter 1980): a wrong cut costs more than a missed one.
    """
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    word = _without_plural(word)
    word = _without_tense(word)
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _without_plural(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("us"):
        return word[:-1] if len(word) == 4 else word  # gpus, but not status
    if word.endswith("s") and not word.endswith(("ss", "is")):
        return word[:-1]
    return word


def _without_tense(word: str) -> str:
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base == word or len(base) < 3 or word.endswith("eed") or not _VOWEL.search(base):
            continue
        doubled = base[-1] == base[-2] and base[-1] not in "lsz"
        return base[:-1] if doubled else base
    return word


@lru_cache(maxsize=_MEMORY)
def _latin_words(run: str) -> tuple[str, ...]:
    """`_latin`, each word once, remembered: a corpus repeats its runs all the time."""
    return tuple(dict.fromkeys(_latin(run)))


def _latin(run: str) -> Iterator[str]:
    """All words of one Latin run: an identifier with its parts, or a plain word."""
    parts = [part for piece in _PART.findall(run) for part in _CAMEL.split(piece)]
    if len(parts) == 1 and not _is_joined(run):
        yield from _plain(parts[0])
        return
    yield from _wholes(run)
    if not (_VERSION.fullmatch(run) or _ADDRESS.fullmatch(run)):
        for part in parts:
            if len(part) > 1 or part.isdigit():  # a lone letter of an identifier says nothing
                yield from _plain(part)


def _plain(word: str) -> Iterator[str]:
    lower = word.lower()
    if lower not in STOP_WORDS:
        yield stem(lower)


def _wholes(run: str) -> Iterator[str]:
    """The whole forms of an identifier: as written, normalised, without value or line number."""
    lower = run.lower()
    version = _VERSION.fullmatch(lower)
    normal = version.group(1) if version else lower.lstrip("-").replace("-", "_")
    forms = [lower] if lower.startswith("--") else []
    forms.append(normal)
    if version:
        forms.append(normal.partition("+")[0])
    name = normal.partition("=")[0]
    forms.append(name)
    bare = _LINE_NUMBER.sub("", name)
    forms.append(bare)
    if "/" in bare:
        forms.append(bare.rpartition("/")[2])
    yield from (form for form in dict.fromkeys(forms) if form.strip("_") not in _EMPTY_FORMS)


def _is_joined(run: str) -> bool:
    return re.search(r"[^\W_]", run) is not None and re.search(r"[_.\-/:*=+@#]", run) is not None


def _is_identifier(run: str) -> bool:
    mixed = re.search(r"[A-Za-z]", run) and re.search(r"\d", run)
    capitals = len(re.findall(r"[A-Z]", run)) >= 2
    return bool(_is_joined(run) or mixed or capitals)


def _numbered(text: str) -> list[str]:
    """A word and the number after it as one: "Xid 79", "Xid (PCI:0000:3b:00): 79", "rank 3"."""
    pairs = ((word.lower(), number) for word, number in _NUMBERED.findall(text))
    return [f"{word}_{number}" for word, number in pairs if word not in STOP_WORDS]


def _quantities(text: str) -> list[str]:
    """Numbers with their units as one word, spaced or not: "190 W" and "190W" are 190_w."""
    return [f"{number}_{unit.lower()}" for number, unit in _QUANTITY.findall(text)]


@lru_cache(maxsize=_MEMORY)
def _korean_words(run: str) -> tuple[str, ...]:
    """A Korean word without its particle, and its pairs of syllables."""
    base = _without_particle(run)
    return (base, *_pairs(base)) if len(base) > 2 else (base,)


def _without_particle(run: str) -> str:
    """The longest particle that leaves two syllables is cut: 노드에서 -> 노드."""
    if run.endswith(KEPT_WHOLE):
        return run
    for size in range(min(4, len(run) - 2), 0, -1):
        if run[-size:] in PARTICLES:
            return run[:-size]
    return run


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [a + b for a, b in pairwise(run)]
