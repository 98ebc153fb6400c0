"""The house: imports go down only, light imports, names exported, docs in step."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    "torch",
    "sentence_transformers",
    "transformers",
    "faiss",
    "duckdb",
    "rdflib",
    "fastapi",
    "networkx",
    "pydantic",
    "numpy",
)


def _loaded_by(statement: str) -> set[str]:
    code = f"import json, sys; {statement}; print(json.dumps(sorted(sys.modules)))"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    return set(json.loads(out))


def test_import_kg_loads_nothing_heavy() -> None:
    assert _loaded_by("import kg") & set(HEAVY) == set()


def test_a_search_by_text_needs_no_torch(lib_path: str) -> None:
    loaded = _loaded_by(f"import kg; kg.open_library({lib_path!r}).search('NCCL timeout')")
    assert {"faiss", "duckdb"} <= loaded
    assert {"torch", "sentence_transformers", "transformers"} & loaded == set()


@pytest.fixture
def lib_path(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue("lib").path)


def test_datasets_never_becomes_a_package() -> None:
    assert not list((ROOT / "datasets").rglob("*.py"))


def test_the_version_is_told_once() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == "incident-kg"
    assert set(project["optional-dependencies"]) == {"rdf", "ko", "server", "notebooks", "dev"}


def test_files_stay_small() -> None:
    sizes = {
        f: f.read_text(encoding="utf-8").count("\n")
        for package in ("kg", "embeddings")
        for f in (ROOT / package).rglob("*.py")
    }
    assert {f.name: n for f, n in sizes.items() if n > 420} == {}
