"""Each error is also the built-in that fits, keeps its data, and says what to do."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest

from embeddings import (
    BadEvalSet,
    BadIndexFolder,
    BadVector,
    EmbeddingError,
    EncoderMismatch,
    EncoderNotFound,
    MissingExtra,
    SentenceTransformerEncoder,
    VectorIndex,
    errors,
)


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (EncoderNotFound("x", "do y"), LookupError),
        (EncoderMismatch("index", "a", "b"), ValueError),
        (BadVector("zero"), ValueError),
        (BadIndexFolder("f", "cut short"), ValueError),
        (BadEvalSet("f", "no query is judged"), ValueError),
        (MissingExtra("faiss-cpu", "an index"), ImportError),
    ],
)
def test_each_is_an_embedding_error_and_a_builtin(error: Exception, builtin: type) -> None:
    assert isinstance(error, EmbeddingError)
    assert isinstance(error, builtin)
    assert type(error).__name__ in (errors.__doc__ or "")


def test_the_tree_in_the_docstring_names_every_error() -> None:
    own = [n for n, v in vars(errors).items() if isinstance(v, type) and issubclass(v, Exception)]
    assert all(name in (errors.__doc__ or "") for name in own)


def test_data_is_kept_as_attributes() -> None:
    assert EncoderNotFound("x", "do y").name == "x"
    mismatch = EncoderMismatch("index", "a", "b")
    assert (mismatch.expected, mismatch.found) == ("a", "b")
    assert BadIndexFolder("f", "cut").folder == "f"
    assert BadEvalSet("g", "no query is judged").folder == "g"
    assert str(BadEvalSet("g", "no query is judged")) == "evaluation set g: no query is judged"


def test_missing_extra_prints_the_install_line() -> None:
    error = MissingExtra("faiss-cpu", "a vector index")
    assert error.install == "pip install faiss-cpu"
    assert error.install in str(error)


def _without(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Make imports of a package fail, as on a machine without it."""
    import builtins
    import sys

    real, real_module = builtins.__import__, importlib.import_module
    real_spec = importlib.util.find_spec

    def refuse(module: str, *args: Any, **kwargs: Any) -> Any:
        if module.partition(".")[0] == name:
            raise ImportError(f"No module named {name!r}")
        return real(module, *args, **kwargs)

    def no_spec(module: str, package: str | None = None) -> Any:
        return None if module == name else real_spec(module, package)

    def refuse_module(module: str, package: str | None = None) -> Any:
        if module.partition(".")[0] == name:
            raise ImportError(f"No module named {name!r}")
        return real_module(module, package)

    for loaded in [m for m in sys.modules if m.partition(".")[0] == name]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setattr(builtins, "__import__", refuse)
    monkeypatch.setattr(importlib.util, "find_spec", no_spec)
    monkeypatch.setattr(importlib, "import_module", refuse_module)


def test_an_index_without_faiss_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    _without(monkeypatch, "faiss")
    with pytest.raises(MissingExtra, match="pip install faiss-cpu"):
        VectorIndex(4, "x")


def test_a_model_without_sentence_transformers_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import sys

    kept = dict(sys.modules)
    try:
        _without(monkeypatch, "sentence_transformers")
        with pytest.raises(MissingExtra, match="pip install sentence-transformers"):
            SentenceTransformerEncoder("some-model").encode_queries(["x"])
    finally:
        monkeypatch.undo()
        sys.modules.update(kept)
