"""What a program claimed waits for a person, counts for nothing, and decisions about it last."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import kg
from kg.errors import BadQuery, CaseNotFound
from kg.library import Library
from kg.library.intake import remove_cases, review_claims
from kg.library.reviewing import decided_about, decisions, review_of, reviews_above, waiting
from kg.model import Case, ClaimKind, Decision, Review, Role, Status
from tests.helpers.foreign_library import HANG, LINK, add, claimed, tables, write
from tests.helpers.libraries import rows
from tests.helpers.tiny import make_case, write_json

CASE = "PM-7"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reviewed")
    docs = write(folder / "docs", hang=f"---\nid: {CASE}\n---\n{HANG}", link=LINK)
    by_hand = make_case("X-1", ("cause", "cause:race"), ("symptom", "symptom:slow"))
    write_json(docs / "x.json", by_hand.model_dump(mode="json", exclude_defaults=True))
    add(folder / "own.duckdb", docs)
    return folder


@pytest.fixture
def library(template: Path, tmp_path: Path) -> Path:
    """A library of two postmortems and a case file, with nothing reviewed."""
    shutil.copytree(template / "docs", tmp_path / "docs")
    return Path(shutil.copy(template / "own.duckdb", tmp_path / "own.duckdb"))


def decide(library: Path, claim: str, decision: Decision, **more: object) -> tuple[Case, ...]:
    with kg.open_library(library) as lib:
        review = review_of(waiting(lib), claim, decision, lib.vocabulary, **more)
    return review_claims(library, [review])


def about(library: Path, term: str, kind: str = "cause") -> str:
    """The id of the claim of the case about a term."""
    with kg.open_library(library) as lib:
        found = [w.claim_id for w in waiting(lib, CASE, kind) if w.term == term]
    (claim,) = found
    return claim


# What waits counts for nothing


def test_the_queue_is_the_same_in_python_and_sql(library: Path) -> None:
    with kg.open_library(library) as lib:
        queued = waiting(lib)
        asked = lib.sql(
            "SELECT claim_id, case_id, kind, term_id, status, made_by, confidence, field, lang, "
            "quote FROM review_queue ORDER BY kind <> 'cause', confidence DESC, claim_id"
        ).rows
    assert queued
    assert [tuple(vars(w).values()) for w in queued] == [
        (a[0], a[1], a[2], a[3], *a[4:]) for a in asked
    ]
    assert {w.case_id for w in queued} & {"X-1"} == set()


def test_the_queue_can_be_narrowed(library: Path) -> None:
    with kg.open_library(library) as lib:
        every = waiting(lib, CASE)
        assert waiting(lib, CASE, "cause") == [w for w in every if w.kind == "cause"]
        least = sorted(w.confidence for w in every)[len(every) // 2]
        assert waiting(lib, CASE, least=least) == [w for w in every if w.confidence >= least]
        with pytest.raises(CaseNotFound):
            waiting(lib, "GONE-1")
        with pytest.raises(BadQuery, match="no kind of claim"):
            waiting(lib, kind="reason")


def test_a_claim_in_review_is_no_cause_anywhere(library: Path) -> None:
    with kg.open_library(library) as lib:
        assert lib.shared_causes([CASE, "X-1"]) == []
        hits = lib.similar(CASE, threshold=0).items
        assert {h.same_cause for h in hits} == {"unknown"}
        for query in (
            "SELECT * FROM confirmed_terms WHERE case_id <> 'X-1'",
            "SELECT * FROM case_causes WHERE status = 'confirmed' AND case_id <> 'X-1'",
            "SELECT * FROM case_facets WHERE confirmed AND case_id <> 'X-1'",
            "SELECT * FROM cause_component_matrix WHERE n > 0",
            f"SELECT * FROM shared_causes('{CASE}', 'X-1')",
        ):
            assert lib.sql(query).rows == (), query
        edges = lib.graph.edges_of(CASE)
        terms = [e for e in edges if e.claim_id]
        assert terms
        assert {str(e.status) for e in terms} <= {"suspected", "ruled_out"}
        for word in ("causedBy", "rootCause", "exhibits", "affects", "mitigatedBy"):
            assert lib.sparql(f"ASK {{ case:{CASE} kg:{word} ?term }}").rows == ((False,),)
        assert lib.sparql(f"ASK {{ case:{CASE} kg:claim/kg:reviewed false }}").rows == ((True,),)


def test_a_diagnosis_counts_no_claim_in_review(library: Path) -> None:
    query = "NCCL timeout and slow training"

    def bearing() -> set[str]:
        with kg.open_library(library) as lib:
            found = (h for h in lib.diagnose(query).hypotheses if h.cause == "cause:race")
            return {s.statement.case_id for h in found for s in h.support}

    assert bearing() == {"X-1"}
    decide(library, about(library, "cause:race"), Decision.ACCEPT)
    assert bearing() == {"X-1", CASE}


# Decisions


def test_an_accepted_cause_is_a_cause(library: Path) -> None:
    decide(library, about(library, "cause:race"), Decision.ACCEPT, role="primary", author="J. Kim")
    with kg.open_library(library) as lib:
        (shared,) = lib.shared_causes([CASE, "X-1"])
        assert shared.cause == "cause:race"
        claim = next(c for c in lib.get(CASE).claims if c.terms == ("cause:race",))
        assert (claim.status, claim.role, claim.in_review) == (
            Status.CONFIRMED, Role.PRIMARY, False,
        )  # fmt: skip
        assert [w.term for w in waiting(lib, CASE, "cause")] == ["cause:ecc-error"]
        step = lib.revisions(CASE)[-1]
        assert (step.action, step.author) == ("reviewed", "J. Kim")
        assert step.before is not None
        assert Case.model_validate_json(step.before).claims != lib.get(CASE).claims
    assert rows(library, "SELECT decision, author FROM reviews") == [("accept", "J. Kim")]


def test_what_is_denied_stays_ruled_out_when_it_is_accepted(library: Path) -> None:
    decide(library, about(library, "cause:ecc-error"), Decision.ACCEPT)
    assert claimed(library, CASE)["cause cause:ecc-error"] == "ruled_out"


def test_it_may_be_accepted_as_suspected(library: Path) -> None:
    decide(library, about(library, "cause:race"), Decision.ACCEPT, suspected=True)
    assert claimed(library, CASE)["cause cause:race"] == "suspected"
    with kg.open_library(library) as lib:
        assert "cause:race" not in {w.term for w in waiting(lib, CASE, "cause")}


def test_a_changed_claim_names_the_other_term(library: Path) -> None:
    decide(library, about(library, "cause:race") + "=mismatched collectives", Decision.CHANGE)
    found = claimed(library, CASE)
    assert found["cause cause:mismatch"] == "confirmed"
    assert "cause cause:race" not in found


def test_a_rejected_claim_is_gone(library: Path) -> None:
    decide(library, about(library, "cause:race"), Decision.REJECT)
    assert "cause cause:race" not in claimed(library, CASE)


def test_all_above_a_confidence_are_accepted_at_once(library: Path) -> None:
    with kg.open_library(library) as lib:
        queued = waiting(lib)
        given = reviews_above(queued, 0.4, kind="symptom")
        assert 0 < len(given) == sum(w.kind == "symptom" and w.confidence >= 0.4 for w in queued)
    review_claims(library, given)
    assert claimed(library, CASE)["symptom symptom:nccl-timeout"] == "confirmed"


CHANGED = HANG.replace("two hours", "three hours").replace("slow training", "a slow training")


@pytest.mark.parametrize("decision", list(Decision))
def test_decisions_survive_when_the_document_changes(library: Path, decision: Decision) -> None:
    claim = about(library, "cause:race") + ("=cause:mismatch" * (decision is Decision.CHANGE))
    decide(library, claim, decision)
    before = claimed(library, CASE)
    write(library.parent / "docs", hang=f"---\nid: {CASE}\n---\n{CHANGED}")
    found = add(library, library.parent / "docs")
    assert [i.case_id for i in found.items if i.action] == [CASE]
    assert claimed(library, CASE) == before
    with kg.open_library(library) as lib:
        assert "three hours" in str(lib.get(CASE).impact)
        assert not {w.term for w in waiting(lib, CASE)} & {"cause:race", "cause:mismatch"}
        assert [s.action for s in lib.revisions(CASE)] == ["added", "reviewed", "updated"]


def test_a_claim_that_comes_back_later_is_decided_still(library: Path) -> None:
    decide(library, about(library, "cause:race"), Decision.REJECT)
    docs = library.parent / "docs"
    for text in (HANG.replace("A race condition in NCCL.", "Who knows."), HANG):
        write(docs, hang=f"---\nid: {CASE}\n---\n{text}")
        add(library, docs)
        assert "cause cause:race" not in claimed(library, CASE)


@pytest.mark.parametrize("decision", [Decision.ACCEPT, Decision.CHANGE])
def test_it_is_told_when_the_words_of_what_was_accepted_are_gone(
    library: Path, decision: Decision
) -> None:
    claim = about(library, "cause:race") + ("=cause:mismatch" * (decision is Decision.CHANGE))
    decide(library, claim, decision)
    docs = library.parent / "docs"
    without = HANG.replace("A race condition in NCCL.", "Who knows.")
    write(docs, hang=f"---\nid: {CASE}\n---\n{without}")
    notes = [n for n in add(library, docs).notes if n.field == "claims"]
    named = "cause:mismatch" if decision is Decision.CHANGE else "cause:race"
    assert [(n.case_id, named in n.message) for n in notes] == [(CASE, True)]
    write(docs, hang=f"---\nid: {CASE}\n---\n{HANG}")
    assert [n for n in add(library, docs).notes if n.field == "claims"] == []
    assert claimed(library, CASE)[f"cause {named}"] == "confirmed"


def test_a_decision_can_be_changed_and_taken_back(library: Path) -> None:
    start = tables(library)["claims"]
    decide(library, about(library, "cause:race"), Decision.REJECT)
    key = (CASE, "cause", "cause:race")
    accept = Review(case_id=CASE, kind=ClaimKind.CAUSE, term="cause:race", decision=Decision.ACCEPT)
    review_claims(library, [accept])
    assert claimed(library, CASE)["cause cause:race"] == "confirmed"
    with kg.open_library(library) as lib:
        assert [r.decision for r in decisions(lib, CASE)] == ["accept"]
        assert decided_about(decisions(lib), f"{CASE}#cause:race") == [key]
        with pytest.raises(BadQuery, match="nothing was decided"):
            decided_about(decisions(lib), f"{CASE}#cause:ecc-error")
    review_claims(library, undo=[key])
    assert tables(library)["claims"] == start
    assert rows(library, "SELECT * FROM reviews") == []
    with pytest.raises(BadQuery, match="nothing was decided"):
        review_claims(library, undo=[key])


def test_decisions_that_cannot_be_are_refused_and_nothing_is_written(library: Path) -> None:
    before = library.read_bytes()
    claim = about(library, "cause:race")
    for wrong, message in (
        (f"{CASE}#cause-99", "kg review lists"),
        (f"{claim}=cause:race", "CLAIM=TERM"),
    ):
        with pytest.raises(BadQuery, match=message):
            decide(library, wrong, Decision.ACCEPT)
    with pytest.raises(BadQuery, match="CLAIM=TERM"):
        decide(library, claim, Decision.CHANGE)
    with pytest.raises(BadQuery, match="does not fit"):
        decide(library, f"{claim}=symptom:slow", Decision.CHANGE)
    with pytest.raises(BadQuery, match="2024-13"):
        decide(library, claim, Decision.ACCEPT, at="2024-13-01")
    with pytest.raises(BadQuery, match="no role 'main'"):
        decide(library, claim, Decision.ACCEPT, role="main")
    with pytest.raises(BadQuery, match="no role of a cause"):
        decide(library, claim, Decision.ACCEPT, role="failed")
    gone = Review(case_id="GONE-1", kind=ClaimKind.CAUSE, term="cause:race", decision="accept")
    with pytest.raises(CaseNotFound):
        review_claims(library, [gone])
    mine = Review(case_id="X-1", kind=ClaimKind.CAUSE, term="cause:race", decision="reject")
    with pytest.raises(BadQuery, match="no program claimed"):
        review_claims(library, [mine])
    assert library.read_bytes() == before


def test_removing_a_case_takes_its_decisions_and_history_along(library: Path) -> None:
    decide(library, about(library, "cause:race"), Decision.REJECT)
    remove_cases(library, [CASE])
    assert rows(library, "SELECT * FROM reviews") == []
    assert rows(library, "SELECT * FROM revisions WHERE case_id = ?", [CASE]) == []
    add(library, library.parent / "docs")
    assert claimed(library, CASE)["cause cause:race"] == "suspected"


def test_decisions_follow_a_term_that_is_renamed(library: Path) -> None:
    decide(library, about(library, "cause:race"), Decision.REJECT)
    decide(library, about(library, "symptom:slow", "symptom"), Decision.ACCEPT)
    kg.rename_term(library, "cause:race", "data-race")
    kg.rename_term(library, "symptom:slow", "sluggish")
    write(library.parent / "docs", hang=f"---\nid: {CASE}\n---\n{CHANGED}")
    add(library, library.parent / "docs")
    found = claimed(library, CASE)
    assert not {"cause cause:race", "cause cause:data-race"} & set(found)
    assert found["symptom symptom:sluggish"] == "confirmed"
    with kg.open_library(library) as lib:
        assert {r.term for r in decisions(lib)} == {"cause:data-race", "symptom:sluggish"}


# Exports


@pytest.fixture(scope="module")
def judged(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library with a claim rejected and another accepted."""
    folder = tmp_path_factory.mktemp("judged")
    path = Path(shutil.copy(template / "own.duckdb", folder / "own.duckdb"))
    with kg.open_library(path) as lib:
        found = {(w.kind, w.term): w.claim_id for w in waiting(lib, CASE)}
        race, slow = found["cause", "cause:race"], found["symptom", "symptom:slow"]
        given = [
            review_of(waiting(lib), race, Decision.REJECT, author='J. Kim, "x"'),
            review_of(waiting(lib), slow, Decision.ACCEPT, at="2024-05-02"),
        ]
    review_claims(path, given)
    return path


