"""A split re-tags what somebody decided and nothing else; the term stays for the rest."""

from __future__ import annotations

from typing import Any

import pytest

from kg.errors import BadQuery, CaseNotFound, TermNotFound
from kg.model import Case, Status, Term
from kg.vocab import Evolution, parse_assignments, rename_term, split_term
from tests.helpers.evolving import described
from tests.helpers.tiny import case_data, make_case, tiny_cases, tiny_vocabulary

TINY = tiny_vocabulary()
CASES = tiny_cases()
INTO = ["symptom:nccl-early", "symptom:nccl-late"]
NEW = [described(t) for t in INTO]


def split(by: dict[str, Any], **more: Any) -> Evolution:
    return split_term(CASES, TINY, "symptom:nccl-timeout", INTO, by, described=NEW, **more)


def terms_of(done: Evolution, claim_id: str) -> tuple[str, ...]:
    return next(c.terms for case in done.cases for i, c in case.claim_ids() if i == claim_id)


def test_only_what_is_decided_is_re_tagged() -> None:
    done = split({"A-1": "nccl-early", "A-2": ["symptom:nccl-late"]})
    assert terms_of(done, "A-1#symptom-1") == ("symptom:nccl-early",)
    assert terms_of(done, "A-2#symptom-1") == ("symptom:nccl-late",)
    assert terms_of(done, "B-2#symptom-1") == ("symptom:nccl-timeout",)
    assert done.undecided == ("B-2#symptom-1",)
    assert done.stayed == ()
    assert [r.claim for r in done.change.retags] == ["A-1#symptom-1", "A-2#symptom-1"]


def test_to_stay_is_a_decision_too() -> None:
    done = split({"B-2": "symptom:nccl-timeout", "A-1": ["nccl-early", "nccl-timeout"]})
    assert done.stayed == ("A-1#symptom-1", "B-2#symptom-1")
    assert done.undecided == ("A-2#symptom-1",)
    assert terms_of(done, "A-1#symptom-1") == ("symptom:nccl-early", "symptom:nccl-timeout")


def test_a_claim_may_have_both() -> None:
    done = split({"A-1": INTO})
    assert terms_of(done, "A-1#symptom-1") == tuple(INTO)


def test_what_is_said_of_a_claim_goes_before_what_is_said_of_its_case() -> None:
    case = make_case("X-1", ("symptom", "symptom:slow"), ("symptom", "symptom:slow", "suspected"))
    by = {"X-1": "slow-a", "X-1#symptom-2": "slow-b"}
    into = ["slow-a", "slow-b"]
    new = [described(f"symptom:{s}") for s in into]
    done = split_term([case], TINY, "symptom:slow", into, by, described=new)
    assert [(c.terms, c.status) for c in done.cases[0].claims] == [
        (("symptom:slow-a",), Status.CONFIRMED),
        (("symptom:slow-b",), Status.SUSPECTED),
    ]


def test_the_place_among_other_terms_is_kept() -> None:
    data = case_data("X-1", ("cause", "cause:race"), ("mitigation", "mitigation:restart"))
    data["claims"][0]["terms"] = ["cause:link-down", "cause:software", "cause:race"]
    data["claims"][1]["addresses"] = ["cause:software"]
    done = split_term(
        [Case.model_validate(data)], TINY, "cause:software", ["race", "cause:config"],
        {"X-1": ["race", "config"]}, described=[described("cause:config")],
    )  # fmt: skip
    first, second = done.cases[0].claims
    assert first.terms == ("cause:link-down", "cause:race", "cause:config")
    assert second.addresses == ("cause:race", "cause:config")
    assert second.terms == ("mitigation:restart",)


def test_the_term_stays_above_the_new_ones() -> None:
    done = split({}).vocabulary
    assert done.get("symptom:nccl-timeout") == TINY.get("symptom:nccl-timeout")
    assert done.narrower["symptom:nccl-timeout"] == tuple(INTO)
    assert done.broader_steps("symptom:nccl-early")["symptom:failure"] == 2
    assert done.replaced == {}


def test_a_new_term_may_say_where_it_belongs() -> None:
    new = [described(INTO[0]), NEW[1].model_copy(update={"broader": ("symptom:slow",)})]
    done = split_term(CASES, TINY, "symptom:nccl-timeout", INTO, {}, described=new).vocabulary
    assert done.get(INTO[1]).broader == ("symptom:slow",)
    assert done.get(INTO[0]).broader == ("symptom:nccl-timeout",)


