"""The shipped library is built by one process; others wait for it, and say so."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import kg
import kg.library as opening
from kg.errors import LibraryLocked
from kg.library import build_library
from kg.store import is_library, locked
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

building = importlib.import_module("kg.library.build")  # the package has a function of this name


@pytest.fixture
def builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """An own cache in which a build takes no time; the list says what was built."""
    done: list[Path] = []

    def quick(_: object, target: Path, **others: object) -> kg.Library:
        done.append(target)
        return build_library(tiny_cases(), target, vocabulary=tiny_vocabulary(), encoder="hash")

    monkeypatch.setenv("INCIDENT_KG_CACHE", str(tmp_path))
    monkeypatch.setattr(opening, "build_library", quick)
    return done


def target_in(folder: Path) -> Path:
    return Path(folder, building.shipped_name("hash"))


HOLDER = """
import sys
from pathlib import Path
from kg.store import locked
with locked(Path(sys.argv[1]), "busy"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_elsewhere(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that is building the shipped library."""
    lock = folder / f".{target_in(folder).name}.first-use"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(lock)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def test_it_waits_for_another_process_and_says_so_once(
    tmp_path: Path, builds: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    with held_elsewhere(tmp_path) as process:
        build_library(
            tiny_cases(), target_in(tmp_path), vocabulary=tiny_vocabulary(), encoder="hash"
        ).close()
        hidden = tmp_path / "hidden"
        target_in(tmp_path).rename(hidden)

        def finish() -> None:
            hidden.rename(target_in(tmp_path))
            process.kill()

        timer = threading.Timer(1.0, finish)
        timer.start()
        with kg.open_library(encoder="hash") as library:
            assert len(library) == 6
        timer.join()
    assert builds == [], "what the other process built is taken"
    assert capsys.readouterr().err.count("another process is building") == 1


def test_a_killed_builder_is_followed_by_the_one_that_waits(
    tmp_path: Path, builds: list[Path]
) -> None:
    with held_elsewhere(tmp_path) as process:
        timer = threading.Timer(0.5, process.kill)
        timer.start()
        with kg.open_library(encoder="hash") as library:
            assert len(library) == 6
        timer.join()
    assert builds == [target_in(tmp_path)]


def test_it_does_not_wait_for_ever(
    tmp_path: Path, builds: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "WAIT_SECONDS", 0.3)
    with held_elsewhere(tmp_path), pytest.raises(LibraryLocked, match="another process"):
        kg.open_library(encoder="hash")
    assert builds == []


def test_what_is_there_is_opened_without_waiting(
    tmp_path: Path, builds: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    kg.open_library(encoder="hash").close()
    with held_elsewhere(tmp_path), kg.open_library(encoder="hash") as library:
        assert len(library) == 6
    assert len(builds) == 1
    assert capsys.readouterr().err == ""


def test_threads_of_one_process_build_once(tmp_path: Path, builds: list[Path]) -> None:
    sizes: list[int] = []

    def use() -> None:
        with kg.open_library(encoder="hash") as library:
            sizes.append(len(library))

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sizes == [6] * 4
    assert len(builds) == 1


@pytest.mark.parametrize("content", [b"", b"cut short", None])
def test_a_spoilt_library_in_the_cache_is_built_again(
    tmp_path: Path, builds: list[Path], content: bytes | None
) -> None:
    target = target_in(tmp_path)
    if content is None:
        build_library(tiny_cases(), target, vocabulary=tiny_vocabulary(), encoder="hash").close()
        content = target.read_bytes()[: target.stat().st_size // 2]
    target.write_bytes(content)
    with kg.open_library(encoder="hash") as library:
        assert len(library) == 6
    assert is_library(target)
    assert builds == [target]


@pytest.mark.parametrize("name", ["RECIPE", "SCHEMA_VERSION"])
def test_another_way_of_building_has_another_name(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    before = building.shipped_name("default")
    monkeypatch.setattr(building, name, 99)
    assert building.shipped_name("default") != before


def test_other_data_or_another_encoder_has_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {building.shipped_name("default"), building.shipped_name("hash")}
    monkeypatch.setattr(building, "shipped_hash", lambda: "0" * 16)
    names.add(building.shipped_name("default"))
    assert len(names) == 3


def test_a_lock_is_free_again_after_an_error(tmp_path: Path) -> None:
    def fail() -> None:
        with locked(tmp_path / "lock", "busy"):
            raise RuntimeError("in between")

    with pytest.raises(RuntimeError):
        fail()
    with locked(tmp_path / "lock", "busy"), pytest.raises(LibraryLocked, match="busy"):  # noqa: SIM117
        with locked(tmp_path / "lock", "busy"):
            pass
