"""Why two cases are alike: the verdict, what is shared, what differs, the paths and the words."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import IncidentGraph
from kg.library import Library
from kg.model import Case, Status
from kg.queries import Explanation, SameCause, make_explanation, plain, same_cause, shared_terms
from kg.queries.korean import josa
from kg.queries.sharing import KIND_ORDER, KIND_WEIGHTS, common_causes, confirmed_causes, contrasts
from kg.queries.tell import difference
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import QUICK, WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)


def explain(a: str, b: str, lang: str = "en") -> Explanation:
    return make_explanation(GRAPH, VOCABULARY, CASES[a], CASES[b], lang)


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (["race"], ["race"], "yes"),
        (["race", "link-down"], ["mismatch", "link-down"], "yes"),
        (["hardware"], ["hardware"], "unknown"),  # two hardware failures need not be one
        (["ecc-error"], ["gpu-fault"], "yes"),
        (["gpu-fault"], ["ecc-error"], "yes"),
        (["gpu-fault"], ["link-down"], "no"),
        (["race"], ["mismatch"], "no"),
        (["race"], ["hardware"], "no"),
        (["ecc-error"], ["hardware"], "unknown"),
        (["hardware"], ["gpu-fault"], "unknown"),
        (["hardware", "race"], ["gpu-fault", "race"], "yes"),
        ([], ["race"], "unknown"),
        (["race"], [], "unknown"),
        ([], [], "unknown"),
    ],
)
def test_the_verdict_on_two_lists_of_causes(
    left: list[str], right: list[str], verdict: str
) -> None:
    sides = {"X-1": left, "X-2": right}
    cases = [
        make_case(i, ("symptom", "symptom:slow"), *(("cause", f"cause:{s}") for s in slugs))
        for i, slugs in sides.items()
    ]
    graph = IncidentGraph(cases, VOCABULARY)
    assert same_cause(graph, VOCABULARY, "X-1", "X-2") == verdict
    assert same_cause(graph, VOCABULARY, "X-2", "X-1") == verdict
    named = common_causes(graph, VOCABULARY, "X-1", "X-2")
    assert bool(named) == (verdict == "yes")
    assert set(named) == set(common_causes(graph, VOCABULARY, "X-2", "X-1"))


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ("A-1", "A-2", SameCause.YES), ("A-3", "B-1", SameCause.YES), ("A-1", "A-3", SameCause.NO),
        ("A-1", "B-2", SameCause.UNKNOWN), ("B-1", "S-1", SameCause.NO),
    ],
)  # fmt: skip
def test_only_confirmed_causes_decide(a: str, b: str, verdict: SameCause) -> None:
    assert same_cause(GRAPH, VOCABULARY, a, b) is verdict


def test_the_primary_cause_comes_first() -> None:
    case = make_case(
        "X-1", ("cause", "cause:race", "confirmed", "secondary"),
        ("cause", "cause:link-down", "confirmed", "primary"),
        ("cause", "cause:mismatch", "suspected"),
        ("cause", "cause:race", "confirmed", "secondary"),
    )  # fmt: skip
    graph = IncidentGraph([case], VOCABULARY)
    assert confirmed_causes(graph, "X-1") == ["cause:link-down", "cause:race"]


def test_what_is_shared_is_told_causes_first_with_both_sides() -> None:
    found = shared_terms(GRAPH, VOCABULARY, "A-1", "A-2")
    assert [(s.term, s.steps) for s in found] == [
        ("cause:mismatch", (0, 0)), ("symptom:nccl-timeout", (0, 0)), ("component:nccl", (0, 0)),
    ]  # fmt: skip
    assert {e.case_id for e in found[0].left} == {"A-1"}
    assert {e.case_id for e in found[0].right} == {"A-2"}


def test_terms_meet_in_the_nearest_broader_one() -> None:
    (cause, *_) = shared_terms(GRAPH, VOCABULARY, "A-3", "S-1")
    assert (cause.term, cause.steps, cause.status) == ("cause:hardware", (2, 1), Status.CONFIRMED)
    (cause, *_) = shared_terms(GRAPH, VOCABULARY, "A-3", "B-1")
    assert (cause.term, cause.steps) == ("cause:gpu-fault", (1, 0))


@pytest.mark.parametrize(
    ("a", "b", "share"), [("A-1", "A-2", 1.0), ("A-3", "B-1", 0.5), ("A-3", "S-1", 0.125)]
)
def test_each_step_up_on_either_side_halves_the_weight(a: str, b: str, share: float) -> None:
    (one, *_), (two, *_) = (shared_terms(GRAPH, VOCABULARY, x, y) for x, y in ((a, b), (b, a)))
    assert one.weight == pytest.approx(share * one.rarity * KIND_WEIGHTS["cause"])
    assert two.weight == pytest.approx(one.weight)


def test_a_suspected_side_makes_the_sharing_suspected() -> None:
    cause = shared_terms(GRAPH, VOCABULARY, "B-2", "S-1")[0]
    assert (cause.term, cause.status) == ("cause:link-down", Status.SUSPECTED)


@WORLDS
@given(worlds(least=2))
def test_sharing_is_the_same_from_both_sides(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    for a in cases:
        for b in cases:
            if a.id < b.id:
                one = shared_terms(graph, vocabulary, a.id, b.id)
                two = shared_terms(graph, vocabulary, b.id, a.id)
                assert [(s.term, s.steps, s.status) for s in one] == [
                    (s.term, s.steps[::-1], s.status) for s in two
                ]
                assert same_cause(graph, vocabulary, a.id, b.id) is same_cause(
                    graph, vocabulary, b.id, a.id
                )


@WORLDS
@given(worlds(least=2))
def test_what_is_shared_can_be_found_in_networkx(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    a, b = cases[0].id, cases[1].id
    rows = {c.id: twins.weights(graph, vocabulary, c.id) for c in cases}
    counts = twins.frequencies(rows)
    found = shared_terms(graph, vocabulary, a, b)
    exact = {
        t for t, _ in _standing(graph, a) if t in {u for u, _ in _standing(graph, b)}
    }  # fmt: skip
    assert exact == {s.term for s in found if s.steps == (0, 0)}
    for s in found:
        assert s.steps[0] == min(
            twins.above(vocabulary, t).get(s.term, 99) for t, _ in _standing(graph, a)
        )
        assert s.steps[1] == min(
            twins.above(vocabulary, t).get(s.term, 99) for t, _ in _standing(graph, b)
        )
        assert s.rarity == pytest.approx(twins.rarity(counts[s.term], len(cases)))
        strength = min(max(twins.WEIGHT[str(e.status)] for e in side) for side in (s.left, s.right))
        assert s.weight == pytest.approx(
            s.rarity * KIND_WEIGHTS[s.kind] * strength * 0.5 ** sum(s.steps)
        )
    kinds = [KIND_ORDER.index(s.kind) for s in found]
    assert kinds == sorted(kinds)


def _standing(graph: IncidentGraph, case_id: str) -> list[tuple[str, str]]:
    """Terms that make a case alike others and are not ruled out, from networkx."""
    return [
        (t, str(d["status"])) for t, d in twins.edges_out(graph, case_id)
        if d["relation"] in twins.ALIKE and d["status"] != "ruled_out"
    ]  # fmt: skip


def test_what_one_rules_out_and_the_other_does_not_is_a_contrast() -> None:
    found = contrasts(GRAPH, "A-1", "B-2")
    assert [(c.term, str(c.left.status), str(c.right.status)) for c in found] == [
        ("cause:mismatch", "confirmed", "ruled_out")
    ]
    assert contrasts(GRAPH, "A-1", "A-2") == []


def check_paths(graph: IncidentGraph, found: Explanation) -> None:
    for path in found.paths:
        assert path.nodes[0] == f"case:{found.a}"
        assert path.nodes[-1] == f"case:{found.b}"
        assert len(path.steps) == len(path.nodes) - 1
        for (left, right), step in zip(
            zip(path.nodes, path.nodes[1:], strict=False), path.steps, strict=True
        ):
            assert {step.source, step.target} == {left, right}
            edges = (graph.nx.get_edge_data(step.source, step.target) or {}).values()
            assert str(step.relation) in {d["relation"] for d in edges}, f"no edge for {step}"
            assert any(d["status"] != "ruled_out" for d in edges)
        undirected = nx.Graph(graph.nx)
        assert nx.is_path(undirected, list(path.nodes))
    assert [p.weight for p in found.paths] == sorted((p.weight for p in found.paths), reverse=True)
    assert len({(p.nodes, p.steps) for p in found.paths}) == len(found.paths), (
        "a path is told twice"
    )


def test_every_step_of_every_shipped_path_is_an_edge(quick: Library) -> None:
    ids = sorted(quick.cases)
    for a, b in pairwise(ids):
        check_paths(quick.graph, quick.explain(a, b))


@WORLDS
@given(worlds(least=2))
def test_every_step_of_every_random_path_is_an_edge(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    for a, b in pairwise(cases):
        check_paths(graph, make_explanation(graph, vocabulary, a, b, "en"))
        check_paths(graph, make_explanation(graph, vocabulary, b, a, "ko"))


def test_a_cause_that_is_claimed_twice_gives_one_path_at_its_strongest() -> None:
    told = (
        ("cause", "cause:race", "suspected"),
        ("cause", "cause:race"),
        ("symptom", "symptom:slow"),
    )
    cases = [make_case("X-1", *told), make_case("X-2", ("symptom", "symptom:slow"))]
    graph = IncidentGraph(cases, VOCABULARY)
    found = make_explanation(graph, VOCABULARY, *cases, "en")
    check_paths(graph, found)
    (through,) = (p for p in found.paths if "cause:race" in p.nodes)
    assert through.status is Status.CONFIRMED


def test_paths_read_as_arrows() -> None:
    paths = [str(p) for p in explain("A-1", "A-2").paths]
    assert "case:A-1 -CAUSED_BY-> cause:mismatch <-CAUSED_BY- case:A-2" in paths
    assert paths[0].startswith("case:A-1 -CAUSED_BY->")
    assert (
        "case:A-1 -CAUSED_BY-> cause:mismatch -LEADS_TO-> symptom:nccl-timeout <-EXHIBITS- case:A-2"
        in paths
    )
    up = [str(p) for p in explain("A-3", "S-1").paths]
    assert (
        "case:A-3 -CAUSED_BY-> cause:ecc-error -BROADER-> cause:gpu-fault "
        "-BROADER-> cause:hardware <-BROADER- cause:link-down <-CAUSED_BY- case:S-1"
    ) in up


def test_what_only_one_case_has() -> None:
    found = explain("A-1", "A-2")
    assert found.only_a == {"trigger": ("trigger:upgrade",), "mitigation": ("mitigation:restart",)}
    assert found.only_b == {"cause": ("cause:race",), "component": ("component:pytorch",)}


@pytest.mark.parametrize(
    ("a", "b", "en", "ko"),
    [
        (
            "A-1",
            "A-2",
            "have the same root cause: mismatched collectives",
            "근본 원인이 같습니다: 집합 통신 어긋남",
        ),
        (
            "A-1",
            "A-3",
            "look alike but have different causes",
            "비슷해 보이지만 원인이 다릅니다",
        ),
        ("A-1", "B-2", "It is not known whether", "알 수 없습니다"),
    ],
)
def test_the_paragraph_opens_with_the_verdict_in_both_languages(
    a: str, b: str, en: str, ko: str
) -> None:
    assert en in explain(a, b).text.partition(".")[0]
    assert ko in explain(a, b, "ko").text
    assert str(explain(a, b)) == explain(a, b).text


def test_the_paragraph_names_what_is_shared_and_what_differs() -> None:
    text = explain("A-1", "B-2").text
    assert "Symptoms in common: NCCL timeout." in text
    assert "A-1 was caused by mismatched collectives" in text
    assert "B-2 has no confirmed cause (suspected: link down)" in text
    assert "B-2 rules out mismatched collectives, while A-1 does not." in text
    korean = explain("A-1", "B-2", "ko").text
    assert "공통 증상: NCCL 타임아웃." in korean
    assert "배제했지만" in korean
    assert "A-1의 원인은 집합 통신 어긋남" in korean


def test_a_suspected_common_cause_is_not_sold_as_shared() -> None:
    text = explain("B-2", "S-1").text
    assert "Both name link down, but at least one only suspects it." in text
    assert "share a confirmed" not in text


def test_causes_that_meet_further_up_are_told_as_a_class() -> None:
    assert "Their causes meet in the broader class hardware failure." in explain("B-1", "S-1").text
    assert "하드웨어 장애에서 만납니다" in explain("B-1", "S-1", "ko").text


def test_symptoms_of_one_case_only_are_told() -> None:
    text = difference(GRAPH, VOCABULARY, "A-3", "B-1", SameCause.YES, "en")
    assert text == "Only A-3 shows training job failure; only B-1 shows slow training."
    assert difference(GRAPH, VOCABULARY, "A-1", "A-2", SameCause.YES, "ko") == ""


def test_a_case_without_any_cause_says_so() -> None:
    case, other = (
        make_case("X-1", ("symptom", "symptom:slow")),
        make_case("X-2", ("cause", "cause:race")),
    )
    graph = IncidentGraph([case, other], VOCABULARY)
    text = make_explanation(graph, VOCABULARY, case, other, "en").text
    assert "X-1 states no cause" in text
    assert (
        "X-1은 원인이 적혀 있지 않음" in make_explanation(graph, VOCABULARY, case, other, "ko").text
    )


def test_a_long_list_is_cut_with_a_count() -> None:
    slugs = ["ecc-error", "gpu-fault", "link-down", "race", "mismatch", "hardware", "software"]
    told = [("cause", f"cause:{s}", "confirmed", "secondary") for s in slugs]
    cases = [make_case("X-1", *told), make_case("X-2")]
    graph = IncidentGraph(cases, VOCABULARY)
    assert "and 2 more" in make_explanation(graph, VOCABULARY, *cases, "en").text
    assert "그 밖에 2가지" in make_explanation(graph, VOCABULARY, *cases, "ko").text


@WORLDS
@given(worlds(least=2), st.sampled_from(["en", "ko"]))
def test_any_two_cases_can_be_explained(world: tuple[Vocabulary, list[Case]], lang: str) -> None:
    vocabulary, cases = world
    graph = IncidentGraph(cases, vocabulary)
    found = make_explanation(graph, vocabulary, cases[0], cases[1], lang)
    assert found.text
    assert "None" not in found.text
    assert "  " not in found.text
    assert found.lang == lang
    confirmed = [s for s in found.shared if s.kind == "cause" and s.status is Status.CONFIRMED]
    if found.same_cause is SameCause.YES:
        assert confirmed
        assert any(s.term.partition(":")[2] in found.text for s in confirmed)
    plain(found)


@pytest.mark.parametrize(
    ("word", "pair", "wanted"),
    [
        ("노드", "은/는", "노드는"), ("결함", "은/는", "결함은"), ("결함", "이/가", "결함이"),
        ("서버", "과/와", "서버와"), ("재시작", "과/와", "재시작과"), ("서울", "으로/로", "서울로"),
        ("부산", "으로/로", "부산으로"), ("노드", "으로/로", "노드로"),
        ("IL-0480", "은/는", "IL-0480은"), ("IL-0023", "은/는", "IL-0023은"),
        ("IL-2", "은/는", "IL-2는"),
        ("IL-1", "으로/로", "IL-1로"), ("IL-3", "으로/로", "IL-3으로"), ("IL-7", "을/를", "IL-7을"),
        ("IL-4", "을/를", "IL-4를"), ("NCCL", "이/가", "NCCL이"), ("NCCL", "으로/로", "NCCL로"),
        ("GPU", "을/를", "GPU를"), ("VPN", "이/가", "VPN이"), ("OOM", "으로/로", "OOM으로"),
        ("노드(A)", "은/는", "노드(A)는"), ("결함.", "은/는", "결함.은"),
        ("", "은/는", "는"), ("!!", "은/는", "!!는"),
    ],
)  # fmt: skip
def test_particles_fit_the_sound_before_them(word: str, pair: str, wanted: str) -> None:
    assert josa(word, pair) == wanted


@QUICK
@given(st.text(max_size=8), st.sampled_from(["은/는", "이/가", "을/를", "과/와", "으로/로"]))
def test_any_word_takes_one_particle_of_the_pair(word: str, pair: str) -> None:
    assert josa(word, pair) in {word + p for p in pair.split("/")}


def test_results_become_plain_json_values() -> None:
    import json

    found = plain(explain("A-1", "B-2"))
    assert json.loads(json.dumps(found)) == found
    assert found["same_cause"] == "unknown"
    assert found["contrasts"][0]["right"]["status"] == "ruled_out"
    assert plain({1: {"b", "a"}, "x": (CASES["A-1"].dates[0],)}) == {
        "1": ["a", "b"],
        "x": [{"kind": "published", "at": "2024-03-01", "approx": False}],
    }
    assert plain(CASES["A-1"].sort_date()) == "2024-03-01"


def test_a_shared_secondary_cause_is_not_called_the_root_cause() -> None:
    cases = [
        make_case(
            f"X-{i}",
            ("cause", f"cause:{own}", "confirmed", "primary"),
            ("cause", "cause:ecc-error", "confirmed", "secondary"),
        )
        for i, own in ((1, "race"), (2, "mismatch"))
    ]
    graph = IncidentGraph(cases, VOCABULARY)
    text = make_explanation(graph, VOCABULARY, *cases, "en").text
    assert text.startswith("X-1 and X-2 share a confirmed cause: ")
    assert "root cause" not in text


def test_a_class_in_which_causes_meet_is_not_named_as_shared() -> None:
    cases = [
        make_case("X-1", ("cause", "cause:ecc-error"), ("cause", "cause:race")),
        make_case("X-2", ("cause", "cause:hardware"), ("cause", "cause:race")),
    ]
    graph = IncidentGraph(cases, VOCABULARY)
    assert common_causes(graph, VOCABULARY, "X-1", "X-2") == ["cause:race"]
