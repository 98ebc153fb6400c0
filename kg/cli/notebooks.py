"""The word of the command `kg` that copies the notebooks out, and writes them as pages."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kg.cli import DONE
from kg.cli.asking import opened, print_answer
from kg.cli.output import clean_line, complain

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
    from kg.notebook import copy_notebooks

    written = copy_notebooks(options.folder, overwrite=options.force)
    files = [f for f in written if f.suffix == ".ipynb"]
    if options.html or options.run_now is not None:
        opened(options).close()  # a first use builds the library here, with progress
    named = [f for f in files if f.name.startswith(tuple(options.run_now or ()) or "")]
    if options.run_now is not None:
        _run(named, options)
    if options.html:
        written += _pages(named, options)
    lang = options.lang or "en"
    first = Path(options.folder) / "02_rca_assistant.ipynb"

    def told() -> str:
        lines = [clean_line(str(file)) for file in written]
        return "\n".join([*lines, clean_line(_NEXT[lang].format(first))])

    print_answer(options, [str(file) for file in written], told)
    return DONE


def _run(files: list[Path], options: Options) -> None:
    """Run the copies, so that they open with answers."""
    from kg.notebook import run_notebook

    for file in files:
        complain(clean_line(f"running {file}"))
        run_notebook(file, _environment(options))


def _pages(files: list[Path], options: Options) -> list[Path]:
    """Each notebook run and written as a page, on the library that the command was given."""
    from kg.notebook import export_html

    pages = []
    for file in files:
        complain(clean_line(f"running {file}"))
        pages.append(export_html(file, run=True, environment=_environment(options)))
    return pages


def _environment(options: Options) -> dict[str, str]:
    """The variables by which a notebook is told library and language."""
    environment = {"INCIDENT_KG_LANG": options.lang} if options.lang else {}
    if options.library:
        environment["INCIDENT_KG_LIBRARY"] = os.fspath(Path(options.library).resolve())
    return environment
