"""Patterns among incidents: what comes together, what is left out, and brute force as the judge."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.graph import IncidentGraph
from kg.model import Case
from kg.queries.chance import wilson
from kg.queries.holding import KINDS
from kg.queries.patterns import Part, Patterns, patterns
from kg.vocab import Vocabulary
from tests.helpers import twins
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import Told, make_case, tiny_vocabulary
from tests.helpers.tiny import term as make_term
from tests.queries.test_chance import exactly

VOCABULARY = tiny_vocabulary()
TOGETHER: tuple[Told, ...] = (("cause", "cause:ecc-error"), ("symptom", "symptom:slow"))


def of(cases: list[Case], **asked: object) -> Patterns:
    return patterns(IncidentGraph(cases, VOCABULARY), VOCABULARY, cases, **asked)  # type: ignore[arg-type]


def world(*more: Case, together: int = 5, others: int = 20) -> list[Case]:
    """Cases of which some have an ECC error and slow training, and the others a race."""
    found = [make_case(f"T-{i:02}", *TOGETHER) for i in range(together)]
    return [
        *found,
        *(make_case(f"O-{i:02}", ("cause", "cause:race")) for i in range(others)),
        *more,
    ]


def names(found: Patterns) -> list[tuple[str, ...]]:
    return [tuple(p.term for p in item.terms) for item in found]


def test_two_terms_that_always_come_together_are_a_pattern() -> None:
    found = of(world())
    assert names(found) == [("cause:ecc-error", "symptom:slow")]
    (item,) = found
    assert item.terms == (Part("cause", "cause:ecc-error"), Part("symptom", "symptom:slow"))
    assert (item.n, item.of, item.cases) == (5, 25, tuple(f"T-{i:02}" for i in range(5)))
    assert (item.share, item.low, item.high) == (0.2, *wilson(5, 25))
    assert (item.expected, item.lift) == (1.0, 5.0)
    assert item.p == pytest.approx(float(exactly(5, 5, 5, 25)))
    assert {(e.case_id, e.target) for e in item.evidence} == {
        (c, t) for c in item.cases for _, t in TOGETHER
    }
    assert found.note.startswith("Coming together is not causing")


def test_a_broader_term_with_the_same_cases_is_not_told_again() -> None:
    told = [p.term for item in of(world()) for p in (*item.terms, *item.also)]
    assert "cause:gpu-fault" not in told
    assert "cause:hardware" not in told


def test_a_broader_term_that_covers_more_can_make_the_pattern() -> None:
    more = [
        make_case(f"U-{i}", ("cause", "cause:link-down"), ("symptom", "symptom:slow"))
        for i in range(5)
    ]
    assert ("cause:hardware", "symptom:slow") in names(of(world(*more)))


def test_a_term_and_what_lies_above_it_are_no_pattern() -> None:
    cases = [make_case(f"C-{i}", ("cause", "cause:ecc-error")) for i in range(6)]
    cases += [make_case(f"D-{i}", ("cause", "cause:gpu-fault")) for i in range(3)]
    cases += [make_case(f"E-{i}") for i in range(20)]
    found = of(cases)
    assert (found.total, found.total_weaker) == (0, 0)


def test_a_part_and_its_whole_are_no_pattern() -> None:
    told = (("component", "component:loader"), ("component", "component:pytorch"))
    cases = [make_case(f"C-{i}", *told) for i in range(6)]
    found = of([*cases, *(make_case(f"E-{i}") for i in range(20))])
    assert (found.total, found.total_weaker) == (0, 0)


def test_what_all_of_its_cases_share_besides_is_told_with_it() -> None:
    third = ("component", "component:a100")
    cases = [make_case(f"T-{i}", *TOGETHER, third) for i in range(5)]
    found = of([*cases, *(make_case(f"E-{i}") for i in range(20))])
    assert len(found) == 1
    every = {p.term for p in (*found[0].terms, *found[0].also)}
    assert every == {"cause:ecc-error", "symptom:slow", "component:a100"}


def test_suspected_claims_make_no_pattern_and_are_told_apart() -> None:
    doubtful = make_case("S-1", ("cause", "cause:ecc-error", "suspected"), TOGETHER[1])
    denied = make_case("R-1", ("cause", "cause:ecc-error", "ruled_out"), TOGETHER[1])
    (item,) = of(world(doubtful, denied))
    assert item.n == 5
    assert item.suspected == ("S-1",)
    only = [
        make_case(f"S-{i}", ("cause", "cause:race", "suspected"), TOGETHER[1]) for i in range(6)
    ]
    assert of([*only, *(make_case(f"E-{i}") for i in range(20))]).total == 0


def test_studies_and_series_are_not_counted() -> None:
    many = [make_case(f"S-{i}", *TOGETHER, kind=k) for i, k in enumerate(["study", "series"] * 5)]
    found = of([*many, *world(together=2)])
    assert (found.of, found.total) == (22, 0)


def test_few_cases_are_kept_among_the_weaker_ones() -> None:
    found = of(world(together=2, others=6), minimum=2)
    assert found.items == ()
    assert found.total_weaker == len(found.weaker) == 1
    assert found.weaker[0].q > 0.05


def test_the_minimum_grows_with_the_library() -> None:
    assert of(world()).minimum == 3
    plain = make_case("P-0")
    assert of([plain.model_copy(update={"id": f"P-{i}"}) for i in range(1000)]).minimum == 5


def test_triggers_and_mitigations_are_combined_on_request() -> None:
    told = (("trigger", "trigger:upgrade"), ("mitigation", "mitigation:restart"))
    later = ("follow_up", "mitigation:restart")
    cases = [make_case(f"C-{i}", *told) for i in range(5)]
    cases += [make_case(f"F-{i}", later) for i in range(5)]
    cases += [make_case(f"E-{i}") for i in range(15)]
    assert of(cases).total == 0
    found = of(cases, kinds=("mitigation", "trigger", "follow_up"))
    assert found.kinds == ("trigger", "mitigation", "follow_up")
    assert [p.kind for p in found[0].terms] == ["trigger", "mitigation"]


def test_one_organization_behind_it_is_told() -> None:
    owner = ("organization", "organization:alpha")
    cases = [make_case(f"T-{i}", *TOGETHER, owner) for i in range(5)]
    (item,) = of([*cases, *(make_case(f"E-{i}") for i in range(20))])
    assert item.organizations == ("organization:alpha",)


def test_cases_in_which_one_quotation_says_both_are_counted() -> None:
    def both(case_id: str) -> Case:
        case = make_case(case_id, *TOGETHER)
        cause, symptom = case.claims
        told = symptom.model_copy(update={"evidence": cause.evidence})
        return case.model_copy(update={"claims": (cause, told)})

    cases = [both(f"T-{i}") for i in range(3)] + [make_case(f"U-{i}", *TOGETHER) for i in range(3)]
    (item,) = of([*cases, *(make_case(f"E-{i}") for i in range(20))])
    assert (item.n, item.one_quote) == (6, 3)


def test_each_size_that_is_asked_for_shares_the_error() -> None:
    (alone,), (shared,) = of(world(), sizes=(2,)), of(world())
    assert alone.q == pytest.approx(alone.p * of(world()).looked_at[2])
    assert shared.q == pytest.approx(3 * alone.q)


def test_a_limit_shows_the_first_and_counts_all() -> None:
    pairs = [("cause:race", "symptom:slow"), ("cause:mismatch", "symptom:failure")]
    cases = [
        make_case(f"{cause[6:8]}-{i}", ("cause", cause), ("symptom", symptom))
        for cause, symptom in pairs
        for i in range(6)
    ]
    cases += [make_case(f"E-{i}") for i in range(20)]
    every, one = of(cases), of(cases, limit=1)
    assert (every.total, one.total) == (2, 2)
    assert one.items == every.items[:1]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"kinds": ()}, "give the kinds as a list"),
        ({"kinds": "cause"}, "give the kinds as a list"),
        ({"kinds": ("cause", "reason")}, "no kind 'reason' here"),
        ({"sizes": ()}, "sizes are numbers from 2 to 4"),
        ({"sizes": (1, 2)}, "sizes are numbers from 2 to 4"),
        ({"sizes": (5,)}, "sizes are numbers from 2 to 4"),
        ({"minimum": 0}, "minimum must be 1 or more"),
        ({"limit": 0}, "limit must be 1 or more"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: dict[str, object], said: str) -> None:
    with pytest.raises(BadQuery, match=said):
        of(world(), **asked)


def test_of_no_incident_nothing_comes_together() -> None:
    found = of([make_case("S-1", *TOGETHER, kind="study")])
    assert (found.of, found.items, found.weaker, found.looked_at) == (0, (), (), {2: 0, 3: 0, 4: 0})


def test_variants_below_and_above_are_kept_apart_too() -> None:
    vocabulary = tiny_vocabulary(
        make_term("component:shell", "shell"),
        make_term("component:bash", "bash", broader=["shell"], variant_of=["component:pytorch"]),
        make_term("component:bash-5", "bash 5", broader=["bash"]),
    )
    told = (("component", "component:bash-5"), ("component", "component:pytorch"))
    cases = [make_case(f"C-{i}", *told) for i in range(6)]
    cases += [make_case(f"E-{i}") for i in range(20)]
    found = patterns(IncidentGraph(cases, vocabulary), vocabulary, cases)
    assert (found.total, found.total_weaker) == (0, 0)


RELATION = {kind: str(relation) for kind, relation in KINDS.items()}


def held_by(graph: IncidentGraph, vocabulary: Vocabulary, ids: list[str]) -> dict[Part, set[str]]:
    """Term → its cases, of the four usual kinds, from the networkx graph."""
    return {
        Part(kind, t.id): twins.cases_with(
            graph, vocabulary, ids, t.id, [RELATION[kind]], ["confirmed"]
        )
        for kind in ("component", "cause", "factor", "symptom")
        for t in vocabulary.of(kind)
    }


def by_trying_all(
    graph: IncidentGraph, vocabulary: Vocabulary, ids: list[str], minimum: int
) -> dict[frozenset[str], float]:
    """Each set of incidents that makes a pattern → the least p × looked_at."""
    held = {p: cases for p, cases in held_by(graph, vocabulary, ids).items() if cases}

    def repeats(part: Part) -> bool:
        below = twins.below(vocabulary, part.term) - {part.term}
        return any(held.get(Part(part.kind, b)) == held[part] for b in below)

    def kin(a: Part, b: Part) -> bool:
        return a.term in twins.above(vocabulary, b.term) or b.term in twins.above(
            vocabulary, a.term
        )

    told = sorted(
        (p for p in held if len(held[p]) >= minimum and not repeats(p)), key=lambda p: p.term
    )
    found: dict[frozenset[str], float] = {}
    for size in (2, 3, 4):
        for parts in combinations(told, size):
            cover = frozenset.intersection(*(frozenset(held[p]) for p in parts))
            if len(cover) < minimum or any(kin(a, b) for a, b in combinations(parts, 2)):
                continue
            sides = []
            for k in range(1, size):
                for left in combinations(parts, k):
                    a = set.intersection(*(held[p] for p in left))
                    b = set.intersection(*(held[p] for p in set(parts) - set(left)))
                    sides.append((len(a), len(b)))
            if len(cover) * len(ids) > max(a * b for a, b in sides):
                p = float(max(exactly(len(cover), a, b, len(ids)) for a, b in sides))
                surprise = p * math.comb(len(told), size)
                found[cover] = min(surprise, found.get(cover, math.inf))
    return found


_TERMS = (
    "cause:hardware", "cause:gpu-fault", "cause:ecc-error", "cause:race", "symptom:failure",
    "symptom:nccl-timeout", "symptom:slow", "component:gpu", "component:a100", "factor:no-alert",
)  # fmt: skip


@st.composite
def dense(draw: st.DrawFn) -> list[Case]:
    """Cases that draw on ten terms, so that many of them share several."""
    statuses = st.sampled_from(["confirmed", "confirmed", "confirmed", "suspected", "ruled_out"])
    cases = []
    for i in range(draw(st.integers(3, 10))):
        terms = draw(st.lists(st.sampled_from(_TERMS), max_size=5, unique=True))
        told = [(t.partition(":")[0], t, draw(statuses)) for t in terms]
        kind = draw(st.sampled_from(["incident", "incident", "incident", "study"]))
        cases.append(make_case(f"C-{i:02}", *told, kind=kind))
    return cases


@QUICK
@given(dense(), st.integers(1, 2))
def test_brute_force_finds_the_same_patterns(cases: list[Case], minimum: int) -> None:
    graph = IncidentGraph(cases, VOCABULARY)
    ids = [c.id for c in cases if c.kind == "incident"]
    found = patterns(graph, VOCABULARY, cases, minimum=minimum, limit=1000)
    wanted = by_trying_all(graph, VOCABULARY, ids, minimum)
    every = (*found.items, *found.weaker)
    assert sorted(i.cases for i in every) == sorted(tuple(sorted(c)) for c in wanted)
    held = held_by(graph, VOCABULARY, ids)
    for item in every:
        surprise = item.p * found.looked_at[len(item.terms)]
        assert surprise == pytest.approx(wanted[frozenset(item.cases)])
        # Terms and `also` are all that these cases share, each by its most specific term.
        shared = {p for p, having in held.items() if having >= set(item.cases)}
        assert {*item.terms, *item.also} <= shared
        for part in shared:
            below = twins.below(VOCABULARY, part.term) - {part.term}
            if not any(Part(part.kind, b) in shared for b in below):
                assert part in (*item.terms, *item.also)


@QUICK
@given(dense(), st.data())
def test_the_order_of_cases_does_not_matter(cases: list[Case], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(cases))
    assert of(shuffled, minimum=1) == of(cases, minimum=1)
