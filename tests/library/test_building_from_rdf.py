"""A library built from RDF files is the library that wrote them, with its own vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from kg.errors import BadQuery, InputError
from kg.library import Library
from kg.readers import read_vocabulary
from tests.helpers.tiny import make_case, term, tiny_cases, tiny_vocabulary


def build(tmp_path: Path, *inputs: object, name: str = "made.kg", **more: object) -> Library:
    return kg.build_library(inputs, tmp_path / name, encoder="hash", **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = tmp_path_factory.mktemp("tiny") / "tiny.kg"
    with kg.build_library(tiny_cases(), path, vocabulary=tiny_vocabulary(), encoder="hash") as it:
        yield it


def tables(lib: Library) -> dict[str, str]:
    names = [t for (t,) in lib.sql("SELECT table_name FROM duckdb_tables()").rows]
    return {t: str(lib.sql(f"SELECT * FROM {t} ORDER BY ALL")) for t in names}


@pytest.mark.parametrize("ending", ["ttl", "nt", "jsonld", "trig"])
def test_every_table_comes_back(tiny: Library, ending: str, tmp_path: Path) -> None:
    file = tiny.write_rdf(tmp_path / f"it.{ending}", base="https://ops.example.com/kg")
    assert "ops.example.com" in file.read_text(encoding="utf-8")
    with build(tmp_path, file) as again:
        found, wanted = tables(again), tables(tiny)
        assert len(wanted) > 10
        assert found == wanted


def test_a_file_named_twice_is_one(tiny: Library, tmp_path: Path) -> None:
    file = tiny.write_rdf(tmp_path / "it.ttl")
    (tmp_path / "link.ttl").symlink_to(file)
    with build(tmp_path, file, str(file), tmp_path / "link.ttl") as again:
        assert list(again.cases) == list(tiny.cases)


def test_files_go_together_and_with_ready_cases(tiny: Library, tmp_path: Path) -> None:
    first, *others = tiny.cases
    one = tiny.write_rdf(tmp_path / "one.ttl", case_ids=[first])
    two = tiny.write_rdf(tmp_path / "two.trig", case_ids=others)
    new = make_case("N-1", ("cause", "cause:race"))
    with build(tmp_path, two, new, one) as again:
        assert dict(again.cases) == {**tiny.cases, "N-1": new}


def test_the_same_case_in_two_files_is_told(tiny: Library, tmp_path: Path) -> None:
    files = [tiny.write_rdf(tmp_path / n, case_ids=["A-1"]) for n in ("a.ttl", "b.nt")]
    with pytest.raises(InputError, match="also used in") as told:
        build(tmp_path, *files)
    assert [p.case_id for p in told.value.problems] == ["A-1"]


def test_a_changed_vocabulary_goes_with_its_file(tiny: Library, tmp_path: Path) -> None:
    file = tiny.write_rdf(tmp_path / "it.ttl")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"restart"@en', '"turn it off and on"@en'), encoding="utf-8")
    with build(tmp_path, file) as again:
        assert again.vocabulary.get("mitigation:restart").label.get("en") == "turn it off and on"
    other = tiny.write_rdf(tmp_path / "other.ttl", case_ids=["A-1"])
    with pytest.raises(BadQuery, match=r"different vocabularies.*--vocabulary"):
        build(tmp_path, file, other)
    kept = list(tiny.cases)[1:]
    rest = tiny.write_rdf(tmp_path / "rest.nt", case_ids=kept)
    with build(tmp_path, rest, name="rest.kg", vocabulary=file) as chosen:
        assert chosen.vocabulary.get("mitigation:restart").label.get("en") == "turn it off and on"


def test_cases_without_schemes_take_the_given_vocabulary(tiny: Library, tmp_path: Path) -> None:
    file = tiny.write_rdf(tmp_path / "it.nt", case_ids=["A-1"])
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    mine = tmp_path / "cases.nt"
    mine.write_text(
        "".join(li for li in lines if "/case/A-1" in li.split(">")[0]), encoding="utf-8"
    )
    with build(tmp_path, mine, vocabulary=tiny_vocabulary()) as again:
        assert again.get("A-1") == tiny.get("A-1")
    with pytest.raises(InputError, match="unknown term"):  # those of the shipped one are others
        build(tmp_path, mine, name="other.kg")
    with pytest.raises(InputError, match="holds no scheme"):
        read_vocabulary(mine)


def test_problems_are_told_as_for_case_files(tiny: Library, tmp_path: Path) -> None:
    good = tiny.write_rdf(tmp_path / "good.ttl", case_ids=["A-2"])
    bad = tiny.write_rdf(tmp_path / "bad.ttl", case_ids=["A-1"])
    text = bad.read_text(encoding="utf-8")
    bad.write_text(text.replace("kg:status-confirmed", "kg:status-likely", 1), encoding="utf-8")
    with pytest.raises(InputError) as told:
        build(tmp_path, good, bad)
    (problem,) = told.value.problems
    assert (problem.file, problem.case_id) == (str(bad), "A-1")
    assert problem.field.endswith("status")
    with build(tmp_path, good, bad, keep_going=True) as rest:
        assert list(rest.cases) == ["A-2"]
        assert len(rest.problems) == 1


def test_a_scheme_that_is_wrong_builds_nothing(tiny: Library, tmp_path: Path) -> None:
    """Even with keep_going: what cases mean cannot be told without their words."""
    file = tiny.write_rdf(tmp_path / "it.ttl", case_ids=["A-1"])
    text = file.read_text(encoding="utf-8")
    assert "    skos:broader cause:" in text
    file.write_text(
        text.replace("    skos:broader cause:", "    skos:broader cause:no-", 1), encoding="utf-8"
    )
    for keep_going in (False, True):
        with pytest.raises(InputError) as told:
            build(tmp_path, file, keep_going=keep_going)
        assert all(p.file == str(file) for p in told.value.problems)
        assert any("cause:no-" in p.message for p in told.value.problems)
    assert not (tmp_path / "made.kg").exists()


def test_an_unknown_term_is_told_with_what_is_near(tmp_path: Path) -> None:
    vocabulary = tiny_vocabulary(term("cause:flood", "flood", "홍수"))
    case = make_case("N-1", ("cause", "cause:flood"))
    with build(tmp_path, case, vocabulary=vocabulary) as lib:
        file = lib.write_rdf(tmp_path / "it.ttl")
    with pytest.raises(InputError, match="unknown term 'cause:flood'"):
        build(tmp_path, file, name="other.kg", vocabulary=tiny_vocabulary())
