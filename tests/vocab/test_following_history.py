"""Case files of any age end at the terms of now, and the history tells of exactly their claims."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Case, Retag
from kg.vocab import Vocabulary, follow_history, merge_terms, rename_term, split_term
from tests.helpers.evolving import described, histories
from tests.helpers.strategies import QUICK, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary

TINY = tiny_vocabulary()
CASES = tuple(tiny_cases())


@settings(QUICK, max_examples=20)
@given(st.data(), worlds(most=4))
def test_cases_of_any_age_come_to_the_same_end(
    data: st.DataObject, world: tuple[Vocabulary, list[Case]]
) -> None:
    vocabulary, cases = world
    states = data.draw(histories(cases, vocabulary))
    last_cases, last = states[-1]
    for then, _ in states:
        found, fitted, notes = follow_history(then, last)
        assert found == last_cases
        assert fitted.history == last.history
        assert {n.case_id for n in notes} == {
            a.id for a, b in zip(then, last_cases, strict=True) if a != b
        }


def test_without_a_history_nothing_is_touched() -> None:
    found, vocabulary, notes = follow_history(CASES, TINY)
    assert all(a is b for a, b in zip(found, CASES, strict=True))
    assert vocabulary is TINY
    assert notes == ()


def test_a_new_case_with_an_old_id_is_told_and_remembered() -> None:
    done = rename_term(CASES, TINY, "cause:mismatch", "x")
    late = make_case("N-1", ("symptom", "symptom:slow"), ("cause", "cause:mismatch"))
    found, fitted, (note,) = follow_history((*done.cases, late), done.vocabulary)
    assert found[-1].claims[1].terms == ("cause:x",)
    assert (note.case_id, note.field, note.now) == ("N-1", "claims.1.terms", ("cause:x",))
    assert note.message == "cause:mismatch was renamed to cause:x"
    added = set(fitted.history[0].retags) - set(done.change.retags)
    assert added == {Retag(claim="N-1#cause-1", before=("cause:mismatch",), after=("cause:x",))}


def test_several_steps_are_told_in_their_order() -> None:
    one = rename_term(CASES, TINY, "cause:mismatch", "x")
    two = merge_terms(one.cases, one.vocabulary, ["cause:x"], "cause:race")
    _, _, notes = follow_history([CASES[0]], two.vocabulary)
    assert [n.message for n in notes] == [
        "cause:mismatch was renamed to cause:x; cause:x was merged into cause:race"
    ]


def test_what_a_split_decided_holds_for_the_same_claim_again() -> None:
    new = [described("symptom:early")]
    done = split_term(CASES, TINY, "symptom:nccl-timeout", ["early"], {"A-1": "early"},
                      described=new)  # fmt: skip
    other = make_case("N-1", ("symptom", "symptom:nccl-timeout"))
    found, _, notes = follow_history((CASES[0], other), done.vocabulary)
    assert found[0] == done.cases[0]
    assert found[1] is other, "nobody decided it"
    assert [(n.case_id, n.now) for n in notes] == [("A-1", ("symptom:early",))]


def test_a_claim_that_says_something_else_now_leaves_the_history() -> None:
    done = rename_term(CASES, TINY, "cause:mismatch", "x")
    changed = make_case("A-1", ("cause", "cause:link-down"))
    found, fitted, notes = follow_history((changed, *done.cases[1:]), done.vocabulary)
    assert found[0] is changed
    assert notes == ()
    assert [r.claim for r in fitted.history[0].retags] == ["A-2#cause-1", "B-2#cause-1"]


def test_a_case_that_is_gone_leaves_the_history() -> None:
    done = rename_term(CASES, TINY, "cause:mismatch", "x")
    _, fitted, _ = follow_history(done.cases[1:], done.vocabulary)
    assert fitted.history[0].cases == ("A-2", "B-2")
    assert fitted.history[0].before == done.change.before


def test_a_name_that_was_taken_back_is_no_old_id() -> None:
    one = rename_term(CASES, TINY, "cause:race", "data-race")
    two = rename_term(one.cases, one.vocabulary, "cause:data-race", "cause:race")
    late = make_case("N-1", ("cause", "cause:race"))
    found, fitted, notes = follow_history((*two.cases, late), two.vocabulary)
    assert (found[-1], notes) == (late, ())
    assert all("N-1#cause-1" in {r.claim for r in c.retags} for c in fitted.history)
    old, _, told = follow_history([make_case("N-2", ("cause", "cause:data-race"))], two.vocabulary)
    assert old[0].claims[0].terms == ("cause:race",)
    assert len(told) == 1
