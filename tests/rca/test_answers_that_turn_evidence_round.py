"""An answer may not turn evidence round, name another cause, or settle the incident itself."""

from __future__ import annotations

from functools import cache

import pytest

from kg.model import Case
from kg.rca import Diagnosis, verify_answer
from kg.rca.claims import without_claim
from kg.rca.report import Finding
from kg.rca.turned import stranger_cause, turned
from kg.vocab import Tagger
from tests.helpers.planted import PLANTED_VOCABULARY, diagnose
from tests.helpers.tiny import case_data

TAGGER = Tagger(PLANTED_VOCABULARY)

STEPS = {
    "failed": ("A lower beta2 did not prevent divergence.", "beta2를 낮춰도 발산을 막지 못했다."),
    "worked": ("It trims every rank before the training loop.", "학습 루프 전에 블록 수를 맞춘다."),
    "partly": ("A layer norm carried training further.", "layer norm으로 학습이 더 나아갔다."),
    "unknown": ("The transport was changed.", "전송 방식을 바꾸었다."),
}
CAUSE = (
    "Uneven block counts sent rank 3 into all_reduce while 15 ranks were in reduce_scatter.",
    "블록 수가 고르지 않아 랭크 3만 all_reduce로 갔다.",
)
POWER = ("Board power fell to 190 W three hours after the start.", "세 시간 뒤 전력이 떨어졌다.")


@cache
def asked() -> Diagnosis:
    """One case with a step of each result."""
    claims = [("symptom", "symptom:slow"), ("cause", "cause:mismatch")]
    claims += [("mitigation", "mitigation:restart")] * len(STEPS)
    data = case_data("Z-1", *claims)
    said = [POWER, CAUSE, *STEPS.values()]
    for claim, (en, ko) in zip(data["claims"], said, strict=True):
        claim["statement"] = {"en": en, "ko": ko}
    for claim, result in zip(data["claims"][2:], STEPS, strict=True):
        claim["result"] = result
    return diagnose("slow training", cases=[Case.model_validate(data)], likely={"Z-1": 0.9})


def kinds(answer: str) -> set[str]:
    """What is wrong with an answer; `[cause]`, `[power]`, `[failed]` … stand for evidence."""
    for n, s in enumerate(asked().evidence, 1):
        key = s.result or {"cause": "cause", "symptom": "power"}.get(s.kind, "title")
        answer = answer.replace(f"[{key}]", f"[{n}]")
    report = verify_answer(answer, asked(), TAGGER.tag, PLANTED_VOCABULARY)
    return {f.kind for s in report.sentences for f in s.findings}


OF_THE_INCIDENT = [
    "Your job hangs because ranks wait for different collectives [cause].",
    "Your power drop stems from uneven block counts [cause].",
    "It is clear that uneven block counts broke your run [cause].",
    "Uneven block counts are what killed your job [cause].",
    "The hang you see comes from uneven block counts [cause].",
    "Your training froze since the ranks were out of step [cause].",
    "Uneven block counts led to this outage [cause].",
    "이번 장애는 블록 수가 고르지 않아서 생겼습니다 [cause].",
    "귀사의 작업은 블록 수가 고르지 않았기 때문에 멈췄습니다 [cause].",
    "현재 장애는 블록 수 차이로 인해 발생했다 [cause].",
]


@pytest.mark.parametrize("answer", OF_THE_INCIDENT)
def test_no_words_state_a_cause_of_the_incident_itself(answer: str) -> None:
    assert "this_incident" in kinds(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Your job may hang because block counts are uneven, as in Z-1 [cause].",
        "이번 장애도 Z-1처럼 블록 수가 고르지 않아서 생겼을 수 있습니다 [cause].",
        "In Z-1 rank 3 went into all_reduce because of uneven block counts [cause].",
    ],
)
def test_what_is_left_open_or_said_of_the_case_may_stand(answer: str) -> None:
    assert kinds(answer) == set()


RESULTS = {
    "Lowering beta2 brought Z-1 back on track [failed].": "result",
    "Lowering beta2 got Z-1 stable again [failed].": "result",
    "Z-1에서 beta2를 낮추자 발산이 멈췄다 [failed].": "result",
    "Z-1에서 beta2를 낮추자 학습이 안정되었다 [failed].": "result",
    "Changing the transport fixed Z-1 [unknown].": "result_unknown",
    "Z-1에서는 전송 방식을 바꾸어 해결했다 [unknown].": "result_unknown",
    "In Z-1 a layer norm solved the problem for good [partly].": "result_partly",
    "Z-1에서 layer norm으로 완전히 해결됐다 [partly].": "result_partly",
    "In Z-1 trimming every rank did not help [worked].": "result_worked",
    "Z-1에서 블록 수를 맞춘 것은 효과가 없었다 [worked].": "result_worked",
}


