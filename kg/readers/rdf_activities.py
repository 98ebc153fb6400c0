"""Decisions and steps of histories, from triples: each record, held against what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar
from urllib.parse import unquote

from kg.errors import Problem
from kg.model import Apart, Review, Revision
from kg.readers.decisions import Decisions, parse_decision
from kg.readers.rdf_names import word
from kg.readers.rdf_records import Things, term_id

_Record = TypeVar("_Record", Review, Revision, Apart)
_AGAIN = "Export it again"


def read_activities(things: Things, where: str) -> tuple[Decisions, list[Problem]]:
    """Reviews, revisions and pairs that were told apart, in order, and what is wrong with them.

    One whose record says something else than its triples is left out, as is all that a library
    could not hold: two records of the same.
    """
    problems: list[Problem] = []
    things.several()  # those of what was read before are told there

    def records(kind: type[_Record], name: str, key: Callable[[_Record], object]) -> list[_Record]:
        found: dict[object, _Record] = {}
        for iri in things.of_type(word(name)):
            record = _record(things, iri, kind, where)
            if not isinstance(record, list):
                if _agrees(things, iri, record) and not things.several():
                    if key(record) not in found:
                        found[key(record)] = record
                        continue
                    told = "tells what another one tells as well"
                else:
                    told = "its kg:record does not say what is said of it"
                record = [Problem(where, 0, "record", f"{iri}: {told}", _AGAIN)]
            things.several()
            problems.extend(record)
        return list(found.values())

    reviews = records(Review, "Review", lambda r: r.key)
    steps = records(Revision, "Revision", lambda r: (r.case_id, r.number))
    apart = records(Apart, "ToldApart", lambda a: a.pair)
    return Decisions(
        tuple(sorted(reviews, key=lambda r: r.key)),
        tuple(sorted(steps, key=lambda r: (r.case_id, r.number))),
        tuple(sorted(apart, key=lambda a: a.pair)),
    ), problems


def _record(things: Things, iri: str, kind: type[_Record], where: str) -> _Record | list[Problem]:
    text = things.one(iri, word("record"))
    if text is None:
        return [Problem(where, 0, "record", f"{iri} has no kg:record", _AGAIN)]
    found = parse_decision(kind, text, where)
    if isinstance(found, list):
        return [replace(p, message=f"{iri}: {p.message}") for p in found]
    return found


def _agrees(things: Things, iri: str, record: Review | Revision | Apart) -> bool:
    """Whether what is said of an activity is what its record says."""
    cases = {unquote(str(c).rpartition("/")[2]) for c in things.all(iri, word("ofCase"))}
    return all([cases == _cases_of(record), *_said(things, iri, record)])


def _cases_of(record: Review | Revision | Apart) -> set[str]:
    return set(record.pair) if isinstance(record, Apart) else {record.case_id}


def _said(things: Things, iri: str, record: Review | Revision | Apart) -> Iterator[bool]:
    if isinstance(record, Review):
        yield things.choice(iri, word("decision"), "decision") == record.decision
        term = things.one(iri, word("claimedTerm"))
        yield term is not None and term_id(things, term) == record.term
    elif isinstance(record, Revision):
        yield things.choice(iri, word("action"), "action") == record.action
        yield things.one(iri, word("position")) == str(record.number)
