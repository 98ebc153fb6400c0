"""Text -> piece ids for multilingual-e5-small (SentencePiece unigram, as XLM-RoBERTa).

Two builds over the same pieces give the same ids: `UnigramTokenizer`, plain Python, ready in
0.3 s and right for queries; and a `tokenizers.Tokenizer`, ready in about 1 s and fast on bulk.

Normalisation is SentencePiece's ``nmt_nfkc``. The weights file holds it as a map of single code
points, which cannot compose, so text is first composed (NFC): a Korean text typed on macOS
arrives as separate jamo. Spaces are trimmed and runs of them collapsed, as SentencePiece does.

Unigram segmentation: Kudo 2018, "Subword Regularization", the most probable path (Viterbi).
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizers import Tokenizer

    from embeddings.e5_file import Pieces

MAX_TOKENS = 512
"""Tokens that the model can see, <s> and </s> included; longer texts are cut at the end."""

MARK = "\u2581"
"""SentencePiece's sign for "a word starts here"."""

_UNKNOWN_PENALTY = 10.0
_MEMORY = 50_000
_SPACES = re.compile(" +")


def normalise(text: str, character_map: dict[int, str]) -> str:
    """NFC, then the model's character map, then single spaces; never leading or trailing ones."""
    mapped = unicodedata.normalize("NFC", text).translate(character_map)
    return _SPACES.sub(" ", mapped).strip(" ")


class UnigramTokenizer:
    """The pieces as a plain dictionary and a Viterbi search per word."""

    def __init__(self, pieces: Pieces) -> None:
        """Index the pieces; special tokens are never produced from text."""
        self._pieces = pieces
        self._ids = {text: number for number, text in enumerate(pieces.texts)}
        for special in (pieces.bos, pieces.eos, pieces.pad, pieces.unk):
            self._ids.pop(pieces.texts[special], None)
        self._longest = max(map(len, self._ids), default=0)
        self._unknown = min(pieces.scores) - _UNKNOWN_PENALTY
        self._memory: dict[str, list[int]] = {}

    def ids(self, text: str) -> list[int]:
        """Piece ids of one text with <s> and </s>, at most `MAX_TOKENS`."""
        found: list[int] = []
        for word in normalise(text, self._pieces.character_map).split(" "):
            found.extend(self._word(MARK + word))
            if len(found) >= MAX_TOKENS - 2:
                break
        return [self._pieces.bos, *found[: MAX_TOKENS - 2], self._pieces.eos]

    def _word(self, word: str) -> list[int]:
        known = self._memory.get(word)
        if known is None:
            known = self._best_path(word)
            if len(self._memory) < _MEMORY:
                self._memory[word] = known
        return known

    def _best_path(self, word: str) -> list[int]:
        """The most probable pieces; a run of unknown characters becomes one <unk>."""
        best = [0.0] + [float("-inf")] * len(word)
        back: list[tuple[int, int]] = [(0, 0)] * (len(word) + 1)
        for start in range(len(word)):
            self._extend(word, start, best, back)
        path: list[int] = []
        at = len(word)
        while at > 0:
            at, piece = back[at]
            if not (path and piece == path[-1] == self._pieces.unk):
                path.append(piece)
        return path[::-1]

    def _extend(
        self, word: str, start: int, best: list[float], back: list[tuple[int, int]]
    ) -> None:
        """Try every piece that begins at `start`; an unknown character only without a piece."""
        single = False
        for end in range(start + 1, min(start + self._longest, len(word)) + 1):
            piece = self._ids.get(word[start:end])
            if piece is None:
                continue
            single = single or end == start + 1
            score = best[start] + self._pieces.scores[piece]
            if score > best[end]:
                best[end], back[end] = score, (start, piece)
        if not single and best[start] + self._unknown > best[start + 1]:
            best[start + 1], back[start + 1] = (
                best[start] + self._unknown,
                (start, self._pieces.unk),
            )


def build_tokenizer(pieces: Pieces) -> Tokenizer:
    """A `tokenizers.Tokenizer` over the pieces: <s> … </s>, cut at `MAX_TOKENS`.

    Give it text that went through `normalise`: the character map does not fit its normalisers.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    vocabulary = list(zip(_without_specials(pieces), pieces.scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=pieces.unk, byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    bos, eos = vocabulary[pieces.bos][0], vocabulary[pieces.eos][0]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}",
        pair=f"{bos} $A {eos} {eos} $B {eos}",
        special_tokens=[(bos, pieces.bos), (eos, pieces.eos)],
    )
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.enable_padding(pad_id=pieces.pad, pad_token=vocabulary[pieces.pad][0])
    return tokenizer


def _without_specials(pieces: Pieces) -> Sequence[str]:
    """Piece texts where the specials have names that text cannot spell (a control character).

    A log line may well hold "</s>"; it must be read as text, not end the sequence.
    """
    texts = list(pieces.texts)
    for special in (pieces.bos, pieces.eos, pieces.pad, pieces.unk):
        texts[special] = "\x00" + texts[special]
    return texts
