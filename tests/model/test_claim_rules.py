"""What a claim must hold: roles by kind, one primary cause, terms once, figures that exist."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from kg.model import ROLES, Case, ClaimKind, Role, Status
from tests.helpers.tiny import case_data, make_case

TERM_OF = {
    "detection": "tool:exposure",
    "check": "tool:exposure",
    "follow_up": "mitigation:restart",
}


def claim_of(kind: str, /, **changes: Any) -> dict[str, Any]:
    data = case_data("X-1", (kind, TERM_OF.get(kind, f"{kind}:some")))
    data["claims"][0].update(changes)
    return data


@pytest.mark.parametrize("kind", list(ClaimKind))
def test_each_kind_takes_its_roles_and_no_other(kind: ClaimKind) -> None:
    for role in Role:
        data = claim_of(str(kind), role=str(role))
        if role in ROLES[kind]:
            assert Case.model_validate(data).claims[0].role is role
        else:
            with pytest.raises(ValidationError, match=r"claims\.0\.role"):
                Case.model_validate(data)


@pytest.mark.parametrize("kind", [k for k in ClaimKind if ROLES[k]])
def test_a_kind_with_roles_must_have_one(kind: ClaimKind) -> None:
    with pytest.raises(ValidationError, match="must have a role; give one of"):
        Case.model_validate(claim_of(str(kind), role=None))


@pytest.mark.parametrize("kind", [k for k in ClaimKind if not ROLES[k]])
def test_a_kind_without_roles_has_none(kind: ClaimKind) -> None:
    assert Case.model_validate(claim_of(str(kind))).claims[0].role is None


def test_every_kind_is_in_the_table_of_roles_and_every_role_is_used() -> None:
    assert set(ROLES) == set(ClaimKind)
    assert {r for roles in ROLES.values() for r in roles} == set(Role)


def test_at_most_one_confirmed_cause_is_primary() -> None:
    with pytest.raises(ValidationError, match="more than one confirmed cause is primary"):
        make_case(
            "X-1",
            ("cause", "cause:race", "confirmed", "primary"),
            ("cause", "cause:mismatch", "confirmed", "primary"),
        )


@pytest.mark.parametrize("status", ["suspected", "ruled_out"])
def test_a_primary_cause_that_is_not_confirmed_does_not_count(status: str) -> None:
    case = make_case(
        "X-1",
        ("cause", "cause:race", "confirmed", "primary"),
        ("cause", "cause:mismatch", status, "primary"),
    )
    assert len(case.claims_of(ClaimKind.CAUSE)) == 1
    assert len(case.claims_of(ClaimKind.CAUSE, status=None)) == 2
    assert [c.terms for c in case.claims_of(ClaimKind.CAUSE, Status(status))] == [
        ("cause:mismatch",)
    ]


def test_no_primary_cause_is_needed() -> None:
    assert make_case("X-1", ("cause", "cause:race", "confirmed", "secondary")).claims


def test_claims_are_numbered_within_their_kind() -> None:
    case = make_case(
        "X-1", ("cause", "cause:race"), ("symptom", "symptom:slow"),
        ("cause", "cause:mismatch", "suspected"), ("symptom", "symptom:failure"),
    )  # fmt: skip
    assert [i for i, _ in case.claim_ids()] == [
        "X-1#cause-1", "X-1#symptom-1", "X-1#cause-2", "X-1#symptom-2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"terms": []}, "at least 1 item"),
        ({"terms": ["no colon"]}, "match pattern"),
        ({"terms": ["cause:UPPER"]}, "match pattern"),
        ({"terms": ["cause:a", "cause:b", "cause:a"]}, "'cause:a' stands more than once"),
        ({"evidence": []}, "at least 1 item"),
        ({"status": "maybe"}, "confirmed"),
        ({"kind": "reason"}, "trigger"),
        ({"figures": ["nothing"]}, "no figure 'nothing'"),
        ({"colour": "red"}, "Extra inputs"),
        ({"statement": {}}, "at least one language"),
        ({"addresses": ["?"]}, "match pattern"),
    ],
)
def test_what_a_claim_may_not_hold(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Case.model_validate(claim_of("cause", **changes))


def test_a_term_may_stand_in_several_claims() -> None:
    case = make_case(
        "X-1", ("cause", "cause:race"), ("cause", "cause:race", "suspected", "secondary")
    )
    assert [c.status for c in case.claims] == [Status.CONFIRMED, Status.SUSPECTED]


def test_status_defaults_to_confirmed() -> None:
    data = claim_of("cause")
    del data["claims"][0]["status"]
    assert Case.model_validate(data).claims[0].status is Status.CONFIRMED


def test_all_faults_of_a_case_are_told_together() -> None:
    data = claim_of("cause", role="owner", figures=["f1"])
    data["dates"] = [{"kind": "started", "at": "2022"}, {"kind": "ended", "at": "2021"}]
    data["related"] = ["X-1", "Y-1", "Y-1"]
    with pytest.raises(ValidationError) as caught:
        Case.model_validate(data)
    for said in (
        "owner is no role of a claim of kind cause",
        "no figure 'f1'",
        "before it started",
        "itself",
        "'Y-1' stands 2 times",
    ):
        assert said in str(caught.value)


def test_an_unknown_kind_of_case_or_domain_is_refused() -> None:
    for change in (
        {"kind": "accident"},
        {"domain": "AI infra"},
        {"dates": [{"kind": "born", "at": "2020"}]},
    ):
        with pytest.raises(ValidationError):
            Case.model_validate({**case_data("X-1"), **change})
