"""A part of a library holds its cases whole, and only the terms and links that they need."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.export.subset import needed_terms, subset
from kg.model import Case, TermRelation
from kg.readers import load_batch
from kg.store import Snapshot
from kg.vocab import Vocabulary
from tests.helpers.exports import graph_of, snapshot_of
from tests.helpers.libraries import make_snapshot
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary


def needed_by_hand(cases: list[Case], vocabulary: Vocabulary) -> set[str]:
    """Named and addressed terms with everything above them, step by step until nothing is new."""
    needed: set[str] = set()
    for case in cases:
        for claim in case.claims:
            needed |= {*claim.terms, *claim.addresses}
    while True:
        above = {b for t in needed for b in vocabulary.terms[t].broader} - needed
        if not above:
            return needed
        needed |= above


@WORLDS
@given(st.data())
def test_a_part_has_the_terms_and_edges_that_it_needs_and_no_others(data: st.DataObject) -> None:
    vocabulary, cases = data.draw(worlds())
    whole = make_snapshot(cases, vocabulary)
    ids = data.draw(st.lists(st.sampled_from([c.id for c in cases]), min_size=1))
    part = subset(whole, ids)
    chosen = [c for c in cases if c.id in ids]
    needed = needed_by_hand(chosen, vocabulary)
    assert list(part.cases) == sorted(chosen, key=lambda c: c.id)
    assert set(part.vocabulary.terms) == needed
    nodes = needed | {f"case:{c.id}" for c in chosen}
    nodes |= {f"source:{s.locator}" for c in chosen for s in c.sources or ()}
    kept = {f"case:{c.id}" for c in chosen}
    wanted = {
        (e.source, e.key, e.target)
        for e in graph_of(whole).edges
        if e.source in nodes
        and e.target in nodes
        and (not e.case_id or f"case:{e.case_id}" in kept)
    }
    assert {(e.source, e.key, e.target) for e in graph_of(part).edges} == wanted


@WORLDS
@given(worlds())
def test_a_part_is_a_library_itself(world: tuple[Vocabulary, list[Case]]) -> None:
    vocabulary, cases = world
    part = subset(make_snapshot(cases, vocabulary), [cases[0].id])
    assert load_batch(part.cases, part.vocabulary).problems == ()
    assert set(part.vocabulary.schemes) == set(vocabulary.schemes)
    again = subset(part, [cases[0].id])
    assert again.cases == part.cases
    assert again.vocabulary.terms == part.vocabulary.terms


def part_of_tiny(*ids: str) -> tuple[Snapshot, Snapshot]:
    whole = snapshot_of(tiny_cases())
    return whole, subset(whole, ids)


def test_passages_keep_their_vectors() -> None:
    whole, part = part_of_tiny("A-2", "B-1")
    known = dict(zip(whole.passages, whole.vectors, strict=True))
    assert {p.case_id for p in part.passages} == {"A-2", "B-1"}
    assert len(part.passages) == sum(p.case_id in ("A-2", "B-1") for p in whole.passages)
    for passage, vector in zip(part.passages, part.vectors, strict=True):
        assert (vector == known[passage]).all()


def test_passages_keep_their_tokens() -> None:
    bare = snapshot_of(tiny_cases())
    sizes = np.arange(len(bare.passages)) % 3
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    codes = np.arange(starts[-1] * 2, dtype=np.int8).reshape(-1, 2)
    whole = replace(bare, token_codes=codes, token_starts=starts)
    part = subset(whole, ["A-2", "S-1"])

    def tokens(snapshot: Snapshot) -> dict[object, list[list[int]]]:
        found, ends = snapshot.token_codes, snapshot.token_starts
        assert found is not None
        assert ends is not None
        return {p: found[ends[i] : ends[i + 1]].tolist() for i, p in enumerate(snapshot.passages)}

    known = tokens(whole)
    assert tokens(part) == {p: known[p] for p in part.passages}
    assert part.token_codes is not None
    assert part.token_codes.dtype == np.int8


def test_neighbours_are_ranked_anew_among_the_kept_cases() -> None:
    _, part = part_of_tiny("A-1", "A-3", "S-1")
    found = [(s.case_id, s.rank, s.other_id) for s in part.similar]
    assert found == [
        ("A-1", 1, "A-3"), ("A-1", 2, "S-1"), ("A-3", 1, "A-1"), ("A-3", 2, "S-1"),
        ("S-1", 1, "A-1"), ("S-1", 2, "A-3"),
    ]  # fmt: skip


def test_terms_above_stay_and_relations_to_others_go() -> None:
    whole, part = part_of_tiny("A-3")
    assert "cause:hardware" in part.vocabulary  # above cause:ecc-error, in two steps
    assert "cause:race" not in part.vocabulary
    _, with_loader = part_of_tiny("A-2")
    nccl = with_loader.vocabulary.get("component:nccl")
    assert whole.vocabulary.get("component:nccl").depends_on == ("component:gpu",)
    assert nccl.depends_on == ()
    assert [nccl.related(r) for r in TermRelation] == [()] * 4


def test_relations_between_kept_terms_stay() -> None:
    both = make_case("X-1", ("component", "component:nccl"), ("component", "component:gpu"))
    kept = needed_terms([both], tiny_vocabulary())
    assert kept.get("component:nccl").depends_on == ("component:gpu",)


def test_terms_that_only_a_ruled_out_claim_names_are_needed() -> None:
    _, part = part_of_tiny("B-2")
    assert "cause:mismatch" in part.vocabulary


def test_causes_that_a_mitigation_addresses_are_needed() -> None:
    data = make_case("X-1", ("mitigation", "mitigation:restart")).model_dump()
    data["claims"][0]["addresses"] = ["cause:race"]
    kept = needed_terms([Case.model_validate(data)], tiny_vocabulary())
    assert {"cause:race", "cause:software"} <= set(kept.terms)


def test_no_case_is_no_library() -> None:
    with pytest.raises(BadQuery, match="no case was chosen"):
        part_of_tiny()
