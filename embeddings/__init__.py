"""Text -> vectors -> neighbours. Knows nothing of incidents and never imports `kg`.

Floors, each importing only those below it::

    evaluate                    sets that people judged -> figures; the fitting of weights
    retriever                   all text lanes over one corpus, and their sum
    cache                       vectors remembered on disk, keyed by encoder, role and text
    token_file                  token vectors that come with the data, read only
    vector_file                 vectors that come with the data, read only
    encoders   e5               text -> unit vectors (default: multilingual-e5-small)
    e5_basis                    the axes of its token vectors, a file
    parallel_sentences          the texts that they were made from
    e5_light   e5_torch         the same weights run by numpy, or by sentence-transformers
    e5_tokenizer                text -> piece ids
    e5_file                     the weights file, read as data
    index      approximate      vectors -> neighbours (FAISS, exact or not)
    index_files                 the files of an index, whole or refused
    fusion     calibrate        scores of lanes -> one score; score -> probability
    pooling    diverse          passages -> documents; near-duplicates folded, MMR
    centre                      vectors seen from the middle of their space
    late                        token vectors -> scores (MaxSim)
    word_cache                  word indexes remembered on disk
    lexicon                     words -> words of another language
    lexical    tokens           words -> scores (BM25F), identifiers kept whole
    query      passages         long queries -> few parts; long text -> spans of 25 to 45 words
    fitted     word_lists       the fitted numbers; words that are left out, and particles
    vectors    errors

Importing this package or any module of it loads nothing heavier than numpy; torch,
sentence-transformers, faiss and tokenizers are imported by the calls that need them.
"""

from __future__ import annotations

from embeddings.cache import CachedEncoder, VectorCache, default_cache_dir
from embeddings.diverse import diverse, folded, mean_vectors
from embeddings.encoders import (
    Encoder,
    HashEncoder,
    SentenceTransformerEncoder,
    TokenEncoder,
    load_encoder,
    token_encoder,
)
from embeddings.errors import (
    BadEvalSet,
    BadIndexFolder,
    BadVector,
    EmbeddingError,
    EncoderMismatch,
    EncoderNotFound,
    MissingExtra,
)
from embeddings.fitted import Fitted, FusionParameters, WordParameters, fitted
from embeddings.fusion import fuse
from embeddings.index import Neighbor, VectorIndex
from embeddings.late import TokenBasis, TokenTable
from embeddings.lexical import BM25F
from embeddings.passages import Span, split_passages
from embeddings.pooling import PassagePool
from embeddings.query import condense, query_parts
from embeddings.retriever import EmbeddedQuery, Ranking, Retriever, embed_queries, embed_query
from embeddings.token_file import TokenFile, write_tokens
from embeddings.tokens import tokenize, whole_tokens
from embeddings.vector_file import VectorFile, vector_key, write_vectors

__all__ = [
    "BM25F",
    "BadEvalSet",
    "BadIndexFolder",
    "BadVector",
    "CachedEncoder",
    "EmbeddedQuery",
    "EmbeddingError",
    "Encoder",
    "EncoderMismatch",
    "EncoderNotFound",
    "Fitted",
    "FusionParameters",
    "HashEncoder",
    "MissingExtra",
    "Neighbor",
    "PassagePool",
    "Ranking",
    "Retriever",
    "SentenceTransformerEncoder",
    "Span",
    "TokenBasis",
    "TokenEncoder",
    "TokenFile",
    "TokenTable",
    "VectorCache",
    "VectorFile",
    "VectorIndex",
    "WordParameters",
    "condense",
    "default_cache_dir",
    "diverse",
    "embed_queries",
    "embed_query",
    "fitted",
    "folded",
    "fuse",
    "load_encoder",
    "mean_vectors",
    "query_parts",
    "split_passages",
    "token_encoder",
    "tokenize",
    "vector_key",
    "whole_tokens",
    "write_tokens",
    "write_vectors",
]
