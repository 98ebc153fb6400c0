"""A text beside a case: its own words are the evidence, and it confirms no cause."""

from __future__ import annotations

import json

import pytest

from kg.graph import IncidentGraph, Relation
from kg.model import Status
from kg.queries import Explanation, SameCause, explain_text, plain
from kg.queries.paths import Basis, PathKind
from kg.queries.sides import TEXT, TextSaying, case_side, standing, strength, text_side, weaker
from kg.vocab import Tag, Tagger
from tests.helpers.tiny import Told, make_case, term, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary(term("cause:ddos", "DDoS", "디도스"))
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)
TAGGER = Tagger(VOCABULARY)


def explain(text: str, case: str = "A-1", lang: str = "en", *, first: bool = True) -> Explanation:
    return explain_text(GRAPH, VOCABULARY, text, TAGGER.tag(text), CASES[case], lang, first)


def beside(text: str, *told: Told, tags: list[Tag] | None = None) -> Explanation:
    """A text beside a made-up case."""
    case = make_case("X-1", *told)
    graph = IncidentGraph([case], VOCABULARY)
    found = TAGGER.tag(text) if tags is None else tags
    return explain_text(graph, VOCABULARY, text, found, case, "en")


def tag(text: str, words: str, term_id: str, **more: object) -> Tag:
    start = text.index(words)
    return Tag(start, start + len(words), term_id, words, **more)  # type: ignore[arg-type]


def test_a_text_is_read_as_what_its_terms_say() -> None:
    text = "NCCL timeout after a version upgrade, maybe a race condition, no link down"
    side = text_side(text, TAGGER.tag(text))
    assert (side.name, side.case) == (TEXT, None)
    told = {s.target: (s.relation, s.status) for s in side.sayings}
    assert told["symptom:nccl-timeout"] == (Relation.EXHIBITS, Status.CONFIRMED)
    assert told["component:nccl"] == (Relation.AFFECTS, Status.CONFIRMED)
    assert told["cause:race"] == (Relation.CAUSED_BY, Status.SUSPECTED)
    assert told["trigger:upgrade"] == (Relation.TRIGGERED_BY, Status.SUSPECTED)
    assert told["cause:link-down"] == (Relation.CAUSED_BY, Status.RULED_OUT)
    assert not {"cause:link-down"} & standing(side.sayings).keys()


def test_the_evidence_of_a_text_is_its_own_span() -> None:
    text = "학습이 NCCL 타임아웃으로 죽었다"
    for saying in text_side(text, TAGGER.tag(text)).sayings:
        (span,) = saying.evidence
        assert (span.field, span.lang) == ("text", "ko")
        assert text[span.start : span.end] == span.quote
        assert saying.case_id == TEXT
        assert saying.statement == ()


def test_what_is_told_in_other_words_is_suspected_and_weighs_its_confidence() -> None:
    text = "each step takes twice as long"
    tags = [tag(text, "takes twice as long", "symptom:slow", confidence=0.6, how="meaning")]
    (saying,) = text_side(text, tags).sayings
    assert isinstance(saying, TextSaying)
    assert (saying.status, saying.how, saying.confidence) == (Status.SUSPECTED, "meaning", 0.6)
    assert strength(saying) == pytest.approx(0.3)
    found = beside(text, ("symptom", "symptom:slow"), tags=tags)
    assert found.shared[0].status is Status.SUSPECTED
    said = "Perhaps also, as its wording is read: slow training (“each step takes twice as long”)."
    assert said in found.text


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("label", "The text itself speaks of race condition, which X-1 confirms."),
        (
            "meaning",
            "The text may speak of race condition (“events came in the wrong order”), which X-1",
        ),
    ],
)
def test_a_cause_that_is_only_read_from_the_wording_is_said_with_doubt(how: str, said: str) -> None:
    text = "events came in the wrong order"
    tags = [tag(text, "in the wrong order", "cause:race", confidence=0.6, how=how)]
    assert said in beside(text, ("cause", "cause:race"), tags=tags).text


def test_the_weakest_status_counts() -> None:
    assert weaker([Status.CONFIRMED, Status.RULED_OUT, Status.SUSPECTED]) is Status.RULED_OUT
    assert weaker([Status.CONFIRMED]) is Status.CONFIRMED


