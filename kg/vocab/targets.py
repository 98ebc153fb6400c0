"""What a change of terms starts from: ids, records and targets, checked before anything is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from kg.errors import BadQuery
from kg.model import Change, Operation, Term
from kg.vocab.retagging import Contradiction, Terms
from kg.vocab.spelling import normal
from kg.vocab.vocabulary import Vocabulary


@dataclass(frozen=True)
class Told:
    """What the caller says of a change; no clock is asked.

    Attributes:
        at: when, as ISO 8601.
        author: who.
        note: why.
    """

    at: str | None = None
    author: str | None = None
    note: str | None = None


def make_change(operation: Operation, old: Terms, new: Terms, told: Told) -> Change:
    """A change without its effects.

    Raises:
        BadQuery: what is told of it cannot be, such as a time that is none.
    """
    try:
        return Change(
            operation=operation, at=told.at, author=told.author, note=told.note, old=old, new=new
        )
    except ValidationError as error:
        raise BadQuery(_reason(error)) from error


def _reason(error: ValidationError) -> str:
    found = error.errors(include_url=False)[0]
    field = ".".join(map(str, found["loc"]))
    message = found["msg"].removeprefix("Value error, ")
    return f"{field}: {message}" if field else message


def make_term(data: Mapping[str, Any]) -> Term:
    """A term from its data.

    Raises:
        BadQuery: saying what is wrong with it.
    """
    try:
        return Term.model_validate(data)
    except ValidationError as error:
        raise BadQuery(f"{data.get('id')}: {_reason(error)}") from error


def id_in(given: str, scheme: str) -> str:
    """A new id, from an id or a slug of this scheme.

    Raises:
        BadQuery: it cannot be an id, or is of another scheme.
    """
    whole = given if ":" in given else f"{scheme}:{given}"
    if whole.partition(":")[0] != scheme:
        raise BadQuery(f"{given!r} is not of the scheme {scheme}; a term stays in its scheme")
    probe = {"id": whole, "label": {"en": "x"}, "definition": {"en": "x"}}
    try:
        return Term.model_validate(probe).id
    except ValidationError as error:
        raise BadQuery(
            f"{given!r} cannot be an id; write it like {scheme}:small-letters-and-hyphens"
        ) from error


def target_in(vocabulary: Vocabulary, given: str, scheme: str) -> str:
    """The id of a target within a scheme, new or not.

    Raises:
        BadQuery: it cannot be an id, is of another scheme, or is an old id.
    """
    whole = id_in(given, scheme)
    if whole not in vocabulary and whole in vocabulary.replaced:
        raise taken(whole, vocabulary)
    return whole


def taken(old_id: str, vocabulary: Vocabulary) -> BadQuery:
    """The error for a new term that would take the old id of another."""
    return BadQuery(
        f"{old_id} is an old id of {vocabulary.current(old_id)} and leads there; take another id"
    )


def merge_target(vocabulary: Vocabulary, given: Sequence[str], into: str) -> str:
    """The id of the term that terms are merged into.

    Raises:
        BadQuery: there is nothing to merge, or the terms are of several schemes.
    """
    if not given:
        raise BadQuery("give the terms to merge")
    schemes = sorted({t.partition(":")[0] for t in given})
    if len(schemes) > 1:
        raise BadQuery(f"terms of {' and '.join(schemes)} cannot be one; merge within a scheme")
    found = vocabulary.lookup(into, schemes[0])
    named = {into, f"{schemes[0]}:{into}"}
    if len(found) == 1 and (found[0].id in named or not named & set(vocabulary.replaced)):
        return found[0].id
    return target_in(vocabulary, into, schemes[0])


def check_mergeable(terms: Sequence[Term], target_id: str) -> None:
    """Refuse terms that stand for something without a name.

    Raises:
        BadQuery: naming the first one.
    """
    for term in terms:
        if term.unnamed:
            raise BadQuery(
                f"{term.id} stands for something without a name, and two such need not be one; "
                f"it is never merged (here into {target_id})"
            )


def check_no_ring(vocabulary: Vocabulary, made: Term, ended: set[str]) -> None:
    """Refuse a target that would lie above one of its own broader terms.

    Raises:
        BadQuery: naming the terms that lie between.
    """
    within = {made.id, *ended}
    for start in made.broader:
        way = _way_up(vocabulary, start, within)
        if way:
            raise BadQuery(
                f"{made.id} would be broader and narrower than itself, by {' < '.join(way)}; "
                "merge what lies between as well, or change its broader terms first"
            )


def _way_up(vocabulary: Vocabulary, start: str, goals: set[str]) -> list[str]:
    """The shortest way of broader terms to one of the goals; empty where there is none."""
    ways = [[start]]
    seen = {start}
    while ways:
        way = ways.pop(0)
        if way[-1] in goals:
            return way
        for above in vocabulary.terms[way[-1]].broader:
            if above not in seen:
                seen.add(above)
                ways.append([*way, above])
    return []


def contradicting(found: Sequence[Contradiction], target_id: str) -> str:
    """What to say of cases that would contradict themselves."""
    told = "; ".join(
        f"{c.case_id} states {', '.join(c.stated)} and rules out {', '.join(c.ruled_out)}"
        for c in found
    )
    return (
        f"{target_id} would be stated and ruled out by the same case: {told}. Correct the case, "
        "decide otherwise, or keep both claims on purpose (keep_both, --keep-both)"
    )


def split_off(
    vocabulary: Vocabulary, split: Term, new_ids: Sequence[str], described: Iterable[Term]
) -> dict[str, Term]:
    """The new terms among those that a term is split into, by id.

    Raises:
        BadQuery: none is given, one lies above the term, or what is new is not described.
    """
    if not new_ids:
        raise BadQuery(f"give the terms that {split.id} is split into")
    given = {t.id: t for t in described}
    for term_id in new_ids:
        if term_id in vocabulary.broader_steps(split.id):
            said = "the term itself" if term_id == split.id else f"broader than {split.id}"
            raise BadQuery(f"{term_id} is {said}; split into narrower or other terms")
    if astray := [t for t in given if t not in new_ids or t in vocabulary]:
        raise BadQuery(f"{astray[0]} is described, but is none of the new terms")
    bare = [t for t in new_ids if t not in vocabulary and t not in given]
    if bare:
        raise BadQuery(
            f"{', '.join(bare)}: no such term yet; give a label and a definition for a new one"
        )
    check_labels_free(vocabulary, given.values(), set())
    return {
        i: t if t.broader else t.model_copy(update={"broader": (split.id,)})
        for i, t in given.items()
    }


def check_labels_free(vocabulary: Vocabulary, terms: Iterable[Term], ending: set[str]) -> None:
    """Refuse new terms with a label that names another term of their scheme already.

    Args:
        vocabulary: the terms before.
        terms: the new ones.
        ending: those before them that end.

    Raises:
        BadQuery: naming the label and the term that has it.
    """
    seen: dict[tuple[str, ...], str] = {}
    for term in terms:
        for label in dict(term.label.items()).values():
            key = normal(label)
            others = {t for t in vocabulary.by_spelling.get(key, ()) if t not in ending}
            same = sorted(t for t in others if vocabulary.terms[t].scheme == term.scheme)
            first = seen.setdefault(key, term.id)
            if same or first != term.id:
                other = same[0] if same else first
                raise BadQuery(f"the label {label!r} of {term.id} is that of {other}; give another")
