"""Merged cases and what they were made of, as the history of the cases tells it.

A merged case is always the merge of its parts in order: first the case that was kept, then those
that it absorbed. A part that changes, because its document was read again or its claims were
judged, changes the merged case alike; so nothing of a merge needs to be taken apart to undo it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kg.errors import BadQuery, CaseNotFound
from kg.intake.merging import Merged, merged
from kg.model import Action, Case, Claim, Revision
from kg.vocab import Told, Vocabulary
from kg.vocab.evolving import NOTHING_TOLD


class Merges:
    """The cases of a library with those that merges absorbed, while they change.

    Attributes:
        cases: the cases by id, as they stand in the library.
        steps: the history of each case, absorbed ones included, in order.
    """

    def __init__(
        self, cases: Iterable[Case], revisions: Iterable[Revision], vocabulary: Vocabulary
    ) -> None:
        self.cases = {c.id: c for c in cases}
        self.steps: dict[str, list[Revision]] = {}
        for step in sorted(revisions, key=lambda r: (r.case_id, r.number)):
            self.steps.setdefault(step.case_id, []).append(step)
        self._vocabulary = vocabulary
        self.into = absorbed_into(r for steps in self.steps.values() for r in steps)
        self._members: dict[str, tuple[Case, ...]] = {}

    def revisions(self) -> tuple[Revision, ...]:
        """All steps, sorted by case and number."""
        return tuple(step for case_id in sorted(self.steps) for step in self.steps[case_id])

    def top(self, case_id: str) -> str:
        """The id of the case in which a case is now: its own where nothing absorbed it."""
        while case_id in self.into:
            case_id = self.into[case_id]
        return case_id

    def live(self, case_id: str) -> Case:
        """A case as it is now; of an absorbed one, as a part.

        Raises:
            CaseNotFound: there is none.
        """
        keeper = self.into.get(case_id)
        if keeper is not None:
            return next(p for p in self.parts(keeper) if p.id == case_id)
        if case_id not in self.cases:
            raise CaseNotFound(case_id)
        return self.cases[case_id]

    def own(self, case_id: str) -> Case:
        """What a case is by itself, without those that it absorbed."""
        return self.parts(case_id)[0]

    def parts(self, case_id: str) -> tuple[Case, ...]:
        """The parts of a case, its own first; of one that absorbed none, the case alone.

        Terms that were renamed, merged or split since are those that the case has now.
        """
        whole = self.live(case_id)
        stored = _stored_parts(self.steps.get(case_id, ()))
        if not stored:
            return (whole,)
        now = [_with_terms(p, self._vocabulary) for p in stored]
        return tuple(_retagged(now, whole))

    def members(self, case_id: str) -> tuple[Case, ...]:
        """What a case is by itself, and every case in it by itself, however deep."""
        if case_id not in self._members:
            own, *others = self.parts(case_id)
            within = [m for part in others for m in self.members(part.id)]
            self._members[case_id] = (own, *within)
        return self._members[case_id]

    def past(self, case_id: str) -> list[tuple[Action, str | None]]:
        """What was done to a case by itself, merges left out, each with the record before."""
        found: list[tuple[Action, str | None]] = []
        record: str | None = None
        for step in self.steps.get(case_id, ()):
            if step.action is Action.MERGED:
                record = record or step.before
            elif step.absorbed is None:
                found.append((step.action, step.before))
            elif Case.model_validate_json(step.absorbed).id == case_id:
                found.append((step.action, record))
                record = step.absorbed
        if record is None and (keeper := self.into.get(case_id)) is not None:
            for step in self.steps.get(keeper, ()):
                if step.absorbed and Case.model_validate_json(step.absorbed).id == case_id:
                    if step.action is not Action.MERGED:
                        found.append((step.action, record))
                    record = step.absorbed
        return found

    def sources(self) -> Iterator[Case]:
        """Every case of the library by itself, absorbed ones included: one for each document."""
        keepers = set(self.into.values())
        for case_id, case in self.cases.items():
            yield from self.members(case_id) if case_id in keepers else (case,)

    def add(self, case: Case, told: Told = NOTHING_TOLD) -> Case:
        """Add a case that is new."""
        self.cases[case.id] = case
        self.steps[case.id] = [
            Revision(
                case_id=case.id, number=1, action=Action.ADDED,
                at=told.at, author=told.author, note=told.note,
            )
        ]  # fmt: skip
        return case

    def put(self, case: Case, action: Action, told: Told = NOTHING_TOLD) -> Case:
        """Replace what a case is by itself, and all that it went into; the case in which it is."""
        case_id, part = case.id, case
        self._members.clear()
        while True:
            before = self.live(case_id)
            parts = self.parts(case_id)
            if len(parts) == 1:
                now, record = part, None
            else:
                chosen = [part if p.id == part.id else p for p in parts]
                now, record = _whole(chosen), _record(part)
            keeper = self.into.get(case_id)
            if keeper is None or record is not None:
                self._step(case_id, action, before, record, told)
            if keeper is None:
                self.cases[case_id] = now
                return now
            case_id, part = keeper, now

    def merge(self, keep: str, absorb: str, told: Told = NOTHING_TOLD) -> Merged:
        """Let one case absorb another.

        Raises:
            CaseNotFound: there is no such case.
            BadQuery: one of them is in another case already, or they cannot be one.
        """
        for case_id in (keep, absorb):
            if case_id in self.into:
                raise BadQuery(f"{case_id} was merged into {self.top(case_id)}; name that one")
        ours, theirs = self.live(keep), self.live(absorb)
        made = merged(ours, theirs)
        self._step(keep, Action.MERGED, ours, _record(theirs), told)
        self.into[absorb] = keep
        self.cases[keep] = made.case
        del self.cases[absorb]
        self._members.clear()
        return made

    def undo(self, case_id: str) -> tuple[Case, Case]:
        """Take back the last merge of a case: it without the other, and the other, as they are now.

        Where nothing was done to them since, they and their history are as they were before.

        Args:
            case_id: the case that absorbed the other, or the other one.

        Raises:
            CaseNotFound: there is no such case.
            BadQuery: it was never merged, or other merges must be undone first.
        """
        keeper, absorbed = self._last_merge(case_id)
        *ours, theirs = self.parts(keeper)
        for case in (*ours, theirs):
            _check_terms(case, self._vocabulary)
        steps = self.steps[keeper]
        at = max(i for i, step in enumerate(steps) if step.action is Action.MERGED)
        merge, later = steps[at], steps[at + 1 :]
        self.steps[keeper] = steps[:at]
        del self.into[absorbed]
        kept = _whole(ours)
        self.cases |= {keeper: kept, absorbed: theirs}
        self._members.clear()
        if later:
            theirs_now = self.parts(absorbed)
            # What absorbed cases itself has told its history of each of these steps already.
            untold = later if len(theirs_now) == 1 else ()
            self._caught_up(keeper, ours, merge.before, later, later[-1])
            self._caught_up(absorbed, theirs_now, merge.absorbed, untold, later[-1])
        return kept, theirs

    def forget(self, case_id: str) -> set[str]:
        """Drop a case with all that is in it; the ids of all of them."""
        gone = {p.id for p in self.members(case_id)}
        for one in gone:
            self.steps.pop(one, None)
            self.into.pop(one, None)
        del self.cases[case_id]
        self._members.clear()
        return gone

    def _caught_up(
        self,
        case_id: str,
        parts: Sequence[Case],
        record: str | None,
        later: Sequence[Revision],
        last: Revision,
    ) -> None:
        """Tell in the history of a case what became of its parts while it was merged."""
        was = _stored_parts(self.steps.get(case_id, ()))
        if not was:
            was = [Case.model_validate_json(record or "")]
        was = [_with_terms(p, self._vocabulary) for p in was]
        place = {p.id: i for i, p in enumerate(was)}
        made = [(step, Case.model_validate_json(step.absorbed)) for step in later if step.absorbed]
        done = [(step, _with_terms(p, self._vocabulary)) for step, p in made if p.id in place]
        # What changed the terms since is no step of its own: it goes with the last one.
        for step, part in [*done, *((last, p) for p in parts)]:
            i = place.get(part.id)
            if i is not None and part != was[i]:
                absorbed = _record(part) if len(parts) > 1 else None
                told = Told(step.at, step.author, step.note)
                self._step(case_id, step.action, _whole(was), absorbed, told)
                was[i] = part

    def _last_merge(self, case_id: str) -> tuple[str, str]:
        top = self.top(case_id)
        self.live(top)
        keeper = case_id if any(k == case_id for k in self.into.values()) else None
        keeper = keeper if keeper == top else self.into.get(case_id, keeper)
        if keeper is None:
            raise BadQuery(f"{case_id} was not merged with another case; there is nothing to undo")
        if keeper != top:
            raise BadQuery(f"{keeper} itself was merged into {top}; undo that first")
        last = self.parts(keeper)[-1].id
        if case_id not in (keeper, last):
            raise BadQuery(f"{keeper} absorbed {last} after {case_id}; undo that first")
        return keeper, last

    def _step(
        self, case_id: str, action: Action, before: Case, absorbed: str | None, told: Told
    ) -> None:
        steps = self.steps.setdefault(case_id, [])
        number = 1 + max((r.number for r in steps), default=0)
        revision = Revision(
            case_id=case_id, number=number, action=action, before=_record(before),
            absorbed=absorbed, at=told.at, author=told.author, note=told.note,
        )  # fmt: skip
        steps.append(revision)


def absorbed_into(revisions: Iterable[Revision]) -> dict[str, str]:
    """For each case that a merge absorbed, the case that absorbed it."""
    return {
        Case.model_validate_json(step.absorbed).id: step.case_id
        for step in revisions
        if step.action is Action.MERGED and step.absorbed is not None
    }


def whole_ids(revisions: Iterable[Revision]) -> Mapping[str, str]:
    """For each case that a merge absorbed, the case of the library in which it is now."""
    into = absorbed_into(revisions)
    found = {}
    for case_id in into:
        at = case_id
        while at in into:
            at = into[at]
        found[case_id] = at
    return found


def _record(case: Case) -> str:
    return case.model_dump_json(exclude_defaults=True)


def _whole(parts: Iterable[Case]) -> Case:
    """The case that parts make, the first of which it is named for."""
    first, *others = parts
    for other in others:
        first = merged(first, other).case
    return first


def _stored_parts(steps: Iterable[Revision]) -> list[Case]:
    """The parts of a case as its history has them; empty where it absorbed none."""
    parts: dict[str, Case] = {}
    for step in steps:
        if step.action is Action.MERGED and step.before and step.absorbed:
            own = Case.model_validate_json(step.before)
            parts.setdefault(own.id, own)
            absorbed = Case.model_validate_json(step.absorbed)
            parts[absorbed.id] = absorbed
        elif step.absorbed:
            part = Case.model_validate_json(step.absorbed)
            parts[part.id] = part
    return list(parts.values())


def _with_terms(case: Case, vocabulary: Vocabulary) -> Case:
    """A case with the ids by which its terms go now."""

    def now(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(vocabulary.current, ids)))

    claims = tuple(
        c.model_copy(update={"terms": now(c.terms), "addresses": now(c.addresses)})
        for c in case.claims
    )
    return case if claims == case.claims else case.model_copy(update={"claims": claims})


def _retagged(parts: list[Case], whole: Case) -> list[Case]:
    """Parts whose claims have the terms that they have in the case that the parts make.

    Where the parts no longer make it, they stay as they are.
    """
    claims = list(parts[0].claims)
    places: list[list[int | None]] = [list(range(len(claims)))]
    first = parts[0]
    for other in parts[1:]:
        made = merged(first, other)
        places.append(list(made.places))
        first = made.case
    if [_shape(c) for c in first.claims] != [_shape(c) for c in whole.claims]:
        return parts
    return [_taking(p, at, whole) for p, at in zip(parts, places, strict=True)]


def _shape(claim: Claim) -> object:
    return claim.model_copy(update={"terms": ("x:x",), "addresses": ()})


def _taking(part: Case, places: list[int | None], whole: Case) -> Case:
    claims = tuple(
        c if at is None else _replace_terms(c, whole.claims[at])
        for c, at in zip(part.claims, places, strict=True)
    )
    return part if claims == part.claims else part.model_copy(update={"claims": claims})


def _replace_terms(claim: Claim, other: Claim) -> Claim:
    """A claim with the terms of another."""
    return claim.model_copy(update={"terms": other.terms, "addresses": other.addresses})


def _check_terms(case: Case, vocabulary: Vocabulary) -> None:
    """Refuse to bring back a case with terms that are no longer there."""
    named = {t for c in case.claims for t in (*c.terms, *c.addresses)}
    if gone := sorted(t for t in named if t not in vocabulary):
        raise BadQuery(
            f"the merge cannot be undone: {case.id} names {gone[0]}, which is no term any more; "
            "do the change of terms again that was undone, or add the term"
        )
