"""The word of the command `kg` that writes a library out as files for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from kg.cli import DONE, NOTHING
from kg.cli.asking import facets, language, opened, print_answer
from kg.export.formats import FORMATS
from kg.library.exports import Export

Options = argparse.Namespace
Reading = Callable[[Any, str, str], argparse.ArgumentParser]
"""Adds a word that reads a library: the words, its name, what it does."""

_WROTE = {
    "en": "wrote {cases} and {terms} as {format} to {path} ({files}, {size:,} bytes)",
    "ko": "{path}에 사례 {cases}건과 분류 값 {terms}개를 {format} 형식으로 썼습니다"
    "(파일 {files}개, {size:,}바이트)",
}
_NONE = {"en": "No case matches; nothing was written.", "ko": "맞는 사례가 없어 쓰지 않았습니다."}


def add_words(
    words: Any, reading: Reading, facets: Callable[[argparse.ArgumentParser], None]
) -> None:
    """Add `export`."""
    parser = reading(words, "export", "write the library into a folder for other programs")
    parser.add_argument("folder", metavar="FOLDER", help="new, empty, or of an earlier export")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all that match")
    parser.add_argument(
        "--format", default="parquet", metavar="FORMAT", help=", ".join(FORMATS) + " (first)"
    )
    facets(parser)
    parser.set_defaults(run=export)


def export(options: Options) -> int:
    """`kg export FOLDER [CASE…]`; 1 when no case matches and nothing is written."""
    with opened(options) as library:
        wanted, lang = facets(options), language(options)
        ids = options.cases or None
        if wanted and not library._chosen(ids, library.filter(**wanted)):
            print_answer(options, None, lambda: _NONE[lang])
            return NOTHING
        done = library.export(options.folder, options.format, ids, **wanted)
        print_answer(options, done, lambda: _told(done, lang))
    return DONE


def _told(done: Export, lang: str) -> str:
    counts: dict[str, Any] = {
        "cases": done.cases, "terms": done.terms, "files": len(done.files),
    }  # fmt: skip
    if lang == "en":
        counts = {k: f"{n} {k if n != 1 else k[:-1]}" for k, n in counts.items()}
    return _WROTE[lang].format(**counts, format=done.format, path=done.path, size=done.size)
