"""Vectors of passages: made anew, or taken over from a library that holds the same words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from embeddings import TokenTable, token_encoder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from embeddings import Encoder
    from kg.store import Snapshot

    Vectors = NDArray[np.float32]
    Codes = NDArray[np.int8]


def embed_passages(
    texts: Sequence[str],
    encoder: Encoder,
    progress: Callable[[int, int], None],
    known: Snapshot | None = None,
) -> tuple[Vectors, TokenTable | None]:
    """Vectors of texts, (n, dimension), and their tokens where the encoder gives them.

    Args:
        texts: the passages.
        encoder: makes what is not known.
        progress: called as progress(done, total) while it does.
        known: a snapshot whose passages need not be embedded again; one of other vectors is not
            looked at.
    """
    maker = token_encoder(encoder)
    held = _held(known, encoder.fingerprint, maker is not None)
    new = [t for t in dict.fromkeys(texts) if t not in held]
    if maker is not None:
        vectors, codes = maker.encode_passages_with_tokens(new, progress)
        made = {t: (v, c) for t, v, c in zip(new, vectors, codes, strict=True)}
    else:
        nothing = np.zeros((0, 0), dtype=np.int8)
        made = {
            t: (v, nothing)
            for t, v in zip(new, encoder.encode_passages(new, progress), strict=True)
        }
    found = [made[t] if t in made else held[t] for t in texts]
    stacked = (
        np.stack([v for v, _ in found])
        if found
        else np.zeros((0, encoder.dimension), dtype=np.float32)
    )
    if maker is None:
        return stacked, None
    return stacked, TokenTable.of([c for _, c in found], maker.token_dimension)


def _held(
    known: Snapshot | None, fingerprint: str, with_tokens: bool
) -> dict[str, tuple[Vectors, Codes]]:
    """The vectors of a snapshot by text; none where they come from another encoder."""
    if known is None or known.fingerprint != fingerprint:
        return {}
    texts = [p.text for p in known.passages]
    if not with_tokens:
        nothing = np.zeros((0, 0), dtype=np.int8)
        return {t: (v, nothing) for t, v in zip(texts, known.vectors, strict=True)}
    codes, starts = known.token_codes, known.token_starts
    if codes is None or starts is None:
        return {}
    parts = [codes[a:b] for a, b in pairwise(starts.tolist())]
    return {t: (v, c) for t, v, c in zip(texts, known.vectors, parts, strict=True)}
