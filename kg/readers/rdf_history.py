"""The history of a vocabulary, from triples: whole where we wrote it, old ids from anybody."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pydantic import ValidationError

from kg.errors import Problem
from kg.model import Change, Operation
from kg.readers.rdf_names import word
from kg.readers.rdf_records import Things, term_id


def read_changes(things: Things, where: str) -> tuple[tuple[Change, ...], list[Problem]]:
    """The changes in their order, and what was wrong.

    A thing that `dcterms:isReplacedBy` another (or that the other `dcterms:replaces`) without one
    of our changes behind it comes first, as a rename or merge that nobody dated: its old id
    serves, but it cannot be undone.
    """
    changes: list[Change] = []
    problems: list[Problem] = []
    for iri in sorted(things.of_type(word("Change")), key=lambda n: _place(things, n)):
        try:
            changes.append(Change.model_validate_json(things.one(iri, word("record")) or ""))
        except ValidationError as error:
            told = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
            message = f"{iri}: its kg:record cannot be read: {told}"
            problems.append(Problem(where, 0, "record", message, "Export it again"))
    known = {i for change in changes for i in change.retired}
    others = list(_of_others(things, known, where))
    problems += (f for f in others if isinstance(f, Problem))
    return (*(f for f in others if isinstance(f, Change)), *changes), problems


def _place(things: Things, iri: str) -> tuple[int, str]:
    text = things.one(iri, word("position")) or ""
    return (int(text) if text.isdecimal() else 1 << 60), iri


def _of_others(things: Things, known: set[str], where: str) -> Iterator[Change | Problem]:
    """Replacements that no change of ours tells of, by the term that stands at their end."""
    replaced = things.replaced()
    ends: dict[str, list[str]] = defaultdict(list)
    for iri in replaced:
        old = term_id(things, iri)
        if old in known:
            continue
        end = _end(iri, replaced)
        if end is None:
            message = f"{old} is replaced by several terms, or leads in a ring"
            remedy = "Name the one term that stands for it now in dcterms:isReplacedBy"
            yield Problem(where, 0, "isReplacedBy", message, remedy)
        else:
            ends[term_id(things, end)].append(old)
    for new, old_ids in sorted(ends.items()):
        operation = Operation.RENAME if len(old_ids) == 1 else Operation.MERGE
        try:
            yield Change(operation=operation, old=tuple(sorted(old_ids)), new=(new,))
        except ValidationError:
            message = f"{', '.join(old_ids)} and {new} are not all ids of terms"
            remedy = "Give each its id in skos:notation"
            yield Problem(where, 0, "isReplacedBy", message, remedy)


def _end(iri: str, replaced: dict[str, list[str]]) -> str | None:
    """The thing at the end of the replacements; None where there is not one."""
    seen = {iri}
    while iri in replaced:
        if len(replaced[iri]) != 1:
            return None
        (iri,) = replaced[iri]
        if iri in seen:
            return None
        seen.add(iri)
    return iri
