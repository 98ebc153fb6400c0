"""multilingual-e5-small in numpy: queries without torch and without its ten-second import.

The model is BERT (Devlin et al. 2019) with 12 layers and 384 dimensions; sentence vectors are
the mean of the last layer's tokens, scaled to length one (Wang et al. 2024, "Multilingual E5").
Tokens of all texts of a batch lie end to end in one matrix, so there is no padding and no mask:
attention simply runs text by text. A test holds it to the torch path, cosine >= 0.9999.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from embeddings.e5_tokenizer import UnigramTokenizer
from embeddings.vectors import empty, unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from embeddings.e5_file import E5File

    Floats = NDArray[np.float32]

T = TypeVar("T")

_BATCH_TOKENS = 1024
_GELU_CHUNK = 1 << 15


@dataclass(frozen=True, slots=True)
class _Linear:
    """The map x @ weight + bias; weight is (inputs, outputs), row after row."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        y: Floats = x @ self.weight
        y += self.bias
        return y


@dataclass(frozen=True, slots=True)
class _LayerNorm:
    """Layer norm (Ba et al. 2016) over the last axis."""

    gain: Floats
    bias: Floats
    epsilon: float

    def __call__(self, x: Floats) -> Floats:
        x = x - x.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x)[:, None] / x.shape[-1]
        x /= np.sqrt(variance + np.float32(self.epsilon))
        x *= self.gain
        x += self.bias
        return x


@dataclass(frozen=True, slots=True)
class _Layer:
    """One block: attention and feed-forward, each added to its input and normed."""

    qkv: _Linear
    out: _Linear
    out_norm: _LayerNorm
    up: _Linear
    down: _Linear
    down_norm: _LayerNorm


