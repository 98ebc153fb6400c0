"""Cases of a library merged and taken apart: every export is as it was, whatever came between."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

import kg
from kg.errors import BadQuery, CaseNotFound
from kg.library import Library
from kg.library.evolution import rename_term, split_term, undo_change
from kg.library.intake import Intake, add_documents, remove_cases, review_claims
from kg.library.merging import allow_merge, merge_cases, tell_apart, undo_merge
from kg.model import Action, ClaimKind, Decision, Review, Revision, Status
from kg.store import connect, read_snapshot
from tests.helpers.evolving import described
from tests.helpers.exports import contents
from tests.helpers.tiny import tiny_vocabulary

PAGE = """{"page": {"name": "Norn", "url": "https://status.norn.example"}, "incidents": [
 {"id": "k7q2", "name": "Training is slow", "status": "resolved", "impact": "major",
  "created_at": "2025-03-02T09:02:00Z", "resolved_at": "2025-03-02T10:15:00Z",
  "components": [{"id": "c", "name": "PyTorch"}, {"id": "d", "name": "Web"}],
  "incident_updates": [
   {"id": "u1", "status": "investigating", "body": "We see slow training. %s",
    "created_at": "2025-03-02T09:02:00Z", "display_at": "2025-03-02T09:02:00Z"},
   {"id": "u2", "status": "resolved", "body": "It was a race condition.",
    "created_at": "2025-03-02T10:15:00Z", "display_at": "2025-03-02T10:15:00Z"}]}]}
"""
POST = """# NCCL timeout on the training cluster

## Summary
A link down between two switches. %s

