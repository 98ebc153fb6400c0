"""`kg merges`, `kg merge` and `kg vocab proposals|accept` from the shell, in both languages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import kg
from kg.cli import main
from kg.library.intake import add_documents
from tests.helpers.tiny import tiny_vocabulary

REPORT = """# {title}

- {start}: 2025-03-02 {at}
- {end}: 2025-03-02 {over}
- {services}: auth-gateway

## {summary}
{text}
"""
ENGLISH = REPORT.format(
    title="Expired certificate \x1b[31m", start="Start", at="09:00 UTC", end="End",
    over="10:11 UTC", services="Affected services", summary="Summary", text="It ran out.",
)  # fmt: skip
KOREAN = REPORT.format(
    title="인증서 만료", start="시작", at="18:04 KST", end="종료", over="19:09 KST",
    services="영향 서비스", summary="요약", text="인증서가 만료되었다.",
)  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("words")
    (folder / "en.md").write_text(ENGLISH, encoding="utf-8")
    (folder / "ko.md").write_text(KOREAN, encoding="utf-8")
    path = folder / "lib.duckdb"
    add_documents(path, sorted(folder.glob("*.md")), vocabulary=tiny_vocabulary(), encoder="hash")
    return path


@pytest.fixture
def library(built: Path, tmp_path: Path) -> str:
    return str(shutil.copy(built, tmp_path / "lib.duckdb"))


@pytest.fixture
def pair(library: str) -> tuple[str, str]:
    with kg.open_library(library) as opened:
        one, other = sorted(opened.cases, key=lambda i: "ko" in opened.cases[i].title.languages)
    return one, other


def ran(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(words) == code, capsys.readouterr().err
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", "both begin and end together: 2025-03-02 09:0"), ("ko", "시작과 끝이 맞음")],
)
def test_proposals_are_told_with_their_reasons(
    library: str, capsys: pytest.CaptureFixture[str], lang: str, told: str
) -> None:
    shown = ran(capsys, "merges", "-l", library, "--lang", lang)
    assert told in shown
    assert "auth gateway" in shown
    assert "\x1b" not in shown


def test_proposals_as_json_hold_every_figure(
    library: str, pair: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    (found,) = json.loads(ran(capsys, "merges", "-l", library, "--json"))
    assert sorted(pair) == [found["case_id"], found["other_id"]]
    assert 0.5 <= found["probability"] <= 1
    assert len(found["told"]) == len(found["reasons"])


def test_with_nothing_to_propose_the_code_is_1(
    library: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "No two cases" in ran(capsys, "merges", "-l", library, "--least", "1", code=1)


def test_merging_and_undoing(
    library: str, pair: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(library).read_bytes()
    assert "nothing is written" in ran(capsys, "merge", *pair, "--dry-run", "-l", library)
    assert Path(library).read_bytes() == before
    shown = ran(capsys, "merge", *pair, "-l", library, "--author", "J. Kim")
    assert f"merged {pair[1]} into {pair[0]}" in shown
    assert "not alike, dates.started: 2025-03-02T09:00Z / 2025-03-02T18:04+09:00" in shown
    assert "[…] in the other: summary" in shown
    assert ran(capsys, "show", pair[1], "-l", library) == ran(
        capsys, "show", pair[0], "-l", library
    )
    told = json.loads(ran(capsys, "merge", "--undo", pair[1], "-l", library, "--json"))
    assert told == {"kept": pair[0], "restored": pair[1], "done": True}
    assert "되돌" not in ran(capsys, "merge", *pair, "-l", library, "--lang", "ko")
    assert "병합을 되돌림" in ran(capsys, "merge", "--undo", pair[0], "-l", library, "--lang", "ko")


def test_what_is_rejected_is_not_proposed_until_it_is_allowed(
    library: str, pair: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys, "merges", "--reject", *pair, "--note", "two outages", "-l", library)
    ran(capsys, "merges", "-l", library, code=1)
    assert main(["merge", *pair, "-l", library]) == 2
    assert "kg merges --allow" in capsys.readouterr().err
    ran(capsys, "merges", "--allow", *pair, "-l", library)
    ran(capsys, "merges", "-l", library)


@pytest.mark.parametrize(
    "words",
    [("merge", "A"), ("merge", "A", "B", "C"), ("merge", "A", "--undo", "B"),
     ("merge", "--undo", "A"), ("merges", "--reject", "A", "B")],
)  # fmt: skip
def test_bad_use_is_told(
    library: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "-l", library]) == 2
    assert capsys.readouterr().err.startswith("kg: ")


def test_a_share_is_from_0_to_1(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["merges", "--least", "2", "-l", library])
    assert left.value.code == 2
    assert "give a number from 0 to 1, not '2'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [("merge", "A", "B"), ("merges", "--reject", "A", "B"), ("vocab", "accept", "a", "b")]
)
def test_the_shipped_library_cannot_be_changed(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INCIDENT_KG_LIBRARY", raising=False)
    assert main(list(words)) == 2
    assert "shipped" in capsys.readouterr().err


def test_names_are_proposed_and_accepted(
    library: str, pair: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "auth-gateway  (services, 2: " in ran(capsys, "vocab", "proposals", "-l", library)
    (found,) = json.loads(ran(capsys, "vocab", "proposals", "-l", library, "--json"))
    assert sorted(pair) == found["cases"]
    assert main(["vocab", "accept", "auth-gateway", "component:gw", "--new", "-l", library]) == 2
    assert "--definition" in capsys.readouterr().err
    told = (
        "--new",
        "--label",
        "gateway",
        "--label",
        "관문",
        "--definition",
        "Where users sign in.",
    )
    shown = ran(capsys, "vocab", "accept", "auth-gateway", "component:gw", *told, "-l", library)
    assert "auth-gateway has a new term, component:gw" in shown
    assert "2" in shown
    shown = ran(capsys, "vocab", "proposals", "-l", library, "--lang", "ko", code=1)
    assert "모든 서비스와 레이블" in shown
    with kg.open_library(library) as opened:
        assert opened.vocabulary.get("component:gw").label.get("ko") == "관문"
