"""Decisions reach the parts of a merged case, are taken back, and travel with merges in exports."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

import kg
from kg.errors import BadQuery, InputError
from kg.library.intake import add_documents, review_claims
from kg.library.merging import merge_cases, tell_apart, undo_merge
from kg.library.own import check_own
from kg.library.reviewing import decided_about, decisions
from kg.model import ClaimKind, Decision, Review, Status
from kg.store import Snapshot, connect, read_snapshot
from tests.library.test_merging_cases import (
    POST,
    built,
    causes,
    decide,
    folder,
    ids,
    path,
    told,
)

__all__ = ["built", "folder", "path"]
LINK = "cause:link-down"


def held(path: Path) -> Snapshot:
    with closing(connect(path)) as connection:
        return read_snapshot(connection)


def take_back(path: Path, name: str) -> None:
    with kg.open_library(path) as library:
        keys = decided_about(decisions(library), name, library.merged)
    review_claims(path, undo=keys)


def test_a_decision_about_a_merged_case_is_taken_back_by_either_id(path: Path) -> None:
    page, post, _ = ids(path)
    merge_cases(path, page, post)
    before = held(path).cases
    for name in (page, post):
        decide(path, page, LINK, Decision.ACCEPT)
        assert causes(path, page)[LINK] == [Status.CONFIRMED]
        assert [r.case_id for r in held(path).reviews] == [post]
        take_back(path, f"{name}#{LINK}")
        assert held(path).cases == before
        assert held(path).reviews == ()
    with pytest.raises(BadQuery, match="nothing was decided"):
        review_claims(path, undo=[(page, "cause", LINK)])


def test_what_was_rejected_in_a_part_is_decided_otherwise_in_the_whole(path: Path) -> None:
    page, post, _ = ids(path)
    merge_cases(path, page, post)
    decide(path, page, LINK, Decision.REJECT)
    assert LINK not in causes(path, page)
    decide(path, post, LINK, Decision.ACCEPT)
    assert causes(path, page)[LINK] == [Status.CONFIRMED]


def test_a_decision_from_before_a_merge_is_taken_back_after_it(path: Path) -> None:
    page, post, _ = ids(path)
    merge_cases(path, page, post)
    waits = held(path).cases
    undo_merge(path, page)
    decide(path, post, LINK, Decision.ACCEPT)
    decide(path, page, "cause:race", Decision.REJECT)
    merge_cases(path, page, post)
    take_back(path, f"{post}#{LINK}")
    take_back(path, f"{page}#cause:race")
    assert held(path).cases == waits


def test_each_step_of_a_merged_case_is_told_in_the_history_of_its_part(path: Path) -> None:
    """A document read again and then judged, while merged: as if it had always been alone."""
    page, post, _ = ids(path)
    alone = path.parent / "alone.duckdb"
    alone.write_bytes(path.read_bytes())
    merge_cases(path, page, post)
    decide(path, page, "cause:race", Decision.REJECT)
    told(path.parent, "post.md", POST % "Second.")
    for library in (path, alone):
        add_documents(library, path.parent / "post.md", at="2025-05-01")
        given = Review(
            case_id=post, kind=ClaimKind.CAUSE, term=LINK, decision=Decision.ACCEPT, author="Kim"
        )
        review_claims(library, [given])
    numbers = [r.number for r in held(path).revisions if r.case_id == page]
    assert numbers == list(range(1, len(numbers) + 1))
    undo_merge(path, page)
    steps = [
        [(r.number, r.action, r.at, r.author) for r in held(p).revisions if r.case_id == post]
        for p in (path, alone)
    ]
    assert [action for _, action, _, _ in steps[1]] == ["added", "updated", "reviewed"]
    assert steps[0][-2:] == [(n + len(steps[0]) - 3, *rest) for n, *rest in steps[1][-2:]]
    take_back(path, f"{post}#{LINK}")
    assert causes(path, post)[LINK] == [Status.SUSPECTED]


@pytest.fixture(scope="module")
def merged_once(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = Path(shutil.copy(built, tmp_path_factory.mktemp("merged") / "lib.duckdb"))
    page, post, other = ids(path)
    decide(path, page, "cause:race", Decision.REJECT)
    merge_cases(path, page, post, at="2025-04-01", author="an analyst")
    decide(path, page, LINK, Decision.ACCEPT)
    tell_apart(path, post, other, note="another week")
    return path


@pytest.fixture
def merged_library(folder: Path, merged_once: Path) -> Path:
    return Path(shutil.copy(merged_once, folder / "lib.duckdb"))


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet", "duckdb"])
def test_merges_decisions_and_pairs_told_apart_travel(merged_library: Path, form: str) -> None:
    before = held(merged_library)
    assert before.reviews
    assert before.apart
    out = merged_library.parent / "out"
    with kg.open_library(merged_library) as library:
        library.export(out, format=form)
    again = kg.build_library(out, merged_library.parent / "again.duckdb", encoder="hash").path
    after = held(again)
    assert (after.cases, after.reviews, after.revisions, after.apart) == (
        before.cases, before.reviews, before.revisions, before.apart,
    )  # fmt: skip
    (page,) = {r.case_id for r in before.revisions if r.action == "merged"}
    assert undo_merge(again, page) == undo_merge(merged_library, page)


def test_a_case_that_stands_alone_elsewhere_is_in_no_merge(merged_library: Path) -> None:
    """Two exports, one of before the merge: the absorbed case is there, so it is in no other."""
    page = next(r.case_id for r in held(merged_library).revisions if r.action == "merged")
    both = merged_library.parent / "both"
    both.mkdir()
    with kg.open_library(merged_library) as library:
        (post,) = library.merged
        library.export(both / "merged", format="jsonl")
    undo_merge(merged_library, page)
    with kg.open_library(merged_library) as library:
        alone = library.get(post)
    inputs: list[str | Path | kg.Case] = [both / "merged", alone]
    again = kg.build_library(inputs, both / "again.duckdb", encoder="hash").path
    with kg.open_library(again) as library:
        assert library.merged == {}
        assert library.get(post).id == post
        assert library.revisions(page) == ()


def test_a_step_that_holds_no_case_is_told(merged_library: Path) -> None:
    out = merged_library.parent / "out"
    with kg.open_library(merged_library) as library:
        library.export(out, format="jsonl")
    file = out / "revisions.jsonl"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"absorbed": "{', '"absorbed": "'), encoding="utf-8")
    with pytest.raises(InputError, match="holds no whole record"):
        kg.build_library(out, merged_library.parent / "again.duckdb", encoder="hash")


def test_the_library_of_the_cache_is_not_merged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INCIDENT_KG_CACHE", str(path.parent))
    page, post, other = ids(path)
    with pytest.raises(kg.LibraryError, match="read-only"):
        check_own(path)
    with pytest.raises(kg.LibraryError, match="read-only"):
        merge_cases(path, page, post)
    with pytest.raises(kg.LibraryError, match="read-only"):
        tell_apart(path, page, other)
