"""Names of services and labels that no term has: proposed, and made spellings by a person."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.errors import BadQuery, TermNotFound
from kg.intake.names import unknown_names, with_term
from kg.library.intake import add_documents
from kg.library.merging import merge_cases, undo_merge
from kg.library.naming import accept_name
from kg.model import Case, ClaimKind, MadeBy, Role, Status
from kg.vocab import Tag
from tests.helpers.evolving import described
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import make_case, tiny_vocabulary

WORDS = tiny_vocabulary()


def case(case_id: str, **fields: Any) -> Case:
    return make_case(case_id, **fields)


def candidates(name: str, field: str = "services") -> list[str]:
    (found,) = unknown_names([case("A", **{field: [name]})], WORDS)
    return [c.term for c in found.candidates]


def test_names_are_counted_however_they_are_written_and_most_cases_come_first() -> None:
    cases = [
        case("A", services=["auth-gateway", "NCCL"]),
        case("B", services=["Auth Gateway"]),
        case("C", services=["auth gateway", "zebra"], labels=["H100", "Auth-Gateway"]),
    ]
    found = unknown_names(cases, WORDS)
    assert [(n.field, n.cases) for n in found] == [
        ("services", ("A", "B", "C")),
        ("labels", ("C",)),
        ("services", ("C",)),
    ]
    assert found == unknown_names(cases[::-1], WORDS)


@pytest.mark.parametrize("name", ["NCCL", "nccl", "파이토치", "data-loader", "Data Loader"])
def test_what_names_a_term_is_no_unknown_name(name: str) -> None:
    assert unknown_names([case("A", services=[name])], WORDS) == []


def test_a_label_may_name_a_term_of_any_scheme_and_a_service_only_a_component() -> None:
    told = case("A", labels=["race condition"], services=["race condition"])
    assert [n.field for n in unknown_names([told], WORDS)] == ["services"]


@pytest.mark.parametrize(
    ("name", "term"),
    [
        ("PyTorhc", "component:pytorch"),
        ("py-torch", "component:pytorch"),
        ("pytorch trainer", "component:pytorch"),
        ("dataloader", "component:loader"),
        ("A100s", "component:a100"),
    ],
)
def test_near_spellings_are_proposed(name: str, term: str) -> None:
    assert candidates(name)[0] == term


@pytest.mark.parametrize("name", ["A1000", "A800", "B100", "H200", "log", "zebra"])
def test_what_is_another_thing_is_not(name: str) -> None:
    assert candidates(name) == []


def test_terms_that_mean_the_same_are_proposed_behind() -> None:
    def meant(text: str) -> list[Tag]:
        assert text == "collective library"
        return [
            Tag(0, 10, "component:nccl", text, confidence=0.7, how="meaning"),
            Tag(0, 10, "cause:race", text, confidence=0.9, how="meaning"),
            Tag(0, 10, "component:gpu", text, confidence=0.1, how="meaning"),
            Tag(0, 10, "component:h100", text, confidence=0.9, how="meaning", negated=True),
        ]

    (found,) = unknown_names([case("A", services=["collective library"])], WORDS, meant)
    assert [(c.term, c.by, c.likeness) for c in found.candidates] == [
        ("component:nccl", "meaning", 0.7)
    ]


@QUICK
@given(st.lists(st.text(min_size=1, max_size=12).map(str.strip).filter(len), max_size=4))
def test_any_name_may_stand_there(names: list[str]) -> None:
    found = unknown_names([case("A", services=names, labels=names)], WORDS)
    for one in found:
        assert one.cases == ("A",)
        assert all(0 < c.likeness <= 1 and c.term in WORDS for c in one.candidates)


def test_a_claim_is_made_once_and_waits_for_review() -> None:
    told = case("A", services=["Web", "auth-gateway"], labels=["Auth gateway"])
    made = with_term(told, "AUTH GATEWAY", "component:nccl")
    (claim,) = made.claims
    assert (claim.kind, claim.role, claim.status) == (
        ClaimKind.COMPONENT, Role.AFFECTED, Status.SUSPECTED,
    )  # fmt: skip
    assert claim.in_review
    assert claim.made is not None
    assert claim.made.by is MadeBy.FIELD
    assert [(s.field, s.quote) for s in claim.evidence] == [("services", "auth-gateway")]
    assert with_term(made, "auth gateway", "component:nccl") is made
    assert with_term(told, "other", "component:nccl") is told


@pytest.mark.parametrize(
    ("term", "kind"),
    [("cause:race", "cause"), ("tool:flight-recorder", "detection"),
     ("mitigation:restart", "mitigation"), ("symptom:slow", "symptom")],
)  # fmt: skip
def test_a_label_is_claimed_as_what_the_term_is(term: str, kind: str) -> None:
    told = case("A", labels=["odd name"], services=["odd name"])
    (claim,) = with_term(told, "odd name", term).claims
    assert claim.kind == kind
    assert claim.evidence[0].field == "labels"


POST = "# {0}\n\n- Affected services: {1}\n\n## Summary\nIt broke in way {0}.\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    for name, services in (("one", "auth-gateway"), ("two", "auth-gateway, NCCL"), ("three", "-")):
        (folder / f"{name}.md").write_text(POST.format(name, services), encoding="utf-8")
    path = folder / "lib.duckdb"
    add_documents(path, sorted(folder.glob("*.md")), vocabulary=tiny_vocabulary(), encoder="hash")
    return path


@pytest.fixture
def path(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(built, tmp_path / "lib.duckdb"))


def claims(path: Path, term: str) -> dict[str, bool]:
    """The titles of the cases that claim a term, and whether it waits for review."""
    with kg.open_library(path) as library:
        return {
            c.name(): claim.in_review
            for c in library.cases.values()
            for claim in c.claims
            if term in claim.terms
        }


def test_accepting_a_name_adds_the_spelling_and_claims_it(path: Path) -> None:
    done = accept_name(path, "auth-gateway", "nccl", at="2025-04-01", author="an analyst")
    assert not done.new
    assert len(done.cases) == 1  # the other claims it already
    assert claims(path, "component:nccl") == {"one": True, "two": True}
    with kg.open_library(path) as library:
        assert library.vocabulary.resolve("Auth Gateway").id == "component:nccl"
        assert [n.name for n in library.unknown_names()] == []
        rows = library.sql("SELECT action, author, note FROM revisions WHERE number = 2").rows
        assert rows == (("updated", "an analyst", "auth-gateway is component:nccl"),)


def test_accepting_with_a_new_term_adds_it(path: Path) -> None:
    done = accept_name(path, "auth-gateway", described("component:gateway", "gateway"))
    assert done.new
    assert len(done.cases) == 2
    assert claims(path, "component:gateway") == {"one": True, "two": True}
    with kg.open_library(path) as library:
        assert library.topic("auth-gateway").entry.id == "component:gateway"


def test_a_document_that_is_read_again_says_the_same(path: Path, built: Path) -> None:
    accept_name(path, "auth-gateway", described("component:gateway", "gateway"))
    text = (built.parent / "one.md").read_text(encoding="utf-8")
    changed = path.parent / "one.md"
    changed.write_text(text + "\nMore.\n", encoding="utf-8")
    add_documents(path, changed)
    assert claims(path, "component:gateway") == {"one": True, "two": True}


def test_parts_of_a_merged_case_are_claimed_each(path: Path) -> None:
    with kg.open_library(path) as library:
        one, two = (i for n in ("one", "two") for i, c in library.cases.items() if c.name() == n)
    merge_cases(path, one, two)
    done = accept_name(path, "auth-gateway", described("component:gateway", "gateway"))
    assert done.cases == (one,)
    assert claims(path, "component:gateway") == {"one": True}
    undo_merge(path, one)
    assert claims(path, "component:gateway") == {"one": True, "two": True}


@pytest.mark.parametrize(
    ("name", "term", "match"),
    [
        ("NCCL", "component:gpu", "names component:nccl already"),
        ("…", "component:gpu", "no words"),
        ("x-y", "component:some-switch", "without a name"),
        ("x-y", described("component:gpu"), "is a term already"),
        ("x-y", described("nothing:gpu"), "no scheme"),
    ],
)
def test_what_cannot_be_accepted_is_refused(path: Path, name: str, term: Any, match: str) -> None:
    before = path.read_bytes()
    with pytest.raises(BadQuery, match=match):
        accept_name(path, name, term)
    assert path.read_bytes() == before


def test_a_term_that_is_not_there_is_told(path: Path) -> None:
    with pytest.raises(TermNotFound):
        accept_name(path, "auth-gateway", "component:gone")
