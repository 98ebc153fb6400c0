"""SQL over a library, with the library's own functions inside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from embeddings import EmbeddingError, condense
from kg.errors import BadQuery, KgError
from kg.store import Function, Table, add_function, run_sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from embeddings import Encoder
    from kg.store import Snapshot
    from kg.vocab import Tag

_KEPT = 256
"""Texts whose answers are remembered: DuckDB may ask for one text once for each row."""

Answer = TypeVar("Answer")


class Sql:
    """What a library answers in SQL. `Library` is one."""

    if TYPE_CHECKING:
        _connection: DuckDBPyConnection
        _snapshot: Snapshot

        @property
        def encoder(self) -> Encoder:
            """The encoder of this library's vectors."""

        def tag(self, text: str, least: float = 0.3) -> Sequence[Tag]:
            """The terms that a text names or tells of."""

    def sql(self, query: str, parameters: Sequence[Any] = ()) -> Table:
        """Run a read-only SQL query on the library file; values go in as parameters.

        Beside the tables, views and macros of the file (`docs/sql.md`) two functions are there:

        - `embed(text)`: the vector of a question, `FLOAT[n]` of unit length, to be held against
          `vectors.vector` by `array_cosine_similarity`. The encoder is loaded when it is first
          called.
        - `tag(text)`: the ids of the terms that a text names or tells of, as `lib.tag` finds
          them, in order of the text; those that it denies are left out.

        Raises:
            BadQuery: the statement is wrong, tries to change something or to reach out of the
                library, or `embed` is given a text without words.
            EncoderMismatch, EncoderNotFound: `embed` or `tag` needs another encoder.
        """
        failures = self._failures
        failures.clear()
        try:
            return run_sql(self._asking, query, parameters)
        except BadQuery as error:
            # DuckDB tells what failed inside a function in words only.
            if failures:
                raise failures[0] from error
            raise

    @cached_property
    def _failures(self) -> list[KgError | EmbeddingError]:
        """What went wrong inside `embed` and `tag` since the query began."""
        return []

    @cached_property
    def _asking(self) -> DuckDBPyConnection:
        """The connection to the file, which knows `embed` and `tag`."""
        size = self._snapshot.vectors.shape[1]
        for function in (
            Function("embed", self._telling(self._embed), f"FLOAT[{size}]"),
            Function("tag", self._telling(self._tag), "VARCHAR[]"),
        ):
            add_function(self._connection, function)
        return self._connection

    def _embed(self, text: str) -> list[float]:
        if not any(c.isalnum() for c in text):
            raise BadQuery("SQL: embed() is given a text without words; say what was seen")
        vector: list[float] = self.encoder.encode_queries([condense(text)])[0].tolist()
        return vector

    def _tag(self, text: str) -> list[str]:
        tags = self.tag(condense(text)) if any(c.isalnum() for c in text) else ()
        return list(dict.fromkeys(t.term for t in tags if not t.negated))

    def _telling(self, answer: Callable[[str], Answer]) -> Callable[[str], Answer]:
        """The function, remembering its answers and what went wrong."""
        remembered = lru_cache(maxsize=_KEPT)(answer)

        def asked(text: str) -> Answer:
            try:
                return remembered(text)
            except (KgError, EmbeddingError) as error:
                self._failures.append(error)
                raise

        return asked
