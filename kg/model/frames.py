"""Stack frames as they are written in incident texts."""

from __future__ import annotations

import re

from kg.model.text import Record

_PLACE = r"(?P<file>[\w./+-]+\.\w{1,4})"
_FORMS = (
    # py-spy: `train (megatron/training.py:915)`
    re.compile(rf"(?P<function>[\w.<>]+) \({_PLACE}:(?P<line>\d+)\)"),
    # Python traceback: `File "train.py", line 12, in main`
    re.compile(rf'File "{_PLACE}", line (?P<line>\d+)(?:, in (?P<function>[\w.<>]+))?'),
    # a place with or without its function: `megatron/training.py:915 train`
    re.compile(rf"{_PLACE}:(?P<line>\d+)(?: (?P<function>[A-Za-z_][\w.]*))?"),
)


class Frame(Record):
    """A place in a program: file as written, line from 1, and the function where it is named."""

    file: str
    line: int
    function: str | None = None


def parse_frame(text: str) -> Frame | None:
    """The first stack frame in a text, or None when there is none.

    Reads the forms of py-spy, of Python tracebacks, and `file:line function`.
    """
    found = [m for form in _FORMS if (m := form.search(text))]
    if not found:
        return None
    first = min(found, key=lambda m: (m.start(), -len(m.group())))
    return Frame(**{k: v for k, v in first.groupdict().items() if v is not None})
