"""Each document is taken for what it is, whatever other formats there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import BadQuery
from kg.readers.document import Document
from kg.readers.formats.format import recognised
from kg.readers.formats.known import FORMATS
from kg.readers.reading import read_documents
from tests.helpers.foreign import DATA, document

FILES = sorted(
    str(f.relative_to(DATA))
    for f in DATA.rglob("*")
    # A user's own tables are in no format, and judgements lie beside the documents that they judge.
    if f.is_file() and f.relative_to(DATA).parts[0] != "mapping" and f.parent.name != "qrels"
)
FORMAT_OF_FOLDER = {
    "schemas": "schema",
    "servicenow_csv": "servicenow-csv",
    "jira_csv": "jira-csv",
    "logs": "log",
}
"""Where a folder of fixtures is not called as its format."""

WRITTEN = {
    "markdown": ("pm.md", "# Checkout down\n\n## Impact\nNobody could pay.\n"),
    "markdown ": ("pm.txt", "---\ntitle: Down\n---\n# Checkout down\n\n## Root cause\nA leak.\n"),
    "jira-csv": (
        "a.csv",
        "Summary,Issue key,Issue id,Issue Type,Status,Created\nDown,AC-1,1,Bug,Done,2024-05-01\n",
    ),
    "servicenow-csv": (
        "s.csv",
        "number,short_description,opened_at,sys_id\nINC0010023,Down,2024-05-01 10:00:00,a1\n",
    ),
    "records": ("r.csv", "title,started,summary\nDown,2024-05-01,It was down.\n"),
    "log": ("x.log", "2024-05-01T10:00:00Z node1 kernel: NVRM: Xid (PCI:0000:4e:00): 79\n" * 4),
    "feed": (
        "h.atom",
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>S</title>'
        "<entry><id>x:1</id><title>Down</title><updated>2024-05-01T10:00:00Z</updated>"
        "<content>It was down.</content></entry></feed>",
    ),
    "case": (
        "c.json",
        '{"id": "X-1", "domain": "own", "title": {"en": ["T"]}, "summary": {"en": ["S"]}}',
    ),
    "beir": ("corpus.jsonl", '{"_id": "d1", "title": "Down", "text": "It was down."}\n'),
}
"""Format → a document in it, as small as one may be."""


def taken(one: Document) -> str:
    found = recognised(one, FORMATS)
    assert found, one.name
    return found[0][0].name


@pytest.mark.parametrize("path", FILES)
def test_a_fixture_is_taken_for_its_own_format_and_no_other_is_as_sure(path: str) -> None:
    folder = path.split("/", 1)[0]
    found = recognised(document(path), FORMATS)
    assert found[0][0].name == FORMAT_OF_FOLDER.get(folder, folder)
    assert [f.name for f, sure in found[1:] if sure == found[0][1]] == []


@pytest.mark.parametrize("path", [p for p in FILES if p.endswith(".json")])
def test_the_name_of_a_file_does_not_decide(path: str) -> None:
    folder = path.split("/", 1)[0]
    given = Document("export.txt", document(path).text)
    assert taken(given) == FORMAT_OF_FOLDER.get(folder, folder)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_small_document_is_taken_for_what_it_is(name: str) -> None:
    file, text = WRITTEN[name]
    assert taken(Document(file, text)) == name.strip()


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", "1,2\n3,4\n", "hello", '{"a": 1}', "\x00"]
)
def test_what_is_nothing_makes_no_case_and_raises_nothing(tmp_path: Path, text: str) -> None:
    for suffix in (".json", ".csv", ".md", ".txt", ".yaml"):
        (tmp_path / f"x{suffix}").write_text(text, encoding="utf-8")
    for one in read_documents([tmp_path], FORMATS):
        items = list(one.items)
        assert items or one.format
        assert all(getattr(item, "remedy", "told") for item in items)


def test_no_two_formats_have_one_name_and_all_say_what_they_are() -> None:
    names = [f.name for f in FORMATS]
    assert names == sorted(set(names))
    assert all(f.about and f.suffixes for f in FORMATS)
    with pytest.raises(BadQuery, match=", ".join(names)):
        list(read_documents([], FORMATS, "nonsense"))
