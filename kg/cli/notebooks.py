"""The word of the command `kg` that copies the notebooks out, and writes them as pages."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kg.cli import DONE
from kg.cli.asking import opened, print_answer
from kg.cli.output import clean_line, complain
from kg.errors import BadQuery

Options = argparse.Namespace
Reading = Callable[[Any, str, str], argparse.ArgumentParser]
"""Adds a word that reads a library: the words, its name, what it does."""

_NEXT = {
    "en": "next: jupyter lab {}",
    "ko": "다음: jupyter lab {}",
}


def add_words(words: Any, reading: Reading) -> None:
    """Add `notebooks`."""
    parser = reading(words, "notebooks", "copy the notebooks into a folder of yours")
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--force", action="store_true", help="replace notebooks that are there")
    parser.add_argument(
        "--run",
        dest="run_now",
        nargs="*",
        metavar="NAME",
        help="also run them on the library, so that they open with answers: those whose name "
        "begins so (such as 02), or all",
    )
    parser.add_argument(
        "--html",
        action="store_true",
        help="also run each one on the library, or those named with --run, and write it as a page "
        "that loads nothing",
    )
    parser.set_defaults(run=notebooks)


def notebooks(options: Options) -> int:
    """`kg notebooks FOLDER`; nothing is replaced without --force."""
    from kg.notebook import copy_notebooks, shipped_notebooks

    wanted = _wanted(sorted(f.name for f in shipped_notebooks().glob("*.ipynb")), options)
    written = copy_notebooks(options.folder, overwrite=options.force)
    if wanted:
        opened(options).close()  # a first use builds the library here, with progress
    written += _run([f for f in written if f.name in wanted], options)
    lang = options.lang or "en"
    first = Path(options.folder) / "02_rca_assistant.ipynb"

    def told() -> str:
        lines = [clean_line(str(file)) for file in written]
        return "\n".join([*lines, clean_line(_NEXT[lang].format(first))])

    print_answer(options, [str(file) for file in written], told)
    return DONE


def _wanted(known: Sequence[str], options: Options) -> frozenset[str]:
    """The notebooks that are to be run: those that were named, or all where none was.

    Raises:
        BadQuery: no notebook has a name that begins so.
    """
    if options.run_now is None and not options.html:
        return frozenset()
    names = options.run_now or list(known)
    for name in names:
        if not name.strip() or not any(k.startswith(name) for k in known):
            raise BadQuery(f"--run: no notebook {name!r}; there are {', '.join(known)}")
    return frozenset(k for k in known if k.startswith(tuple(names)))


def _run(files: Sequence[Path], options: Options) -> list[Path]:
    """Run each once: so that the copy opens with answers, as a page, or both; the pages."""
    from kg.notebook import export_html, run_notebook

    environment = _environment(options)
    for file in files:
        complain(clean_line(f"running {file}"))
        page = file.with_suffix(".html") if options.html else None
        if options.run_now is None:
            export_html(file, page, run=True, environment=environment)
        else:
            run_notebook(file, environment, page=page)
    return [file.with_suffix(".html") for file in files] if options.html else []


def _environment(options: Options) -> dict[str, str]:
    """The variables by which a notebook is told library and language."""
    environment = {"INCIDENT_KG_LANG": options.lang} if options.lang else {}
    if options.library:
        environment["INCIDENT_KG_LIBRARY"] = os.fspath(Path(options.library).resolve())
    return environment
