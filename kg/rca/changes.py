"""What changed since an earlier diagnosis, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kg.rca.diagnosis import Change, Changes, Diagnosis, Hypothesis, Near
from kg.rca.near import NEAR
from kg.rca.wording import percent, why
from kg.vocab import Vocabulary

LEAST = 0.01
"""A hypothesis that moved by less stays where it was."""

_WHY = 4


def changes(vocabulary: Vocabulary, before: Diagnosis, after: Diagnosis) -> Changes:
    """Facts added and taken back, and every hypothesis that came, rose, fell or went."""
    comparison = _Comparison(vocabulary, before, after)
    old = {*before.understood.observed, *before.understood.ruled_out}
    new = {*after.understood.observed, *after.understood.ruled_out}
    return Changes(
        observed=_added(before.understood.observed, after.understood.observed),
        ruled_out=_added(before.understood.ruled_out, after.understood.ruled_out),
        taken_back=tuple(sorted(old - new)),
        text_changed=before.text != after.text,
        hypotheses=tuple(comparison.moves()),
    )


def _added(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(t for t in after if t not in before)


class _Comparison:
    def __init__(self, vocabulary: Vocabulary, before: Diagnosis, after: Diagnosis) -> None:
        self._vocabulary = vocabulary
        self._before, self._after = before, after
        self._lang = after.lang
        self._added = _added(before.understood.observed, after.understood.observed)
        self._then = {n.case_id: n for n in before.near}
        self._today = {n.case_id: n for n in after.near}

    def moves(self) -> Iterator[Change]:
        """The hypotheses that moved: those of now in their order, then those that went."""
        old = {h.cause: h for h in self._before.hypotheses}
        new = {h.cause: h for h in self._after.hypotheses}
        for cause in [*new, *(c for c in old if c not in new)]:
            was, now = old.get(cause), new.get(cause)
            kind = _kind(was, now)
            if kind:
                up = kind in ("came", "rose")
                reasons = tuple(dict.fromkeys(self._why(cause, was, now, up)))[:_WHY]
                yield Change(
                    kind,
                    cause,
                    was.probability if was else None,
                    now.probability if now else None,
                    reasons or (self._say(self._otherwise(was, now)),),
                )

    def _why(
        self, cause: str, was: Hypothesis | None, now: Hypothesis | None, up: bool
    ) -> Iterator[str]:
        """What moved a hypothesis in the direction in which it moved, and nothing else."""
        direct = list(self._words(cause, up))
        yield from direct
        if now is None and self._after.abstention:
            yield self._say("abstains")
        behind = {s.statement.case_id for h in (now, was) if h for s in h.support}
        for case_id in sorted(behind):
            yield from self._case(case_id, now, up)
        if not direct:
            yield from self._elsewhere(behind, up)

    def _words(self, cause: str, up: bool) -> Iterator[str]:
        """What the user or the text says of the cause itself."""
        above, before, after = self._above(cause), self._before, self._after
        gone = (before.understood.ruled_out, after.understood.ruled_out)
        mine = [t for t in self._added if t.startswith("cause:")]
        if up:
            for term in (t for t in gone[0] if t in above and t not in gone[1]):
                yield self._say("taken_back", self._label(term))
            for term in (t for t in mine if cause in self._above(t)):
                yield self._say("observed", self._label(term))
            return
        for term in (t for t in gone[1] if t in above and t not in gone[0]):
            yield self._say("ruled_out", self._label(term))
        denied = {t.term for t in before.understood.denied}
        for tag in after.understood.denied:
            if tag.term in above and tag.term not in denied:
                yield self._say("denied", self._label(tag.term))
        if mine and not any(t in above or cause in self._above(t) for t in mine):
            yield self._say("observed_other", self._label(mine[0]))

    def _case(self, case_id: str, now: Hypothesis | None, up: bool) -> Iterator[str]:
        """What became of a case behind a hypothesis."""
        then, today = self._then.get(case_id), self._today.get(case_id)
        if up:
            yield from self._shows(case_id, now)
        elif today:
            known = then.depends_on if then else ()
            for term in (t for t in today.depends_on if t not in known):
                yield self._say("rests", case_id, self._label(term))
        yield from self._moved(then, today, up)

    def _moved(self, then: Near | None, today: Near | None, up: bool) -> Iterator[str]:
        """That a case became likelier, or less likely, or came or went.

        One that is only looked at since it is behind a hypothesis explains nothing of that.
        """
        if then and today:
            ends = (percent(then.probability), percent(today.probability))
            step = today.probability - then.probability
            if step and (step > 0) is up and ends[0] != ends[1]:
                yield self._say("likeness", today.case_id, *ends)
        elif today and up and today.probability >= NEAR:
            yield self._say("entered", today.case_id, percent(today.probability))
        elif then and not up and then.probability >= NEAR:
            yield self._say("left", then.case_id, percent(then.probability))

    def _elsewhere(self, behind: set[str], up: bool) -> Iterator[str]:
        """Cases of other causes that gained what this one lost, or lost what it gained."""
        for case_id in sorted({*self._then, *self._today} - behind):
            then, today = self._then.get(case_id), self._today.get(case_id)
            known = then.depends_on if then else ()
            rests = [t for t in today.depends_on if t not in known] if today else []
            if up and rests:
                yield self._say("elsewhere_rests", case_id, self._label(rests[0]))
            for told in self._moved(then, today, not up):
                yield self._say("elsewhere", told)

    def _shows(self, case_id: str, now: Hypothesis | None) -> Iterator[str]:
        for statement in now.shown if now else ():
            for term in self._added:
                if statement.case_id == case_id and set(statement.terms) & set(self._above(term)):
                    yield self._say("shows", case_id, self._label(term))

    def _otherwise(self, was: Hypothesis | None, now: Hypothesis | None) -> str:
        """What is said where no single reason is found: no more than is known."""
        if self._before.text != self._after.text:
            return "text"
        behind = {s.statement.case_id for h in (now, was) if h for s in h.support}
        same = all(
            (x := self._then.get(i)) is not None
            and (y := self._today.get(i)) is not None
            and (x.probability, x.depends_on) == (y.probability, y.depends_on)
            for i in behind
        )
        return "others" if same else "together"

    def _above(self, term: str) -> Mapping[str, int]:
        """The term and its broader ones; itself alone where this library does not know it."""
        known = term in self._vocabulary.terms
        return self._vocabulary.broader_steps(term) if known else {term: 0}

    def _label(self, term: str) -> str:
        known = self._after if term in self._after.labels else self._before
        return known.label(term, self._lang)

    def _say(self, reason: str, *values: str) -> str:
        return why(reason, self._lang, *values)


def _kind(was: Hypothesis | None, now: Hypothesis | None) -> str | None:
    if was is None or now is None:
        return "came" if now else "went"
    step = now.probability - was.probability
    if abs(step) < LEAST:
        return None
    return "rose" if step > 0 else "fell"
