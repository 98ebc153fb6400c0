"""Names of terms, cases, statuses and fields in the language of a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from kg.graph import kind_of
from kg.model import Case, Status
from kg.server.pages.words import word

if TYPE_CHECKING:
    from kg.library import Library

STRENGTH = (Status.CONFIRMED, Status.SUSPECTED, Status.RULED_OUT)
"""Statuses, the one that says most first."""


@dataclass(frozen=True)
class TermName:
    """A term as a page shows it: id, label, scheme and the word for the scheme."""

    id: str
    label: str
    scheme: str
    kind: str


@dataclass(frozen=True)
class StatedTerm:
    """A term that a case states: the strongest status of its claims, roles of confirmed ones."""

    term: TermName
    status: str
    roles: tuple[str, ...] = ()


@dataclass(frozen=True)
class CaseName:
    """A case as a page shows it in a line: id, title, owner and year, kept apart."""

    id: str
    title: str
    kind: str
    organizations: tuple[TermName, ...] = ()
    year: int | None = None
    date: str | None = None
    date_kind: str | None = None


class Names:
    """Says the names of things of one library in one language."""

    def __init__(self, library: Library, lang: str) -> None:
        self.lang = lang
        self._library = library
        self._vocabulary = library.vocabulary

    def word(self, key: str, *values: object) -> str:
        """A fixed word or phrase of the interface."""
        return word(key, self.lang, *values)

    def term(self, term_id: str) -> TermName:
        """A term; what the vocabulary does not know keeps its id for a label."""
        found = self._vocabulary.terms.get(term_id)
        scheme = kind_of(term_id)
        label = found.label.best(self.lang) if found else term_id
        return TermName(term_id, label, scheme, self.word(f"kind.{scheme}"))

    def terms(self, ids: Iterable[str]) -> tuple[TermName, ...]:
        """Terms, each once, in order."""
        return tuple(self.term(i) for i in dict.fromkeys(ids))

    def case(self, case_id: str) -> CaseName:
        """A case of the library in a line."""
        return self.named(self._library.cases[case_id])

    def named(self, case: Case) -> CaseName:
        """The same of a record."""
        when = case.sorted_by()
        owners = [
            t
            for c in case.claims
            if c.kind == "organization" and c.role == "owner" and c.status is Status.CONFIRMED
            for t in c.terms
        ]
        return CaseName(
            id=case.id,
            title=case.name(self.lang),
            kind=str(case.kind),
            organizations=self.terms(owners),
            year=when.earliest().year if when else None,
            date=when.at if when else None,
            date_kind=str(when.kind) if when else None,
        )

    def stated(self, case: Case, kind: str, *, denied: bool = False) -> tuple[StatedTerm, ...]:
        """The terms of the claims of one kind; ruled-out ones only where `denied`."""
        best: dict[str, Status] = {}
        roles: dict[str, dict[str, None]] = {}
        for claim in case.claims:
            if claim.kind != kind or (claim.status is Status.RULED_OUT and not denied):
                continue
            for term in claim.terms:
                known = best.get(term, claim.status)
                best[term] = min(known, claim.status, key=STRENGTH.index)
                if claim.role and claim.status is Status.CONFIRMED:
                    roles.setdefault(term, {})[str(claim.role)] = None
        return tuple(
            StatedTerm(self.term(t), str(s), tuple(roles.get(t, ()))) for t, s in best.items()
        )


def number_text(number: float) -> str:
    """A number with all of its digits and without an exponent, as a source states it."""
    text = f"{Decimal(repr(float(number))):,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def fallback(languages: Iterable[str], lang: str) -> str | None:
    """Which of the languages of a text to show: `lang`, else English, else the first."""
    known = tuple(languages)
    return next((code for code in (lang, "en", *known) if code in known), None)