@pytest.mark.parametrize("answer", RESULTS)
def test_a_result_is_not_turned_round(answer: str) -> None:
    assert RESULTS[answer] in kinds(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "In Z-1 a lower beta2 did not help [failed].",
        "Z-1에서 beta2를 낮췄지만 발산을 막지 못했다 [failed].",
        "In Z-1 the transport was changed [unknown].",
        "In Z-1 a layer norm helped in part [partly].",
        "In Z-1 trimming every rank before the training loop worked [worked].",
    ],
)
def test_a_result_told_as_it_was_may_stand(answer: str) -> None:
    assert kinds(answer) == set()


FIGURES = [
    "Z-1에서 세 시간 반 뒤에 전력이 떨어졌다 [power].",
    "In Z-1 power fell after three and a half hours [power].",
    "In Z-1 power fell after half an hour [power].",
    "In Z-1 half of the ranks were in all_reduce [cause].",
    "Z-1에서 랭크의 절반이 all_reduce에 있었다 [cause].",
]


@pytest.mark.parametrize("answer", FIGURES)
def test_halves_are_figures(answer: str) -> None:
    assert "figure" in kinds(answer)


TURNED = [
    "In Z-1 trim every rank after the training loop [worked].",
    "Z-1에서는 학습 루프 후에 블록 수를 맞춘다 [worked].",
    "In Z-1 board power rose to 190 W [power].",
    "In Z-1 board power did not fall [power].",
    "Z-1에서 전력은 떨어지지 않았다 [power].",
]


@pytest.mark.parametrize("answer", TURNED)
def test_what_is_turned_round_is_refused(answer: str) -> None:
    assert "turned" in kinds(answer)


def test_so_is_what_the_evidence_only_denies() -> None:
    said = "The detector did not recognise the message."
    assert list(turned("The detector recognised the message.", said)) == ["recognised"]
    assert list(turned("The detector did not recognise it.", said)) == []
    assert list(turned("It recognised it.", f"{said} A newer one recognised it.")) == []


@pytest.mark.parametrize(
    "answer",
    [
        "Z-1 was caused by a bad switch [cause].",
        "In Z-1 the cause was a loose cable [cause].",
        "Z-1의 원인은 스위치 불량이다 [cause].",
        "Z-1은 스위치 때문에 멈췄다 [cause].",
    ],
)
def test_a_cause_that_the_evidence_does_not_name_is_refused(answer: str) -> None:
    assert "cause" in kinds(answer)


def test_other_forms_of_its_words_name_it() -> None:
    assert stranger_cause("It was caused by counting blocks unevenly", CAUSE[0]) == ""
    assert stranger_cause("It was caused by mice", CAUSE[0]) == "mice"
    assert kinds("Z-1 was caused by mismatched collectives [cause].") == set()


@pytest.mark.parametrize(
    "question",
    [
        "Isn't the cause a bad InfiniBand switch?", "Wasn't it the switch?",
        "The switch is the cause, right?", "Is the cause a bad switch?",
        "원인은 InfiniBand 스위치 불량 아닌가요?", "스위치가 원인이지 않을까요?",
    ],
)  # fmt: skip
def test_a_question_that_says_what_it_asks_is_a_claim(question: str) -> None:
    assert without_claim(question, False) is None


@pytest.mark.parametrize(
    "question", ["What is the cause?", "Is the link up?", "원인은 무엇인가요?", "왜 멈췄나요?"]
)
def test_an_open_question_is_none(question: str) -> None:
    assert without_claim(question, False) == "question"


@pytest.mark.parametrize(
    "silence",
    [
        "근거에는 복구 시간이 나와 있지 않다.",
        "근거에는 복구에 얼마나 걸렸는지 나와 있지 않습니다.",
        "근거에 나와 있지 않습니다.",
        "The evidence gives no time to recover.",
        "How long it took is not recorded in the evidence.",
    ],
)
def test_that_the_evidence_is_silent_may_be_said(silence: str) -> None:
    assert without_claim(silence, False) == "unknown"


@pytest.mark.parametrize(
    "kind", ["cause", "turned", "result_unknown", "result_partly", "result_worked"]
)
def test_every_new_reason_has_words_in_both_languages(kind: str) -> None:
    found = Finding(kind, "NCCL")
    assert "NCCL" in found.text("en")
    assert any("가" <= c <= "힣" for c in found.text("ko"))
