"""Results that know the labels of their terms, and so can show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kg.vocab import Vocabulary


class Labels(Mapping[str, str]):
    """The labels of all terms in one language, looked up when they are asked for."""

    def __init__(self, vocabulary: Vocabulary, lang: str) -> None:
        self._vocabulary = vocabulary
        self._lang = lang

    def __getitem__(self, term: str) -> str:
        return self._vocabulary.terms[term].label.best(self._lang)

    def __iter__(self) -> Iterator[str]:
        return iter(self._vocabulary.terms)

    def __len__(self) -> int:
        return len(self._vocabulary.terms)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A result with a view in HTML; equality and JSON are those of the result alone.

    Attributes:
        labels: the label of each term, where the caller gave them; else ids are shown.
        lang: the language of the view.
    """

    labels: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    lang: str = field(default="en", repr=False, compare=False)

    def label(self, term: str) -> str:
        """The label of a term, or its id where none is known."""
        return self.labels.get(term, term)

    def _repr_html_(self) -> str:
        from kg.queries.views import view_of

        return view_of(self)
