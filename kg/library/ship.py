"""Embed the shipped cases once, for everybody: `python -m kg.library.ship .` in a checkout."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from embeddings import VectorFile, load_encoder, vector_key, write_vectors
from kg.library.background import QUESTIONS
from kg.library.build import SHIPPED_VECTORS
from kg.library.passages import passages_of
from kg.library.progress import print_progress
from kg.readers import load_batch, read_vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embeddings import Encoder


def shipped_texts(data: Path) -> dict[str, list[str]]:
    """Every text that a build of the shipped cases embeds, by role."""
    batch = load_batch([data / "cases"], read_vocabulary(data / "vocabulary"))
    passages = sorted({p.text for p in passages_of(batch.cases)})
    return {"passage": passages, "query": list(QUESTIONS)}


def ship(data: Path, encoder: Encoder) -> int:
    """Write the vectors of all shipped texts; those already there are kept. Returns how many."""
    target = data / SHIPPED_VECTORS
    vectors: dict[bytes, NDArray[np.float32]] = {}
    for role, texts in shipped_texts(data).items():
        keys = {vector_key(encoder.fingerprint, role, text): text for text in texts}
        vectors |= VectorFile(target).get(keys, encoder.dimension)
        new = {key: text for key, text in keys.items() if key not in vectors}
        made = _encode(encoder, role, list(new.values()))
        vectors |= dict(zip(new, made, strict=True))
    target.parent.mkdir(exist_ok=True)
    write_vectors(target, vectors)
    return len(vectors)


def _encode(encoder: Encoder, role: str, texts: Sequence[str]) -> NDArray[np.float32]:
    if role == "query":
        return encoder.encode_queries(texts)
    return encoder.encode_passages(texts, lambda done, total: print_progress(role, done, total))


def main(arguments: Sequence[str]) -> int:
    """Write the file and say how much it holds; 2 on bad use."""
    if len(arguments) != 1 or not Path(arguments[0], "datasets", "cases").is_dir():
        print("use: python -m kg.library.ship CHECKOUT", file=sys.stderr)
        return 2
    count = ship(Path(arguments[0], "datasets"), load_encoder())
    print(f"{count} vectors in {Path(arguments[0], 'datasets', SHIPPED_VECTORS)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
