"""Facts that are kept: each one gives a diagnosis of all of them, and a mistake changes nothing."""

from __future__ import annotations

import pytest

from kg.errors import BadQuery, TermNotFound
from kg.library import Library
from kg.notebook import Investigation

TEXT = "NCCL watchdog timeout, power dropped to 190 W, GPUs at 100%"


@pytest.fixture
def now(lib: Library) -> Investigation:
    made = Investigation(lib)
    made.tell(TEXT)
    return made


def test_it_gives_what_the_library_says(lib: Library, now: Investigation) -> None:
    assert str(now.diagnosis) == str(lib.diagnose(TEXT))


def test_facts_add_up(lib: Library, now: Investigation) -> None:
    now.observe("inverted utilization pattern")
    found = now.rule_out("네트워크 장애")
    assert found.understood.observed == tuple(now.observed)
    assert found.understood.ruled_out == ("cause:network-fault",)
    straight = lib.diagnose(TEXT, observed=now.observed, ruled_out=now.ruled_out)
    assert [(h.cause, h.probability) for h in found.hypotheses] == [
        (h.cause, h.probability) for h in straight.hypotheses
    ]


def test_each_step_is_told_against_the_one_before(now: Investigation) -> None:
    assert now.diagnosis is not None
    first = now.diagnosis.hypotheses[0].cause
    found = now.rule_out(first)
    assert found.changes is not None
    assert found.changes.ruled_out == (first,)
    assert [c.kind for c in found.changes.hypotheses if c.cause == first] == ["went"]


def test_the_same_fact_counts_once(now: Investigation) -> None:
    now.observe("power drop")
    now.observe("전력 하락")
    assert len(now.observed) == 1


def test_a_fact_is_taken_back_by_any_spelling(now: Investigation) -> None:
    before = now.diagnosis
    now.rule_out("network fault")
    after = now.take_back("네트워크 장애")
    assert now.ruled_out == []
    assert before is not None
    assert [h.cause for h in after.hypotheses] == [h.cause for h in before.hypotheses]
    assert after.changes is not None
    assert after.changes.taken_back == ("cause:network-fault",)


def test_what_was_never_added_can_be_taken_back(now: Investigation) -> None:
    now.take_back("network fault")
    assert (now.observed, now.ruled_out) == ([], [])


@pytest.mark.parametrize("word", ["no such thing", "organization:nobody"])
def test_an_unknown_term_changes_nothing(now: Investigation, word: str) -> None:
    before = now.diagnosis
    with pytest.raises(TermNotFound):
        now.observe(word)
    assert now.observed == []
    assert now.diagnosis is before


def test_what_is_both_is_refused_and_not_kept(now: Investigation) -> None:
    now.rule_out("network fault")
    with pytest.raises(BadQuery, match="ruled out"):
        now.observe("network fault")
    assert now.observed == []
    assert now.ruled_out == ["cause:network-fault"]


def test_nothing_told_yet_is_said(lib: Library) -> None:
    with pytest.raises(BadQuery, match="no words"):
        Investigation(lib).observe("power drop")


def test_facts_stay_when_the_text_changes(now: Investigation) -> None:
    now.rule_out("network fault")
    found = now.tell("training hung after the checkpoint")
    assert found.understood.ruled_out == ("cause:network-fault",)
    assert now.text == "training hung after the checkpoint"


def test_a_language_of_its_own(lib: Library) -> None:
    assert "알아들은 것" in str(Investigation(lib, "ko").tell(TEXT))
