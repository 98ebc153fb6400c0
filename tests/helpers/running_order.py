"""Which test files come first, and which run in the same worker.

Speed only: every file passes alone and in any order.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from xdist.scheduler import LoadScopeScheduling as Scheduler
else:
    Scheduler = object

TORCH = frozenset(
    f"tests/{name}.py"
    for name in (
        "embeddings/test_e5",
        "embeddings/test_e5_torch",
        "embeddings/test_load_encoder",
        "embeddings/test_token_encoders",
        "cli/test_build_from_the_shell",
    )
)
"""Files that import sentence-transformers, which takes ten seconds: one worker does it for all."""

NOTEBOOKS = frozenset(
    f"tests/notebook/{name}.py"
    for name in ("test_notebooks_run", "test_notebooks_on_your_own", "test_pages")
)
"""Files that read documents in with the shipped library, of which one worker has a copy, and that
import nbclient, which takes five seconds."""

LONGEST = tuple(
    f"tests/{name}.py"
    for name in (
        "notebook/test_notebooks_run",
        "embeddings/test_e5",
        "library/test_quality_of_search",
        "project/test_wheel",
        "cli/test_demo",
        "project/test_documents_hold",
        "server/test_serving_program",
        "server/test_hidden_cases",
        "library/test_exporting_and_building_again",
        "library/test_long_queries",
        "cli/test_linked_data_words",
        "export/test_rdf_round_trip",
        "store/test_views_agree_with_python",
        "library/test_quality_of_causes",
    )
)
"""Files of ten seconds and more, the longest first."""


def file_of(nodeid: str) -> str:
    """The file of a test."""
    return nodeid.partition("::")[0]


def scope_of(nodeid: str) -> str:
    """Tests of one scope run in one worker: those of a file, or of several."""
    file = file_of(nodeid)
    shared = {"torch": TORCH, "notebooks": NOTEBOOKS}
    return next((name for name, files in shared.items() if file in files), file)


def position(nodeid: str) -> int:
    """The place of a test's file in the order; the many short ones keep theirs, after all these."""
    return _position(file_of(nodeid))


@cache
def _position(file: str) -> int:
    scope = scope_of(file)
    scopes = [scope_of(file) for file in LONGEST]
    return scopes.index(scope) if scope in scopes else len(scopes)


def make_scheduler(config: pytest.Config, log: Any) -> Scheduler:
    """A scheduler of pytest-xdist that hands out the scopes in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    class ByScope(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return scope_of(nodeid)

    config.option.loadscopereorder = False  # else by number of tests, however long they take
    return ByScope(config, log)
