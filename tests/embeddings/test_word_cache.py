"""Word indexes remembered on disk: the same answers, and never worth an error."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings import BM25F, tokenize
from embeddings import word_cache as remembering
from embeddings.tokens import letter_grams
from embeddings.word_cache import KEPT, word_index

DOCUMENTS = [
    {"title": "NCCL timeout", "text": "rank 3 hung"},
    {"text": "디스크가 가득 찼다 \ud800"},
]
WEIGHTS = {"title": 2.0, "text": 1.0}
QUERY = "NCCL hung, 디스크"


def made(folder: Path | None, documents: list[dict[str, str]] = DOCUMENTS) -> BM25F:
    return word_index(documents, WEIGHTS, 1.2, 0.75, tokenize, folder)


def counting(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts how often an index is made rather than read."""
    calls: list[int] = []
    fit = BM25F.fit

    def counted(self: BM25F, documents: object) -> BM25F:
        calls.append(len(list(documents)))  # type: ignore[call-overload]
        return fit(self, documents)  # type: ignore[arg-type]

    monkeypatch.setattr(BM25F, "fit", counted)
    return calls


texts = st.lists(st.fixed_dictionaries({"text": st.text(max_size=30)}), max_size=4)


@given(texts, st.text(max_size=20))
def test_arrays_give_the_same_index_back(documents: list[dict[str, str]], query: str) -> None:
    index = BM25F(WEIGHTS).fit(documents)
    other = BM25F(WEIGHTS)
    other.restore(index.arrays())
    assert np.array_equal(index.scores(query), other.scores(query))
    assert index.known_share(query) == other.known_share(query)
    for row in range(len(documents)):
        assert index.explain(query, row) == other.explain(query, row)


def test_the_second_time_nothing_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = made(tmp_path)
    calls = counting(monkeypatch)
    second = made(tmp_path)
    assert max(calls, default=0) == 0  # the empty index of a new object only
    assert np.array_equal(first.scores(QUERY), second.scores(QUERY))
    assert first.scores(QUERY).any()


@pytest.mark.parametrize(
    "other",
    [
        [{"title": "NCCL timeout", "text": "rank 4 hung"}, DOCUMENTS[1]],
        [{"text": "NCCL timeout", "title": "rank 3 hung"}, DOCUMENTS[1]],
        DOCUMENTS[::-1],
        DOCUMENTS[:1],
    ],
)
def test_other_texts_have_an_index_of_their_own(
    other: list[dict[str, str]], tmp_path: Path
) -> None:
    made(tmp_path)
    found = made(tmp_path, other)
    judge = BM25F(WEIGHTS, 1.2, 0.75).fit(other)
    assert np.array_equal(found.scores(QUERY), judge.scores(QUERY))


def test_other_settings_have_an_index_of_their_own(tmp_path: Path) -> None:
    made(tmp_path)
    for k1, b, cut in ((4.0, 0.75, tokenize), (1.2, 1.0, tokenize), (1.2, 0.75, letter_grams)):
        found = word_index(DOCUMENTS, WEIGHTS, k1, b, cut, tmp_path)
        judge = BM25F(WEIGHTS, k1, b, cut).fit(DOCUMENTS)
        assert np.array_equal(found.scores(QUERY), judge.scores(QUERY))
    assert len(list(tmp_path.glob("words-*.npz"))) == 4


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_file_is_made_anew(damage: bytes | None, tmp_path: Path) -> None:
    first = made(tmp_path)
    (file,) = tmp_path.glob("words-*.npz")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert np.array_equal(made(tmp_path).scores(QUERY), first.scores(QUERY))
    assert file.read_bytes() == whole


def test_arrays_that_do_not_fit_are_refused() -> None:
    arrays = BM25F(WEIGHTS).fit(DOCUMENTS).arrays()
    for name, value in (
        ("rows", arrays["rows"] + 9),
        ("starts", arrays["starts"][:-1]),
        ("shares", arrays["shares"][1:]),
        ("words", arrays["words"][:3]),
    ):
        with pytest.raises(ValueError, match="do not fit"):
            BM25F(WEIGHTS).restore({**arrays, name: value})


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    assert np.array_equal(made(file).scores(QUERY), made(None).scores(QUERY))


def test_old_files_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "KEPT", 3)
    for number in range(5):
        made(tmp_path, [{"text": f"case {number}"}])
    assert len(list(tmp_path.glob("words-*.npz"))) == 3
    assert KEPT >= 4  # two libraries at hand never push each other out
