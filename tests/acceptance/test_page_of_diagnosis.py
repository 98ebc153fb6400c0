"""What the page on diagnoses shows is run here, and its figures are those of the code."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from kg.cli import main
from kg.library import Library
from kg.rca import (
    beliefs,
    checks,
    hypotheses,
    look_alikes,
    make,
    near,
    observing,
    unknowns,
    wording,
)
from kg.rca.diagnosis import Abstention
from kg.rca.report import Finding

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "diagnosis.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    assert found
    return found.group(1)


def test_the_python_runs_and_does_what_it_says(
    lib: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {"lib": lib}
    exec(compile(block("python"), "diagnosis.md", "exec"), names)  # noqa: S102 - our own text
    assert names["first"].cause == "cause:collective-mismatch"
    assert names["then"].understood.ruled_out == ("cause:network-fault",)
    assert names["then"].changes.observed == ("symptom:inverted-utilization",)
    assert names["report"].ok, str(names["report"])
    assert f"key {names['then'].key}" in names["prompt"]
    assert "1 accepted" in capsys.readouterr().out


def test_the_commands_run(
    lib: Library,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("INCIDENT_KG_LIBRARY", str(lib.path))
    incident = "NCCL watchdog timeout, power dropped to 190 W, GPUs at 100%"
    found = lib.diagnose(incident)
    n, s = next((n, s) for n, s in enumerate(found.evidence, 1) if s.kind == "symptom")
    answer = tmp_path / "answer.md"
    answer.write_text(f"In {s.case_id}: {s.said('en')} [{n}]", encoding="utf-8")
    commands = [line[2:] for line in block("console").splitlines() if line.startswith("$ kg ")]
    assert len(commands) == 4
    for command in commands:
        told = command.split(" < ")[0].replace("answer.md", str(answer))
        monkeypatch.setattr("sys.stdin", io.StringIO(incident))
        assert main(shlex.split(told)[1:]) == 0, command
        assert capsys.readouterr().out.strip()


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("q = 0.8 p", beliefs.SHARED == 0.8),
        ("relevant with 10 % or more", near.NEAR == 0.1),
        ("a tenth of a hypothesis", near.SHARE == 0.1),
        ("counts half, and says so", near.DEPENDENT == 0.5),
        ("denies keeps a quarter", hypotheses.DENIED == 0.25),
        ("Causes below 5 % are not offered", hypotheses.LEAST == 0.05),
        ("no case speaks that is relevant with 5 % or more", beliefs.AT_LEAST == 0.05),
        ("a confirmed cause has half a voice", beliefs.SILENT == 0.5),
        ("carries no cause past 20 %", beliefs.LEARNED == 0.2),
        ("gets a quarter of what it lacks", hypotheses.NAMED == 0.25),
        ("a like incident (half of them)", observing.LIKE == 0.5),
        ("at most tenfold and twentyfold", (observing.MOST, observing.MOST_TOGETHER) == (10, 20)),
        ("near (10 %) by the text alone", observing.NEAR == 0.1),
        ("joint weight of 0.5", look_alikes.ALIKE == 0.5),
        ("could rule them out (three quarters)", checks.EXCLUDED == 0.75),
        ("looked at by routine, counts a quarter", checks.NOTICED == 0.25),
        ("fewer than three incidents", unknowns.FLOOR == 3),
        ("relevant with 80 % or more", make.SURE == 0.8),
        ("the likeliest cause has less than 20 %", make.UNSURE == 0.2),
    ],
)
def test_the_figures_are_those_of_the_code(said: str, value: bool) -> None:
    assert said in " ".join(PAGE.split())
    assert value


def test_every_reason_to_abstain_is_there() -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE)
    assert len(told) == 5
    for reason in told:
        assert wording.abstention_text(Abstention(reason, 0.1), "en")


def test_every_way_to_be_refused_has_words() -> None:
    kinds = re.findall(r"`(\w+)`", str(Finding.__doc__))
    assert {"no_citation", "figure", "this_incident", "result"} <= set(kinds)
    for kind in kinds:
        assert Finding(kind, "x").text("ko")
