"""Every table of the library file, judged row by row by plain Python over the cases."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given

from kg.graph import IncidentGraph
from kg.library import Library
from kg.model import Case
from kg.model.bounds import bounds_of
from kg.model.days import days_of, moment_of
from kg.store import write_library
from kg.vocab import Vocabulary
from tests.helpers.libraries import TABLES, all_tables, make_snapshot, rows
from tests.helpers.strategies import FEW, worlds
from tests.helpers.tiny import make_case, tiny_cases, tiny_vocabulary


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    return write_library(make_snapshot(tiny_cases(), tiny_vocabulary()), folder / "tiny.duckdb")


def check_tables(path: Path, cases: list[Case], vocabulary: Vocabulary) -> None:
    tables = all_tables(path)
    ordered = sorted(cases, key=lambda c: c.id)
    claims = [(c, i, claim) for c in ordered for i, claim in c.claim_ids()]
    terms = list(vocabulary.terms.values())

    def lang(text: Any, tag: str) -> str | None:
        return text.get(tag) if text else None

    assert [r[:7] for r in tables["cases"]] == [
        (c.id, c.kind.value, c.domain, c.name(), c.title.text("ko") or None,
         c.sort_date() if c.dates else None, c.severity)
        for c in ordered
    ]  # fmt: skip
    assert [(r[7], r[8]) for r in tables["cases"]] == [
        tuple(d.seconds if d else None for d in (c.time_to_detect, c.time_to_recover))
        for c in ordered
    ]
    assert [(r[9], r[10]) for r in tables["cases"]] == [
        (c.origin and (c.origin.system or c.origin.format), c.origin and c.origin.identifier)
        for c in ordered
    ]
    assert [Case.model_validate_json(r[12]) for r in tables["cases"]] == ordered
    assert tables["texts"] == [(c.id, *t) for c in ordered for t in c.texts()]
    assert tables["dates"] == [
        (c.id, n, d.kind.value, d.at, d.earliest(), d.precision.value, d.approx, *days_of(d),
         moment_of(d).replace(tzinfo=None) if moment_of(d).tzinfo and not d.approx else None)
        for c in ordered for n, d in enumerate(c.dates)
    ]  # fmt: skip
    stated = [
        (c.id, measure, getattr(c, measure))
        for c in ordered for measure in ("time_to_detect", "time_to_recover")
    ]  # fmt: skip
    bounds = [(i, m, d, bounds_of(d)) for i, m, d in stated if d]
    assert tables["durations"] == [
        (i, m, d.text, d.seconds, b.least, None if b.most == math.inf else b.most, d.approx)
        for i, m, d, b in bounds
    ]
    assert [r[:3] + r[4:] for r in tables["claims"]] == [
        (i, c.id, k.kind.value, k.status.value, k.role and k.role.value, lang(k.statement, "en"),
         lang(k.statement, "ko"), k.value, k.result and k.result.value,
         k.made and k.made.by.value, k.made and k.made.confidence, k.made and k.made.reviewed)
        for c, i, k in claims
    ]  # fmt: skip
    assert tables["claim_terms"] == [(i, t) for _, i, k in claims for t in k.terms]
    assert tables["evidence"] == [
        (i, n, s.field, s.lang, c.locate(s)[0], c.locate(s)[1], s.quote)
        for c, i, k in claims for n, s in enumerate(k.evidence)
    ]  # fmt: skip
    assert tables["figures"] == [
        (c.id, f.id, f.label.get("en"), f.label.get("ko"), f.value, f.min, f.max, f.unit, f.approx)
        for c in ordered for f in c.figures
    ]  # fmt: skip
    assert tables["sources"] == [
        (c.id, n, which, s.kind.value, s.title, s.locator, s.archived)
        for c in ordered
        for which, found in (("source", c.sources), ("reference", c.references))
        for n, s in enumerate(found or ())
    ]  # fmt: skip
    assert [r[0] for r in tables["schemes"]] == sorted(vocabulary.schemes)
    assert [(r[0], r[1], r[2], r[7]) for r in tables["terms"]] == [
        (t.id, t.scheme, t.type, t.unnamed) for t in terms
    ]
    assert [(r[0], r[2], r[3], r[4]) for r in tables["labels"]] == [
        (t.id, tag, name, name == t.label.get(tag) and n < len(t.label.languages))
        for t in terms for n, (tag, name) in enumerate(t.spellings())
    ]  # fmt: skip
    assert tables["mappings"] == [(t.id, *match) for t in terms for match in t.matches()]
    assert set(tables["links"]) == {
        (u, d["relation"], v, d["case_id"], d["status"], d["derived"])
        for u, v, d in IncidentGraph(cases, vocabulary).nx.edges(data=True)
        if not d["claim_id"] and d["relation"] != "CITES"
    }
    counts = dict(tables["builds"])
    assert (counts["cases"], counts["terms"]) == (str(len(ordered)), str(len(terms)))


def test_the_tiny_library(tiny: Path) -> None:
    check_tables(tiny, tiny_cases(), tiny_vocabulary())


def test_the_shipped_library(quick: Library) -> None:
    check_tables(quick.path, list(quick.cases.values()), quick.vocabulary)


@FEW
@given(worlds())
def test_random_libraries(
    tmp_path_factory: pytest.TempPathFactory, world: tuple[Vocabulary, list[Case]]
) -> None:
    path = tmp_path_factory.mktemp("random") / "x.duckdb"
    write_library(make_snapshot(world[1], world[0]), path)
    check_tables(path, world[1], world[0])


def test_the_tables_are_those_that_are_listed_and_each_is_described(tiny: Path) -> None:
    found = rows(tiny, "SELECT table_name, comment FROM duckdb_tables() ORDER BY table_name")
    assert sorted(TABLES) == [name for name, _ in found]
    assert all(comment for _, comment in found)


def test_plain_duckdb_joins_cases_claims_and_terms(tiny: Path) -> None:
    query = """
        SELECT k.case_id, t.label_en, c.status, c.role
        FROM cases AS k JOIN claims AS c USING (case_id)
        JOIN claim_terms AS ct USING (claim_id) JOIN terms AS t USING (term_id)
        WHERE c.kind = 'cause' ORDER BY ALL
    """
    judge = sorted(
        (c.id, tiny_vocabulary().terms[t].label.best(), k.status.value, k.role.value)
        for c in tiny_cases() for k in c.claims if k.kind == "cause" and k.role for t in k.terms
    )  # fmt: skip
    assert rows(tiny, query) == judge


def test_the_view_of_edges_is_claims_by_term(quick: Library) -> None:
    judge = sorted(
        (e.case_id, str(e.relation), e.target, str(e.status), e.role and str(e.role), e.value,
         e.claim_id)
        for e in quick.graph.edges if e.claim_id
    )  # fmt: skip
    found = rows(quick.path, "SELECT * FROM edges")
    assert sorted(
        found, key=lambda r: (r[0], r[1], r[2], r[3], str(r[4]), str(r[5]), r[6])
    ) == sorted(judge, key=lambda r: (r[0], r[1], r[2], r[3], str(r[4]), str(r[5]), r[6]))


def test_the_view_of_causes_lists_every_status(tiny: Path) -> None:
    vocabulary = tiny_vocabulary()
    judge = {
        (c.id, c.name(), t, *(vocabulary.terms[t].label.get(lang) for lang in ("en", "ko")),
         k.status.value, k.role and k.role.value)
        for c in tiny_cases() for k in c.claims if k.kind == "cause" for t in k.terms
    }  # fmt: skip
    found = rows(tiny, "SELECT * FROM case_causes")
    assert set(found) == judge
    assert len(found) == len(judge)
    assert {r[5] for r in found} == {"confirmed", "suspected", "ruled_out"}


def test_evidence_can_be_checked_in_sql_alone(quick: Library) -> None:
    wrong = rows(
        quick.path,
        """
        SELECT count(*) FILTER (substr(t.text, start_char + 1, end_char - start_char) <> e.quote),
               count(*)
        FROM evidence AS e JOIN claims AS c USING (claim_id)
        JOIN texts AS t ON t.case_id = c.case_id AND t.field = e.field AND t.lang = e.lang
        """,
    )
    total = sum(len(k.evidence) for c in quick.cases.values() for k in c.claims)
    assert wrong == [(0, total)]


def test_what_is_not_stated_is_null_and_dates_are_dates(tiny: Path) -> None:
    found = dict(rows(tiny, "SELECT case_id, sort_date FROM cases"))
    assert found["A-1"] == date(2024, 3, 1)
    assert found["A-2"] == date(2024, 5, 1)
    assert found["B-2"] is None
    assert rows(tiny, "SELECT severity, time_to_detect_s FROM cases WHERE case_id = 'B-1'") == [
        (None, None)
    ]


def test_vectors_stand_beside_their_passages(tiny: Path) -> None:
    snapshot = make_snapshot(tiny_cases(), tiny_vocabulary())
    found = rows(
        tiny,
        "SELECT p.text, v.vector FROM passages AS p JOIN vectors AS v USING (passage_id) "
        "ORDER BY passage_id",
    )
    assert [text for text, _ in found] == [p.text for p in snapshot.passages]
    assert np.array_equal(np.array([v for _, v in found], dtype=np.float32), snapshot.vectors)


@pytest.mark.parametrize(
    "text",
    [
        "'; DROP TABLE cases; --", '"); DELETE FROM cases; --', "<script>alert(1)</script>",
        "${jndi:ldap://x}", "{{7*7}}", "%s %(x)s {0}", "\\'; SELECT 1", "a\u0001b", "NULL",
        "🙂 ﷽", "\u202etxt",
    ],
)  # fmt: skip
def test_text_stays_data(tmp_path: Path, text: str) -> None:
    case = make_case("X-1", ("cause", "cause:race"), title={"en": text}, severity=text)
    path = write_library(make_snapshot([case], tiny_vocabulary()), tmp_path / "x.duckdb")
    assert rows(path, "SELECT title, severity FROM cases") == [(text, text)]
    assert rows(path, "SELECT count(*) FROM cases WHERE title = ?", [text]) == [(1,)]
    check_tables(path, [case], tiny_vocabulary())


def test_the_file_name_may_hold_a_quote(tmp_path: Path) -> None:
    path = tmp_path / 'it\'s; a "library".duckdb'
    write_library(make_snapshot(tiny_cases(), tiny_vocabulary()), path)
    with Library(path) as library:
        assert len(library) == 6


def test_a_case_without_passages_or_claims_is_kept(tmp_path: Path) -> None:
    path = write_library(make_snapshot([], tiny_vocabulary()), tmp_path / "none.duckdb")
    tables = all_tables(path)
    assert tables["cases"] == tables["vectors"] == []
    assert duckdb.connect(str(path), read_only=True).execute(
        "SELECT count(*) FROM terms"
    ).fetchone() == (28,)
