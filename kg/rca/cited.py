"""The statements that a diagnosis rests on, in the order in which they are numbered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kg.rca.statements import Statement

if TYPE_CHECKING:
    from kg.rca.diagnosis import Diagnosis


def statements_of(diagnosis: Diagnosis) -> Iterator[Statement]:
    """All statements in the order in which they are told, some of them more than once.

    The titles of cases of which only something unknown is said come last.
    """
    told = list(_told(diagnosis))
    yield from told
    heard = {s.case_id for s in told}
    open_ = {i for u in diagnosis.unknown for i in u.cases} - heard
    yield from (n.title for n in diagnosis.near if n.case_id in open_)


def _told(diagnosis: Diagnosis) -> Iterator[Statement]:
    yield from (n.title for n in diagnosis.near if n.similar)
    for hypothesis in diagnosis.hypotheses:
        yield from (s.statement for s in hypothesis.support)
        yield from hypothesis.shown
        yield from hypothesis.suspected
        yield from (c.statement for c in hypothesis.against if c.statement)
    yield from diagnosis.suspicions
    for pair in diagnosis.look_alikes:
        yield from (pair.cause_a, pair.cause_b, *(c.statement for c in pair.checks))
    for check in diagnosis.checks:
        yield from (*check.said, *check.noticed, *check.missed)
    for remedy in (*diagnosis.mitigations, *diagnosis.follow_ups):
        yield from remedy.steps
    yield from (s.step for s in diagnosis.set_aside)
