"""What the shipped tagger hears in sentences nobody wrote for it, with the default encoder."""

from __future__ import annotations

import pytest

from kg.library import Library
from kg.library.tagging import make_tagger
from kg.vocab import MeaningTagger, Tag


@pytest.fixture(scope="module")
def tagger(lib: Library) -> MeaningTagger:
    return make_tagger(lib._snapshot, lib.encoder)


def tags(tagger: MeaningTagger, text: str) -> dict[str, Tag]:
    return {t.term: t for t in tagger.tag(text)}


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("An expired TLS certificate stopped the logins", "cause:certificate-expiry"),
        ("expired TLS certificate", "cause:certificate-expiry"),
        ("the cert of the proxy had expired", "cause:certificate-expiry"),
        ("the disk had no space left", "cause:disk-full"),
        ("학습 손실이 갑자기 튀었다", "symptom:loss-spike"),
        ("네임서버 레코드를 잘못 고쳤다", "cause:dns-misconfiguration"),
        ("The DNS record was wrong", "cause:dns-misconfiguration"),
        ("사용자가 로그인할 수 없었다", "symptom:login-failure"),
    ],
)
def test_other_words_are_understood(tagger: MeaningTagger, text: str, term: str) -> None:
    found = tags(tagger, text)
    assert term in found
    assert not found[term].negated
    assert found[term].confidence > 0.3


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("We ruled out an expired TLS certificate", "cause:certificate-expiry"),
        ("인증서가 만료된 것은 원인이 아니었다", "cause:certificate-expiry"),
        ("neither OOM nor a disk without space", "cause:out-of-memory"),
    ],
)
def test_other_words_are_denied(tagger: MeaningTagger, text: str, term: str) -> None:
    found = tags(tagger, text)
    assert term not in found or found[term].negated


@pytest.mark.parametrize(
    "text",
    [
        "hello world",
        "How long should I boil an egg so that the yolk stays soft?",
        "달걀을 반숙으로 삶으려면 몇 분 걸리나요?",
        "Recommend a quiet beach town for a family holiday in May",
    ],
)
def test_a_text_about_something_else_has_hardly_a_tag(tagger: MeaningTagger, text: str) -> None:
    assert sum(t.confidence for t in tagger.tag(text)) < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "A network fault was ruled out. A port of the switch flapped once before.",
        "네트워크는 원인이 아니고, 포트가 한 번 내려갔다 올라온 적이 있다.",
    ],
)
def test_what_is_denied_takes_its_narrower_terms_along(real: Library, text: str) -> None:
    below = real.vocabulary.narrower_all("cause:network-fault")
    assert [t.term for t in real.tag(text, 0.0) if t.term in below and not t.negated] == []
