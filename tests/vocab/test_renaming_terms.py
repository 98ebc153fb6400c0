"""A rename gives a term another id; every claim, relation and spelling goes with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import AmbiguousTerm, BadQuery, TermNotFound
from kg.model import Case, Operation, Part
from kg.vocab import Told, Vocabulary, rename_term
from tests.helpers.strategies import QUICK, worlds
from tests.helpers.tiny import case_data, make_case, term, tiny_cases, tiny_vocabulary

TINY = tiny_vocabulary()
CASES = tiny_cases()


def stated(cases: tuple[Case, ...]) -> dict[str, tuple[str, ...]]:
    return {i: c.terms for case in cases for i, c in case.claim_ids()}


def test_claims_name_the_new_id_and_keep_all_else() -> None:
    done = rename_term(CASES, TINY, "cause:mismatch", "cause:collective-mismatch")
    for before, after in zip(CASES, done.cases, strict=True):
        for (claim_id, old), (same_id, new) in zip(
            before.claim_ids(), after.claim_ids(), strict=True
        ):
            assert claim_id == same_id
            assert new.model_copy(update={"terms": old.terms}) == old
            wanted = tuple(
                t.replace("cause:mismatch", "cause:collective-mismatch") for t in old.terms
            )
            assert new.terms == wanted
    touched = [(r.claim, r.before, r.after) for r in done.change.retags]
    assert touched == [
        (i, ("cause:mismatch",), ("cause:collective-mismatch",))
        for i in ("A-1#cause-1", "A-2#cause-1", "B-2#cause-1")
    ]
    assert done.change.cases == ("A-1", "A-2", "B-2")


def test_what_a_mitigation_addresses_is_renamed_too() -> None:
    data = case_data("X-1", ("mitigation", "mitigation:restart"), ("cause", "cause:race"))
    data["claims"][0]["addresses"] = ["cause:link-down", "cause:race"]
    done = rename_term([Case.model_validate(data)], TINY, "cause:race", "data-race")
    found = {(r.claim, r.part): r.after for r in done.change.retags}
    assert found == {
        ("X-1#cause-1", Part.TERMS): ("cause:data-race",),
        ("X-1#mitigation-1", Part.ADDRESSES): ("cause:link-down", "cause:data-race"),
    }


def test_relations_of_other_terms_follow() -> None:
    done = rename_term(CASES, TINY, "component:nccl", "nccl-library").vocabulary
    assert done.get("component:ncclx").variant_of == ("component:nccl-library",)
    assert done.get("tool:flight-recorder").part_of == ("component:nccl-library",)
    assert done.get("mitigation:replace").does_not_cover == ("component:nccl-library",)
    assert done.get("component:nccl-library").depends_on == ("component:gpu",)
    up = rename_term(CASES, TINY, "cause:hardware", "cause:hw").vocabulary
    assert set(up.narrower["cause:hw"]) == {"cause:gpu-fault", "cause:link-down"}


def test_a_new_label_leaves_the_former_one_as_an_alias() -> None:
    label = {"en": "collectives out of step", "ko": "집합 통신 불일치"}
    done = rename_term(CASES, TINY, "cause:mismatch", "out-of-step", label=label).vocabulary
    found = done.get("cause:out-of-step")
    assert dict(found.label.items()) == label
    assert found.aliases == {"en": ("mismatched collectives",), "ko": ("집합 통신 어긋남",)}
    for spelling in ("mismatched collectives", "집합 통신 불일치", "cause:mismatch"):
        assert done.resolve(spelling).id == "cause:out-of-step"


def test_one_language_may_be_relabelled_alone() -> None:
    done = rename_term(CASES, TINY, "cause:mismatch", "x", label={"en": "Mismatched  Collectives"})
    found = done.vocabulary.get("cause:x")
    assert found.label.get("ko") == "집합 통신 어긋남"
    assert found.aliases == {}, "the same words are not kept twice"


def test_the_change_tells_what_was_said_and_reads_no_clock() -> None:
    told = Told(at="2026-03-04T10:00Z", author=" J. Kim ", note="clearer")
    change = rename_term(CASES, TINY, "cause:race", "data-race", told=told).change
    assert (change.operation, change.at, change.author) == (
        Operation.RENAME,
        "2026-03-04T10:00Z",
        "J. Kim",
    )
    silent = rename_term(CASES, TINY, "cause:race", "data-race").change
    assert (silent.at, silent.author, silent.note) == (None, None, None)
    assert [t.id for t in change.before] == ["cause:race"]
    assert [t.id for t in change.after] == ["cause:data-race"]


def test_a_term_may_be_named_by_spelling_or_by_an_old_id() -> None:
    one = rename_term(CASES, TINY, "경쟁 상태", "data-race")
    two = rename_term(one.cases, one.vocabulary, "cause:race", "race-in-code")
    assert two.change.old == ("cause:data-race",)
    assert two.vocabulary.current("cause:race") == "cause:race-in-code"


def test_a_name_may_be_taken_back() -> None:
    one = rename_term(CASES, TINY, "cause:race", "data-race")
    two = rename_term(one.cases, one.vocabulary, "cause:data-race", "cause:race")
    assert two.cases == tuple(CASES)
    assert two.vocabulary.terms == TINY.terms
    assert two.vocabulary.replaced == {"cause:data-race": "cause:race"}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("cause:race", "cause:software", "is a term already"),
        ("cause:race", "cause:race", "is its id already"),
        ("cause:race", "symptom:race", "not of the scheme cause"),
        ("cause:race", "Data Race", "cannot be an id"),
        ("cause:race", "", "cannot be an id"),
        ("cause:race", "cause:a:b", "cannot be an id"),
    ],
)
def test_a_new_id_that_cannot_be_is_refused(old: str, new: str, told: str) -> None:
    with pytest.raises(BadQuery, match=told):
        rename_term(CASES, TINY, old, new)


def test_the_old_id_of_another_term_is_not_given_away() -> None:
    one = rename_term(CASES, TINY, "cause:race", "data-race")
    with pytest.raises(BadQuery, match="an old id of cause:data-race"):
        rename_term(one.cases, one.vocabulary, "cause:mismatch", "race")


def test_a_label_of_another_term_is_refused() -> None:
    with pytest.raises(BadQuery, match="is that of cause:race"):
        rename_term(CASES, TINY, "cause:mismatch", "x", label={"en": "Race-Condition"})
    same_words = {"en": "GPU"}  # of another scheme: facets keep these apart
    rename_term(CASES, TINY, "cause:gpu-fault", "gpu", label=same_words)


def test_names_of_nothing_and_of_several_are_refused() -> None:
    both = tiny_vocabulary(term("factor:race", "race condition"))
    with pytest.raises(TermNotFound, match="no term 'cause:rase'"):
        rename_term(CASES, TINY, "cause:rase", "x")
    with pytest.raises(AmbiguousTerm):
        rename_term(CASES, both, "race condition", "x")


@pytest.mark.parametrize(
    "told", [Told(at="yesterday"), Told(at="2026-13"), Told(author=" "), Told(note="")]
)
def test_what_is_told_must_be_something(told: Told) -> None:
    with pytest.raises(BadQuery):
        rename_term(CASES, TINY, "cause:race", "data-race", told=told)


def test_a_term_without_a_name_may_be_renamed() -> None:
    done = rename_term(CASES, TINY, "component:some-switch", "switch-1")
    assert done.vocabulary.get("component:switch-1").unnamed


@QUICK
@given(st.data(), worlds(most=3))
def test_a_rename_loses_no_claim_and_joins_none(
    data: st.DataObject, world: tuple[Vocabulary, list[Case]]
) -> None:
    vocabulary, cases = world
    old = data.draw(st.sampled_from(sorted(vocabulary.terms)))
    done = rename_term(cases, vocabulary, old, "brand-new")
    new = f"{old.partition(':')[0]}:brand-new"

    def judged(terms: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(new if t == old else t for t in terms)

    assert stated(done.cases) == {i: judged(t) for i, t in stated(tuple(cases)).items()}
    assert len(done.vocabulary) == len(vocabulary)
    for case in done.cases:
        Case.model_validate(case.model_dump())


def test_a_case_without_the_term_is_the_same_object() -> None:
    other = make_case("Z-1", ("cause", "cause:link-down"))
    assert rename_term([other], TINY, "cause:race", "x").cases[0] is other
