"""What a library says of why cases are alike, and the views of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from embeddings import condense
from kg.errors import BadQuery
from kg.export import explanation_html, explanation_page, explanation_svg
from kg.graph import kind_of
from kg.library.case_lists import CaseLists
from kg.model.text import language_of
from kg.queries import Explanation, explain_text, make_explanation
from kg.vocab.tagger import HAPPENINGS, LABEL

if TYPE_CHECKING:
    from kg.model import Case
    from kg.vocab import Tag

SURE = 0.5
"""Confidence from which on a text is taken to tell of a term that it does not name."""

TOLD = frozenset({*HAPPENINGS, "mitigation"})
"""What a text may tell of in other words; things, people and tools it must name."""

MITIGATION_SURE = 0.8
"""The same for mitigations: a text that tells of trouble rarely tells what was done about it."""

NAMED, MITIGATION_NAMED = 0.2, 0.5
"""Confidence below which a name is not taken for its term: rarely does a case with such words
state it. What is denied by name counts at any confidence, since no case would state it."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Explained(Explanation):
    """An explanation with its views: `str()`, HTML and SVG."""

    def to_html(self) -> str:
        """A whole HTML page: verdict, paragraph, picture, and every claim with its evidence.

        All text of cases is escaped; nothing in the page is loaded or run.
        """
        return explanation_page(self)

    def to_svg(self) -> str:
        """A picture with kinds in columns, equal bytes for equal explanations."""
        return explanation_svg(self)

    def _repr_html_(self) -> str:
        return explanation_html(self)


class Explanations(CaseLists):
    """The part of a library that explains. `Library` is one."""

    if TYPE_CHECKING:

        def tag(self, text: str, least: float = 0.3) -> Sequence[Tag]:
            """The terms that a text names or tells of."""

    def explain(self, a: str, b: str, lang: str | None = None) -> Explained:
        """Why two cases are alike, or a text and a case, and where they differ.

        Each of the two is the id of a case; one of them may be a text of several words instead.
        What looks like an id, one word of letters, digits and `. _ -`, is never taken for a
        text: see `explain_text` for a text of one word.

        Args:
            a: a case id, or a text.
            b: a case id, or a text.
            lang: language of the words; where None, English for two cases, else that of the text.

        Returns:
            The explanation: `str()` is a paragraph, `to_html()` and `to_svg()` are views.

        Raises:
            CaseNotFound: an id is not in the library; the message names ids that look like it.
            BadQuery: both are the same case, both are texts, or a text has no words.
            EncoderMismatch, EncoderNotFound: a text needs an encoder that is not here.
        """
        first, second = self._case_of(a), self._case_of(b)
        if first is None and second is None:
            raise BadQuery("both are texts; give the id of a case with a text, or of two cases")
        if first is None:
            return self.explain_text(a, b, lang)
        if second is None:
            return self._beside(b, first, lang, text_first=False)
        if first is second:
            raise BadQuery(f"{a} is one case; give two")
        found = make_explanation(self.graph, self.vocabulary, first, second, lang or "en")
        return _with_views(found)

    def explain_text(self, text: str, case_id: str, lang: str | None = None) -> Explained:
        """What a text and a case have in common, and where they differ.

        The text stands for what its terms say, with its own words as evidence. It confirms no
        cause, so it never has the same cause as a case.

        Args:
            text: what was seen, in Korean or English; of a text of more than 20,000 characters
                the distinct lines are read, up to that size.
            case_id: the case.
            lang: language of the words; that of the text where None.

        Raises:
            CaseNotFound: the id is not in the library.
            BadQuery: the text has no words.
            EncoderMismatch, EncoderNotFound: the vectors of this library need another encoder.
        """
        return self._beside(text, self.get(case_id), lang, text_first=True)

    def _beside(self, text: str, case: Case, lang: str | None, *, text_first: bool) -> Explained:
        if not any(c.isalnum() for c in text):
            raise BadQuery("the text has no words; say what was seen")
        text = condense(text)
        tags = [t for t in self.tag(text, SURE) if _trusted(t)]
        found = explain_text(
            self.graph,
            self.vocabulary,
            text,
            tags,
            case,
            lang or language_of(text),
            text_first,
        )
        return _with_views(found)

    def _case_of(self, given: str) -> Case | None:
        """The case with this id; None for what can only be a text."""
        looks_like_an_id = _ID.fullmatch(given.strip()) is not None
        return self.get(given) if given in self or looks_like_an_id else None


def _trusted(tag: Tag) -> bool:
    """Whether a term counts as found in a text."""
    kind = kind_of(tag.term)
    done = kind == "mitigation"
    if tag.how == LABEL:
        return tag.negated or tag.confidence >= (MITIGATION_NAMED if done else NAMED)
    return kind in TOLD and tag.confidence >= (MITIGATION_SURE if done else SURE)


def _with_views(found: Explanation) -> Explained:
    return Explained(**{f.name: getattr(found, f.name) for f in fields(found)})
