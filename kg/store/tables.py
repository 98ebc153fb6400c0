"""A snapshot laid out as rows, one function per table; the order of rows is fixed."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator
from typing import Any

from kg.graph import link_edges
from kg.graph.schema import relation_of
from kg.model import Apart, Case, Duration, Review, Revision, Span, Text, When
from kg.model.bounds import bounds_of
from kg.model.days import days_of, moment_of
from kg.store.snapshot import SCHEMA_VERSION, Snapshot
from kg.vocab.history import retired_in

Row = tuple[Any, ...]


def rows_of(snapshot: Snapshot) -> Iterator[tuple[str, Iterable[Row]]]:
    """The tables in the order in which they must be filled, with their rows."""
    cases = [c.resolved() for c in snapshot.cases]
    yield "builds", _builds(snapshot)
    yield "schemes", _schemes(snapshot)
    yield "terms", _terms(snapshot)
    yield "labels", _labels(snapshot)
    yield "mappings", _mappings(snapshot)
    yield "cases", map(_case, snapshot.cases)
    yield "texts", ((c.id, *text) for c in cases for text in c.texts())
    yield "dates", _dates(cases)
    yield "durations", _durations(cases)
    yield "claims", _claims(cases)
    yield "claim_terms", _claim_terms(cases)
    yield "evidence", _evidence(cases)
    yield "figures", _figures(cases)
    yield "sources", _sources(cases)
    yield "links", _links(snapshot)
    yield "changes", _changes(snapshot)
    yield "changed_terms", _changed_terms(snapshot)
    yield "changed_claims", _changed_claims(snapshot)
    yield "old_terms", _old_terms(snapshot)
    yield "reviews", map(_review, snapshot.reviews)
    yield "revisions", map(_revision, snapshot.revisions)
    yield "apart", map(_apart, snapshot.apart)
    yield "passages", _passages(snapshot)
    yield (
        "similarity",
        (
            (s.case_id, s.rank, s.other_id, s.score, s.dense, s.words, s.graph, s.same_cause)
            for s in snapshot.similar
        ),
    )


def content_hash(case: Case) -> str:
    """SHA-256 of the case's whole record; equal records have equal hashes."""
    return _sha256(case.model_dump_json())


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _builds(snapshot: Snapshot) -> list[Row]:
    cases = _sha256("".join(map(content_hash, snapshot.cases)))
    history = snapshot.vocabulary.history
    words = [*snapshot.vocabulary.schemes.values(), *history]
    terms = "".join(record.model_dump_json() for record in words)
    codes = snapshot.token_codes
    values = {
        "apart": str(len(snapshot.apart)),
        "background_mean": repr(snapshot.background[0]),
        "background_sd": repr(snapshot.background[1]),
        "cases": str(len(snapshot.cases)),
        "cases_sha256": cases,
        "changes": str(len(history)),
        "dimension": str(snapshot.vectors.shape[1]),
        "encoder": snapshot.encoder,
        "fingerprint": snapshot.fingerprint,
        "passages": str(len(snapshot.passages)),
        "schema_version": str(SCHEMA_VERSION),
        "terms": str(len(snapshot.vocabulary)),
        "token_dimension": str(0 if codes is None else codes.shape[1]),
        "tokens": str(0 if codes is None else len(codes)),
        "vocabulary_sha256": _sha256(terms),
    }
    return sorted(values.items())


def _lang(text: Text | None, lang: str) -> str | None:
    return text.get(lang) if text else None


def _schemes(snapshot: Snapshot) -> Iterator[Row]:
    for scheme in snapshot.vocabulary.schemes.values():
        bare = scheme.model_copy(update={"terms": ()})
        yield scheme.scheme, scheme.label.get("en"), scheme.label.get("ko"), bare.model_dump_json()


def _terms(snapshot: Snapshot) -> Iterator[Row]:
    for t in snapshot.vocabulary.terms.values():
        yield (
            t.id, t.scheme, t.type, t.label.get("en"), t.label.get("ko"),
            t.definition.get("en"), t.definition.get("ko"), t.unnamed, t.model_dump_json(),
        )  # fmt: skip


def _labels(snapshot: Snapshot) -> Iterator[Row]:
    for term in snapshot.vocabulary.terms.values():
        preferred = len(term.label.languages)
        for i, (lang, label) in enumerate(term.spellings()):
            yield term.id, i, lang, label, i < preferred


def _mappings(snapshot: Snapshot) -> Iterator[Row]:
    for term in snapshot.vocabulary.terms.values():
        yield from ((term.id, *match) for match in term.matches())


def _case(case: Case) -> Row:
    day = case.sort_date()
    record = case.model_dump_json()
    return (
        case.id, str(case.kind), case.domain, case.name("en"), case.title.text("ko") or None,
        day.isoformat() if case.dates else None, case.severity,
        case.time_to_detect.seconds if case.time_to_detect else None,
        case.time_to_recover.seconds if case.time_to_recover else None,
        case.origin and (case.origin.system or case.origin.format),
        case.origin and case.origin.identifier,
        _sha256(record), record,
    )  # fmt: skip


