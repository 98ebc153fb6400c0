"""An answer is held against its evidence, sentence by sentence."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from kg.errors import BadQuery
from kg.model import Case
from kg.queries import plain
from kg.rca import AnswerReport, Diagnosis, verify_answer
from kg.rca.report import Finding, Verdict
from kg.rca.statements import Statement
from kg.vocab import Tagger
from tests.helpers.planted import PLANTED_VOCABULARY, diagnose
from tests.helpers.tiny import case_data

TAGGER = Tagger(PLANTED_VOCABULARY)

SAID = {
    "cause": "All 16 H100 GPUs waited for NCCL because collectives did not match.",
    "suspected": "A race condition in PyTorch 2.4.1 was suspected.",
    "ruled_out": "A link down was ruled out: bandwidth stayed at 53k tok/s.",
    "symptom": "The watchdog fired after three hours; power fell to 190 W at 100% load.",
    "detection": "The flight recorder of Alpha Labs showed it with `NCCL_DEBUG=INFO`.",
    "mitigation": "A restart was tried and the job hung again.",
}
KO = {
    "cause": "H100 16장이 집합 통신이 어긋나 NCCL에서 기다렸다.",
    "symptom": "세 시간 뒤 watchdog이 울렸고 전력이 190 W로 떨어졌다.",
}


def case() -> Case:
    """One case whose every claim has words, figures and names of its own."""
    claims: list[tuple[str, ...]] = [
        ("symptom", "symptom:slow"), ("cause", "cause:mismatch"),
        ("cause", "cause:race", "suspected"), ("cause", "cause:link-down", "ruled_out"),
        ("detection", "tool:flight-recorder", "confirmed", "diagnosed"),
        ("mitigation", "mitigation:restart"),
    ]  # fmt: skip
    data = case_data("Z-1", *claims)
    keys = ("symptom", "cause", "suspected", "ruled_out", "detection", "mitigation")
    for claim, key in zip(data["claims"], keys, strict=True):
        claim["statement"] = {"en": SAID[key], "ko": KO.get(key, SAID[key])}
    data["claims"][5].update(
        result="failed", addresses=["cause:mismatch"], caveat={"en": "It cost 130 GPU·h."}
    )
    return Case.model_validate(data)


@cache
def diagnosis() -> Diagnosis:
    return diagnose("slow training, perhaps a race condition", cases=[case()], likely={"Z-1": 0.9})


def number(kind: str, status: str | None = "confirmed") -> int:
    """The number of the first evidence of a kind and status."""

    def fits(s: Statement) -> bool:
        return s.kind == kind and (s.status is None or s.status == status)

    return next(n for n, s in enumerate(diagnosis().evidence, 1) if fits(s))


CAUSE, SYMPTOM, TOOL, STEP = (number(k) for k in ("cause", "symptom", "detection", "mitigation"))
SUSPECTED, RULED_OUT, TITLE = (
    number("cause", "suspected"), number("cause", "ruled_out"), number("title"),
)  # fmt: skip
LAST = len(diagnosis().evidence)
NUMBERS = {
    "CAUSE": CAUSE, "SYMPTOM": SYMPTOM, "TOOL": TOOL, "STEP": STEP, "SUSPECTED": SUSPECTED,
    "RULED_OUT": RULED_OUT, "TITLE": TITLE,
}  # fmt: skip


def verify(answer: str, lang: str = "en") -> AnswerReport:
    """`[CAUSE]` and the like stand for the number of that evidence."""
    for name, n in NUMBERS.items():
        answer = answer.replace(f"[{name}]", f"[{n}]")
    return verify_answer(answer, diagnosis(), TAGGER.tag, PLANTED_VOCABULARY, lang)


def findings(answer: str) -> list[tuple[str, str]]:
    return [(f.kind, f.what) for s in verify(answer).sentences for f in s.findings]


ACCEPTED = [
    "In Z-1 all 16 H100 GPUs waited for NCCL [CAUSE].",
    "In Z-1, 16 GPUs waited [CAUSE].",
    "The GPUs stood still [CAUSE].",
    "Z-1에서는 H100 16장이 NCCL에서 기다렸다 [CAUSE].",
    "The watchdog fired after 3 hours [SYMPTOM].",
    "The watchdog fired after 180 minutes, at 190W and 100 percent [SYMPTOM].",
    "세 시간 뒤에 울렸다 [SYMPTOM].",
    "전력은 190 W, 부하는 100%였다 [SYMPTOM].",
    "A race condition in PyTorch 2.4.1 was only suspected [SUSPECTED].",
    "It may have been a race condition [SUSPECTED].",
    "경쟁 상태가 의심되었다 [SUSPECTED].",
    "A link down was ruled out at 53,000 tokens/s [RULED_OUT].",
    "The link down was not the cause [RULED_OUT].",
    "링크 다운은 배제되었다 [RULED_OUT].",
    "Look at the flight recorder [TOOL].",
    "Set `NCCL_DEBUG=INFO` [TOOL].",
    "Alpha Labs used the flight recorder [TOOL].",
    "A restart was tried and the job hung again [STEP].",
    "A restart did not help and cost 130 GPU·h [STEP].",
    "This incident may have the same cause as Z-1, mismatched collectives [CAUSE].",
    "“The watchdog fired after three hours” [SYMPTOM].",
    "The watchdog fired after 3 hours [SYMPTOM] while 16 GPUs waited [CAUSE].",
    "- 16 GPUs waited. [CAUSE]",
    "| 16 GPUs | waited [CAUSE] |",
]


@pytest.mark.parametrize("answer", ACCEPTED)
def test_what_the_evidence_holds_is_accepted(answer: str) -> None:
    report = verify(answer)
    assert [s.verdict for s in report.sentences] == [Verdict.ACCEPTED], str(report)
    assert report.ok
    assert bool(report)


REFUSED: dict[str, tuple[str, str]] = {
    "16 GPUs waited.": ("no_citation", ""),
    "Check the flight recorder.": ("no_citation", ""),
    "16 GPUs waited [1](#1).": ("no_citation", ""),
    f"16 GPUs waited [{LAST + 1}].": ("no_such_number", str(LAST + 1)),
    "16 GPUs waited [0].": ("no_such_number", "0"),
    "32 GPUs waited [CAUSE].": ("figure", "32"),
    "The watchdog fired after 4 hours [SYMPTOM].": ("figure", "4 hours"),
    "The watchdog fired after four hours [SYMPTOM].": ("figure", "four hours"),
    "네 시간 뒤에 울렸다 [SYMPTOM].": ("figure", "네 시간"),
    "Power fell to 190 ms [SYMPTOM].": ("figure", "190 ms"),
    "Power fell to 100 [SYMPTOM].": ("figure", "100"),
    "Power fell to 90% [SYMPTOM].": ("figure", "90%"),
    "16 GPUs waited [SYMPTOM].": ("figure", "16"),
    "Twelve GPUs waited [CAUSE].": ("figure", "Twelve"),
    "The A100 GPUs waited [CAUSE].": ("name", "A100"),
    "The H100 waited for NCCLX [CAUSE].": ("name", "NCCLX"),
    "Beta Cloud used the flight recorder [TOOL].": ("name", "Beta Cloud"),
    "At night Initech used it [TOOL].": ("name", "Initech"),
    "The link test showed it [TOOL].": ("name", "link test"),
    "Set `NCCL_DEBUG=WARN` [TOOL].": ("identifier", "NCCL_DEBUG=WARN"),
    "Set NCCL_IB_TIMEOUT [TOOL].": ("identifier", "NCCL_IB_TIMEOUT"),
    "A race in PyTorch 2.4.2 was suspected [SUSPECTED].": ("identifier", "2.4.2"),
    "In P-2 the GPUs waited [CAUSE].": ("identifier", "P-2"),
    "All \u041d100 GPUs waited [CAUSE].": ("identifier", "\u041d100"),
    "They said “the watchdog fired after two days” [SYMPTOM].": ("figure", "two days"),
    "They said “the watchdog fired quite late” [SYMPTOM].": (
        "quotation", "the watchdog fired quite late",
    ),
    "In Z-1 a race condition was the cause [SUSPECTED].": ("only_suspected", "Z-1"),
    "Z-1에서는 경쟁 상태가 원인이었다 [SUSPECTED].": ("only_suspected", "Z-1"),
    "In Z-1 a link down was the cause [RULED_OUT].": ("ruled_out", "Z-1"),
    "In Z-1 the link was suspected [RULED_OUT].": ("ruled_out", "Z-1"),
    "Z-1의 원인은 링크 다운이다 [RULED_OUT].": ("ruled_out", "Z-1"),
    "In Z-1 mismatched collectives were ruled out [CAUSE].": ("called_ruled_out", "Z-1"),
    "This incident was caused by mismatched collectives [CAUSE].": ("this_incident", ""),
    "The root cause is mismatched collectives [CAUSE].": ("this_incident", ""),
    "이번 장애의 원인은 집합 통신 어긋남이다 [CAUSE].": ("this_incident", ""),
    "In Z-1 the cause was a bad mood [TITLE].": ("title_only", "Z-1"),
    "A restart fixed it [STEP].": ("result", "Z-1"),
    "Did 32 GPUs wait?": ("no_citation", ""),
    "I don't know whether 32 GPUs waited.": ("no_citation", ""),
    "It is unknown, but NCCL waited.": ("no_citation", ""),
    "# NCCL waited": ("no_citation", ""),
    "## Cause: race condition": ("no_citation", ""),
    "Of NCCL:": ("no_citation", ""),
}  # fmt: skip


@pytest.mark.parametrize("answer", REFUSED)
def test_what_it_does_not_hold_is_refused_with_the_reason(answer: str) -> None:
    report = verify(answer)
    assert not report.ok
    assert not report
    assert REFUSED[answer] in findings(answer), str(report)


NO_CLAIM = {
    "I don't know.": "unknown",
    "The evidence does not say.": "unknown",
    "The evidence does not say whether NCCL waited.": "unknown",
    "근거에 나와 있지 않습니다.": "unknown",
    "Did the NCCL flight recorder show it?": "question",
    "# What to check": "aside",
    "**Not known**": "unknown",
    "In short:": "aside",
}


@pytest.mark.parametrize("answer", NO_CLAIM)
def test_what_claims_nothing_needs_no_citation(answer: str) -> None:
    (only,) = verify(answer).sentences
    assert (only.verdict, only.rule) == (Verdict.NO_CLAIM, NO_CLAIM[answer])


def test_a_suspected_cause_may_be_named_beside_a_confirmed_one() -> None:
    ok = "In Z-1 mismatched collectives were confirmed [CAUSE], a race suspected [SUSPECTED]."
    assert verify(ok).ok
    bad = "In Z-1 mismatched collectives and a race condition were the causes [CAUSE][SUSPECTED]."
    assert ("only_suspected", "Z-1") in findings(bad)


def test_a_code_block_rests_on_the_sentence_before_it() -> None:
    assert verify("Set it so [TOOL].\n```\nNCCL_DEBUG=INFO\n```").ok
    assert findings("Set it so [TOOL].\n```\nNCCL_DEBUG=WARN\n```") == [
        ("identifier", "NCCL_DEBUG=WARN")
    ]
    assert findings("```\nNCCL_DEBUG=INFO\n```") == [("no_citation", "")]


def test_each_sentence_stands_for_itself() -> None:
    report = verify("16 GPUs waited [CAUSE]. 32 GPUs waited [CAUSE]. I don't know.")
    assert [s.verdict for s in report.sentences] == ["accepted", "refused", "no_claim"]
    assert len(report.refused) == 1
    assert [report.count(v) for v in Verdict] == [1, 1, 1]
    assert not report.ok


def test_every_problem_of_a_sentence_is_named() -> None:
    assert findings("32 A100 at Beta Cloud [SYMPTOM][99].") == [
        ("no_such_number", "99"), ("figure", "32"), ("name", "A100"), ("name", "Beta Cloud"),
    ]  # fmt: skip


def test_figures_of_the_claim_count_as_said() -> None:
    data: dict[str, Any] = case().model_dump(mode="json")
    data["figures"] = [
        {"id": "gap", "label": {"en": "gap"}, "value": 53, "unit": "count",
         "evidence": [{"field": "symptom", "lang": "en", "quote": "symptom:slow"}]},
    ]  # fmt: skip
    data["claims"][0]["figures"] = ["gap"]
    found = diagnose("slow training", cases=[Case.model_validate(data)], likely={"Z-1": 0.9})
    n = next(n for n, s in enumerate(found.evidence, 1) if s.kind == "symptom")
    assert verify_answer(f"The gap was 53 [{n}].", found, TAGGER.tag, PLANTED_VOCABULARY).ok
    assert not verify_answer(f"It was 54 [{n}].", found, TAGGER.tag, PLANTED_VOCABULARY).ok


@pytest.mark.parametrize("answer", ["", " \n", "...", "# "])
def test_an_empty_answer_cannot_be_verified(answer: str) -> None:
    with pytest.raises(BadQuery, match="the answer is empty"):
        verify(answer)


def test_the_report_is_told_in_both_languages() -> None:
    answer = "16 GPUs waited [CAUSE]. 32 waited [CAUSE]. It waited. I don't know."
    english, korean = str(verify(answer)), str(verify(answer, "ko"))
    assert english.startswith("1 accepted, 2 refused, 1 without a claim")
    assert "the cited evidence does not hold the figure 32" in english
    assert korean.startswith("받아들임 1, 물리침 2, 주장 아님 1")
    assert "인용한 근거에 수치 32가 없습니다" in korean


@pytest.mark.parametrize("kind", sorted({k for k, _ in REFUSED.values()}))
def test_every_reason_has_words_in_both_languages(kind: str) -> None:
    found = Finding(kind, "NCCL", "7")
    assert found.text("en")
    assert any("가" <= c <= "힣" for c in found.text("ko"))


def test_hidden_signs_of_an_answer_are_shown() -> None:
    assert "\u202e" not in str(verify("It \u202ewaited."))


def test_the_report_is_plain_json() -> None:
    data = plain(verify("32 waited [CAUSE]."))
    assert data["ok"] is False
    assert data["sentences"][0]["findings"][0] == {"kind": "figure", "what": "32", "bound": ""}
    assert data["sentences"][0]["sentence"]["text"] == f"32 waited [{CAUSE}]."


def test_an_answer_made_of_the_evidence_itself_is_accepted() -> None:
    """Whatever the library says may be said again, status and case with it."""
    status = {"suspected": "It was suspected: ", "ruled_out": "It was ruled out: "}
    for n, s in enumerate(diagnosis().evidence, 1):
        for lang in ("en", "ko"):
            said = s.said(lang).rstrip(".")
            report = verify(f"In {s.case_id}: {status.get(str(s.status), '')}{said} [{n}].")
            assert report.ok, str(report)
