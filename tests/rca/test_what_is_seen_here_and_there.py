"""What was seen here and there is told only where it is the same; what was told is not asked."""

from __future__ import annotations

from typing import Any

import pytest

from kg.model import Case
from kg.rca import Diagnosis
from kg.rca.conflicts import conflicts
from kg.rca.statements import Statements
from kg.vocab import Tag
from tests.helpers.planted import PLANTED_VOCABULARY, diagnose
from tests.helpers.tiny import case_data, make_case


def told(case_id: str, *claims: tuple[str, ...], **said: str) -> Case:
    """A case with a cause whose claims say in our words what `said` gives for their terms."""
    data: dict[str, Any] = case_data(case_id, ("cause", "cause:race"), *claims)
    for claim in data["claims"][1:]:
        words = said.get(claim["terms"][0].partition(":")[2].replace("-", "_"))
        if words:
            claim["statement"] = {"en": words, "ko": words}
    return Case.model_validate(data)


def shown(text: str, case: Case, **more: Any) -> list[tuple[str, ...]]:
    found = diagnose(text, cases=[case], likely={case.id: 0.9}, **more)
    return [s.terms for h in found.hypotheses for s in h.shown]


def test_a_narrower_term_of_the_case_is_not_what_was_seen() -> None:
    case = told("Q-1", ("component", "component:h100"), ("symptom", "symptom:nccl-timeout"),
                h100="The H100 stood still.")  # fmt: skip
    assert shown("training job failure on a GPU", case) == []


def test_a_broader_one_is() -> None:
    case = told("Q-1", ("component", "component:gpu"), ("symptom", "symptom:failure"),
                gpu="A GPU stood still.")  # fmt: skip
    found = shown("NCCL timeout on an H100", case)
    assert found == [("symptom:failure",), ("component:gpu",)]


@pytest.mark.parametrize(
    ("here", "there", "conflict"),
    [
        ("NCCL timeout, Xid 63", "A timeout with Xid 79.", True),
        ("NCCL timeout, Xid 79", "A timeout with Xid 79.", False),
        ("NCCL timeout, Xid: 79 and Xid 63", "A timeout with xid=63.", False),
        ("NCCL timeout on an H100", "All A100 timed out.", True),
        ("NCCL timeout on an H100", "A100 and H100 timed out.", False),
        ("NCCL timeout on a GPU", "All A100 timed out.", False),
        ("NCCL timeout", "A timeout, exit code 3.", False),
    ],
)
def test_another_code_or_model_is_a_conflict(here: str, there: str, conflict: bool) -> None:
    case = told("Q-1", ("symptom", "symptom:nccl-timeout"), nccl_timeout=there)
    (statement,) = [s for s in Statements({"Q-1": case}).of("Q-1") if s.kind == "symptom"]
    found = diagnose(here, cases=[case], likely={"Q-1": 0.9})
    seen = found.understood.seen
    assert conflicts(PLANTED_VOCABULARY, here, seen, statement) is conflict
    assert (("symptom:nccl-timeout",) in shown(here, case)) is not conflict


def test_a_component_of_which_nothing_is_said_is_no_support() -> None:
    bare = make_case("Q-1", ("cause", "cause:race"), ("component", "component:gpu"))
    assert shown("slow training on a GPU", bare) == []


def test_a_title_is_not_told_as_what_was_seen() -> None:
    data = case_data("Q-1", ("cause", "cause:race"), ("symptom", "symptom:slow"))
    title = {"field": "title", "lang": "en", "quote": "Title of Q-1"}
    data["claims"][1]["evidence"] = [title]
    assert shown("slow training", Case.model_validate(data)) == []


def meant(confidence: float, term: str = "symptom:slow") -> list[Tag]:
    return [
        Tag(0, 4, "component:nccl", "NCCL"),
        Tag(5, 9, term, "told", confidence=confidence, how="meaning"),
    ]


def test_what_is_unsurely_meant_is_no_support_and_is_not_asked_for() -> None:
    case = told("Q-1", ("symptom", "symptom:slow"))
    assert shown("NCCL told", case, tags=meant(0.6)) == [("symptom:slow",)]
    assert shown("NCCL told", case, tags=meant(0.4)) == []
    found: Diagnosis = diagnose("NCCL told", tags=meant(0.4, "trigger:upgrade"))
    assert "trigger:upgrade" in {c.term for c in diagnose("NCCL told", tags=meant(0)[:1]).checks}
    assert "trigger:upgrade" not in {c.term for c in found.checks}
    assert "perhaps, and counted for nothing: version upgrade (40 %)" in str(found)


def test_an_observed_cause_counts_and_what_has_nothing_to_do_with_it_falls() -> None:
    plain, seen = diagnose(), diagnose(observed=["link down"])
    before = {h.cause: h.probability for h in plain.hypotheses}
    after = {h.cause: h.probability for h in seen.hypotheses}
    assert after["cause:link-down"] > 0.5 > before["cause:link-down"]
    assert after["cause:mismatch"] == pytest.approx(before["cause:mismatch"] / 2, abs=1e-5)


def test_what_is_ruled_out_supports_no_broader_cause() -> None:
    case = make_case("Q-1", ("symptom", "symptom:slow"), ("cause", "cause:ecc-error"))
    found = diagnose(
        "slow training", cases=[case], likely={"Q-1": 0.9}, observed=["GPU fault"],
        ruled_out=["ECC error"],
    )  # fmt: skip
    (h,) = [h for h in found.hypotheses if h.cause == "cause:gpu-fault"]
    assert (h.support, h.n) == ((), 0)
