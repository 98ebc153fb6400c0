"""`kg rdf` writes files that others read, `kg sparql` answers; both tell bad use clearly."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib

import kg
from kg.library import Library
from tests.cli.conftest import Run
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

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


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library file with a small vocabulary: a check of it is quick."""
    pytest.importorskip("pyshacl", reason="pip install 'incident-kg[rdf]'")
    path = tmp_path_factory.mktemp("tiny") / "tiny.kg"
    kg.build_library(tiny_cases()[:2], path, vocabulary=tiny_vocabulary(), encoder="hash").close()
    return path


def test_a_check_says_that_the_data_conform(run: Run, tiny: Path) -> None:
    answer = run("rdf", "A-1", "--check", "-l", str(tiny), "--lang", "ko")
    assert answer.code == 0
    assert answer.out.startswith("사례 1건, 트리플 ")
    assert "규칙에 맞습니다" in answer.out


def test_a_check_of_a_file_tells_what_is_wrong_with_it(
    run: Run, tiny: Path, tmp_path: Path
) -> None:
    file = tmp_path / "edited.ttl"
    assert run("rdf", "A-1", "-o", str(file), "-l", str(tiny)).code == 0
    text = file.read_text(encoding="utf-8")
    assert "kg:status kg:status-confirmed" in text
    edited = text.replace("kg:status kg:status-confirmed", "kg:status kg:status-sure", 1)
    file.write_text(edited, encoding="utf-8")
    told = run("rdf", "--check", "--file", str(file))
    assert told.code == 2
    assert "faults in 1 cases:" in told.out
    assert "confirmed, suspected or ruled out" in told.out
    assert "/case/A-1/claim/" in told.out


def test_a_library_is_built_from_a_file_that_was_written(
    run: Run, tiny: Path, tmp_path: Path
) -> None:
    file, made = tmp_path / "it.ttl", tmp_path / "mine.kg"
    assert run("rdf", "-o", str(file), "-l", str(tiny)).code == 0
    answer = run("build", str(file), "-o", str(made), "--encoder", "hash")
    assert answer.code == 0
    with kg.open_library(made) as again, kg.open_library(tiny) as before:
        assert dict(again.cases) == dict(before.cases)
        assert again.vocabulary.schemes == before.vocabulary.schemes


def test_what_is_wrong_with_an_rdf_file_is_told(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "it.ttl"
    file.write_text("<u:a> <u:b>", encoding="utf-8")
    answer = run("build", str(file), "-o", str(tmp_path / "mine.kg"), "--encoder", "hash")
    assert answer.code == 2
    assert f"{file}" in answer.err
    assert "not valid turtle" in answer.err
