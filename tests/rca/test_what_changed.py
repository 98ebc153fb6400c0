"""Asked again with more facts, a diagnosis says what moved and why."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kg.rca import Diagnosis
from kg.rca.changes import LEAST
from kg.rca.diagnosis import Change
from tests.helpers.planted import LIKELY, PLANTED_VOCABULARY, SEEN, diagnose

FIRST = diagnose()
TERMS = ["link down", "race condition", "version upgrade", "slow training", "restart", "link test"]


def change(found: Diagnosis, cause: str) -> Change | None:
    assert found.changes is not None
    return next((c for c in found.changes.hypotheses if c.cause == f"cause:{cause}"), None)


def test_without_an_earlier_diagnosis_there_are_no_changes() -> None:
    assert FIRST.changes is None


def test_the_same_question_changes_nothing() -> None:
    again = diagnose(previous=FIRST)
    assert again.changes is not None
    assert again.changes.hypotheses == again.changes.observed == again.changes.ruled_out == ()
    assert "Nothing changed." in str(again)


def test_a_ruled_out_cause_goes_because_of_it() -> None:
    gone = change(diagnose(ruled_out=["link down"], previous=FIRST), "link-down")
    assert gone is not None
    assert (gone.kind, gone.after) == ("went", None)
    assert gone.before == next(
        h.probability for h in FIRST.hypotheses if h.cause == "cause:link-down"
    )
    assert gone.why[0] == "you ruled out link down"
    assert "P-2 rests on link down, which you ruled out, and counts half" in gone.why


def test_it_goes_with_a_broader_one_as_well() -> None:
    gone = change(diagnose(ruled_out=["hardware failure"], previous=FIRST), "link-down")
    assert gone is not None
    assert gone.why[0] == "you ruled out hardware failure"


def test_taking_it_back_brings_it_back() -> None:
    without = diagnose(ruled_out=["link down"])
    back = diagnose(previous=without)
    came = change(back, "link-down")
    assert came is not None
    assert (came.kind, came.before) == ("came", None)
    assert came.why[0] == "link down is no longer ruled out"
    assert back.changes is not None
    assert back.changes.taken_back == ("cause:link-down",)


def test_what_rests_on_a_ruled_out_trigger_falls_and_the_rest_rises() -> None:
    found = diagnose(ruled_out=["version upgrade"], previous=FIRST)
    fell, rose = change(found, "mismatch"), change(found, "link-down")
    assert fell is not None
    assert rose is not None
    assert fell.kind == "fell"
    assert "P-1 rests on version upgrade, which you ruled out, and counts half" in fell.why
    assert rose.kind == "rose"
    assert rose.why == (
        "other causes: P-1 rests on version upgrade, which you ruled out, and counts half",
    )


def test_a_case_that_became_likelier_is_the_reason() -> None:
    found = diagnose(
        likely={**LIKELY, "P-2": 0.95, "P-1": 0.5}, observed=["link test"], previous=FIRST
    )
    rose, fell = change(found, "link-down"), change(found, "mismatch")
    assert rose is not None
    assert fell is not None
    assert "P-2 is now relevant with 95 %, before with 75 %" in rose.why
    assert "P-1 is now relevant with 50 %, before with 80 %" in fell.why


def test_a_case_that_shows_what_was_added_is_a_reason() -> None:
    first = diagnose("NCCL timeout")
    found = diagnose(
        "NCCL timeout", observed=["slow training"], likely={**LIKELY, "P-2": 0.9}, previous=first
    )
    rose = change(found, "link-down")
    assert rose is not None
    assert "P-2 shows slow training, which you added" in rose.why


def test_a_text_that_now_denies_a_cause_is_a_reason() -> None:
    found = diagnose(f"{SEEN}, no link down", previous=FIRST)
    fell = change(found, "link-down")
    assert fell is not None
    assert fell.why[0] == "the text denies link down"
    assert found.changes is not None
    assert found.changes.text_changed


def test_when_it_abstains_now_every_hypothesis_goes() -> None:
    found = diagnose(likely={"P-1": 0.1}, previous=FIRST)
    assert found.changes is not None
    assert {c.kind for c in found.changes.hypotheses} == {"went"}
    assert all("no hypothesis is offered any more" in c.why for c in found.changes.hypotheses)


def test_facts_added_and_taken_back_are_listed() -> None:
    first = diagnose(observed=["restart"], ruled_out=["race condition"])
    found = diagnose(observed=["link test"], ruled_out=["race condition"], previous=first)
    assert found.changes is not None
    assert found.changes.observed == ("tool:link-test",)
    assert found.changes.ruled_out == ()
    assert found.changes.taken_back == ("mitigation:restart",)
    assert "restart" in str(found).split("Changed")[1].split("Similar")[0]


@settings(max_examples=25, deadline=None)
@given(st.sets(st.sampled_from(TERMS), max_size=2), st.sets(st.sampled_from(TERMS), max_size=2))
def test_changes_are_the_difference_of_the_two(before: set[str], after: set[str]) -> None:
    old = diagnose(ruled_out=sorted(before))
    new = diagnose(ruled_out=sorted(after), previous=old)
    assert new.changes is not None
    was = {h.cause: h.probability for h in old.hypotheses}
    now = {h.cause: h.probability for h in new.hypotheses}
    moved = {c.cause: c for c in new.changes.hypotheses}
    for cause in {*was, *now}:
        step = now.get(cause, 0.0) - was.get(cause, 0.0)
        if cause in was and cause in now and abs(step) < LEAST:
            assert cause not in moved
            continue
        found = moved.pop(cause)
        assert (found.before, found.after) == (was.get(cause), now.get(cause))
        assert found.why
        expected = "rose" if step > 0 else "fell"
        if cause not in was:
            expected = "came"
        elif cause not in now:
            expected = "went"
        assert found.kind == expected
    assert moved == {}
    ids = {t: PLANTED_VOCABULARY.resolve(t).id for t in TERMS}
    assert set(new.changes.ruled_out) == {ids[t] for t in after - before}
    assert set(new.changes.taken_back) == {ids[t] for t in before - after}


def test_reasons_are_told_in_korean() -> None:
    found = diagnose(ruled_out=["링크 다운"], previous=FIRST, lang="ko")
    gone = change(found, "link-down")
    assert gone is not None
    assert gone.why[0] == "‘링크 다운’을 배제했습니다"
    assert "링크 다운: 빠짐" in str(found)
