"""What a sentence takes back further on is not claimed."""

from __future__ import annotations

import pytest

from kg.intake.claims import text_claims
from kg.model import Status
from kg.vocab import Tagger
from tests.helpers.tiny import make_case, term, tiny_vocabulary

TAGGER = Tagger(tiny_vocabulary(term("cause:net", "network fault", "네트워크 장애")))


def status(text: str) -> Status | None:
    case = make_case("A-1", cause={"en": [text]})
    found = [c for c in text_claims(case, TAGGER.tag) if c.terms == ("cause:net",)]
    return found[0].status if found else None


@pytest.mark.parametrize(
    "text",
    [
        "We first suspected a network fault, but a network fault was ruled out.",
        "A network fault seemed likely; later a network fault could be ruled out",
    ],
)
def test_a_denial_in_the_sentence_stands(text: str) -> None:
    assert status(text) is Status.RULED_OUT


@pytest.mark.parametrize(
    "text",
    [
        "A network fault broke the link. On the next day a network fault was ruled out.",
        "A network fault was ruled out at first, but it was a network fault.",
    ],
)
def test_another_sentence_or_an_earlier_denial_takes_nothing_back(text: str) -> None:
    assert status(text) is Status.SUSPECTED
