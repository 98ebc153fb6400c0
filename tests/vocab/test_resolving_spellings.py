"""From a spelling to the one term it names, or to an error that helps."""

from __future__ import annotations

import pytest
from hypothesis import given

from kg.errors import AmbiguousTerm, TermNotFound
from kg.vocab import Vocabulary
from tests.helpers.strategies import QUICK, vocabularies
from tests.helpers.tiny import scheme, term, tiny_vocabulary

TINY = tiny_vocabulary()


@pytest.mark.parametrize(
    ("spelling", "wanted"),
    [
        ("symptom:nccl-timeout", "symptom:nccl-timeout"),
        ("NCCL timeout", "symptom:nccl-timeout"),
        ("nccl_timeout", "symptom:nccl-timeout"),
        ("NCCL 타임아웃", "symptom:nccl-timeout"),
        ("NCCL 타임아웃이", "symptom:nccl-timeout"),
        ("watchdog timeout", "symptom:nccl-timeout"),
        ("ncclTimeout", "symptom:nccl-timeout"),
        ("A100", "component:a100"),
        ("a100", "component:a100"),
        ("NCCL", "component:nccl"),
        ("NCCL이", "component:nccl"),
        ("NCCLX", "component:ncclx"),
        ("  데이터 로더는 ", "component:loader"),
        ("집합-통신-어긋남", "cause:mismatch"),
    ],
)
def test_ids_labels_and_aliases_in_any_language(spelling: str, wanted: str) -> None:
    assert TINY.resolve(spelling).id == wanted


def test_a_slug_needs_its_scheme() -> None:
    assert TINY.resolve("nccl-timeout", "symptom").id == "symptom:nccl-timeout"
    assert TINY.resolve("race", "cause").id == "cause:race"
    with pytest.raises(TermNotFound):
        TINY.resolve("race")


@pytest.mark.parametrize(
    "spelling", ["A1000", "A10", "B200", "timeout", "NCC", "", "–", "cause:", ":"]
)
def test_nothing_is_guessed(spelling: str) -> None:
    assert TINY.lookup(spelling) == []
    with pytest.raises(TermNotFound):
        TINY.resolve(spelling)


def test_a_near_miss_is_suggested_and_not_taken() -> None:
    with pytest.raises(TermNotFound) as caught:
        TINY.resolve("NCCL timeot")
    assert "NCCL timeout" in caught.value.near
    assert "Did you mean NCCL timeout" in str(caught.value)


def test_suggestions_stay_within_the_scheme() -> None:
    with pytest.raises(TermNotFound) as caught:
        TINY.resolve("H10", "component")
    assert set(caught.value.near) <= {"A100", "H100", "h100", "a100"}
    assert caught.value.scheme == "component"


def test_a_spelling_of_two_schemes_is_ambiguous_until_one_is_given() -> None:
    twice = tiny_vocabulary(term("symptom:link", "link down"), term("factor:link", "Link-Down"))
    with pytest.raises(AmbiguousTerm) as caught:
        twice.resolve("link down")
    assert caught.value.candidates == ("cause:link-down", "factor:link", "symptom:link")
    assert twice.resolve("link down", "symptom").id == "symptom:link"


def test_the_id_of_another_scheme_is_not_found_in_this_one() -> None:
    with pytest.raises(TermNotFound):
        TINY.resolve("cause:race", "symptom")


def test_get_raises_and_find_gives_none() -> None:
    assert TINY.get("cause:race") is TINY.find("cause:race")
    assert TINY.find("cause:rase") is None
    with pytest.raises(TermNotFound, match="cause:race"):
        TINY.get("cause:rase")


def test_near_is_best_first_and_bounded() -> None:
    assert TINY.near("component:a10", count=1) == ["component:a100"]
    assert TINY.near("zzzzzz") == []


def test_terms_of_a_scheme_are_sorted_and_an_unknown_scheme_is_named() -> None:
    ids = [t.id for t in TINY.of("cause")]
    assert ids == sorted(ids)
    with pytest.raises(TermNotFound, match="cause"):
        TINY.of("causes")


def test_membership_and_size() -> None:
    assert "cause:race" in TINY
    assert "race" not in TINY
    assert 7 not in TINY
    assert len(TINY) == len(TINY.terms) == sum(len(TINY.of(s)) for s in TINY.schemes)


@QUICK
@given(vocabularies())
def test_every_spelling_leads_back_to_its_term(vocabulary: Vocabulary) -> None:
    for term_ in vocabulary.terms.values():
        assert vocabulary.resolve(term_.id) == term_
        assert vocabulary.resolve(term_.slug, term_.scheme) == term_
        for _, spelling in term_.spellings():
            found = vocabulary.lookup(spelling, term_.scheme)
            assert term_ in found
            assert found == [
                t for t in vocabulary.of(term_.scheme)
                if spelling in (s for _, s in t.spellings())
            ]  # fmt: skip


def test_the_order_of_schemes_and_terms_does_not_matter() -> None:
    forward = Vocabulary(TINY.schemes.values())
    backward = Vocabulary(
        s.model_copy(update={"terms": s.terms[::-1]}) for s in reversed(TINY.schemes.values())
    )
    assert list(forward.terms) == list(backward.terms)
    assert forward.terms == backward.terms


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("NCCL 타임아웃학습 작업 실패", ["symptom:nccl-timeout", "symptom:failure"]),
        ("학습 작업 실패NCCL 타임아웃", ["symptom:failure", "symptom:nccl-timeout"]),
        ("NCCL timeout, slow training", ["symptom:nccl-timeout", "symptom:slow"]),
        (
            "느린 학습·학습 작업 실패/NCCL timeout",
            ["symptom:slow", "symptom:failure", "symptom:nccl-timeout"],
        ),
        ("  nccl TIMEOUT  ", ["symptom:nccl-timeout"]),
        ("느린 학습느린 학습", ["symptom:slow", "symptom:slow"]),
        ("", []),
    ],
)
def test_labels_that_ran_together_are_split(text: str, wanted: list[str]) -> None:
    found = TINY.split_run(text, "symptom")
    assert found is not None
    assert [t.id for t in found] == wanted


@pytest.mark.parametrize(
    "text", ["NCCL 타임아웃과 학습 작업 실패", "NCCL", "x느린 학습", "느린 학습x", ","]
)
def test_text_that_is_not_all_labels_is_not_split(text: str) -> None:
    assert TINY.split_run(text, "symptom") is None


def test_the_longest_label_is_not_taken_when_it_leads_nowhere() -> None:
    words = ("ab", "abc", "cd")
    vocabulary = Vocabulary([scheme("cause", *(term(f"cause:{w}", w) for w in words))])
    found = vocabulary.split_run("abcd", "cause")
    assert found is not None
    assert [t.slug for t in found] == ["ab", "cd"]
    whole = vocabulary.split_run("abc", "cause")
    assert whole is not None
    assert [t.slug for t in whole] == ["abc"]
