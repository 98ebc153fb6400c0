"""The pages written as files for a plain web host: every case, topic and list, with no server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.export.files import write_folder
from kg.queries import Filter
from kg.server.pages.find import Asked
from kg.server.pages.links import (
    EVERYTHING,
    StaticLinks,
    case_file,
    compare_file,
    list_file,
    pair,
    topic_file,
)
from kg.server.pages.names import Names
from kg.server.pages.renderer import Renderer
from kg.server.pages.views import Views
from kg.server.pages.words import word
from kg.server.settings import LANGUAGES

if TYPE_CHECKING:
    from kg.library import Library

FORMAT = "site"
ASSETS = ("icon.svg", "pages.css", "pages.js", "search.js")
EVERY = 1_000_000
"""A list on a written page is whole, as nobody can ask for its next page."""

COMPARED = 3
"""A case is compared with so many of those nearest to it; each pair is a page."""

INDEXED = ("symptom", "cause", "factor", "component", "trigger", "mitigation", "organization")
"""Kinds of terms by which cases are found on written pages."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Site:
    """What was written.

    Attributes:
        path: the folder.
        cases: how many cases it shows.
        pages: HTML pages.
        files: all files, without the manifest.
        size: bytes of all files together.
    """

    path: Path
    cases: int
    pages: int
    files: int
    size: int


def write_site(library: Library, folder: str | Path, progress: Progress | None = None) -> Site:
    """Write the pages of a library into a folder, in both languages.

    Equal libraries give equal bytes. The folder appears whole at the end or not at all.

    Args:
        library: the library.
        folder: a new or empty folder, or that of an earlier writing, which is replaced; anything
            else that holds files is refused.
        progress: called as progress(stage, done, total).

    Raises:
        LibraryError: the folder cannot be written, or holds something that was not written so.
        LibraryLocked: another process is writing into it.
        MissingExtra: jinja2 is not installed.
    """
    renderer = Renderer()
    pairs = _pairs(library)
    pages = [job for lang in LANGUAGES for job in _jobs(library, renderer, lang, pairs)]
    told = progress or (lambda *_: None)

    def fill(target: Path) -> Mapping[str, Any]:
        for number, (name, make) in enumerate(pages, 1):
            _write(target / name, make().encode("utf-8", "replace"))
            told("site", number, len(pages))
        for name, body in _others(library):
            _write(target / name, body)
        return {"format": FORMAT, "cases": len(library), "pages": len(pages)}

    done = write_folder(folder, fill)
    listed = done.manifest["files"]
    return Site(
        path=done.folder,
        cases=len(library),
        pages=len(pages),
        files=len(listed),
        size=sum(f["bytes"] for f in listed.values()),
    )


def _write(file: Path, body: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(body)


def _jobs(
    library: Library, renderer: Renderer, lang: str, pairs: frozenset[tuple[str, str]]
) -> Iterator[tuple[str, Callable[[], str]]]:
    """Every page of a language: the name of its file, and how it is made."""
    topics = _topics(library)

    def views(file: str) -> Views:
        return Views(renderer, library, lang, StaticLinks(lang, file, topics, pairs))

    def job(file: str, make: Callable[[Views], str]) -> tuple[str, Callable[[], str]]:
        return f"{lang}/{file}", lambda: make(views(file))

    whole = Asked(limit=EVERY)
    yield job("index.html", lambda v: v.find(whole, home=True, brief=True))
    yield job("graph.html", lambda v: v.graph())
    yield job("topics/index.html", lambda v: v.topics())
    for case_id in sorted(library.cases):
        yield job(case_file(case_id), lambda v, i=case_id: v.case(i))  # type: ignore[misc]
    for old, kept in sorted(library.merged.items()):
        if kept in library.cases and old not in library.cases:
            yield job(case_file(old), lambda v, i=old: v.case(i))  # type: ignore[misc]
    for a, b in sorted(pairs):
        yield job(compare_file(a, b), lambda v, a=a, b=b: v.compare(a, b))  # type: ignore[misc]
    for term in sorted(topics):
        yield job(topic_file(term), lambda v, t=term: v.topic(t))  # type: ignore[misc]
    for facet, value, wanted in _lists(library):
        asked = replace(whole, wanted=wanted)
        yield job(list_file(facet, value), lambda v, a=asked: v.find(a, brief=True))  # type: ignore[misc]


def _pairs(library: Library) -> frozenset[tuple[str, str]]:
    """The pairs of cases that are compared: each case with those nearest to it."""
    return frozenset(
        pair(case_id, near)
        for case_id in library.cases
        for near in library.similar(case_id, k=COMPARED).ids
    )


def _topics(library: Library) -> frozenset[str]:
    """The terms that have a page: those that some case states in any way, and all broader ones."""
    claims = [c for case in library.cases.values() for c in case.resolved().claims]
    stated = {t for c in claims for t in (*c.terms, *c.addresses)}
    stated |= {entry.id for entry in library.vocab() if entry.count}
    return frozenset(up for t in stated for up in library.vocabulary.broader_steps(t))


def _lists(library: Library) -> Iterator[tuple[str, str, Filter]]:
    """Every facet value that some case has, with its filter."""
    for entry in sorted(library.vocab(), key=lambda e: e.id):
        if entry.count:
            wanted = replace(EVERYTHING, terms={entry.scheme: (entry.id,)})
            yield entry.scheme, entry.id.partition(":")[2], wanted


def _others(library: Library) -> Iterator[tuple[str, bytes]]:
    """The files that are no pages of a language: the way in, assets, and indexes for search."""
    yield "index.html", _front().encode()
    for name in ASSETS:
        yield f"assets/{name}", files("kg.server.pages").joinpath("assets", name).read_bytes()
    for lang in LANGUAGES:
        yield f"assets/index.{lang}.json", _index(library, lang)


def _front() -> str:
    """The page that leads to the languages; nobody is sent on without a choice."""
    links = "".join(
        f'<li><a href="{lang}/index.html" lang="{lang}" hreflang="{lang}">'
        f"{word('site', lang)} ({word('own_name', lang)})</a></li>"
        for lang in LANGUAGES
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'self'; img-src 'self'\">\n"
        f"<title>{word('site', 'en')}</title>\n"
        '<link rel="stylesheet" href="assets/pages.css">\n'
        '<link rel="icon" type="image/svg+xml" href="assets/icon.svg">\n</head>\n'
        f'<body>\n<main class="wide">\n<h1>{word("site", "en")}</h1>\n<ul>{links}</ul>\n'
        "</main>\n</body>\n</html>\n"
    )


def _index(library: Library, lang: str) -> bytes:
    """What the script on written pages looks into, as JSON; read as data and shown as text."""
    names = Names(library, lang)
    cases = [_entry(library, names, i) for i in sorted(library.cases)]
    text = json.dumps({"cases": cases}, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _entry(library: Library, names: Names, case_id: str) -> dict[str, str]:
    case, name = library.cases[case_id], names.case(case_id)
    stated = [s.term.id for kind in INDEXED for s in names.stated(case, kind)]
    spellings = [
        spelling
        for term in dict.fromkeys(stated)
        for _, spelling in library.vocabulary.terms[term].spellings()
    ]
    who = [o.label for o in name.organizations] + ([str(name.year)] if name.year else [])
    told = case.symptom.best(names.lang) if case.symptom else case.summary.best(names.lang)
    return {
        "id": case_id,
        "title": name.title,
        "who": " ".join(who),
        "title_key": f"{case_id} {name.title} {' '.join(who)}".lower(),
        "terms_key": " ".join(spellings).lower(),
        "text_key": told.lower(),
    }