## Root cause
The cause was link down, not a race condition.
"""
OTHER = "# Data loader crash\n\n## Summary\nThe data loader stopped after a version upgrade.\n"


def told(path: Path, name: str, text: str) -> Path:
    file = path / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    told(tmp_path, "page.json", PAGE % "First.")
    told(tmp_path, "post.md", POST % "First.")
    told(tmp_path, "other.md", OTHER)
    return tmp_path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    files = [
        told(folder, "page.json", PAGE % "First."),
        told(folder, "post.md", POST % "First."),
        told(folder, "other.md", OTHER),
    ]
    library = folder / "lib.duckdb"
    add_documents(library, files, vocabulary=tiny_vocabulary(), encoder="hash")
    return library


@pytest.fixture
def path(folder: Path, built: Path) -> Path:
    return Path(shutil.copy(built, folder / "lib.duckdb"))


def ids(path: Path) -> tuple[str, str, str]:
    """The ids of the page's case, the postmortem's and the other one."""
    with kg.open_library(path) as library:
        by_format = sorted(library.cases, key=lambda i: library.cases[i].name())
        other, post, page = by_format
        return page, post, other


RECORDS = ("jsonl",)
EVERY = ("jsonl", "csv", "parquet", "graphml", "cypher")


def exports(path: Path, name: str, forms: tuple[str, ...] = RECORDS) -> dict[str, bytes]:
    """Files of exports by name; the library file itself is none, as its bytes are never equal."""
    found: dict[str, bytes] = {}
    with kg.open_library(path) as library:
        for form in forms:
            folder = path.parent / f"{name}-{form}"
            library.export(folder, format=form)
            found |= {f"{form}/{k}": v for k, v in contents(folder).items()}
        if len(forms) > 1:
            found["rdf"] = library.rdf_text("ntriples").encode()
    return found


def add(path: Path, name: str) -> Intake:
    return add_documents(path, path.parent / name)


def revisions(path: Path) -> tuple[Revision, ...]:
    with closing(connect(path)) as connection:
        return read_snapshot(connection).revisions


def opened(path: Path) -> Library:
    return kg.open_library(path)


def test_a_merge_is_undone_to_the_byte_of_every_export(path: Path) -> None:
    page, post, _ = ids(path)
    before = exports(path, "before", EVERY)
    made = merge_cases(path, page, post, at="2025-04-01", author="an analyst", note="one outage")
    assert made.done
    merged = exports(path, "merged", EVERY)
    assert merged["jsonl/cases.jsonl"] != before["jsonl/cases.jsonl"]
    kept, absorbed = undo_merge(path, page)
    assert (kept.id, absorbed.id) == (page, post)
    assert exports(path, "after", EVERY) == before


def test_a_dry_run_writes_nothing(path: Path) -> None:
    page, post, _ = ids(path)
    before = path.read_bytes()
    made = merge_cases(path, page, post, dry_run=True)
    assert not made.done
    assert made.kept.id == page
    with pytest.raises(BadQuery, match="not merged"):
        undo_merge(path, page, dry_run=True)
    assert path.read_bytes() == before


def test_the_absorbed_id_leads_to_the_case_and_the_record_stays_in_the_history(path: Path) -> None:
    page, post, _ = ids(path)
    with opened(path) as library:
        record = library.get(post)
    merge_cases(path, page, post, at="2025-04-01", author="an analyst", note="one outage")
    with opened(path) as library:
        assert len(library) == 2
        assert library.get(post).id == page
        assert library.merged == {post: page}
        assert post not in library.cases
        rows = library.sql("SELECT * FROM revisions WHERE action = 'merged'").dicts()
        assert [(r["case_id"], r["author"], r["note"]) for r in rows] == [
            (page, "an analyst", "one outage")
        ]
        assert json.loads(rows[0]["absorbed"])["id"] == post
        assert library.search("link down between switches", threshold=0.0)[0].id == page
    assert any(record.model_dump_json(exclude_defaults=True) == r.absorbed for r in revisions(path))


def test_the_absorbed_document_read_again_changes_its_part(path: Path) -> None:
    page, post, _ = ids(path)
    merge_cases(path, page, post)
    assert [i.action for i in add(path, "post.md").items] == [None]
    told(path.parent, "post.md", POST % "Second.")
    (item,) = add(path, "post.md").items
    assert (item.case_id, item.action) == (page, Action.UPDATED)
    with opened(path) as library:
        assert len(library) == 2
        text = library.get(page).summary.text("en")
        assert "Second." in text
        assert "First." not in text.partition("link down between")[2]
    assert [i.action for i in add(path, "post.md").items] == [None]


def test_the_kept_document_read_again_changes_its_part(path: Path) -> None:
    page, post, _ = ids(path)
    merge_cases(path, page, post)
    told(path.parent, "page.json", PAGE % "Second.")
    told(path.parent, "post.md", POST % "Third.")
    found = add_documents(path, [path.parent / "page.json", path.parent / "post.md"])
    assert [(i.case_id, i.action) for i in found.items] == [(page, Action.UPDATED)] * 2
    assert found.problems == ()
    with opened(path) as library:
        case = library.get(page)
        assert case.symptom is not None
        assert "Second." in case.symptom.text("en")
        assert "Third." in case.summary.text("en")
        assert case.cause is not None


def test_what_was_read_meanwhile_stays_after_undoing(path: Path, folder: Path) -> None:
    """As if the two had never been one."""
    page, post, _ = ids(path)
    alone = folder / "alone.duckdb"
    alone.write_bytes(path.read_bytes())
    merge_cases(path, page, post)
    told(folder, "post.md", POST % "Second.")
    for library in (path, alone):
        add(library, "post.md")
    undo_merge(path, page)
    assert exports(path, "one")["jsonl/cases.jsonl"] == exports(alone, "two")["jsonl/cases.jsonl"]
    assert revisions(path) == revisions(alone)


def decide(path: Path, case_id: str, term: str, decision: Decision) -> None:
    kind = ClaimKind.CAUSE
    review_claims(path, [Review(case_id=case_id, kind=kind, term=term, decision=decision)])


def causes(path: Path, case_id: str) -> dict[str, list[Status]]:
    found: dict[str, list[Status]] = {}
    with opened(path) as library:
        for claim in library.get(case_id).claims:
            if claim.kind is ClaimKind.CAUSE:
                found.setdefault(claim.terms[0], []).append(claim.status)
    return found


def test_decisions_belong_to_the_document_and_survive_both_ways(path: Path) -> None:
    page, post, _ = ids(path)
    decide(path, page, "cause:race", Decision.REJECT)
    merge_cases(path, page, post)
    assert causes(path, page) == {
        "cause:link-down": [Status.SUSPECTED],
        "cause:race": [Status.RULED_OUT],  # of the postmortem; that of the page was rejected
    }
    decide(path, page, "cause:link-down", Decision.ACCEPT)
    assert causes(path, page)["cause:link-down"] == [Status.CONFIRMED]
    told(path.parent, "post.md", POST % "Second.")
    add(path, "post.md")
    assert causes(path, page)["cause:link-down"] == [Status.CONFIRMED]
    undo_merge(path, post)
    assert causes(path, post)["cause:link-down"] == [Status.CONFIRMED]
    assert causes(path, page) == {}


def test_contradictions_between_documents_are_told(path: Path) -> None:
    page, post, _ = ids(path)
    found = merge_cases(path, page, post)
    assert "cause:race" in {d.about for d in found.differences}


def test_a_case_may_absorb_several_and_each_is_undone_in_turn(path: Path) -> None:
    page, post, other = ids(path)
    states = [exports(path, "s0")]
    merge_cases(path, page, post)
    states.append(exports(path, "s1"))
    merge_cases(path, other, page)
    with opened(path) as library:
        assert list(library.cases) == [other]
        assert library.merged == {page: other, post: other}
        assert library.get(post).id == other
    told(path.parent, "post.md", POST % "Second.")
    (item,) = add(path, "post.md").items
    assert (item.case_id, item.action) == (other, Action.UPDATED)
    told(path.parent, "post.md", POST % "First.")
    add(path, "post.md")
    with pytest.raises(BadQuery, match="undo that first"):
        undo_merge(path, post)
    undo_merge(path, other)
    assert exports(path, "u1")["jsonl/cases.jsonl"] == states[1]["jsonl/cases.jsonl"]
    undo_merge(path, post)
    assert exports(path, "u0")["jsonl/cases.jsonl"] == states[0]["jsonl/cases.jsonl"]
    with pytest.raises(BadQuery, match="not merged"):
        undo_merge(path, other)


def test_the_last_of_several_is_undone_first(path: Path) -> None:
    page, post, other = ids(path)
    merge_cases(path, page, post)
    before = exports(path, "b")
    merge_cases(path, page, other)
    with pytest.raises(BadQuery, match=r"absorbed .* after"):
        undo_merge(path, post)
    undo_merge(path, page)
    assert exports(path, "a") == before


def test_terms_changed_meanwhile_are_those_of_the_cases_after_undoing(path: Path) -> None:
    page, post, _ = ids(path)
    before = exports(path, "before")
    merge_cases(path, page, post)
    rename_term(path, "cause:link-down", "cause:link-lost")
    (claim,) = [c for c in claims_of(path, page) if c[1] == "cause:link-lost"]
    new = [described("cause:cable"), described("cause:port")]
    split_term(path, "cause:link-lost", [t.id for t in new], {claim[0]: "cause:cable"},
               described=new)  # fmt: skip
    split = Path(shutil.copy(path, path.parent / "split.duckdb"))
    undo_merge(split, page)
    assert "cause:cable" in causes(split, post)
    with pytest.raises(BadQuery, match="would be gone"):
        undo_change(split)
    undo_change(path, steps=2)
    undo_merge(path, page)
    assert exports(path, "after")["jsonl/cases.jsonl"] == before["jsonl/cases.jsonl"]


def claims_of(path: Path, case_id: str) -> list[tuple[str, str]]:
    with opened(path) as library:
        return [(i, c.terms[0]) for i, c in library.get(case_id).claim_ids()]


def test_a_merged_case_is_removed_with_all_that_is_in_it(path: Path) -> None:
    page, post, other = ids(path)
    tell_apart(path, page, other)
    merge_cases(path, page, post)
    with pytest.raises(BadQuery, match="was merged into"):
        remove_cases(path, [post])
    remove_cases(path, [page])
    with closing(connect(path)) as connection:
        left = read_snapshot(connection)
    assert [c.id for c in left.cases] == [other]
    assert {r.case_id for r in left.revisions} == {other}
    assert left.apart == ()


def test_what_was_told_apart_cannot_be_merged_until_that_is_taken_back(path: Path) -> None:
    page, post, other = ids(path)
    made = tell_apart(path, post, page, author="an analyst", note="two outages")
    assert made.pair == tuple(sorted((page, post)))
    with pytest.raises(BadQuery, match="an analyst told"):
        merge_cases(path, page, post)
    merge_cases(path, other, post)
    with pytest.raises(BadQuery, match=r"told .* apart"):
        merge_cases(path, page, other)
    allow_merge(path, other, page)
    merge_cases(path, page, other)
    with pytest.raises(BadQuery, match="are one case"):
        tell_apart(path, page, post)
    with pytest.raises(BadQuery, match="nobody told"):
        allow_merge(path, page, other)


def test_an_exported_part_keeps_what_a_merge_absorbed(path: Path, folder: Path) -> None:
    page, post, _ = ids(path)
    merge_cases(path, page, post)
    with opened(path) as library:
        library.export(folder / "part", "duckdb", [page])
    undo_merge(folder / "part" / "incidents.duckdb", page)
    with opened(folder / "part" / "incidents.duckdb") as library:
        assert sorted(library.cases) == sorted([page, post])


@pytest.mark.parametrize(
    ("wrong", "match"), [({"at": "yesterday"}, "not a date"), ({"author": ""}, "author")]
)
def test_what_cannot_be_told_of_a_step_is_refused(
    path: Path, wrong: dict[str, str], match: str
) -> None:
    page, post, _ = ids(path)
    with pytest.raises(BadQuery, match=match):
        merge_cases(path, page, post, **wrong)  # type: ignore[arg-type]


def test_a_case_that_is_not_there_is_told(path: Path) -> None:
    page, post, other = ids(path)
    with pytest.raises(CaseNotFound):
        merge_cases(path, page, "GONE-1")
    with pytest.raises(CaseNotFound):
        undo_merge(path, "GONE-1")
    merge_cases(path, page, post)
    with pytest.raises(BadQuery, match="was merged into"):
        merge_cases(path, other, post)
