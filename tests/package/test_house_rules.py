"""The house: names that are exported, imports that only go down, and docstrings on all of it."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import embeddings
import kg

ROOT = Path(kg.__file__).resolve().parents[1]
FILES = sorted(
    file
    for package in (kg, embeddings)
    for file in Path(package.__file__ or "").parent.rglob("*.py")
)


def test_what_is_exported_is_sorted_and_is_there() -> None:
    assert kg.__all__ == sorted(kg.__all__)
    assert len(set(kg.__all__)) == len(kg.__all__)
    for name in kg.__all__:
        assert getattr(kg, name) is not None
        assert name in dir(kg)


def test_the_lazy_names_are_exactly_the_exported_ones() -> None:
    assert set(kg._HOME_OF) == set(kg.__all__)
    for name, home in kg._HOME_OF.items():
        assert getattr(importlib.import_module(home), name) is getattr(kg, name)


def test_the_type_checker_sees_the_same_names() -> None:
    tree = ast.parse(Path(kg.__file__).read_text(encoding="utf-8"))
    (block,) = (n for n in tree.body if isinstance(n, ast.If))
    seen = {a.name for n in block.body if isinstance(n, ast.ImportFrom) for a in n.names}
    assert seen == set(kg.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = kg.nothing


def test_star_import_gives_what_is_exported() -> None:
    names: dict[str, object] = {}
    exec("from kg import *", names)  # noqa: S102
    assert set(kg.__all__) <= set(names)


@pytest.mark.parametrize(
    "name",
    [
        "kg.model",
        "kg.vocab",
        "kg.readers",
        "kg.graph",
        "kg.store",
        "kg.queries",
        "kg.rca",
        "kg.library",
        "kg.notebook",
        "embeddings",
    ],
)
def test_each_room_exports_what_it_says(name: str) -> None:
    module = importlib.import_module(name)
    assert len(set(module.__all__)) == len(module.__all__)
    assert all(hasattr(module, exported) for exported in module.__all__)


HEAVY = [
    "torch",
    "sentence_transformers",
    "faiss",
    "duckdb",
    "rdflib",
    "fastapi",
    "networkx",
    "pydantic",
    "IPython",
    "ipywidgets",
    "matplotlib",
    "nbformat",
]


@pytest.mark.parametrize("statement", ["import kg", "import kg; kg.__all__; dir(kg)"])
def test_importing_the_package_loads_nothing_heavy(statement: str) -> None:
    code = f"import sys; {statement}; print(sorted(set({HEAVY}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_command_line_starts_without_what_a_search_does_not_need() -> None:
    heavy = {"yaml", "markdown_it", "detect_secrets", "kg.readers.formats.known", "kg.rca"}
    start = "from kg.cli.parser import make_parser; make_parser(); import kg.library"
    code = f"import sys; {start}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


def test_records_and_vocabulary_load_no_database_and_no_model() -> None:
    heavy = {"duckdb", "faiss", "torch", "networkx"}
    code = f"import sys, kg.vocab, kg.readers, kg.graph; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


def test_imports_only_go_down() -> None:
    """The contracts stand in pyproject.toml; `lint-imports` explains a broken one."""
    code = "import importlinter.cli as cli; raise SystemExit(cli.lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def public_definitions(
    tree: ast.Module,
) -> list[ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef]:
    """Public functions and classes of a module, and public methods of public classes."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found: list[ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef] = []
    for node in tree.body:
        if isinstance(node, kinds) and not node.name.startswith("_"):
            found.append(node)
            if isinstance(node, ast.ClassDef):
                found += [
                    m for m in node.body if isinstance(m, kinds) and not m.name.startswith("_")
                ]
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_everything_public_is_documented_and_typed(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), f"{file} says nothing of itself"
    for node in public_definitions(tree):
        place = f"{file}:{node.lineno} {node.name}"
        decorators = {ast.unparse(d) for d in node.decorator_list}
        assert ast.get_docstring(node) or "overload" in decorators, f"{place} has no docstring"
        if not isinstance(node, ast.ClassDef):
            assert node.returns is not None, f"{place} does not say what it returns"
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            untyped = [
                a.arg for a in arguments if a.annotation is None and a.arg not in ("self", "cls")
            ]
            assert not untyped, f"{place}: {untyped} have no type"


def test_there_are_files_to_look_at() -> None:
    assert len(FILES) > 30


def test_the_public_methods_of_the_library_say_what_they_raise() -> None:
    for name, method in inspect.getmembers(kg.Library, inspect.isfunction):
        if not name.startswith("_") and "raise" in inspect.getsource(method):
            assert "Raises:" in (method.__doc__ or ""), f"Library.{name}"
