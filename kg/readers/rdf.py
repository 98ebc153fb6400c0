"""RDF back to records: what `kg.export.rdf` wrote, and what was added to it by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from kg.errors import Problem
from kg.model import Case, Change, Scheme
from kg.readers import rdf_names as names
from kg.readers.casefile import parse_case
from kg.readers.rdf_history import read_changes
from kg.readers.rdf_records import Things, case_data, scheme_data
from kg.readers.textfile import read_text

if TYPE_CHECKING:
    from rdflib import Graph

SUFFIXES: Mapping[str, str] = {
    ".ttl": "turtle",
    ".nt": "nt",
    ".jsonld": "json-ld",
    ".trig": "trig",
}
"""The endings of file names, and what rdflib calls each format."""


@dataclass(frozen=True)
class RdfBatch:
    """What a graph holds: schemes and cases sorted by id, and everything that was wrong.

    Spans have their place filled in. Terms of the cases are not held against the schemes here;
    building a library does that. `Vocabulary(schemes, changes)` knows the old ids as well.
    """

    schemes: tuple[Scheme, ...]
    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]
    changes: tuple[Change, ...] = ()


def read_rdf(source: str | Path | Graph) -> RdfBatch:
    """Read schemes and cases from a file (by its ending: .ttl, .nt, .jsonld, .trig) or a graph.

    Nothing is fetched: a JSON-LD file must carry its context. A case or scheme with a problem is
    left out.
    """
    if isinstance(source, str | Path):
        return _read_file(Path(source))
    return _records(source, "(graph)")


def _read_file(path: Path) -> RdfBatch:
    text = read_text(path)
    if isinstance(text, Problem):
        return _refused(text)
    form = SUFFIXES.get(path.suffix.lower())
    if form is None:
        advice = f"Give a file that ends in {', '.join(SUFFIXES)}"
        return _refused(Problem(str(path), 0, "", "is no RDF file, by its ending", advice))
    if form == "json-ld" and (problem := _remote_context(text, str(path))):
        return _refused(problem)
    import rdflib

    graph = rdflib.Dataset(default_union=True) if form == "trig" else rdflib.Graph()
    try:
        graph.parse(data=text, format=form, publicID=names.DEFAULT_BASE)
    except Exception as error:  # each parser of rdflib has errors of its own
        told = " ".join(str(error).split())[:200] or type(error).__name__
        return _refused(Problem(str(path), 0, "", f"not valid {form}: {told}", "Correct the file"))
    return _records(graph, str(path))


def _refused(problem: Problem) -> RdfBatch:
    return RdfBatch((), (), (problem,))


def _remote_context(text: str, file: str) -> Problem | None:
    """The problem of a JSON-LD file that would have something fetched from elsewhere."""
    try:
        waiting = [json.loads(text)]
    except (ValueError, RecursionError) as error:
        return Problem(file, 0, "", f"not valid JSON: {error}", "Correct the file")
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            context = part.get("@context", {})
            given = context if isinstance(context, list) else [context]
            if "@import" in part or any(isinstance(c, str) for c in given):
                told = "its @context is an address, and nothing is fetched"
                return Problem(file, 0, "@context", told, "Put the context itself into the file")
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return None


def _records(graph: Graph, where: str) -> RdfBatch:
    things = Things(_triples(graph))
    schemes: list[Scheme] = []
    cases: list[Case] = []
    problems: list[Problem] = []
    for iri in things.of_type(f"{names.SKOS}ConceptScheme"):
        try:
            schemes.append(Scheme.model_validate(scheme_data(things, iri)))
        except ValidationError as error:
            problems += _told(error, where, iri)
    for iri in things.of_type(names.word("Case")):
        for found in parse_case(json.dumps(case_data(things, iri)), where):
            if isinstance(found, Case):
                cases.append(found)
            else:
                problems.append(replace(found, line=0))
    ordered = sorted(schemes, key=lambda s: s.scheme)
    changes, faults = read_changes(things, where)
    return RdfBatch(
        tuple(ordered),
        tuple(sorted(cases, key=lambda c: c.id)),
        tuple(sorted([*problems, *faults])),
        changes,
    )


def _triples(graph: Graph) -> Iterable[tuple[Any, Any, Any]]:
    import rdflib

    if isinstance(graph, rdflib.Dataset):
        return ((s, p, o) for s, p, o, _ in graph.quads())
    return graph


def _told(error: ValidationError, where: str, iri: str) -> Iterator[Problem]:
    for entry in error.errors(include_url=False):
        field = ".".join(map(str, entry["loc"]))
        message = f"{iri}: {entry['msg'].removeprefix('Value error, ')}"
        yield Problem(where, 0, field, message, "Correct the scheme")
