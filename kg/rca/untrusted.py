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
_ROLES = (
    "system|human|assistant|user|developer|tool|ai|model|bot|function|instructions?|prompt"
    "|시스템|사용자|사람|도우미|어시스턴트|지시|개발자"
)
_TURN = re.compile(
    rf"^([\s>#*_|-]*)({_ROLES})([*_]*\s*(?::|：|\n\s*:))", re.IGNORECASE | re.MULTILINE
)
"""A name at the beginning of a line with a colon behind it: how a chat marks whose turn it is."""

_TAG_NAMES = (
    rf"{_ROLES}|data|documents?|context|evidence|incident|rules|task|answer|thinking|tool_?\w+"
    r"|function_?\w+|invoke|parameter|img|a|iframe|script|style|svg|object|embed|link|meta|form"
    r"|video|audio|source|base|html|body"
)
_TAG = re.compile(
    rf"<(?=/|!--|https?:|javascript:|(?:antml:)?(?:{_TAG_NAMES})(?![\w.-]))(?=\S)", re.IGNORECASE
)
_LINK = re.compile(r"(!?)(\[[^\[\]\n]*\])(?=\(|\[|:\s*\S)")
_SCHEME = re.compile(r"\b(javascript|vbscript|data)\s*:(?=\S)", re.IGNORECASE)
_SPECIAL = re.compile(r"<\||\|>|</?s>|<{3,}|>{3,}|={3,}|`{3,}|~{3,}")
_SPACES = re.compile(r"\s+")


def visible(text: str) -> str:
    """Text without signs that are not seen but act; each is shown as U+FFFD."""
    return _UNSEEN.sub("\ufffd", text)


def disarmed(text: str) -> str:
    """The same without what could pass for a part of a prompt.

    Numbers in square brackets, which look like citations, are put in ⟦ ⟧, and so is a name that
    begins a line and marks whose turn it is (`System:`); fences, tags, Markdown links and images,
    and addresses that act (`javascript:`) are broken up with spaces.
    """
    apart = _SPECIAL.sub(lambda m: " ".join(m.group()), visible(text.replace("\r\n", "\n")))
    apart = _TURN.sub(lambda m: f"{m.group(1)}⟦{m.group(2)}⟧{m.group(3)}", apart)
    apart = _SCHEME.sub(lambda m: f"{m.group(1)} : ", _TAG.sub("< ", apart))
    apart = _LINK.sub(lambda m: f"{m.group(1)}{' ' * bool(m.group(1))}{m.group(2)} ", apart)
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
