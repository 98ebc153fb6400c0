"""A batch of cases on its way into a library: read, checked against the vocabulary, sorted."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.errors import Problem
from kg.model import Case, ClaimKind
from kg.readers.casefile import read_cases
from kg.readers.rdf import RdfBatch, read_rdf
from kg.readers.rdf_files import is_rdf
from kg.vocab import Followed, Vocabulary, contradictions, follow_history

SCHEME_OF_KIND: dict[ClaimKind, tuple[str, ...]] = {
    ClaimKind.TRIGGER: ("trigger",),
    ClaimKind.CAUSE: ("cause",),
    ClaimKind.FACTOR: ("factor",),
    ClaimKind.COMPONENT: ("component",),
    ClaimKind.SYMPTOM: ("symptom",),
    ClaimKind.DETECTION: ("tool",),
    ClaimKind.MITIGATION: ("mitigation",),
    ClaimKind.FOLLOW_UP: ("mitigation",),
    ClaimKind.ORGANIZATION: ("organization",),
    ClaimKind.CHECK: ("tool", "component"),
}
"""The schemes from which the terms of each kind of claim come."""


@dataclass(frozen=True)
class Batch:
    """The good cases, sorted by id, and everything that was wrong with the others.

    Attributes:
        cases: the cases, with terms of now for the old ids that their files still use.
        problems: what was wrong.
        vocabulary: the vocabulary, its history fitted to these cases.
        notes: what was read otherwise than it stands in the files; nothing is wrong with it.
    """

    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]
    vocabulary: Vocabulary
    notes: tuple[Problem, ...] = ()


Input = str | Path | Case | RdfBatch


def read_rdf_files(inputs: Iterable[Input]) -> list[Input]:
    """The inputs with what RDF files among them hold in the place of the files, each read once.

    Only files that are named are taken for RDF, by their ending; folders are searched for case
    files.
    """
    read: dict[str, RdfBatch] = {}
    others: list[Input] = []
    for given in inputs:
        if not isinstance(given, str | Path) or not is_rdf(given):
            others.append(given)
        elif (place := _place(given)) not in read:
            read[place] = read_rdf(given)
    return [*others, *read.values()]


def _place(path: str | Path) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # no path at all, which reading it tells
        return str(path)


def load_batch(inputs: Iterable[Input], vocabulary: Vocabulary) -> Batch:
    """Read paths (files, folders, RDF files) and ready cases, and check all of them together.

    A case with a problem is left out; of several cases with one id all are left out, since
    none can be preferred. The result does not depend on the order of the inputs. Old ids of terms
    are read as the new ones, with a note, see `kg.vocab.follow_history`.
    """
    items = read_rdf_files(inputs)
    paths = [i for i in items if isinstance(i, str | Path)]
    found: list[tuple[str, Case]] = []
    for given in items:
        if isinstance(given, Case) and ("(case)", given) not in found:
            found.append(("(case)", given))
    problems: list[Problem] = []
    for batch in (i for i in items if isinstance(i, RdfBatch)):
        found += [(batch.where, case) for case in batch.cases]
        problems += batch.problems
    for where, item in read_cases(paths):
        if isinstance(item, Case):
            found.append((where, item))
        else:
            problems.append(item)
    bad = {p.case_id for p in problems}
    for where, case in found:
        followed = follow_history([case], vocabulary)[0][0]
        faults = list(term_problems(followed, vocabulary, where))
        problems += faults
        bad |= {p.case_id for p in faults}
    repeated = list(_repeated(found))
    bad |= {p.case_id for p in repeated}
    good = {c.id: c for _, c in found if c.id not in bad}
    cases, fitted, changed = follow_history((good[i] for i in sorted(good)), vocabulary)
    places = {c.id: where for where, c in found}
    notes = sorted(_notes(cases, changed, places))
    return Batch(cases, tuple(sorted([*problems, *repeated])), fitted, tuple(notes))


def _notes(
    cases: Sequence[Case], changed: Sequence[Followed], places: Mapping[str, str]
) -> Iterator[Problem]:
    """What old ids were read as, and which cases thereby contradict themselves."""
    by_id = {c.id: c for c in cases}
    seen = set()
    for found in changed:
        where = places[found.case_id]
        remedy = f"Read as {', '.join(found.now)}; write so in the file"
        yield Problem(where, 0, found.field, found.message, remedy, found.case_id)
        for term in found.now:
            for c in contradictions([by_id[found.case_id]], term):
                if (c, term) not in seen:
                    seen.add((c, term))
                    told = f"{term} is stated by {', '.join(c.stated)}"
                    told += f" and ruled out by {', '.join(c.ruled_out)}"
                    remedy = "Both are kept; say in the file which one holds"
                    yield Problem(where, 0, "claims", told, remedy, c.case_id)


def _repeated(found: Sequence[tuple[str, Case]]) -> Iterator[Problem]:
    places: dict[str, list[str]] = {}
    for where, case in sorted(found, key=lambda f: (f[1].id, f[0])):
        places.setdefault(case.id, []).append(where)
    for case_id, files in places.items():
        for other in files[1:]:
            yield Problem(
                other, 0, "id", f"the id {case_id!r} is also used in {files[0]}",
                "Give each case its own id, or keep one of the two", case_id,
            )  # fmt: skip


def term_problems(case: Case, vocabulary: Vocabulary, where: str) -> Iterator[Problem]:
    """Terms of a case that the vocabulary does not have, or that do not fit their claim."""
    for i, claim in enumerate(case.claims):
        for j, term in enumerate(claim.terms):
            field = f"claims.{i}.terms.{j}"
            wanted = SCHEME_OF_KIND[claim.kind]
            if term.partition(":")[0] not in wanted:
                yield Problem(
                    where, 0, field, f"{term!r} does not fit a {claim.kind} claim",
                    f"Use a term of scheme {' or '.join(wanted)}", case.id,
                )  # fmt: skip
            elif term not in vocabulary:
                yield _unknown(term, vocabulary, where, field, case.id)
        for j, term in enumerate(claim.addresses):
            field = f"claims.{i}.addresses.{j}"
            if term not in vocabulary:
                yield _unknown(term, vocabulary, where, field, case.id)
            elif not term.startswith("cause:"):
                message = f"{term!r} is not a cause"
                yield Problem(where, 0, field, message, "Use a term of scheme cause", case.id)


def _unknown(term: str, vocabulary: Vocabulary, where: str, field: str, case_id: str) -> Problem:
    near = vocabulary.near(term)
    remedy = "Add it to the vocabulary"
    if near:
        remedy = f"Did you mean {', '.join(near)}? Or add it to the vocabulary"
    return Problem(where, 0, field, f"unknown term {term!r}", remedy, case_id)
