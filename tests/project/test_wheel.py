"""The wheel, away from the checkout, opens the shipped library and answers."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from kg.readers import shipped

COUNT = len(list(shipped("cases").glob("*.json")))
ROOT = Path(__file__).resolve().parents[2]
PAGE_FILES = sorted(
    f.relative_to(ROOT / "kg" / "server" / "pages").as_posix()
    for folder in ("templates", "assets")
    for f in (ROOT / "kg" / "server" / "pages" / folder).iterdir()
)
ASK = """
import kg, sys
assert not kg.__file__.startswith(sys.argv[1]), kg.__file__
with kg.open_library() as lib:
    print(len(lib), lib.search("GPUs show 100 % but power fell to 190 W")[0].id)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def test_it_ships_data_schema_and_types_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "kg/store/schema.sql",
        "kg/py.typed",
        "embeddings/py.typed",
        "embeddings/e5_basis.npz",
        "kg/datasets/vectors/default.npz",
        "kg/datasets/vectors/tokens.npz",
        "kg/datasets/cases/IL-0480.json",
        "kg/datasets/vocabulary/cause.json",
        "kg/datasets/schema/case.schema.json",
        "kg/notebooks/02_rca_assistant.ipynb",
        "kg/notebooks/incidents/2026-03-02-checkout-pool.md",
        "kg/server/pages/words.json",
        *(f"kg/server/pages/{f}" for f in PAGE_FILES),
    } <= names
    assert not [n for n in names if n.startswith(("tests/", "datasets/")) or n.endswith(".duckdb")]


def test_it_answers_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    target = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    # The dependencies of this environment, but not its editable install of the checkout.
    Path(target, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    answer = subprocess.run(
        [python, "-I", "-c", ASK, str(ROOT)],
        cwd="/",
        capture_output=True,
        text=True,
        env={
            "PATH": os.environ["PATH"],
            "INCIDENT_KG_CACHE": str(tmp_path / "cache"),
            "OMP_NUM_THREADS": os.environ["OMP_NUM_THREADS"],
        },
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.split() == [str(COUNT), "IL-0480"]
