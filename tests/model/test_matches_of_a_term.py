"""What a term says of concepts in other vocabularies: absolute IRIs, sorted, each once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from kg.model import MATCHES, Term
from kg.model.iri import IRI_PATTERN, absolute_iri
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import term

CWE = "https://cwe.mitre.org/data/definitions/476.html"
KOS = "https://w3id.org/noria/kos/Notification/ProbableCause/congestion"


def refusal(**matches: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        term("cause:a", "a", **matches)
    (error,) = caught.value.errors()
    return error["msg"]


def test_a_term_matches_nothing_until_it_says_so() -> None:
    made = term("cause:a", "a")
    assert (made.exact_match, made.close_match, made.matches()) == ((), (), ())


def test_matches_are_kept_sorted_and_told_exact_first() -> None:
    made = term("cause:a", "a", exact_match=[KOS], close_match=["https://z.org/", CWE])
    assert made.close_match == (CWE, "https://z.org/")
    assert made.matches() == (
        ("exact_match", KOS), ("close_match", CWE), ("close_match", "https://z.org/"),
    )  # fmt: skip
    assert MATCHES == ("exact_match", "close_match")


@QUICK
@given(st.permutations([CWE, KOS, "http://a.example/1", "http://a.example/2"]))
def test_the_order_in_which_matches_are_given_does_not_show(given_so: list[str]) -> None:
    one = term("cause:a", "a", exact_match=given_so[:2], close_match=given_so[2:])
    other = term("cause:a", "a", exact_match=given_so[1::-1], close_match=given_so[:1:-1])
    assert one == other
    assert one.model_dump_json() == other.model_dump_json()


@pytest.mark.parametrize(
    "iri",
    [
        "http://a",
        "https://a.example:8443",
        "https://a.example/",
        "https://a.example/b/c?d=e&f#g",
        "http://d3fend.mitre.org/ontologies/d3fend.owl#CredentialRotation",
        "https://ko.example/개념/원인",
        "https://a.example/%20/(b),c;d='e'*f+~g",
    ],
)
def test_an_absolute_iri_is_taken_as_it_is(iri: str) -> None:
    assert absolute_iri(iri) == iri
    assert term("cause:a", "a", close_match=[iri]).close_match == (iri,)


@pytest.mark.parametrize(
    "text",
    [
        "", "CWE-476", "cwe.mitre.org/data/definitions/476.html", "//a.example/b", "/b", "#b",
        "urn:isbn:0", "ftp://a.example/b", "file:///etc/passwd", "javascript:alert(1)",
        "HTTPS://a.example/", "https:/a.example", "https://", "https:///b", "https://:80/b",
        "https://a.example:/b", "https://user@a.example/b", " https://a.example/b",
        "https://a.example/b ", "https://a.example/b\n", "https://a.example/b c",
        "https://a.example/<b>", 'https://a.example/"', "https://a.example/{b}",
        "https://a.example/a|b", "https://a.example/a\\b", "https://a.example/a^b",
        "https://a.example/`b`", "https://a.example/\x00", "https://a.example/\x7f",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", MATCHES)
def test_anything_else_is_refused_with_an_example_of_a_right_one(name: str, text: str) -> None:
    said = refusal(**{name: [text]})
    assert "is not an absolute http(s) IRI; write it whole" in said
    assert "https://example.org/concept/1" in said
    assert "\n" not in said


@pytest.mark.parametrize("name", MATCHES)
def test_an_iri_stands_once_in_a_list(name: str) -> None:
    said = refusal(**{name: [CWE, KOS, CWE]})
    assert said == f"Value error, '{CWE}' stands here 2 times; keep one of them"


def test_an_iri_is_an_exact_match_or_a_close_one_but_not_both() -> None:
    said = refusal(exact_match=[CWE, KOS], close_match=[KOS])
    assert f"'{KOS}' is in exact_match and in close_match; " in said
    assert "keep it in exact_match if it means the same, else in close_match" in said


def test_a_match_must_be_a_text() -> None:
    assert refusal(exact_match=[7]) == "Input should be a valid string"
    assert refusal(exact_match=CWE) == "Input should be a valid tuple"


PIECES = [
    "http://",
    "https://",
    "a",
    "b.c",
    ":",
    "80",
    "/",
    "?",
    "#",
    "@",
    "<",
    " ",
    "\n",
    "가",
    "\x7f",
]


@QUICK
@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
@example("https://a/b")
@example("https://a/b\n")
def test_the_json_schema_takes_what_the_model_takes(text: str) -> None:
    items = Term.model_json_schema()["properties"]["exact_match"]["items"]
    assert items == {"pattern": IRI_PATTERN, "type": "string"}
    taken = True
    try:
        absolute_iri(text)
    except ValueError:
        taken = False
    # "$" of Python also stands before a last line end, that of JSON Schema does not.
    assert taken == (re.search(IRI_PATTERN.replace("$", r"\Z"), text) is not None)
