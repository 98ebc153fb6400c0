"""What was done in like cases: for which cause, what came of it, and with what conditions."""

from __future__ import annotations

from typing import Any

import pytest

from kg.model import Case
from kg.rca import Diagnosis
from kg.rca.diagnosis import Remedy
from kg.rca.mitigations import MOST, OUTCOME, UNCONFIRMED
from tests.helpers.planted import diagnose
from tests.helpers.tiny import case_data, make_case


def case_of(case_id: str, *steps: dict[str, Any], cause: str = "cause:race", **more: Any) -> Case:
    """A slow case with one cause whose mitigations have these further keys, one each."""
    claims: list[tuple[str, ...]] = [("symptom", "symptom:slow")]
    claims += [("cause", cause, *more.pop("cause_more", ()))]
    claims += [(step.pop("kind", "mitigation"), step.pop("term")) for step in steps]
    data = case_data(case_id, *claims, **more)
    for claim, step in zip(data["claims"][2:], steps, strict=True):
        claim.update(step)
    return Case.model_validate(data)


def step(term: str, **more: Any) -> dict[str, Any]:
    return {"term": f"mitigation:{term}", **more}


def ask(*cases: Case, **more: Any) -> Diagnosis:
    return diagnose("slow training", cases=cases, likely={c.id: 0.8 for c in cases}, **more)


def remedy(found: Diagnosis, term: str) -> Remedy:
    return next(r for r in found.mitigations if r.term == f"mitigation:{term}")


def test_result_outcome_conditions_and_caveat_are_told() -> None:
    text = {"en": "Only at night.", "ko": "밤에만."}
    found = ask(
        case_of("Q-1", step("restart", result="partly", conditions=text, caveat=text, outcome=text))
    )
    (told,) = remedy(found, "restart").steps
    assert told.result == "partly"
    assert {told.note(n, "ko") for n in ("outcome", "conditions", "caveat")} == {"밤에만."}
    assert remedy(found, "restart").causes == ("cause:race",)


def test_steps_that_failed_are_kept_and_come_last() -> None:
    found = ask(
        case_of("Q-1", step("restart", result="failed"), step("replace", result="worked")),
    )
    assert [r.term for r in found.mitigations] == ["mitigation:replace", "mitigation:restart"]
    failed = remedy(found, "restart")
    assert failed.worth == 0.0
    assert [failed.count(r) for r in ("failed", "worked", "partly", "unknown")] == [1, 0, 0, 0]


def test_one_remedy_may_have_worked_here_and_failed_there() -> None:
    found = ask(
        case_of("Q-1", step("restart", result="failed")),
        case_of("Q-2", step("restart", result="worked")),
    )
    (both,) = found.mitigations
    assert [(s.case_id, s.result) for s in both.steps] == [("Q-2", "worked"), ("Q-1", "failed")]


@pytest.mark.parametrize("result", sorted(OUTCOME))
def test_worth_is_weight_times_probability_times_outcome(result: str) -> None:
    found = ask(case_of("Q-1", step("restart", result=result)))
    (h,), (near,) = found.hypotheses, found.near
    expected = near.weight * h.probability * OUTCOME[result]  # type: ignore[index]
    assert remedy(found, "restart").worth == pytest.approx(expected, abs=1e-5)


def test_a_step_is_for_the_cause_that_it_addresses() -> None:
    found = ask(
        case_of("Q-1", step("restart", addresses=["cause:link-down"])),
        case_of("Q-2", step("replace"), cause="cause:link-down"),
    )
    assert remedy(found, "restart").causes == ("cause:link-down",)
    assert remedy(found, "replace").causes == ("cause:link-down",)


def test_a_step_for_a_cause_that_is_no_hypothesis_is_left_out() -> None:
    found = ask(case_of("Q-1", step("restart", addresses=["cause:ecc-error"])))
    assert found.mitigations == ()
    assert found.set_aside == ()


def test_a_step_for_a_narrower_cause_serves_the_broader_one() -> None:
    found = ask(
        case_of("Q-1", step("replace", addresses=["cause:ecc-error"]), cause="cause:gpu-fault")
    )
    assert remedy(found, "replace").causes == ("cause:gpu-fault",)


def test_a_step_for_a_broader_cause_serves_no_narrower_one() -> None:
    found = ask(
        case_of("Q-1", step("replace", addresses=["cause:hardware"]), cause="cause:gpu-fault")
    )
    assert [h.cause for h in found.hypotheses] == ["cause:gpu-fault"]
    assert found.mitigations == (), "what helps against some hardware failure may not help here"


def test_a_cause_that_its_case_only_suspects_is_said_to_be() -> None:
    found = ask(
        case_of("Q-1", step("replace")),
        case_of("Q-2", step("restart", addresses=["cause:race"]), cause_more=("suspected",)),
    )
    assert remedy(found, "restart").unsure == ("Q-2",)
    assert remedy(found, "replace").unsure == ()
    near = {n.case_id: n for n in found.near}
    expected = near["Q-2"].weight * found.hypotheses[0].probability * UNCONFIRMED * 0.3
    assert remedy(found, "restart").worth == pytest.approx(expected, abs=1e-5)


def test_steps_of_cases_without_a_confirmed_cause_stand_apart() -> None:
    found = ask(
        case_of("Q-1", step("restart", result="worked")),
        case_of("Q-2", step("restart", result="worked"), cause_more=("suspected",)),
    )
    told = {r.causes: [s.case_id for s in r.steps] for r in found.mitigations}
    assert told == {("cause:race",): ["Q-1"], (): ["Q-2"]}


def test_only_similar_cases_are_asked_for_such_steps() -> None:
    cases = [
        case_of("Q-1", step("restart")),
        case_of("Q-2", step("replace"), cause_more=("suspected",)),
    ]
    near = {"Q-1": 0.8, "Q-2": 0.2}
    found = diagnose("slow training", cases=cases, likely=near)
    assert {n.case_id for n in found.near} == {"Q-1", "Q-2"}
    assert [r.term for r in found.mitigations] == ["mitigation:restart"]


def test_follow_ups_are_told_apart() -> None:
    found = ask(case_of("Q-1", step("replace", kind="follow_up"), step("restart")))
    assert [r.term for r in found.mitigations] == ["mitigation:restart"]
    assert [r.term for r in found.follow_ups] == ["mitigation:replace"]


def test_what_was_tried_is_marked_and_what_is_not_covered_is_named() -> None:
    cases = (case_of("Q-1", step("restart"), step("replace")),)
    found = ask(*cases, observed=["restart"])
    assert remedy(found, "restart").tried
    assert not remedy(found, "replace").tried
    assert remedy(found, "replace").does_not_cover == ("component:nccl",)


def test_nothing_is_recommended_where_nothing_is_alike() -> None:
    cases = [case_of("Q-1", step("restart")), make_case("Q-2")]
    found = diagnose("slow training", cases=cases, likely={"Q-1": 0.3})
    assert found.abstention is not None
    assert found.mitigations == found.follow_ups == found.set_aside == ()


def test_there_are_only_a_few() -> None:
    found = diagnose()
    assert len(found.mitigations) <= MOST
