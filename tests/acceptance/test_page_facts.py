"""F1 to F15: the plain fields of a case page."""

from __future__ import annotations

import shutil

import pytest

import kg
from kg.graph import IncidentGraph
from kg.model import DateKind, FieldState
from kg.readers import shipped

PAGES = ("IL-0428", "IL-0417", "IL-0480")


def _state(quick, field):
    return {i for i in quick.cases if quick.get(i).field_state(field) is FieldState.STATED}


def test_f01_case_id(tmp_path, quick):
    files = [shipped("cases") / f"{i}.json" for i in PAGES]
    with kg.build_library([*files, *files], tmp_path / "twice.duckdb", encoder="hash") as lib:
        assert sorted(lib.cases) == sorted(PAGES)
        assert lib.list().total == 3
        once = IncidentGraph([lib.get(i) for i in PAGES], lib.vocabulary)
        assert lib.graph.edges == once.edges
    # A second file with an id that is taken is told, not counted.
    copy = shutil.copy(files[0], tmp_path / "copy.json")
    with pytest.raises(kg.InputError, match="IL-0428"):
        kg.build_library([*files, copy], tmp_path / "bad.duckdb", encoder="hash")


def test_f02_organisation(quick):
    (card,) = [c for c in quick.list().items if c.id == "IL-0480"]
    assert [quick.vocabulary.get(o).label.best() for o in card.organizations] == ["Samsung SDS"]


def test_f03_date_with_its_kind(quick):
    dates = {i: quick.get(i).when(DateKind.PUBLISHED).at for i in PAGES}
    assert dates == {"IL-0428": "2022-03-04", "IL-0417": "2025-05-12", "IL-0480": "2026-08-06"}
    for card in quick.list().items:
        assert card.date_kind == "published"
    study = quick.get("IL-0417")
    assert study.when(DateKind.STARTED).at == "2024-01-01"
    assert study.when(DateKind.ENDED).at == "2024-05-31"
    assert study.sort_date().isoformat() == "2025-05-12"
    stored = quick.sql("SELECT kind, stated FROM dates WHERE case_id = ?", ["IL-0417"]).rows
    assert set(stored) == {
        ("published", "2025-05-12"),
        ("started", "2024-01-01"),
        ("ended", "2024-05-31"),
    }


def test_f04_domain(quick):
    assert {quick.get(i).domain for i in PAGES} == {"ai-infra"}
    assert set(PAGES) <= set(quick.list(domain="ai-infra").ids)
    assert quick.list(domain="web").total == 0


def test_f05_title(quick):
    for case in quick.cases.values():
        for lang in ("en", "ko"):
            (line,) = case.title.paragraphs(lang)
            assert line
            assert "\n" not in line
            assert case.name(lang) == line
    titles = {c.id: c.title for c in quick.list(lang="ko").items}
    assert titles == {i: c.name("ko") for i, c in quick.cases.items()}


def test_f06_summary_paragraphs(quick):
    opening = {
        "IL-0428": ("Jean Zay", "hidden", "CUDA_LAUNCH_BLOCKING=1"),
        "IL-0417": ("NDTimeline", "42.5%", "SMon"),
        "IL-0480": ("FULL_SHARD", "watchdog", "evenfix"),
    }
    for case_id, words in opening.items():
        for lang in ("en", "ko"):
            paragraphs = quick.get(case_id).summary.paragraphs(lang)
            assert len(paragraphs) == 3
            for paragraph, word in zip(paragraphs, words, strict=True):
                assert word in paragraph


def test_f07_severity(quick):
    assert [quick.get(i).severity for i in PAGES] == [None] * 3
    assert quick.list(severity="low").total == 0
    assert quick.coverage()["severity"] == {"stated": 0, "none": 0, "not_stated": 8}
    listed = quick.coverage(before="2026-08-06", symptom="training-job-failure")
    assert listed["severity"]["not_stated"] == 5
    assert quick.coverage(since="2026-08-06")["time_to_detect"]["stated"] == 1


def test_f08_impact_scope(quick):
    # The shipped cases are in both languages, so each text carries the tag of its own.
    for case_id in PAGES:
        case = quick.get(case_id)
        assert case.impact.languages == case.summary.languages == ("en", "ko")
        english, korean = case.impact.text("en"), case.impact.text("ko")
        assert not [c for c in english if "가" <= c <= "힣"]
        assert [c for c in korean if "가" <= c <= "힣"]
        assert case.impact.text("ja") == ""


def test_f09_affected_users(quick):
    assert _state(quick, "affected_users") == {"IL-0417"}
    users = quick.get("IL-0417").affected_users.text("en")
    assert "Teams" in users
    assert "ByteDance's internal LLM training cluster" in users


def test_f10_region(quick):
    assert [quick.get(i).regions for i in PAGES] == [None] * 3
    assert quick.get("IL-0480").field_state("regions") is FieldState.NOT_STATED


def test_f11_time_to_detect(quick):
    stated = {i: c.time_to_detect for i, c in quick.cases.items() if c.time_to_detect}
    assert list(stated) == ["IL-0480"]
    assert (stated["IL-0480"].seconds, stated["IL-0480"].text) == (10800, "3h")
    detect, _ = quick.time_statistics()
    incidents = [c for c in quick.cases.values() if c.kind == "incident"]
    assert (detect.n, detect.incidents) == (1, len(incidents))
    assert detect.unknown_share == pytest.approx(1 - 1 / len(incidents))
    assert detect.median is None  # one value is no median


def test_f12_time_to_recover(quick):
    assert [quick.get(i).time_to_recover for i in PAGES] == [None] * 3
    _, recover = quick.time_statistics()
    assert recover.n == 0
    assert (recover.p25, recover.median, recover.p75) == (None, None, None)
    assert recover.unknown_share == 1


def test_f13_symptom_prose(quick):
    counts = {i: len(quick.get(i).symptom.paragraphs("ko")) for i in PAGES}
    assert counts == {"IL-0428": 6, "IL-0417": 5, "IL-0480": 5}
    rows = quick.sql(
        "SELECT case_id, lang, count(*) FROM passages JOIN vectors USING (passage_id) "
        "WHERE field = 'symptom' GROUP BY ALL"
    ).rows
    found = {(case_id, lang): n for case_id, lang, n in rows}
    assert set(found) == {(i, lang) for i in quick.cases for lang in ("en", "ko")}
    for case_id, count in counts.items():
        assert found[case_id, "en"] >= count  # no passage runs over a paragraph's end


def test_f14_symptom_chips(quick, vocabulary):
    def chips(case_id):
        exhibited = quick.list().items[list(quick.list().ids).index(case_id)]
        terms = exhibited.fields["symptom"].terms
        return {t for t in terms if vocabulary.get(t).type == "class"}

    expected = {"symptom:nccl-timeout", "symptom:training-job-failure"}
    assert chips("IL-0480") == expected
    split = vocabulary.split_run("NCCL 타임아웃학습 작업 실패", "symptom")
    assert [t.label.best("ko") for t in split] == ["NCCL 타임아웃", "학습 작업 실패"]
    assert {t.id for t in split} == expected


def test_f15_trigger(quick):
    case = quick.get("IL-0480")
    assert case.field_state("trigger") is FieldState.STATED
    assert "about 7 optimizer steps" in case.text("trigger", "en")
    assert "7 옵티마이저 스텝" in case.text("trigger", "ko")
    assert quick.graph.cases_of("trigger:early-data-exhaustion") == ["IL-0480"]
    study = quick.get("IL-0417")
    assert study.field_state("trigger") is FieldState.NOT_STATED
    assert not [c for c in study.claims if c.kind == "trigger"]
