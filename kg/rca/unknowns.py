"""What a diagnosis does not know, said as such."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kg.model import Case, ClaimKind, FieldState
from kg.rca.diagnosis import Hypothesis, Near, Understood, Unknown
from kg.rca.statements import Statements
from kg.rca.wording import unknown_text
from kg.vocab import Vocabulary

FLOOR = 3
"""Below so many incidents a hypothesis is said to rest on few."""

NOVEL = 0.5
"""From this probability on it is said that the cause may be a new one."""

FIELDS = ("trigger", "cause", "detection", "mitigation", "time_to_recover")


def unknowns(
    vocabulary: Vocabulary,
    statements: Statements,
    cases: Mapping[str, Case],
    near: Sequence[Near],
    hypotheses: Sequence[Hypothesis],
    understood: Understood,
    novelty: float,
    lang: str,
) -> tuple[Unknown, ...]:
    """Everything that is not known, the weightiest first, in words."""
    similar = sorted(n.case_id for n in near if n.similar)
    found = [
        *_about_the_whole(statements, understood, novelty, hypotheses),
        *_unconfirmed(statements, similar),
        *_unexplained(vocabulary, statements, near, understood),
        *_not_stated(statements, cases, similar),
        *_not_counted(near),
    ]
    return tuple(
        replace(u, text=unknown_text(u, lang, _label(vocabulary, u.about, lang))) for u in found
    )


def _about_the_whole(
    statements: Statements,
    understood: Understood,
    novelty: float,
    hypotheses: Sequence[Hypothesis],
) -> Iterator[Unknown]:
    if not understood.seen:
        yield Unknown("no_terms", "", 0, 0, ())
    if hypotheses and novelty >= NOVEL:
        only_named = any(h.named and not h.support for h in hypotheses)
        kind = "unnamed_cause" if only_named else "new_cause"
        yield Unknown(kind, "", round(100 * novelty), 100, ())
    for first in hypotheses[:1]:
        if not first.n:
            kind = "only_reports" if first.reports else "no_case"
            yield Unknown(kind, first.cause, 0, first.of, tuple(sorted(first.reports)))
        elif first.n < FLOOR:
            behind = {s.statement.case_id for s in first.support}
            cases = sorted(filter(statements.is_incident, behind))
            yield Unknown("few_cases", first.cause, first.n, first.of, tuple(cases))


def _unconfirmed(statements: Statements, similar: Sequence[str]) -> Iterator[Unknown]:
    open_ = [i for i in similar if not statements.terms(i, ClaimKind.CAUSE)]
    if open_:
        yield Unknown("unconfirmed", "cause", len(open_), len(similar), tuple(open_))


def _unexplained(
    vocabulary: Vocabulary,
    statements: Statements,
    near: Sequence[Near],
    understood: Understood,
) -> Iterator[Unknown]:
    """Symptoms that were named or observed and that no case looked at lists, or names in words."""
    shown = {
        up
        for n in near
        for term in statements.terms(n.case_id, ClaimKind.SYMPTOM)
        for up in vocabulary.broader_steps(term)
    }
    named = [*(t.term for t in understood.named), *understood.observed]
    for term in dict.fromkeys(named) if near else ():
        if not term.startswith("symptom:") or term not in understood.seen or term in shown:
            continue
        if not any(statements.names(vocabulary, n.case_id, term) for n in near):
            yield Unknown("unexplained", term, 0, len(near), ())


def _not_stated(
    statements: Statements, cases: Mapping[str, Case], similar: Sequence[str]
) -> Iterator[Unknown]:
    """Fields of similar cases that have no text, and no claim elsewhere in the case either."""
    for field in FIELDS:
        silent = [
            i
            for i in similar
            if cases[i].field_state(field) is FieldState.NOT_STATED
            and not any(s.kind == field for s in statements.of(i))
        ]
        if silent:
            yield Unknown("not_stated", field, len(silent), len(similar), tuple(silent))


def _not_counted(near: Sequence[Near]) -> Iterator[Unknown]:
    others = sorted(n.case_id for n in near if not n.incident)
    if others:
        yield Unknown("not_incidents", "", len(others), len(near), tuple(others))


def _label(vocabulary: Vocabulary, about: str, lang: str) -> str:
    return vocabulary.terms[about].label.best(lang) if about in vocabulary.terms else ""
