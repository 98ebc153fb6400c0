"""Causes by level: where a cause stands, what lies above it, and what goes when it is ruled out."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from kg.graph import IncidentGraph
from kg.rca.causes import Causes, confirmed_causes, incidents_of
from kg.vocab import Vocabulary
from tests.helpers.tiny import make_case, term, tiny_cases, tiny_vocabulary
from tests.helpers.twins import upward


@pytest.fixture(scope="module")
def two_parents() -> Vocabulary:
    return tiny_vocabulary(
        term("cause:cable-cut", "cable cut", broader=["link-down", "software"]),
        term("cause:nameless", "a cause", unnamed=True, broader=["software"]),
    )


def test_level_one_holds_the_most_general_causes(two_parents: Vocabulary) -> None:
    causes = Causes(two_parents)
    assert causes.up(1)[0] == ("cause:hardware", "cause:software")
    assert causes.at("cause:ecc-error", 1) == {"cause:hardware"}


def test_level_two_holds_those_directly_below_and_classes_that_stand_for_themselves(
    two_parents: Vocabulary,
) -> None:
    causes = Causes(two_parents)
    assert causes.at("cause:ecc-error", 2) == {"cause:gpu-fault"}
    assert causes.at("cause:gpu-fault", 2) == {"cause:gpu-fault"}
    assert causes.at("cause:hardware", 2) == {"cause:hardware"}


def test_a_cause_of_several_parents_is_as_far_down_as_its_longest_way_up(
    two_parents: Vocabulary,
) -> None:
    causes = Causes(two_parents)
    assert causes.depth("cause:cable-cut") == 3
    assert causes.at("cause:cable-cut", 2) == {"cause:link-down"}
    assert causes.at("cause:cable-cut", 1) == {"cause:hardware", "cause:software"}


def test_without_a_level_each_cause_is_its_own(two_parents: Vocabulary) -> None:
    causes = Causes(two_parents)
    ids, member = causes.up(None)
    assert ids == causes.ids
    assert (member == np.eye(len(ids))).all()


def test_levels_of_the_shipped_scheme_are_the_longest_ways_of_networkx(
    vocabulary: Vocabulary,
) -> None:
    causes = Causes(vocabulary)
    graph = upward(vocabulary)
    for cause in causes.ids:
        above = graph.subgraph({*nx.descendants(graph, cause), cause})
        assert causes.depth(cause) == nx.dag_longest_path_length(above) + 1
        for level in (1, 2, 3):
            expected = {t for t in above if causes.depth(t) == level} or {cause}
            assert causes.at(cause, level) == expected


def test_a_deeper_cause_has_something_above_it_at_every_level(vocabulary: Vocabulary) -> None:
    causes = Causes(vocabulary)
    for cause in causes.ids:
        for level in range(1, causes.depth(cause) + 1):
            assert all(causes.depth(t) == level for t in causes.at(cause, level))


def test_causes_without_a_name_count_only_where_a_case_states_them(
    two_parents: Vocabulary,
) -> None:
    assert "cause:nameless" not in Causes(two_parents).ids
    assert "cause:nameless" in Causes(two_parents, ["cause:nameless"]).ids


def test_what_lies_below_goes_with_a_cause(two_parents: Vocabulary) -> None:
    causes = Causes(two_parents)
    gone = causes.below(["cause:hardware", "symptom:slow", "no such term"])
    left = {c for c, out in zip(causes.ids, gone, strict=True) if not out}
    assert left == {"cause:software", "cause:race", "cause:mismatch"}


def test_marks_say_which_case_states_which_cause(two_parents: Vocabulary) -> None:
    causes = Causes(two_parents)
    marks = causes.marks([["cause:race"], [], ["cause:race", "cause:hardware", "cause:race"]])
    found = [{causes.ids[i] for i in np.flatnonzero(row)} for row in marks]
    assert found == [{"cause:race"}, set(), {"cause:race", "cause:hardware"}]
    assert marks.max() == 1.0


def test_only_confirmed_causes_of_incidents_are_taught() -> None:
    graph = IncidentGraph(tiny_cases(), tiny_vocabulary())
    assert incidents_of(graph) == ["A-1", "A-2", "A-3", "B-1", "B-2"]
    assert confirmed_causes(graph, incidents_of(graph)) == {
        "A-1": ("cause:mismatch",),
        "A-2": ("cause:mismatch",),
        "A-3": ("cause:ecc-error",),
        "B-1": ("cause:gpu-fault",),
    }


def test_a_case_whose_causes_are_suspected_or_ruled_out_teaches_nothing() -> None:
    case = make_case(
        "X-1", ("cause", "cause:race", "suspected"), ("cause", "cause:mismatch", "ruled_out")
    )
    graph = IncidentGraph([case], tiny_vocabulary())
    assert confirmed_causes(graph, ["X-1"]) == {}
