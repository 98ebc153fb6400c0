"""Exports that are damaged, foreign or of another version are told with file and remedy."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from kg.errors import InputError, Problem
from kg.readers import find_export, read_cases, read_vocabulary, vocabulary_among
from kg.readers.exported import WHOLE, case_texts, exports_among, scheme_texts
from tests.helpers.exports import exported, nasty_snapshot

TABLES = ("parquet", "csv", "duckdb")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("exports")
    return {form: exported(nasty_snapshot(), folder / form, form) for form in WHOLE}


def problems_of(folder: Path) -> list[Problem]:
    return [item for _, item in read_cases([folder]) if isinstance(item, Problem)]


@pytest.mark.parametrize("form", WHOLE)
def test_cases_and_schemes_are_read_whole(made: dict[str, Path], form: str) -> None:
    snapshot = nasty_snapshot()
    assert tuple(case for _, case in read_cases([made[form]])) == snapshot.cases
    assert read_vocabulary(made[form]).terms == snapshot.vocabulary.terms


@pytest.mark.parametrize("form", WHOLE)
def test_each_case_is_told_with_file_and_row(made: dict[str, Path], form: str) -> None:
    export = find_export(made[form])
    assert export is not None
    found = list(case_texts(export))
    assert [row for _, row, _ in found] == list(range(1, len(found) + 1))
    assert {Path(file).parent for file, _, _ in found} == {made[form]}
    assert json.loads(found[0][2])["id"] == "A-1"
    assert len(list(scheme_texts(export))) == 8


def test_an_export_named_twice_is_one(made: dict[str, Path]) -> None:
    again = [made["csv"], str(made["csv"])]
    assert len(exports_among(again)) == 1
    assert len(list(read_cases(again))) == len(nasty_snapshot().cases)


def test_exports_with_one_vocabulary_agree(made: dict[str, Path]) -> None:
    found = vocabulary_among([made["parquet"], made["duckdb"], made["jsonl"]])
    assert found is not None
    assert found.terms == nasty_snapshot().vocabulary.terms
    assert vocabulary_among(["nowhere", 3]) is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "nonsense", '{"incident_kg_export": 1}', "[" * 100_000, "\xff"]
)
def test_another_manifest_makes_no_export(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="latin-1")
    assert find_export(tmp_path) is None
    assert problems_of(tmp_path)  # read as a case file, and it is none


def test_what_is_no_folder_is_no_export(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("x")
    for path in (tmp_path / "x", tmp_path / "gone", "nul\0l"):
        assert find_export(path) is None


def rewritten(folder: Path, form: str, tmp_path: Path) -> Path:
    """A copy of an export, to be damaged."""
    copy = tmp_path / form
    copy.mkdir()
    for file in folder.rglob("*"):
        if file.is_file():
            place = copy / file.relative_to(folder)
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(file.read_bytes())
    return copy


FILE_OF = {
    "parquet": "cases.parquet",
    "csv": "cases.csv",
    "duckdb": "incidents.duckdb",
    "jsonl": "cases.jsonl",
}


@pytest.mark.parametrize("form", WHOLE)
def test_a_missing_file_is_told(made: dict[str, Path], tmp_path: Path, form: str) -> None:
    copy = rewritten(made[form], form, tmp_path)
    (copy / FILE_OF[form]).unlink()
    (problem,) = problems_of(copy)
    assert problem.file == str(copy / FILE_OF[form])
    assert "cannot be read" in problem.message
    assert problem.remedy == "Export it again"


@pytest.mark.parametrize("form", TABLES)
def test_a_file_of_noise_is_told(made: dict[str, Path], tmp_path: Path, form: str) -> None:
    copy = rewritten(made[form], form, tmp_path)
    (copy / FILE_OF[form]).write_bytes(b"\x00\x01noise\xff" * 50)
    (problem,) = problems_of(copy)
    assert problem.file == str(copy / FILE_OF[form])
    assert "cannot be read" in problem.message


def test_a_bad_record_is_told_with_its_row(made: dict[str, Path], tmp_path: Path) -> None:
    copy = rewritten(made["csv"], "csv", tmp_path)
    file = copy / "cases.csv"
    rows = duckdb.sql(f"FROM read_csv('{file}', header = true, all_varchar = true)")
    changed = rows.project("* REPLACE (replace(record, 'incident', 'outage') AS record)")
    changed.to_csv(str(copy / "new.csv"))
    (copy / "new.csv").replace(file)
    problems = problems_of(copy)
    assert {(p.file, p.line) for p in problems} >= {(str(file), 1)}
    assert any("incident" in p.message and p.case_id == "A-1" for p in problems)


def test_a_column_that_is_gone_is_told(made: dict[str, Path], tmp_path: Path) -> None:
    copy = rewritten(made["parquet"], "parquet", tmp_path)
    file = copy / "cases.parquet"
    duckdb.sql("SELECT 'A-1' AS case_id").write_parquet(str(file))
    (problem,) = problems_of(copy)
    assert "record" in problem.message


@pytest.mark.parametrize("cell", ["NULL", "42"])
def test_a_record_that_is_no_text_is_told(made: dict[str, Path], tmp_path: Path, cell: str) -> None:
    copy = rewritten(made["parquet"], "parquet", tmp_path)
    query = f"SELECT 'A-1' AS case_id, {cell} AS record"
    duckdb.sql(query).write_parquet(str(copy / "cases.parquet"))
    (problem,) = problems_of(copy)
    assert "must hold text" in problem.message


def test_terms_that_are_no_json_are_told(made: dict[str, Path], tmp_path: Path) -> None:
    copy = rewritten(made["parquet"], "parquet", tmp_path)
    query = "SELECT 'cause' AS scheme, 'cause:x' AS term_id, '{oops' AS record"
    duckdb.sql(query).write_parquet(str(copy / "terms.parquet"))
    with pytest.raises(InputError, match="a record is not JSON"):
        read_vocabulary(copy)


def test_a_later_version_is_told(made: dict[str, Path], tmp_path: Path) -> None:
    copy = rewritten(made["csv"], "csv", tmp_path)
    manifest = copy / "manifest.json"
    later = {**json.loads(manifest.read_text("utf-8")), "incident_kg_export": 2}
    manifest.write_text(json.dumps(later), encoding="utf-8")
    (problem,) = problems_of(copy)
    assert "an export of form 2, this program reads 1" in problem.message
    with pytest.raises(InputError, match="of form 2"):
        read_vocabulary(copy)


def test_a_view_in_the_place_of_a_table_reads_no_other_file(
    made: dict[str, Path], tmp_path: Path
) -> None:
    copy = rewritten(made["duckdb"], "duckdb", tmp_path)
    secret = tmp_path / "secret.txt"
    secret.write_text("password")
    (copy / "incidents.duckdb").unlink()
    with duckdb.connect(str(copy / "incidents.duckdb")) as theirs:
        theirs.execute(
            "CREATE VIEW cases AS SELECT 'A-1' AS case_id, content AS record "
            f"FROM read_text('{secret}')"
        )
    (problem,) = problems_of(copy)
    assert "cannot be read" in problem.message
    assert "password" not in problem.message


@pytest.mark.parametrize("form", TABLES)
def test_a_quote_in_the_name_of_a_folder_is_no_sql(
    made: dict[str, Path], tmp_path: Path, form: str
) -> None:
    place = tmp_path / "it's; a -- folder"
    place.mkdir()
    copy = rewritten(made[form], form, place)
    assert problems_of(copy) == []


@pytest.fixture(params=["parquet", "jsonl"])
def part(request: pytest.FixtureRequest, made: dict[str, Path]) -> Path:
    return made[request.param]


def test_links_to_an_export_are_followed(part: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(part)
    assert problems_of(link) == []
    assert len(list(read_cases([link]))) == len(nasty_snapshot().cases)
