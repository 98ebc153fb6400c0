"""From the documents of a set to a `Retriever` over their passages."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import numpy as np

from embeddings.encoders import token_encoder
from embeddings.late import TokenTable
from embeddings.passages import split_passages
from embeddings.retriever import Retriever

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from embeddings.encoders import Encoder
    from embeddings.evaluate.beir import Document
    from embeddings.fitted import Fitted

    Progress = Callable[[str, int, int], None]

MOST_PASSAGES = 20_000
"""Passages embedded of a set at most: ten minutes on two cores. Beyond, each document gives its
first ones only, as many for each as fit."""


def build_retriever(
    documents: Sequence[Document],
    passages: Sequence[Sequence[str]],
    encoder: Encoder,
    parameters: Fitted,
    progress: Progress,
) -> Retriever:
    """Embed and index documents, each with its passages (`passages_of`)."""
    flat = [text for own in passages for text in own]
    owners = np.repeat(np.arange(len(passages)), [len(own) for own in passages]).astype(np.int64)

    def embedded(done: int, total: int) -> None:
        progress("embedding passages", done, total)

    with_tokens = token_encoder(encoder)
    if with_tokens is None:
        vectors, table = encoder.encode_passages(flat, embedded), None
    else:
        vectors, codes = with_tokens.encode_passages_with_tokens(flat, embedded)
        table = TokenTable.of(codes)
    words = [{"title": d.title, "text": "\n".join([d.text, *d.fields.values()])} for d in documents]
    return Retriever(words, owners, vectors, encoder.fingerprint, table, parameters)


def size_of(retriever: Retriever) -> int:
    """Bytes of vectors and token codes."""
    tokens = retriever.tokens
    return int(retriever.index.vectors.nbytes) + (0 if tokens is None else int(tokens.codes.nbytes))


def passages_of(documents: Sequence[Document], most: int = MOST_PASSAGES) -> list[list[str]]:
    """The passages of each document; only title, text and fields are looked at.

    Where there are more than `most`, each document gives its first ones, as many as fit.
    """
    cut = []
    for document in documents:
        body = document.text or "\n".join(document.fields.values())
        text = f"{document.title}\n{body}" if document.title else body
        cut.append([text[start:end] for start, end in split_passages(text)])
    limit = _limit([len(parts) for parts in cut], most)
    return [parts[:limit] for parts in cut]


def _limit(sizes: Sequence[int], most: int) -> int:
    """The largest number of passages a document that keeps all within `most`; at least 1."""
    limits = range(1, max(sizes, default=1) + 1)
    within = bisect_right(limits, most, key=lambda limit: sum(min(size, limit) for size in sizes))
    return max(1, within)
