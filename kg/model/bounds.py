"""What a stated duration fixes: a value, or only an end ("at least 3 h", "within a minute")."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from kg.model.values import Duration, parse_duration

_LOWER = r"at least|more than|over|longer than|no less than|upwards of|[≥>]|최소|적어도"
_UPPER = r"at most|up to|within|less than|under|no more than|shorter than|[≤<]|최대|많아야"
_TAIL = r"(?P<amount>(?:(?!,\s)[^;()])*)"
_HEAD = r"(?P<amount>(?:\d[\d.,]*\s*(?:초|분|시간|일|주)(?:간)?\s*)+)"
_AT_LEAST = (
    re.compile(rf"(?<!\w)(?:{_LOWER})\s*{_TAIL}", re.I),
    re.compile(rf"{_HEAD}(?:이상|넘게|초과)"),
)
_AT_MOST = (
    re.compile(rf"(?<!\w)(?:{_UPPER})\s*{_TAIL}", re.I),
    re.compile(rf"{_HEAD}(?:이내|이하|미만|안에)"),
)
_WORDS = {
    "half an": "0.5",
    "half a": "0.5",
    "an": "1",
    "a": "1",
    "one": "1",
    "two": "2",
    "three": "3",
}
_WORD = re.compile(rf"\b({'|'.join(_WORDS)})\b", re.I)


@dataclass(frozen=True)
class Bounds:
    """Between what a time lies, in seconds; `most` is infinite when there is no upper end."""

    least: float
    most: float

    @property
    def exact(self) -> bool:
        """Whether the time itself is stated."""
        return self.least == self.most


def bounds_of(duration: Duration) -> Bounds:
    """What a duration fixes, by the words of its source.

    "At least" and "over" leave the upper end open, "within" and "up to" the lower one (0). Words
    such as "about" and "almost" leave the value as it is; `Duration.approx` marks it.
    """
    at_least, at_most = _says(duration, _AT_LEAST), _says(duration, _AT_MOST)
    if at_least == at_most:
        return Bounds(duration.seconds, duration.seconds)
    return Bounds(duration.seconds, math.inf) if at_least else Bounds(0.0, duration.seconds)


def _says(duration: Duration, forms: Sequence[re.Pattern[str]]) -> bool:
    """Whether such words stand beside the very amount that the duration holds."""
    matches = (m for form in forms for m in form.finditer(duration.text or ""))
    amounts = (_WORD.sub(lambda w: _WORDS[w[0].lower()], m["amount"]) for m in matches)
    found = (parse_duration(amount) for amount in amounts)
    return any(f is not None and math.isclose(f.seconds, duration.seconds) for f in found)
