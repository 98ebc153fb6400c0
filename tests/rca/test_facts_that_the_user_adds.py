"""Terms that the user adds or rules out are resolved, and must not contradict each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import AmbiguousTerm, BadQuery, TermNotFound
from kg.rca.facts import (
    MEANT,
    answer_of,
    kin,
    meets,
    out_of_question,
    resolve_facts,
    understand,
    weighed,
)
from kg.vocab import Tag, Tagger
from tests.helpers import twins
from tests.helpers.tiny import term, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
TERMS = sorted(t for t in VOCABULARY.terms if not t.startswith("organization:"))


def test_any_spelling_in_any_language_is_a_term() -> None:
    facts = resolve_facts(
        VOCABULARY, ["NCCL 타임아웃", "nccl-timeout", "watchdog timeout"], "링크 다운"
    )
    assert facts.observed == ("symptom:nccl-timeout",)
    assert facts.ruled_out == ("cause:link-down",)


def test_the_order_given_is_kept() -> None:
    facts = resolve_facts(VOCABULARY, ["slow training", "A100", "NCCL"])
    assert facts.observed == ("symptom:slow", "component:a100", "component:nccl")


def test_an_unknown_term_is_named_with_what_looks_like_it() -> None:
    with pytest.raises(TermNotFound, match="NCCL timeout"):
        resolve_facts(VOCABULARY, ["NCCL timeoutt"])


def test_a_spelling_of_several_schemes_must_be_told_apart() -> None:
    both = tiny_vocabulary(term("symptom:race-seen", "race condition"))
    with pytest.raises(AmbiguousTerm, match=r"cause:race, symptom:race-seen"):
        resolve_facts(both, [], ["race condition"])
    assert resolve_facts(both, [], ["cause:race"]).ruled_out == ("cause:race",)


def test_a_term_cannot_be_seen_and_ruled_out() -> None:
    with pytest.raises(BadQuery, match=r"cause:race is observed, but cause:race is ruled out"):
        resolve_facts(VOCABULARY, ["race condition"], ["경쟁 상태"])


def test_nor_be_seen_while_its_broader_term_is_ruled_out() -> None:
    with pytest.raises(BadQuery, match="which is broader than cause:ecc-error"):
        resolve_facts(VOCABULARY, ["ECC error"], ["hardware failure"])


def test_a_broader_term_may_be_seen_while_a_narrower_one_is_ruled_out() -> None:
    facts = resolve_facts(VOCABULARY, ["hardware failure"], ["ECC error"])
    assert (facts.observed, facts.ruled_out) == (("cause:hardware",), ("cause:ecc-error",))


@given(st.sampled_from(TERMS), st.sampled_from(TERMS))
def test_two_terms_contradict_exactly_when_one_lies_at_or_below_the_other(a: str, b: str) -> None:
    contradiction = b in twins.above(VOCABULARY, a)
    try:
        resolve_facts(VOCABULARY, [a], [b])
    except BadQuery:
        assert contradiction
    else:
        assert not contradiction


@pytest.mark.parametrize("name", ["observed", "ruled_out"])
def test_an_organisation_can_be_neither(name: str) -> None:
    with pytest.raises(BadQuery, match=f"organization:alpha cannot be {name}"):
        resolve_facts(VOCABULARY, **{name: ["Alpha Labs"]})


def test_only_text_names_a_term() -> None:
    with pytest.raises(BadQuery, match="observed must be terms"):
        resolve_facts(VOCABULARY, [3])  # type: ignore[list-item]


def test_what_the_text_names_and_denies_is_told_apart() -> None:
    tags = Tagger(VOCABULARY).tag("slow training, no ECC error; a link down was ruled out")
    u = understand(VOCABULARY, tags, resolve_facts(VOCABULARY))
    assert [t.term for t in u.named] == ["symptom:slow"]
    assert [t.term for t in u.denied] == ["cause:ecc-error", "cause:link-down"]
    assert u.seen == {"symptom:slow": 1.0}


def test_a_term_said_in_one_place_and_denied_in_another_is_said() -> None:
    tags = [
        Tag(0, 4, "symptom:slow", "slow", negated=True),
        Tag(9, 13, "symptom:slow", "slow", confidence=0.7),
    ]
    u = understand(VOCABULARY, tags, resolve_facts(VOCABULARY))
    assert u.denied == ()
    assert u.seen == {"symptom:slow": 0.7}


def test_the_user_goes_before_the_text() -> None:
    tags = [
        Tag(0, 4, "symptom:slow", "slow", negated=True),
        Tag(9, 13, "symptom:nccl-timeout", "timeout", confidence=0.9),
    ]
    facts = resolve_facts(VOCABULARY, ["slow training"], ["training job failure"])
    u = understand(VOCABULARY, tags, facts)
    assert u.seen == {"symptom:slow": 1.0}, "the broader failure takes the timeout with it"
    assert u.denied == ()


def test_words_of_the_same_meaning_are_kept_apart_from_names() -> None:
    tags = [Tag(0, 4, "symptom:slow", "slow", confidence=MEANT, how="meaning")]
    u = understand(VOCABULARY, tags, resolve_facts(VOCABULARY))
    assert (u.named, u.meant, u.perhaps) == ((), tuple(tags), ())


@pytest.mark.parametrize(
    ("term", "confidence"), [("symptom:slow", MEANT - 0.01), ("component:nccl", 0.9)]
)
def test_what_is_unsure_or_a_name_that_is_not_named_counts_as_seen_for_nothing(
    term: str, confidence: float
) -> None:
    tags = [Tag(0, 4, term, "slow", confidence=confidence, how="meaning")]
    u = understand(VOCABULARY, tags, resolve_facts(VOCABULARY))
    assert (u.meant, u.perhaps, dict(u.seen)) == ((), tuple(tags), {})
    assert weighed(u, ()) == {term: confidence}, "the predictor weighs it all the same"
    assert weighed(u, {term}) == {}


@given(st.lists(st.sampled_from(TERMS), max_size=4))
def test_what_is_out_of_question_is_all_that_lies_below(terms: list[str]) -> None:
    expected = {t for top in terms for t in twins.below(VOCABULARY, top)}
    assert out_of_question(VOCABULARY, terms) == expected


@given(st.sampled_from(TERMS), st.sampled_from(TERMS))
def test_terms_meet_when_one_is_above_the_other(a: str, b: str) -> None:
    expected = a in twins.above(VOCABULARY, b) or b in twins.above(VOCABULARY, a)
    assert meets(VOCABULARY, a, b) == expected == (b in kin(VOCABULARY, a))


def test_an_answer_is_taken_from_what_was_seen_or_put_out_of_question() -> None:
    tags = Tagger(VOCABULARY).tag("NCCL timeout, no link down")
    facts = resolve_facts(VOCABULARY, ["A100"], ["slow training"])
    u = understand(VOCABULARY, tags, facts)
    asked = {
        "symptom:nccl-timeout": "yes", "symptom:failure": "yes", "component:gpu": "yes",
        "symptom:slow": "no", "cause:link-down": "no", "cause:race": None, "component:h100": None,
    }  # fmt: skip
    assert {t: answer_of(VOCABULARY, t, u) for t in asked} == asked
