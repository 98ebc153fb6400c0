"""Functions of Python that a query may call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kg.errors import BadQuery

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True)
class Function:
    """A function of a text.

    Attributes:
        name: by which SQL calls it.
        answer: from a text to the value; the same text must always give the same one. NULL is
            never asked and gives NULL.
        type: what it gives, as an SQL type.
    """

    name: str
    answer: Callable[[str], Any]
    type: str


def add_function(connection: DuckDBPyConnection, function: Function) -> None:
    """Let queries on a connection, and on those made from it, call a function.

    Raises:
        BadQuery: the connection is closed.
    """
    import duckdb

    try:
        connection.create_function(
            function.name,
            function.answer,
            ["VARCHAR"],
            function.type,
        )
    except duckdb.ConnectionException as error:
        raise BadQuery(f"SQL: {error}") from error
