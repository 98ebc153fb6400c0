"""A library without some of its cases, as if it had never had them."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Set
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from kg.errors import LibraryError
from kg.intake import Merges
from kg.library.build import rebuilt
from kg.library.facade import Library
from kg.library.progress import no_progress
from kg.model import Case, TermRelation
from kg.store import write_library
from kg.vocab import Vocabulary

if TYPE_CHECKING:
    from kg.model import Scheme, Term
    from kg.store import Snapshot


def library_without(library: Library, hidden: Iterable[str]) -> Library:
    """Open what would have been built of the other cases alone.

    Nothing in it depends on the hidden ones: rarity, word weights, neighbours, counts and what the
    tagger learns are made anew. Ids of hidden cases are struck from `related`, and terms that no
    case left has, or is below, are gone, so that a name does not tell of a hidden case. The
    history of the vocabulary and the decisions about hidden cases are left out. Prose of other
    cases is not changed: where it tells of a hidden case, hide that one too.

    The answer has no file that others could open.

    Args:
        library: the library; it stays as it is.
        hidden: ids of cases; what they absorbed in merges is hidden with them.

    Raises:
        CaseNotFound: an id is not in the library.
        LibraryError: no case would be left.
        EncoderMismatch, EncoderNotFound: the vectors of this library need another encoder.
    """
    snapshot = _left(library, {library.get(i).id for i in hidden})
    made = rebuilt(snapshot, no_progress, library.encoder)
    with tempfile.TemporaryDirectory(prefix="incident-kg-") as folder:
        path = write_library(made, Path(folder, "visible.duckdb"))
        # Once it is open, the file needs no name: nothing is left behind however we end.
        return Library(path, library.encoder)


def content_version(library: Library, *more: str) -> str:
    """A fingerprint of all that answers are made of: equal cases, terms and encoder, equal text.

    `more`: whatever else answers depend on.
    """
    snapshot = library._snapshot
    digest = hashlib.sha256()
    for text in chain(
        (*more, snapshot.fingerprint),
        (case.model_dump_json() for case in snapshot.cases),
        (term.model_dump_json() for term in library.vocabulary.terms.values()),
        (change.model_dump_json() for change in library.vocabulary.history),
        (f"{old} {new}" for old, new in sorted(library.merged.items())),
    ):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:20]


def _left(library: Library, hidden: set[str]) -> Snapshot:
    """What is known of the other cases, before anything is computed of them."""
    snapshot = library._snapshot
    merges = Merges(snapshot.cases, snapshot.revisions, snapshot.vocabulary)
    gone = set(hidden)
    for case_id in sorted(hidden):
        gone |= merges.forget(case_id)
    cases = _unrelated(merges.cases.values(), gone)
    if not cases:
        raise LibraryError("every case of this library is hidden; nothing is left to serve")
    return replace(
        snapshot,
        cases=cases,
        vocabulary=_vocabulary_of(cases, snapshot.vocabulary),
        reviews=(),
        revisions=tuple(r for r in merges.revisions() if r.case_id not in gone),
        apart=(),
    )


def _unrelated(cases: Iterable[Case], gone: set[str]) -> tuple[Case, ...]:
    """The cases that may be shown, without the ids of those that may not.

    A case that rests on such an id in its evidence cannot be shown without it, and goes as well.
    """
    shown = sorted((c for c in cases if c.id not in gone), key=lambda c: c.id)
    while True:
        found = [(c, _without_ids(c, gone)) for c in shown]
        lost = {c.id for c, made in found if made is None}
        if not lost:
            return tuple(made for _, made in found if made is not None)
        gone |= lost
        shown = [c for c in shown if c.id not in lost]


def _without_ids(case: Case, gone: Set[str]) -> Case | None:
    if gone.isdisjoint(case.related or ()):
        return case
    left = tuple(i for i in case.related or () if i not in gone)
    # Nothing left is not "stated as none": nobody said that it has no related cases.
    told = {**case.model_dump(), "related": left or None}
    try:
        return Case.model_validate(told)
    except ValidationError:
        return None


def _vocabulary_of(cases: Iterable[Case], vocabulary: Vocabulary) -> Vocabulary:
    """The terms that these cases have, and those to which these lead."""
    known = vocabulary.terms
    wanted = {t for c in cases for m in c.claims for t in (*m.terms, *m.addresses)}
    ahead = sorted(wanted)
    while ahead:
        term = known[ahead.pop()]
        further = {*term.broader, *(t for r in TermRelation for t in term.related(r))} - wanted
        wanted |= further
        ahead += sorted(further)
    return Vocabulary(_cut(scheme, wanted) for scheme in vocabulary.schemes.values())


def _cut(scheme: Scheme, wanted: Set[str]) -> Scheme:
    terms: tuple[Term, ...] = tuple(t for t in scheme.terms if t.id in wanted)
    return scheme.model_copy(update={"terms": terms})
