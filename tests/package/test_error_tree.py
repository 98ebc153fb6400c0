"""The tree of errors: what each is, what it says, and what it keeps."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import kg
from kg import errors
from kg.errors import (
    AmbiguousTerm,
    BadQuery,
    CaseNotFound,
    InputError,
    KgError,
    LibraryError,
    LibraryLocked,
    LibraryVersionError,
    MissingExtra,
    NotFound,
    Problem,
    SchemaError,
    TermNotFound,
)

SAMPLES = [
    (InputError([]), ValueError),
    (NotFound("x"), KeyError),
    (CaseNotFound("X-1"), KeyError),
    (TermNotFound("x"), KeyError),
    (AmbiguousTerm("x", ["a:x", "b:x"]), LookupError),
    (SchemaError("x"), ValueError),
    (LibraryError("x"), OSError),
    (LibraryLocked("x"), OSError),
    (LibraryVersionError("f", 1, 2), OSError),
    (BadQuery("x"), ValueError),
    (MissingExtra("uvicorn", "server"), ImportError),
]


@pytest.mark.parametrize(("error", "builtin"), SAMPLES, ids=lambda v: type(v).__name__)
def test_each_error_is_ours_and_also_the_builtin_that_fits(
    error: KgError, builtin: type[Exception]
) -> None:
    assert isinstance(error, KgError)
    assert isinstance(error, builtin)


def _own_errors() -> set[str]:
    return {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, KgError)
    }


def test_the_samples_above_cover_every_error() -> None:
    assert {type(e).__name__ for e, _ in SAMPLES} == _own_errors() - {"KgError"}


def test_the_tree_in_the_docstring_names_every_error_once() -> None:
    drawn = re.findall(r"^\s+(?:[│ ]*[├└]── )?(\w+)", errors.__doc__ or "", re.MULTILINE)
    tree = [name for name in drawn if name in _own_errors()]
    assert sorted(tree) == sorted(_own_errors())


@pytest.mark.parametrize("name", sorted(_own_errors()))
def test_the_tree_names_the_builtin_of_each_direct_child(name: str) -> None:
    error = getattr(errors, name)
    builtins = [b.__name__ for b in error.__bases__ if b.__module__ == "builtins"]
    line = next(x for x in (errors.__doc__ or "").splitlines() if re.search(rf"\b{name}\b", x))
    assert all(f"({b})" in line for b in builtins)


def test_every_error_can_be_imported_from_the_package() -> None:
    assert _own_errors() <= set(kg.__all__)


def test_a_missing_case_names_ids_that_look_like_it() -> None:
    error = CaseNotFound("IL-048", ["IL-0480", "IL-0428"])
    assert error.case_id == "IL-048"
    assert error.near == ("IL-0480", "IL-0428")
    assert str(error) == "no case 'IL-048' in this library. Did you mean IL-0480, IL-0428?"


def test_a_missing_case_without_a_likeness_suggests_nothing() -> None:
    assert "mean" not in str(CaseNotFound("x"))


def test_the_message_of_a_key_error_is_not_its_repr() -> None:
    assert str(NotFound("no 'such' thing")) == "no 'such' thing"


def test_an_error_without_arguments_still_prints() -> None:
    assert str(KgError()) == ""


def test_a_missing_term_keeps_spelling_scheme_and_near() -> None:
    error = TermNotFound("A10", "component", ["A100"])
    assert (error.spelling, error.scheme, error.near) == ("A10", "component", ("A100",))
    assert str(error) == "no term 'A10' in scheme 'component'. Did you mean A100?"


def test_an_ambiguous_term_lists_the_candidates_and_says_how_to_choose() -> None:
    error = AmbiguousTerm("link", ["cause:link", "symptom:link"])
    assert error.candidates == ("cause:link", "symptom:link")
    assert "cause:link, symptom:link" in str(error)
    assert "scheme" in str(error)


def test_a_version_error_keeps_both_versions_and_says_how_to_rebuild() -> None:
    error = LibraryVersionError("old.duckdb", 1, 7)
    assert (error.found, error.expected) == (1, 7)
    assert "old.duckdb" in str(error)
    assert "kg build" in str(error)


def test_a_missing_extra_prints_the_install_line() -> None:
    error = MissingExtra("uvicorn", "server")
    assert (error.package, error.extra) == ("uvicorn", "server")
    assert "pip install 'incident-kg[server]'" in str(error)


def test_a_problem_names_file_line_case_field_and_remedy() -> None:
    problem = Problem("cases/x.json", 12, "claims.0.terms", "unknown term", "Add it", "X-1")
    assert str(problem) == "cases/x.json:12 [X-1] claims.0.terms: unknown term. Add it"


def test_a_problem_without_line_or_case_says_only_what_is_known() -> None:
    assert str(Problem("x.json", 0, "", "empty", "Fill it")) == "x.json: empty. Fill it"


def test_problems_sort_by_file_then_line() -> None:
    one, two = Problem("a", 9, "", "m", "r"), Problem("a", 10, "", "m", "r")
    other = Problem("b", 1, "", "m", "r")
    assert sorted([other, two, one]) == [one, two, other]


def test_an_input_error_lists_all_problems_and_counts_them() -> None:
    problems = [Problem(f, 1, "", "bad", "Mend it") for f in ("a.json", "b.json")]
    error = InputError(problems)
    assert error.problems == tuple(problems)
    assert str(error).startswith("2 problems in the input:")
    assert all(str(p) in str(error) for p in problems)
    assert str(InputError(problems[:1])).startswith("1 problem in the input:")


def test_nothing_in_kg_raises_a_bare_exception() -> None:
    """`raise Exception` and `assert` tell a caller nothing; every error has a name."""
    root = Path(inspect.getfile(kg)).parent
    for file in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.Assert), f"{file}:{node.lineno} asserts"
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                name = getattr(node.exc.func, "id", "")
                assert name not in ("Exception", "RuntimeError"), f"{file}:{node.lineno}"
