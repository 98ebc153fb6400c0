"""Oxigraph and rdflib read the same records out of a file, and both say what cannot be read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kg.errors import InputError, Problem
from kg.export.rdf import ENDINGS, rdf_parts, write_rdf
from kg.readers import read_rdf
from kg.readers.rdf_files import has_oxigraph, is_rdf, read_graph, read_triples
from kg.readers.rdf_names import DEFAULT_BASE
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

pytest.importorskip("pyoxigraph", reason="pip install 'incident-kg[rdf]'")

NASTY = '"\\> . <x> \t\u0001\u2028\u202e\U000e0041 \'\'\'""" ${x} \x85 한글 😀\r end'


@contextmanager
def without_oxigraph() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pyoxigraph", None)
        assert not has_oxigraph()
        yield
    assert has_oxigraph()


@pytest.mark.parametrize("ending", ENDINGS)
def test_both_read_the_same_records(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"it{ending}"
    cases = [*tiny_cases(), make_case("N-1", severity=NASTY, time_to_detect={"seconds": 1 / 3})]
    parts = rdf_parts(cases, tiny_vocabulary(), DEFAULT_BASE)
    write_rdf(parts, ENDINGS[ending], DEFAULT_BASE, file)
    found = read_rdf(file)
    assert found.problems == ()
    assert found.cases == tuple(sorted(cases, key=lambda c: c.id))
    with without_oxigraph():
        assert read_rdf(file) == found


@pytest.mark.parametrize("ending", ENDINGS)
def test_both_give_the_same_triples(ending: str, tmp_path: Path) -> None:
    """Word for word, with the language of each literal."""
    file = tmp_path / f"it{ending}"
    parts = rdf_parts(tiny_cases(), tiny_vocabulary(), DEFAULT_BASE)
    write_rdf(parts, ENDINGS[ending], DEFAULT_BASE, file)
    one = read_triples(file)
    with without_oxigraph():
        other = read_triples(file)
    assert not isinstance(one, Problem)
    assert not isinstance(other, Problem)
    sets = [
        [(str(s), str(p), str(o), getattr(o, "language", None)) for s, p, o in triples]
        for triples in (one, other)
    ]
    assert sorted(sets[0], key=str) == sorted(sets[1], key=str)
    assert len(set(sets[0])) == len(sets[0]) > 300


def test_a_line_is_told_where_the_parser_knows_it(tmp_path: Path) -> None:
    file = tmp_path / "it.ttl"
    file.write_text("<u:a> <u:b> <u:c> .\n<u:a> <u:b> nope .\n", encoding="utf-8")
    (problem,) = read_rdf(file).problems
    assert (problem.line, problem.file) == (2, str(file))
    with without_oxigraph():
        (problem,) = read_rdf(file).problems
        assert "not valid turtle" in problem.message


def test_a_triple_in_two_graphs_is_one(tmp_path: Path) -> None:
    file = tmp_path / "it.trig"
    file.write_text("<u:g> { <u:a> <u:b> 'c'@en } <u:h> { <u:a> <u:b> 'c'@en }", encoding="utf-8")
    for _ in range(2):
        triples = read_triples(file)
        assert not isinstance(triples, Problem)
        assert len(list(triples)) == 1


def test_a_graph_of_a_file_is_one_of_rdflib_or_an_error(tmp_path: Path) -> None:
    file = tmp_path / "it.nt"
    file.write_text("<u:a> <u:b> <u:c> .\n", encoding="utf-8")
    assert len(read_graph(file)) == 1
    file.write_text("<u:a> <u:b> .\n", encoding="utf-8")
    for path in (file, tmp_path / "gone.ttl", tmp_path / "it.rdf"):
        with pytest.raises(InputError, match=path.name):
            read_graph(path)


def test_a_name_tells_what_is_rdf() -> None:
    assert is_rdf("a/b.TTL")
    assert is_rdf(Path("x.trig"))
    assert not is_rdf("x.json")
    assert not is_rdf("ttl")
