"""Reading a document of a foreign format in tests: its drafts and its problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from kg.errors import Problem
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format

DATA = Path(__file__).parents[1] / "readers" / "data"


def document(path: str, text: str | None = None) -> Document:
    """A fixture of `tests/readers/data`, or a text under a name."""
    return Document(path, (DATA / path).read_text(encoding="utf-8") if text is None else text)


def read(form: Format, path: str, text: str | None = None) -> tuple[list[Draft], list[Problem]]:
    """The drafts and the problems of a document."""
    found = list(form.read(document(path, text)))
    drafts = [f for f in found if isinstance(f, Draft)]
    return drafts, [f for f in found if isinstance(f, Problem)]


def only(form: Format, path: str, text: str | None = None) -> Draft:
    """The one draft of a document that has no problem."""
    (draft,), problems = read(form, path, text)
    assert problems == []
    return draft


def times(draft: Draft) -> dict[str, str]:
    """The times of a draft by kind."""
    return {str(w.kind): w.at for w in draft.dates}


def said(draft: Draft) -> str:
    """The messages of its notes, one a line."""
    return "\n".join(str(n) for n in draft.notes)


def survives(form: Format, documents: Iterator[Document], look: Callable[[Draft], None]) -> None:
    """Reads documents however broken; what comes is drafts and problems, and nothing is raised."""
    for one in documents:
        assert 0.0 <= form.sure(one) <= 1.0
        for found in form.read(one):
            if isinstance(found, Draft):
                look(found)
            else:
                assert isinstance(found, Problem)
                assert found.file == one.name
                assert found.message
                assert found.remedy
