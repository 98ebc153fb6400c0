"""Building, opening and closing libraries; encoders that fit and those that do not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import kg
from embeddings import EncoderMismatch, HashEncoder
from kg.errors import BadQuery, CaseNotFound, InputError, LibraryError
from kg.library import Library
from kg.library.background import QUESTIONS, measure_background
from kg.library.passages import EMBEDDED_FIELDS, passages_of
from kg.library.progress import no_progress, print_progress
from kg.readers import dump_case, dump_scheme, shipped
from tests.helpers.tiny import case_data, make_case, tiny_cases, tiny_vocabulary, write_json

VOCABULARY = tiny_vocabulary()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Library:
    path = tmp_path_factory.mktemp("tiny") / "tiny.duckdb"
    return kg.build_library(tiny_cases(), path, vocabulary=VOCABULARY, encoder="hash")


def test_cases_come_from_records_files_and_folders_alike(tmp_path: Path) -> None:
    one, two, three = tiny_cases()[:3]
    folder = tmp_path / "cases"
    folder.mkdir()
    (folder / "one.json").write_text(dump_case(one), encoding="utf-8")
    file = tmp_path / "two.json"
    file.write_text(dump_case(two), encoding="utf-8")
    words = tmp_path / "words"
    words.mkdir()
    for name, scheme in VOCABULARY.schemes.items():
        (words / f"{name}.json").write_text(dump_scheme(scheme), encoding="utf-8")
    with kg.build_library(
        [str(folder), file, three], tmp_path / "x.duckdb", vocabulary=words, encoder="hash"
    ) as it:
        assert list(it.cases.values()) == [one, two, three]
        assert len(it) == 3
        assert "A-1" in it
        assert "X-1" not in it
        assert it.vocabulary.terms == VOCABULARY.terms


def test_bad_cases_build_nothing_unless_told_to_keep_going(tmp_path: Path) -> None:
    good, bad = make_case("X-1"), make_case("X-2", ("cause", "cause:rase"))
    path = tmp_path / "x.duckdb"
    with pytest.raises(InputError) as caught:
        kg.build_library([good, bad], path, vocabulary=VOCABULARY, encoder="hash")
    assert [p.case_id for p in caught.value.problems] == ["X-2"]
    assert not path.exists()
    with kg.build_library(
        [good, bad], path, vocabulary=VOCABULARY, encoder="hash", keep_going=True
    ) as it:
        assert list(it.cases) == ["X-1"]
        assert it.problems == caught.value.problems


def test_keep_going_needs_one_good_case(tmp_path: Path) -> None:
    bad = make_case("X-2", ("cause", "cause:rase"))
    with pytest.raises(InputError):
        kg.build_library(
            [bad], tmp_path / "x.duckdb", vocabulary=VOCABULARY, encoder="hash", keep_going=True
        )


def test_no_cases_at_all_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no cases were given"):
        kg.build_library([], tmp_path / "x.duckdb", encoder="hash")


def test_problems_of_files_of_a_batch_come_together(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", case_data("X-1", ("cause", "cause:rase")))
    (tmp_path / "b.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        kg.build_library([tmp_path], tmp_path / "x.duckdb", vocabulary=VOCABULARY, encoder="hash")
    assert [Path(p.file).name for p in caught.value.problems] == ["a.json", "b.json"]


def test_a_target_that_cannot_be_written_is_told_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="does not exist"):
        kg.build_library("no/such/cases", tmp_path / "gone" / "x.duckdb", encoder="hash")


def test_progress_goes_through_its_stages(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    kg.build_library(
        tiny_cases(), tmp_path / "x.duckdb", vocabulary=VOCABULARY, encoder="hash",
        progress=lambda stage, done, total: told.append((stage, done, total)),
    ).close()  # fmt: skip
    assert list(dict.fromkeys(s for s, _, _ in told)) == [
        "reading cases", "embedding passages", "linking", "writing",
    ]  # fmt: skip
    for stage in {s for s, _, _ in told}:
        steps = [(done, total) for s, done, total in told if s == stage]
        assert steps[-1][0] == steps[-1][1]
        assert steps == sorted(steps)


def test_progress_is_one_line_a_stage_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    for done in (0, 1, 2):
        print_progress("writing", done, 2)
        no_progress("writing", done, 2)
    print_progress("nothing", 0, 0)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "writing: 2 done\n")


def test_a_closed_library_answers_no_sql_but_can_be_closed_again(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    with kg.build_library(tiny_cases(), path, vocabulary=VOCABULARY, encoder="hash") as it:
        assert it.sql("SELECT 1").rows == ((1,),)
    with pytest.raises(BadQuery):
        it.sql("SELECT 1")
    it.close()
    with kg.open_library(path) as again:
        assert len(again) == 6


def test_a_context_manager_closes_after_an_error(tmp_path: Path) -> None:
    library = kg.build_library(
        tiny_cases(), tmp_path / "x.duckdb", vocabulary=VOCABULARY, encoder="hash"
    )
    with pytest.raises(CaseNotFound), library:
        library.get("nothing")
    with pytest.raises(BadQuery):
        library.sql("SELECT 1")


def test_a_library_knows_its_encoder_by_name(tiny: Library) -> None:
    with kg.open_library(tiny.path) as it:
        assert it.encoder.fingerprint == HashEncoder().fingerprint
        assert it.search("NCCL timeout", threshold=0.0) == tiny.search(
            "NCCL timeout", threshold=0.0
        )


def test_another_encoder_is_refused_and_not_mixed(tiny: Library) -> None:
    with kg.open_library(tiny.path, encoder=HashEncoder(8)) as it:
        with pytest.raises(EncoderMismatch) as caught:
            it.search("NCCL timeout")
        assert caught.value.expected == HashEncoder().fingerprint
        assert caught.value.found == HashEncoder(8).fingerprint
        assert it.similar("A-1", k=1).ids == ("A-2",), "what needs no new vectors still works"
        assert it.list().total == 6


def test_an_encoder_object_builds_and_must_be_given_again(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    encoder = HashEncoder(8)
    with kg.build_library(tiny_cases(), path, vocabulary=VOCABULARY, encoder=encoder) as it:
        first = it.search("NCCL timeout", threshold=0.0)
        assert len(first) == 5
    with kg.open_library(path) as it, pytest.raises(EncoderMismatch, match="encoder object"):
        it.search("NCCL timeout")
    with kg.open_library(path, encoder=encoder) as it:
        assert it.search("NCCL timeout", threshold=0.0) == first


def test_the_shipped_library_is_built_once_per_encoder_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INCIDENT_KG_CACHE", str(tmp_path / "cache"))
    few = tmp_path / "cases"
    few.mkdir()
    for name in ("IL-0023", "IL-0480"):
        shutil.copy(shipped("cases") / f"{name}.json", few)
    monkeypatch.setattr("kg.library.shipped", lambda name: few if name == "cases" else None)
    with kg.open_library(encoder="hash") as first:
        written = first.path.stat().st_mtime_ns
        assert first.path.parent == tmp_path / "cache"
    with kg.open_library(encoder="hash") as again:
        assert again.path == first.path
        assert again.path.stat().st_mtime_ns == written
    with (
        kg.open_library(encoder=HashEncoder(8)) as small,
        kg.open_library(encoder=HashEncoder(16)) as large,
    ):
        assert len({small.path, large.path, first.path}) == 3
        assert large.search("NCCL timeout", threshold=0.0).ids
    assert os.environ["INCIDENT_KG_CACHE"] == str(tmp_path / "cache")


def test_passages_are_pieces_of_the_texts_in_a_fixed_order() -> None:
    cases = [
        make_case("X-1", ("symptom", "symptom:slow"), check={"en": "Look at X."}),
        make_case("X-2"),
    ]
    found = list(passages_of(cases))
    assert {p.field for p in found} <= set(EMBEDDED_FIELDS)
    assert [(p.case_id, EMBEDDED_FIELDS.index(p.field), p.lang, p.start) for p in found] == sorted(
        (p.case_id, EMBEDDED_FIELDS.index(p.field), p.lang, p.start) for p in found
    )
    by_id = {c.id: c for c in cases}
    for p in found:
        assert by_id[p.case_id].text(p.field, p.lang)[p.start : p.end] == p.text


def test_the_background_is_what_unrelated_questions_reach() -> None:
    encoder = HashEncoder(8)
    passages = encoder.encode_passages(["NCCL timeout", "power dropped", "링크 다운"])
    best = [max(float(np.dot(q, p)) for p in passages) for q in encoder.encode_queries(QUESTIONS)]
    mean, deviation = measure_background(encoder, passages)
    assert mean == pytest.approx(sum(best) / len(best), abs=1e-5)
    spread = (sum((b - mean) ** 2 for b in best) / len(best)) ** 0.5
    assert deviation == pytest.approx(max(spread, 1e-3), abs=1e-5)
    assert measure_background(encoder, passages[:0]) == (0.0, 1.0)
    korean = [q for q in QUESTIONS if any("가" <= c <= "힣" for c in q)]
    assert len(korean) * 2 == len(QUESTIONS) == len(set(QUESTIONS))


def test_ids_are_checked_wherever_they_are_given(tiny: Library) -> None:
    for ask in (tiny.groups, tiny.top_components, tiny.result_graph, tiny.shared_causes):
        with pytest.raises(CaseNotFound):
            ask(["A-1", "nothing"])
        with pytest.raises(BadQuery, match="list of ids"):
            ask("A-1")
    with pytest.raises(BadQuery, match="ids of the cases"):
        tiny.shared_causes([])
    with pytest.raises(BadQuery, match="one case; give two"):
        tiny.explain("A-1", "A-1")


def test_the_library_passes_questions_on(tiny: Library) -> None:
    assert tiny.list(cause="mismatch").ids == ("A-2", "A-1")
    assert tiny.list(wanted=tiny.filter(kind="study")).ids == ("S-1",)
    assert tiny.list(limit=1, offset=1, sort="id").ids == ("A-2",)
    assert [g.cause for g in tiny.groups()] == ["cause:hardware", "cause:software"]
    assert [g.count for g in tiny.groups(["A-1"])] == [1]
    assert tiny.top_components(count=1) == (("component:nccl", 2),)
    assert list(tiny.check_components("A-2")) == ["component:nccl", "component:pytorch"]
    assert [c.cause for c in tiny.shared_causes(["A-1", "A-2"])] == ["cause:mismatch"]
    assert tiny.topic("NCCL").entry.id == "component:nccl"
    assert [e.id for e in tiny.vocab("trigger")] == ["trigger:upgrade", "trigger:node-loss"]
    assert len(tiny.vocab()) == len(VOCABULARY)
    assert tiny.time_statistics(kind="study")[0].incidents == 0
    assert tiny.time_statistics()[0].incidents == 5
    assert set(tiny.result_graph(["A-1"]).nodes) == {
        "case",
        "cause",
        "component",
        "symptom",
        "factor",
    }
    assert tiny.coverage(kind="study")["lesson"]["not_stated"] == 1


def test_suggestions_are_terms_of_the_text_that_are_not_denied(tiny: Library) -> None:
    found = [e.id for e in tiny.suggest("NCCL timeout, NCCL; no ECC error")]
    assert found == ["symptom:nccl-timeout", "component:nccl"]
