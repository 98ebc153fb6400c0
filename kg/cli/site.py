"""The word of the command `kg` that writes the web pages as files."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kg.cli import DONE
from kg.cli.asking import language, opened, print_answer
from kg.library.progress import print_progress

if TYPE_CHECKING:
    from kg.server.pages.site import Site

Options = argparse.Namespace
Reading = Callable[[Any, str, str], argparse.ArgumentParser]
"""Adds a word that reads a library: the words, its name, what it does."""

_WROTE = {
    "en": "wrote {pages:,} pages of {cases:,} cases to {path} ({files:,} files, {size:,} bytes); "
    "begin at index.html",
    "ko": "{path}에 사례 {cases:,}건의 페이지 {pages:,}개를 썼습니다(파일 {files:,}개, "
    "{size:,}바이트). index.html에서 시작하세요",
}


def add_words(words: Any, reading: Reading) -> None:
    """Add `site`."""
    parser = reading(words, "site", "write the web pages into a folder for a plain web host")
    parser.add_argument("folder", metavar="OUT", help="new, empty, or of an earlier writing")
    parser.add_argument(
        "--hide",
        action="append",
        default=[],
        metavar="RULE",
        help="case that is not shown: its id, or facet=value; may be given again",
    )
    parser.set_defaults(run=site)


def site(options: Options) -> int:
    """`kg site OUT`: the pages in both languages, whatever `--lang` says of the answer."""
    from kg.server.pages.site import write_site  # needs jinja2, which other commands do not
    from kg.server.visibility import visible_library

    with opened(options) as library:
        shown = visible_library(library, options.hide)
        try:
            done = write_site(shown, options.folder, print_progress)
        finally:
            if shown is not library:
                shown.close()
    print_answer(options, done, lambda: _told(done, language(options)))
    return DONE


def _told(done: Site, lang: str) -> str:
    return _WROTE[lang].format(
        pages=done.pages, cases=done.cases, path=done.path, files=done.files, size=done.size
    )
