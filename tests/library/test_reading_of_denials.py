"""Denials and opposites in a user's own words, read with the shipped vocabulary and encoder."""

from __future__ import annotations

import pytest

from kg.library import Library


def told(real: Library, text: str) -> dict[str, bool]:
    return {t.term: t.negated for t in real.tag(text)}


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("디스크는 가득 차지 않았다.", "cause:disk-full"),
        ("DNS 레코드는 바꾸지 않았다.", "trigger:dns-change"),
        ("페일오버는 하지 않았다.", "trigger:failover-event"),
        ("We did not change any DNS record.", "trigger:dns-change"),
        ("인증서는 만료되지 않았다.", "cause:certificate-expiry"),
        ("The disk did not fill up", "cause:disk-full"),
    ],
)
def test_what_a_clause_denies_is_denied(real: Library, text: str, term: str) -> None:
    assert told(real, text)[term]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("디스크가 가득 찼다.", "cause:disk-full"),
        ("노드가 준비되지 않았다.", "symptom:node-not-ready"),
        ("The node never became Ready.", "symptom:node-not-ready"),
        ("GPU가 응답하지 않았다.", "symptom:unresponsive-gpu"),
        (
            "RAID 컨트롤러 배터리가 죽어 DB가 내려갔다. 디스크 고장은 없다.",
            "cause:raid-controller-failure",
        ),
        (
            "The RAID controller battery died. There is no disk failure.",
            "cause:raid-controller-failure",
        ),
    ],
)
def test_what_is_told_stays_told(real: Library, text: str, term: str) -> None:
    assert told(real, text)[term] is False


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("All nodes are Ready.", "symptom:node-not-ready"),
        ("Addresses failed to be assigned, nodes look Ready.", "symptom:node-not-ready"),
        ("S3-like object storage is slow", "component:amazon-s3"),
        ("체크포인트 손상은 아니었다.", "component:checkpoint"),
        ("DNS 레코드는 바꾸지 않았다.", "cause:dns-misconfiguration"),
        ("We did not change any DNS record.", "cause:dns-misconfiguration"),
        ("페일오버는 하지 않았다.", "cause:failed-failover"),
        ("인증서는 만료되지 않았다.", "symptom:tls-errors"),
        ("We have not deployed anything today.", "symptom:deployment-blocked"),
        ("체크포인트는 정상으로 보인다.", "trigger:restart-from-checkpoint"),
    ],
)
def test_opposites_likenesses_and_what_a_denial_only_brings_to_mind_are_no_tags(
    real: Library, text: str, term: str
) -> None:
    assert term not in told(real, text)


def test_words_that_only_hint_at_a_term_are_quoted_with_their_clause(real: Library) -> None:
    text = "Training stopped; power dropped to 190 W on every node."
    for tag in real.tag(text):
        assert text[tag.start : tag.end] == tag.text
        if tag.term == "cause:power-failure":
            assert "190 W" in tag.text
