r"""A folder of documents, queries and human judgements -> `EvalSet`.

The layout is that of BEIR (Thakur et al. 2021, "BEIR: a heterogeneous benchmark for zero-shot
evaluation of information retrieval models"), UTF-8, one record a line::

    corpus.jsonl     {"_id", "title", "text"}, optional "fields" {name: text}, "metadata" {"lang"}
    queries.jsonl    {"_id", "text"}, optional "metadata" {"lang", …}
    qrels/test.tsv   query-id, corpus-id, score under such a header, parted by tabs

Metadata of documents may hold human labels, which are for scoring: only `lang` is taken from it,
and nothing else of it can reach retrieval.

What is read from a damaged set:

- A line that cannot be read is left out and named in `problems`; all others are loaded.
- ``\u`` without four hex digits after it, which JSON forbids, is read as a plain backslash and u.
- Of two records with one id, or two judgements of one pair, the first counts.
- Judgements of queries that are not there are dropped. Judgements of *documents* that are not
  there are kept: people found them relevant, so they count in the ideal order of nDCG and in what
  recall divides by, and a set that has lost documents shows lower figures, never higher ones.
- Grades of 0 and below are kept as 0: judged, and not relevant.
- Queries without judgements are kept (`unjudged`); they have no measures, and may be meant as
  queries that nothing answers.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from embeddings.errors import BadEvalSet
from embeddings.evaluate.measures import grades_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

# A backslash and what it escapes: `stray` where JSON knows no such escape. Reading escapes from
# left to right, so that the second half of a written backslash is not taken for the start of one.
_ESCAPE = re.compile(r"\\(?:(?P<stray>u(?![0-9a-fA-F]{4}))|.)", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_HIGHEST_GRADE = 20  # a gain of a million; more is a column mistaken for a grade


@dataclass(frozen=True)
class Document:
    """What retrieval may see of a document.

    Attributes:
        id: unique in the set.
        title: empty where there is none.
        text: empty where all text is in `fields`.
        fields: name -> text, for a corpus with typed fields; mostly empty.
        lang: language code of the text where the set gives one.
    """

    id: str
    title: str
    text: str
    fields: Mapping[str, str] = field(default_factory=dict)
    lang: str | None = None


@dataclass(frozen=True)
class Query:
    """A query; where its id is a document's, that document is never an answer to it.

    Attributes:
        id: unique in the set.
        text: what is asked.
        lang: language code where the set gives one.
        metadata: all that the set says of it, `lang` included.
    """

    id: str
    text: str
    lang: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class EvalSet:
    """Documents, queries, and what people said of pairs of them.

    Attributes:
        name: name of the folder.
        documents: in the order of the file.
        queries: in the order of the file, with and without judgements.
        qrels: query -> document -> grade, 0 and above; only of queries that are there.
        problems: what was wrong, where, and what to do; empty for a sound set.
    """

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    qrels: Mapping[str, Mapping[str, int]]
    problems: tuple[str, ...] = ()

    @property
    def scored(self) -> tuple[Query, ...]:
        """Queries to which some document other than themselves is relevant."""
        return tuple(q for q in self.queries if grades_of(q.id, self.qrels.get(q.id, {})))

    @property
    def unjudged(self) -> tuple[Query, ...]:
        """Queries that no judgement names."""
        return tuple(q for q in self.queries if q.id not in self.qrels)


class _HasId(Protocol):
    @property
    def id(self) -> str: ...


_Record = TypeVar("_Record", bound=_HasId)


def read_set(folder: Path | str, split: str = "test") -> EvalSet:
    """Read a folder; damaged lines are named in `problems` and the rest is loaded.

    Args:
        folder: the folder that holds `corpus.jsonl`.
        split: name of the file of judgements, without `.tsv`.

    Raises:
        BadEvalSet: a file is missing, or no document or no query can be read.
    """
    corpus, asked, judged = (
        _File(Path(folder), name)
        for name in ("corpus.jsonl", "queries.jsonl", f"qrels/{split}.tsv")
    )
    documents = _records(corpus, _document)
    queries = _records(asked, _query)
    qrels = _judgements(judged, documents, queries)
    problems = (*corpus.problems, *asked.problems, *judged.problems)
    name = Path(folder).resolve().name
    return EvalSet(name, tuple(documents.values()), tuple(queries.values()), qrels, problems)


class _BadLine(Exception):
    """A line cannot be used; the message says why and what to do."""


class _File:
    """One file of a set, and what was found wrong with it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.problems: list[str] = []

    def report(self, number: int, what: str) -> None:
        """Note a problem of the line of this number, counted from 1."""
        self.problems.append(f"{self.name} line {number}: {what}")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Number and text of every line that is not blank and is UTF-8."""
        # Not str.splitlines, which also breaks at signs that JSON allows inside a text.
        for number, raw in enumerate(self._content().split(b"\n"), start=1):
            try:
                line = raw.decode("utf-8").strip(" \t\r")
            except UnicodeDecodeError:
                self.report(number, "not UTF-8; the line is left out; save the file as UTF-8")
                continue
            if line:
                yield number, line

    def refuse_if_empty(self, content: Collection[object]) -> None:
        """Raise `BadEvalSet` where nothing could be read."""
        if not content:
            first = f"; {self.problems[0]}" if self.problems else ", the file is empty"
            raise BadEvalSet(str(self.folder), f"no line of {self.name} can be used{first}")

    def _content(self) -> bytes:
        try:
            return (self.folder / self.name).read_bytes().removeprefix(b"\xef\xbb\xbf")
        except OSError as error:
            reason = f"cannot read {self.name} ({error.strerror}); a set is a folder with"
            reason += " corpus.jsonl, queries.jsonl and qrels/<split>.tsv"
            raise BadEvalSet(str(self.folder), reason) from error


def _records(
    file: _File, parse: Callable[[_File, int, dict[str, Any]], _Record]
) -> dict[str, _Record]:
    """Id -> record, in the order of the file."""
    found: dict[str, _Record] = {}
    for number, line in file.lines():
        try:
            record = parse(file, number, _object(file, number, line))
        except _BadLine as bad:
            file.report(number, f"{bad}; the line is left out")
            continue
        if record.id in found:
            what = f"id {record.id!r} again; the line is left out; give each record its own id"
            file.report(number, what)
        found.setdefault(record.id, record)
    file.refuse_if_empty(found)
    return found


def _object(file: _File, number: int, line: str) -> dict[str, Any]:
    """The JSON object of a line, repaired where the damage is of the known kind."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        value = _repaired(line, error)
        what = r"a \u without four hex digits, read as a plain backslash; write it as \\u"
        file.report(number, what)
    if not isinstance(value, dict):
        raise _BadLine('not an object; write {"_id": …, "text": …}')
    return value


