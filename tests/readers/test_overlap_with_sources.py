"""Runs of words that a case shares with its source are found, wherever they stand."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kg.model import Case
from kg.readers import dump_case
from kg.readers.overlap import main, shared_runs
from tests.helpers.tiny import case_data

RUN = "one two three four five six seven eight"


def a_case(summary: str) -> Case:
    data = case_data("X-1")
    data["claims"], data["summary"] = [], {"en": summary}
    return Case.model_validate(data)


def test_eight_words_in_a_row_are_a_run_and_seven_are_not() -> None:
    case = a_case(f"We saw {RUN} there")
    assert shared_runs(case, f"they said: {RUN.upper()}!") == [RUN]
    assert shared_runs(case, RUN.rpartition(" ")[0]) == []


def test_code_does_not_count() -> None:
    assert shared_runs(a_case(f"We saw `{RUN}` there"), RUN) == []


def test_statements_are_compared_too() -> None:
    data = case_data("X-1", ("cause", "cause:race"))
    data["claims"][0]["statement"] = {"en": RUN}
    assert shared_runs(Case.model_validate(data), f"x {RUN} y") == [RUN]


@given(st.lists(st.sampled_from("ab"), max_size=20), st.lists(st.sampled_from("ab"), max_size=20))
def test_it_finds_what_a_search_of_every_window_finds(left: list[str], right: list[str]) -> None:
    windows = [left[i : i + 3] for i in range(len(left) - 2)]
    there = f" {' '.join(right)} "
    judge = [" ".join(w) for w in windows if f" {' '.join(w)} " in there]
    case = a_case(" ".join(left) or "-")
    title_runs = shared_runs(a_case("-"), " ".join(right), 3)
    assert shared_runs(case, " ".join(right), 3) == title_runs + judge


def test_the_command_ends_with_one_when_there_are_any(tmp_path: Path, capsys) -> None:
    (tmp_path / "case.json").write_text(dump_case(a_case(RUN)), encoding="utf-8")
    (tmp_path / "source.txt").write_text(f"so {RUN} it is", encoding="utf-8")
    (tmp_path / "other.txt").write_text("nothing alike", encoding="utf-8")
    assert main([str(tmp_path / "case.json"), str(tmp_path / "source.txt")]) == 1
    assert RUN in capsys.readouterr().out
    assert main([str(tmp_path / "case.json"), str(tmp_path / "other.txt")]) == 0
    assert main([]) == 2
