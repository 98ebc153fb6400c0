"""`kg rdf` writes files that others read, `kg sparql` answers; both tell bad use clearly."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib

import kg
from kg.library import Library
from tests.cli.conftest import Run

FORMATS = {"ttl": "turtle", "nt": "nt", "jsonld": "json-ld", "trig": "trig"}
QUERY = "SELECT ?cause { ?case dcterms:identifier ?id ; kg:causedBy/skos:notation ?cause }"


@pytest.mark.parametrize("ending", ["ttl", "nt", "jsonld", "trig"])
def test_the_ending_of_the_file_chooses_the_format(
    ask: Run, quick: Library, ending: str, tmp_path: Path
) -> None:
    file = tmp_path / f"it.{ending}"
    answer = ask("rdf", "IL-0480", "-o", str(file))
    assert (answer.code, answer.err) == (0, "")
    assert f"wrote {file}" in answer.out
    name = {"ttl": "turtle", "nt": "ntriples"}.get(ending, ending)
    assert file.read_text(encoding="utf-8") == quick.rdf_text(name, case_ids=["IL-0480"])


def test_format_and_base_may_be_given(ask: Run, tmp_path: Path) -> None:
    file = tmp_path / "it.txt"
    base = "https://ops.example.com/kg"
    answer = ask("rdf", "IL-0480", "-o", str(file), "--format", "ntriples", "--base", base)
    assert answer.code == 0
    assert f"<{base}/case/IL-0480> " in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("part", ["ontology", "shapes"])
def test_what_ships_beside_the_data_is_turtle(run: Run, part: str) -> None:
    answer = run("rdf", "--part", part)
    assert answer.code == 0
    assert len(rdflib.Graph().parse(data=answer.out, format="turtle")) > 200


def test_the_context_is_json(run: Run) -> None:
    assert run("rdf", "--part", "context").json["@context"]["causedBy"]["@type"] == "@id"


def test_sparql_binds_values_and_prints_both_ways(ask: Run) -> None:
    text, data = ask("sparql", QUERY, "id=IL-0480"), ask("sparql", QUERY, "id=IL-0480", "--json")
    assert (text.code, data.code) == (0, 0)
    assert text.out.splitlines()[0] == "cause"
    assert all(row["cause"].startswith("cause:") for row in data.json)
    assert data.json


def test_nothing_found_ends_with_one(ask: Run) -> None:
    assert ask("sparql", QUERY, "id=IL-9999").code == 1
    assert ask("sparql", "ASK { case:IL-0480 kg:causedBy case:IL-0480 }").code == 1
    assert ask("sparql", "ASK { case:IL-0480 kg:causedBy ?any }").code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["sparql", "DROP ALL"], "would change something"),
        (["sparql", "SELECT * { SERVICE <https://a.example/> {} }"], "another machine"),
        (["sparql", QUERY, "IL-0480"], "NAME=VALUE"),
        (["rdf", "IL-9999"], "no case 'IL-9999'"),
        (["rdf", "IL-0480", "--base", "nowhere"], "absolute http(s) IRI"),
        (["rdf", "IL-0480", "-o", "/no/such/folder/it.ttl"], "it.ttl: No such file"),
        (["rdf", "--part", "shapes", "-o", "/no/such/folder/it.ttl"], "it.ttl: No such file"),
        (["rdf", "--check", "-o", "it.ttl"], "--check writes nothing"),
        (["rdf", "--check", "--file", "it.ttl", "IL-0480"], "not both"),
        (["rdf", "--check", "--file", "gone.ttl"], "cannot be read"),
        (["rdf", "--file", "it.ttl"], "goes with --check"),
    ],
)
def test_bad_use_ends_with_two(ask: Run, arguments: list[str], told: str) -> None:
    answer = ask(*arguments)
    assert answer.code == 2
    assert told in answer.err
    assert answer.out == ""


def test_a_check_says_that_the_data_conform(ask: Run) -> None:
    pytest.importorskip("pyshacl", reason="pip install 'incident-kg[rdf]'")
    english, korean = (ask("rdf", "IL-0480", "--check", "--lang", lang) for lang in ("en", "ko"))
    assert (english.code, korean.code) == (0, 0)
    assert english.out.startswith("1 cases, ")
    assert "they conform" in english.out
    assert "규칙에 맞습니다" in korean.out


def test_a_check_of_a_file_tells_what_is_wrong_with_it(run: Run, ask: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyshacl", reason="pip install 'incident-kg[rdf]'")
    file = tmp_path / "edited.ttl"
    assert ask("rdf", "IL-0480", "-o", str(file)).code == 0
    text = file.read_text(encoding="utf-8")
    assert "kg:status kg:status-confirmed" in text
    edited = text.replace("kg:status kg:status-confirmed", "kg:status kg:status-sure", 1)
    file.write_text(edited, encoding="utf-8")
    told = run("rdf", "--check", "--file", str(file))
    assert told.code == 2
    assert "confirmed, suspected or ruled out" in told.out
    assert "/case/IL-0480/claim/" in told.out
    data = run("rdf", "--check", "--file", str(file), "--json", "--lang", "ko").json
    assert data["conforms"] is False
    assert any("확정, 의심, 배제" in fault["message"] for fault in data["faults"])


def test_a_library_is_built_from_a_file_that_was_written(
    run: Run, quick: Library, tmp_path: Path
) -> None:
    for ending in ("ttl", "nt"):
        file, made = tmp_path / f"it.{ending}", tmp_path / f"{ending}.kg"
        quick.write_rdf(file, case_ids=["IL-0480", "IL-0023"])
        answer = run("build", str(file), "-o", str(made), "--encoder", "hash")
        assert (answer.code, answer.err.count("Problem")) == (0, 0)
        with kg.open_library(made) as again:
            assert dict(again.cases) == {i: quick.get(i) for i in ("IL-0023", "IL-0480")}
            assert again.vocabulary.schemes == quick.vocabulary.schemes
