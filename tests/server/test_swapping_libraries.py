"""A library is swapped for a newer one without a request that fails, and the old one is closed."""

from __future__ import annotations

import gc
import logging
import shutil
import threading
import time
import weakref

import duckdb
import pytest

import kg
from kg.errors import LibraryError
from kg.library.visible import _vocabulary_of
from kg.server.holder import Holder
from kg.server.settings import Settings
from tests.helpers.served import asking


@pytest.fixture(scope="module")
def two(tmp_path_factory, quick):
    """The files of two libraries, of four cases and of three of them; they open fast."""
    folder = tmp_path_factory.mktemp("swap")
    cases = [quick.cases[i] for i in sorted(quick.cases)[:4]]
    words = _vocabulary_of(cases, quick.vocabulary)
    for name, some in (("large", cases), ("small", cases[:3])):
        path = folder / f"{name}.duckdb"
        kg.build_library(some, path, vocabulary=words, encoder="hash").close()
    return folder / "large.duckdb", folder / "small.duckdb"


@pytest.fixture
def place(tmp_path, two):
    """Where a library lies that is to be swapped."""
    path = tmp_path / "served.duckdb"
    shutil.copyfile(two[0], path)
    return path


def put(source, target):
    """Replace a file in the way in which builds do."""
    beside = target.with_suffix(".new")
    shutil.copyfile(source, beside)
    beside.replace(target)


def is_closed(library):
    try:
        library.sql("SELECT 1")
    except (duckdb.Error, kg.BadQuery):
        return True
    return False


def test_whoever_uses_the_old_library_keeps_it_and_the_last_one_closes_it(place, two):
    holder = Holder(Settings(library=place))
    with holder.use() as old:
        with holder.use() as same:
            assert same is old
            put(two[1], place)
            assert holder.reload()
            assert len(old.lib) == 4
            assert old.lib.sql("SELECT count(*) FROM cases").rows == ((4,),)
        assert not is_closed(old.lib)
        with holder.use() as new:
            assert new is not old
            assert len(new.lib) == 3
            assert new.version != old.version
        assert not is_closed(new.lib)
    assert is_closed(old.lib)
    holder.close()
    assert is_closed(new.lib)
    with pytest.raises(LibraryError), holder.use():
        pass


def test_what_cannot_be_served_leaves_the_old_library_in_its_place(place, two):
    holder = Holder(Settings(library=place))
    version = holder.version
    place.write_bytes(b"no library at all")
    assert not holder.reload()
    place.unlink()
    assert not holder.reload(force=True)
    with holder.use() as served:
        assert served.version == version
        assert served.lib.list().total == 4
    put(two[1], place)
    assert holder.reload()
    holder.close()


def test_nothing_is_opened_again_while_nothing_changes(place, two):
    holder = Holder(Settings(library=place))
    assert not holder.reload()
    put(two[0], place)  # another file, the same content
    with holder.use() as before:
        assert not holder.reload()
        with holder.use() as after:
            assert after is before
    holder.close()


def test_rules_hold_for_the_new_library_too(place, two):
    holder = Holder(Settings(library=place, hidden=("IL-0023",)))
    put(two[1], place)
    assert holder.reload()
    with holder.use() as served:
        assert len(served.lib) == 2
        assert not served.visible("IL-0023")
    holder.close()


def test_a_rule_whose_case_has_gone_hides_nothing_and_is_logged(place, two, caplog):
    with kg.open_library(two[0]) as large, kg.open_library(two[1]) as small:
        gone = next(iter(set(large.cases) - set(small.cases)))
        kept = next(iter(small.cases))
    holder = Holder(Settings(library=place, hidden=(kept, gone)))
    put(two[1], place)
    with caplog.at_level(logging.WARNING, "kg.server"):
        assert not holder.reload(), "readers have never seen what has gone"
    told = [r for r in caplog.records if r.event == "hide"]
    assert [r.rule for r in told] == [2]
    assert gone not in caplog.text
    put(two[0], place)
    assert not holder.reload()
    with holder.use() as served:
        assert len(served.lib) == 2
    holder.close()


def test_a_case_that_comes_back_is_hidden_again(place, two):
    holder = Holder(Settings(library=place, hidden=("IL-0023",)))
    with kg.open_library(two[1]) as small:
        kept = [i for i in small.cases if i != "IL-0023"]
    only = place.with_name("only.duckdb")
    kg.build_library(
        [small.cases[i] for i in kept], only, vocabulary=small.vocabulary, encoder="hash"
    ).close()
    put(only, place)
    assert holder.reload()
    put(two[0], place)
    assert holder.reload()
    with holder.use() as served:
        assert not served.visible("IL-0023"), "hidden again when it is back"
        assert len(served.lib) == 3
    holder.close()


def test_a_watched_file_is_swapped_while_requests_are_answered(place, two):
    settings = Settings(library=place, check_seconds=0.05)
    seen, failed, stop = set(), [], threading.Event()
    with asking(settings) as client:

        def reader():
            while not stop.is_set():
                answer = client.get("/stats")
                seen.add(answer.json()["cases"])
                if answer.status_code != 200:
                    failed.append(answer.text)

        threads = [threading.Thread(target=reader) for _ in range(2)]
        for t in threads:
            t.start()
        for source in (two[1], two[0], two[1]):
            put(source, place)
            wanted = 3 if source == two[1] else 4
            _until(lambda wanted=wanted: client.get("/stats").json()["cases"] == wanted)
        stop.set()
        for t in threads:
            t.join()
    assert not failed
    assert seen == {3, 4}


def test_the_old_library_does_not_stay_in_memory(place, two):
    """It is full of cycles, and the collector seldom looks at what is old."""
    holder = Holder(Settings(library=place, check_seconds=0.05))
    with holder.use() as served:
        served.lib.search("NCCL timeout")
        old = weakref.ref(served.lib)
    del served
    gc.disable()
    try:
        holder.watch()
        put(two[1], place)
        _until(lambda: old() is None)
    finally:
        gc.enable()
        holder.close()


def test_a_new_library_changes_the_tag(place, two):
    with asking(Settings(library=place, check_seconds=3600)) as client:
        first = client.get("/cases/IL-0023")
        tag = {"If-None-Match": first.headers["etag"]}
        assert client.get("/cases/IL-0023", headers=tag).status_code == 304
        put(two[1], place)
        assert client.app.state.holder.reload()
        again = client.get("/cases/IL-0023", headers=tag)
        assert again.status_code == 200
        assert again.headers["etag"] != first.headers["etag"]


def test_threads_get_what_they_would_get_alone(quick, client):
    queries = [f"NCCL timeout node {n} hung in all_reduce" for n in range(6)]
    alone = [quick.search(q, threshold=0.0).items for q in queries]
    words = [quick.search_words(q).items for q in queries]
    wrong = []

    def reader(start):
        for n in range(12):
            i = (start + n) % len(queries)
            if quick.search(queries[i], threshold=0.0).items != alone[i]:
                wrong.append(i)
            if quick.search_words(queries[i]).items != words[i]:
                wrong.append(i)

    threads = [threading.Thread(target=reader, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def _until(done, seconds=30.0):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)
