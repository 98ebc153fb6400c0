"""One function per word of the command line: ask the library, print, say how it went."""

from __future__ import annotations

from pathlib import Path

from kg.cli import BAD, DONE, NOTHING
from kg.cli import show as views
from kg.cli.asking import Options, facets, given, language, opened, print_answer, threshold
from kg.cli.output import clean_line, clean_xml, complain, say
from kg.errors import LibraryError
from kg.library import Library, build_library
from kg.library.progress import print_progress
from kg.model.text import language_of
from kg.queries import Hits, plain


def build(options: Options) -> int:
    """`kg build PATH… -o FILE`; 2 when cases were left out, even with --keep-going.

    Old ids of terms, which are read as the new ones, are told and are no fault.
    """
    with build_library(
        options.paths,
        options.output,
        vocabulary=options.vocabulary,
        encoder=options.encoder,
        keep_going=options.keep_going,
        progress=print_progress,
    ) as library:
        problems, notes = library.problems, library.notes
        built = {
            "path": str(library.path),
            "cases": len(library),
            "problems": plain(problems),
            "notes": plain(notes),
        }
        print_answer(options, built, lambda: views.built(library.path, len(library)))
    for problem in (*notes, *problems):
        complain(clean_line(str(problem)))
    return BAD if problems else DONE


def search(options: Options) -> int:
    """`kg search TEXT`."""
    with opened(options) as library:
        text = given(options.text)
        lang = options.lang or language_of(text)
        hits = library.search(
            text,
            options.k,
            lang=lang,
            diversity=options.diversity,
            **threshold(options),
            **facets(options),
        )
        return _print_hits(options, library, hits, lang)


def similar(options: Options) -> int:
    """`kg similar CASE`."""
    with opened(options) as library:
        hits = library.similar(
            options.case, options.k, lang=language(options), **threshold(options), **facets(options)
        )
        return _print_hits(options, library, hits, language(options))


def show(options: Options) -> int:
    """`kg show CASE`."""
    with opened(options) as library:
        case = library.get(options.case)
        print_answer(options, case.resolved(), lambda: views.case(library, case, language(options)))
    return DONE


def list_cases(options: Options) -> int:
    """`kg list`; the JSON is an array of cards unless --page is given."""
    with opened(options) as library:
        page = library.list(
            sort=options.sort,
            offset=options.offset,
            limit=options.limit,
            lang=language(options),
            **facets(options),
        )
        if options.groups:
            groups = library.groups(page.ids, lang=language(options))
            print_answer(options, groups, lambda: views.groups(library, groups, language(options)))
        else:
            value = page if options.page else page.items
            print_answer(options, value, lambda: views.page(library, page, language(options)))
    return DONE if page.items else NOTHING


def vocab(options: Options) -> int:
    """`kg vocab [SCHEME]`."""
    with opened(options) as library:
        found = library.vocab(options.scheme, language(options))
        print_answer(options, found, lambda: views.vocab(found, language(options)))
    return DONE if found else NOTHING


def topic(options: Options) -> int:
    """`kg topic TERM`."""
    with opened(options) as library:
        found = library.topic(options.term, language(options))
        print_answer(options, found, lambda: views.topic(library, found, language(options)))
    return DONE if found.entry.cases else NOTHING


def sql(options: Options) -> int:
    """`kg sql QUERY [VALUE…]`."""
    with opened(options) as library:
        table = library.sql(given(options.query), options.parameters)
        print_answer(options, table.dicts(), lambda: str(table))
    return DONE if table.rows else NOTHING


def graph(options: Options) -> int:
    """`kg graph [CASE…] -o FILE`."""
    with opened(options) as library:
        ids = options.cases or library.list(limit=1_000_000, **facets(options)).ids
        if options.json:
            print_answer(options, library.result_graph(ids), str)
            return DONE if ids else NOTHING
        picture = library.picture(ids, lang=language(options))
    if options.output is None:
        say(clean_xml(picture))
        return DONE
    try:
        Path(options.output).write_text(picture, encoding="utf-8")
    except OSError as error:
        raise LibraryError(f"cannot write {options.output}: {error.strerror}") from error
    say(clean_line(f"wrote {options.output}"))
    return DONE


def _print_hits(options: Options, library: Library, hits: Hits, lang: str) -> int:
    print_answer(options, hits, lambda: views.hits(library, hits, lang))
    return DONE if hits.items else NOTHING
