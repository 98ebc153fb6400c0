"""RDF back to records: what `kg.export.rdf` wrote, and what was added to it by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from kg.errors import InputError, Problem
from kg.model import Case, Change, Scheme
from kg.readers import rdf_names as names
from kg.readers.casefile import parse_case
from kg.readers.decisions import NO_DECISIONS, Decisions, Told
from kg.readers.rdf_activities import read_activities
from kg.readers.rdf_files import Triples, read_triples, triples_of
from kg.readers.rdf_history import read_changes
from kg.readers.rdf_records import Things, case_data, scheme_data
from kg.vocab import Vocabulary, faults_of

if TYPE_CHECKING:
    from rdflib import Graph


@dataclass(frozen=True)
class RdfBatch:
    """What a graph holds: schemes and cases sorted by id, and everything that was wrong.

    Spans have their place filled in. Terms of the cases are not held against the schemes here;
    building a library does that. `Vocabulary(schemes, changes)` knows the old ids as well.

    Attributes:
        where: the file, or `(graph)`.
        problems: everything that is wrong, with cases, schemes or the file.
        decisions: reviews of claims, histories of cases, pairs that were told apart.
        scheme_problems: those of them that are about schemes.
    """

    where: str
    schemes: tuple[Scheme, ...]
    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]
    changes: tuple[Change, ...] = ()
    decisions: Decisions = NO_DECISIONS
    scheme_problems: tuple[Problem, ...] = ()

    @property
    def told(self) -> Told:
        """The decisions with the file that tells them."""
        return Told(self.where, self.decisions)

    def vocabulary(self) -> Vocabulary | None:
        """The schemes as a vocabulary; None when there are none.

        Raises:
            InputError: a scheme is not valid, or they do not fit together; it holds every problem
                of the file, those of its cases too.
        """
        found = self.scheme_problems
        if not found and self.schemes:
            found = tuple(_faults(self.where, self.schemes))
        if found:
            raise InputError(sorted({*self.problems, *found}))
        return Vocabulary(self.schemes, self.changes) if self.schemes else None


def read_rdf(source: str | Path | Graph) -> RdfBatch:
    """Read schemes and cases from a file (by its ending: .ttl, .nt, .jsonld, .trig) or a graph.

    Nothing is fetched: a JSON-LD file must carry its context. A case or scheme with a problem is
    left out.
    """
    if not isinstance(source, str | Path):
        return _records(triples_of(source), "(graph)")
    triples = read_triples(Path(source))
    if isinstance(triples, Problem):
        return RdfBatch(str(source), (), (), (triples,))
    return _records(triples, str(source))


def _records(triples: Triples, where: str) -> RdfBatch:
    things = Things(triples)
    schemes: list[Scheme] = []
    cases: list[Case] = []
    problems: list[Problem] = []
    unfit: list[Problem] = []
    for iri in things.of_type(f"{names.SKOS}ConceptScheme"):
        data = scheme_data(things, iri)
        if twice := _several(things, where):
            unfit += twice
            continue
        try:
            schemes.append(Scheme.model_validate(data))
        except ValidationError as error:
            unfit += _told(error, where, iri)
    for iri in things.of_type(names.word("Case")):
        data = case_data(things, iri)
        if twice := _several(things, where, str(data.get("id") or "")):
            problems += twice
            continue
        for found in parse_case(json.dumps(data), where):
            if isinstance(found, Case):
                cases.append(found)
            else:
                problems.append(replace(found, line=0))
    ordered = sorted(schemes, key=lambda s: s.scheme)
    cases.sort(key=lambda c: c.id)
    changes, faults = read_changes(things, where)
    decisions, misfits = read_activities(things, where)
    told = tuple(sorted([*problems, *faults, *misfits, *unfit]))
    return RdfBatch(where, tuple(ordered), tuple(cases), told, changes, decisions, tuple(unfit))


def _several(things: Things, where: str, case_id: str = "") -> list[Problem]:
    """A problem for each value that should be one and is not: none of several is preferred."""
    return [
        Problem(
            where,
            0,
            predicate.rpartition("#")[2].rpartition("/")[2],
            f"{subject} has several values of {predicate}, and may have one",
            "Keep the one that holds",
            case_id,
        )
        for subject, predicate in things.several()
    ]


def _told(error: ValidationError, where: str, iri: str) -> Iterator[Problem]:
    for entry in error.errors(include_url=False):
        field = ".".join(map(str, entry["loc"]))
        message = f"{iri}: {entry['msg'].removeprefix('Value error, ')}"
        yield Problem(where, 0, field, message, "Correct the scheme")


def _faults(where: str, schemes: Sequence[Scheme]) -> Iterator[Problem]:
    """What is wrong between terms."""
    for fault in faults_of(schemes):
        message = f"{fault.name}: {fault.message}"
        yield Problem(where, 0, ".".join(map(str, fault.path)), message, fault.remedy)
