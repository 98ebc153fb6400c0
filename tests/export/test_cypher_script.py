"""The Cypher script makes the graph, and no text of a case breaks out of its string."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg.export.cypher import literal
from kg.export.networks import flat_edges, flat_nodes
from kg.model import Case
from kg.store import Snapshot
from kg.vocab import Vocabulary
from tests.helpers.cypher_script import Reader, early, run_script
from tests.helpers.exports import NASTY, exported, graph_of, nasty_snapshot
from tests.helpers.libraries import make_snapshot
from tests.helpers.strategies import QUICK, WORLDS, worlds

WAYS: list[Callable[[str], str]] = [str, early]
"""Escapes of a sign by its number are read within strings only, or in the script beforehand."""


def script_of(snapshot: Snapshot, folder: Path) -> str:
    return (exported(snapshot, folder, "cypher") / "graph.cypher").read_text(encoding="utf-8")


def check_script(snapshot: Snapshot, script: str) -> None:
    graph = graph_of(snapshot)
    nodes, edges = run_script(script)
    assert nodes == {n: {"id": n, **data} for n, data in flat_nodes(graph)}
    assert edges == {
        (e.source, e.key, e.target): {"key": e.key, **e.data} for e in flat_edges(graph)
    }


@pytest.mark.parametrize("way", WAYS)
def test_nasty_texts_stay_texts(tmp_path: Path, way: Callable[[str], str]) -> None:
    snapshot = nasty_snapshot()
    check_script(snapshot, way(script_of(snapshot, tmp_path / "out")))


@WORLDS
@given(worlds())
def test_a_database_holds_the_graph_afterwards(
    tmp_path_factory: pytest.TempPathFactory, world: tuple[Vocabulary, list[Case]]
) -> None:
    snapshot = make_snapshot(world[1], world[0])
    script = script_of(snapshot, tmp_path_factory.mktemp("cypher") / "out")
    for way in WAYS:
        check_script(snapshot, way(script))


SIGNS = st.text("\\u'\"`0027005c\n\r\t;/{}$ 가\u200b\u2028\x00🔥", max_size=20)


@QUICK
@given(SIGNS)
@example("\\\u200b")
@example("\\u0027")
@example("\\\\u0027")
@example("\\")
@example("'")
def test_a_literal_is_read_as_the_text_and_ends_where_it_ends(text: str) -> None:
    for way in WAYS:
        reader = Reader(way(literal(text)) + ";")
        assert reader.value() == text
        assert reader.text[reader.at :] == ";"


@pytest.mark.parametrize("text", NASTY)
def test_a_literal_is_one_line(text: str) -> None:
    assert len(literal(text).splitlines()) == 1


@pytest.mark.parametrize("text", NASTY)
def test_no_backslash_of_a_text_stands_before_a_u_of_it(text: str) -> None:
    """Else some versions would make a quote of what follows."""
    assert "\\\\u" not in literal(text)


def test_truth_values_are_no_texts() -> None:
    assert (literal(True), literal(False)) == ("true", "false")


def test_edges_say_their_status_and_keep_their_evidence(tmp_path: Path) -> None:
    _, edges = run_script(script_of(nasty_snapshot(), tmp_path / "out"))
    ruled_out = edges["case:B-2", "CAUSED_BY/B-2#cause-1", "cause:mismatch"]
    assert ruled_out["status"] == "ruled_out"
    assert json.loads(ruled_out["evidence"])[0]["quote"] == "Fact 0 is cause:mismatch."
    assert {e["status"] for e in edges.values()} == {"confirmed", "suspected", "ruled_out"}


def test_labels_and_types_never_come_from_texts(tmp_path: Path) -> None:
    script = script_of(nasty_snapshot(), tmp_path / "out")
    bare = re.sub(r"'(?:\\.|[^'\\])*'", "''", script)
    assert set(re.findall(r"\(\w:(\w+)", bare)) <= {
        "Case", "Cause", "Trigger", "Factor", "Component", "Symptom", "Mitigation",
        "Organization", "Tool", "Source",
    }  # fmt: skip
    assert "DELETE" not in bare
    assert "DROP" not in bare


def test_many_rows_make_several_statements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = nasty_snapshot()
    whole = script_of(snapshot, tmp_path / "whole")
    monkeypatch.setattr("kg.export.cypher._AT_ONCE", 2)
    parts = script_of(snapshot, tmp_path / "parts")
    assert parts.count("UNWIND") > whole.count("UNWIND")
    assert run_script(parts) == run_script(whole)


def test_the_grammar_of_opencypher_takes_every_statement(tmp_path: Path) -> None:
    """Its parser is not ours; schema commands are no part of openCypher."""
    antlr4: Any = pytest.importorskip("antlr4")
    grammar: Any = pytest.importorskip("antlr4_cypher")
    lines = script_of(nasty_snapshot(), tmp_path / "out").split("\n")
    kept = [line for line in lines if not line.startswith(("CREATE CONSTRAINT", "//"))]
    # A row is one line and is set in; so a line that is not and ends in `;` ends a statement.
    ends = [i for i, line in enumerate(kept) if line.endswith(";") and not line.startswith(" ")]
    assert len(ends) > 15
    for first, last in zip([-1, *ends], ends, strict=False):
        text = "\n".join(kept[first + 1 : last + 1])
        lexer = grammar.CypherLexer(antlr4.InputStream(text))
        parser = grammar.CypherParser(antlr4.CommonTokenStream(lexer))
        parser.script()
        assert parser.getNumberOfSyntaxErrors() == 0, text
