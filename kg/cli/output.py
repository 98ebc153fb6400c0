"""What the command prints: text that cannot steer a terminal, on streams that may fail."""

from __future__ import annotations

import contextlib
import os
import re
import sys

from kg.errors import InputError

_UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f"  # controls, but for tab and line feed
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff"  # no width, line ends, direction
    "\\U000e0000-\\U000e007f"  # tags
    "\\ud800-\\udfff]"  # halves of pairs: bytes of a name that is not UTF-8
)
_STDOUT = "standard output"


def clean(text: str) -> str:
    """Text without signs that are not seen but act, so that a case cannot steer the terminal."""
    return _UNSEEN.sub("\ufffd", text)


def clean_line(text: str) -> str:
    """The same on one line."""
    return clean(text.replace("\n", "\ufffd"))


def clean_json(text: str) -> str:
    """JSON with these signs escaped, which says the same."""
    return _UNSEEN.sub(_json_escape, text)


def clean_xml(text: str) -> str:
    """XML with these signs as references, which says the same."""
    return _UNSEEN.sub(lambda m: f"&#x{ord(m.group()):x};", text)


def _json_escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code > 0xFFFF:
        high, low = divmod(code - 0x10000, 0x400)
        return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
    return f"\\u{code:04x}"


def say(text: str) -> None:
    """Print on standard output.

    Raises:
        OSError: it cannot be written; `filename` says which stream.
    """
    try:
        print(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, _STDOUT) from error


def finish() -> None:
    """Write out what was printed.

    Raises:
        OSError: it cannot be written, or standard output is closed.
    """
    if sys.stdout is None:
        raise OSError(0, "it is closed", _STDOUT)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, _STDOUT) from error


def complain(text: str) -> None:
    """Print on standard error, as far as that can be done."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr)


def abandon() -> None:
    """Point standard output elsewhere, so that closing it at the end stays quiet."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def told(error: Exception) -> str:
    """An error as it is shown after `kg: `."""
    if isinstance(error, InputError):
        head = str(error).partition("\n")[0]
        return "\n  ".join([head, *(clean_line(str(p)) for p in error.problems)])
    if isinstance(error, UnicodeDecodeError | UnicodeEncodeError):
        return f"text that is not UTF-8, or that cannot be shown here: {error.reason}"
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if isinstance(error.filename, str) else ""
        return clean_line(f"{where}{error.strerror}")
    return clean(str(error))
