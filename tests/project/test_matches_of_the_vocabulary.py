"""The shipped matches with CWE, ATT&CK and NORIA-O: well formed, and each read and decided."""

from __future__ import annotations

import json
import re

import pytest

from kg.cli import main
from kg.library import Library
from kg.vocab import Vocabulary

FORMS = {
    "CWE": r"https://cwe\.mitre\.org/data/definitions/[1-9]\d{0,3}\.html",
    "ATT&CK": r"https://attack\.mitre\.org/techniques/T1\d{3}/(\d{3}/)?",
    "NORIA-O": (
        r"https://w3id\.org/noria/kos/(Notification/ProbableCause|TroubleTicket/trouble-category|"
        r"Resource/type)/[A-Za-z-]+"
    ),
}
CWE = "https://cwe.mitre.org/data/definitions/"
KOS = "https://w3id.org/noria/kos/"

EXACT = {
    "cause:infinite-loop": f"{CWE}835.html",
    "cause:memory-leak": f"{CWE}401.html",
    "cause:null-dereference": f"{CWE}476.html",
    "cause:out-of-bounds-read": f"{CWE}119.html",
    "cause:regex-backtracking": f"{CWE}1333.html",
    "symptom:packet-loss": f"{KOS}TroubleTicket/trouble-category/packet-loss",
}
"""Where our definition and theirs say the same; a new one is added here after both were read."""


def found(vocabulary: Vocabulary) -> list[tuple[str, str, str]]:
    return [(t.id, *match) for t in vocabulary.terms.values() for match in t.matches()]


def test_every_match_has_the_form_of_its_vocabulary(vocabulary: Vocabulary) -> None:
    odd = [m for m in found(vocabulary) if not any(re.fullmatch(f, m[2]) for f in FORMS.values())]
    assert odd == [], "write the IRI as its vocabulary does, or add the form of a new vocabulary"


@pytest.mark.parametrize("name", FORMS)
def test_each_of_the_vocabularies_is_matched(vocabulary: Vocabulary, name: str) -> None:
    assert [m for m in found(vocabulary) if re.fullmatch(FORMS[name], m[2])]


def test_a_term_means_the_same_only_where_both_definitions_were_read(
    vocabulary: Vocabulary,
) -> None:
    exact = {term: iri for term, name, iri in found(vocabulary) if name == "exact_match"}
    assert exact == EXACT, "read both definitions; when they differ, make it a close_match"


def test_what_is_nearly_the_same_is_not_called_the_same(vocabulary: Vocabulary) -> None:
    near = {
        "cause:deadlock": f"{CWE}833.html",  # ours has lock contention too
        "cause:race-condition": f"{CWE}362.html",  # ours is any unlucky order
        "cause:error-handling-defect": f"{CWE}755.html",
        "cause:supply-chain-attack": "https://attack.mitre.org/techniques/T1195/",
        "cause:network-congestion": f"{KOS}Notification/ProbableCause/congestion",
    }
    for term, iri in near.items():
        assert ("close_match", iri) in vocabulary.get(term).matches(), term


def test_an_expired_certificate_is_not_one_that_is_wrongly_accepted(
    vocabulary: Vocabulary,
) -> None:
    assert f"{CWE}298.html" not in {iri for _, _, iri in found(vocabulary)}


def test_the_command_shows_matches_as_json(
    quick: Library, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INCIDENT_KG_LIBRARY", str(quick.path))
    assert main(["vocab", "cause", "--json"]) == 0
    shown = {e["id"]: e for e in json.loads(capsys.readouterr().out)}
    assert shown["cause:null-dereference"]["exact_match"] == [f"{CWE}476.html"]
    assert shown["cause:deadlock"]["close_match"] == [f"{CWE}833.html"]
