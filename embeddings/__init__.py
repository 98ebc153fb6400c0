"""Text -> vectors -> neighbours. Knows nothing of incidents and never imports `kg`.

Floors, each importing only those below it::

    cache                       vectors remembered on disk, keyed by encoder, role and text
    vector_file                 vectors that come with the data, read only
    encoders   e5               text -> unit vectors (default: multilingual-e5-small)
               e5_light e5_torch  the same weights run by numpy, or by sentence-transformers
               e5_tokenizer       text -> piece ids
               e5_file            the weights file, read as data
    index                       vectors -> neighbours (FAISS, exact)
    lexical    tokens           words -> scores (BM25F), identifiers kept whole
    passages                    long text -> spans of 25 to 45 words
    vectors    errors

Importing this package or any module of it loads nothing heavier than numpy; torch,
sentence-transformers, faiss and tokenizers are imported by the calls that need them.
"""

from __future__ import annotations

from embeddings.cache import CachedEncoder, VectorCache, default_cache_dir
from embeddings.encoders import Encoder, HashEncoder, SentenceTransformerEncoder, load_encoder
from embeddings.errors import (
    BadIndexFolder,
    BadVector,
    EmbeddingError,
    EncoderMismatch,
    EncoderNotFound,
    MissingExtra,
)
from embeddings.index import Neighbor, VectorIndex
from embeddings.lexical import BM25F
from embeddings.passages import Span, split_passages
from embeddings.tokens import tokenize, whole_tokens
from embeddings.vector_file import VectorFile, vector_key, write_vectors

__all__ = [
    "BM25F",
    "BadIndexFolder",
    "BadVector",
    "CachedEncoder",
    "EmbeddingError",
    "Encoder",
    "EncoderMismatch",
    "EncoderNotFound",
    "HashEncoder",
    "MissingExtra",
    "Neighbor",
    "SentenceTransformerEncoder",
    "Span",
    "VectorCache",
    "VectorFile",
    "VectorIndex",
    "default_cache_dir",
    "load_encoder",
    "split_passages",
    "tokenize",
    "vector_key",
    "whole_tokens",
    "write_vectors",
]
