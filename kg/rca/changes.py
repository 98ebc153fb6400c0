"""What changed since an earlier diagnosis, and why."""

from __future__ import annotations

from collections.abc import Iterator

from kg.rca.diagnosis import Change, Changes, Diagnosis, Hypothesis, Near
from kg.rca.wording import percent, why
from kg.vocab import Vocabulary

LEAST = 0.01
"""A hypothesis that moved by less stays where it was."""

_MOVED = 0.05
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

    def moves(self) -> Iterator[Change]:
        """The hypotheses that moved: those of now in their order, then those that went."""
        old = {h.cause: h for h in self._before.hypotheses}
        new = {h.cause: h for h in self._after.hypotheses}
        for cause in [*new, *(c for c in old if c not in new)]:
            was, now = old.get(cause), new.get(cause)
            kind = _kind(was, now)
            if kind:
                reasons = tuple(dict.fromkeys(self._why(cause, was, now)))[:_WHY]
                yield Change(
                    kind,
                    cause,
                    was.probability if was else None,
                    now.probability if now else None,
                    reasons or (self._say("text" if self._text() else "others"),),
                )

    def _why(self, cause: str, was: Hypothesis | None, now: Hypothesis | None) -> Iterator[str]:
        above = self._above(cause)
        for term in self._after.understood.ruled_out:
            if term in above and now is None:
                yield self._say("ruled_out", self._label(term))
        for term in self._before.understood.ruled_out:
            if term in above and was is None:
                yield self._say("taken_back", self._label(term))
        denied = {t.term for t in self._before.understood.denied}
        for tag in self._after.understood.denied:
            if tag.term in above and tag.term not in denied:
                yield self._say("denied", self._label(tag.term))
        if now is None and self._after.abstention:
            yield self._say("abstains")
        yield from self._cases(was, now)

    def _cases(self, was: Hypothesis | None, now: Hypothesis | None) -> Iterator[str]:
        """What became of the cases behind a hypothesis."""
        then = {n.case_id: n for n in self._before.near}
        today = {n.case_id: n for n in self._after.near}
        support = [s.statement.case_id for h in (now, was) if h for s in h.support]
        for case_id in dict.fromkeys(support):
            yield from self._rests(then.get(case_id), today.get(case_id))
            yield from self._shows(case_id, now)
            yield from self._likeness(then.get(case_id), today.get(case_id), _direction(was, now))

    def _rests(self, then: Near | None, today: Near | None) -> Iterator[str]:
        known = then.depends_on if then else ()
        for term in today.depends_on if today else ():
            if today and term not in known:
                yield self._say("rests", today.case_id, self._label(term))

    def _shows(self, case_id: str, now: Hypothesis | None) -> Iterator[str]:
        for statement in now.shown if now else ():
            for term in self._added:
                if statement.case_id == case_id and set(statement.terms) & set(self._above(term)):
                    yield self._say("shows", case_id, self._label(term))

    def _likeness(self, then: Near | None, today: Near | None, direction: int) -> Iterator[str]:
        """A move of the case in the direction in which the hypothesis moved."""
        step = (today.probability - then.probability) * direction if then and today else 0.0
        if then and today and step >= _MOVED:
            shares = (percent(then.probability), percent(today.probability))
            yield self._say("likeness", today.case_id, *shares)

    def _text(self) -> bool:
        return self._before.text != self._after.text

    def _above(self, term: str) -> dict[str, int]:
        """The term and its broader ones; itself alone where this library does not know it."""
        known = term in self._vocabulary.terms
        return self._vocabulary.broader_steps(term) if known else {term: 0}

    def _label(self, term: str) -> str:
        known = self._after if term in self._after.labels else self._before
        return known.label(term, self._lang)

    def _say(self, reason: str, *values: str) -> str:
        return why(reason, self._lang, *values)


def _direction(was: Hypothesis | None, now: Hypothesis | None) -> int:
    """1 for a hypothesis that came or rose, -1 for one that fell or went."""
    return 1 if _kind(was, now) in ("came", "rose") else -1


def _kind(was: Hypothesis | None, now: Hypothesis | None) -> str | None:
    if was is None or now is None:
        return "came" if now else "went"
    step = now.probability - was.probability
    if abs(step) < LEAST:
        return None
    return "rose" if step > 0 else "fell"
