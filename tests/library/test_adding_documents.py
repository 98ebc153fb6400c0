"""Documents of others in a library of one's own: added, updated, left alone, taken out."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kg
from kg.errors import BadQuery, CaseNotFound, InputError, LibraryError
from kg.library.intake import add_documents, remove_cases
from kg.readers.document import Declared
from tests.helpers.foreign_library import (
    HANG,
    LINK,
    VOCABULARY,
    add,
    claimed,
    ids,
    tables,
    texts,
    write,
)
from tests.helpers.libraries import rows
from tests.helpers.tiny import make_case, write_json


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A library of two postmortems, in a folder with them."""
    path = tmp_path / "own.duckdb"
    add(path, write(tmp_path / "docs", hang=HANG, link=LINK), at="2024-05-01", author="J. Kim")
    return path


def case_of(library: Path, title: str) -> str:
    ((found,),) = rows(library, "SELECT case_id FROM cases WHERE title = ?", [title])
    return str(found)


def test_a_folder_becomes_a_library(library: Path) -> None:
    with kg.open_library(library) as lib:
        assert len(lib) == 2
        hit = lib.search("NCCL timeout, training slow", threshold=0).items[0]
        assert hit.title == "Training hung"
    case_id = case_of(library, "Training hung")
    assert claimed(library, case_id)["cause cause:race"] == "suspected"
    assert claimed(library, case_id)["cause cause:ecc-error"] == "ruled_out"
    assert rows(
        library, "SELECT severity, origin_system FROM cases WHERE case_id = ?", [case_id]
    ) == [("SEV2", "markdown")]


def test_the_history_begins_with_who_added_it_and_when(library: Path) -> None:
    steps = rows(library, "SELECT number, action, done_at, author, before FROM revisions")
    assert steps == [(1, "added", "2024-05-01", "J. Kim", None)] * 2


def test_what_is_there_already_is_not_written_again(library: Path, tmp_path: Path) -> None:
    before, about = library.read_bytes(), library.stat()
    found = add(library, tmp_path / "docs")
    assert not found.done
    assert len(ids(found, None)) == 2
    assert library.read_bytes() == before
    assert library.stat().st_ino == about.st_ino
    assert library.stat().st_mtime_ns == about.st_mtime_ns


def test_a_changed_document_updates_its_case_and_keeps_how_it_was(
    library: Path, tmp_path: Path
) -> None:
    case_id = case_of(library, "Training hung")
    old = kg.open_library(library).get(case_id)
    write(tmp_path / "docs", hang=HANG.replace("a restart", "a restart and replace hardware"))
    found = add(library, tmp_path / "docs", at="2024-06-01")
    assert ids(found, "updated") == [case_id]
    assert len(ids(found, None)) == 1
    assert claimed(library, case_id)["mitigation mitigation:replace"] == "suspected"
    with kg.open_library(library) as lib:
        last = lib.revisions(case_id)[-1]
        assert (last.number, last.action, last.at) == (2, "updated", "2024-06-01")
        assert last.before is not None
        assert type(old).model_validate_json(last.before) == old


def test_a_document_that_was_moved_or_renamed_is_the_same_case(
    library: Path, tmp_path: Path
) -> None:
    found = add(library, write(tmp_path / "moved", other=HANG))
    assert [len(ids(found, None)), len(found.items)] == [1, 1]


def test_an_identifier_finds_a_case_whatever_else_changed(tmp_path: Path) -> None:
    library = tmp_path / "own.duckdb"
    front = "---\nid: PM2021-011\n---\n"
    add(library, write(tmp_path / "docs", a=front + HANG))
    found = add(library, write(tmp_path / "other", z=front + LINK))
    assert ids(found, "updated") == ["PM2021-011"]
    assert case_of(library, "Link went down") == "PM2021-011"


def test_two_documents_of_one_name_and_title_in_two_folders_are_two_cases(tmp_path: Path) -> None:
    library = tmp_path / "own.duckdb"
    first = write(tmp_path / "a", post=HANG)
    second = write(tmp_path / "b", post=HANG.replace("two hours", "three hours"))
    third = write(tmp_path / "c", post=HANG.replace("two hours", "four hours"))
    found = add(library, first, second, third)
    assert found.problems == ()
    assert len(set(ids(found, "added"))) == 3
    again = add(library, third, first, second)
    assert len(set(ids(again, None))) == 3


