"""The same notebooks over a user's library, given by one variable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg.library import Library
from kg.notebook import shipped_notebooks
from tests.helpers.cells import code_cells, run_cells

OVER_A_LIBRARY = (
    "01_first_look", "02_rca_assistant", "03_shared_root_causes", "04_sql", "05_linked_data",
    "07_quality",
)  # fmt: skip


@pytest.fixture
def run(own: Library, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a notebook with `INCIDENT_KG_LIBRARY` set to a library of six cases."""
    monkeypatch.setenv("INCIDENT_KG_LIBRARY", str(own.path))
    monkeypatch.setenv("INCIDENT_KG_LANG", "ko")
    monkeypatch.chdir(shipped_notebooks())
    return lambda name: run_cells(Path(f"{name}.ipynb"))


@pytest.mark.parametrize("name", OVER_A_LIBRARY)
def test_it_runs_over_six_cases_of_somebody_else(own: Library, run: Any, name: str) -> None:
    names, shown = run(name)
    text = "".join(shown)
    assert names["lib"].path == own.path
    assert len(names["lib"]) == 6
    assert any(case in text for case in own.cases) or name == "07_quality"
    assert "IL-0480" not in text
    assert len([x for x in shown if x]) >= len(shown) / 3
    names["lib"].close()


@pytest.mark.parametrize("name", [*OVER_A_LIBRARY, "06_your_own_incidents"])
def test_one_variable_chooses_the_library(name: str) -> None:
    cells = "\n".join(code_cells(shipped_notebooks() / f"{name}.ipynb"))
    variable = "INCIDENT_KG_DOCUMENTS" if name.startswith("06") else "INCIDENT_KG_LIBRARY"
    assert cells.count(f'os.environ.get("{variable}"') == 1
