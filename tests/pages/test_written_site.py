"""Written pages: the same each time, whole or not at all, and complete without a server."""

from __future__ import annotations

import json
import posixpath
import shutil
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

from kg.cli import main
from kg.errors import LibraryError
from kg.library import Library
from kg.server.pages.site import Site, write_site
from tests.helpers.html import Element, faults


def _contents(folder: Path) -> dict[str, bytes]:
    return {f.relative_to(folder).as_posix(): f.read_bytes()
            for f in sorted(folder.rglob("*")) if f.is_file()}  # fmt: skip


def test_every_case_topic_and_list_is_there_in_both_languages(
    tiny: Library, pages: dict[str, Element]
) -> None:
    for lang in ("en", "ko"):
        assert {f"{lang}/cases/{i}.html" for i in tiny.cases} <= set(pages)
        with_cases = {e.id for e in tiny.vocab() if e.count}
        broader = {up for t in with_cases for up in tiny.vocabulary.broader_steps(t)}
        for entry in tiny.vocab():
            scheme, _, slug = entry.id.partition(":")
            assert f"{lang}/topics/{scheme}/{slug}.html" in pages or entry.id not in broader
            assert (f"{lang}/lists/{scheme}/{slug}.html" in pages) == bool(entry.count)
        assert {f"{lang}/index.html", f"{lang}/graph.html", f"{lang}/topics/index.html"} <= set(
            pages
        )
    assert "index.html" in pages


def test_topics_of_which_no_case_speaks_are_not_written(
    tiny: Library, pages: dict[str, Element]
) -> None:
    """Of a library of one case, a page for each of its terms and of the broader ones."""
    written = {n.removeprefix("en/topics/") for n in pages if n.startswith("en/topics/")}
    unheard = [t for t in tiny.vocabulary.terms if not _heard(tiny, t)]
    assert unheard
    assert not {f"{t.replace(':', '/')}.html" for t in unheard} & written
    texts = [p for n, p in pages.items() if n.startswith("ko/")]
    named = {a.get("href") or "" for page in texts for a in page.all("a")}
    assert not [h for h in named for t in unheard if h.endswith(f"{t.replace(':', '/')}.html")]


def _heard(library: Library, term: str) -> bool:
    below = library.vocabulary.narrower_all(term)
    claims = [c for case in library.cases.values() for c in case.resolved().claims]
    counted = {e.id for e in library.vocab() if e.count}
    return bool(below & ({t for c in claims for t in (*c.terms, *c.addresses)} | counted))


def test_every_page_is_well_formed_and_for_everybody(pages: dict[str, Element]) -> None:
    for name, page in pages.items():
        if name != "index.html":
            assert faults(page) == [], name
            assert page.one("html").get("lang") == name[:2]


def test_every_link_leads_to_a_file_and_a_place_in_it(
    site: Site, pages: dict[str, Element]
) -> None:
    ids = {name: {e.get("id") for e in page.walk()} for name, page in pages.items()}
    for name, page in pages.items():
        for element in page.walk():
            for attribute in ("href", "src", "data-index"):
                value = element.get(attribute)
                if value is None or value.startswith("https://"):
                    continue
                target, fragment = urldefrag(value)
                assert not target.startswith("/"), (name, value)
                folder = posixpath.dirname(name)
                file = (
                    posixpath.normpath(posixpath.join(folder, unquote(target))) if target else name
                )
                assert (site.path / file).is_file(), (name, value)
                assert not fragment or fragment in ids[file], (name, value)


def test_nothing_is_offered_that_needs_a_server(pages: dict[str, Element]) -> None:
    for name, page in pages.items():
        for form in page.all("form"):
            assert form.get("action") is None, name
        assert "format=json" not in "".join(a.get("href") or "" for a in page.all("a"))
    assert "need a server: kg serve" in pages["en/index.html"].text
    assert "서버(kg serve)가 필요합니다" in pages["ko/index.html"].text


def test_every_page_carries_its_policy(pages: dict[str, Element]) -> None:
    for name, page in pages.items():
        policy = page.one("meta", http_equiv="Content-Security-Policy").get("content") or ""
        assert "default-src 'none'" in policy, name
        assert "unsafe" not in policy


