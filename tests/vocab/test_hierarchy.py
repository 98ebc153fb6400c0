"""Broader and narrower terms, judged by plain networkx; and what makes a vocabulary unsound."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

from kg.errors import SchemaError
from kg.model import TermRelation
from kg.vocab import SCHEMES, Vocabulary
from kg.vocab import faults_of as vocabulary_faults
from tests.helpers.strategies import QUICK, vocabularies
from tests.helpers.tiny import scheme, term, tiny_vocabulary
from tests.helpers.twins import upward

TINY = tiny_vocabulary()


@QUICK
@given(vocabularies())
def test_steps_up_are_shortest_paths(vocabulary: Vocabulary) -> None:
    graph = upward(vocabulary)
    for term_id in vocabulary.terms:
        judge = dict(nx.single_source_shortest_path_length(graph, term_id))
        assert vocabulary.broader_steps(term_id) == judge


@QUICK
@given(vocabularies())
def test_everything_below_is_every_ancestor_in_the_upward_graph(vocabulary: Vocabulary) -> None:
    graph = upward(vocabulary)
    for term_id in vocabulary.terms:
        assert vocabulary.narrower_all(term_id) == nx.ancestors(graph, term_id) | {term_id}


@QUICK
@given(vocabularies())
def test_directly_narrower_terms_and_the_top(vocabulary: Vocabulary) -> None:
    graph = upward(vocabulary)
    for term_id in vocabulary.terms:
        assert vocabulary.narrower.get(term_id, ()) == tuple(sorted(graph.predecessors(term_id)))
        above = nx.descendants(graph, term_id) | {term_id}
        assert vocabulary.top(term_id) in {t for t in above if graph.out_degree(t) == 0}


def test_a_readable_example() -> None:
    assert TINY.broader_steps("cause:ecc-error") == {
        "cause:ecc-error": 0,
        "cause:gpu-fault": 1,
        "cause:hardware": 2,
    }
    assert TINY.narrower_all("cause:gpu-fault") == {"cause:gpu-fault", "cause:ecc-error"}
    assert TINY.top("cause:ecc-error") == "cause:hardware"
    assert TINY.top("cause:hardware") == "cause:hardware"


def test_with_two_ways_up_the_shorter_counts() -> None:
    terms = (
        term("cause:top", "top"),
        term("cause:mid", "mid", broader=["top"]),
        term("cause:low", "low", broader=["mid", "top"]),
    )
    vocabulary = Vocabulary([scheme("cause", *terms)])
    assert vocabulary.broader_steps("cause:low")["cause:top"] == 1


def faults_of(*terms: tuple[str, dict[str, list[str]]]) -> str:
    made = [term(i, i.partition(":")[2], **more) for i, more in terms]
    names = sorted({t.scheme for t in made})
    with pytest.raises(SchemaError) as caught:
        Vocabulary(scheme(n, *(t for t in made if t.scheme == n)) for n in names)
    return str(caught.value)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_cycle_of_broader_terms_is_refused(length: int) -> None:
    ring = [(f"cause:t{i}", {"broader": [f"t{(i + 1) % length}"]}) for i in range(length)]
    said = faults_of(*ring)
    assert said.count("form a cycle") == length


def test_a_broader_term_must_exist_in_the_same_scheme() -> None:
    said = faults_of(("cause:a", {"broader": ["nowhere", "symptom:b"]}), ("symptom:b", {}))
    assert "broader 'cause:nowhere' is no term of this scheme" in said
    assert "broader 'symptom:b' is no term of this scheme" in said


@pytest.mark.parametrize("relation", list(TermRelation))
def test_a_relation_must_lead_to_a_term(relation: TermRelation) -> None:
    said = faults_of(("component:a", {str(relation): ["component:gone"]}))
    assert f"component:a: {relation} 'component:gone' does not exist" in said


@pytest.mark.parametrize("relation", ["broader", "part_of", "depends_on"])
def test_a_relation_is_named_once(relation: str) -> None:
    said = faults_of(
        ("component:a", {relation: ["component:b", "component:b"]}), ("component:b", {})
    )
    assert f"{relation} names 'component:b' 2 times" in said


def test_an_id_stands_once_and_in_its_own_scheme() -> None:
    a = term("cause:a", "a")
    with pytest.raises(SchemaError) as caught:
        Vocabulary([scheme("cause", a, a), scheme("symptom", term("trigger:x", "x"))])
    assert "cause:a: the id stands twice in scheme cause" in str(caught.value)
    assert "trigger:x: does not belong in scheme symptom" in str(caught.value)


def test_all_faults_are_told_together() -> None:
    said = faults_of(("cause:a", {"broader": ["a"]}), ("cause:b", {"broader": ["gone"]}))
    assert "form a cycle" in said
    assert "cause:gone" in said


def test_the_shipped_vocabulary_has_all_schemes_and_both_languages(vocabulary: Vocabulary) -> None:
    assert set(vocabulary.schemes) == set(SCHEMES)
    for found in vocabulary.terms.values():
        assert found.definition.languages == ("en", "ko"), f"define {found.id} in en and ko"
        assert found.label.get("en"), f"label {found.id} in English"


def test_terms_know_scheme_slug_and_relations() -> None:
    loader = TINY.get("component:loader")
    assert (loader.scheme, loader.slug) == ("component", "loader")
    assert loader.related(TermRelation.PART_OF) == ("component:pytorch",)
    assert loader.related(TermRelation.DEPENDS_ON) == ()
    assert TINY.get("symptom:nccl-timeout").spellings() == (
        ("en", "NCCL timeout"), ("ko", "NCCL 타임아웃"), ("en", "watchdog timeout"),
        ("zxx", "ncclTimeout"),
    )  # fmt: skip


def test_what_hangs_below_a_cycle_is_not_called_one() -> None:
    said = faults_of(
        ("cause:a", {"broader": ["b"]}),
        ("cause:b", {"broader": ["a", "top"]}),
        ("cause:below", {"broader": ["a"]}),
        ("cause:top", {}),
    )
    assert said.count("form a cycle") == 2
    assert "cause:below" not in said


def test_a_scheme_must_be_known_and_is_told_once() -> None:
    odd = term("reason:a", "a", part_of=["reason:gone"], variant_of=["cause:b"])
    with pytest.raises(SchemaError) as caught:
        Vocabulary([scheme("reason", odd), scheme("cause", term("cause:b", "b"))])
    said = str(caught.value)
    assert "reason: there is no scheme 'reason'. Use one of cause, trigger, " in said
    assert said.count("\n") == 1


def test_two_schemes_of_one_name_are_refused() -> None:
    with pytest.raises(SchemaError, match="the scheme 'cause' stands twice"):
        Vocabulary([scheme("cause", term("cause:a", "a")), scheme("cause", term("cause:b", "b"))])


def test_each_fault_says_what_to_do() -> None:
    made = [
        scheme("reason"),
        scheme(
            "cause",
            term("cause:a", "a", broader=["gone", "b"]),
            term("cause:b", "b", broader=["a"], part_of=["cause:a"], variant_of=["cause:x"]),
            term("cause:b", "b"),
            term("trigger:c", "c", depends_on=["tool:x", "tool:x"]),
        ),
    ]
    faults = vocabulary_faults(made)
    assert len(faults) >= 7
    assert all(f.message and f.remedy and f.path for f in faults)
