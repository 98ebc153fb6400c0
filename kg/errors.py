"""Every error that `kg` raises on purpose.

::

    KgError (Exception)
    ├── InputError (ValueError)       bad records: carries every Problem of the batch
    ├── NotFound (KeyError)           something was asked for by name and is not there
    │   ├── CaseNotFound
    │   └── TermNotFound
    ├── AmbiguousTerm (LookupError)   a spelling that names more than one term
    ├── SchemaError (ValueError)      an edge or record that the graph schema does not allow
    ├── LibraryError (OSError)        the library file: missing, foreign, locked, too new
    │   ├── LibraryLocked
    │   └── LibraryVersionError
    ├── BadQuery (ValueError)         a question that cannot be asked so (SQL, facet, argument)
    └── MissingExtra (ImportError)    an optional package is absent; prints the install line

Each is also the built-in that fits, so callers may catch either. The data behind
a message is kept as attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """One thing wrong with one record: where it is, what it is, what to do.

    `file` is the path as the caller gave it; `line` counts from 1 and is 0 when the
    place is a field rather than a line; `field` is a dotted path such as
    `claims.3.evidence.0.quote`; `case_id` is empty when the record could not be read.
    """

    file: str
    line: int
    field: str
    message: str
    remedy: str
    case_id: str = ""

    def __str__(self) -> str:
        place = self.file + (f":{self.line}" if self.line else "")
        if self.case_id:
            place += f" [{self.case_id}]"
        if self.field:
            place += f" {self.field}"
        return f"{place}: {self.message}. {self.remedy}"


class KgError(Exception):
    """Base of all errors of this package."""

    def __str__(self) -> str:
        # KeyError would show the repr of its message.
        return str(self.args[0]) if self.args else ""


class InputError(KgError, ValueError):
    """A batch held bad records; `problems` lists all of them, in order of file and place."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        count = len(self.problems)
        head = f"{count} problem{'s' if count != 1 else ''} in the input:"
        super().__init__("\n  ".join([head, *map(str, self.problems)]))


class NotFound(KgError, KeyError):
    """Something was asked for by name and is not in the library."""


class CaseNotFound(NotFound):
    """No case has this id; `case_id` keeps it and `near` the ids that look like it."""

    def __init__(self, case_id: str, near: Sequence[str] = ()) -> None:
        self.case_id = case_id
        self.near = tuple(near)
        hint = f" Did you mean {', '.join(self.near)}?" if self.near else ""
        super().__init__(f"no case {case_id!r} in this library.{hint}")


class TermNotFound(NotFound):
    """No term has this id or spelling; `spelling` keeps it and `near` what looks like it."""

    def __init__(self, spelling: str, scheme: str | None = None, near: Sequence[str] = ()) -> None:
        self.spelling = spelling
        self.scheme = scheme
        self.near = tuple(near)
        where = f" in scheme {scheme!r}" if scheme else ""
        hint = f" Did you mean {', '.join(self.near)}?" if self.near else ""
        super().__init__(f"no term {spelling!r}{where}.{hint}")


class AmbiguousTerm(KgError, LookupError):
    """A spelling names terms of several schemes; `candidates` lists their ids."""

    def __init__(self, spelling: str, candidates: Sequence[str]) -> None:
        self.spelling = spelling
        self.candidates = tuple(candidates)
        super().__init__(
            f"{spelling!r} names {len(self.candidates)} terms: {', '.join(self.candidates)}. "
            "Give the id, or the scheme."
        )


class SchemaError(KgError, ValueError):
    """The graph schema has no such edge, or a record breaks a rule between records."""


class LibraryError(KgError, OSError):
    """The library file is missing, is not a library, or cannot be read or written."""


class LibraryLocked(LibraryError):
    """Another process is writing this library."""


class LibraryVersionError(LibraryError):
    """The file was written by another schema version; `found` and `expected` say which."""

    def __init__(self, path: str, found: int, expected: int) -> None:
        self.found = found
        self.expected = expected
        super().__init__(
            f"{path} has schema version {found}, this program reads {expected}. "
            "Build it again from its cases: kg build PATH -o FILE."
        )


class BadQuery(KgError, ValueError):
    """The question cannot be asked in this way; the message says how it can."""


class MissingExtra(KgError, ImportError):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(f"this needs {package}: pip install 'incident-kg[{extra}]'")
