"""`kg vocab rename`, `merge`, `split`, `undo` and `history`, as a shell sees them."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import kg
from kg.library import Library
from tests.cli.conftest import Run
from tests.helpers.tiny import term, tiny_cases, tiny_vocabulary


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "lib.duckdb"
    kg.build_library(tiny_cases(), path, vocabulary=tiny_vocabulary(), encoder="hash").close()
    return path


@pytest.fixture
def path(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(template, tmp_path / "lib.duckdb"))


SPLIT = (
    "vocab", "split", "symptom:nccl-timeout", "--into", "early", "late",
    "--label", "early=early timeout", "--label", "early=이른 타임아웃", "--label", "late=late one",
    "--definition", "early=At the start.", "--definition", "symptom:late=Later on.",
)  # fmt: skip


def test_a_rename_is_told_claim_by_claim(run: Run, path: Path) -> None:
    given = ("vocab", "rename", "-l", str(path), "cause:mismatch", "x")
    tried = run(*given, "--dry-run")
    assert tried.code == 0
    assert tried.out.startswith("would be done, nothing is written: renamed cause:mismatch")
    told = run(*given, "--label", "out of step", "--label", "어긋남", "--at", "2026-03-04",
               "--author", "J. Kim", "--note", "clearer")  # fmt: skip
    assert told.out.splitlines()[:3] == [
        "renamed cause:mismatch to cause:x",
        "  claims re-tagged: 3, cases: 3",
        "    A-1#cause-1: cause:mismatch → cause:x",
    ]
    history = run("vocab", "history", "-l", str(path)).out
    assert "1  renamed cause:mismatch to cause:x\n   2026-03-04 · J. Kim · clearer\n" in history
    assert "old ids\n  cause:mismatch → cause:x" in history
    with kg.open_library(path) as library:
        assert dict(library.vocabulary.get("cause:x").label.items()) == {
            "en": "out of step",
            "ko": "어긋남",
        }
    assert run("list", "--cause", "mismatch", "-l", str(path)).code == 0


def test_a_merge_and_its_undo(run: Run, path: Path) -> None:
    with kg.open_library(path) as library:
        before = library.vocabulary.terms
    done = run("vocab", "merge", "cause:race", "cause:mismatch", "--into", "timing",
               "-l", str(path), "--json")  # fmt: skip
    assert done.code == 0
    assert done.json["change"]["new"] == ["cause:timing"]
    assert len(done.json["retags"]) == 4
    undone = run("vocab", "undo", "-l", str(path), "--lang", "ko")
    assert undone.out.startswith("되돌림: cause:race, cause:mismatch → cause:timing\n")
    assert "재분류한 주장 4건, 사례 3건" in undone.out
    with kg.open_library(path) as library:
        assert library.vocabulary.terms == before
    empty = run("vocab", "history", "-l", str(path))
    assert (empty.code, empty.out) == (1, "No term was renamed, merged or split.\n")
    nothing = run("vocab", "undo", "-l", str(path))
    assert nothing.code == 2
    assert "nothing to undo" in nothing.err


def test_a_contradiction_needs_a_word(run: Run, path: Path) -> None:
    given = ("vocab", "merge", "cause:link-down", "--into", "cause:mismatch", "-l", str(path))
    refused = run(*given)
    assert refused.code == 2
    assert "B-2 states B-2#cause-2 and rules out B-2#cause-1" in refused.err
    kept = run(*given, "--keep-both", "--dry-run")
    assert "B-2 now both states and rules it out: B-2#cause-2 / B-2#cause-1" in kept.out


def test_a_split_lists_what_nobody_decided(run: Run, path: Path) -> None:
    done = run(*SPLIT, "--by", "A-1=early", "A-2=nccl-timeout", "-l", str(path))
    assert done.out.splitlines() == [
        "split symptom:nccl-timeout, which stays, into symptom:early, symptom:late",
        "  claims re-tagged: 1, cases: 1",
        "    A-1#symptom-1: symptom:nccl-timeout → symptom:early",
        "  not decided, so still symptom:nccl-timeout: B-2#symptom-1",
        "  decided to stay symptom:nccl-timeout: A-2#symptom-1",
    ]
    with kg.open_library(path) as library:
        assert library.vocabulary.get("symptom:early").label.get("ko") == "이른 타임아웃"


def decided(run: Run, *by: str, path: Path) -> dict[str, Any]:
    done = run(*SPLIT, "--by", *by, "--dry-run", "--json", "-l", str(path))
    assert done.code == 0, done.err
    return {r["claim"]: r["after"] for r in done.json["retags"]}


def test_decisions_come_from_files_too(
    run: Run, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs, table = tmp_path / "pairs", tmp_path / "cases.csv"
    pairs.write_text("# who looked: J. Kim\nA-1=early\n\n A-2#symptom-1 = early+late \n", "utf-8")
    table.write_text("\ufeffcase,term\nB-2,symptom:late\n", "utf-8")
    assert decided(run, str(pairs), str(table), path=path) == {
        "A-1#symptom-1": ["symptom:early"],
        "A-2#symptom-1": ["symptom:early", "symptom:late"],
        "B-2#symptom-1": ["symptom:late"],
    }
    monkeypatch.setattr("sys.stdin", io.StringIO("B-2=early\n"))
    assert decided(run, "-", "A-1=late", path=path) == {
        "A-1#symptom-1": ["symptom:late"],
        "B-2#symptom-1": ["symptom:early"],
    }


def test_new_terms_come_from_a_file_too(run: Run, path: Path, tmp_path: Path) -> None:
    one = term("symptom:early", "early", broader=["slow"]).model_dump(exclude_defaults=True)
    whole = {"scheme": "symptom", "terms": [one]}
    for data in (one, [one], whole):
        (tmp_path / "new.json").write_text(json.dumps(data), encoding="utf-8")
        done = run("vocab", "split", "symptom:nccl-timeout", "--into", "early", "--terms",
                   str(tmp_path / "new.json"), "-l", str(path), "--dry-run", "--json")  # fmt: skip
        assert done.code == 0, done.err
        assert done.json["change"]["after"][0]["broader"] == ["symptom:slow"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("rename", "cause:rase", "x"), "no term 'cause:rase'"),
        (("rename", "cause:race", "x", "--label", "a", "--label", "b"), "one label a language"),
        (("rename", "cause:race", "x", "--at", "soon"), "is not a date"),
        (("rename", "cause:race"), "required: NEW"),
        (("merge", "cause:race"), "required: --into"),
        (("split", "cause:race", "--into", "x"), "give a label and a definition"),
        (
            ("split", "cause:race", "--into", "x", "--label", "x=y"),
            "needs id, label and definition",
        ),
        (("split", "cause:race", "--into", "x", "--label", "z=y"), "with one of cause:x"),
        (("split", "cause:race", "--into", "link-down", "--by", "A-1"), "A-1 is no CASE=TERM"),
        (("split", "cause:race", "--into", "link-down", "--by", "A-1=x"), "the choice is"),
        (("split", "cause:race", "--into", "x", "--terms", "gone.json"), "gone.json"),
        (("undo", "--steps", "0"), "at least one change"),
        (("undo", "--steps", "some"), "invalid int value"),
    ],
)
def test_bad_use_is_told_and_changes_nothing(
    run: Run, path: Path, arguments: tuple[str, ...], told: str
) -> None:
    before = path.read_bytes()
    answer = run("vocab", *arguments, "-l", str(path))
    assert answer.code == 2
    assert told in answer.err
    assert path.read_bytes() == before


def test_the_shipped_library_is_read_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INCIDENT_KG_LIBRARY", raising=False)
    for arguments in (("rename", "cause:race", "x"), ("undo",)):
        answer = run("vocab", *arguments)
        assert answer.code == 2
        assert "read-only" in answer.err
        assert "kg export my-cases --format jsonl" in answer.err


def test_the_terms_of_a_scheme_are_listed_as_before(run: Run, path: Path, quick: Library) -> None:
    for given in (
        ("vocab", "cause", "-l", str(path), "--json"),
        ("vocab", "--json", "-l", str(path), "cause"),
        ("vocab", "-l", str(path), "--json", "list", "cause"),
    ):
        assert len(run(*given).json) == 7
    assert len(run("vocab", "--json", "-l", str(path)).json) == len(tiny_vocabulary())
    unknown = run("vocab", "nonsense", "-l", str(path))
    assert (unknown.code, unknown.out) == (2, "")
    assert "no term 'nonsense'" in unknown.err
    assert run("vocab", "-h").code == 0
    assert "사례" not in run("vocab", "cause", "--library", str(quick.path)).err


def test_old_ids_in_case_files_are_told_when_building(run: Run, path: Path, tmp_path: Path) -> None:
    run("vocab", "rename", "cause:mismatch", "x", "-l", str(path))
    run("export", str(tmp_path / "out"), "--format", "jsonl", "-l", str(path))
    lines = (tmp_path / "out" / "cases.jsonl").read_text("utf-8")
    older = lines.replace("cause:x", "cause:mismatch")
    (tmp_path / "mine.jsonl").write_text(older, encoding="utf-8")
    built = run("build", str(tmp_path / "mine.jsonl"), "--vocabulary", str(tmp_path / "out"),
                "--encoder", "hash", "-o", str(tmp_path / "b.duckdb"), "--json")  # fmt: skip
    assert built.code == 0
    assert len(built.json["notes"]) == 3
    assert built.json["problems"] == []
    assert "cause:mismatch was renamed to cause:x. Read as cause:x" in built.err


def test_names_that_act_on_a_terminal_are_made_harmless(run: Run, path: Path) -> None:
    run("vocab", "rename", "cause:race", "x", "-l", str(path), "--author", "a\x1b[31m\u202eb")
    assert "\x1b" not in run("vocab", "history", "-l", str(path)).out
    answer = run("vocab", "rename", "\x1b[31m", "y", "-l", str(path))
    assert "\x1b" not in answer.err
