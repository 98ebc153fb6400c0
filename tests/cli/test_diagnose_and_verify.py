"""`kg diagnose` and `kg verify`: text, JSON and prompt from one answer, and exit codes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import kg
from kg.cli.output import clean
from kg.library import Library
from kg.queries import plain
from kg.rca import Diagnosis, to_prompt
from tests.cli.conftest import Answer, Run
from tests.helpers.planted import PLANTED_VOCABULARY, planted_cases

SEEN = "NCCL timeout and slow training"
EVIL = "\u001b]0;owned\u0007 <script>alert(1)</script> '; DROP TABLE cases; -- \u202etxt.exe"


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A small library, so that many commands stay quick."""
    path = tmp_path_factory.mktemp("planted") / "planted.duckdb"
    with kg.build_library(
        planted_cases(), path, vocabulary=PLANTED_VOCABULARY, encoder="hash"
    ) as library:
        yield library


@pytest.fixture
def ask(run: Run, planted: Library) -> Run:
    """Like `run`, on the small library, where every case may be called similar."""

    def call(word: str, *arguments: str) -> Answer:
        return run(word, "--library", str(planted.path), "--threshold", "0", *arguments)

    return call


@pytest.fixture
def diagnosed(planted: Library) -> Callable[..., Diagnosis]:
    """The same question asked from Python."""

    def call(text: str = SEEN, **more: Any) -> Diagnosis:
        return planted.diagnose(text, **{"threshold": 0.0, **more})

    return call


Ask = Callable[..., Diagnosis]


def test_the_view_is_the_diagnosis_wrapped(ask: Run, diagnosed: Ask) -> None:
    answer = ask("diagnose", SEEN)
    assert answer.code == 0
    assert answer.err == ""
    assert " ".join(answer.out.split()) == " ".join(str(diagnosed(SEEN)).split())
    assert max(map(len, answer.out.splitlines())) <= 120


def test_json_holds_all_parts_and_what_the_numbers_cite(ask: Run, diagnosed: Ask) -> None:
    data = ask("diagnose", SEEN, "--json").json
    found = diagnosed(SEEN)
    assert data.pop("citations") == [s.claim_id for s in found.evidence]
    assert data.pop("key") == found.key
    assert data == json.loads(json.dumps(plain(found)))


def test_prompt_prints_the_prompt(ask: Run, diagnosed: Ask) -> None:
    answer = ask("diagnose", SEEN, "--prompt")
    assert answer.code == 0
    assert answer.out.strip() == to_prompt(diagnosed(SEEN)).strip()


def test_added_terms_say_what_they_changed(ask: Run, diagnosed: Ask) -> None:
    first = diagnosed(SEEN)
    cause = first.hypotheses[0].cause
    data = ask("diagnose", SEEN, "--ruled-out", cause, "--observed", "link test", "--json").json
    assert data["understood"]["ruled_out"] == [cause]
    assert data["understood"]["observed"] == ["tool:link-test"]
    moved = {c["cause"]: c["kind"] for c in data["changes"]["hypotheses"]}
    assert moved[cause] == "went"
    assert ask("diagnose", SEEN, "--json").json["changes"] is None


def test_korean_is_answered_in_korean(ask: Run) -> None:
    assert "알아들은 것" in ask("diagnose", "학습이 느리고 NCCL 타임아웃이 났다").out
    assert "Understood" in ask("diagnose", "NCCL 타임아웃이 났다", "--lang", "en").out


def test_no_hypothesis_ends_with_one(ask: Run) -> None:
    answer = ask("diagnose", SEEN, "--threshold", "1")
    assert answer.code == 1
    assert "No hypothesis" in answer.out
    assert ask("diagnose", SEEN, "--threshold", "1", "--prompt").code == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["diagnose", "…"], "the text has no words"),
        (["diagnose", SEEN, "--observed", "slow trainingg"], "Did you mean"),
        (["diagnose", SEEN, "--observed", "NCCL timeout", "--ruled-out", "NCCL timeout"],
         "is observed, but"),
        (["diagnose", SEEN, "-k", "0"], "k must be 1 or more"),
        (["diagnose", SEEN, "--threshold", "2"], "threshold"),
        (["verify", "no-such-file.md", "--text", SEEN], "No such file"),
        (["verify", "-", "--text", "-"], "cannot both be read"),
    ],
)  # fmt: skip
def test_bad_use_ends_with_two(ask: Run, arguments: list[str], told: str) -> None:
    answer = ask(*arguments)
    assert answer.code == 2
    assert told in answer.err
    assert answer.out == ""


