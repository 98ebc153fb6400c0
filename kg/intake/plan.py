"""What adding documents would do: which cases are new, changed or the same, before any writing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from kg.errors import Problem
from kg.intake.identity import KnownCases, case_id_for
from kg.intake.parts import Merges
from kg.intake.redaction import checked_kinds, redacted
from kg.intake.review import followed, reviewed
from kg.intake.structure import Tagged, structured
from kg.model import Action, Case, Decision, Review, Revision
from kg.readers.batch import term_problems
from kg.readers.document import Declared
from kg.readers.draft import Draft
from kg.readers.formats import Format
from kg.readers.formats.known import FORMATS
from kg.readers.reading import ReadDocument, read_documents
from kg.vocab import Told, Vocabulary
from kg.vocab.evolving import NOTHING_TOLD

GUIDES = ("readme", "index", "contributing", "changelog", "license", "template", "toc")
"""Names of files that tell of a folder."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Added:
    """What becomes of one case of one document.

    Attributes:
        file: the document.
        format: the format that it was read in.
        case_id: the case.
        action: added or updated; None when the library holds the same already.
        waiting: how many claims of it wait for review.
    """

    file: str
    format: str
    case_id: str
    action: Action | None
    waiting: int


@dataclass(frozen=True)
class Plan:
    """All cases and their history as they would be, and what becomes of each document."""

    cases: tuple[Case, ...]
    revisions: tuple[Revision, ...]
    items: tuple[Added, ...]
    redacted: dict[str, int]
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...]


@dataclass
class _Work:
    """The cases while documents are read one after the other."""

    merges: Merges
    known: KnownCases
    told: Told
    items: list[Added] = field(default_factory=list)
    redacted: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)


def planned(
    documents: Sequence[str | Path],
    cases: Iterable[Case],
    vocabulary: Vocabulary,
    tagged: Tagged,
    *,
    domain: str,
    wanted: str | Format | None = None,
    declared: Declared | None = None,
    keep: Iterable[str] = (),
    reviews: Iterable[Review] = (),
    revisions: Iterable[Revision] = (),
    told: Told = NOTHING_TOLD,
    progress: Progress,
) -> Plan:
    """Read documents against the cases that are there; nothing is written.

    Of documents that are one case the first counts, in the order of their names; the others are
    told as problems. A document whose case was absorbed in a merge changes its part of the case in
    which it is now.

    Raises:
        BadQuery: `wanted` is no format, or what is declared or to be kept cannot be.
    """
    merges = Merges(cases, revisions, vocabulary)
    work = _Work(merges, KnownCases(sorted(merges.sources(), key=lambda c: c.id)), told)
    kept = checked_kinds(keep)
    decided: dict[str, list[Review]] = {}
    for review in followed(reviews, vocabulary):
        decided.setdefault(review.case_id, []).append(review)
    opened = list(read_documents(documents, FORMATS, wanted, declared))
    for number, document in enumerate(opened):
        progress("reading documents", number, len(opened))
        for item in document.items:
            if isinstance(item, Problem):
                work.problems.append(item)
            elif isinstance(item, Case):
                _take_case(work, document, item, vocabulary)
            else:
                clean, counts = redacted(item, kept)
                work.redacted.update(counts)
                _take_draft(work, document, clean, domain, tagged, vocabulary, decided)
    progress("reading documents", len(opened), max(1, len(opened)))
    made = work.merges.cases
    return Plan(
        tuple(made[i] for i in sorted(made)),
        work.merges.revisions(),
        tuple(work.items),
        dict(sorted(work.redacted.items())),
        tuple(work.problems),
        tuple(work.notes),
    )


def _take_case(work: _Work, document: ReadDocument, case: Case, vocabulary: Vocabulary) -> None:
    """A ready case: added, or put in the place of the one with its id."""
    faults = list(term_problems(case, vocabulary, document.name))
    if faults:
        work.problems += faults
        return
    if case.id in work.touched:
        work.problems.append(_twice(document.name, 0, case.id))
        return
    known = work.merges
    if known.top(case.id) not in known.cases:
        action: Action | None = Action.ADDED
    else:
        same = case in (known.own(case.id), known.live(case.id))
        action = None if same else Action.UPDATED
    _put(work, document, case, action)


def _take_draft(
    work: _Work,
    document: ReadDocument,
    draft: Draft,
    domain: str,
    tagged: Tagged,
    vocabulary: Vocabulary,
    reviews: Mapping[str, Sequence[Review]],
) -> None:
    if _is_guide(document, draft):
        told = "named like the guide to a folder, and no section of it tells of an incident"
        remedy = "To add it all the same, name the file itself"
        work.problems.append(Problem(draft.file, draft.line, "", told, remedy))
        return
    known = work.known.found(draft, work.touched)
    if known is not None and known.case.id in work.touched:
        work.problems.append(_twice(draft.file, draft.line, known.case.id))
        return
    if known is not None and not known.changed:
        work.notes += draft.notes
        _put(work, document, known.case, None)
        return
    taken = {*work.merges.cases, *work.merges.into}
    case_id = known.case.id if known else case_id_for(draft, taken)
    filed = known.case.domain if known else draft.domain or domain
    made = structured(draft, case_id, filed, tagged, vocabulary)
    if isinstance(made, Problem):
        work.problems.append(made)
        return
    work.notes += made.notes
    action = Action.UPDATED if known else Action.ADDED
    case = reviewed(made.case, reviews.get(case_id, ()))
    work.notes += _undone(draft, case, reviews.get(case_id, ()))
    work.known.add(case)
    _put(work, document, case, action)


def _is_guide(document: ReadDocument, draft: Draft) -> bool:
    """Whether a document of a folder is its README or the like, with nothing but general text."""
    stem = PurePath(document.name).stem.lower()
    general = all(p.field == "summary" for p in draft.passages) and not draft.dates
    return not document.named and stem in GUIDES and general


def _undone(draft: Draft, case: Case, reviews: Sequence[Review]) -> list[Problem]:
    """What people accepted and the document no longer tells of, so that no claim says it now."""
    claimed = {(claim.kind, claim.terms[0]) for claim in case.claims}
    remedy = "It is claimed again when the words come back; kg review --decided lists it"
    return [
        Problem(
            draft.file, draft.line, "claims",
            f"{r.new_term or r.term}, which was accepted, is told of no more and no claim now",
            remedy, case.id,
        )
        for r in reviews
        if r.decision is not Decision.REJECT
        and (r.new_kind or r.kind, r.new_term or r.term) not in claimed
    ]  # fmt: skip


def _put(work: _Work, document: ReadDocument, case: Case, action: Action | None) -> None:
    work.touched.add(case.id)
    if action is Action.ADDED:
        case = work.merges.add(case, work.told)
    elif action is Action.UPDATED:
        case = work.merges.put(case, action, work.told)
    else:
        case = work.merges.live(work.merges.top(case.id))
    waiting = sum(claim.in_review for claim in case.claims)
    work.items.append(Added(document.name, document.format, case.id, action, waiting))


def _twice(file: str, line: int, case_id: str) -> Problem:
    told = "this is a case that another document of this batch gave already"
    return Problem(
        file, line, "", told, "Keep one of the two documents, or add them apart", case_id
    )
