"""`kg explain`: two cases, or a text and a case; views to files; what goes wrong."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from kg.library import Library
from tests.cli.conftest import Run

TEXT = "NCCL timeout, power dropped, no OOM"


def test_the_answer_tells_verdict_evidence_paths_and_what_only_one_has(ask: Run) -> None:
    answer = ask("explain", "IL-0480", "IL-0428")
    assert answer.code == 0
    out = answer.out
    assert out.startswith("It is not known whether IL-0480 and IL-0428 have the same cause.")
    for part in ("[symptom] job hang (symptom:job-hang)", "Only IL-0480 (", "paths:", "LEADS_TO"):
        assert part in out
    assert re.search(r"IL-0428 \(confirmed\): .*“", out)
    assert re.search(r"\[symptom\.en \d+–\d+\]", out)
    assert re.search(
        "that the first led to the second is derived, not stated \\(IL-0480#cause-1",
        " ".join(out.split()),
    )
    assert "fused optimizer defect (suspected)" in out


def test_lines_fit_a_terminal(ask: Run) -> None:
    lines = ask("explain", "IL-0480", "IL-0428").out.splitlines()
    assert [x for x in lines if len(x) > 96 and "-> " not in x and "<-" not in x] == []


@pytest.mark.parametrize("order", [(TEXT, "IL-0480"), ("IL-0480", TEXT)])
def test_a_text_of_several_words_is_seen_as_one(ask: Run, order: tuple[str, str]) -> None:
    answer = ask("explain", *order)
    assert answer.code == 0
    assert "A text confirms no cause" in answer.out.replace("\n", " ")
    assert "understood: " in answer.out
    assert "not out of memory" in answer.out
    assert re.search(
        r"Text \(by name, confidence [\d.]+\): “NCCL timeout” \[text\.en 0–12\]", answer.out
    )


def test_a_text_of_one_word_is_given_as_such(ask: Run) -> None:
    answer = ask("explain", "--text", "OOM", "IL-0480", "--lang", "ko")
    assert answer.code == 0
    assert "알아들은 말: " in answer.out
    assert ask("explain", "OOM", "IL-0480").code == 2


def test_a_text_comes_from_standard_input(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("학습이 NCCL 타임아웃으로 멈췄다"))
    answer = ask("explain", "--text", "-", "IL-0023")
    assert answer.code == 0
    assert "글과 사례의 공통점" in answer.out


def test_a_text_of_which_nothing_is_known_ends_with_one(ask: Run) -> None:
    answer = ask("explain", "--text", "qwertz uiop", "IL-0480")
    assert answer.code == 1
    assert "No term of this library was found in the text." in answer.out
    assert "understood: nothing" in answer.out


def test_views_are_written_to_files(ask: Run, tmp_path: Path, quick: Library) -> None:
    page, picture = tmp_path / "a b.html", tmp_path / "p.svg"
    answer = ask("explain", "IL-0480", "IL-0428", "--html", str(page), "--svg", str(picture))
    assert answer.code == 0
    assert answer.out.endswith(f"wrote {page}\nwrote {picture}\n")
    found = quick.explain("IL-0480", "IL-0428")
    assert page.read_text(encoding="utf-8") == found.to_html()
    assert picture.read_text(encoding="utf-8") == found.to_svg()


def test_json_holds_everything_and_stays_json_beside_files(ask: Run, tmp_path: Path) -> None:
    answer = ask("explain", "IL-0480", "IL-0428", "--json", "--svg", str(tmp_path / "p.svg"))
    found = answer.json
    assert (tmp_path / "p.svg").exists()
    assert found["same_cause"] == "unknown"
    assert {"shared", "contrasts", "excluded", "paths", "only_a", "told_b", "measures"} <= set(
        found
    )
    step = next(s for p in found["paths"] for s in p["steps"] if s["basis"] == "derived")
    assert {x["claim_id"].partition("#")[0] for x in step["sayings"]} <= {"IL-0480", "IL-0428"}
    assert found["query"] is None


def test_json_of_a_text_has_spans_and_confidence(ask: Run) -> None:
    found = ask("explain", TEXT, "IL-0480", "--json").json
    assert found["query"] == TEXT
    assert found["a"] == "(text)"
    (denied,) = (t for t in found["understood"] if t["negated"])
    assert TEXT[denied["start"] : denied["end"]] == "OOM"
    left = found["shared"][0]["left"][0]
    assert left["evidence"][0]["field"] == "text"
    assert 0 < left["confidence"] <= 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["IL-0480"], "give two cases, or a text and a case"),
        (["IL-0480", "IL-0023", "IL-0025"], "give two cases, or a text and a case"),
        (["--text", TEXT, "IL-0480", "IL-0023"], "give two cases, or a text and a case"),
        (["IL-0480", "IL-0481"], "no case 'IL-0481' in this library. Did you mean IL-0480"),
        (["--text", TEXT, "IL-481"], "no case 'IL-481'"),
        (["IL-0480", "IL-0480"], "is one case; give two"),
        ([TEXT, "some other text"], "both are texts; give the id of a case"),
        (["--text", " ?! ", "IL-0480"], "the text has no words"),
        (["IL-0480", " ?! "], "the text has no words"),
    ],
)
def test_bad_use_is_told_and_ends_with_two(ask: Run, arguments: list[str], said: str) -> None:
    answer = ask("explain", *arguments)
    assert answer.code == 2
    assert said in answer.err
    assert answer.out == ""


def test_a_file_that_cannot_be_written_is_told(ask: Run, tmp_path: Path) -> None:
    answer = ask("explain", "IL-0480", "IL-0428", "--svg", str(tmp_path / "none" / "p.svg"))
    assert answer.code == 2
    assert "cannot write" in answer.err


def test_a_text_cannot_steer_the_terminal(ask: Run) -> None:
    answer = ask("explain", "--text", "NCCL timeout \x1b[31m\u202e GPU", "IL-0480")
    assert answer.code == 0
    assert "\x1b" not in answer.out
    assert "\u202e" not in answer.out
