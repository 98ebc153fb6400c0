"""Text of cases made harmless for HTML and SVG: escaped, and without signs that act unseen."""

from __future__ import annotations

import re
from html import escape

_UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f"  # controls, but for tab and line feed
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff"  # no width, line ends, direction
    "\\ufff9-\\ufffb\\ufffe\\uffff\\ud800-\\udfff"  # not allowed in XML, or no text
    "\\U000e0000-\\U000e007f]"  # tags
)


def visible(text: str) -> str:
    """The text with each sign that is not seen but acts shown as `�`; as long as it was."""
    return _UNSEEN.sub("\ufffd", text)


def safe(text: str) -> str:
    """The text for the inside of an element or of a quoted attribute.

    Signs that are not seen but act (controls, marks of direction, halves of pairs) are shown as
    `�`, so that a case can neither break a document nor turn its words around.
    """
    return escape(visible(text), quote=True)


def safe_line(text: str) -> str:
    """The same on one line, runs of blanks as one."""
    return safe(" ".join(text.split()))
