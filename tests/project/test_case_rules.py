"""Rules between and within the shipped cases, each with the way to put it right."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from itertools import pairwise

import pytest

from kg.model import Case, DateKind, Status, When
from kg.readers import Batch, load_batch, read_vocabulary, shipped

EXACT = ("minute", "second")
SLACK = 120.0
"""Seconds by which a stated duration may differ from stated times, which are cut to minutes."""


@cache
def batch() -> Batch:
    """The shipped cases, read when the first test asks for them rather than by every worker."""
    return load_batch([shipped("cases")], read_vocabulary(shipped("vocabulary")))


def _moment(when: When | None) -> datetime | None:
    """A time that is known to the minute, with its zone."""
    if when is None or when.precision not in EXACT or when.approx:
        return None
    return datetime.fromisoformat(when.at.replace("Z", "+00:00"))


def _seconds(case: Case, first: DateKind, last: DateKind) -> float | None:
    start, end = _moment(case.when(first)), _moment(case.when(last))
    same_zone = start and end and (start.tzinfo is None) == (end.tzinfo is None)
    return (end - start).total_seconds() if same_zone and start and end else None


def test_all_cases_are_read_without_a_problem() -> None:
    assert [str(p) for p in batch().problems] == []


def test_order_of_times_within_a_case_correct_the_dates() -> None:
    # An alert may come before the impact begins, so detection is only held to the end.
    pairs = [
        (DateKind.STARTED, DateKind.MITIGATED),
        (DateKind.STARTED, DateKind.ENDED),
        (DateKind.DETECTED, DateKind.MITIGATED),
        (DateKind.DETECTED, DateKind.ENDED),
        (DateKind.MITIGATED, DateKind.ENDED),
    ]
    wrong = [
        f"{case.id}: {first} is after {last}"
        for case in batch().cases
        for first, last in pairs
        if (seconds := _seconds(case, first, last)) is not None and seconds < 0
    ]
    assert wrong == []


def test_nothing_is_published_before_it_began() -> None:
    wrong = [
        case.id
        for case in batch().cases
        if (began := case.when(DateKind.STARTED))
        and (told := case.when(DateKind.PUBLISHED))
        and told.precision == began.precision == "day"
        and told.earliest() < began.earliest()
    ]
    assert wrong == []


def test_time_to_detect_agrees_with_the_times() -> None:
    wrong = [
        case.id
        for case in batch().cases
        if case.time_to_detect
        and (found := _seconds(case, DateKind.STARTED, DateKind.DETECTED)) is not None
        and abs(found - case.time_to_detect.seconds) > SLACK
        and not case.time_to_detect.approx
    ]
    assert wrong == []


def test_time_to_recover_lies_within_the_incident() -> None:
    wrong = [
        case.id
        for case in batch().cases
        if case.time_to_recover
        and (whole := _seconds(case, DateKind.STARTED, DateKind.ENDED)) is not None
        and case.time_to_recover.seconds > whole + SLACK
        and not case.time_to_recover.approx
    ]
    assert wrong == []


def _owner(case: Case) -> str:
    owners = [t for c in case.claims if c.role == "owner" for t in c.terms]
    return owners[0] if owners else ""


def _twins() -> Iterator[tuple[str, str]]:
    """Cases of one owner that began at the same moment, or that have the same title."""
    seen: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for case in batch().cases:
        began = case.when(DateKind.STARTED)
        if began and began.precision in EXACT and _owner(case):
            seen["began", _owner(case), began.at].append(case.id)
        for lang in case.title.languages:
            seen["title", lang, case.title.text(lang).casefold()].append(case.id)
    for ids in seen.values():
        yield from pairwise(ids)


def test_no_two_cases_are_one_event_merge_them() -> None:
    assert list(_twins()) == []


def test_every_case_has_a_cause_or_no_cause_text() -> None:
    """A case without a confirmed cause must not tell one in its `cause` field as a fact."""
    wrong = [
        case.id
        for case in batch().cases
        if case.cause and not any(c.kind == "cause" for c in case.claims)
    ]
    assert wrong == []


def test_every_case_has_a_located_source_and_a_symptom() -> None:
    for case in batch().cases:
        assert case.sources, case.id
        assert all(len(s.locator) > 8 for s in case.sources), case.id
        assert any(c.kind == "symptom" for c in case.claims), case.id


def test_a_case_is_dated() -> None:
    assert [case.id for case in batch().cases if not case.dates] == []


@pytest.mark.parametrize("field", ["trigger", "cause", "factor", "symptom", "mitigation"])
def test_claims_that_need_words_have_them_in_both_languages(field: str) -> None:
    bare = [
        claim_id
        for case in batch().cases
        for claim_id, c in case.claim_ids()
        if c.kind == field and (c.statement is None or c.statement.languages != ("en", "ko"))
    ]
    assert bare == []


def test_a_ruled_out_term_is_not_confirmed_by_the_same_kind_of_claim() -> None:
    wrong = []
    for case in batch().cases:
        for kind in ("cause", "trigger"):
            claims = [c for c in case.claims if c.kind == kind]
            out = {t for c in claims if c.status is Status.RULED_OUT for t in c.terms}
            in_ = {t for c in claims if c.status is Status.CONFIRMED for t in c.terms}
            wrong += [f"{case.id}: {term}" for term in sorted(out & in_)]
    assert wrong == []


def test_no_private_host_or_token_is_in_a_case_replace_it() -> None:
    pattern = re.compile(
        r"[\w.+-]+@[\w-]+\.(?:com|org|net|io|dev)\b|\b(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+"
        r"|\b[\w-]+\.(?:internal|local|corp|lan)\b|AKIA[0-9A-Z]{16}|gh[pousr]_\w{20,}|-----BEGIN"
    )
    found = [
        f"{case.id}.{field}.{lang}: {match.group()}"
        for case in batch().cases
        for field, lang, text in case.texts()
        for match in pattern.finditer(text)
    ]
    assert found == []


def test_a_cause_or_an_explicit_null_is_in_every_file() -> None:
    for case in batch().cases:
        text = (shipped("cases") / f"{case.id}.json").read_text(encoding="utf-8")
        claimed = any(c.kind == "cause" for c in case.claims)
        assert claimed or '\n  "cause": null' in text, case.id