def test_the_same_document_twice_in_a_batch_is_told(tmp_path: Path) -> None:
    library = tmp_path / "own.duckdb"
    found = add(library, write(tmp_path / "a", one=HANG), write(tmp_path / "b", two=HANG))
    assert len(found.items) == 1
    assert "another document of this batch" in texts(found.problems)


def test_a_new_document_with_the_words_that_a_case_has_just_got_is_that_case(
    library: Path, tmp_path: Path
) -> None:
    changed = HANG.replace("two hours", "three hours")
    write(tmp_path / "docs", hang=changed, zcopy=changed)
    found = add(library, tmp_path / "docs")
    assert len(ids(found, "updated")) == 1
    assert ids(found, "added") == []
    assert "another document" in texts(found.problems)


def test_good_and_bad_documents_together(library: Path, tmp_path: Path) -> None:
    folder = write(tmp_path / "mixed", new="# Disk full\n\n## Summary\nA restart helped.\n")
    (folder / "bad.json").write_text("{", encoding="utf-8")
    (folder / "empty.md").write_text("", encoding="utf-8")
    found = add(library, folder)
    assert len(ids(found, "added")) == 1
    assert found.done
    assert "bad.json" in texts(found.problems)
    assert all(p.remedy for p in found.problems)
    assert len(tables(library)["cases"]) == 3


def test_bad_documents_alone_are_an_error_and_leave_the_library(
    library: Path, tmp_path: Path
) -> None:
    before = library.read_bytes()
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.json"):
        add(library, bad)
    with pytest.raises(InputError, match="holds no documents"):
        add(library, write(tmp_path / "nothing"))
    assert library.read_bytes() == before
    with pytest.raises(InputError):
        add(tmp_path / "new.duckdb", bad)
    assert not (tmp_path / "new.duckdb").exists()


def test_a_dry_run_says_the_same_and_writes_nothing(library: Path, tmp_path: Path) -> None:
    write(tmp_path / "docs", hang=HANG + "\nMore.\n", third="# Disk full\n\nSlow training.\n")
    before, names = library.read_bytes(), sorted(tmp_path.iterdir())
    dry = add(library, tmp_path / "docs", dry_run=True)
    assert not dry.done
    assert library.read_bytes() == before
    new = add(tmp_path / "new.duckdb", tmp_path / "docs", dry_run=True)
    assert ids(new, "added")
    assert sorted(tmp_path.iterdir()) == names
    wet = add(library, tmp_path / "docs")
    assert wet.done
    assert (wet.items, wet.redacted) == (dry.items, dry.redacted)


def test_secrets_never_reach_the_file(tmp_path: Path) -> None:
    library = tmp_path / "own.duckdb"
    secret = "hunter2hunter2"  # noqa: S105 - planted
    text = HANG + f"\n## Lessons\nPASSWORD={secret} was used; ask jane@corp.example.com\n"
    found = add(library, write(tmp_path / "docs", a=text))
    assert found.redacted == {"email": 1, "password": 1}
    assert secret.encode() not in library.read_bytes()
    kept = tmp_path / "kept.duckdb"
    assert add(kept, tmp_path / "docs", keep=["password"]).redacted == {"email": 1}
    assert secret in str(tables(kept)["texts"])


