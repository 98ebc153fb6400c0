"""Decisions and steps of histories, from triples: each record, held against what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar
from urllib.parse import unquote

from kg.errors import Problem
from kg.model import Apart, Review, Revision
from kg.readers.decisions import Decisions, parse_decision
from kg.readers.rdf_names import choice, word
from kg.readers.rdf_records import Things, term_id

_Record = TypeVar("_Record", Review, Revision, Apart)


def read_activities(things: Things, where: str) -> tuple[Decisions, list[Problem]]:
    """Reviews, revisions and pairs that were told apart, in order, and what is wrong with them.

    One whose record says something else than its triples is left out, as is all that a library
    could not hold: two records of the same.
    """
    reviews, bad_reviews = _of_kind(things, where, Review, "Review", lambda r: r.key)
    steps, bad_steps = _of_kind(
        things, where, Revision, "Revision", lambda r: (r.case_id, r.number)
    )
    apart, bad_apart = _of_kind(things, where, Apart, "ToldApart", lambda a: a.pair)
    return Decisions(reviews, steps, apart), [*bad_reviews, *bad_steps, *bad_apart]


def _of_kind(
    things: Things,
    where: str,
    kind: type[_Record],
    name: str,
    key: Callable[[_Record], tuple[str | int, ...]],
) -> tuple[tuple[_Record, ...], list[Problem]]:
    """The records of a class, sorted by what they are about, each of which is told once."""
    found: dict[tuple[str | int, ...], _Record] = {}
    problems: list[Problem] = []
    for iri in things.of_type(word(name)):
        record = _record(things, iri, kind, where)
        if isinstance(record, list):
            problems += record
        elif key(record) in found:
            problems.append(_problem(where, f"{iri}: tells what another one tells as well"))
        else:
            found[key(record)] = record
    return tuple(found[k] for k in sorted(found)), problems


def _record(things: Things, iri: str, kind: type[_Record], where: str) -> _Record | list[Problem]:
    texts = things.all(iri, word("record"))
    if len(texts) != 1:
        return [_problem(where, f"{iri} has {len(texts)} values of kg:record, and needs one")]
    found = parse_decision(kind, str(texts[0]), where)
    if isinstance(found, list):
        return [replace(p, message=f"{iri}: {p.message}") for p in found]
    if not _agrees(things, iri, found):
        return [_problem(where, f"{iri}: its kg:record does not say what is said of it")]
    return found


def _problem(where: str, message: str) -> Problem:
    return Problem(where, 0, "record", message, "Export it again")


def _agrees(things: Things, iri: str, record: Review | Revision | Apart) -> bool:
    """Whether what is said of an activity is what its record says, and nothing else."""

    def said(name: str) -> list[str]:
        return [str(value) for value in things.all(iri, word(name))]

    cases = sorted(unquote(case.rpartition("/")[2]) for case in said("ofCase"))
    if isinstance(record, Apart):
        return cases == list(record.pair)
    if cases != [record.case_id]:
        return False
    if isinstance(record, Review):
        terms = [term_id(things, term) for term in said("claimedTerm")]
        decision = choice("decision", record.decision)
        return terms == [record.term] and said("decision") == [decision]
    number, action = str(record.number), choice("action", record.action)
    return said("position") == [number] and said("action") == [action]