def test_the_lists_are_those_of_the_library(tiny: Library, pages: dict[str, Element]) -> None:
    for entry in tiny.vocab():
        if entry.count:
            scheme, _, slug = entry.id.partition(":")
            page = pages[f"en/lists/{scheme}/{slug}.html"]
            shown = [a.one("span", _class="id").text for a in page.all("article")]
            assert shown == list(tiny.list(limit=99, **{scheme: entry.id}).ids)


def test_a_count_beside_a_value_is_that_of_the_list_it_leads_to(
    pages: dict[str, Element],
) -> None:
    values = [li for ul in pages["en/index.html"].one("aside").all("ul") for li in ul.all("li")]
    assert len(values) > 15
    for value in values:
        listed = pages[f"en/{value.one('a').get('href')}"]
        assert len(listed.all("article")) == int(value.one("span", _class="count").text)
        assert listed.all("aside") == []  # its counts would be those of another list


def test_similar_cases_stand_there_with_reasons(pages: dict[str, Element]) -> None:
    section = pages["en/cases/A-1.html"].one("section", aria_labelledby="similar")
    assert len(section.all("article")) == 5
    assert all("Why it is similar" in a.text for a in section.all("article"))


def test_the_index_for_search_holds_titles_terms_and_symptoms(tiny: Library, site: Site) -> None:
    for lang, label in (("en", "nccl timeout"), ("ko", "nccl 타임아웃")):
        file = site.path / "assets" / f"index.{lang}.json"
        cases = {c["id"]: c for c in json.loads(file.read_text(encoding="utf-8"))["cases"]}
        assert set(cases) == set(tiny.cases)
        assert cases["A-1"]["title"] == tiny.get("A-1").name(lang)
        assert label in cases["A-1"]["terms_key"]
        assert "ncclTimeout".lower() in cases["A-1"]["terms_key"]


def test_it_replaces_what_it_wrote_before_by_the_same_bytes(
    tiny: Library, site: Site, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site.path, folder)
    again = write_site(tiny, folder)
    assert _contents(folder) == _contents(site.path)
    assert again == Site(again.path, site.cases, site.pages, site.files, site.size)


@pytest.mark.parametrize("change", ["foreign", "added", "changed"])
def test_it_never_writes_over_what_it_did_not_write(
    tiny: Library, site: Site, tmp_path: Path, change: str
) -> None:
    folder = tmp_path / "site"
    if change == "foreign":
        folder.mkdir()
        (folder / "mine.txt").write_text("mine", encoding="utf-8")
    else:
        shutil.copytree(site.path, folder)
        name = "mine.txt" if change == "added" else "index.html"
        (folder / name).write_text("mine", encoding="utf-8")
    before = _contents(folder)
    with pytest.raises(LibraryError):
        write_site(tiny, folder)
    assert _contents(folder) == before


def test_a_failure_half_way_leaves_nothing(
    tiny: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Path, body: bytes) -> None:
        if "ko" in file.parts:
            raise OSError(28, "No space left on device")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)

    monkeypatch.setattr("kg.server.pages.site._write", full)
    with pytest.raises(LibraryError, match="No space left"):
        write_site(tiny, tmp_path / "site")
    assert [p.name for p in tmp_path.iterdir() if not p.name.endswith(".lock")] == []


def test_the_command_writes_it_and_says_where_to_begin(
    tiny: Library, site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["site", str(tmp_path / "out"), "--library", str(tiny.path)]) == 0
    said = capsys.readouterr().out
    assert f"wrote {site.pages} pages of 6 cases" in said
    assert "begin at index.html" in said
    assert _contents(tmp_path / "out") == _contents(site.path)


def test_a_site_is_no_export_to_build_from(site: Site, tmp_path: Path) -> None:
    assert main(["build", str(site.path), "-o", str(tmp_path / "x.duckdb")]) == 2


def test_hidden_cases_leave_no_trace(tiny: Library, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    options = ["--library", str(tiny.path), "--hide", "A-1", "--hide", "organization=beta"]
    assert main(["site", str(folder), *options]) == 0
    files = _contents(folder)
    assert not any("A-1" in name or "A-3" in name for name in files)
    for name, body in files.items():
        for gone in (b"A-1", b"A-3", b"Beta Cloud", b"SEV1"):
            assert gone not in body, name
