"""A library diagnoses: what a search finds becomes hypotheses with evidence."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

import kg
from kg.errors import BadQuery, TermNotFound
from kg.library import Library
from kg.model import Case, ClaimKind, Status
from kg.queries import plain
from kg.rca import Diagnosis
from tests.helpers.planted import EVIL, PLANTED_VOCABULARY, evil_cases, planted_cases

SEEN = "NCCL watchdog timeout, power dropped to 190 W, GPUs at 100%"
QUESTIONS = [
    SEEN,
    "학습이 멈췄고 NCCL 타임아웃이 났다. OOM은 없었다",
    "DNS resolution fails for all services after a change",
    "we pushed a config and every proxy returned 5xx",
    "TLS certificate expired and clients cannot connect",
    "쿠버네티스 노드가 NotReady로 바뀌고 파드가 쫓겨났다",
    "loss spike after resuming from a checkpoint",
]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = tmp_path_factory.mktemp("planted") / "planted.duckdb"
    with kg.build_library(
        planted_cases(), path, vocabulary=PLANTED_VOCABULARY, encoder="hash"
    ) as library:
        yield library


def test_it_starts_from_the_answer_of_the_search(quick: Library) -> None:
    found = quick.diagnose(SEEN)
    searched = quick.search(SEEN, k=6)
    assert found.similar.ids == searched.ids
    assert [h.probability for h in found.similar] == [h.probability for h in searched]
    assert {n.case_id for n in found.near if n.similar} == set(found.similar.ids)


def test_observed_terms_are_searched_for_by_their_labels(quick: Library) -> None:
    found = quick.diagnose("the job stands still", observed=["전력 하락", "NCCL timeout"])
    assert found.similar.query == "the job stands still\npower drop\nNCCL timeout"
    assert found.text == "the job stands still"
    assert set(found.understood.observed) == {"symptom:power-drop", "symptom:nccl-timeout"}
    korean = quick.diagnose("작업이 멈췄다", observed=["power drop"])
    assert korean.similar.query == "작업이 멈췄다\n전력 하락"


def test_the_language_is_that_of_the_text_unless_told(quick: Library) -> None:
    assert quick.diagnose(SEEN).lang == "en"
    assert quick.diagnose("작업이 멈췄다").lang == "ko"
    korean = quick.diagnose(SEEN, lang="ko")
    assert korean.similar.lang == korean.lang == "ko"


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_statement_is_what_its_case_says(whole: Library, question: str) -> None:
    found = whole.diagnose(question, threshold=0.05)
    assert found.evidence
    for s in found.evidence:
        case = whole.get(s.case_id)
        for span in s.evidence:
            assert case.text(span.field, span.lang)[span.start : span.end] == span.quote
        if s.kind == "title":
            continue
        claim = dict(case.claim_ids())[s.claim_id]
        assert (s.status, s.kind, s.terms) == (claim.status, claim.kind, claim.terms)
        assert s.result == claim.result


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_ruled_out_or_suspected_claim_counts_as_a_cause(whole: Library, question: str) -> None:
    found = whole.diagnose(question, threshold=0.05)
    for h in found.hypotheses:
        below = whole.vocabulary.narrower_all(h.cause)
        confirmed = {
            c.id
            for c in whole.cases.values()
            for claim in c.claims_of(ClaimKind.CAUSE)
            if below & set(claim.terms)
        }
        assert {s.statement.case_id for s in h.support} <= confirmed
        assert all(s.statement.status is Status.CONFIRMED for s in h.support)
        assert all(s.status is Status.SUSPECTED for s in h.suspected)
        assert h.n <= len(confirmed)


def test_ruling_out_the_first_hypothesis_moves_the_others_up(planted: Library) -> None:
    first = planted.diagnose("NCCL timeout and slow training", threshold=0.0)
    assert first.hypotheses
    gone = first.hypotheses[0].cause
    then = planted.diagnose(
        "NCCL timeout and slow training", threshold=0.0, ruled_out=[gone], previous=first
    )
    assert gone not in {h.cause for h in then.hypotheses}
    assert then.changes is not None
    assert [c.kind for c in then.changes.hypotheses if c.cause == gone] == ["went"]
    before = {h.cause: h.probability for h in first.hypotheses}
    assert all(h.probability >= before.get(h.cause, 0.0) for h in then.hypotheses)


def test_the_planted_look_alikes_are_warned_of(planted: Library) -> None:
    found = planted.diagnose("NCCL timeout and slow training", threshold=0.0)
    pair = next(p for p in found.look_alikes if (p.a, p.b) == ("P-1", "P-2"))
    assert pair.likeness == 1.0
    assert {"tool:flight-recorder", "tool:link-test"} <= {c.term for c in pair.checks}


def test_nothing_similar_is_no_hypothesis(quick: Library) -> None:
    found = quick.diagnose(SEEN, threshold=1.0)
    assert found.abstention is not None
    assert found.abstention.reason == "nothing_similar"
    assert found.hypotheses == ()
    assert found.similar.weaker
    assert found.checks, "the terms are known, so that checks can be named"


@pytest.mark.parametrize("text", ["", "  \n", "…!?"])
def test_a_text_without_words_cannot_be_diagnosed(quick: Library, text: str) -> None:
    with pytest.raises(BadQuery, match="the text has no words"):
        quick.diagnose(text)


def test_bad_arguments_are_refused(quick: Library) -> None:
    with pytest.raises(BadQuery, match="k must be 1 or more"):
        quick.diagnose(SEEN, k=0)
    with pytest.raises(BadQuery, match="threshold"):
        quick.diagnose(SEEN, threshold=2)
    with pytest.raises(BadQuery, match="previous must be a diagnosis"):
        quick.diagnose(SEEN, previous="earlier")  # type: ignore[arg-type]
    with pytest.raises(BadQuery, match="is observed, but"):
        quick.diagnose(SEEN, observed=["power drop"], ruled_out=["power drop"])
    with pytest.raises(TermNotFound, match="power drop"):
        quick.diagnose(SEEN, observed="powerr drop")


def test_the_same_question_gives_the_same_bytes(whole: Library, quick: Library) -> None:
    for library in (whole, quick):
        a, b = (library.diagnose(SEEN) for _ in range(2))
        assert plain(a) == plain(b)
        assert str(a) == str(b)
        assert library.to_prompt(a) == library.to_prompt(b)


def test_a_diagnosis_is_quick_once_the_library_is_loaded(whole: Library) -> None:
    whole.diagnose(SEEN)
    start = time.perf_counter()
    for question in QUESTIONS:
        whole.diagnose(question)
    assert (time.perf_counter() - start) / len(QUESTIONS) < 1.0


def test_a_long_log_is_read_by_its_distinct_lines(quick: Library) -> None:
    log = "\n".join(f"{n:06} NCCL watchdog timeout on rank 3" for n in range(3000))
    found = quick.diagnose(log)
    assert len(found.text) <= 20_000
    assert "symptom:nccl-timeout" in found.understood.seen
    for tag in (*found.understood.named, *found.understood.meant):
        assert found.text[tag.start : tag.end] == tag.text


def test_an_answer_is_verified_against_the_diagnosis(quick: Library) -> None:
    found = quick.diagnose(SEEN)
    n, said = next((n, s) for n, s in enumerate(found.evidence, 1) if s.kind == "symptom")
    good = f"In {said.case_id}: {said.said('en')} [{n}]"
    assert quick.verify_answer(good, found).ok
    report = quick.verify_answer(f"{good} It was the switch.", found, lang="ko")
    assert not report.ok
    assert report.lang == "ko"
    with pytest.raises(BadQuery, match="the answer is empty"):
        quick.verify_answer(" ", found)


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The planted cases, P-1 poisoned in every text that it has."""
    cases: list[Case] = [*evil_cases(), *(c for c in planted_cases() if c.id != "P-1")]
    path = tmp_path_factory.mktemp("poisoned") / "poisoned.duckdb"
    with kg.build_library(cases, path, vocabulary=PLANTED_VOCABULARY, encoder="hash") as library:
        yield library


def test_a_poisoned_case_is_only_quoted(poisoned: Library) -> None:
    found = poisoned.diagnose(f"slow training {EVIL}", threshold=0.0)
    assert found.hypotheses
    quotes = [span.quote for s in found.evidence if s.case_id == "P-1" for span in s.evidence]
    assert EVIL in quotes
    assert "<script" not in found._repr_html_()
    assert "\u202e" not in poisoned.to_prompt(found)
    assert poisoned.sql("SELECT count(*) FROM cases").rows == ((5,),)


def test_a_diagnosis_is_one_whatever_it_was_asked_before(planted: Library) -> None:
    alone: Diagnosis = planted.diagnose("slow training", threshold=0.0)
    planted.diagnose("H100 broken", threshold=0.0)
    assert planted.diagnose("slow training", threshold=0.0) == alone