@pytest.fixture
def good(diagnosed: Ask) -> str:
    found = diagnosed(SEEN)
    n, s = next((n, s) for n, s in enumerate(found.evidence, 1) if s.kind == "symptom")
    return f"In {s.case_id}: {s.said('en')} [{n}]\n"


def test_an_answer_that_keeps_to_the_evidence_passes(ask: Run, good: str, tmp_path: Path) -> None:
    file = tmp_path / "answer.md"
    file.write_text(good, encoding="utf-8")
    answer = ask("verify", str(file), "--text", SEEN)
    assert answer.code == 0, answer.out + answer.err
    assert answer.out.startswith("1 accepted, 0 refused")
    data = ask("verify", str(file), "--text", SEEN, "--json").json
    assert data["ok"] is True
    assert data["sentences"][0]["verdict"] == "accepted"


def test_one_that_does_not_is_refused_with_reasons(ask: Run, good: str, tmp_path: Path) -> None:
    file = tmp_path / "answer.md"
    file.write_text(f"{good}It took 99 days. Ask NCCLX [1].", encoding="utf-8")
    answer = ask("verify", str(file), "--text", SEEN)
    assert answer.code == 1
    assert "it cites no evidence" in answer.out
    assert "does not name NCCLX" in answer.out
    data = ask("verify", str(file), "--text", SEEN, "--json").json
    assert data["ok"] is False
    assert [s["verdict"] for s in data["sentences"]] == ["accepted", "refused", "refused"]
    assert all(s["reasons"] for s in data["sentences"][1:])


def test_the_answer_or_the_text_comes_from_standard_input(
    ask: Run, good: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(good))
    assert ask("verify", "-", "--text", SEEN).code == 0
    file = tmp_path / "answer.md"
    file.write_text(good, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(SEEN))
    assert ask("verify", str(file), "--text", "-").code == 0


def test_the_key_of_other_evidence_is_refused(
    ask: Run, diagnosed: Ask, good: str, tmp_path: Path
) -> None:
    file = tmp_path / "answer.md"
    file.write_text(good, encoding="utf-8")
    key = diagnosed(SEEN).key
    assert ask("verify", str(file), "--text", SEEN, "--key", key).code == 0
    answer = ask("verify", str(file), "--text", SEEN, "--key", "0" * 16)
    assert answer.code == 2
    assert "make a new prompt" in answer.err


def test_facts_given_to_the_prompt_are_given_to_the_verification(
    ask: Run, diagnosed: Ask, tmp_path: Path
) -> None:
    found = diagnosed(SEEN, ruled_out=["race condition"])
    n, s = next((n, s) for n, s in enumerate(found.evidence, 1) if s.kind == "symptom")
    file = tmp_path / "answer.md"
    file.write_text(f"In {s.case_id}: {s.said('en')} [{n}]", encoding="utf-8")
    given = ["--text", SEEN, "--ruled-out", "race condition", "--key", found.key]
    assert ask("verify", str(file), *given).code == 0


@pytest.mark.parametrize("more", [[], ["--prompt"], ["--json"]])
def test_nothing_that_acts_reaches_the_terminal(ask: Run, more: list[str]) -> None:
    answer = ask("diagnose", f"{SEEN} {EVIL}", *more)
    assert answer.code == 0
    assert clean(answer.out) == answer.out


def test_nor_does_it_through_an_answer(ask: Run, tmp_path: Path) -> None:
    file = tmp_path / "answer.md"
    file.write_text(EVIL, encoding="utf-8")
    answer = ask("verify", str(file), "--text", SEEN)
    assert answer.code == 1
    assert clean(answer.out) == answer.out
    assert "alert(1)" in answer.out


def test_an_answer_that_is_no_text_is_bad_input(ask: Run, tmp_path: Path) -> None:
    file = tmp_path / "answer.md"
    file.write_bytes(b"\xff\xfe\x00")
    answer = ask("verify", str(file), "--text", SEEN)
    assert answer.code == 2
    assert "not UTF-8" in answer.err
