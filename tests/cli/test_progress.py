"""Progress says what is counted, and counts nothing where there is one step."""

from __future__ import annotations

import pytest

from kg.library.progress import print_progress


@pytest.mark.parametrize(
    ("total", "said"), [(1, "reading cases: done\n"), (7, "reading cases: 7 done\n"), (0, "")]
)
def test_a_stage_that_is_done(capsys: pytest.CaptureFixture[str], total: int, said: str) -> None:
    print_progress("reading cases", 0, total)
    print_progress("reading cases", total, total)
    assert capsys.readouterr().err == said


def test_a_terminal_sees_it_move(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for done in (0, 1):
        print_progress("writing", done, 1)
    for done in (0, 2):
        print_progress("linking", done, 2)
    err = capsys.readouterr().err
    assert "0/1" not in err
    assert "writing: done" in err
    assert "linking: 0/2" in err
    assert err.endswith("linking: 2/2 \n")