class LightE5:
    """The encoder over one weights file; decoding its 12 layers takes about 0.1 s and 85 MB."""

    def __init__(self, file: E5File) -> None:
        """Decode the layers; rows of the token table are decoded as texts need them."""
        self._file = file
        self.tokenizer = UnigramTokenizer(file.pieces())
        self._heads = file.shape.heads
        hidden = file.shape.hidden
        self._positions = file.matrix("emb.pos", hidden) + file.vector("emb.type")[:hidden]
        self._norm = self._layer_norm("emb.ln")
        self._layers = [self._layer(f"l{n}") for n in range(file.shape.layers)]

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return self._file.shape.hidden

    def encode(
        self, texts: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> Floats:
        """Unit vectors of texts that already carry their prefix: float32 (n, dimension)."""
        return self._encode(texts, lambda _: None, progress)[0]

    def encode_with_tokens(
        self,
        prefix: str,
        texts: Sequence[str],
        keep: Callable[[Floats], T],
        progress: Callable[[int, int], None] | None = None,
    ) -> tuple[Floats, list[T]]:
        """Unit vectors of `prefix` + text, as `encode` gives them, and what is kept of the tokens.

        `keep` gets the last hidden states of each text's own tokens, float32 (tokens, dimension):
        without <s>, the prefix and </s>, so none for a text without words. The states go when it
        returns. A prefix must end with a space, or its pieces could run into the text.
        """
        first = self.own_tokens(prefix)
        return self._encode([prefix + t for t in texts], lambda h: keep(h[first:-1]), progress)

    def own_tokens(self, prefix: str) -> int:
        """Where the tokens of a text begin behind <s> and the prefix; its last one is </s>."""
        return len(self.tokenizer.ids(prefix)) - 1 if prefix else 1

    def _encode(
        self,
        texts: Sequence[str],
        keep: Callable[[Floats], T],
        progress: Callable[[int, int], None] | None,
    ) -> tuple[Floats, list[T]]:
        if not texts:
            return empty(self.dimension), []
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        kept: list[T] = []
        for rows, ids in self._batches(texts):
            hidden = self._forward(ids)
            vectors[rows] = self._means(hidden, ids)
            cuts = np.cumsum([0, *map(len, ids)]).tolist()
            kept += [keep(hidden[start:end]) for start, end in pairwise(cuts)]
            if progress is not None:
                progress(len(kept), len(texts))
        return unit(vectors, self.dimension), kept

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[list[int]]]]:
        """Row numbers and piece ids, in order, as many texts as fit the budget of tokens."""
        rows: list[int] = []
        batch: list[list[int]] = []
        for row, text in enumerate(texts):
            ids = self.tokenizer.ids(text)
            if batch and sum(map(len, batch)) + len(ids) > _BATCH_TOKENS:
                yield rows, batch
                rows, batch = [], []
            rows.append(row)
            batch.append(ids)
        yield rows, batch

    def _forward(self, texts: list[list[int]]) -> Floats:
        """Last hidden states of all tokens of all texts, end to end: (tokens, hidden)."""
        flat = np.concatenate([np.asarray(ids, dtype=np.int64) for ids in texts])
        places = np.concatenate([np.arange(len(ids)) for ids in texts])
        used, where = np.unique(flat, return_inverse=True)
        x = self._file.rows("emb.word", used, self.dimension)[where]
        x = self._norm(x + self._positions[places])
        cuts = np.cumsum([0, *map(len, texts)]).tolist()
        for layer in self._layers:
            x = layer.out_norm(x + layer.out(self._attend(layer.qkv(x), cuts)))
            x = layer.down_norm(x + layer.down(_gelu(layer.up(x))))
        return x

    def _attend(self, qkv: Floats, cuts: list[int]) -> Floats:
        """Scaled dot-product attention (Vaswani et al. 2017), each text within itself."""
        size = self.dimension // self._heads
        context = np.empty((len(qkv), self.dimension), dtype=np.float32)
        for start, end in pairwise(cuts):
            parts = qkv[start:end].reshape(end - start, 3, self._heads, size)
            q, k, v = parts.transpose(1, 2, 0, 3)
            weights = q @ k.transpose(0, 2, 1) * np.float32(size**-0.5)
            weights -= weights.max(axis=-1, keepdims=True)
            np.exp(weights, out=weights)
            weights /= weights.sum(axis=-1, keepdims=True)
            context[start:end] = (weights @ v).transpose(1, 0, 2).reshape(end - start, -1)
        return context

    def _means(self, hidden: Floats, texts: list[list[int]]) -> Floats:
        lengths = np.array([len(ids) for ids in texts])
        starts = np.cumsum(lengths) - lengths
        means: Floats = np.add.reduceat(hidden, starts, axis=0) / lengths[:, None]
        return means.astype(np.float32)

    def _layer(self, name: str) -> _Layer:
        return _Layer(
            qkv=self._linear(f"{name}.q", f"{name}.k", f"{name}.v"),
            out=self._linear(f"{name}.ao"),
            out_norm=self._layer_norm(f"{name}.aln"),
            up=self._linear(f"{name}.fi"),
            down=self._linear(f"{name}.fo"),
            down_norm=self._layer_norm(f"{name}.oln"),
        )

    def _linear(self, *names: str) -> _Linear:
        """One linear map; several names are laid side by side to save calls."""
        biases = [self._file.vector(f"{name}.b") for name in names]
        shape = self._file.shape
        columns = shape.feed_forward if names[0].endswith(".fo") else shape.hidden
        weights = [self._file.transposed(f"{name}.w", columns) for name in names]
        return _Linear(np.concatenate(weights, axis=1), np.concatenate(biases))

    def _layer_norm(self, name: str) -> _LayerNorm:
        gain, bias = self._file.vector(f"{name}.w"), self._file.vector(f"{name}.b")
        return _LayerNorm(gain, bias, self._file.shape.epsilon)


def _gelu(x: Floats) -> Floats:
    """GELU (Hendrycks & Gimpel 2016): x times the normal distribution function, in place."""
    flat = x.reshape(-1)
    for start in range(0, len(flat), _GELU_CHUNK):  # chunks that stay in the processor's cache
        part = flat[start : start + _GELU_CHUNK]
        size = np.abs(part)
        loss = _upper_tail(size)
        loss *= size
        np.maximum(part, 0, out=part)
        part -= loss
    return x


def _upper_tail(x: Floats) -> Floats:
    """1 - normal distribution function for x >= 0.

    Abramowitz & Stegun 1964, 7.1.26 for erf, error below 1.5e-7: numpy has none, and scipy's
    would cost its import. Their constants, halved, and x times sqrt(1/2) folded in.
    """
    t = x * np.float32(0.3275911 * 0.5**0.5)
    t += 1
    np.reciprocal(t, out=t)
    tail = t * np.float32(1.061405429 / 2)
    for constant in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += np.float32(constant / 2)
        tail *= t
    np.multiply(x, x, out=t)
    t *= np.float32(-0.5)
    np.exp(t, out=t)
    tail *= t
    return tail
