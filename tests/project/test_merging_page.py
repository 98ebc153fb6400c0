"""What docs/merging.md shows is run here, and its table is the one that is reckoned with."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import kg
from kg.cli import main
from kg.intake.reasons import reason_text
from kg.intake.same_event import SHARES, WEIGHTS, Reason
from kg.library.intake import add_documents
from kg.library.naming import accept_name
from tests.helpers.evolving import described
from tests.helpers.tiny import tiny_vocabulary

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "merging.md").read_text(encoding="utf-8")
STATUS = """{"page": {"name": "Norn", "url": "https://status.norn.example"}, "incidents": [
 {"id": "k7q2", "name": "Logins fail", "status": "resolved", "impact": "major",
  "created_at": "2025-03-02T09:02:00Z", "resolved_at": "2025-03-02T10:15:00Z",
  "components": [{"id": "c", "name": "Login"}],
  "incident_updates": [
   {"id": "u1", "status": "investigating", "body": "Users get error 503 at login.",
    "created_at": "2025-03-02T09:02:00Z", "display_at": "2025-03-02T09:02:00Z"},
   {"id": "u2", "status": "resolved", "body": "Logins work again.",
    "created_at": "2025-03-02T10:15:00Z", "display_at": "2025-03-02T10:15:00Z"}]}]}
"""
REPORT = """---
id: PM-7
---
# Expired certificate on auth-gateway

- Start: 2025-03-02 08:58 UTC
- End: 2025-03-02 10:11 UTC
- Affected services: auth-gateway

## Root cause
The certificate ran out, and every login was answered with 503.
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("page.json").write_text(STATUS, encoding="utf-8")
    Path("report.md").write_text(REPORT, encoding="utf-8")
    path = Path("mine.duckdb")
    made = add_documents(
        path, ["page.json", "report.md"], vocabulary=tiny_vocabulary(), encoder="hash"
    )
    assert {i.case_id for i in made.items} == {"status.norn.example-k7q2", "PM-7"}
    return path


def test_the_commands_run_one_after_another(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shown,) = blocks("console")
    lines = [line[2:] for line in shown.splitlines()]
    assert len(lines) == 7
    for line in lines:
        assert main(shlex.split(line)[1:]) == 0, capsys.readouterr().err
        assert capsys.readouterr().out.strip()
    with kg.open_library(library) as after:
        assert "component:login-service" in after.vocabulary


def test_the_python_runs(library: Path) -> None:
    accept_name(library, "auth-gateway", described("component:login-service", "login service"))
    (code,) = blocks("python")
    names: dict[str, object] = {}
    exec(compile(code, "merging.md", "exec"), names)  # noqa: S102 - our own text
    assert [p.case_id for p in names["proposed"]] == ["PM-7"]  # type: ignore[attr-defined]
    with kg.open_library(library) as after:
        assert len(after) == 2
        assert after.unknown_names() == []


def test_the_table_is_the_one_that_is_reckoned_with() -> None:
    rows = re.findall(r"^\| ([a-z ]+) \| (.+?) \| ([\d.]+) \| ([\d.]+) \| ([+-][\d.]+) \|$", PAGE,
                      flags=re.MULTILINE)  # fmt: skip
    expected = [
        (n, reason_text(Reason(n, 0, ("…",))), f"{a:g}", f"{b:g}", f"{WEIGHTS[n]:+.1f}")
        for n, (a, b) in SHARES.items()
    ]
    assert rows == expected


def test_no_outcome_of_the_times_is_counted_twice() -> None:
    """Of pairs that both tell their times to the minute, the shares of what can be are one."""
    exact = ("begin and end", "begin", "overlap", "apart in a day", "other day")
    for side in (0, 1):
        assert sum(SHARES[n][side] for n in exact) == pytest.approx(1, abs=0.03)