def _repaired(line: str, error: Exception) -> object:
    try:
        value: object = json.loads(_ESCAPE.sub(_literal, line))
    except (ValueError, RecursionError):
        raise _BadLine(f"not JSON ({error}); write one object a line") from None
    return value


def _literal(escape: re.Match[str]) -> str:
    return r"\\u" if escape["stray"] else escape[0]


def _document(file: _File, number: int, record: dict[str, Any]) -> Document:
    fields = _fields(file, number, record)
    # A document of nothing but fields is whole; else a missing text is a slip.
    text = record.get("text") if fields else record.get("text", 0)
    return Document(
        _id(record),
        _text(file, number, record.get("title"), "title"),
        _text(file, number, text, "text"),
        fields,
        _language(_mapping(file, number, record, "metadata")),
    )


def _fields(file: _File, number: int, record: dict[str, Any]) -> dict[str, str]:
    """The fields that hold text; one that is no text is named and left out alone."""
    fields: dict[str, str] = {}
    for name, value in _mapping(file, number, record, "fields").items():
        try:
            fields[name] = _text(file, number, value, f"field {name!r}")
        except _BadLine as bad:
            file.report(number, f"{bad}; the field is left out")
    return {name: text for name, text in fields.items() if text}


def _query(file: _File, number: int, record: dict[str, Any]) -> Query:
    metadata = _mapping(file, number, record, "metadata")
    text = _text(file, number, record.get("text", 0), "text")
    if not text.strip():
        file.report(number, "the query is empty and will find nothing; give it a text")
    return Query(_id(record), text, _language(metadata), metadata)


