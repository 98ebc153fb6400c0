"""A merge makes one term of several; nothing that they knew is lost, nothing is said twice."""

from __future__ import annotations

import pytest

from kg.errors import BadQuery, TermNotFound
from kg.model import Case, Status, Term
from kg.vocab import Contradiction, Vocabulary, merge_terms, rename_term
from tests.helpers.evolving import described
from tests.helpers.tiny import case_data, make_case, scheme, term, tiny_cases, tiny_vocabulary

TINY = tiny_vocabulary()
CASES = tiny_cases()
CWE = "https://cwe.mitre.org/data/definitions/{}.html"


def causes(*terms: Term) -> Vocabulary:
    return Vocabulary([scheme("cause", *terms)])


def test_claims_of_all_name_the_target() -> None:
    done = merge_terms(CASES, TINY, ["cause:race", "cause:mismatch"], "cause:race")
    assert "cause:mismatch" not in done.vocabulary
    assert done.change.old == ("cause:mismatch",), "the target does not end"
    found = {i: c for case in done.cases for i, c in case.claim_ids() if c.kind == "cause"}
    assert found["A-2#cause-1"].terms == found["A-2#cause-2"].terms == ("cause:race",)
    assert [found[f"A-2#cause-{n}"].status for n in (1, 2)] == [Status.CONFIRMED, Status.SUSPECTED]
    for before, after in zip(CASES, done.cases, strict=True):
        for old, new in zip(before.claims, after.claims, strict=True):
            assert new.model_copy(update={"terms": old.terms}) == old


def test_a_claim_of_two_of_them_names_the_target_once() -> None:
    data = case_data("X-1", ("cause", "cause:race"))
    data["claims"][0]["terms"] = ["cause:race", "cause:link-down", "cause:mismatch"]
    case = Case.model_validate(data)
    done = merge_terms([case], TINY, ["race condition", "cause:mismatch"], "cause:timing",
                       described=described("cause:timing"))  # fmt: skip
    assert done.cases[0].claims[0].terms == ("cause:timing", "cause:link-down")


def test_a_new_target_means_what_the_first_one_meant() -> None:
    done = merge_terms(CASES, TINY, ["cause:race", "cause:mismatch"], "timing").vocabulary
    found = done.get("cause:timing")
    assert found.label == TINY.get("cause:race").label
    assert found.definition == TINY.get("cause:race").definition
    assert found.broader == ("cause:software",)
    assert found.aliases == {"en": ("mismatched collectives",), "ko": ("집합 통신 어긋남",)}
    for old in ("cause:race", "cause:mismatch", "mismatched collectives", "경쟁 상태"):
        assert done.resolve(old).id == "cause:timing"


def test_a_new_target_may_be_described() -> None:
    new = described("cause:timing", "timing fault")
    done = merge_terms(CASES, TINY, ["cause:race", "cause:mismatch"], "timing", described=new)
    found = done.vocabulary.get("cause:timing")
    assert found.definition.get("en") == "New."
    assert found.aliases["en"] == ("race condition", "mismatched collectives")
    assert found.broader == ("cause:software",)


def test_a_target_keeps_its_own_words() -> None:
    done = merge_terms(CASES, TINY, ["cause:ecc-error"], "cause:gpu-fault").vocabulary
    found, before = done.get("cause:gpu-fault"), TINY.get("cause:gpu-fault")
    assert (found.label, found.definition, found.broader) == (
        before.label,
        before.definition,
        before.broader,
    )
    assert found.aliases == {"en": ("ECC error",), "ko": ("ECC 오류",)}


def test_what_is_narrower_hangs_below_the_target() -> None:
    done = merge_terms(CASES, TINY, ["cause:gpu-fault"], "cause:link-down").vocabulary
    assert done.narrower["cause:link-down"] == ("cause:ecc-error",)
    assert done.get("cause:link-down").broader == ("cause:hardware",)


def test_a_parent_and_its_child_may_be_one() -> None:
    done = merge_terms(CASES, TINY, ["cause:gpu-fault"], "cause:hardware").vocabulary
    assert done.get("cause:hardware").broader == ()
    assert done.get("cause:ecc-error").broader == ("cause:hardware",)
    up = merge_terms(CASES, TINY, ["cause:hardware"], "cause:gpu-fault").vocabulary
    assert up.get("cause:gpu-fault").broader == ()
    assert up.get("cause:link-down").broader == ("cause:gpu-fault",)


def test_of_broader_terms_only_the_lowest_are_added() -> None:
    words = causes(
        term("cause:top", "top"), term("cause:mid", "mid", broader=["top"]),
        term("cause:a", "a", broader=["mid"]), term("cause:b", "b", broader=["top"]),
        term("cause:side", "side"), term("cause:c", "c", broader=["side"]),
    )  # fmt: skip
    assert merge_terms([], words, ["cause:b"], "cause:a").vocabulary.get("cause:a").broader == (
        "cause:mid",
    )
    found = merge_terms([], words, ["cause:c"], "cause:a").vocabulary.get("cause:a")
    assert found.broader == ("cause:mid", "cause:side")


def test_relations_are_joined_without_pointing_at_itself() -> None:
    done = merge_terms(CASES, TINY, ["component:ncclx"], "component:nccl").vocabulary
    assert done.get("component:nccl").variant_of == ()
    assert done.get("component:nccl").depends_on == ("component:gpu",)
    other = merge_terms(CASES, TINY, ["component:loader"], "component:nccl").vocabulary
    assert other.get("component:nccl").part_of == ("component:pytorch",)


