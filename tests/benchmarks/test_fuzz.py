"""A few broken documents of `benchmarks/fuzz.py`, which breaks many; it finds a planted fault."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def fuzz(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import fuzz

    return fuzz


def run(fuzz: object, monkeypatch: pytest.MonkeyPatch, *options: str) -> int:
    monkeypatch.setattr(sys, "argv", ["fuzz.py", *options])
    with pytest.raises(SystemExit) as left:
        fuzz.main()  # type: ignore[attr-defined]
    return int(left.value.code or 0)


def test_no_reader_fails_on_broken_documents(
    fuzz: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(fuzz, monkeypatch, "--documents", "40", "--seed", "7")
    out = capsys.readouterr().out
    assert code == 0, out
    assert "'documents': 40" in out


def test_a_fault_is_told_with_its_seed(
    fuzz: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from kg.intake import plan

    def fail(*_: object, **__: object) -> None:
        raise RecursionError("planted")

    monkeypatch.setattr(plan, "redacted", fail)
    monkeypatch.setattr(plan, "term_problems", fail)
    assert run(fuzz, monkeypatch, "--documents", "12", "--seed", "7") == 1
    out = capsys.readouterr().out
    assert "planted" in out
    assert "seed " in out


def test_a_seed_makes_the_same_document_again(fuzz: object) -> None:
    fixtures = sorted(f for f in fuzz.FIXTURES.rglob("*") if f.is_file())  # type: ignore[attr-defined]
    one, same, other = (
        fuzz.broken(random.Random(seed), fixtures)  # type: ignore[attr-defined]
        for seed in (3, 3, 4)
    )
    assert one == same
    assert one != other
