"""`embed` and `tag` in SQL give what the library gives in Python."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kg
from embeddings import EncoderMismatch, load_encoder
from kg.cli import main
from kg.errors import BadQuery
from kg.library import Library
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

NEAREST = (
    "SELECT passage_id, array_cosine_similarity(vector, embed(?)) AS near "
    "FROM vectors ORDER BY near DESC, passage_id"
)
TEXTS = (
    "NCCL watchdog timeout",
    "학습 작업이 멈춤, 패킷 손실은 없음",
    'it\'s 100 % "quoted"; DROP',
)


@pytest.mark.parametrize("text", TEXTS)
def test_embed_is_the_vector_of_a_question(quick: Library, text: str) -> None:
    ((found, kind),) = quick.sql("SELECT embed($1), typeof(embed($1))", [text]).rows
    judge = quick.encoder.encode_queries([text])[0]
    assert found == pytest.approx(judge.tolist(), abs=1e-7)
    ((stored,),) = quick.sql("SELECT DISTINCT typeof(vector) FROM vectors").rows
    assert kind == stored == f"FLOAT[{len(judge)}]"


@pytest.mark.parametrize("text", TEXTS)
def test_passages_are_ordered_as_by_numpy(quick: Library, text: str) -> None:
    rows = quick.sql(NEAREST, [text]).rows
    vectors = quick._snapshot.vectors
    judge = vectors @ quick.encoder.encode_queries([text])[0]
    assert [near for _, near in rows] == pytest.approx(np.sort(judge)[::-1].tolist(), abs=1e-5)
    assert [judge[i] for i, _ in rows] == pytest.approx([near for _, near in rows], abs=1e-5)


@pytest.mark.parametrize("text", TEXTS)
def test_tag_gives_the_terms_that_a_text_does_not_deny(quick: Library, text: str) -> None:
    ((found,),) = quick.sql("SELECT tag(?)", [text]).rows
    assert found == list(dict.fromkeys(t.term for t in quick.tag(text) if not t.negated))


def test_a_denied_term_is_no_tag(quick: Library) -> None:
    said, denied = (
        quick.sql("SELECT tag(?)", [text]).rows[0][0]
        for text in ("we saw packet loss", "there was no packet loss")
    )
    assert set(denied) < set(said)


def test_functions_work_on_columns(quick: Library) -> None:
    rows = quick.sql("SELECT title, embed(title), tag(title) FROM cases ORDER BY case_id").rows
    assert len(rows) == len(quick)
    for title, vector, terms in rows:
        assert vector == pytest.approx(quick.encoder.encode_queries([title])[0].tolist(), abs=1e-6)
        assert terms == list(dict.fromkeys(t.term for t in quick.tag(title) if not t.negated))


def test_nothing_gives_nothing(quick: Library) -> None:
    assert quick.sql("SELECT embed(NULL), tag(NULL), tag(''), tag(' .')").rows == (
        (None, None, [], []),
    )


@pytest.mark.parametrize("query", ["SELECT embed('')", "SELECT embed(' .,')"])
def test_a_question_without_words_is_told(quick: Library, query: str) -> None:
    with pytest.raises(BadQuery, match=r"embed\(\) is given a text without words"):
        quick.sql(query)
    assert quick.sql("SELECT 1").rows == ((1,),)


@pytest.mark.parametrize("query", ["SELECT embed(5)", "SELECT embed()", "SELECT tag('a', 'b')"])
def test_what_is_no_text_is_told(quick: Library, query: str) -> None:
    with pytest.raises(BadQuery, match="SQL"):
        quick.sql(query)


def test_another_encoder_is_told_as_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    given = load_encoder("hash")
    kg.build_library(tiny_cases(), path, vocabulary=tiny_vocabulary(), encoder=given).close()
    with Library(path) as library:
        with pytest.raises(EncoderMismatch, match="open_library"):
            library.sql("SELECT embed('a')")
        assert library.sql("SELECT count(*) FROM cases").rows == ((6,),)
    with Library(path, given) as library:
        assert library.sql("SELECT len(embed('a')::FLOAT[])").rows[0][0] > 0


def test_a_query_without_them_asks_no_encoder(
    quick: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sequence[str]] = []

    def encode(texts: Sequence[str]) -> Any:
        asked.append(texts)
        raise AssertionError

    monkeypatch.setattr(quick.encoder, "encode_queries", encode)
    assert quick.sql("SELECT count(*) FROM vectors").rows
    assert asked == []


def test_one_text_is_embedded_once(quick: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []
    encode = quick.encoder.encode_queries

    def counted(texts: Sequence[str]) -> Any:
        asked.append(texts)
        return encode(texts)

    monkeypatch.setattr(quick.encoder, "encode_queries", counted)
    assert quick.sql(NEAREST, ["a text that nobody asked before"]).rows
    quick.sql("SELECT embed(t) FROM (SELECT 'the same text again' AS t FROM cases)")
    assert asked == [["a text that nobody asked before"], ["the same text again"]]


def test_the_command_knows_them_too(quick: Library, capsys: pytest.CaptureFixture[str]) -> None:
    query = "SELECT len(tag('NCCL watchdog timeout')) > 0 AS named, typeof(embed('a')) AS type"
    assert main(["sql", query, "--library", str(quick.path)]) == 0
    assert "True" in (out := capsys.readouterr().out)
    assert "FLOAT[" in out
