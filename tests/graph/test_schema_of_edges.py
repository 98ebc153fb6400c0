"""The graph holds only edges that its schema table lists."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given

from kg.errors import SchemaError
from kg.graph import ALLOWED, NODE_KINDS, Edge, IncidentGraph, Relation, kind_of
from kg.graph.schema import DERIVED, check_edge, relation_of, relation_of_terms
from kg.library import Library
from kg.model import Case, ClaimKind, Role, TermRelation
from kg.readers.batch import SCHEME_OF_KIND
from kg.vocab import SCHEMES, Vocabulary
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import make_case, term, tiny_vocabulary


@pytest.mark.parametrize("relation", list(Relation))
def test_exactly_the_listed_kinds_may_be_joined(relation: Relation) -> None:
    for source, target in product(NODE_KINDS, NODE_KINDS):
        if (source, relation, target) in ALLOWED:
            check_edge(f"{source}:x", relation, f"{target}:y")
        else:
            with pytest.raises(SchemaError, match=str(relation)):
                check_edge(f"{source}:x", relation, f"{target}:y")


def test_every_relation_and_every_kind_is_in_the_table() -> None:
    assert {r for _, r, _ in ALLOWED} == set(Relation)
    assert {k for a, _, b in ALLOWED for k in (a, b)} == set(NODE_KINDS)


def test_an_illegal_edge_cannot_even_be_made() -> None:
    with pytest.raises(SchemaError, match="CAUSED_BY allows case → cause"):
        Edge("case:X-1", Relation.CAUSED_BY, "symptom:slow", "k")


@pytest.mark.parametrize(
    ("source", "target"), [("person:x", "cause:y"), ("", ""), ("case:x", "person:y")]
)
def test_a_node_of_no_known_kind_is_refused(source: str, target: str) -> None:
    with pytest.raises(SchemaError):
        check_edge(source, Relation.CAUSED_BY, target)


def test_each_kind_of_claim_becomes_a_legal_edge_to_each_of_its_schemes() -> None:
    for kind, schemes in SCHEME_OF_KIND.items():
        for role, scheme in product([None, *Role], schemes):
            assert ("case", relation_of(kind, role), scheme) in ALLOWED
    assert set(SCHEME_OF_KIND) == set(ClaimKind)


def test_a_vendor_is_involved_and_reports_nothing() -> None:
    assert relation_of(ClaimKind.ORGANIZATION, Role.OWNER) is Relation.REPORTED_BY
    assert relation_of(ClaimKind.ORGANIZATION, Role.RESEARCHER) is Relation.REPORTED_BY
    assert relation_of(ClaimKind.ORGANIZATION, Role.VENDOR) is Relation.INVOLVES


@pytest.mark.parametrize("relation", list(TermRelation))
def test_relations_of_terms_keep_their_name(relation: TermRelation) -> None:
    assert relation_of_terms(relation).value == relation.name


def test_a_kind_is_the_part_before_the_colon() -> None:
    assert kind_of("cause:a:b") == "cause"
    assert kind_of("source:https://example.org:8080/x") == "source"
    assert set(SCHEMES) < set(NODE_KINDS)


@pytest.mark.parametrize("relation", list(TermRelation))
@pytest.mark.parametrize(("source", "target"), list(product(SCHEMES, SCHEMES)))
def test_a_vocabulary_takes_just_the_relations_that_the_graph_takes(
    relation: TermRelation, source: str, target: str
) -> None:
    made = (
        term(f"{source}:odd", "odd", **{str(relation): [f"{target}:even"]}),
        term(f"{target}:even", "even"),
    )
    if (source, relation_of_terms(relation), target) in ALLOWED:
        IncidentGraph([make_case("X-1")], tiny_vocabulary(*made))
    else:
        with pytest.raises(SchemaError, match=f"{relation} cannot lead from {source}:odd"):
            tiny_vocabulary(*made)


def check_schema(graph: IncidentGraph) -> None:
    for source, target, data in graph.nx.edges(data=True):
        kinds = (graph.nx.nodes[source]["kind"], graph.nx.nodes[target]["kind"])
        assert (kinds[0], Relation(data["relation"]), kinds[1]) in ALLOWED
        assert (kinds[0] == kind_of(source), kinds[1] == kind_of(target)) == (True, True)
        assert data["derived"] is (Relation(data["relation"]) in DERIVED)


def test_every_shipped_edge_is_in_the_schema(quick: Library) -> None:
    check_schema(quick.graph)


@WORLDS
@given(worlds())
def test_every_random_edge_is_in_the_schema(world: tuple[Vocabulary, list[Case]]) -> None:
    check_schema(IncidentGraph(world[1], world[0]))
