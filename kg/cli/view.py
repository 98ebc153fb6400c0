"""What the views of many cases have in common: words, labels, quotations, times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.cli.show import wrap
from kg.cli.words import word
from kg.graph import Edge
from kg.library import Library

__all__ = ["FEW", "View", "wrap"]

FEW = 12
"""At most so many cases, and so many lines of the same sort, are listed in a text; JSON has all."""


class View:
    """Words and labels in the language of the answer."""

    def __init__(self, library: Library, lang: str) -> None:
        self.lang = "ko" if lang == "ko" else "en"
        self._library = library

    def say(self, en: str, ko: str) -> str:
        """One of two sentences, by the language of the answer."""
        return ko if self.lang == "ko" else en

    def label(self, term: str) -> str:
        """The name of a term."""
        return self._library.vocabulary.terms[term].label.best(self.lang)

    def kind(self, kind: str) -> str:
        """The name of a kind of term."""
        names = {"follow_up": self.say("follow-up", "후속 조치")}
        return names.get(kind, word(kind, self.lang))

    def named(self, term: str) -> str:
        """The name of a term with its id."""
        return f"{self.label(term)} ({term})"

    def terms(self, terms: Iterable[str]) -> str:
        """The names of terms, in a row."""
        return ", ".join(self.label(t) for t in terms)

    def ids(self, ids: Sequence[str]) -> str:
        """Case ids in a row, the first ones only."""
        told = ", ".join(ids[:FEW])
        more = len(ids) - FEW
        return told + (self.say(f" and {more} more", f" 외 {more}건") if more > 0 else "")

    def incidents(self, number: int) -> str:
        """A number of incidents."""
        plural = "" if number == 1 else "s"
        return self.say(f"{number} incident{plural}", f"사고 {number}건")

    def quotes(self, edges: Iterable[Edge], indent: int) -> list[str]:
        """What the cases say, in this language where they say it in it."""
        lines = []
        for edge in edges:
            spans = edge.evidence
            span = next((s for s in spans if s.lang == self.lang), spans[0])
            place = f"[{span.field}.{span.lang} {span.start}–{span.end}]"
            role = f" ({word(edge.role, self.lang)})" if edge.role else ""
            lines += wrap(f"{edge.case_id}{role}: “{span.quote}” {place}", indent)
        return lines

    def chance(self, p: float) -> str:
        """A probability with two digits that tell something, or one where it is tiny."""
        return f"{p:.2g}" if p >= 0.01 else f"{p:.1g}"

    def time(self, seconds: float) -> str:
        """Seconds in the unit that suits them."""
        units = (
            (86400, "d", "일"), (3600, "h", "시간"), (60, "min", "분"), (1, "s", "초"),
        )  # fmt: skip
        size, en, ko = next(u for u in units if seconds >= 2 * u[0] or u[0] == 1)
        return self.say(f"{seconds / size:.3g} {en}", f"{seconds / size:.3g}{ko}")
