"""Cases that still use old ids, brought to where the history of a vocabulary has come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kg.model import Case, Change, Operation, Part, Retag
from kg.vocab.joining import replaced
from kg.vocab.retagging import Terms, chains, in_order, terms_of, with_retags
from kg.vocab.vocabulary import Vocabulary

_DONE = {
    Operation.RENAME: "was renamed to",
    Operation.MERGE: "was merged into",
    Operation.SPLIT: "was split, and this claim was given",
}


@dataclass(frozen=True)
class Followed:
    """One list of terms of a claim that was brought up to date.

    Attributes:
        case_id: the case.
        field: where, such as `claims.2.terms`.
        message: what happened, in words.
        now: the terms there now.
    """

    case_id: str
    field: str
    message: str
    now: Terms


@dataclass
class _Walk:
    """What the history does to one list of terms of one claim."""

    claim: str
    part: Part
    history: Sequence[Change]
    steps: dict[int, Retag] = field(default_factory=dict)
    """What each change did to it, by the number of the change from 0."""

    new: list[int] = field(default_factory=list)
    """Those changes that the given list had not gone through yet."""

    def follow(self, terms: Terms, told: Mapping[int, Retag]) -> Terms:
        """The list as it is at the end of the history, from the list given."""
        at = _place(terms, told)
        if at is not None:
            ordered = sorted(told)
            self.steps = dict(told)
            self.new = ordered[at:]
            return told[ordered[-1]].after
        for number, change in enumerate(self.history):
            after = replaced(terms, dict.fromkeys(change.retired, change.new[0]))
            if after != terms:
                self.steps[number] = Retag(
                    claim=self.claim, part=self.part, before=terms, after=after
                )
                self.new.append(number)
                terms = after
        return terms

    def message(self) -> str:
        """What the new steps did."""
        told = []
        for number in self.new:
            change, step = self.history[number], self.steps[number]
            gone = [t for t in step.before if t not in step.after] or list(change.old)
            came = [t for t in step.after if t not in step.before] or list(change.new)
            told.append(f"{', '.join(gone)} {_DONE[change.operation]} {', '.join(came)}")
        return "; ".join(told)


def _place(terms: Terms, told: Mapping[int, Retag]) -> int | None:
    """How many of the steps a list has gone through; None when it is no state between them."""
    steps = [told[n] for n in sorted(told)]
    if not steps or any(a.after != b.before for a, b in pairwise(steps)):
        return None
    states = [steps[0].before, *(s.after for s in steps)]
    return max((i for i, state in enumerate(states) if state == terms), default=None)


def follow_history(
    cases: Iterable[Case], vocabulary: Vocabulary
) -> tuple[tuple[Case, ...], Vocabulary, tuple[Followed, ...]]:
    """Cases over the terms of now, with a history that tells of exactly their claims.

    An old id becomes the new one. A claim that a split decided is given what was decided then, if
    its case still says what it said before. A claim of which the history tells and which is not
    there any more, or says something else now, is dropped from the history.

    Args:
        cases: as their files have them; from before any change, after it, or in between.
        vocabulary: the terms of now, with their history.

    Returns:
        The cases, the vocabulary with its history fitted to them, and what was brought up to date.
    """
    known = tuple(cases)
    if not vocabulary.history:
        return known, vocabulary, ()
    history = vocabulary.history
    told = chains((n, r) for n, change in enumerate(history) for r in change.retags)
    steps: dict[int, list[Retag]] = {n: [] for n in range(len(history))}
    notes: list[Followed] = []
    made = []
    for case in known:
        fresh: list[Retag] = []
        for place, (claim_id, claim) in enumerate(case.claim_ids()):
            for part in Part:
                given = terms_of(claim, part)
                walk = _Walk(claim_id, part, history)
                now = walk.follow(given, told.get((claim_id, part), {}))
                for number, step in walk.steps.items():
                    steps[number].append(step)
                if now != given:
                    fresh.append(Retag(claim=claim_id, part=part, before=given, after=now))
                    where = f"claims.{place}.{part.value}"
                    notes.append(Followed(case.id, where, walk.message(), now))
        made.append(with_retags(case, fresh) if fresh else case)
    fitted = [
        change.model_copy(update={"retags": in_order(steps[n])}) for n, change in enumerate(history)
    ]
    if tuple(fitted) == history:
        return tuple(made), vocabulary, tuple(notes)
    return tuple(made), Vocabulary(vocabulary.schemes.values(), fitted), tuple(notes)
