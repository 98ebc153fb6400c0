"""Decisions about claims, and histories of cases, out of exports of libraries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from kg.errors import InputError, Problem
from kg.model import Review, Revision
from kg.readers.exported import Exported, exports_among, review_texts, revision_texts
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

Texts = Callable[[Exported], Iterator[tuple[str, int, str]]]
_Kept = TypeVar("_Kept", Review, Revision)


def read_decisions(
    inputs: Iterable[object], case_ids: Collection[str]
) -> tuple[tuple[Review, ...], tuple[Revision, ...]]:
    """What the exports among the inputs hold of these cases, in order of their keys.

    Where two exports tell of one case, all of it comes from the first, by path.

    Raises:
        InputError: a file cannot be read, or holds something else; all problems together.
    """
    exports = exports_among(inputs)
    problems: list[Problem] = []
    reviews = _read(exports, review_texts, _REVIEW, problems)
    revisions = _read(exports, revision_texts, _REVISION, problems)
    if problems:
        raise InputError(problems)
    return (
        tuple(sorted(_first(reviews, case_ids), key=lambda r: r.key)),
        tuple(sorted(_first(revisions, case_ids), key=lambda r: (r.case_id, r.number))),
    )


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


def _first(found: Iterable[tuple[str, _Kept]], case_ids: Collection[str]) -> Iterator[_Kept]:
    owner: dict[str, str] = {}
    for file, record in found:
        if record.case_id in case_ids and owner.setdefault(record.case_id, file) == file:
            yield record
