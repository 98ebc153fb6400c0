"""What chosen cases have in common of each kind, judged by brute force over networkx."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.graph import IncidentGraph
from kg.queries.common import Common, common
from kg.queries.holding import KINDS
from kg.queries.notes import note
from tests.helpers import twins
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary
from tests.queries.test_chance import exactly

VOCABULARY = tiny_vocabulary()
CASES = {c.id: c for c in tiny_cases()}
GRAPH = IncidentGraph(CASES.values(), VOCABULARY)

ROLES = {"organization": {"owner"}, "tool": {"detected", "diagnosed"}}


def ask(*ids: str, kind: str, minimum: int = 2, given: tuple[str, ...] = ()) -> Common:
    return common(GRAPH, VOCABULARY, ids, tuple(CASES), kind, minimum, given)


def test_components_symptoms_factors_and_owners_are_found_alike() -> None:
    assert [(c.term, c.n) for c in ask("A-1", "A-2", kind="component")] == [("component:nccl", 2)]
    assert [c.term for c in ask("A-1", "A-2", kind="symptom")] == ["symptom:nccl-timeout"]
    assert [c.term for c in ask("A-3", "B-1", kind="factor")] == ["factor:no-alert"]
    assert [c.term for c in ask("A-1", "A-2", kind="organization")] == ["organization:alpha"]


def test_terms_meet_in_a_broader_one() -> None:
    (found,) = ask("A-3", "B-1", kind="component")
    assert (found.term, found.cases) == ("component:gpu", ("A-3", "B-1"))
    assert {e.target for e in found.evidence} == {"component:a100", "component:h100"}


def test_what_was_done_then_is_not_what_was_changed_later() -> None:
    assert [c.term for c in ask("A-1", kind="mitigation", minimum=1)] == ["mitigation:restart"]
    assert len(ask("B-2", kind="mitigation", minimum=1)) == 0
    assert [c.term for c in ask("B-2", kind="follow_up", minimum=1)] == ["mitigation:replace"]


def test_only_the_owner_is_the_organization_and_only_what_found_it_is_the_tool() -> None:
    case = make_case(
        "X-1",
        ("organization", "organization:alpha", "confirmed", "vendor"),
        ("organization", "organization:beta", "confirmed", "owner"),
        ("detection", "tool:flight-recorder", "confirmed", "check_item"),
        ("detection", "tool:exposure", "confirmed", "missed"),
    )
    graph = IncidentGraph([case], VOCABULARY)
    owners = common(graph, VOCABULARY, ["X-1"], ["X-1"], "organization", 1)
    assert [c.term for c in owners] == ["organization:beta"]
    assert len(common(graph, VOCABULARY, ["X-1"], ["X-1"], "tool", 1)) == 0


def test_terms_that_are_only_suspected_are_listed_apart() -> None:
    found = ask("A-3", "B-2", kind="cause")
    assert found.items == ()
    (doubtful,) = found.suspected
    assert doubtful.term == "cause:hardware"
    assert (doubtful.confirmed, doubtful.suspected) == (("A-3",), ("B-2",))
    assert [(e.case_id, str(e.status)) for e in doubtful.evidence] == [("B-2", "suspected")]


def test_a_term_that_enough_cases_confirm_is_not_told_again_as_suspected() -> None:
    found = ask("A-3", "S-1", "B-2", kind="cause")
    assert [c.term for c in found] == ["cause:hardware"]
    assert found[0].suspected == ("B-2",)
    assert [s.term for s in found.suspected] == ["cause:link-down"]


def test_what_is_ruled_out_is_nowhere() -> None:
    found = ask("A-1", "B-2", kind="cause", minimum=1)
    told = [e for c in (*found.items, *found.suspected) for e in c.evidence]
    assert {str(e.status) for e in told} == {"confirmed", "suspected"}
    assert "B-2" not in next(c for c in found if c.term == "cause:mismatch").cases


def test_terms_by_which_cases_were_chosen_are_no_finding() -> None:
    ids = ("A-1", "A-2", "B-2")
    assert [c.term for c in ask(*ids, kind="symptom")] == ["symptom:nccl-timeout"]
    found = ask(*ids, kind="symptom", given=("symptom:nccl-timeout",))
    assert found.items == ()
    assert found.given == ("symptom:nccl-timeout",)
    # What lies below a given term is still one.
    assert [c.term for c in ask(*ids, kind="symptom", given=("symptom:failure",))] == [
        "symptom:nccl-timeout"
    ]


def test_a_high_lift_among_few_cases_is_not_called_sure() -> None:
    found = ask("A-1", "A-2", kind="cause")
    assert found[0].lift == pytest.approx(3)
    assert not found[0].beyond_chance
    assert found.note == note("common few", "en")


def test_what_many_share_beyond_chance_is_called_so() -> None:
    cases = [make_case(f"C-{i:02}", ("cause", "cause:race")) for i in range(10)]
    cases += [make_case(f"D-{i:02}", ("cause", "cause:gpu-fault")) for i in range(30)]
    graph, ids = IncidentGraph(cases, VOCABULARY), [c.id for c in cases]
    found = common(graph, VOCABULARY, ids[:8], ids, "cause", lang="ko")
    assert [c.term for c in found] == ["cause:race"]
    assert found[0].beyond_chance
    assert found[0].expected == pytest.approx(2)
    assert found.note == note("common", "ko")


def test_a_kind_or_minimum_that_cannot_be_is_refused() -> None:
    with pytest.raises(BadQuery, match="no kind 'causes' here; there are cause, trigger"):
        ask("A-1", kind="causes")
    with pytest.raises(BadQuery, match="minimum must be 1 or more, not 0"):
        ask("A-1", kind="cause", minimum=0)


@WORLDS
@given(st.data())
def test_brute_force_finds_the_same_terms_of_every_kind(data: st.DataObject) -> None:
    vocabulary, cases = data.draw(worlds(least=2))
    graph, ids = IncidentGraph(cases, vocabulary), [c.id for c in cases]
    chosen = data.draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))
    kind = data.draw(st.sampled_from(list(KINDS)))
    minimum = data.draw(st.integers(1, 2))
    scheme = "mitigation" if kind == "follow_up" else kind

    def having(term: str, statuses: list[str], among: list[str]) -> set[str]:
        below = twins.below(vocabulary, term)
        return {
            i
            for i in among
            for target, edge in twins.edges_out(graph, i)
            if target in below
            and edge["relation"] == KINDS[kind]
            and edge["status"] in statuses
            and (kind not in ROLES or edge["role"] in ROLES[kind])
        }

    sure = {t.id: having(t.id, ["confirmed"], chosen) for t in vocabulary.of(scheme)}
    both = {t.id: having(t.id, ["confirmed", "suspected"], chosen) for t in vocabulary.of(scheme)}

    def closed(term: str, held: dict[str, set[str]]) -> bool:
        return all(held[b] != held[term] for b in twins.below(vocabulary, term) - {term})

    found = common(graph, vocabulary, chosen, ids, kind, minimum)
    assert {c.term for c in found} == {
        t for t in sure if len(sure[t]) >= minimum and closed(t, sure)
    }
    assert {s.term for s in found.suspected} >= {
        t for t in both if len(sure[t]) < minimum <= len(both[t]) and closed(t, both)
    }
    assert all(len(sure[s.term]) < minimum for s in found.suspected)
    everywhere = {t: having(t, ["confirmed"], ids) for t in sure}
    assert found.looked_at == sum(len(e) >= minimum for e in everywhere.values())
    for c in found:
        assert set(c.cases) == sure[c.term]
        assert set(c.suspected) == both[c.term] - sure[c.term]
        assert c.expected == pytest.approx(len(chosen) * len(everywhere[c.term]) / len(ids))
        p = exactly(c.n, len(everywhere[c.term]), len(chosen), len(ids))
        assert c.p == pytest.approx(float(p))
        assert c.p <= c.q + 1e-12
        assert {e.case_id for e in c.evidence} == set(c.cases)
    keys = [(-c.lift, -c.n) for c in found]
    assert keys == sorted(keys)
