"""A library survives kills and full disks; `benchmarks/kill.py` does the same to a large one."""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kg
from tests.helpers.foreign_library import HANG, LINK, add, tables, write

ROOT = Path(__file__).resolve().parents[2]
SMALL = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


@pytest.fixture(scope="module")
def kills(tmp_path_factory: pytest.TempPathFactory) -> object:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        from kill import Kills
    finally:
        sys.path.pop(0)
    return Kills(tmp_path_factory.mktemp("kills"), cases=12, more=2)


@pytest.mark.parametrize(("name", "times"), [("build", 1), ("add", 2), ("remove", 1)])
def test_a_killed_command_leaves_the_state_before_or_after(
    kills: object, name: str, times: int
) -> None:
    found = kills.test(name, times, random.Random(name))  # type: ignore[attr-defined]
    assert found.get("before", 0) + found.get("after", 0) == times
    assert found.get("killed", 0) + found.get("ended first", 0) == times


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("full")
    add(folder / "own.duckdb", write(folder / "docs", hang=HANG))
    write(folder / "more", link=LINK)
    return folder


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_full_disk_is_told_and_leaves_the_library(
    template: Path, tmp_path: Path, share: float
) -> None:
    library = Path(shutil.copy(template / "own.duckdb", tmp_path / "own.duckdb"))
    before = tables(library)
    most = int(library.stat().st_size * share)

    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    words = [sys.executable, "-m", "kg", "add", str(template / "more"), "-l", str(library)]
    done = subprocess.run(
        words, env=SMALL, capture_output=True, text=True, preexec_fn=small_disk, check=False
    )
    assert done.returncode == 2, done
    assert "could not be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert tables(library) == before
    assert sorted(f.name for f in tmp_path.iterdir()) == [".own.duckdb.lock", "own.duckdb"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_told(template: Path, tmp_path: Path) -> None:
    library = Path(shutil.copy(template / "own.duckdb", tmp_path / "own.duckdb"))
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(kg.LibraryError, match="permission denied"):
            add(library, template / "more")
    finally:
        tmp_path.chmod(0o755)
