"""F23 to F27: sources, references, related cases, the check, the block for scripts."""

from __future__ import annotations

import socket

import pytest

import kg
from kg.graph import IncidentGraph, Relation
from kg.model import FieldState, Source
from kg.readers import shipped


def test_f23_sources(quick, tmp_path, monkeypatch):
    (source,) = quick.get("IL-0417").sources
    assert source.locator == "https://arxiv.org/abs/2505.05713"
    assert (source.kind, source.archived) == ("paper", True)
    rows = quick.sql("SELECT list, locator, kind, archived FROM sources WHERE case_id = 'IL-0417'")
    assert rows.rows == (("source", source.locator, "paper", True),)

    # The address need not answer: no part of a case is fetched.
    def refuse(*_):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    file = shipped("cases") / "IL-0417.json"
    with kg.build_library(file, tmp_path / "offline.duckdb", encoder="hash") as lib:
        assert lib.get("IL-0417") == quick.get("IL-0417")
        assert lib.search("planned GC", threshold=0.0).ids == ("IL-0417",)
        hashes = lib.sql("SELECT content_hash FROM cases").rows
    assert len(hashes[0][0]) == 64  # what is kept is kept with its SHA-256


def test_f24_reference_documents(quick):
    case = quick.get("IL-0480")
    assert case.references is None
    assert case.sources
    reference = Source(kind="document", title="Join", locator="https://example.org/join")
    with_reference = case.model_copy(update={"references": (reference,)})
    assert with_reference.sources == case.sources
    graph = IncidentGraph([with_reference], quick.vocabulary)
    cited = [e.target for e in graph.edges_of("IL-0480", Relation.CITES)]
    assert cited == [f"source:{s.locator}" for s in case.sources]


def test_f25_related_cases(quick):
    for case in quick.cases.values():
        assert case.field_state("related") is FieldState.NOT_STATED
    none = quick.get("IL-0428").model_copy(update={"related": ()})
    assert none.field_state("related") is FieldState.NONE
    # What is computed stays out of the curated field.
    assert len(quick.similar("IL-0428", k=7)) == 7
    assert quick.sql("SELECT count(*) FROM similarity WHERE case_id = 'IL-0428'").rows == ((7,),)
    assert quick.get("IL-0428").related is None
    assert not [e for e in quick.graph.edges if e.relation is Relation.RELATED_TO]
    assert quick.sql("SELECT count(*) FROM links WHERE relation = 'RELATED_TO'").rows == ((0,),)


def test_f26_exposure_check(quick):
    for case_id, case in quick.cases.items():
        edges = quick.graph.edges_of(case_id, Relation.CHECKED_BY)
        assert [e.target for e in edges if e.role == "exposure_check"] == ["tool:kubegap"]
        assert case.field_state("check") is FieldState.STATED


@pytest.mark.parametrize("case_id", ["IL-0428", "IL-0417"])
def test_f27_block_for_scripts(quick, case_id):
    links = {link.rel: link.href for link in quick.get(case_id).links}
    assert set(links) == {"json", "similar", "mcp"}
    assert links["json"].endswith(f"/cases/{case_id}")
    assert links["similar"] == links["json"] + "/similar"
    assert links["mcp"].endswith("/mcp")
