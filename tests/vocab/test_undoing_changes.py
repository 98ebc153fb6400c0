"""As many undos as changes give the start, to the byte; what came since is kept or told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.model import Case, Change, Term
from kg.vocab import (
    Vocabulary,
    follow_history,
    merge_terms,
    rename_term,
    split_term,
    undo_last,
)
from tests.helpers.evolving import described, histories
from tests.helpers.strategies import QUICK, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

TINY = tiny_vocabulary()
CASES = tuple(tiny_cases())


def written(cases: tuple[Case, ...], vocabulary: Vocabulary) -> list[str]:
    """Every record as it is stored: equal only if the order of everything is."""
    records = (*cases, *vocabulary.schemes.values(), *vocabulary.history)
    return [r.model_dump_json() for r in records]


@settings(QUICK, max_examples=20)
@given(st.data(), worlds(most=4))
def test_any_changes_are_undone_one_by_one(
    data: st.DataObject, world: tuple[Vocabulary, list[Case]]
) -> None:
    vocabulary, cases = world
    states = data.draw(histories(cases, vocabulary))
    for case in states[-1][0]:
        Case.model_validate(case.model_dump())
    now = states[-1]
    for before in reversed(states[:-1]):
        undone = undo_last(*now)
        now = undone.cases, undone.vocabulary
        assert written(*now) == written(*before)


def edited(vocabulary: Vocabulary, term_id: str, **fields: object) -> Vocabulary:
    """The vocabulary with one record changed by hand, and its history as it was."""
    schemes = [
        s.model_copy(
            update={
                "terms": tuple(
                    t.model_copy(update=fields) if t.id == term_id else t for t in s.terms
                )
            }
        )
        for s in vocabulary.schemes.values()
    ]
    return Vocabulary(schemes, vocabulary.history)


def added(vocabulary: Vocabulary, term: Term) -> Vocabulary:
    schemes = [
        s.model_copy(update={"terms": (*s.terms, term)}) if s.scheme == term.scheme else s
        for s in vocabulary.schemes.values()
    ]
    return Vocabulary(schemes, vocabulary.history)


def test_nothing_changed_is_nothing_to_undo() -> None:
    with pytest.raises(BadQuery, match="nothing to undo"):
        undo_last(CASES, TINY)


def test_what_was_done_to_claims_is_told_the_other_way_round() -> None:
    done = rename_term(CASES, TINY, "cause:mismatch", "x")
    undone = undo_last(done.cases, done.vocabulary)
    assert undone.change == done.change
    assert [(r.claim, r.before, r.after) for r in undone.retags] == [
        (r.claim, r.after, r.before) for r in done.change.retags
    ]


def test_a_case_that_came_since_gets_the_former_id_of_a_renamed_term() -> None:
    done = rename_term(CASES, TINY, "cause:mismatch", "x")
    new = make_case("N-1", ("cause", "cause:x"), ("cause", "cause:race", "suspected"))
    undone = undo_last((*done.cases, new), done.vocabulary)
    assert undone.cases[-1].claims[0].terms == ("cause:mismatch",)
    assert undone.cases[:-1] == CASES


def test_a_term_that_came_since_points_at_the_former_id() -> None:
    done = rename_term(CASES, TINY, "cause:hardware", "hw", label={"en": "hw fault"})
    child = described("cause:fan").model_copy(update={"broader": ("cause:hw",)})
    undone = undo_last(done.cases, added(done.vocabulary, child)).vocabulary
    assert undone.get("cause:fan").broader == ("cause:hardware",)
    assert undone.get("cause:hardware") == TINY.get("cause:hardware")


def test_what_was_edited_where_the_change_touched_nothing_stays() -> None:
    done = rename_term(CASES, TINY, "cause:mismatch", "x", label={"en": "new label"})
    later = edited(done.vocabulary, "cause:x", close_match=("https://a.example/c",))
    undone = undo_last(done.cases, later).vocabulary.get("cause:mismatch")
    assert undone.close_match == ("https://a.example/c",)
    assert undone.label == TINY.get("cause:mismatch").label


def test_what_was_edited_where_the_change_did_touch_is_not_lost() -> None:
    done = rename_term(CASES, TINY, "cause:mismatch", "x", label={"en": "new label"})
    later = edited(done.vocabulary, "cause:x", aliases={"en": ("other",)})
    with pytest.raises(BadQuery, match="was edited since the rename of cause:mismatch"):
        undo_last(done.cases, later)
    merged = merge_terms(CASES, TINY, ["cause:race", "cause:mismatch"], "timing")
    later = edited(merged.vocabulary, "cause:timing", type="other")
    with pytest.raises(BadQuery, match="cause:timing was edited"):
        undo_last(merged.cases, later)


def test_a_case_on_a_target_that_was_there_before_stays_on_it() -> None:
    done = merge_terms(CASES, TINY, ["cause:mismatch"], "cause:race")
    new = make_case("N-1", ("cause", "cause:race"))
    undone = undo_last((*done.cases, new), done.vocabulary)
    assert undone.cases == (*CASES, new)


@pytest.mark.parametrize("operation", ["merge", "split"])
def test_a_case_on_a_term_that_would_be_gone_stops_it(operation: str) -> None:
    if operation == "merge":
        done = merge_terms(CASES, TINY, ["cause:mismatch", "cause:race"], "new")
    else:
        done = split_term(
            CASES, TINY, "cause:race", ["new"], {}, described=[described("cause:new")]
        )
    late = make_case("N-1", ("cause", "cause:new"))
    with pytest.raises(BadQuery, match=r"N-1#cause-1 \(cause:new\)"):
        undo_last((*done.cases, late), done.vocabulary)
    assert undo_last(done.cases, done.vocabulary).cases == CASES


def test_a_term_that_points_at_one_that_would_be_gone_stops_it() -> None:
    done = split_term(CASES, TINY, "cause:race", ["new"], {}, described=[described("cause:new")])
    child = described("cause:child").model_copy(update={"broader": ("cause:new",)})
    with pytest.raises(BadQuery, match="cause:child names cause:new"):
        undo_last(done.cases, added(done.vocabulary, child))


def test_a_file_that_still_had_an_old_id_gets_it_back() -> None:
    """What came with an old id was told in the history, so undoing a merge parts it again."""
    done = merge_terms(CASES, TINY, ["cause:mismatch"], "cause:race")
    late = make_case("N-1", ("cause", "cause:mismatch"), ("cause", "cause:race", "suspected"))
    cases, vocabulary, notes = follow_history((*done.cases, late), done.vocabulary)
    assert [n.case_id for n in notes] == ["N-1"]
    assert cases[-1].claims[0].terms == ("cause:race",)
    assert undo_last(cases, vocabulary).cases == (*CASES, late)


def test_a_rename_that_another_program_told_of_is_not_undone() -> None:
    foreign = Change(operation="rename", old=("cause:former",), new=("cause:race",))
    words = Vocabulary(TINY.schemes.values(), [foreign])
    assert words.resolve("cause:former").id == "cause:race"
    with pytest.raises(BadQuery, match="before this rename of cause:former is not known"):
        undo_last(CASES, words)


def test_a_term_that_is_gone_since_stops_it() -> None:
    done = rename_term(CASES, TINY, "cause:mismatch", "x")
    kept = [
        s.model_copy(update={"terms": tuple(t for t in s.terms if t.id != "cause:x")})
        for s in TINY.schemes.values()
    ]
    with pytest.raises(BadQuery, match="cause:mismatch is back"):
        undo_last(CASES, Vocabulary(kept, done.vocabulary.history))
