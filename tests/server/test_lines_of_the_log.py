"""The log on standard error: a line of JSON each, from the server and in part from others."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kg.server.logs import log_to_stderr

Begin = Callable[[], io.StringIO]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """Begins to log so, to a standard error of its own; everything is as before afterwards."""
    root, own = logging.getLogger(), logging.getLogger("kg.server")
    before = (root.handlers[:], root.level, own.level)

    def started() -> io.StringIO:
        # Within the test: what pytest captures is set anew when one begins.
        stream = io.StringIO()
        monkeypatch.setattr(sys, "stderr", stream)
        log_to_stderr()
        return stream

    yield started
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    own.setLevel(before[2])


def read(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_has_time_level_and_the_fields_that_are_known(begin: Begin) -> None:
    lines = begin()
    extra = {"event": "request", "status": 200, "milliseconds": 1.5, "query": "private"}
    logging.getLogger("kg.server.access").info("private", extra=extra)
    (line,) = read(lines)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info", "logger": "kg.server.access", "event": "request", "status": 200,
        "milliseconds": 1.5,
    }  # fmt: skip


def test_words_of_others_are_cut_down_to_their_place(begin: Begin) -> None:
    lines = begin()
    logging.getLogger("some.library").warning("private words %s", "of a question")
    (line,) = read(lines)
    assert line["event"] == "message"
    assert line["where"].startswith("test_lines_of_the_log:")
    assert "private" not in lines.getvalue()


def test_what_others_say_below_a_warning_is_left_out(begin: Begin) -> None:
    lines = begin()
    logging.getLogger("some.library").info("chatter")
    logging.getLogger("kg.server").debug("chatter")
    assert read(lines) == []


def test_a_trace_is_told_by_no_word(begin: Begin) -> None:
    lines = begin()
    try:
        raise ValueError("private")
    except ValueError:
        logging.getLogger("kg.server").exception("private", extra={"event": "error"})
    assert "private" not in lines.getvalue()
    assert len(read(lines)) == 1


def test_lines_follow_where_standard_error_goes(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a program is turned into a service, or a test has its own."""
    lines = begin()
    log = logging.getLogger("kg.server")
    log.info("a", extra={"event": "before"})
    other = io.StringIO()
    monkeypatch.setattr(sys, "stderr", other)
    lines.close()
    log.info("b", extra={"event": "after"})
    assert [line["event"] for line in read(other)] == ["after"]


def test_lines_can_be_read_whatever_stands_in_them(begin: Begin) -> None:
    lines = begin()
    told = 'a "quoted"\nline \u2028 한글 \ud800'
    logging.getLogger("kg.server").info("x", extra={"event": "reload", "version": told})
    assert lines.getvalue().count("\n") == 1
    assert lines.getvalue().isascii()
    assert read(lines)[0]["version"] == told
