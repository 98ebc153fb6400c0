"""What is suggested for a spelling that no term has: one spelling a term, in the language asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import TermNotFound
from kg.vocab import Vocabulary
from tests.helpers.strategies import QUICK, vocabularies
from tests.helpers.tiny import scheme, term, tiny_vocabulary

TINY = tiny_vocabulary()
MANY = Vocabulary(
    [
        scheme(
            "symptom",
            term(
                "symptom:timeout", "NCCL timeout", "NCCL 타임아웃",
                aliases={"en": ["NCCL timeouts", "NCCL time-out"], "zxx": ["ncclTimeouts"]},
            ),
            term("symptom:other", "NCCL time outs", "다른 말"),
        )
    ]
)  # fmt: skip


def near(vocabulary: Vocabulary, spelling: str, *more: str | None) -> tuple[str, ...]:
    with pytest.raises(TermNotFound) as caught:
        vocabulary.resolve(spelling, *more)
    return caught.value.near


def test_a_term_is_suggested_once() -> None:
    found = near(MANY, "NCCL timeoutt")
    assert len(found) == 2
    assert {MANY.resolve(s).id for s in found} == {"symptom:timeout", "symptom:other"}


@pytest.mark.parametrize(
    ("spelling", "lang", "wanted"),
    [
        ("NCCL timeot", None, "NCCL timeout"),
        ("NCCL 타임아옷", None, "NCCL 타임아웃"),
        ("NCCL timeot", "ko", "NCCL 타임아웃"),
        ("NCCL 타임아옷", "en", "NCCL timeout"),
        ("NCCL timeot", "fr", "NCCL timeout"),
        ("watchdog timeot", None, "watchdog timeout"),
    ],
)
def test_suggestions_are_in_the_language_asked(
    spelling: str, lang: str | None, wanted: str
) -> None:
    named = {"aliases": {"en": ["watchdog timeout"]}}
    only = term("symptom:x", "NCCL timeout", "NCCL 타임아웃", **named)
    assert near(Vocabulary([scheme("symptom", only)]), spelling, None, lang) == (wanted,)


def test_a_slug_is_suggested_only_where_it_is_understood() -> None:
    assert "no-alert" in near(TINY, "no-alrt", "factor")
    assert "no-alert" not in near(TINY, "no-alrt")


@QUICK
@given(vocabularies(), st.data())
def test_what_is_suggested_is_understood(vocabulary: Vocabulary, data: st.DataObject) -> None:
    chosen = data.draw(st.sampled_from(sorted(vocabulary.terms)))
    scheme_of = data.draw(st.sampled_from([None, vocabulary.terms[chosen].scheme]))
    _, spelling = data.draw(st.sampled_from(vocabulary.terms[chosen].spellings()))
    found = near(vocabulary, spelling + "zq", scheme_of)
    assert len(found) <= 3
    assert all(vocabulary.lookup(s, scheme_of) for s in found)
    named = [tuple(t.id for t in vocabulary.lookup(s, scheme_of)) for s in found]
    assert len(set(named)) == len(named)
