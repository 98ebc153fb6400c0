"""What was not done and trouble that did not come are denied; what fails to work is not."""

from __future__ import annotations

import pytest

from kg.vocab import Tagger
from kg.vocab.denial import excludes, lacks
from kg.vocab.pieces import clause_of, pieces_of
from tests.helpers.tiny import term, tiny_vocabulary

TAGGER = Tagger(
    tiny_vocabulary(
        term("trigger:failover", "failover", "페일오버"),
        term("trigger:deployment", "deployment", "배포"),
        term("symptom:surge", "traffic surge", "트래픽"),
        term("symptom:link", "link", "링크"),
        term("component:storage", "object storage"),
        term("component:s3", "S3"),
        term("tool:alerting", "alert", "알림"),
    )
)


def marks(text: str) -> dict[str, bool]:
    return {t.term.partition(":")[2]: t.negated for t in TAGGER.tag(text)}


@pytest.mark.parametrize(
    "text",
    [
        "DNS 레코드는 바꾸지 않았다",
        "디스크는 가득 차지 않았습니다",
        "페일오버는 하지 않았고",
        "배포하지 않았음",
        "할당량을 넘지 않았다",
        "설정을 건드리지는 않았다",
        "링크는 끊기지 않았다",
        "We did not change any DNS record",
        "nobody touched the router",
        "no one had deployed anything",
        "The disk didn't fill up",
        "memory has not leaked",
        "체크포인트 손상은 아니었다",
        "네트워크가 아니라 ",
    ],
)
def test_a_clause_of_what_was_not_done_is_excluded(text: str) -> None:
    assert excludes(text)


@pytest.mark.parametrize(
    "text",
    [
        "GPU가 응답하지 않았다",
        "연결되지 않는다",
        "체크포인트가 저장되지 않았다",
        "노드가 준비되지 않았다",
        "파드가 죽지 않고 매달려 있다",
        "서비스가 재시작되지 않았다",
        "The job did not restart",
        "The node did not answer",
        "the alert did not fire",
        "We could not rule out that we did not change the record",
        "디스크가 가득 찼다",
        "페일오버를 했다",
    ],
)
def test_what_does_not_work_is_no_denial(text: str) -> None:
    assert not excludes(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("페일오버는 하지 않았다", {"failover": True}),
        ("페일오버를 했다", {"failover": False}),
        ("재시작은 하지 않았다. 배포는 없었다.", {"restart": True, "deployment": True}),
        ("트래픽이 급증하지 않았고 링크가 끊겼다", {"surge": True, "link": False}),
        ("no alert came", {"alerting": True}),
        ("알림은 없었다", {"alerting": True}),
        ("알림이 왔다", {"alerting": False}),
    ],
)
def test_terms_named_there_are_denied(text: str, wanted: dict[str, bool]) -> None:
    found = marks(text)
    assert {name: found.get(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("S3-like object storage is slow", {"storage"}),
        ("an S3-compatible store", set()),
        ("S3 호환 저장소", set()),
        ("S3와 비슷한 것", set()),
        ("S3 object storage", {"s3", "storage"}),
    ],
)
def test_what_is_only_like_a_thing_is_not_the_thing(text: str, wanted: set[str]) -> None:
    assert set(marks(text)) == wanted


@pytest.mark.parametrize("text", ["it never came", "파드가 뜨지 못했다", "link lost", "NotReady"])
def test_words_of_lack(text: str) -> None:
    assert lacks(text)


@pytest.mark.parametrize("text", ["all nodes are Ready", "노드는 준비되었다", "traffic rose"])
def test_words_without_lack(text: str) -> None:
    assert not lacks(text)


def test_a_clause_is_found_within_its_sentence() -> None:
    text = "It began at noon. Pods failed to start, nodes look Ready. Then it ended."
    start = text.index("look")
    assert text[slice(*clause_of(text, start, start + 4, pieces_of(text)))] == "nodes look Ready."


def test_a_place_outside_of_all_pieces_is_its_own_clause() -> None:
    assert clause_of("a b c", 2, 3, ()) == (2, 3)


@pytest.mark.parametrize(
    "text",
    [
        "traffic surge was zero",
        "the traffic surge rate stayed at 0 %",
        "a traffic surge could be ruled out",
        "트래픽을 의심했지만 아니었다",
        "처음에는 트래픽으로 생각했으나 원인이 아니었다.",
    ],
)
def test_what_came_to_nothing_is_denied(text: str) -> None:
    assert marks(text)["surge"]


@pytest.mark.parametrize(
    "text",
    [
        "the traffic surge was 0.4 of the capacity",
        "a traffic surge was at 09:30",
        "traffic surge is zero-day related",
        "트래픽을 의심했지만 알 수 없었다",
        "트래픽을 의심했고 맞았다",
    ],
)
def test_what_did_not_come_to_nothing_is_not(text: str) -> None:
    assert not marks(text)["surge"]
