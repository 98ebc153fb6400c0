"""A library as it is served: opened, without hidden cases, ready to answer."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from kg.library import Library, open_library
from kg.library.visible import content_version
from kg.server.kept import Kept
from kg.server.settings import Settings
from kg.server.visibility import visible_library

WARMING = "the job hung after an NCCL timeout, 작업이 멈췄다"
"""Asked once of a library before it is served, so that what is built on first use is there."""


@dataclass(eq=False)
class Served:
    """A library that answers requests, and what is kept for it.

    Attributes:
        lib: the library; hidden cases are not in it, nor anything that was made from them.
        version: changes whenever an answer may change; the base of ETags.
        kept: answers as bytes, by what was asked.
    """

    lib: Library
    version: str
    kept: Kept

    def visible(self, case_id: str) -> bool:
        """Whether there is such a case and it may be shown."""
        return self.lib.find(case_id) is not None

    def close(self) -> None:
        """Let go of the library and its file."""
        self.lib.close()


def open_served(settings: Settings, *, again: bool = False) -> Served:
    """Open the library of the settings without its hidden cases, warmed up.

    Args:
        settings: the settings.
        again: it was served before, in another state; see `visible_library`.

    Raises:
        LibraryError: it cannot be opened, or every case is hidden.
        CaseNotFound, BadQuery, TermNotFound, AmbiguousTerm: a rule of what is hidden cannot be
            used, or matches no case.
    """
    library = open_library(settings.library)
    try:
        shown = visible_library(library, settings.hidden, again=again)
    except BaseException:
        library.close()
        raise
    if shown is not library:
        library.close()
    try:
        _warm(shown)
        return Served(shown, _version(shown, settings), Kept(settings.limits.kept))
    except BaseException:
        shown.close()
        raise


def program_version() -> str:
    """The version of this program; of a checkout that is not installed, what its project says."""
    try:
        return version("incident-kg")
    except PackageNotFoundError:
        return _version_of_checkout(Path(__file__).parents[2] / "pyproject.toml")


def _version_of_checkout(project: Path) -> str:
    """The version in a project file; "0" where there is none, as after a copy of the code alone."""
    try:
        told = tomllib.loads(project.read_text("utf-8")).get("project", {})
    except (OSError, ValueError):
        return "0"
    return str(told["version"]) if told.get("name") == "incident-kg" else "0"


def _version(library: Library, settings: Settings) -> str:
    """Of what is shown only: a change of a hidden case must not be seen either."""
    return content_version(library, program_version(), settings.lang)


def _warm(library: Library) -> None:
    """Build what a library builds on first use."""
    library.search(WARMING, threshold=0.0)
    library.similar(next(iter(library.cases)), 1)
    library.diagnose(WARMING)
