"""Undoing the last change of a vocabulary: everything as it was, or a clear refusal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kg.errors import BadQuery
from kg.model import Case, Change, Operation, Part, Retag, Term
from kg.vocab.evolving import with_terms
from kg.vocab.joining import points_at, replaced, repointed
from kg.vocab.retagging import Rule, Terms, retag
from kg.vocab.vocabulary import Vocabulary


@dataclass(frozen=True)
class Undone:
    """Cases and vocabulary as they were before a change.

    Attributes:
        cases: all cases, in their order.
        vocabulary: without the change in its history.
        change: the change that was undone.
        retags: what was done to claims, from how they were to how they are.
    """

    cases: tuple[Case, ...]
    vocabulary: Vocabulary
    change: Change
    retags: tuple[Retag, ...]


def undo_last(cases: Iterable[Case], vocabulary: Vocabulary) -> Undone:
    """Take the last change back: terms, claims, and the change itself out of the history.

    What was added since is kept where it can be: claims on a renamed term get its former id, and
    what was edited at a term stays where the change did not touch it.

    Raises:
        BadQuery: nothing was changed, the change came from another program that did not tell how
            the terms were, or what was done since would be lost; the message names it.
    """
    if not vocabulary.history:
        raise BadQuery("no term was renamed, merged or split; there is nothing to undo")
    change = vocabulary.history[-1]
    if change.retired and not change.before:
        raise BadQuery(
            f"how the terms were before this {change.operation} of {', '.join(change.old)} is not "
            "known, so it cannot be undone"
        )
    terms = _terms_before(vocabulary, change)
    known = tuple(cases)
    gone = {t for t in change.new if t not in terms}
    made, retags = retag(known, _rule(change, gone))
    _check_nothing_left(made, gone, change)
    undone = with_terms(vocabulary, terms, vocabulary.history[:-1])
    return Undone(made, undone, change, retags)


def _rule(change: Change, gone: set[str]) -> Rule:
    """From the terms of a claim to those that it had before the change."""
    known = {(r.claim, r.part): r for r in change.retags}
    renamed = change.operation is Operation.RENAME and gone
    back = {change.new[0]: change.old[0]} if renamed else {}

    def rule(claim_id: str, part: Part, terms: Terms) -> Terms:
        found = known.get((claim_id, part))
        return found.before if found and found.after == terms else replaced(terms, back)

    return rule


def _check_nothing_left(cases: Iterable[Case], gone: set[str], change: Change) -> None:
    """Refuse to leave claims with terms that would no longer be there."""
    left = [
        (claim_id, term)
        for case in cases
        for claim_id, claim in case.claim_ids()
        for term in (*claim.terms, *claim.addresses)
        if term in gone
    ]
    if left:
        told = ", ".join(f"{claim_id} ({term})" for claim_id, term in left)
        raise BadQuery(
            f"the {change.operation} cannot be undone: claims that came since, or were edited, "
            f"name a term that would be gone: {told}. Give them other terms first"
        )


def _terms_before(vocabulary: Vocabulary, change: Change) -> dict[str, Term]:
    before = {t.id: t for t in change.before}
    after = {t.id: t for t in change.after}
    terms = dict(vocabulary.terms)
    if change.operation is Operation.RENAME:
        _rename_back(terms, after, change)
    for term_id, made in after.items():
        if terms.get(term_id) is None:
            raise BadQuery(f"{term_id} is gone, so the {change.operation} cannot be undone")
        if term_id in before:
            terms[term_id] = _merged_back(terms[term_id], before[term_id], made, change)
        elif terms[term_id] != made:
            raise _edited(term_id, change)
        else:
            del terms[term_id]
    for term_id, term in before.items():
        if term_id not in after:
            if term_id in terms:
                raise BadQuery(f"{term_id} is a term again, so the change before cannot be undone")
            terms[term_id] = term
    _check_no_pointers(terms, change)
    return terms


def _rename_back(terms: dict[str, Term], after: dict[str, Term], change: Change) -> None:
    """Put the old id back, in the term and wherever terms name it, edited since or not."""
    (old,), (new,) = change.old, change.new
    if new not in terms or old in terms:
        raise BadQuery(f"{new} is gone or {old} is back, so the rename cannot be undone")
    back = {new: old}
    renamed = terms.pop(new).model_copy(update={"id": old})
    made = after.pop(new).model_copy(update={"id": old})
    terms[old] = repointed(renamed, back)
    for term_id, term in list(terms.items()):
        terms[term_id] = repointed(term, back)
    after[old] = made
    for term_id, term in list(after.items()):
        after[term_id] = repointed(term, back)


def _merged_back(term: Term, before: Term, made: Term, change: Change) -> Term:
    """A term with the fields that a change touched as they were; others may have been edited."""
    restored = {}
    for name in Term.model_fields:
        was, became, now = (getattr(t, name) for t in (before, made, term))
        if was != became:
            if now != became:
                raise _edited(term.id, change)
            restored[name] = was
    return term.model_copy(update=restored)


def _edited(term_id: str, change: Change) -> BadQuery:
    return BadQuery(
        f"{term_id} was edited since the {change.operation} of {', '.join(change.old)}; undoing it "
        "would lose that"
    )


def _check_no_pointers(terms: Mapping[str, Term], change: Change) -> None:
    lost = list(_lost(terms))
    if lost:
        told = ", ".join(f"{source} names {target}" for source, target in lost)
        raise BadQuery(f"the {change.operation} cannot be undone, since terms came since: {told}")


def _lost(terms: Mapping[str, Term]) -> Iterator[tuple[str, str]]:
    for term_id, term in terms.items():
        yield from ((term_id, t) for t in sorted(points_at(term)) if t not in terms)
