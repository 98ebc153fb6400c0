"""A set is read whole; what is damaged is named with file, line and advice, the rest is loaded."""

from __future__ import annotations

import dataclasses
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings.errors import BadEvalSet, EmbeddingError
from embeddings.evaluate import Document, EvalSet, Query, read_set

CORPUS = [
    {"_id": "d1", "title": "NCCL timeout", "text": "A switch rebooted."},
    {"_id": "d2", "title": "", "text": "디스크가 가득 찼다.", "metadata": {"lang": "ko"}},
    {"_id": "d3", "text": "No title at all."},
]
QUERIES = [
    {"_id": "q1", "text": "switch down", "metadata": {"lang": "en", "case": "KG-1"}},
    {"_id": "q2", "text": "full disk"},
    {"_id": "q3", "text": "why is the sky blue"},
]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t3\nq1\td2\t1\nq2\td2\t2\n"


def lines(records: list[Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def write(
    folder: Path,
    corpus: str | bytes | None = None,
    queries: str | bytes | None = None,
    qrels: str | bytes | None = None,
) -> Path:
    """A set of three documents and three queries, with the parts given in place of its own."""
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    for name, given_, own in (
        ("corpus.jsonl", corpus, lines(CORPUS)),
        ("queries.jsonl", queries, lines(QUERIES)),
        ("qrels/test.tsv", qrels, QRELS),
    ):
        content = own if given_ is None else given_
        raw = content if isinstance(content, bytes) else content.encode("utf-8")
        (folder / name).write_bytes(raw)
    return folder


def test_a_sound_set(tmp_path: Path) -> None:
    found = read_set(write(tmp_path / "small"))
    assert found == EvalSet(
        name="small",
        documents=(
            Document("d1", "NCCL timeout", "A switch rebooted."),
            Document("d2", "", "디스크가 가득 찼다.", lang="ko"),
            Document("d3", "", "No title at all."),
        ),
        queries=(
            Query("q1", "switch down", "en", {"lang": "en", "case": "KG-1"}),
            Query("q2", "full disk"),
            Query("q3", "why is the sky blue"),
        ),
        qrels={"q1": {"d1": 3, "d2": 1}, "q2": {"d2": 2}},
        problems=(),
    )


def test_the_folder_may_be_text_and_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    assert read_set(".") == read_set(tmp_path / "here")
    assert read_set(".").name == "here"


def test_another_split(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td3\t1\n")
    assert read_set(tmp_path, "dev").qrels == {"q2": {"d3": 1}}


def test_labels_of_documents_cannot_be_reached(tmp_path: Path) -> None:
    secret = {"labels": {"cause": ["SECRET"]}, "lang": "en", "title": "SECRET"}
    corpus = lines([{"_id": "d1", "title": "", "text": "x", "metadata": secret}])
    document = read_set(write(tmp_path, corpus)).documents[0]
    assert document.lang == "en"
    assert "SECRET" not in repr(dataclasses.asdict(document))
    assert {f.name for f in dataclasses.fields(document)} == {
        "id", "title", "text", "fields", "lang",
    }  # fmt: skip


def test_typed_fields(tmp_path: Path) -> None:
    records = [
        {"_id": "d1", "text": "x", "fields": {"cause": "a bad cable", "fix": "", "none": None}},
        {"_id": "d2", "fields": {"symptom": "slow"}},
        {"_id": "d3", "text": "x", "fields": {"cause": ["not", "text"], "fix": "restart"}},
        {"_id": "d4", "text": "x", "fields": "cause"},
        {"_id": "d5", "text": "x", "fields": {}},
    ]
    found = read_set(write(tmp_path, lines(records)))
    assert [dict(d.fields) for d in found.documents] == [
        {"cause": "a bad cable"},
        {"symptom": "slow"},
        {"fix": "restart"},
        {},
        {},
    ]
    assert found.documents[1].text == ""
    assert len(found.problems) == 2
    assert "line 3" in found.problems[0]
    assert "'cause'" in found.problems[0]
    assert "line 4" in found.problems[1]
    assert "fields" in found.problems[1]


BAD_LINES = [
    ("{", "not JSON"),
    ("[1]", "not an object"),
    ('"text"', "not an object"),
    ("null", "not an object"),
    ("[" * 100_000, "not JSON"),
    ('{"text": "x", "title": ""}', "no id"),
    ('{"_id": "", "text": "x"}', "no id"),
    ('{"_id": " ", "text": "x"}', "no id"),
    ('{"_id": null, "text": "x"}', "no id"),
    ('{"_id": true, "text": "x"}', "no id"),
    ('{"_id": ["a"], "text": "x"}', "no id"),
    ('{"_id": "x1"}', "text is missing"),
    ('{"_id": "x1", "text": 3}', "text is missing or not a text"),
    (r'{"_id": "x1", "text": "\q"}', "not JSON"),
    (r'{"_id": "x1", "text": "\u12" oh}', "not JSON"),
]


@pytest.mark.parametrize(("line", "what"), BAD_LINES)
@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl"])
def test_a_bad_line_is_named_and_the_others_load(
    tmp_path: Path, name: str, line: str, what: str
) -> None:
    own = (CORPUS if name == "corpus.jsonl" else QUERIES)[:3]
    content = lines(own[:1]) + "\n" + line + "\n" + lines(own[1:])
    found = read_set(write(tmp_path, **{name.partition(".")[0]: content}))
    assert len(found.documents) == len(found.queries) == 3
    assert len(found.problems) == 1
    assert found.problems[0].startswith(f"{name} line 3: ")
    assert what in found.problems[0]
    assert "; the line is left out" in found.problems[0]


def test_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    content = lines(CORPUS).encode() + '{"_id": "d4", "text": "café"}\n'.encode("latin-1")
    found = read_set(write(tmp_path, content))
    assert len(found.documents) == 3
    assert found.problems[0].startswith("corpus.jsonl line 4: not UTF-8")


def test_the_known_damage_is_repaired_and_reported(tmp_path: Path) -> None:
    line = (
        r'{"_id": "d9", "text": "one \r\user@example.com\r\n two \\user \u00e9 \u12 \ud83d\ude00"}'
    )
    found = read_set(write(tmp_path, lines(CORPUS) + line + "\n"))
    text = "one \r\\user@example.com\r\n two \\user é \\u12 😀"
    assert found.documents[3] == Document("d9", "", text)
    assert len(found.problems) == 1
    assert found.problems[0].startswith("corpus.jsonl line 4: ")
    assert "four hex digits" in found.problems[0]


@settings(deadline=None)
@given(st.text(), st.booleans())
def test_sound_lines_are_never_repaired(
    tmp_path_factory: pytest.TempPathFactory, text: str, ascii_only: bool
) -> None:
    text = text.encode("utf-8", "ignore").decode()
    line = json.dumps({"_id": "d", "text": text}, ensure_ascii=ascii_only)
    found = read_set(write(tmp_path_factory.mktemp("set"), line, qrels="q1\td\t1"))
    assert found.documents[0].text == text
    assert found.problems == ()


@settings(deadline=None)
@given(st.text(alphabet="\\u0aZ {", max_size=12))
def test_whatever_the_escapes_a_document_or_a_problem_comes(
    tmp_path_factory: pytest.TempPathFactory, inside: str
) -> None:
    content = lines(CORPUS) + '{"_id": "d9", "text": "' + inside + '"}'
    found = read_set(write(tmp_path_factory.mktemp("set"), content))
    assert len(found.documents) == 4 or len(found.problems) == 1


def test_half_a_surrogate_pair_becomes_writable(tmp_path: Path) -> None:
    found = read_set(write(tmp_path, lines(CORPUS) + r'{"_id": "d9", "text": "a \ud83d b"}'))
    assert found.documents[3].text == "a \ufffd b"
    assert "surrogate" in found.problems[0]


def test_line_signs_inside_a_text_do_not_end_a_line(tmp_path: Path) -> None:
    text = "a\u2028b\x85c\x0bd\x1ce"
    found = read_set(
        write(
            tmp_path, json.dumps({"_id": "d1", "text": text}, ensure_ascii=False), qrels="q1\td1\t1"
        )
    )
    assert found.documents[0].text == text
    assert found.problems == ()


def test_byte_order_marks_and_windows_line_ends(tmp_path: Path) -> None:
    plain = read_set(write(tmp_path / "set"))
    parts = [lines(CORPUS), lines(QUERIES), QRELS]
    damaged = ["\ufeff" + part.replace("\n", "\r\n\r\n  \r\n") for part in parts]
    assert read_set(write(tmp_path / "set", *damaged)) == plain


def test_no_line_end_at_the_end(tmp_path: Path) -> None:
    plain = read_set(write(tmp_path / "set"))
    parts = [part.rstrip("\n") for part in (lines(CORPUS), lines(QUERIES), QRELS)]
    assert read_set(write(tmp_path / "set", *parts)) == plain


def test_of_equal_ids_the_first_counts(tmp_path: Path) -> None:
    corpus = lines([*CORPUS, {"_id": "d1", "title": "", "text": "later"}])
    queries = lines([*QUERIES, {"_id": "q2", "text": "later"}])
    found = read_set(write(tmp_path, corpus, queries))
    assert found.documents[0].text == "A switch rebooted."
    assert (len(found.documents), len(found.queries)) == (3, 3)
    assert [p.split(":")[0] for p in found.problems] == [
        "corpus.jsonl line 4",
        "queries.jsonl line 4",
    ]
    assert "'d1' again" in found.problems[0]


def test_numbers_as_ids(tmp_path: Path) -> None:
    corpus = lines([{"_id": 7, "title": None, "text": "x"}, {"_id": 0, "text": "y"}])
    found = read_set(write(tmp_path, corpus, qrels="q1\t7\t1\nq1\t0\t1\n"))
    assert [d.id for d in found.documents] == ["7", "0"]
    assert found.problems == ()


def test_metadata_of_another_shape(tmp_path: Path) -> None:
    corpus = [{"_id": f"d{n}", "text": "x", "metadata": m} for n, m in enumerate([None, 3])]
    queries = [{"_id": "q1", "text": "x", "metadata": {"lang": lang}} for lang in (5,)]
    found = read_set(write(tmp_path, lines(corpus), lines(queries), "q1\td0\t1"))
    assert [d.lang for d in found.documents] == [None, None]
    assert found.queries[0].lang is None
    assert len(found.problems) == 1
    assert found.problems[0].startswith("corpus.jsonl line 2: metadata")


def test_an_empty_query_is_loaded_and_named(tmp_path: Path) -> None:
    found = read_set(write(tmp_path, queries=lines([*QUERIES, {"_id": "q4", "text": " "}])))
    assert found.queries[3].id == "q4"
    assert "queries.jsonl line 4: the query is empty" in found.problems[0]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("q1 d3 1", "1 cells"),
        ("q1\td3", "2 cells"),
        ("q1\t0\td3\t1", "4 cells"),
        ("q1\t\t1", "3 cells"),
        ("q1\td3\thigh", "'high' is not a whole number"),
        ("q1\td3\t1.5", "'1.5' is not a whole number"),
        ("q1\td3\t2024", "above"),
        ("q1\td1\t1", "'q1' and 'd1' judged again"),
    ],
)
def test_a_bad_judgement_is_named_and_the_others_count(
    tmp_path: Path, line: str, what: str
) -> None:
    found = read_set(write(tmp_path, qrels=QRELS + "\n" + line + "\n"))
    assert found.qrels == {"q1": {"d1": 3, "d2": 1}, "q2": {"d2": 2}}
    assert len(found.problems) == 1
    assert found.problems[0].startswith("qrels/test.tsv line 6: ")
    assert what in found.problems[0]


def test_a_header_is_not_needed(tmp_path: Path) -> None:
    found = read_set(write(tmp_path, qrels="q1\td1\t3\n"))
    assert found.qrels == {"q1": {"d1": 3}}
    assert found.problems == ()


def test_unknown_documents_count_as_missed_and_unknown_queries_do_not_count(tmp_path: Path) -> None:
    found = read_set(write(tmp_path, qrels=QRELS + "q1\tlost\t3\nqX\td1\t1\nqX\tgone\t1\n"))
    assert found.qrels == {"q1": {"d1": 3, "d2": 1, "lost": 3}, "q2": {"d2": 2}}
    assert len(found.problems) == 2
    assert "line 5: document 'lost' is not in corpus.jsonl" in found.problems[0]
    assert "query 'qX' is not in queries.jsonl" in found.problems[1]


def test_grades_of_zero_and_below_are_judged_and_not_relevant(tmp_path: Path) -> None:
    found = read_set(write(tmp_path, qrels=QRELS + "q3\td1\t0\nq3\td2\t-2\n"))
    assert found.qrels["q3"] == {"d1": 0, "d2": 0}
    assert [q.id for q in found.scored] == ["q1", "q2"]
    assert found.unjudged == ()


def test_queries_without_judgements_are_kept_apart(tmp_path: Path) -> None:
    found = read_set(write(tmp_path))
    assert [q.id for q in found.queries] == ["q1", "q2", "q3"]
    assert [q.id for q in found.scored] == ["q1", "q2"]
    assert [q.id for q in found.unjudged] == ["q3"]


def test_a_query_that_only_answers_itself_is_not_scored(tmp_path: Path) -> None:
    queries = lines([{"_id": "d1", "text": "x"}, {"_id": "d2", "text": "y"}])
    found = read_set(write(tmp_path, queries=queries, qrels="d1\td1\t3\nd2\td2\t1\nd2\td1\t1\n"))
    assert [q.id for q in found.scored] == ["d2"]
    assert found.unjudged == ()


def test_a_set_may_hold_nothing_but_queries_that_nothing_answers(tmp_path: Path) -> None:
    found = read_set(write(tmp_path, qrels="query-id\tcorpus-id\tscore\n"))
    assert found.qrels == {}
    assert len(found.unjudged) == 3
    assert found.problems == ("qrels/test.tsv: no query is judged, so there is nothing to measure",)


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_a_missing_file_is_an_error_that_shows_the_layout(tmp_path: Path, name: str) -> None:
    (write(tmp_path) / name).unlink()
    with pytest.raises(
        BadEvalSet, match=r"a set is a folder with corpus\.jsonl, queries"
    ) as caught:
        read_set(tmp_path)
    assert f"cannot read {name}" in str(caught.value)
    assert caught.value.folder == str(tmp_path)
    assert isinstance(caught.value, EmbeddingError)
    assert isinstance(caught.value, ValueError)


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(BadEvalSet, match="No such file"):
        read_set(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["corpus", "queries"])
@pytest.mark.parametrize(
    ("content", "what"), [("", "the file is empty"), ("{\n[\n", "line 1: not JSON")]
)
def test_a_file_without_one_good_line_is_an_error(
    tmp_path: Path, name: str, content: str, what: str
) -> None:
    with pytest.raises(BadEvalSet, match=what):
        read_set(write(tmp_path, **{name: content}))


@settings(deadline=None, max_examples=30)
@given(st.permutations(QRELS.splitlines()[1:]), st.permutations(CORPUS))
def test_the_order_of_lines_decides_nothing_but_order(
    tmp_path_factory: pytest.TempPathFactory, judged: list[str], corpus: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("set")
    found = read_set(write(folder, lines(corpus), qrels="\n".join(judged)))
    assert found.qrels == {"q1": {"d1": 3, "d2": 1}, "q2": {"d2": 2}}
    assert [d.id for d in found.documents] == [d["_id"] for d in corpus]


def test_five_thousand_documents_take_less_than_a_second(tmp_path: Path) -> None:
    text = "the switch port went down and NCCL timed out\n" * 50
    corpus = lines([{"_id": f"d{n}", "title": "t", "text": text} for n in range(5000)])
    qrels = "".join(f"q1\td{n}\t1\n" for n in range(5000))
    write(tmp_path, corpus, qrels=qrels)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        found = read_set(tmp_path)
        times.append(time.perf_counter() - start)
    assert len(found.documents) == 5000
    assert min(times) < 1
