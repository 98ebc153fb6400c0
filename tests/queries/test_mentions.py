"""Before a record is said to have nothing of a term, its words are looked through."""

from __future__ import annotations

import pytest

from kg.graph import IncidentGraph
from kg.model import Case
from kg.queries import explain_text, make_explanation
from kg.queries.mentions import Mentions, stems, telling_words
from kg.queries.sides import clause
from kg.vocab import Tagger
from tests.helpers.tiny import case_data, make_case, term, tiny_vocabulary

LATENCY = term("symptom:latency", "elevated latency", "지연 시간 증가")
VOCABULARY = tiny_vocabulary(LATENCY)
MENTIONS = Mentions(VOCABULARY)


def telling(case_id: str, summary: str, *claims: tuple[str, ...], ko: str = "") -> Case:
    """A case whose summary says something that no claim lists."""
    data = case_data(case_id, *claims)  # type: ignore[arg-type]
    data["summary"]["en"].append(summary)
    data["summary"]["ko"].append(ko or "그 밖에는 조용했다.")
    return Case.model_validate(data)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Packets were lost and latency rose.", True),
        ("Latencies rose.", True),
        ("Everything was slow.", False),
        ("The error rate was elevated.", False),
    ],
)
def test_a_name_is_found_by_its_telling_words(said: str, found: bool) -> None:
    assert Mentions(VOCABULARY).speaks(telling("X-1", said), LATENCY.id) is found
    assert MENTIONS.within(said, LATENCY.id) is found


def test_words_that_many_names_have_do_not_tell() -> None:
    assert telling_words("elevated latency") == stems("latency")
    assert telling_words("connection failure") == stems("connections")
    assert telling_words("high error") == stems("high error")
    assert telling_words("지연 시간 증가") == stems("지연이 시간은")


def test_a_quotation_holds_the_whole_name() -> None:
    case = telling("X-1", "There was no NCCL timeout. NCCL was fine.", ko="NCCL 타임아웃은 없었다.")
    mentions = Mentions(VOCABULARY)
    quoted = mentions.sentence(case, "symptom:nccl-timeout")
    assert quoted == "There was no NCCL timeout."
    assert mentions.sentence(case, "symptom:nccl-timeout", "ko") == "NCCL 타임아웃은 없었다."
    assert mentions.sentence(telling("X-2", "NCCL was fine."), "symptom:nccl-timeout") == ""
    assert mentions.speaks(telling("X-3", "NCCL was fine."), "symptom:nccl-timeout")


def test_a_symptom_that_the_other_tells_of_in_words_is_not_listed_as_its_own() -> None:
    slow = make_case("X-1", ("symptom", LATENCY.id))
    for said, listed in (("Latency rose.", False), ("Nothing was odd.", True)):
        other = telling("X-2", said)
        other = other.model_copy(update={"symptom": other.summary})
        graph = IncidentGraph([slow, other], VOCABULARY)
        text = make_explanation(graph, VOCABULARY, slow, other, "en").text
        assert ("Listed as a symptom only of X-1: elevated latency." in text) is listed


@pytest.mark.parametrize(
    ("said", "en", "ko"),
    [
        (
            "NCCL timeout never came.",
            "; X-1 has no claim of that, but its record has the words “NCCL timeout never came.”.",
            "기록에 “NCCL timeout never came.” 같은 말이 있습니다.",
        ),
        ("NCCL was old.", "; X-1 has no claim of that.", "X-1에는 그에 대한 주장이 없습니다."),
        ("All is well.", "; the record of X-1 does not name it.", "그 이름이 나오지 않습니다."),
    ],
)
def test_a_denial_is_told_by_how_far_the_other_speaks_of_it(said: str, en: str, ko: str) -> None:
    case = telling("X-1", said, ("symptom", "symptom:slow"))
    graph = IncidentGraph([case], VOCABULARY)
    text = "slow training, no NCCL timeout"
    tags = [t for t in Tagger(VOCABULARY).tag(text) if t.term != "component:nccl"]
    for lang, expected in (("en", en), ("ko", ko)):
        told = explain_text(graph, VOCABULARY, text, tags, case, lang).text
        assert expected in told


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("All GPUs at 100% but power draw is down.", "power", "power draw is down"),
        ("First this; then the power fell, they say", "power", "then the power fell"),
        ("사용률은 100%인데 전력이 떨어졌고 로그는 비었다.", "전력", "전력이 떨어졌고"),
        ("power", "power", "power"),
    ],
)
def test_a_clause_is_what_stands_between_its_ends(text: str, word: str, expected: str) -> None:
    at = text.index(word)
    start, end = clause(text, at, at + len(word))
    assert text[start:end] == expected
