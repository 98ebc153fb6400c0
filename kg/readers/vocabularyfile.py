"""Vocabulary files: one JSON file per scheme in a folder."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.errors import BadQuery, InputError, Problem
from kg.model import Change, Retag, Scheme, Term
from kg.readers.exported import (
    change_texts,
    exports_among,
    find_export,
    history_lines,
    scheme_texts,
)
from kg.readers.positions import Positions
from kg.readers.rdf import RdfBatch, read_rdf
from kg.readers.rdf_files import is_rdf
from kg.readers.textfile import files_in, read_text, unreadable
from kg.readers.validation import Form, parse_record
from kg.vocab import Vocabulary, faults_of
from kg.vocab.history import history_faults, retired_in

_SCHEME = Form(
    model=Scheme,
    name="a scheme",
    shape="Write one scheme a file",
    guide="docs/case-format.md (section Vocabulary)",
    within={"terms": Term},
)
_CHANGE = Form(
    model=Change,
    name="a change",
    shape="Write one change a line",
    guide="docs/evolution.md",
    within={"before": Term, "after": Term, "retags": Retag},
)


@dataclass(frozen=True)
class _File:
    """A scheme with the file and the text that it comes from."""

    path: str
    text: str
    scheme: Scheme


def read_vocabulary(folder: str | Path) -> Vocabulary:
    """Read all `*.json` schemes of a folder, those of an export of a library, or of an RDF file.

    The changes that led to them are read from `history.jsonl` beside, where there is one.

    Raises:
        InputError: files that cannot be read or are not schemes or changes, or schemes that do
            not fit together; all problems together, each with its file and line.
    """
    if is_rdf(folder):
        return _of_rdf(read_rdf(folder))
    files: list[_File] = []
    problems: list[Problem] = []
    for found in _found(Path(folder)):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            files.append(found)
    # Files that are missing would make good relations of the others look wrong.
    history: list[Change] = []
    places: list[tuple[str, int]] = []
    for file, line, item in _changes(Path(folder)):
        if isinstance(item, Problem):
            problems.append(item)
        else:
            history.append(item)
            places.append((file, line))
    problems = problems or [*_twice(files)] or [*_faults(files)]
    problems = problems or [*_lost(history, places, files)]
    if problems:
        raise InputError(sorted(problems))
    return Vocabulary((f.scheme for f in files), history)


def _changes(folder: Path) -> Iterator[tuple[str, int, Change | Problem]]:
    export = find_export(folder)
    for file, line, text in change_texts(export) if export else history_lines(folder):
        yield from ((file, line, item) for item in parse_record(_CHANGE, text, file, line))


def _lost(
    history: Sequence[Change], places: Sequence[tuple[str, int]], files: Sequence[_File]
) -> Iterator[Problem]:
    """Old ids that lead to no term, each told at the change in which it ended."""
    terms = {t.id for f in files for t in f.scheme.terms}
    remedy = "Put the term back, or take the change out"
    for old, message in history_faults(history, terms).items():
        file, line = places[retired_in(history, old) - 1]
        yield Problem(file, line, "new", message, remedy)


def _of_rdf(batch: RdfBatch) -> Vocabulary:
    if (found := batch.vocabulary()) is None:
        advice = "Give a file with skos:ConceptScheme and skos:Concept"
        none = Problem(batch.where, 0, "", "holds no scheme", advice)
        raise InputError(batch.problems or [none])
    return found


def vocabulary_among(inputs: Iterable[object]) -> Vocabulary | None:
    """The vocabulary that goes with the inputs of a build: that of the exports and RDF among them.

    Returns:
        None when none of them holds one.

    Raises:
        BadQuery: they hold different vocabularies.
        InputError: an export or a scheme cannot be read.
    """
    given = list(inputs)
    found = [(str(e.folder), read_vocabulary(e.folder)) for e in exports_among(given)]
    batches = [i for i in given if isinstance(i, RdfBatch)]
    found += [(b.where, words) for b in batches if (words := b.vocabulary()) is not None]
    if any(_told(words) != _told(found[0][1]) for _, words in found):
        raise BadQuery(
            f"{', '.join(sorted(where for where, _ in found))} hold different vocabularies; "
            "say which with --vocabulary FOLDER"
        )
    return found[0][1] if found else None


def _told(vocabulary: Vocabulary) -> tuple[object, object]:
    return vocabulary.schemes, vocabulary.history


def _found(folder: Path) -> Iterator[_File | Problem]:
    if (export := find_export(folder)) is not None:
        for file, record in scheme_texts(export):
            for item in parse_record(_SCHEME, record, file):
                yield item if isinstance(item, Problem) else _File(file, record, item)
        return
    if not os.path.isdir(folder):  # noqa: PTH112 - Path raises for what may not be looked at
        yield _no_folder(folder)
        return
    empty = True
    for path in files_in(folder, (".json",), deep=False):
        empty = False
        text = path if isinstance(path, Problem) else read_text(path)
        if isinstance(text, Problem):
            yield text
            continue
        for item in parse_record(_SCHEME, text, str(path)):
            yield item if isinstance(item, Problem) else _File(str(path), text, item)
    if empty:
        yield Problem(
            str(folder), 0, "", "no vocabulary files here", "Give a folder with *.json schemes"
        )


def _no_folder(folder: Path) -> Problem:
    try:
        folder.stat()
    except (OSError, ValueError) as error:
        return unreadable(folder, error)
    return Problem(str(folder), 0, "", "is not a folder", "Give a folder with *.json schemes")


def _twice(files: Sequence[_File]) -> Iterator[Problem]:
    """Files that hold a scheme which another file holds already."""
    first: dict[str, str] = {}
    for file in files:
        name = file.scheme.scheme
        if name in first:
            yield Problem(
                file.path, Positions(file.text).line(("scheme",)), "scheme",
                f"the scheme {name!r} is also in {first[name]}",
                "Put all its terms into one file",
            )  # fmt: skip
        first.setdefault(name, file.path)


def _faults(files: Sequence[_File]) -> Iterator[Problem]:
    """What is wrong between terms, told at the file and line of each."""
    for fault in faults_of([f.scheme for f in files]):
        file = files[fault.scheme]
        line = Positions(file.text).line(fault.path)
        field = ".".join(map(str, fault.path))
        message = f"{fault.name}: {fault.message}" if len(fault.path) > 1 else fault.message
        yield Problem(file.path, line, field, message, fault.remedy)


def dump_scheme(scheme: Scheme) -> str:
    """A scheme as the canonical text of its file: terms sorted by id, defaults left out."""
    ordered = scheme.model_copy(update={"terms": tuple(sorted(scheme.terms, key=lambda t: t.id))})
    data = ordered.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
