"""The generated page of the vocabulary: true counts, and links to other vocabularies."""

from __future__ import annotations

import json

import pytest

from kg.model import Case, Term
from kg.readers.pages import manifest, vocabulary_page
from kg.vocab import Vocabulary
from tests.helpers.tiny import make_case, scheme, term, tiny_cases, tiny_vocabulary

CWE = "https://cwe.mitre.org/data/definitions/362.html"


def cells(page: str, slug: str) -> list[str]:
    """The cells of the row of a term."""
    (row,) = [line for line in page.splitlines() if f"`{slug}` |" in line]
    return [cell.strip() for cell in row.removeprefix("| ").removesuffix("|").split(" |")]


def page_of(*terms: Term, cases: tuple[Case, ...] = ()) -> str:
    return vocabulary_page(Vocabulary([scheme("cause", *terms)]), cases)


def test_a_case_counts_for_its_terms_and_what_is_broader() -> None:
    page = vocabulary_page(tiny_vocabulary(), tiny_cases())
    found = {s: cells(page, s)[3] for s in ("hardware", "gpu-fault", "ecc-error", "mismatch")}
    assert found == {"hardware": "4", "gpu-fault": "2", "ecc-error": "1", "mismatch": "2"}


def test_a_term_that_is_only_ruled_out_says_so() -> None:
    race = ("cause", "cause:race", "ruled_out")
    cases = [make_case("X-1", race), make_case("X-2", race), make_case("X-3")]
    page = vocabulary_page(tiny_vocabulary(), cases)
    assert cells(page, "race")[3] == "0 (only ruled out: 2)"
    assert cells(page, "software")[3] == "0 (only ruled out: 2)"
    assert cells(page, "mismatch")[3] == "0"


def test_a_term_that_some_case_states_has_a_plain_number() -> None:
    cases = [
        make_case("X-1", ("cause", "cause:race", "ruled_out")),
        make_case("X-2", ("cause", "cause:race", "suspected")),
        make_case("X-3", ("cause", "cause:race"), ("cause", "cause:race", "ruled_out")),
    ]
    assert cells(vocabulary_page(tiny_vocabulary(), cases), "race")[3] == "2"


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        (CWE, "CWE-362"),
        ("https://attack.mitre.org/techniques/T1195/", "ATT&CK T1195"),
        ("https://attack.mitre.org/techniques/T1195/001/", "ATT&CK T1195.001"),
        ("https://w3id.org/noria/kos/Resource/type/server", "NORIA-O server"),
        ("https://other.example/concept#a", "other.example/concept#a"),
        ("https://cwe.mitre.org/data/definitions/362", "cwe.mitre.org/data/definitions/362"),
    ],
)
def test_a_match_is_a_link_with_the_name_that_a_reader_knows(iri: str, name: str) -> None:
    page = page_of(term("cause:a", "a", exact_match=[iri]))
    assert cells(page, "a")[5] == f"= [{name}]({iri})"


def test_exact_and_close_matches_have_signs_that_the_page_explains() -> None:
    other = "https://z.example/1"
    page = page_of(term("cause:a", "a", exact_match=[other], close_match=[CWE]))
    assert cells(page, "a")[5] == f"= [z.example/1]({other}), ≈ [CWE-362]({CWE})"
    head = page.splitlines()[1]
    assert "= means the same (SKOS exactMatch)" in head
    assert "≈ nearly the same (closeMatch)" in head


def test_only_a_scheme_with_matches_has_the_column() -> None:
    matched = Vocabulary([
        scheme("cause", term("cause:a", "a", close_match=[CWE]), term("cause:b", "b")),
        scheme("tool", term("tool:c", "c")),
    ])  # fmt: skip
    page = vocabulary_page(matched, [])
    assert page.count("| definition | matches |") == 1
    assert [len(cells(page, slug)) for slug in ("a", "b", "c")] == [6, 6, 5]
    assert cells(page, "b")[5] == ""
    widths = {line.count("|") for line in page.split("## tool")[0].splitlines() if "|" in line}
    assert widths == {7}


def test_the_page_is_a_table_whatever_a_label_holds() -> None:
    page = page_of(term("cause:a", "a | b"))
    assert "a \\| b" in page


def test_the_manifest_counts_matches() -> None:
    made = scheme(
        "cause",
        term("cause:a", "a", exact_match=["https://x.example/1"], close_match=[CWE]),
        term("cause:b", "b", close_match=[CWE]),
    )
    counts = json.loads(manifest({}, Vocabulary([made]), []))["counts"]
    assert counts["matches"] == {"close_match": 2, "exact_match": 1}
