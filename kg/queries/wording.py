"""The words of explanations in English and Korean: names, lists, lengths of time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kg.graph import kind_of
from kg.model import Duration, Status
from kg.queries.korean import josa
from kg.queries.sides import Saying
from kg.vocab import Vocabulary

_UNITS = (
    (86400, ("day", "days"), "일"),
    (3600, ("hour", "hours"), "시간"),
    (60, ("minute", "minutes"), "분"),
    (1, ("second", "seconds"), "초"),
)

_VERB_FORMS = (
    "are blocks can cannot did differ does do fail failed fails fell gather hangs has have hid is "
    "made misled miss misses need needs overrides runs shows stays varies was were"
)
_VERBS = frozenset(_VERB_FORMS.split())
"""Words by which an English label that is a clause ("names do not resolve") is known."""

_OPENINGS = frozenset({"no", "not", "off", "out", "without"})
"""First words of a label that would run together with a verb before it ("rules out out of")."""

_LONGEST = 180

PARTS = frozenset({"component", "tool", "mitigation"})
"""Kinds of terms that are there in any case; what can be denied is that they had a part in it."""


class Words:
    """Puts things into words of one language.

    Args:
        vocabulary: gives the names of terms.
        lang: `ko` for Korean, anything else is English.
    """

    def __init__(self, vocabulary: Vocabulary, lang: str) -> None:
        self.vocabulary = vocabulary
        self.korean = lang == "ko"
        self.lang = "ko" if self.korean else "en"

    def say(self, en: str, ko: str) -> str:
        """The one of two sentences that is in this language."""
        return ko if self.korean else en

    def label(self, term: str) -> str:
        """The name of a term for a sentence: between quotes where it would not read as a noun."""
        label = self.vocabulary.terms[term].label.best(self.lang)
        words = label.lower().split()
        clause = not self.korean and "that" not in words and not _VERBS.isdisjoint(words)
        runs_on = not self.korean and words[0] in _OPENINGS
        return f"“{label}”" if clause or runs_on else label

    def terms(self, terms: Sequence[str], most: int = 5) -> str:
        """The names of some terms as one phrase."""
        return self.listed([self.label(t) for t in terms], most)

    def said(self, sayings: Sequence[Saying]) -> str:
        """The name of a term that a side states, with a mark where it only suspects it."""
        label = self.label(sayings[0].target)
        if sayings[0].status is Status.SUSPECTED:
            return self.say(f"{label} (suspected)", f"{label}(의심)")
        return label

    def denied(self, saying: Saying) -> str:
        """What is said not to be: the thing itself, or that a component had a part in it."""
        label = self.label(saying.target)
        if kind_of(saying.target) not in PARTS:
            return label
        return self.say(f"that {label} had a part in it", f"{label}의 관여")

    def listed(self, names: Sequence[str], most: int = 5) -> str:
        """Names as one phrase: `a, b and c`; of more than `most`, the number of the rest.

        A single one is not left out: its name is as short as its number.
        """
        most = len(names) if len(names) == most + 1 else most
        shown, rest = list(names[:most]), len(names) - most
        if rest > 0:
            shown.append(self.say(f"{rest} more", f"그 밖에 {rest}가지"))
        if len(shown) < 2:
            return "".join(shown)
        if not self.korean:
            return f"{', '.join(shown[:-1])} and {shown[-1]}"
        if len(shown) > 2:
            return ", ".join(shown)
        return f"{particle(shown[0], '과/와')} {shown[1]}"

    def caveats(self, caveats: Mapping[str, str], sayings: Iterable[Saying]) -> list[str]:
        """With which reserve the results of some claims are told, a phrase each."""
        told = dict.fromkeys(
            (s.case_id, caveats[s.claim_id]) for s in sayings if s.claim_id in caveats
        )
        return [
            self.say(f"caveat of {case_id}: “{cut(text)}”", f"{case_id}의 단서: “{cut(text)}”")
            for case_id, text in told
        ]

    def duration(self, duration: Duration) -> str:
        """A length of time in its two largest units, rounded.

        `about` where the source says so, and where a smaller unit is left out.
        """
        seconds = whole = round(duration.seconds)
        largest = next((n for n, (size, *_) in enumerate(_UNITS) if whole >= size), len(_UNITS) - 1)
        least = _UNITS[min(largest + 1, len(_UNITS) - 1)][0]
        seconds = (whole + least // 2) // least * least
        about = duration.approx or seconds != whole
        parts: list[str] = []
        for size, (one, many), ko in _UNITS:
            count, seconds = divmod(seconds, size)
            if count:
                parts.append(self.say(f"{count} {one if count == 1 else many}", f"{count}{ko}"))
        text = " ".join(parts) or self.say("0 seconds", "0초")
        return self.say(f"about {text}", f"약 {text}") if about else text


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


def particle(phrase: str, pair: str) -> str:
    """The phrase with the fitting particle, which agrees with the word before a last bracket."""
    base = phrase[: phrase.rfind("(")] if phrase.endswith(")") and "(" in phrase else phrase
    return phrase + josa(base, pair)[len(base) :]


def cut(text: str) -> str:
    """The text on one line, cut at a word when it is long."""
    line = " ".join(text.split())
    if len(line) <= _LONGEST:
        return line
    return line[:_LONGEST].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