def test_case_files_are_added_as_they_are(library: Path, tmp_path: Path) -> None:
    case = make_case("X-1", ("cause", "cause:race"))
    file = write_json(tmp_path / "x.json", case.model_dump(mode="json", exclude_defaults=True))
    assert ids(add(library, file), "added") == ["X-1"]
    assert claimed(library, "X-1") == {"cause cause:race": "confirmed"}
    assert ids(add(library, file), None) == ["X-1"]
    other = make_case("X-1", ("cause", "cause:link-down"))
    write_json(file, other.model_dump(mode="json", exclude_defaults=True))
    assert ids(add(library, file), "updated") == ["X-1"]
    write_json(file, make_case("X-1", ("cause", "cause:nowhere")).model_dump(mode="json"))
    with pytest.raises(InputError, match="unknown term"):
        add(library, file)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"wanted": "nonsense"}, "no format 'nonsense'"),
        ({"keep": ["nonsense"]}, "no kind 'nonsense'"),
        ({"declared": Declared(zone="Mars/Base")}, "no time zone"),
        ({"at": "yesterday"}, "cannot be 'yesterday'"),
        ({"encoder": "default"}, "made with the encoder 'hash'"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_read(
    library: Path, tmp_path: Path, more: dict[str, Any], message: str
) -> None:
    before = library.read_bytes()
    with pytest.raises(BadQuery, match=message):
        add(library, tmp_path / "docs", **more)
    assert library.read_bytes() == before


def test_terms_of_a_library_are_not_changed_by_adding(library: Path, tmp_path: Path) -> None:
    with pytest.raises(BadQuery, match="terms already"):
        add_documents(library, tmp_path / "docs", vocabulary=kg.Vocabulary([]))
    assert add_documents(library, tmp_path / "docs", vocabulary=VOCABULARY).problems == ()


def test_a_library_in_the_cache_is_not_changed(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INCIDENT_KG_CACHE", str(library.parent))
    with pytest.raises(LibraryError, match="lies in the cache"):
        add_documents(library, tmp_path / "docs")
    with pytest.raises(LibraryError, match="lies in the cache"):
        remove_cases(library, ["X-1"])


def test_what_is_removed_is_gone_with_its_history(library: Path, tmp_path: Path) -> None:
    case_id = case_of(library, "Link went down")
    with pytest.raises(CaseNotFound):
        remove_cases(library, [case_id, "GONE-1"])
    assert len(tables(library)["cases"]) == 2
    remove_cases(library, [case_id])
    alone = tmp_path / "alone.duckdb"
    add(alone, tmp_path / "docs" / "hang.md", at="2024-05-01", author="J. Kim")
    assert tables(library) == tables(alone)
    with pytest.raises(LibraryError, match="delete the file"):
        remove_cases(library, [case_of(library, "Training hung")])


# Properties

SENTENCES = (
    "A race condition in NCCL.", "The link down lasted an hour.", "Slow training was seen.",
    "We did a restart.", "It was not an ECC error.", "느린 학습이 보였다.", "A100 and PyTorch.",
)  # fmt: skip
HEADINGS = ("Summary", "Root cause", "Symptoms", "Resolution", "Lessons learned")
BODIES = st.lists(
    st.tuples(st.sampled_from(HEADINGS), st.sampled_from(SENTENCES)), min_size=1, max_size=3
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, str]:
    """Two to four postmortems by name; some have an identifier of their own."""
    made = {}
    for number in range(draw(st.integers(2, 4))):
        front = f"---\nid: PM-{number}\n---\n" if draw(st.booleans()) else ""
        parts = [f"## {heading}\n{text}\n" for heading, text in draw(BODIES)]
        made[f"d{number}"] = f"{front}# Incident {number}\n\n" + "\n".join(parts)
    return made


FEW = settings(max_examples=3, deadline=None)


@FEW
@given(documents(), st.data())
def test_added_and_removed_leaves_what_was_built_without(
    made: dict[str, str], data: st.DataObject
) -> None:
    names = sorted(made)
    gone = data.draw(
        st.lists(st.sampled_from(names), min_size=1, max_size=len(names) - 1, unique=True)
    )
    with tempfile.TemporaryDirectory() as place:
        folder = write(Path(place) / "docs", **made)
        kept = [folder / f"{n}.md" for n in names if n not in gone]
        alone, both = Path(place) / "a.duckdb", Path(place) / "b.duckdb"
        found = add(alone, *kept)
        add(both, *data.draw(st.permutations([folder / f"{n}.md" for n in names])))
        # one by one, in any order, comes to the same as all at once
        if data.draw(st.booleans()):
            step = Path(place) / "c.duckdb"
            for name in data.draw(st.permutations(names)):
                add(step, folder / f"{name}.md")
            assert tables(step) == tables(both)
        with kg.open_library(both) as lib:
            more = sorted(set(lib.cases) - {item.case_id for item in found.items})
        remove_cases(both, more)
        assert tables(both) == tables(alone)