def test_a_case_as_a_side_says_what_its_edges_say() -> None:
    side = case_side(GRAPH, CASES["A-1"])
    assert (side.name, side.node, side.case) == ("A-1", "case:A-1", CASES["A-1"])
    assert list(side.sayings) == GRAPH.edges_of("A-1")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("NCCL timeout", SameCause.UNKNOWN),
        ("NCCL timeout caused by mismatched collectives", SameCause.UNKNOWN),
        ("it was mismatched collectives, confirmed", SameCause.UNKNOWN),
        ("it was not mismatched collectives", SameCause.NO),
        ("mismatched collectives were ruled out", SameCause.NO),
        ("no software defect", SameCause.NO),  # what is above the cause
        ("no race condition", SameCause.UNKNOWN),  # another cause
        ("no mismatched collectives, then mismatched collectives again", SameCause.UNKNOWN),
    ],
)
def test_a_text_never_has_the_same_cause(text: str, verdict: SameCause) -> None:
    assert explain(text).same_cause is verdict


def test_every_confirmed_cause_must_be_ruled_out() -> None:
    two: tuple[Told, ...] = (("cause", "cause:race"), ("cause", "cause:link-down"))
    assert beside("no race condition", *two).same_cause is SameCause.UNKNOWN
    assert beside("no race condition and no link down", *two).same_cause is SameCause.NO
    assert beside("no race condition").same_cause is SameCause.UNKNOWN


def test_a_denial_in_other_words_does_not_decide() -> None:
    text = "the order of events was checked and is fine"
    tags = [tag(text, "order of events", "cause:race", negated=True, confidence=0.9, how="meaning")]
    found = beside(text, ("cause", "cause:race"), tags=tags)
    assert found.same_cause is SameCause.UNKNOWN
    assert found.contrasts


def test_denied_terms_share_nothing_and_are_a_contrast() -> None:
    found = explain("no NCCL timeout, slow training")
    assert not [s for s in found.shared if s.term == "symptom:nccl-timeout"]
    assert not [p for p in found.paths if "symptom:nccl-timeout" in p.nodes]
    (contrast,) = found.contrasts
    assert contrast.words == ("ruled_out", "confirmed")
    assert contrast.left.evidence[0].quote == "NCCL timeout"
    assert "The text denies NCCL timeout; A-1 confirms it." in found.text


def test_what_the_case_rules_out_and_the_text_tells_is_a_contrast() -> None:
    found = explain("maybe mismatched collectives", "B-2")
    assert [c.words for c in found.contrasts] == [("suspected", "ruled_out")]
    assert "The text speaks of mismatched collectives; B-2 rules it out." in found.text


def test_what_both_rule_out_is_said() -> None:
    found = explain("NCCL timeout, no mismatched collectives", "B-2")
    assert [x.term for x in found.excluded] == ["cause:mismatch"]
    assert "Text and case both rule out mismatched collectives." in found.text
    korean = explain("NCCL timeout, no mismatched collectives", "B-2", "ko").text
    assert "글과 사례 모두 집합 통신 어긋남을 배제합니다." in korean


@pytest.mark.parametrize("first", [True, False])
def test_the_text_may_be_either_side(first: bool) -> None:
    text = "NCCL timeout on H100, no race condition"
    found = explain(text, first=first)
    assert (found.a, found.b) == ((TEXT, "A-1") if first else ("A-1", TEXT))
    assert found.text == explain(text).text
    assert found.query == text
    assert {t.term for t in found.understood} >= {"symptom:nccl-timeout", "cause:race"}
    for s in found.shared:
        ours = s.left if first else s.right
        assert {x.case_id for x in ours} == {TEXT}


def test_paths_from_a_text_run_through_the_chains_of_the_case() -> None:
    found = explain("NCCL timeout")
    ways = {p.kind: str(p) for p in found.paths}
    assert ways[PathKind.CHAIN] == (
        "text:query -EXHIBITS-> symptom:nccl-timeout <-LEADS_TO[derived]- cause:mismatch "
        "<-CAUSED_BY- case:A-1"
    )
    (leads,) = (s for p in found.paths for s in p.steps if s.basis is Basis.DERIVED)
    assert {s.case_id for s in leads.sayings} == {"A-1"}
    assert found.labels["text:query"] == TEXT


def test_a_text_that_names_cause_and_symptom_makes_no_chain_of_its_own() -> None:
    found = explain("race condition, NCCL timeout")
    chains = [p for p in found.paths if p.kind is PathKind.CHAIN]
    assert all("cause:race" not in p.nodes for p in chains)


