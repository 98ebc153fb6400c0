"""Logs as JSON, a line each, on standard error."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

FIELDS = (
    "event", "request_id", "method", "endpoint", "status", "bytes", "milliseconds", "version",
    "cases", "error", "where", "url", "told", "rule",
)  # fmt: skip
"""What a line may hold beside time and level. Messages of errors are not among it: they may quote
a case or a question."""


class JsonLines(logging.Formatter):
    """A record as one line of JSON with the fields that are known."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told = {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        line = {"time": at, "level": record.levelname.lower(), "logger": record.name, **told}
        if "event" not in told:
            # A library's own words, which may hold anything, are cut down to where they came from.
            line["event"] = "message"
            line["where"] = f"{record.module}:{record.lineno}"
        return json.dumps(line, ensure_ascii=True, default=str)


class StandardError(logging.Handler):
    """Writes to what is standard error now, which may not be what it was at the start."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; what goes wrong then is no reason to fail."""
        try:
            sys.stderr.write(f"{self.format(record)}\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            self.handleError(record)


def log_to_stderr(level: int = logging.INFO) -> None:
    """Write the lines of the server, and warnings of what it is built on, to standard error."""
    handler = StandardError()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("kg.server").setLevel(level)
