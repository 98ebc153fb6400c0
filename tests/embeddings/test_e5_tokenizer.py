"""Pieces: plain Python and the tokenizers package give the same ids, and the best path."""

from __future__ import annotations

import itertools
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings.e5_file import E5File, Pieces, find_weights
from embeddings.e5_tokenizer import (
    MARK,
    MAX_TOKENS,
    UnigramTokenizer,
    build_tokenizer,
    normalise,
)

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from embeddings.e5 import E5Encoder

TEXTS = [
    "",
    "   ",
    "query: NCCL watchdog timeout",
    "훈련 중 노드가 멈추고 통신이 끊겼다.",
    "GPU가 버스에서 떨어졌다 (Xid 79)\n\n두 번째 줄\t탭",
    "训练任务失败，因为交换机重启。",
    "naïve café ﬁne ½ ㎏ １２３ ＡＢＣ",
    "--kill-on-bad-exit=1 NCCL_IB_TIMEOUT=22 1024*14",
    "emoji 🔥🔥 and \U0001f9ff\U000e0041 rare",
    "</s> <pad> <s> <unk> <mask>",
    "zero\u200bwidth and \x00 control \x07",
]


@pytest.fixture(scope="module")
def pieces(e5: E5Encoder) -> Pieces:
    return E5File(find_weights()).pieces()


@pytest.fixture(scope="module")
def plain(pieces: Pieces) -> UnigramTokenizer:
    return UnigramTokenizer(pieces)


@pytest.fixture(scope="module")
def fast(pieces: Pieces) -> Tokenizer:
    return build_tokenizer(pieces)


def _fast_ids(fast: Tokenizer, pieces: Pieces, text: str) -> list[int]:
    return list(fast.encode(normalise(text, pieces.character_map)).ids)


@pytest.mark.parametrize("text", TEXTS)
def test_both_give_the_same_ids(
    text: str, plain: UnigramTokenizer, fast: Tokenizer, pieces: Pieces
) -> None:
    if text.strip():
        assert plain.ids(text) == _fast_ids(fast, pieces, text)


@settings(deadline=None, max_examples=300)
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_both_give_the_same_ids_for_any_text(
    plain: UnigramTokenizer, fast: Tokenizer, pieces: Pieces, text: str
) -> None:
    if normalise(text, pieces.character_map):
        assert plain.ids(text) == _fast_ids(fast, pieces, text)


def test_known_ids_of_xlm_roberta(plain: UnigramTokenizer) -> None:
    assert plain.ids("Hello world") == [0, 35378, 8999, 2]
    assert plain.ids("query: 훈련 중 NCCL")[:6] == [0, 41, 1294, 12, 6, 104564]


def test_no_text_gives_a_special_token(plain: UnigramTokenizer, fast: Tokenizer) -> None:
    for ids in (plain.ids("</s> <pad> <s>"), fast.encode("</s> <pad> <s>").ids):
        assert not {0, 1, 2} & set(ids[1:-1])


def test_long_texts_are_cut_to_what_the_model_sees(
    plain: UnigramTokenizer, fast: Tokenizer, pieces: Pieces
) -> None:
    ids = plain.ids("노드 timeout " * 400)
    assert len(ids) == MAX_TOKENS
    assert (ids[0], ids[-1]) == (pieces.bos, pieces.eos)
    assert ids == _fast_ids(fast, pieces, "노드 timeout " * 400)


def test_decomposed_korean_is_the_same_text(plain: UnigramTokenizer) -> None:
    text = "통신이 끊겼다"
    assert plain.ids(unicodedata.normalize("NFD", text)) == plain.ids(text)


@pytest.mark.parametrize("padding", [" ", "\n", "\t\t", "\u3000"])
def test_space_around_a_text_changes_nothing(plain: UnigramTokenizer, padding: str) -> None:
    assert plain.ids(padding + "GPU  lost" + padding) == plain.ids("GPU lost")


def _best_by_trying_all(word: str, pieces: Pieces) -> float:
    """The score of the best split, found by trying every one of them."""
    table = dict(zip(pieces.texts[4:], pieces.scores[4:], strict=True))
    unknown = min(pieces.scores) - 10
    best = float("-inf")
    for cuts in itertools.product([False, True], repeat=len(word) - 1):
        ends = [i + 1 for i, cut in enumerate(cuts) if cut] + [len(word)]
        parts = [word[a:b] for a, b in itertools.pairwise([0, *ends])]
        if all(part in table or len(part) == 1 for part in parts):
            best = max(best, sum(table.get(part, unknown) for part in parts))
    return best


@pytest.mark.parametrize("length", range(1, 6))
def test_the_path_is_the_most_probable_one(tiny: E5File, length: int) -> None:
    pieces = tiny.pieces()
    tokenizer = UnigramTokenizer(pieces)
    for letters in itertools.product("ab노", repeat=length):
        word = "".join(letters)
        ids = tokenizer.ids(word)[1:-1]
        if pieces.unk not in ids:
            score = sum(pieces.scores[i] for i in ids)
            assert score == pytest.approx(_best_by_trying_all(MARK + word, pieces))


def test_a_run_of_unknown_characters_is_one_token(tiny: E5File) -> None:
    assert UnigramTokenizer(tiny.pieces()).ids("ab xyz가") == [0, 8, 4, 3, 10, 2]