@pytest.mark.parametrize(
    ("text", "case", "en", "ko"),
    [
        (
            "NCCL timeout", "A-1",
            "Cause of A-1: mismatched collectives. A text confirms no cause, so it is not known "
            "whether this is the same. Text and case have in common: NCCL timeout and NCCL.",
            "A-1의 원인: 집합 통신 어긋남. 글만으로는 원인을 확정할 수 없으므로, 원인이 "
            "같은지는 알 수 없습니다. 글과 사례의 공통점: NCCL 타임아웃과 니클.",
        ),
        (
            "NCCL timeout", "B-2", "B-2 has no confirmed cause, and a text confirms none, so it "
            "stays open whether the cause is the same.",
            "B-2는 확정된 원인이 없고 글만으로는 원인을 확정할 수 없으므로,",
        ),
        (
            "no mismatched collectives", "A-1",
            "The text rules out every confirmed cause of A-1: mismatched collectives. If that "
            "holds, the causes differ.",
            "이 글은 A-1에서 확정된 원인을 모두 배제합니다: 집합 통신 어긋남. 그 말이 맞다면 "
            "원인은 다릅니다.",
        ),
        (
            "mismatched collectives", "A-1",
            "The text itself speaks of mismatched collectives, which A-1 confirms.",
            "이 글도 집합 통신 어긋남을 말하는데, 이는 A-1에서 확정된 원인입니다.",
        ),
        (
            "GPU fault", "A-3",
            "The text speaks of GPU fault, of which ECC error in A-3 is a kind.",
            "A-3의 ECC 오류는 이 글이 말하는 GPU 결함에 속합니다.",
        ),
        (
            "ECC error", "B-1", "The text speaks of ECC error, a kind of GPU fault, which B-1 "
            "confirms.", "이 글이 말하는 ECC 오류는 B-1의 GPU 결함에 속합니다.",
        ),
        (
            "link down", "B-1",
            "The text speaks of link down, and B-1 of GPU fault: both fall under hardware failure.",
            "이 글이 말하는 링크 다운과 B-1의 GPU 결함은 모두 하드웨어 장애에 속합니다.",
        ),
        (
            "A100 and H100", "S-1", "GPU (text: A100)", "그래픽 장치(글: A100)",
        ),
        (
            "the invoice export is broken", "A-1",
            "No term of this library was found in the text. Also listed as a symptom of A-1, and "
            "not recognised in the text, which may tell it in other words: NCCL timeout.",
            "글에서 이 라이브러리의 분류 값을 찾지 못했습니다.",
        ),
        (
            "PyTorch, slow training", "A-1",
            "Nothing that the text affirms stands in A-1. Named in the text, but not in the record "
            "of A-1: slow training and PyTorch. Also listed as a symptom of A-1, and not "
            "recognised in the text, which may tell it in other words: NCCL timeout.",
            "글에 있다고 적힌 것 가운데 A-1에 있는 것은 없습니다. 글에서 이름을 찾았지만 A-1의 "
            "기록에는 나오지 않는 것: 느린 학습과 파이토치. A-1에 증상으로 더 적혀 있고 글에서는 "
            "알아보지 못한 것(글이 다른 말로 적었을 수 있음): NCCL 타임아웃.",
        ),
    ],
)  # fmt: skip
def test_the_paragraph_in_both_languages(text: str, case: str, en: str, ko: str) -> None:
    assert en in explain(text, case).text
    assert ko in explain(text, case, "ko").text


def test_what_a_text_tells_in_other_words_is_not_said_to_be_named() -> None:
    text = "each step takes twice as long"
    tags = [tag(text, "takes twice as long", "symptom:slow", confidence=0.6, how="meaning")]
    assert "Named in the text" not in beside(text, ("cause", "cause:race"), tags=tags).text


def test_a_part_that_was_only_watched_is_marked() -> None:
    found = beside("NCCL", ("component", "component:nccl", "confirmed", "watched"))
    assert "NCCL (only watched in X-1)" in found.text
    missed = beside("flight recorder", ("detection", "tool:flight-recorder", "confirmed", "missed"))
    assert "flight recorder (it missed X-1)" in missed.text


def test_the_answer_becomes_plain_json_values() -> None:
    found = plain(explain("NCCL timeout, no race condition"))
    assert json.loads(json.dumps(found)) == found
    assert found["a"] == TEXT
    assert found["understood"][0]["term"]
    assert found["shared"][0]["left"][0]["evidence"][0]["field"] == "text"