def _dates(cases: Iterable[Case]) -> Iterator[Row]:
    for case in cases:
        for i, d in enumerate(case.dates):
            earliest = d.earliest().isoformat()
            first, last = (day.isoformat() for day in days_of(d))
            yield (
                case.id, i, str(d.kind), d.at, earliest, str(d.precision), d.approx,
                first, last, _exact(d),
            )  # fmt: skip


def _exact(when: When) -> str | None:
    """The moment in UTC, where a time is exact and has a zone."""
    moment = moment_of(when)
    exact = moment.tzinfo is not None and not when.approx
    return moment.replace(tzinfo=None).isoformat() if exact else None


def _durations(cases: Iterable[Case]) -> Iterator[Row]:
    for case in cases:
        for measure in ("time_to_detect", "time_to_recover"):
            stated: Duration | None = getattr(case, measure)
            if stated is not None:
                fixed = bounds_of(stated)
                most = None if fixed.most == math.inf else fixed.most
                yield (
                    case.id, measure, stated.text, stated.seconds, fixed.least, most,
                    stated.approx,
                )  # fmt: skip


def _claims(cases: Iterable[Case]) -> Iterator[Row]:
    for case in cases:
        for claim_id, c in case.claim_ids():
            yield (
                claim_id, case.id, str(c.kind), str(relation_of(c.kind, c.role)), str(c.status),
                c.role and str(c.role), _lang(c.statement, "en"), _lang(c.statement, "ko"),
                c.value, c.result and str(c.result), c.made and str(c.made.by),
                c.made and c.made.confidence, c.made and c.made.reviewed,
            )  # fmt: skip


def _claim_terms(cases: Iterable[Case]) -> Iterator[Row]:
    for case in cases:
        for claim_id, claim in case.claim_ids():
            yield from ((claim_id, term) for term in claim.terms)


def _evidence(cases: Iterable[Case]) -> Iterator[Row]:
    for case in cases:
        for claim_id, claim in case.claim_ids():
            yield from ((claim_id, i, *_span(s)) for i, s in enumerate(claim.evidence))


def _span(span: Span) -> Row:
    return span.field, span.lang, span.start, span.end, span.quote


def _figures(cases: Iterable[Case]) -> Iterator[Row]:
    for case in cases:
        for f in case.figures:
            label = (f.label.get("en"), f.label.get("ko"))
            yield case.id, f.id, *label, f.value, f.min, f.max, f.unit, f.approx


def _sources(cases: Iterable[Case]) -> Iterator[Row]:
    for case in cases:
        for name, sources in (("source", case.sources), ("reference", case.references)):
            for i, s in enumerate(sources or ()):
                yield case.id, i, name, str(s.kind), s.title, s.locator, s.archived


def _links(snapshot: Snapshot) -> Iterator[Row]:
    for e in link_edges(snapshot.cases, snapshot.vocabulary):
        yield e.source, str(e.relation), e.target, e.case_id, str(e.status), e.derived


def _changes(snapshot: Snapshot) -> Iterator[Row]:
    for number, c in enumerate(snapshot.vocabulary.history, 1):
        yield number, str(c.operation), c.at, c.author, c.note, c.model_dump_json()


def _changed_terms(snapshot: Snapshot) -> Iterator[Row]:
    for number, change in enumerate(snapshot.vocabulary.history, 1):
        yield from ((number, old, new) for old in change.old for new in change.new)


def _changed_claims(snapshot: Snapshot) -> Iterator[Row]:
    """For each claim the terms that it had and those it got in their place."""
    claims = {i for case in snapshot.cases for i, _ in case.claim_ids()}
    for number, change in enumerate(snapshot.vocabulary.history, 1):
        for r in change.retags:
            if r.claim in claims:
                named = set(r.before) & set(change.old)
                given = set(r.after) & set(change.new)
                pairs = {(number, r.claim, str(r.part), o, n) for o in named for n in given}
                yield from sorted(pairs)


def _old_terms(snapshot: Snapshot) -> Iterator[Row]:
    history = snapshot.vocabulary.history
    for old, new in snapshot.vocabulary.replaced.items():
        yield old, new, retired_in(history, old)


def _passages(snapshot: Snapshot) -> Iterator[Row]:
    for i, p in enumerate(snapshot.passages):
        yield i, p.case_id, p.field, p.lang, p.start, p.end, p.text


def _review(r: Review) -> Row:
    return (
        r.case_id, str(r.kind), r.term, str(r.decision), str(r.status), r.at, r.author, r.note,
        r.model_dump_json(),
    )  # fmt: skip


def _revision(r: Revision) -> Row:
    return r.case_id, r.number, str(r.action), r.at, r.author, r.note, r.before, r.absorbed


def _apart(a: Apart) -> Row:
    return a.case_id, a.other_id, a.at, a.author, a.note