def _id(record: dict[str, Any]) -> str:
    value = record.get("_id")
    # A number is let through: judgements are text, so both sides are compared as text.
    name = (
        str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    )
    if not name:
        raise _BadLine("no id; give the line a text as `_id`")
    return name


def _text(file: _File, number: int, value: object, what: str) -> str:
    """The text itself; empty for null; signs that no UTF-8 can write are replaced."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _BadLine(f"{what} is missing or not a text; write it in quotes")
    if _SURROGATE.search(value):
        file.report(number, f"half a surrogate pair in {what}, read as U+FFFD; write the full pair")
        return _SURROGATE.sub("\ufffd", value)
    return value


def _mapping(file: _File, number: int, record: dict[str, Any], key: str) -> dict[str, Any]:
    value = record.get(key)
    if isinstance(value, dict):
        return value
    if value is not None:
        file.report(number, f"{key} is not an object and is ignored; write {{…}}")
    return {}


def _language(metadata: Mapping[str, Any]) -> str | None:
    value = metadata.get("lang")
    return value.strip() or None if isinstance(value, str) else None


def _judgements(
    file: _File, documents: Collection[str], queries: Collection[str]
) -> dict[str, dict[str, int]]:
    """Query -> document -> grade, for the queries that are there."""
    found: dict[str, dict[str, int]] = {}
    lines = list(file.lines())
    for number, line in lines[1:] if lines and _is_header(lines[0][1]) else lines:
        try:
            query, document, grade = _judgement(line)
        except _BadLine as bad:
            file.report(number, f"{bad}; the line is left out")
            continue
        of_query = found.setdefault(query, {})
        if document in of_query:
            pair = f"{query!r} and {document!r}"
            file.report(number, f"{pair} judged again; the first counts; keep one of the lines")
        elif query in queries and document not in documents:
            what = f"document {document!r} is not in corpus.jsonl; counted as missed; add it there"
            file.report(number, what)
        of_query.setdefault(document, grade)
    return _known(file, found, queries)


def _known(
    file: _File, found: dict[str, dict[str, int]], queries: Collection[str]
) -> dict[str, dict[str, int]]:
    """What was found, without queries that are not there; each of those is named once."""
    for query in [name for name in found if name not in queries]:
        what = f"query {query!r} is not in queries.jsonl; its judgements are left out; add it there"
        file.problems.append(f"{file.name}: {what}")
    known = {query: grades for query, grades in found.items() if query in queries}
    if not known:
        # Not refused: a set may be made of queries that nothing answers.
        file.problems.append(f"{file.name}: no query is judged, so there is nothing to measure")
    return known


def _is_header(line: str) -> bool:
    """Whether a first line names columns: three cells, the last of them not a number."""
    cells = line.split("\t")
    return len(cells) == 3 and not re.search(r"\d", cells[2])


def _judgement(line: str) -> tuple[str, str, int]:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != 3 or not all(cells):
        raise _BadLine(f"{len(cells)} cells; write query-id, corpus-id, score, parted by tabs")
    try:
        grade = int(cells[2])
    except ValueError:
        raise _BadLine(f"score {cells[2]!r} is not a whole number; write 0 to 3") from None
    if grade > _HIGHEST_GRADE:
        raise _BadLine(f"score {grade} is above {_HIGHEST_GRADE}; write 0 to 3")
    return cells[0], cells[1], max(0, grade)
