"""A statement says what its claim says, at the place where the case says it."""

from __future__ import annotations

from kg.library import Library
from kg.model import ClaimKind, Status
from kg.rca.statements import Statements
from tests.helpers.planted import planted_cases
from tests.helpers.tiny import make_case


def test_every_shipped_claim_becomes_a_statement_of_its_own_words(whole: Library) -> None:
    statements = Statements(whole.cases)
    for case in whole.cases.values():
        claims = dict(case.resolved().claim_ids())
        told = statements.of(case.id)
        assert [s.claim_id for s in told] == list(claims)
        for s in told:
            claim = claims[s.claim_id]
            assert (s.kind, s.terms, s.status) == (claim.kind, claim.terms, claim.status)
            assert dict(s.words) == (dict(claim.statement.items()) if claim.statement else {})
            for span in s.evidence:
                assert case.text(span.field, span.lang)[span.start : span.end] == span.quote


def test_a_title_is_quoted_and_has_no_status(whole: Library) -> None:
    title = Statements(whole.cases).title("IL-0480", "ko")
    assert title.status is None
    assert title.terms == ()
    assert title.said("ko") == whole.get("IL-0480").title.text("ko")
    assert title.said("en") == whole.get("IL-0480").title.text("en")
    for span in title.evidence:
        assert whole.get("IL-0480").text("title", span.lang)[span.start : span.end] == span.quote


def test_results_conditions_and_figures_come_along(whole: Library) -> None:
    (evenfix,) = Statements(whole.cases).some("IL-0480", ClaimKind.MITIGATION)
    assert evenfix.result == "worked"
    assert evenfix.addresses == ("cause:collective-mismatch",)
    assert evenfix.note("conditions", "en") == "It has to run before the training loop."
    assert evenfix.note("conditions", "ko").startswith("학습 루프")
    assert evenfix.note("caveat", "en") == ""
    (trigger,) = Statements(whole.cases).some("IL-0480", ClaimKind.TRIGGER)
    assert trigger.amounts == ((7.0, "step"),)


def test_the_ends_of_a_range_are_figures_of_their_own(whole: Library) -> None:
    ranged = [
        f
        for c in whole.cases.values()
        for f in c.figures
        if f.min is not None and f.max is not None
    ]
    assert ranged
    every = {
        amount
        for case_id in whole.cases
        for s in Statements(whole.cases).of(case_id)
        for amount in s.amounts
    }
    used = {
        (c.id, name) for c in whole.cases.values() for claim in c.claims for name in claim.figures
    }
    for case in whole.cases.values():
        for f in case.figures:
            if (case.id, f.id) in used and f.min is not None:
                assert (f.min, f.unit) in every


def test_words_fall_back_to_english_and_then_to_the_quotation() -> None:
    cases = {c.id: c for c in planted_cases()}
    (cause,) = Statements(cases).some("P-1", ClaimKind.CAUSE, Status.CONFIRMED)
    assert cause.words == ()
    assert cause.said("en") == "Fact 2 is cause:mismatch."
    assert cause.said("ko") == "사실 2: cause:mismatch."
    assert cause.said("fr") == "Fact 2 is cause:mismatch."


def test_statuses_and_roles_are_chosen() -> None:
    statements = Statements({c.id: c for c in planted_cases()})
    ruled = list(statements.some("P-1", ClaimKind.CAUSE, Status.RULED_OUT))
    assert [s.terms for s in ruled] == [("cause:link-down",)]
    assert len(list(statements.some("P-1", ClaimKind.CAUSE))) == 2
    missed = list(statements.some("P-2", ClaimKind.DETECTION, roles=["missed"]))
    assert [s.terms for s in missed] == [("tool:flight-recorder",)]


def test_only_confirmed_terms_are_terms_of_a_case() -> None:
    statements = Statements({c.id: c for c in planted_cases()})
    assert set(statements.terms("P-1", ClaimKind.CAUSE)) == {"cause:mismatch"}
    assert statements.terms("P-3", ClaimKind.CAUSE) == {}


def test_a_study_is_no_incident() -> None:
    cases = {c.id: c for c in [*planted_cases(), make_case("R-1", kind="series")]}
    statements = Statements(cases)
    assert [i for i in cases if statements.is_incident(i)] == ["P-1", "P-2", "P-3", "P-4"]