def test_a_term_that_is_there_is_used_as_it_is() -> None:
    done = split_term(CASES, TINY, "cause:mismatch", ["cause:link-down"], {"A-1": "link-down"})
    assert done.vocabulary.terms == TINY.terms
    assert terms_of(done, "A-1#cause-1") == ("cause:link-down",)
    assert (done.change.before, done.change.after) == ((), ())


def test_a_case_that_would_contradict_itself_stops_the_split() -> None:
    case = make_case("X-1", ("cause", "cause:software"), ("cause", "cause:race", "ruled_out"))

    def do(**more: Any) -> Evolution:
        return split_term([case], TINY, "software defect", ["race"], {"X-1": "race"}, **more)

    with pytest.raises(BadQuery, match="X-1 states X-1#cause-1 and rules out X-1#cause-2"):
        do()
    assert [c.case_id for c in do(keep_both=True).contradictions] == ["X-1"]


def test_an_unknown_case_is_told_with_what_looks_like_it() -> None:
    with pytest.raises(CaseNotFound, match=r"Did you mean A-1"):
        split({"A-11": "nccl-early"})


@pytest.mark.parametrize(
    ("by", "told"),
    [
        ({"A-1": "symptom:slow"}, "the choice is symptom:nccl-timeout, symptom:nccl-early"),
        ({"A-1": []}, "decided for nothing"),
        ({"A-1": "cause:race"}, "decided for cause:race"),
        ({"A-3": "nccl-early"}, "the case A-3 does not name symptom:nccl-timeout"),
        ({"A-1#cause-1": "nccl-early"}, "those that do are A-1#symptom-1"),
        ({"A-3#cause-1": "nccl-early"}, "none of its case does"),
    ],
)
def test_an_assignment_that_cannot_be_is_refused(by: dict[str, Any], told: str) -> None:
    with pytest.raises(BadQuery, match=told):
        split(by)


@pytest.mark.parametrize(
    ("term", "into", "new", "told"),
    [
        ("cause:race", ["cause:software"], [], "broader than cause:race"),
        ("cause:race", ["cause:race"], [], "the term itself"),
        ("cause:race", ["cause:new"], [], "give a label and a definition"),
        ("cause:race", ["symptom:slow"], [], "not of the scheme cause"),
        ("cause:race", [], [], "give the terms"),
        ("cause:race", ["link-down"], [described("cause:other")], "none of the new terms"),
        ("cause:race", ["link-down"], [described("cause:link-down")], "none of the new terms"),
        ("cause:race", ["x"], [described("cause:x", "race condition")], "is that of cause:race"),
        (
            "cause:race",
            ["x", "y"],
            [described("cause:x", "same"), described("cause:y", "Same")],
            "is that of cause:x",
        ),
        (
            "cause:race",
            ["x"],
            [described("cause:x").model_copy(update={"broader": ("cause:gone",)})],
            "no term of this scheme",
        ),
    ],
)
def test_targets_that_cannot_be_are_refused(
    term: str, into: list[str], new: list[Term], told: str
) -> None:
    with pytest.raises(BadQuery, match=told):
        split_term(CASES, TINY, term, into, {}, described=new)


def test_the_old_id_of_another_term_is_no_new_one() -> None:
    one = rename_term(CASES, TINY, "cause:race", "data-race")
    with pytest.raises(BadQuery, match="an old id of cause:data-race"):
        split_term(one.cases, one.vocabulary, "cause:software", ["race"], {})
    with pytest.raises(TermNotFound):
        split_term(CASES, TINY, "cause:nothing", ["race"], {})


def test_pairs_are_read_as_they_are_written() -> None:
    found = parse_assignments(["A-1=x", " A-2 = x + cause:y ", "A-1#cause-1=y", "A-1=x"])
    assert found == {"A-1": ("x",), "A-2": ("x", "cause:y"), "A-1#cause-1": ("y",)}


@pytest.mark.parametrize("pair", ["A-1", "=x", "A-1=", "A-1=x+", ""])
def test_what_is_no_pair_is_refused(pair: str) -> None:
    with pytest.raises(BadQuery, match="decides nothing"):
        parse_assignments([pair])


def test_a_case_that_is_decided_in_two_ways_is_refused() -> None:
    with pytest.raises(BadQuery, match=r"A-1 is decided twice.*A-1=X\+Y"):
        parse_assignments(["A-1=x", "A-1=y"])
