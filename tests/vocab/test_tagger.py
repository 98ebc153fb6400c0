"""Terms found in running text, in English and Korean, with true spans and denials marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.vocab import Tag, Tagger, Vocabulary
from kg.vocab.spelling import normal, words
from tests.helpers.strategies import QUICK, sentences, vocabularies
from tests.helpers.tiny import term, tiny_vocabulary

TINY = Tagger(tiny_vocabulary())


def found(text: str, tagger: Tagger = TINY) -> list[str]:
    return [t.term for t in tagger.tag(text)]


def denied(text: str) -> dict[str, bool]:
    return {t.term: t.negated for t in TINY.tag(text)}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("An A100 failed", ["component:a100"]),
        ("An H100 failed", ["component:h100"]),
        ("NCCL hung", ["component:nccl"]),
        ("NCCLX hung", ["component:ncclx"]),
        ("A1000 and XA100 and A 100", []),
        ("pytorch PYTORCH Py-Torch", ["component:pytorch"] * 2),
        ("NCCL이 멈췄다", ["component:nccl"]),
        ("파이토치에서는 데이터 로더가 멈췄다", ["component:pytorch", "component:loader"]),
        ("링크 다운이 원인", ["cause:link-down"]),
        ("race-condition", ["cause:race"]),
        ("", []),
        ("nothing of this is known", []),
    ],
)
def test_whole_words_name_terms(text: str, wanted: list[str]) -> None:
    assert found(text) == wanted


def test_spans_are_places_in_the_text_as_given() -> None:
    text = "After 3 h the NCCL 타임아웃이 came; GPU fault?"
    tags = TINY.tag(text)
    assert Tag(14, 22, "symptom:nccl-timeout", "NCCL 타임아웃이", False) not in tags
    for tag in tags:
        assert text[tag.start : tag.end] == tag.text
    assert {(t.term, t.text) for t in tags} == {
        ("component:nccl", "NCCL"),
        ("symptom:nccl-timeout", "NCCL 타임아웃이"),
        ("cause:gpu-fault", "GPU fault"),
        ("component:gpu", "GPU"),
    }


def test_the_longest_spelling_wins_within_a_scheme_but_not_across() -> None:
    vocabulary = tiny_vocabulary(
        term("symptom:nccl", "NCCL"), term("symptom:nccl-timeout-ib", "NCCL timeout over IB")
    )
    tagger = Tagger(vocabulary)
    assert found("NCCL timeout over IB", tagger) == ["component:nccl", "symptom:nccl-timeout-ib"]
    assert found("NCCL timeout over TCP", tagger) == ["component:nccl", "symptom:nccl-timeout"]


def test_a_longer_match_covers_shorter_ones_inside_it() -> None:
    vocabulary = tiny_vocabulary(term("cause:down", "down"))
    assert found("link down, then down", Tagger(vocabulary)) == ["cause:link-down", "cause:down"]


def test_the_same_term_is_found_as_often_as_it_stands() -> None:
    assert found("NCCL, NCCL and nccl") == ["component:nccl"] * 3


def test_terms_without_a_name_of_their_own_are_never_found() -> None:
    assert found("a switch broke; A-Switch") == []


def test_tags_come_in_order_of_place() -> None:
    tags = TINY.tag("PyTorch and NCCL timeout on H100 after a version upgrade")
    assert tags == sorted(tags)
    assert [t.start for t in tags] == sorted(t.start for t in tags)


@pytest.mark.parametrize(
    "text",
    [
        "There was no NCCL timeout",
        "no sign of NCCL timeout",
        "not an NCCL timeout",
        "It never was an NCCL timeout",
        "ran without NCCL timeout",
        "we ruled out an NCCL timeout",
        "excluding NCCL timeout",
        "It wasn't an NCCL timeout",
        "we didn't see an NCCL timeout",
        "NCCL timeout was ruled out",
        "NCCL timeout was not the cause",
        "The NCCL timeout wasn't the cause",
        "NCCL 타임아웃은 없었다",
        "NCCL 타임아웃 없음",
        "NCCL 타임아웃은 원인이 아니었다",
        "NCCL 타임아웃이 나지 않았다",
        "NCCL 타임아웃은 배제했다",
        "ruled out: network, NCCL timeout",
        "배제: 네트워크, NCCL 타임아웃",
        "no trace of NCCL timeout but OOM",
        "GPU stopped, not the NCCL timeout",
        "NCCL 타임아웃 오류는 없었고 OOM이 났다",
        "원인은 NCCL 타임아웃이 아닌 OOM",
    ],
)
def test_denied_terms_are_found_and_marked(text: str) -> None:
    assert denied(text)["symptom:nccl-timeout"] is True


@pytest.mark.parametrize(
    "text",
    [
        "NCCL timeout",
        "NCCL timeout after 3 h",
        "No GPU was lost. NCCL timeout",
        "no error in dmesg\nNCCL timeout",
        "notable NCCL timeout",
        "the node had an NCCL timeout",
        "NCCL 타임아웃이 났다. 오류는 없었다",
        "NCCL 타임아웃이 발생했다",
        "nothing but an NCCL timeout",
        "job is not progressing after NCCL timeout",
        "GPU is not responding, NCCL timeout",
        "does not finish because of NCCL timeout",
        "no heartbeat from the NCCL timeout handler",
        "it is not OOM but an NCCL timeout",
        "not the network but NCCL timeout",
        "can't rule out NCCL timeout",
        "we cannot exclude an NCCL timeout",
        "NCCL timeout can not be ruled out",
        "NCCL timeout: InfiniBand is not the cause",
        "the NCCL timeout is not resolved",
        "NCCL timeout, no error in the log",
        "NCCL 타임아웃이 났고 네트워크 문제는 아니었다",
        "NCCL 타임아웃 이후 진행이 없음",
        "NCCL 타임아웃이 났는데 로그가 없다",
        "NCCL 타임아웃 때문에 진행이 없다",
        "NCCL 타임아웃이 나서 학습이 진행되지 않는다",
        "NCCL 타임아웃이 났지만 OOM은 없었다",
    ],
)
def test_a_denial_elsewhere_denies_nothing_here(text: str) -> None:
    assert denied(text)["symptom:nccl-timeout"] is False


def test_one_sentence_can_affirm_one_term_and_deny_another() -> None:
    text = "ECC error seen, the link down alarm came late. There was no race condition."
    assert denied(text) == {"cause:ecc-error": False, "cause:link-down": False, "cause:race": True}


def slow_tags(vocabulary: Vocabulary, text: str) -> set[tuple[int, int, str]]:
    """The twin: at each word and for each scheme try every spelling, the longest first."""
    parts = words(text)
    tags: set[tuple[int, int, str]] = set()
    for name in vocabulary.schemes:
        spellings = {(normal(s), t.id) for t in vocabulary.of(name) for _, s in t.spellings()}
        at = 0
        while at < len(parts):
            fits = [
                (key, term_id)
                for key, term_id in spellings
                if key and len(parts) >= at + len(key)
                and all(k in (p.form, p.stem) for k, p in zip(key, parts[at:], strict=False))
            ]  # fmt: skip
            if fits:
                key, term_id = min(fits, key=lambda f: (-len(f[0]), f[0], f[1]))
                tags.add((parts[at].start, parts[at + len(key) - 1].end, term_id))
                at += len(key)
            else:
                at += 1
    return tags


@QUICK
@given(st.data())
def test_the_tagger_finds_what_the_slow_twin_finds(data: st.DataObject) -> None:
    vocabulary = data.draw(vocabularies())
    labels = [s for t in vocabulary.terms.values() for _, s in t.spellings()]
    pieces = data.draw(st.lists(st.one_of(st.sampled_from(labels), sentences), max_size=6))
    text = data.draw(st.sampled_from([" ", "이 ", ", ", " - "])).join(pieces)
    tags = Tagger(vocabulary).tag(text)
    assert {(t.start, t.end, t.term) for t in tags} == slow_tags(vocabulary, text)


@QUICK
@given(vocabularies())
def test_every_label_alone_is_found_as_its_term(vocabulary: Vocabulary) -> None:
    tagger = Tagger(vocabulary)
    for found_term in vocabulary.terms.values():
        for _, spelling in found_term.spellings():
            named = {t.term for t in tagger.tag(f"It says: {spelling}.") if t.text == spelling}
            same = {t.id for t in vocabulary.lookup(spelling, found_term.scheme)}
            assert named & same


@QUICK
@given(st.text(max_size=80))
def test_any_text_can_be_tagged(text: str) -> None:
    for tag in TINY.tag(text):
        assert text[tag.start : tag.end] == tag.text


def test_every_shipped_spelling_is_found_in_a_sentence(vocabulary: Vocabulary) -> None:
    tagger = Tagger(vocabulary)
    for shipped_term in vocabulary.terms.values():
        for _, spelling in shipped_term.spellings():
            if shipped_term.unnamed or not normal(spelling):
                continue
            tags = {t.term for t in tagger.tag(f"<{spelling}>")}
            same = {t.id for t in vocabulary.lookup(spelling, shipped_term.scheme)}
            assert tags & same, f"{spelling!r} of {shipped_term.id} is not found in text"


def test_no_unnamed_shipped_term_is_found(vocabulary: Vocabulary) -> None:
    unnamed = {t.id: t for t in vocabulary.terms.values() if t.unnamed}
    tagger = Tagger(vocabulary)
    text = ". ".join(s for t in unnamed.values() for _, s in t.spellings())
    assert not {t.term for t in tagger.tag(text)} & set(unnamed)


@pytest.mark.parametrize(
    "text",
    [
        "NCCL이 응답하지 않음",
        "NCCL이 뜨지 않는다",
        "no NCCL visible",
        "no NCCL found",
        "NCCL이 없다",
    ],
)
def test_a_thing_that_fails_or_is_missing_is_not_denied(text: str) -> None:
    assert denied(text)["component:nccl"] is False


@pytest.mark.parametrize(
    "text", ["NCCL은 원인이 아니었다", "ruled out NCCL", "not NCCL", "NCCL 배제"]
)
def test_a_thing_that_is_excluded_is_denied(text: str) -> None:
    assert denied(text)["component:nccl"] is True


@pytest.mark.parametrize("text", ["NCCL 타임아웃 때문이 아니라 OOM", "NCCL 타임아웃 때문이 아님"])
def test_not_because_of_it_is_a_denial(text: str) -> None:
    assert denied(text)["symptom:nccl-timeout"] is True


def test_a_symptom_that_does_not_go_away_is_not_denied() -> None:
    assert denied("NCCL 타임아웃이 사라지지 않는다")["symptom:nccl-timeout"] is False
