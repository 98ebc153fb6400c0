"""What a text denies in other words is denied, or at least not told of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.strategies import QUICK
from tests.helpers.tagging import make_tagger, of_meaning

TAGGER = make_tagger()
EXPIRY = "cause:certificate-expiry"


@pytest.mark.parametrize(
    "text",
    [
        "We ruled out that the certificates had expired",
        "The certificates that expired were not the cause",
        "It was not caused by certificates that expired",
        "I don't think it is a certificate that expired",
        "no sign of certificates that expired",
        "We saw no expired root certificate",
        "without any expired root certificate",
        "인증서가 어제 만료된 것은 원인이 아니었다",
    ],
)
def test_a_denied_cause_is_marked(text: str) -> None:
    assert of_meaning(TAGGER, text) == {EXPIRY: True}


@pytest.mark.parametrize(
    "text",
    [
        "The certificates had expired, not the keys",
        "We ruled out the network; the certificates had expired",
        "I don't think it is the network: the certificates had expired",
        "네트워크는 원인이 아니었다. 인증서가 어제 만료됐다",
        "we cannot rule out that the certificates had expired",
        "No alert fired when the certificates expired",
    ],
)
def test_a_denial_of_something_else_leaves_it(text: str) -> None:
    assert of_meaning(TAGGER, text)[EXPIRY] is False


def test_a_term_that_is_a_lack_is_not_denied_by_its_own_no() -> None:
    found = of_meaning(TAGGER, "no fatal error was ever logged")
    assert found.get("symptom:silent") is False


def test_what_was_done_is_never_denied_by_meaning() -> None:
    found = of_meaning(TAGGER, "We ruled out replacing the hardware")
    assert not [t for t in found if t.startswith(("mitigation:", "component:", "tool:"))]


def test_a_denied_name_is_not_told_of_by_meaning() -> None:
    text = "It was not an expired certificate. Some certificates had expired long ago."
    tags = [t for t in TAGGER.tag(text) if t.term == EXPIRY]
    assert [(t.how, t.negated) for t in tags] == [("label", True)]


def test_a_denied_name_keeps_its_confidence() -> None:
    (tag,) = [t for t in TAGGER.tag("not an expired certificate") if t.term == EXPIRY]
    assert (tag.negated, tag.confidence) == (True, 1.0)


def test_lists_of_checks_tell_of_nothing() -> None:
    assert TAGGER.tag("Health checks: certificates that expired, link down") == []


@QUICK
@given(st.sampled_from(["The certificates had expired", "A root certificate expired yesterday"]))
def test_excluding_a_sentence_turns_its_tags(text: str) -> None:
    assert of_meaning(TAGGER, text) == {EXPIRY: False}
    told = of_meaning(TAGGER, f"We ruled out that {text[0].lower()}{text[1:]}")
    assert told == {EXPIRY: True}


@QUICK
@given(st.text(max_size=40))
def test_a_sentence_before_does_not_lift_a_denial(before: str) -> None:
    text = f"{before}\nWe ruled out that the certificates had expired"
    tags = [t for t in TAGGER.tag(text) if t.term == EXPIRY]
    assert all(t.negated for t in tags)
