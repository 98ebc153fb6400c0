"""Vectors on disk: hits, misses, many processes, damage, folders that cannot be written."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import embeddings
from embeddings import CachedEncoder, HashEncoder, VectorCache, default_cache_dir
from embeddings.vector_file import vector_key

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(embeddings.__file__).parent.parent


class Counting(HashEncoder):
    """Remembers which texts it was asked to encode."""

    def __init__(self, dimension: int = 16) -> None:
        super().__init__(dimension)
        self.asked: list[str] = []

    def encode_passages(self, texts: Sequence[str], progress: object = None) -> np.ndarray:
        self.asked.extend(texts)
        return super().encode_passages(texts)


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path / "deep" / "vectors.sqlite")


def test_only_misses_are_encoded_and_each_once(cache: VectorCache) -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, cache)
    first = cached.encode_passages(["a", "b", "a"])
    assert encoder.asked == ["a", "b"]
    second = cached.encode_passages(["c", "b", "a"])
    assert encoder.asked == ["a", "b", "c"]
    assert np.array_equal(first[[2, 1]], second[[2, 1]])
    assert len(cache) == 3


def test_another_process_finds_them(cache: VectorCache) -> None:
    CachedEncoder(HashEncoder(16), cache).encode_passages(["노드"])
    encoder = Counting()
    CachedEncoder(encoder, VectorCache(cache.path)).encode_passages(["노드"])
    assert encoder.asked == []


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=8), max_size=12))
def test_vectors_are_those_of_the_encoder(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    cache = VectorCache(tmp_path_factory.mktemp("c") / "v.sqlite")
    plain = HashEncoder(16).encode_passages(texts)
    for _ in range(2):
        found = CachedEncoder(HashEncoder(16), cache).encode_passages(texts)
        assert found.dtype == np.float32
        assert np.array_equal(found, plain)


def test_role_and_encoder_keep_vectors_apart(cache: VectorCache) -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, cache)
    cached.encode_passages(["a"])
    cached.encode_queries(["a"])
    CachedEncoder(HashEncoder(8), cache).encode_passages(["a"])
    assert encoder.asked == ["a", "a"]
    assert len(cache) == 3


def test_questions_are_left_out_of_the_cache_on_request(cache: VectorCache) -> None:
    cached = CachedEncoder(HashEncoder(16), cache, questions=False)
    expected, tokens = HashEncoder(16).encode_queries_with_tokens(["power 190 W", "전력"])
    found, own = cached.encode_queries_with_tokens(["power 190 W", "전력"])
    assert np.array_equal(found, expected)
    assert [rows.tolist() for rows in own] == [rows.tolist() for rows in tokens]
    assert np.array_equal(cached.encode_queries(["power 190 W", "전력"]), expected)
    assert not cache.path.exists()
    cached.encode_passages(["power 190 W"])
    assert len(cache) == 1


def test_the_parts_of_a_key_do_not_run_into_each_other() -> None:
    assert vector_key("ab", "c", "d") != vector_key("a", "bc", "d")
    assert vector_key("a", "b", "cd") != vector_key("a", "bc", "d")
    assert vector_key("a", "b", "\ud800") != vector_key("a", "b", "?")


def test_an_unfinished_build_goes_on(cache: VectorCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embeddings.cache._ROUND", 2)

    class Dies(Counting):
        def encode_passages(self, texts: Sequence[str], progress: object = None) -> np.ndarray:
            if len(self.asked) >= 4:
                raise KeyboardInterrupt
            return super().encode_passages(texts)

    with pytest.raises(KeyboardInterrupt):
        CachedEncoder(Dies(), cache).encode_passages([*"abcdef"])
    encoder = Counting()
    calls: list[tuple[int, int]] = []
    again = CachedEncoder(encoder, cache)
    again.encode_passages([*"abcdef"], lambda done, total: calls.append((done, total)))
    assert encoder.asked == ["e", "f"]
    assert calls == [(6, 6)]


def test_progress_reaches_the_end_with_and_without_hits(cache: VectorCache) -> None:
    calls: list[tuple[int, int]] = []
    cached = CachedEncoder(HashEncoder(16), cache)
    for _ in range(2):
        cached.encode_passages(["a", "b", "a"], lambda done, total: calls.append((done, total)))
    assert calls == [(3, 3), (3, 3)]


def test_the_wrapper_is_an_encoder_like_the_one_inside(cache: VectorCache) -> None:
    cached = CachedEncoder(HashEncoder(16), cache)
    assert cached.fingerprint == HashEncoder(16).fingerprint
    assert cached.dimension == 16
    assert cached.encode_queries([]).shape == (0, 16)
    assert not cache.path.exists()


@pytest.mark.parametrize("content", [b"", b"not a database at all, really not" * 100])
def test_a_damaged_file_is_set_aside_and_begun_anew(cache: VectorCache, content: bytes) -> None:
    cache.path.parent.mkdir()
    cache.path.write_bytes(content)
    cached = CachedEncoder(HashEncoder(16), cache)
    cached.encode_passages(["a"])
    assert len(cache) == 1
    assert Path(f"{cache.path}.damaged").exists() == bool(content)


def test_damage_in_the_middle_is_not_fatal(cache: VectorCache) -> None:
    cached = CachedEncoder(HashEncoder(64), cache)
    texts = [f"text {n}" for n in range(300)]
    expected = cached.encode_passages(texts)
    raw = bytearray(cache.path.read_bytes())
    raw[4096 : len(raw) - 4096] = b"\xff" * (len(raw) - 8192)
    cache.path.write_bytes(raw)
    assert np.array_equal(cached.encode_passages(texts), expected)


@pytest.mark.parametrize("value", [b"", b"abc", b"\x00" * 64, b"\xff" * 64, "text", 7, None])
def test_a_bad_value_counts_as_missing(cache: VectorCache, value: object) -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, cache)
    expected = cached.encode_passages(["a"])
    with sqlite3.connect(cache.path) as base:
        base.execute("UPDATE vectors SET value = ?", (value,))
    base.close()
    assert np.array_equal(cached.encode_passages(["a"]), expected)
    assert encoder.asked == ["a", "a"]


def test_a_folder_that_cannot_be_made_means_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = VectorCache(tmp_path / "file" / "vectors.sqlite")
    assert CachedEncoder(HashEncoder(16), cache).encode_passages(["a"]).shape == (1, 16)
    assert len(cache) == 0


def test_a_locked_file_means_no_cache(cache: VectorCache, monkeypatch: pytest.MonkeyPatch) -> None:
    CachedEncoder(HashEncoder(16), cache).encode_passages(["a"])
    monkeypatch.setattr("embeddings.cache._WAIT_SECONDS", 0.05)
    holder = sqlite3.connect(cache.path)
    holder.execute("BEGIN EXCLUSIVE")
    assert CachedEncoder(HashEncoder(16), cache).encode_passages(["b"]).shape == (1, 16)
    holder.rollback()
    holder.close()
    assert len(cache) == 1


def test_processes_write_at_once(cache: VectorCache) -> None:
    code = (
        "import sys, embeddings as e\n"
        "c = e.CachedEncoder(e.HashEncoder(16), e.VectorCache(sys.argv[1]))\n"
        "for n in range(20): c.encode_passages([f'{sys.argv[2]} {n}', f'shared {n}'])"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(cache.path), str(n)], cwd=ROOT)
        for n in range(3)
    ]
    assert [run.wait(timeout=60) for run in runs] == [0, 0, 0]
    assert len(cache) == 3 * 20 + 20


def test_threads_share_one_cache(cache: VectorCache) -> None:
    cached = CachedEncoder(HashEncoder(16), cache)
    threads = [
        threading.Thread(target=cached.encode_passages, args=([f"{n} {i}" for i in range(50)],))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache) == 200


def test_the_default_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("INCIDENT_KG_CACHE", str(tmp_path / "own"))
    assert default_cache_dir() == tmp_path / "own"
    monkeypatch.delenv("INCIDENT_KG_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_cache_dir() == tmp_path / "xdg" / "incident-kg"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for ignored in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", ignored)
        assert default_cache_dir() == tmp_path / "home" / ".cache" / "incident-kg"


def test_a_folder_that_cannot_be_written_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("INCIDENT_KG_CACHE", str(tmp_path / "file" / "below"))
    with pytest.warns(RuntimeWarning, match="set INCIDENT_KG_CACHE"):
        assert default_cache_dir() is None
