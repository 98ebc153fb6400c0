"""Everything that this package raises on purpose.

::

    EmbeddingError
    ├── EncoderNotFound   (LookupError)   no such model here; says what to give instead
    ├── EncoderMismatch   (ValueError)    vectors or weights of another encoder than expected
    ├── BadVector         (ValueError)    zero, NaN, infinite or of the wrong dimension
    ├── BadIndexFolder    (ValueError)    a saved index is missing, cut short or altered
    ├── BadEvalSet        (ValueError)    a folder that cannot be read as queries with judgements
    └── MissingExtra      (ImportError)   an optional package is missing; prints the install line

Each error is also the built-in that fits, so callers may catch either.
"""

from __future__ import annotations


class EmbeddingError(Exception):
    """Root of all errors of this package."""


class EncoderNotFound(EmbeddingError, LookupError):
    """The encoder asked for is not on this machine; the message says what to give instead.

    Attributes:
        name: what was asked for.
    """

    def __init__(self, name: str, advice: str) -> None:
        super().__init__(f"encoder {name!r} not found: {advice}")
        self.name = name


class EncoderMismatch(EmbeddingError, ValueError):
    """Vectors or weights come from another encoder than the one expected.

    Attributes:
        expected: fingerprint or checksum that was expected.
        found: the one that is there.
    """

    def __init__(self, what: str, expected: str, found: str) -> None:
        super().__init__(f"{what}: expected {expected}, found {found}")
        self.expected = expected
        self.found = found


class BadVector(EmbeddingError, ValueError):
    """A vector is zero, not finite, or has the wrong dimension."""


class BadIndexFolder(EmbeddingError, ValueError):
    """A saved index cannot be read whole; build and save it again.

    Attributes:
        folder: the folder that was read.
    """

    def __init__(self, folder: str, reason: str) -> None:
        super().__init__(f"index folder {folder}: {reason}; build the index again")
        self.folder = folder


class BadEvalSet(EmbeddingError, ValueError):
    """A folder cannot be read as documents, queries and judgements; the message says what to do.

    Attributes:
        folder: the folder that was read.
    """

    def __init__(self, folder: str, reason: str) -> None:
        super().__init__(f"evaluation set {folder}: {reason}")
        self.folder = folder


class MissingExtra(EmbeddingError, ImportError):
    """An optional package is not installed.

    Attributes:
        package: name of the distribution.
        install: the command that installs it.
    """

    def __init__(self, package: str, purpose: str, install: str | None = None) -> None:
        self.package = package
        self.install = install or f"pip install {package}"
        super().__init__(f"{purpose} needs {package}; install it with:  {self.install}")