@pytest.mark.parametrize("form", ["jsonl", "parquet", "csv", "duckdb"])
def test_an_export_brings_decisions_and_histories_along(
    judged: Path, tmp_path: Path, form: str
) -> None:
    with kg.open_library(judged) as lib:
        lib.export(tmp_path / "all", form)
    again = kg.build_library(tmp_path / "all", tmp_path / "again.duckdb", encoder="hash").path
    assert tables(again) == tables(judged)


def test_an_export_of_a_part_brings_what_belongs_to_it(judged: Path, tmp_path: Path) -> None:
    with kg.open_library(judged) as lib:
        other = next(i for i in lib.cases if i not in (CASE, "X-1"))
        lib.export(tmp_path / "part", "parquet", [CASE])
        lib.export(tmp_path / "other", "jsonl", [other])
    part = tables(kg.build_library(tmp_path / "part", tmp_path / "p.duckdb", encoder="hash").path)
    for name in ("reviews", "revisions", "claims"):
        assert part[name] == [r for r in tables(judged)[name] if CASE in (r[0], r[1])]
    lone = tables(kg.build_library(tmp_path / "other", tmp_path / "o.duckdb", encoder="hash").path)
    assert lone["reviews"] == []
    assert [r[0] for r in lone["revisions"]] == [other]


