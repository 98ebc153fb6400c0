"""An incident under way: what was told, seen and ruled out so far, and the diagnosis of now."""

from __future__ import annotations

from kg.library import Library
from kg.rca import Diagnosis


class Investigation:
    """Keeps the facts, so that each new one gives a diagnosis that says what it changed.

    Args:
        library: where like cases are looked for.
        lang: language of the answers; that of the text when None.

    Attributes:
        text: what was told last.
        observed, ruled_out: ids of the terms that were added, in order.
        diagnosis: of all of it; None until something was told.
    """

    def __init__(self, library: Library, lang: str | None = None) -> None:
        self.library = library
        self.lang = lang
        self.text = ""
        self.observed: list[str] = []
        self.ruled_out: list[str] = []
        self.diagnosis: Diagnosis | None = None

    def tell(self, text: str) -> Diagnosis:
        """Diagnose a text anew; facts of before stay.

        Raises:
            BadQuery: the text has no words.
        """
        return self._ask(text, self.observed, self.ruled_out)

    def observe(self, term: str) -> Diagnosis:
        """Add something that was seen, looked at or tried, in any spelling.

        Raises:
            BadQuery: nothing was told yet, or it is ruled out.
            TermNotFound, AmbiguousTerm: the spelling names no term, or several.
        """
        return self._ask(self.text, self._with(self.observed, term), self.ruled_out)

    def rule_out(self, term: str) -> Diagnosis:
        """Add something that is out of question, in any spelling.

        Raises:
            BadQuery: nothing was told yet, or it was observed.
            TermNotFound, AmbiguousTerm: the spelling names no term, or several.
        """
        return self._ask(self.text, self.observed, self._with(self.ruled_out, term))

    def take_back(self, term: str) -> Diagnosis:
        """Take a fact back, by id or any spelling; what was not added changes nothing.

        Raises:
            BadQuery: nothing was told yet.
            TermNotFound, AmbiguousTerm: the spelling names no term, or several.
        """
        gone = self._id(term)
        observed, ruled_out = (
            [t for t in xs if t != gone] for xs in (self.observed, self.ruled_out)
        )
        return self._ask(self.text, observed, ruled_out)

    def _ask(self, text: str, observed: list[str], ruled_out: list[str]) -> Diagnosis:
        """The diagnosis of these facts; they are kept only if it can be made."""
        found = self.library.diagnose(
            text, observed=observed, ruled_out=ruled_out, previous=self.diagnosis, lang=self.lang
        )
        self.text, self.observed, self.ruled_out = text, observed, ruled_out
        self.diagnosis = found
        return found

    def _with(self, terms: list[str], term: str) -> list[str]:
        return list(dict.fromkeys([*terms, self._id(term)]))

    def _id(self, term: str) -> str:
        return self.library.vocabulary.resolve(term, lang=self.lang).id
