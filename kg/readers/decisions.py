"""Decisions about claims, and histories of cases, out of exports of libraries and RDF."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from kg.errors import InputError, Problem
from kg.model import Action, Apart, Case, Review, Revision
from kg.readers.exported import (
    Exported,
    apart_texts,
    exports_among,
    review_texts,
    revision_texts,
)
from kg.readers.validation import Form, parse_record

_REVIEW = Form(
    model=Review,
    name="a decision about a claim",
    shape="Write one decision a line",
    guide="docs/your-incidents.md (section Review)",
    within={},
)
_REVISION = Form(
    model=Revision,
    name="a step in the history of a case",
    shape="Write one step a line",
    guide="docs/your-incidents.md (section History)",
    within={},
)
_APART = Form(
    model=Apart,
    name="two cases that were told apart",
    shape="Write one pair a line",
    guide="docs/merging.md",
    within={},
)

_FORMS: Mapping[type, Form[Any]] = {Review: _REVIEW, Revision: _REVISION, Apart: _APART}

Texts = Callable[[Exported], Iterator[tuple[str, int, str]]]
_Kept = TypeVar("_Kept", Review, Revision, Apart)
_Of = TypeVar("_Of", Review, Revision)


@dataclass(frozen=True)
class Decisions:
    """What is told of cases beside their records.

    Attributes:
        reviews: decisions about claims.
        revisions: the histories of the cases.
        apart: pairs of cases that people told apart.
    """

    reviews: tuple[Review, ...] = ()
    revisions: tuple[Revision, ...] = ()
    apart: tuple[Apart, ...] = ()


NO_DECISIONS = Decisions()


@dataclass(frozen=True)
class Told:
    """What one file tells, which `read_decisions` takes beside exports."""

    where: str
    decisions: Decisions


def read_decisions(inputs: Iterable[object], case_ids: Collection[str]) -> Decisions:
    """What the exports and the `Told` among the inputs hold of these cases, in order of their keys.

    With a case comes what is told of those that it absorbed. Where two exports tell of one case,
    all of it comes from the first, by path. A case among these that another one absorbed elsewhere
    stays a case, and the other one comes without its history.

    Raises:
        InputError: a file cannot be read, or holds something else; all problems together.
    """
    given = list(inputs)
    exports = exports_among(given)
    problems: list[Problem] = []
    reviews = _read(exports, review_texts, _REVIEW, problems)
    revisions = _read(exports, revision_texts, _REVISION, problems)
    apart = _read(exports, apart_texts, _APART, problems)
    for told in sorted((t for t in given if isinstance(t, Told)), key=lambda t: t.where):
        reviews += [(told.where, r) for r in told.decisions.reviews]
        revisions += [(told.where, r) for r in told.decisions.revisions]
        apart += [(told.where, a) for a in told.decisions.apart]
    problems += [_no_case(file, step) for file, step in revisions if not _whole(step)]
    if problems:
        raise InputError(problems)
    kept = _kept(revisions, case_ids)
    within = kept.union(case_ids)
    pairs = {a.pair: a for _, a in reversed(apart) if within.issuperset(a.pair)}
    return Decisions(
        tuple(sorted(_first(reviews, within), key=lambda r: r.key)),
        tuple(sorted(_first(revisions, kept), key=lambda r: (r.case_id, r.number))),
        tuple(pairs[key] for key in sorted(pairs)),
    )


def parse_decision(kind: type[_Kept], text: str, where: str) -> _Kept | list[Problem]:
    """A record of one of the three kinds from JSON, or what is wrong with it."""
    items = list(parse_record(_FORMS[kind], text, where, 0))
    problems = [i for i in items if isinstance(i, Problem)]
    records = [i for i in items if isinstance(i, kind)]
    return problems or records[0]


def _whole(step: Revision) -> bool:
    """Whether the records that a step holds can be read, and those of a merge are there."""
    merged = step.action is Action.MERGED
    held = [r for r in (step.before, step.absorbed) if r is not None or merged]
    try:
        return all(Case.model_validate_json(record or "") for record in held)
    except ValueError:
        return False


def _no_case(file: str, step: Revision) -> Problem:
    told = f"step {step.number} of this case holds no whole record"
    return Problem(file, 0, "absorbed", told, "Export it again", step.case_id)


def _kept(steps: Sequence[tuple[str, Revision]], case_ids: Collection[str]) -> set[str]:
    """The cases whose history can be kept: these, and those that they absorbed."""
    absorbed: dict[str, set[str]] = {}
    for step in _first(steps, {step.case_id for _, step in steps}):
        if step.action is Action.MERGED and step.absorbed is not None:
            one = str(json.loads(step.absorbed)["id"])
            absorbed.setdefault(step.case_id, set()).add(one)
    within, kept = set(case_ids), set(case_ids)
    for case_id in sorted(case_ids):
        inside, found = [case_id], set[str]()
        while inside:
            more = absorbed.get(inside.pop(), set()) - found
            found |= more
            inside += sorted(more)
        if within.isdisjoint(found):
            kept |= found
            within |= found
        else:
            kept.discard(case_id)
    return kept


def _read(
    exports: Iterable[Exported], texts: Texts, form: Form[_Kept], problems: list[Problem]
) -> list[tuple[str, _Kept]]:
    found: list[tuple[str, _Kept]] = []
    for export in exports:
        for file, line, text in texts(export):
            for item in parse_record(form, text, file, line):
                if isinstance(item, Problem):
                    problems.append(item)
                else:
                    found.append((file, item))
    return found


def _first(found: Iterable[tuple[str, _Of]], case_ids: Collection[str]) -> Iterator[_Of]:
    owner: dict[str, str] = {}
    for file, record in found:
        if record.case_id in case_ids and owner.setdefault(record.case_id, file) == file:
            yield record
