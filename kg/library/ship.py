"""Embed the shipped cases once, for everybody: `python -m kg.library.ship .` in a checkout."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from embeddings import (
    CachedEncoder,
    TokenFile,
    VectorFile,
    load_encoder,
    token_encoder,
    vector_key,
    write_tokens,
    write_vectors,
)
from embeddings.token_file import PASSAGE_TOKENS
from kg.library.background import QUESTIONS
from kg.library.build import SHIPPED_TOKENS, SHIPPED_VECTORS
from kg.library.passages import passages_of
from kg.library.progress import print_progress
from kg.library.tagging import term_passages
from kg.readers import load_batch, read_vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embeddings import Encoder


def shipped_texts(data: Path) -> dict[str, list[str]]:
    """Every text that a build of the shipped cases and their tagger embed, by role."""
    terms = term_passages(read_vocabulary(data / "vocabulary"))
    return {"passage": sorted({*token_texts(data), *terms}), "query": list(QUESTIONS)}


def token_texts(data: Path) -> list[str]:
    """The passages of the shipped cases, whose tokens are embedded too."""
    batch = load_batch([data / "cases"], read_vocabulary(data / "vocabulary"))
    return sorted({p.text for p in passages_of(batch.cases)})


def ship(data: Path, encoder: Encoder) -> tuple[int, int]:
    """Write the vectors of all shipped texts, and of the passages' tokens where the encoder can.

    Those already there are kept. Returns how many vectors there are, and how many tokens.
    """
    texts = shipped_texts(data)
    known, known_tokens = VectorFile(data / SHIPPED_VECTORS), TokenFile(data / SHIPPED_TOKENS)
    maker = CachedEncoder(encoder, None, known, known_tokens)
    print_role = partial(print_progress, "passage")
    codes: dict[bytes, NDArray[np.int8]] = {}
    vectors: dict[bytes, NDArray[np.float32]] = {}
    if token_encoder(maker) is not None:
        own = token_texts(data)
        rows, tokens = maker.encode_passages_with_tokens(own, print_role)
        codes = dict(zip(_keys(encoder, PASSAGE_TOKENS, own), tokens, strict=True))
        vectors = dict(zip(_keys(encoder, "passage", own), rows, strict=True))
    rest = [t for t in texts["passage"] if _keys(encoder, "passage", [t])[0] not in vectors]
    rows = maker.encode_passages(rest, print_role)
    vectors |= zip(_keys(encoder, "passage", rest), rows, strict=True)
    queries = maker.encode_queries(texts["query"])
    vectors |= zip(_keys(encoder, "query", texts["query"]), queries, strict=True)
    stored = known.stored(vectors, encoder.dimension)
    written = {key: stored.get(key, vector) for key, vector in vectors.items()}
    known.path.parent.mkdir(exist_ok=True)
    write_vectors(known.path, written)
    write_tokens(known_tokens.path, codes)
    return len(vectors), sum(map(len, codes.values()))


def _keys(encoder: Encoder, role: str, texts: Sequence[str]) -> list[bytes]:
    return [vector_key(encoder.fingerprint, role, text) for text in texts]


def main(arguments: Sequence[str]) -> int:
    """Write the file and say how much it holds; 2 on bad use."""
    if len(arguments) != 1 or not Path(arguments[0], "datasets", "cases").is_dir():
        print("use: python -m kg.library.ship CHECKOUT", file=sys.stderr)
        return 2
    data = Path(arguments[0], "datasets")
    vectors, tokens = ship(data, load_encoder())
    print(f"{vectors} vectors in {data / SHIPPED_VECTORS}, {tokens} tokens beside")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