def test_decisions_come_along_when_an_export_is_added(library: Path, tmp_path: Path) -> None:
    decide(library, about(library, "cause:race"), Decision.REJECT)
    with kg.open_library(library) as lib:
        lib.export(tmp_path / "all", "jsonl")
    other = tmp_path / "other.duckdb"
    add(other, tmp_path / "all")
    assert rows(other, "SELECT * FROM reviews") == rows(library, "SELECT * FROM reviews")
    write(library.parent / "docs", hang=f"---\nid: {CASE}\n---\n{CHANGED}")
    add(other, library.parent / "docs")
    assert "cause cause:race" not in claimed(other, CASE)


def test_damaged_decisions_are_told_with_file_and_line(library: Path, tmp_path: Path) -> None:
    decide(library, about(library, "cause:race"), Decision.REJECT)
    with kg.open_library(library) as lib:
        lib.export(tmp_path / "all", "jsonl")
    (tmp_path / "all" / "reviews.jsonl").write_text('{"case_id": "PM-7"}\n', encoding="utf-8")
    with pytest.raises(kg.InputError, match=r"reviews\.jsonl:1.*kind"):
        kg.build_library(tmp_path / "all", tmp_path / "again.duckdb", encoder="hash")


def test_a_library_shows_what_was_decided(library: Path) -> None:
    decide(library, about(library, "cause:race"), Decision.REJECT)
    with Library(library) as lib:
        assert [r.key for r in lib.reviews] == [(CASE, "cause", "cause:race")]
        assert [s.number for s in lib.revisions(CASE)] == [1, 2]
        with pytest.raises(CaseNotFound):
            lib.revisions("GONE-1")
