"""Cases read from documents: what a program claimed, what was merged, what one language lacks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import kg
from kg.library import Library
from kg.library.intake import add_documents
from kg.library.merging import merge_cases
from kg.server.pages.case import case_page
from tests.helpers.html import Element, faults
from tests.helpers.tiny import tiny_vocabulary
from tests.pages.conftest import client_of, page_of

FIRST = """# NCCL timeout on the training cluster

## Summary
A link down between two switches.

## Root cause
The cause was link down, not a race condition.
"""
SECOND = """# NCCL timeout, seen again by the provider

## Summary
A link down between two switches stopped the training job.
"""
KOREAN = """# 학습 작업 실패

## 요약
링크 다운으로 NCCL 타임아웃이 났다.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("documents")
    files = [folder / "first.md", folder / "second.md", folder / "korean.md"]
    for file, text in zip(files, (FIRST, SECOND, KOREAN), strict=True):
        file.write_text(text, encoding="utf-8")
    path = folder / "lib.duckdb"
    add_documents(path, files, vocabulary=tiny_vocabulary(), encoder="hash")
    first, second = _ids(path, "NCCL timeout on"), _ids(path, "seen again")
    merge_cases(path, first, second)
    with kg.open_library(path) as it:
        yield it


def _ids(path: Path, title: str) -> str:
    with kg.open_library(path) as opened:
        return next(i for i, case in opened.cases.items() if title in case.name())


@pytest.fixture(scope="module")
def client(library: Library) -> Iterator[TestClient]:
    with client_of(library.path) as it:
        yield it


def _case(library: Library, title: str) -> str:
    return next(i for i, case in library.cases.items() if title in case.name("ko"))


def test_claims_of_a_program_are_told_apart_in_words(client: TestClient, library: Library) -> None:
    case_id = _case(library, "NCCL timeout on")
    page = page_of(client, f"/cases/{case_id}?lang=en")
    assert faults(page) == []
    claims = page.all("li", _class="claim")
    assert claims
    for claim in claims:
        assert "Made by a program" in claim.text
        assert "nobody has reviewed it yet" in claim.text
        assert "confirmed" not in [s.text for s in claim.all("span", _class="status")]
    number = case_page(library, case_id, "en").machine_made
    assert number >= len(claims)
    assert f"{number} claims of this case were made by a program" in page.text


def test_what_only_a_program_claims_is_no_cause_and_in_no_group(
    client: TestClient, library: Library
) -> None:
    page = page_of(client, "/cases?lang=en")
    section = page.one("section", aria_labelledby="groups")
    assert section.one("h2").text == "By root cause: 0"
    assert f"in no group: {len(library)}" in section.text


def test_what_a_program_only_suspects_says_so_in_the_list(client: TestClient) -> None:
    page = page_of(client, "/cases?cause=link-down&lang=ko")
    chips = [li.text for card in page.all("article") for li in card.all("li")
             if li.text.startswith("링크 다운")]  # fmt: skip
    assert chips
    assert all("의심" in chip for chip in chips)


def test_an_absorbed_case_is_found_under_its_old_id(client: TestClient, library: Library) -> None:
    ((old, kept),) = library.merged.items()
    page = page_of(client, f"/cases/{old}?lang=en")
    assert f"{old} was merged into {kept}, which is shown here." in page.text
    assert page.all("p", _class="meta")[0].one("span", _class="id").text == kept


def test_an_absorbed_case_can_be_compared_by_its_old_id(
    client: TestClient, library: Library
) -> None:
    ((old, kept),) = library.merged.items()
    other = _case(library, "학습 작업 실패")
    page = page_of(client, f"/explain?a={old}&b={other}&lang=en")
    assert kept in page.one("p", _class="lead").text


def test_a_text_in_another_language_says_which(client: TestClient, library: Library) -> None:
    case_id = _case(library, "학습 작업 실패")
    page = page_of(client, f"/cases/{case_id}?lang=en")
    section = page.one("section", _class="summary")
    assert section.get("lang") == "ko"
    note: Element = section.one("p", _class="note")
    assert (note.get("lang"), note.text) == (
        "en",
        "This case has no text in the language of this page.",
    )
    assert "링크 다운으로" in section.text
    assert (
        page_of(client, f"/cases/{case_id}?lang=ko").one("section", _class="summary").get("lang")
        is None
    )


def test_evidence_in_another_language_is_marked_as_that(
    client: TestClient, library: Library
) -> None:
    page = page_of(client, f"/cases/{_case(library, '학습 작업 실패')}?lang=en")
    quotes = page.all("blockquote")
    assert quotes
    assert {q.get("lang") for q in quotes if q.one("mark").text.strip("N") and "가" <= q.one(
        "mark").text[-1] <= "힣"} == {"ko"}  # fmt: skip


def test_written_pages_have_the_old_ids_too(library: Library, tmp_path: Path) -> None:
    from kg.server.pages.site import write_site

    ((old, kept),) = library.merged.items()
    site = write_site(library, tmp_path / "site")
    text = (site.path / "en" / "cases" / f"{old}.html").read_text(encoding="utf-8")
    assert f"{old} was merged into {kept}" in text
