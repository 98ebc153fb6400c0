"""Documents in foreign formats for tests, whole and mangled."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from kg.errors import Problem
from kg.model import PROSE_FIELDS
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.format import Format

DATA = Path(__file__).parents[1] / "readers" / "data"

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["None", "?", "", "\x00\x02\ud800", "2021-13-45", "[a](javascript:x)", "없음"]),
    st.sampled_from([[], {}, [None], [[]], [{}], {"name": []}, {"value": {"value": 1}}, ["x", 3]]),
)


def document(path: str) -> Document:
    """A fixture of `tests/readers/data`."""
    return Document(path, (DATA / path).read_text(encoding="utf-8"))


def json_document(value: Any, name: str = "export.json") -> Document:
    return Document(name, json.dumps(value))


def drafts(format: Format, given: Document) -> list[Draft]:
    """The drafts of a document that must hold nothing else."""
    read = list(format.read(given))
    assert all(isinstance(one, Draft) for one in read), read
    return [one for one in read if isinstance(one, Draft)]


def draft(format: Format, given: Document) -> Draft:
    """The one draft of a document."""
    (one,) = drafts(format, given)
    return one


def problem(format: Format, given: Document) -> Problem:
    """The one problem of a document that holds nothing else."""
    (one,) = format.read(given)
    assert isinstance(one, Problem)
    return one


def dates(one: Draft) -> dict[str, str]:
    return {when.kind.value: when.at for when in one.dates}


def survives(format: Format, given: Document) -> None:
    """Recognises and reads a document without an exception, into drafts that are in order."""
    assert 0 <= format.sure(given) <= 1
    for one in format.read(given):
        if isinstance(one, Problem):
            assert one.file == given.name
            assert one.message
            assert one.remedy
            continue
        assert isinstance(one, Draft)
        assert one.title == " ".join(one.title.split())
        assert one.title
        assert one.format == format.name
        assert set(one.none) <= set(PROSE_FIELDS)
        assert not set(one.none) & {p.field for p in one.passages}
        assert one.source_id not in (*one.duplicates, *one.related) or not one.source_id
        for passage in one.passages:
            assert passage.field in PROSE_FIELDS
            assert passage.text.strip()
            assert "\n\n\n" not in passage.text
            assert not re.search(r"[\x00-\x08\ud800-\udfff]", passage.text)


@st.composite
def mangled(draw: st.DrawFn, value: Any) -> Any:
    """A JSON value with one to five of its parts dropped or put in place of by junk."""
    value = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 5))):
        places = list(_places(value))
        if not places:
            return copy.deepcopy(draw(JUNK))
        holder, key = draw(st.sampled_from(places))
        if draw(st.booleans()):
            holder[key] = copy.deepcopy(draw(JUNK))
        else:
            del holder[key]
    return value


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)