def test_exact_matches_of_what_ends_become_close_ones() -> None:
    words = causes(
        term("cause:a", "a", exact_match=[CWE.format(1)], close_match=[CWE.format(5)]),
        term("cause:b", "b", exact_match=[CWE.format(2)], close_match=[CWE.format(1)]),
    )
    found = merge_terms([], words, ["cause:b"], "cause:a").vocabulary.get("cause:a")
    assert found.exact_match == (CWE.format(1),)
    assert found.close_match == (CWE.format(2), CWE.format(5))
    new = merge_terms([], words, ["cause:a", "cause:b"], "c").vocabulary.get("cause:c")
    assert (new.exact_match, new.close_match) == (found.exact_match, found.close_match)


def contradicting() -> list[Case]:
    return [
        make_case("X-1", ("cause", "cause:race"), ("cause", "cause:mismatch", "ruled_out")),
        make_case("X-2", ("cause", "cause:race", "suspected"), ("cause", "cause:mismatch")),
    ]


def test_a_case_that_states_one_and_rules_out_the_other_stops_the_merge() -> None:
    with pytest.raises(BadQuery, match="X-1 states X-1#cause-1 and rules out X-1#cause-2") as told:
        merge_terms(contradicting(), TINY, ["cause:mismatch"], "cause:race")
    assert "X-2" not in str(told.value), "confirmed beside suspected is no contradiction"
    assert "--keep-both" in str(told.value)


def test_both_claims_are_kept_when_asked_for() -> None:
    cases = contradicting()
    done = merge_terms(cases, TINY, ["cause:mismatch"], "cause:race", keep_both=True)
    assert done.contradictions == (Contradiction("X-1", ("X-1#cause-1",), ("X-1#cause-2",)),)
    assert [(c.terms, c.status) for c in done.cases[0].claims] == [
        (("cause:race",), Status.CONFIRMED),
        (("cause:race",), Status.RULED_OUT),
    ]
    assert [c.evidence for c in done.cases[0].claims] == [c.evidence for c in cases[0].claims]


def test_other_kinds_and_roles_contradict_nothing() -> None:
    case = make_case(
        "X-1",
        ("component", "component:nccl", "confirmed", "involved"),
        ("component", "component:ncclx", "ruled_out", "failed"),
        ("mitigation", "mitigation:restart"),
        ("follow_up", "mitigation:replace", "ruled_out"),
    )
    for pair in (
        ("component:ncclx", "component:nccl"),
        ("mitigation:replace", "mitigation:restart"),
    ):
        assert merge_terms([case], TINY, [pair[0]], pair[1]).contradictions == ()


def test_what_a_case_said_before_does_not_stop_a_merge_that_leaves_it_alone() -> None:
    odd = make_case("X-1", ("cause", "cause:race"), ("cause", "cause:race", "ruled_out"))
    assert merge_terms([odd], TINY, ["cause:mismatch"], "cause:race").contradictions == ()


RING = causes(
    term("cause:a", "a"), term("cause:m", "m", broader=["a"]), term("cause:n", "n", broader=["m"]),
    term("cause:b", "b", broader=["n"]),
)  # fmt: skip


@pytest.mark.parametrize(("one", "into"), [("cause:a", "cause:b"), ("cause:b", "cause:a")])
def test_a_ring_is_refused_with_what_lies_between(one: str, into: str) -> None:
    with pytest.raises(BadQuery, match="cause:n < cause:m < cause:a"):
        merge_terms([], RING, [one], into)
    whole = merge_terms([], RING, ["cause:b", "cause:m", "cause:n"], "cause:a").vocabulary
    assert list(whole.terms) == ["cause:a"]


@pytest.mark.parametrize(
    ("terms", "into", "told"),
    [
        (["cause:race", "symptom:slow"], "cause:race", "cause and symptom cannot be one"),
        (["cause:race"], "cause:race", "nothing to merge"),
        (["cause:race"], "cause:new", "use rename"),
        ([], "cause:race", "give the terms"),
        (["cause:race", "cause:mismatch"], "symptom:x", "not of the scheme cause"),
        (["cause:race", "cause:mismatch"], "New One", "cannot be an id"),
        (["component:some-switch"], "component:gpu", "never merged"),
        (["component:gpu"], "component:some-switch", "never merged"),
    ],
)
def test_what_cannot_be_merged_is_refused(terms: list[str], into: str, told: str) -> None:
    with pytest.raises(BadQuery, match=told):
        merge_terms(CASES, TINY, terms, into)


def test_a_term_that_is_there_is_not_described_anew() -> None:
    with pytest.raises(BadQuery, match="keeps its own label"):
        merge_terms(
            CASES, TINY, ["cause:mismatch"], "cause:race", described=described("cause:race")
        )


def test_a_label_of_a_third_term_is_refused_for_a_new_target() -> None:
    new = described("cause:timing", "software defect")
    with pytest.raises(BadQuery, match="is that of cause:software"):
        merge_terms(CASES, TINY, ["cause:race", "cause:mismatch"], "timing", described=new)


def test_an_old_id_is_no_target() -> None:
    one = rename_term(CASES, TINY, "cause:race", "data-race")
    with pytest.raises(BadQuery, match="an old id of cause:data-race"):
        merge_terms(one.cases, one.vocabulary, ["cause:mismatch", "cause:link-down"], "race")
    with pytest.raises(TermNotFound):
        merge_terms(CASES, TINY, ["cause:nothing", "cause:race"], "x")
