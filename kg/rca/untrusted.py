"""Text that others wrote, made fit to stand inside a prompt or a line without acting there."""

from __future__ import annotations

import hashlib
import re

_UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f"  # controls, but for tab and line feed
    "\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff"  # no width, line ends, direction
    "\\U000e0000-\\U000e007f"  # tags
    "\\ud800-\\udfff]"  # halves of pairs
)
_CITATION = re.compile(r"[\[［【]\s*(/?[A-Z]+|\^?\d[\d\s,–-]*)\s*[\]］】]")
_SPECIAL = re.compile(r"<\||\|>|</?s>|<{3,}|>{3,}|={3,}|`{3,}|~{3,}")
_SPACES = re.compile(r"\s+")


def visible(text: str) -> str:
    """Text without signs that are not seen but act; each is shown as U+FFFD."""
    return _UNSEEN.sub("\ufffd", text)


def disarmed(text: str) -> str:
    """The same without what could pass for a part of a prompt.

    Numbers in square brackets, which look like citations, are put in ⟦ ⟧; fences and the signs
    by which models mark turns are broken up with spaces.
    """
    apart = _SPECIAL.sub(lambda m: " ".join(m.group()), visible(text.replace("\r\n", "\n")))
    return _CITATION.sub(lambda m: f"⟦{m.group(1).strip()}⟧", apart)


def one_row(text: str) -> str:
    """The same on one line."""
    return _SPACES.sub(" ", disarmed(text)).strip()


def fenced(text: str, key: str) -> str:
    """Disarmed text between two lines that it cannot hold, each of its lines behind a bar."""
    lines = [f"| {line}".rstrip() for line in text.split("\n")]
    return "\n".join([f"=====BEGIN DATA {key}=====", *lines, f"=====END DATA {key}====="])


def fence_key(*contents: str) -> str:
    """Sixteen hex digits that follow from the contents and stand in none of them."""
    key = ""
    whole = "\x00".join(contents)
    while not key or key in whole:
        key = hashlib.sha256(f"{key}\x00{whole}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return key
