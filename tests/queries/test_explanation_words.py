"""An explanation of two cases as a paragraph: what it says, and how it says it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.library import Library
from kg.model import Case, Status
from kg.queries import Explanation, SameCause, make_explanation, plain
from kg.queries.tell import difference
from kg.vocab import Vocabulary
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import Told, case_data, make_case, term, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary(
    term("symptom:dns", "names do not resolve", "이름 해석 실패"),
    term("factor:race", "racing", "경합", aliases={"en": ["race condition"]}),
    term("component:docker", "Docker", "Docker"),
    term("symptom:odd", "odd", "이상"),
    term("cause:oom", "out of memory", "메모리 부족"),
)
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)


def explain(a: str, b: str, lang: str = "en") -> Explanation:
    return make_explanation(GRAPH, VOCABULARY, CASES[a], CASES[b], lang)


def told(left: list[Told], right: list[Told], lang: str = "en", *more: Case, **other: Any) -> str:
    """The paragraph about two made-up cases; `other` are fields of the second one."""
    cases = [make_case("X-1", *left), make_case("X-2", *right, **other), *more]
    graph = IncidentGraph(cases, VOCABULARY)
    return make_explanation(graph, VOCABULARY, cases[0], cases[1], lang).text


RACE: Told = ("cause", "cause:race")


@pytest.mark.parametrize(
    ("a", "b", "en", "ko"),
    [
        (
            "A-1",
            "A-2",
            "A-1 and A-2 have the same kind of root cause: mismatched collectives.",
            "A-1과 A-2는 근본 원인의 종류가 같습니다: 집합 통신 어긋남.",
        ),
        (
            "A-1",
            "A-3",
            "A-1 and A-3 name different confirmed causes. Cause of A-1: mismatched collectives; "
            "cause of A-3: ECC error.",
            "A-1과 A-3은 확정된 원인이 서로 다릅니다. A-1의 원인: 집합 통신 어긋남; "
            "A-3의 원인: ECC 오류.",
        ),
        (
            "A-1",
            "B-2",
            "It is not known whether A-1 and B-2 have the same cause. Cause of A-1: mismatched "
            "collectives; cause of B-2: none confirmed (suspected: link down).",
            "A-1과 B-2의 원인이 같은지는 알 수 없습니다. A-1의 원인: 집합 통신 어긋남; "
            "B-2의 원인: 확정된 것 없음(의심: 링크 다운).",
        ),
    ],
)
def test_the_paragraph_opens_with_the_verdict_in_both_languages(
    a: str, b: str, en: str, ko: str
) -> None:
    assert explain(a, b).text.startswith(en)
    assert explain(a, b, "ko").text.startswith(ko)
    assert str(explain(a, b)) == explain(a, b).text


def test_a_common_cause_is_told_in_the_words_of_both_records() -> None:
    text = explain("A-1", "A-2").text
    assert "A-1: “Fact 0 is cause:mismatch.” A-2: “Fact 0 is cause:mismatch.”" in text


def test_a_narrower_cause_of_one_side_is_named() -> None:
    text = told([("cause", "cause:ecc-error")], [("cause", "cause:gpu-fault")])
    assert "same kind of root cause: GPU fault. X-1 (ECC error): “Fact" in text
    assert "X-2: “Fact" in text


@pytest.mark.parametrize(
    ("role", "words"),
    [
        ("primary", "(a further cause of X-1, the root cause of X-2)"),
        ("secondary", "(a further cause of both)"),
    ],
)
def test_a_shared_secondary_cause_is_not_called_the_root_cause(role: str, words: str) -> None:
    left: list[Told] = [
        ("cause", "cause:mismatch", "confirmed", "primary"),
        ("cause", "cause:ecc-error", "confirmed", "secondary"),
    ]
    text = told(left, [("cause", "cause:ecc-error", "confirmed", role)])
    assert text.startswith(f"X-1 and X-2 share a kind of confirmed cause: ECC error {words}.")


def test_a_cause_that_is_only_a_class_leaves_the_question_open() -> None:
    text = told([("cause", "cause:ecc-error")], [("cause", "cause:hardware")])
    assert "X-2 leaves a cause at the general class hardware failure." in text
    both = told([("cause", "cause:hardware")], [("cause", "cause:hardware")])
    assert "both leave a cause at the general class hardware failure." in both
    korean = told([("cause", "cause:ecc-error")], [("cause", "cause:hardware")], "ko")
    assert "X-2는 원인 하나를 하드웨어 장애라는 넓은 분류로만 적었습니다." in korean


def test_a_suspected_common_cause_is_not_sold_as_shared() -> None:
    text = explain("B-2", "S-1").text
    assert "B-2 suspects what S-1 confirms: link down." in text
    assert "share" not in text
    korean = explain("B-2", "S-1", "ko").text
    assert "B-2는 S-1에서 확정된 링크 다운을 의심합니다." in korean


def test_a_common_suspicion_is_told_once() -> None:
    suspected: list[Told] = [("cause", "cause:race", "suspected")]
    text = told(suspected, suspected)
    assert "neither has a confirmed cause, both suspect race condition." in text
    assert text.count("race condition") == 1
    other: list[Told] = [*suspected, ("cause", "cause:mismatch", "suspected")]
    assert "Both suspect race condition." in told(suspected, other)


def test_causes_that_meet_further_up_are_told_as_kinds_of_it() -> None:
    text = explain("B-1", "S-1").text
    assert "GPU fault in B-1 and link down in S-1 are both kinds of hardware failure." in text
    korean = explain("B-1", "S-1", "ko").text
    assert "B-1의 GPU 결함과 S-1의 링크 다운은 모두 하드웨어 장애에 속합니다." in korean


@pytest.mark.parametrize(
    ("status", "says"), [("confirmed", "confirms"), ("suspected", "only suspects")]
)
def test_a_class_that_one_only_suspects_is_not_called_its_cause(status: str, says: str) -> None:
    left: list[Told] = [("cause", "cause:ecc-error", "suspected")]
    text = told(left, [("cause", "cause:hardware", status)])
    assert f"is a kind of hardware failure, which X-2 {says}." in text


def test_what_is_known_of_the_causes() -> None:
    nothing: list[Told] = [("symptom", "symptom:slow")]
    out: list[Told] = [("cause", "cause:race", "ruled_out")]
    assert "Cause of X-1: none stated; cause of X-2: race" in told(nothing, [RACE])
    assert "X-1의 원인: 적혀 있지 않음; X-2의 원인: 경쟁 상태." in told(nothing, [RACE], "ko")
    assert "neither states a cause." in told(nothing, nothing)
    assert "Cause of X-1: none confirmed; cause of X-2" in told(out, [RACE])


@pytest.mark.parametrize(
    ("kind", "en", "ko"),
    [
        ("study", "X-2 is a study of many jobs", "X-2는 한 건의 사고가 아니라 여러 작업이나"),
        ("series", "X-2 is a report on a series", "X-2는 한 건의 사고가 아니라 이어진"),
    ],
)
def test_what_is_no_single_incident_is_said(kind: str, en: str, ko: str) -> None:
    assert en in told([RACE], [RACE], kind=kind)
    assert ko in told([RACE], [RACE], "ko", kind=kind)
    assert en not in told([RACE], [RACE])


def test_a_cause_that_is_a_factor_of_the_other_is_told() -> None:
    factor: list[Told] = [("factor", "factor:race", "suspected")]
    assert (
        "Race condition, a cause of X-1, has a counterpart in X-2, where it is a contributing "
        "factor: racing (suspected)." in told([RACE], factor)
    )
    assert "X-1의 원인인 경쟁 상태는 X-2에서 기여 요인으로 적힌 경합(의심)에 해당합니다." in told(
        [RACE], factor, "ko"
    )


SHARED: list[Told] = [
    ("trigger", "trigger:upgrade"), ("factor", "factor:no-alert"), ("factor", "factor:no-test"),
    ("symptom", "symptom:dns"), ("component", "component:docker"),
    ("mitigation", "mitigation:restart"), ("detection", "tool:flight-recorder"),
]  # fmt: skip


@pytest.mark.parametrize("kind", ["trigger", "factor", "symptom", "component", "mitigation"])
def test_what_is_shared_is_told_in_a_sentence_of_its_kind(kind: str) -> None:
    en, ko = {
        "trigger": (
            "Trigger of both: version upgrade.", "두 사례 모두 버전 올림으로 시작됐습니다.",
        ),
        "factor": (
            "Contributing factors of both: missing alert and missing test.",
            "두 사례 모두 알림 없음과 시험 없음을 기여 요인으로 듭니다.",
        ),
        "symptom": (
            "Symptom of both: “names do not resolve”.",
            "두 사례 모두에서 이름 해석 실패가 나타났습니다.",
        ),
        "component": ("Involved in both: Docker.", "두 사례 모두 Docker와 관련이 있습니다."),
        "mitigation": ("Done in both: restart.", "두 사례 모두에서 쓴 조치: 재시작."),
    }[kind]  # fmt: skip
    part = [t for t in SHARED if t[0] == kind]
    assert en in told(part, part)
    assert ko in told(part, part, "ko")


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        ("detected", "detected", "Detection in both: flight recorder."),
        ("detected", "diagnosed", "Detection or diagnosis in both: flight recorder."),
        ("missed", "missed", "Flight recorder missed both."),
        ("detected", "missed", "Flight recorder caught X-1 but missed X-2."),
        ("check_item", "detected", ""),
    ],
)
def test_a_tool_is_told_by_its_part(left: str, right: str, said: str) -> None:
    sides = [[("detection", "tool:flight-recorder", "confirmed", role)] for role in (left, right)]
    text = told(*sides)
    assert text.endswith(said) if said else "flight" not in text.lower()


def test_a_follow_up_is_not_called_what_was_done_then() -> None:
    later: list[Told] = [("follow_up", "mitigation:restart")]
    assert "restart" not in told(later, [("mitigation", "mitigation:restart")])


def test_at_most_four_sentences_say_what_is_shared_and_none_lists_much() -> None:
    symptoms: list[Told] = [
        ("symptom", s) for s in ("symptom:slow", "symptom:nccl-timeout", "symptom:dns")
    ]
    text = told([*SHARED, *symptoms], [*SHARED, *symptoms])
    assert len(re.findall(r"(?:of|in) both:", text)) == 4
    more: list[Told] = [*symptoms, ("symptom", "symptom:failure"), ("symptom", "symptom:odd")]
    assert "and 2 more" in told(more, more)


def test_a_suspected_part_and_one_that_was_only_watched_are_marked() -> None:
    text = told([("symptom", "symptom:slow")], [("symptom", "symptom:slow", "suspected")])
    assert "Symptom of both: slow training (suspected in X-2)." in text
    part: list[Told] = [("component", "component:nccl", "confirmed", "affected")]
    watched: list[Told] = [("component", "component:nccl", "confirmed", "watched")]
    assert "Involved in both: NCCL (only watched in X-2)." in told(part, watched)


def test_different_terms_that_meet_further_up_are_named() -> None:
    left, right = [("component", "component:a100")], [("component", "component:h100")]
    assert "Involved in both: GPU (X-1: A100; X-2: H100)." in told(left, right)
    assert "두 사례 모두 그래픽 장치(X-1: A100; X-2: H100)와 관련이 있습니다." in told(
        left, right, "ko"
    )


def test_what_many_cases_have_is_told_last_with_their_number() -> None:
    hub: Told = ("symptom", "symptom:slow")
    cases = [make_case(f"Y-{i}", hub) for i in range(8)]
    rare: Told = ("component", "component:nccl")
    text = told([hub, rare], [hub, rare], "en", *cases)
    assert "of both: slow" not in text
    assert "Less telling, as many cases have it: slow training (10 of 10 cases)." in text
    assert text.index("Involved in both: NCCL") < text.index("Less telling")
    assert "흔해서 덜 결정적인 공통점: 느린 학습(10건 중 10건)." in told(
        [hub, rare], [hub, rare], "ko", *cases
    )


@pytest.mark.parametrize(
    ("kind", "term_id", "status", "en", "ko"),
    [
        ("cause", "cause:race", "confirmed", "X-1 rules out race condition as a cause, which X-2 "
         "confirms.", "X-1은 경쟁 상태를 원인에서 배제했지만 X-2는 확정했습니다."),
        ("cause", "cause:race", "suspected", "which X-2 suspects.", "X-2는 의심합니다."),
        ("symptom", "symptom:slow", "confirmed", "X-1 rules out slow training, which X-2 reports.",
         "X-1은 느린 학습을 배제했지만 X-2는 적었습니다."),
        ("component", "component:nccl", "confirmed", "X-1 rules out that NCCL was involved; in X-2 "
         "it was.", "X-1은 니클이 관련됐을 가능성을 배제했지만, X-2에서는 관련됐습니다."),
        ("component", "component:nccl", "suspected", "in X-2 it may have been.",
         "X-2에서는 관련됐을 수 있습니다."),
    ],
)  # fmt: skip
def test_what_one_rules_out_is_said(kind: str, term_id: str, status: str, en: str, ko: str) -> None:
    left, right = [(kind, term_id, "ruled_out")], [(kind, term_id, status)]
    assert en in told(left, right)
    assert ko in told(left, right, "ko")


def test_ruling_out_a_class_is_said_with_what_lies_in_it() -> None:
    text = told([("cause", "cause:hardware", "ruled_out")], [("cause", "cause:ecc-error")])
    assert "X-1 rules out hardware failure as a cause, while X-2 confirms ECC error, a kind" in text


def with_result(case_id: str, result: str) -> Case:
    data = case_data(case_id, ("mitigation", "mitigation:restart"))
    data["claims"][0]["result"] = result
    return Case.model_validate(data)


@pytest.mark.parametrize(
    ("left", "right", "en", "ko"),
    [
        ("worked", "worked", "Done in both: restart (recorded as worked in both).",
         "두 사례 모두 효과가 있었다고 기록됨"),
        ("failed", "failed", "Done in both: restart (recorded as failed in both).",
         "두 사례 모두 효과가 없었다고 기록됨"),
        ("worked", "failed", "“Restart” worked in X-1 but failed in X-2.",
         "기록에 따르면 ‘재시작’ 조치는 X-1에서는 효과가 있었지만 X-2에서는 효과가 없었습니다."),
        ("partly", "worked", "“Restart” worked only partly in X-1 but worked in X-2.",
         "일부만 효과가 있었지만"),
        ("unknown", "failed", "Done in both: restart.", "두 사례 모두에서 쓴 조치: 재시작."),
    ],
)  # fmt: skip
def test_what_a_mitigation_came_to_is_said(left: str, right: str, en: str, ko: str) -> None:
    cases = [with_result("X-1", left), with_result("X-2", right)]
    graph = IncidentGraph(cases, VOCABULARY)
    assert en in make_explanation(graph, VOCABULARY, *cases, "en").text
    assert ko in make_explanation(graph, VOCABULARY, *cases, "ko").text


def test_times_of_both_are_said() -> None:
    text = explain("A-1", "A-3").text
    assert "It took 10 minutes to notice A-1 and 30 seconds to notice A-3." in text
    assert "A-1 took 2 hours to recover and A-3 1 minute." in text
    korean = explain("A-1", "A-3", "ko").text
    assert "알아채기까지 A-1은 10분, A-3은 30초 걸렸습니다." in korean


def test_symptoms_of_one_case_only_are_told_and_doubt_is_kept() -> None:
    text = difference(GRAPH, VOCABULARY, CASES["A-3"], CASES["B-1"], SameCause.YES, "en")
    assert (
        text == "Listed as a symptom only of A-3: training job failure; only of B-1: slow training."
    )
    assert difference(GRAPH, VOCABULARY, CASES["A-1"], CASES["A-2"], SameCause.YES, "ko") == ""
    unsure = told([("symptom", "symptom:slow", "suspected")], [])
    assert "Listed as a symptom only of X-1: slow training (suspected)." in unsure
    assert "한쪽에만 증상으로 적힌 것: X-1 – 느린 학습(의심)." in told(
        [("symptom", "symptom:slow", "suspected")], [], "ko"
    )


def test_a_link_and_a_common_source_are_told() -> None:
    assert "The record of X-2 names X-1 as related." in told([RACE], [RACE], related=["X-1"])
    source = {"kind": "blog", "title": "A report", "locator": "place"}
    cases = [make_case(f"X-{i}", RACE, sources=[source]) for i in (1, 2)]
    graph = IncidentGraph(cases, VOCABULARY)
    text = make_explanation(graph, VOCABULARY, *cases, "en").text
    assert "Both cite the same source, “A report”." in text
    other = make_case("X-2", RACE, sources=[{**source, "title": "Another name"}])
    graph = IncidentGraph([cases[0], other], VOCABULARY)
    text = make_explanation(graph, VOCABULARY, cases[0], other, "en").text
    assert "Both cite the same source, “place”." in text


def test_the_difference_of_a_hit_names_both_causes() -> None:
    text = difference(GRAPH, VOCABULARY, CASES["A-1"], CASES["A-3"], SameCause.NO, "en")
    assert text.startswith("What differs: cause of A-1: mismatched collectives; cause of A-3: ECC")
    assert difference(GRAPH, VOCABULARY, CASES["A-1"], CASES["A-3"], SameCause.NO, "ko").startswith(
        "다른 점: "
    )


def test_a_long_list_is_cut_with_a_count() -> None:
    slugs = ["ecc-error", "gpu-fault", "link-down", "race", "mismatch"]
    causes: list[Told] = [("cause", f"cause:{s}", "confirmed", "secondary") for s in slugs]
    assert "and 2 more" in told(causes, [])
    assert "그 밖에 2가지" in told(causes, [], "ko")


@WORLDS
@given(worlds(least=2), st.sampled_from(["en", "ko"]))
def test_any_two_cases_can_be_explained(world: tuple[Vocabulary, list[Case]], lang: str) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    found = make_explanation(graph, vocabulary, cases[0], cases[1], lang)
    assert found.text
    assert "None" not in found.text
    assert found.lang == lang
    confirmed = [s for s in found.shared if s.kind == "cause" and s.status is Status.CONFIRMED]
    if found.same_cause is SameCause.YES:
        assert confirmed
        assert any(found.labels[s.term] in found.text for s in confirmed)
    assert json.loads(json.dumps(plain(found))) == plain(found)
    swapped = make_explanation(graph, vocabulary, cases[1], cases[0], lang)
    assert swapped.same_cause is found.same_cause


def test_paragraphs_of_shipped_cases_are_short_and_whole(whole: Library) -> None:
    ids = sorted(whole.cases)
    for number, (a, b) in enumerate(zip(ids, ids[7:], strict=False)):
        text = whole.explain(a, b, "ko" if number % 2 else "en").text
        assert len(text) < 1600, (a, b)
        assert text.endswith((".", "”"))
        assert not re.search(r"  |\(\)|\.\.|,\.| ,|None|\[\]|: \.|;\s*\.", text), text


def test_everything_mentioned_has_a_name() -> None:
    found = explain("A-3", "S-1")
    nodes = {n for p in found.paths for n in p.nodes} | {s.term for s in found.shared}
    assert nodes <= set(found.labels)
    assert found.labels["case:A-3"] == "A-3"
    assert found.labels["cause:hardware"] == "hardware failure"
    assert explain("A-3", "S-1", "ko").labels["cause:hardware"] == "하드웨어 장애"
    assert found.titles == {"A-3": "Title of A-3", "S-1": "Title of S-1"}
    assert found.kinds == {"A-3": "incident", "S-1": "study"}
