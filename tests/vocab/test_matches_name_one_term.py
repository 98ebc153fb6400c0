"""A concept elsewhere can mean the same as one term of a scheme, not as two."""

from __future__ import annotations

import pytest

from kg.errors import SchemaError
from kg.model import Scheme
from kg.vocab import SCHEMES, Vocabulary, faults_of
from tests.helpers.tiny import scheme, term

IRI = "https://cwe.mitre.org/data/definitions/833.html"


def causes(*matches: tuple[str, str]) -> Scheme:
    """Terms a, b, c … of the scheme of causes, each with one match."""
    terms = [
        term(f"cause:{chr(ord('a') + i)}", f"{i}", **{name: [iri]})
        for i, (name, iri) in enumerate(matches)
    ]
    return scheme("cause", *terms)


def test_two_terms_with_one_exact_match_are_a_fault_of_the_second() -> None:
    (fault,) = faults_of([causes(("exact_match", IRI), ("exact_match", IRI))])
    assert fault.name == "cause:b"
    assert fault.path == ("terms", 1, "exact_match")
    assert fault.message == f"exact_match '{IRI}' is also that of cause:a"
    assert fault.remedy == ("Keep it at the term that means the same; the other gets a close_match")


def test_each_further_term_is_told_with_the_first() -> None:
    faults = faults_of([causes(*[("exact_match", IRI)] * 3)])
    assert [f.name for f in faults] == ["cause:b", "cause:c"]
    assert all(f.message.endswith("also that of cause:a") for f in faults)


@pytest.mark.parametrize(
    "matches",
    [
        [("exact_match", IRI), ("close_match", IRI)],
        [("close_match", IRI), ("close_match", IRI)],
        [("exact_match", IRI), ("exact_match", f"{IRI}#other")],
    ],
)
def test_many_terms_may_be_close_to_one_concept(matches: list[tuple[str, str]]) -> None:
    assert faults_of([causes(*matches)]) == []


def test_terms_of_two_schemes_may_mean_the_same() -> None:
    both = [scheme(name, term(f"{name}:a", name, exact_match=[IRI])) for name in SCHEMES[:2]]
    assert faults_of(both) == []
    assert len(Vocabulary(both)) == 2


def test_a_vocabulary_with_such_a_fault_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"cause:b: exact_match .* is also that of cause:a\."):
        Vocabulary([causes(("exact_match", IRI), ("exact_match", IRI))])


def test_an_id_that_stands_twice_is_not_told_again_for_its_match() -> None:
    same = term("cause:a", "a", exact_match=[IRI])
    (fault,) = faults_of([scheme("cause", same, same)])
    assert "the id stands twice" in fault.message
