"""The plain rows that every table shows beside the lanes: BM25 and two kinds of TF-IDF.

Each takes documents and queries as texts and gives one row of scores a query, so that a table of
3,000 queries by 5,000 documents never lies in memory. The settings are those that reproduce
`baselines.tsv` of the development sets:

`bm25`
    Robertson & Zaragoza 2009, "The probabilistic relevance framework", as Lucene has it (Kamphuis
    et al. 2020, "Which BM25 do you mean?"): k1 1.2, b 0.75, idf ``ln(1 + (n - df + 0.5) / (df +
    0.5))``. Words are runs of two or more word signs in lower case, without Lucene's 33 English
    stop words and without stemming. A word that the query repeats counts as often as it occurs.
`tfidf_words`
    Salton & Buckley 1988, "Term-weighting approaches in automatic text retrieval": cosine of
    ``(1 + ln tf) x (1 + ln((1 + n) / (1 + df)))`` over the same words without scikit-learn's
    longer list of English stop words.
`tfidf_characters`
    The same weights over runs of 3 to 5 characters inside words, padded with a blank at both
    ends; no stop words. The only one of the three that needs no blanks between words.

`plain_text` joins a document: its title twice, then its text.
"""

from __future__ import annotations

import importlib
import math
import re
from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from embeddings.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from embeddings.evaluate.beir import Document

    Row = NDArray[np.float32]
    Baseline = Callable[[Sequence[str], Sequence[str]], Iterator[Row]]

_WORD = re.compile(r"\b\w\w+\b")
_STOP_WORDS = """
    a an and are as at be but by for if in into is it no not of on or such that the their then there
    these they this to was will with
"""
_STOPPED = frozenset(_STOP_WORDS.split())
_BLOCK = 64  # queries multiplied at a time: their dense rows stay below 2 MB per 8,000 documents


def plain_text(document: Document) -> str:
    """Title, title and text in one; fields stand in where a document has no text."""
    text = document.text or "\n".join(document.fields.values())
    return f"{document.title} {document.title} {text}"


def bm25(
    documents: Sequence[str], queries: Sequence[str], k1: float = 1.2, b: float = 0.75
) -> Iterator[Row]:
    """BM25 of every document, a row a query: float32 (documents,), 0 where no word is shared."""
    postings = _postings([_words(text) for text in documents], k1, b)
    for query in queries:
        total = np.zeros(len(documents))
        for word, count in sorted(_words(query).items()):
            if word in postings:
                rows, shares = postings[word]
                total[rows] += count * shares
        yield total.astype(np.float32)


def tfidf_words(documents: Sequence[str], queries: Sequence[str]) -> Iterator[Row]:
    """Cosine over words, a row a query: float32 (documents,), 0 to 1.

    Raises:
        MissingExtra: scikit-learn is not installed.
    """
    return _cosines(documents, queries, stop_words="english")


def tfidf_characters(documents: Sequence[str], queries: Sequence[str]) -> Iterator[Row]:
    """Cosine over runs of 3 to 5 characters, a row a query: float32 (documents,), 0 to 1.

    Raises:
        MissingExtra: scikit-learn is not installed.
    """
    return _cosines(documents, queries, analyzer="char_wb", ngram_range=(3, 5))


BASELINES: Mapping[str, Baseline] = MappingProxyType(
    {"bm25": bm25, "tfidf-word": tfidf_words, "tfidf-char": tfidf_characters}
)
"""Name in `baselines.tsv` -> function."""


def _words(text: str) -> Counter[str]:
    return Counter(w for w in _WORD.findall(text.lower()) if w not in _STOPPED)


def _postings(
    documents: Sequence[Counter[str]], k1: float, b: float
) -> dict[str, tuple[NDArray[np.intp], NDArray[np.float64]]]:
    """Word -> rows of the documents that hold it, and what one mention in a query adds to each."""
    lengths = np.array([words.total() for words in documents], dtype=np.float64)
    norms = k1 * (1 - b + b * lengths / max(1e-9, lengths.mean() if len(lengths) else 0))
    counts: dict[str, list[tuple[int, int]]] = {}
    for row, words in enumerate(documents):
        for word, count in words.items():
            counts.setdefault(word, []).append((row, count))
    postings = {}
    for word, pairs in counts.items():
        rows = np.array([row for row, _ in pairs], dtype=np.intp)
        tf = np.array([count for _, count in pairs], dtype=np.float64)
        idf = math.log1p((len(documents) - len(pairs) + 0.5) / (len(pairs) + 0.5))
        postings[word] = rows, idf * tf / (tf + norms[rows])
    return postings


def _cosines(documents: Sequence[str], queries: Sequence[str], **settings: Any) -> Iterator[Row]:
    """TF-IDF with logarithmic counts; a corpus without a single term scores 0 throughout."""
    vectorizer = _sklearn().TfidfVectorizer(sublinear_tf=True, **settings)
    analyze = vectorizer.build_analyzer()
    if not any(analyze(text) for text in documents):
        return (np.zeros(len(documents), np.float32) for _ in queries)
    columns = vectorizer.fit_transform(documents).T.tocsr()
    return _products(vectorizer, columns, queries)


def _products(vectorizer: Any, columns: Any, queries: Sequence[str]) -> Iterator[Row]:
    for start in range(0, len(queries), _BLOCK):
        rows = vectorizer.transform(queries[start : start + _BLOCK]) @ columns
        yield from rows.toarray().astype(np.float32)


def _sklearn() -> Any:
    try:
        return importlib.import_module("sklearn.feature_extraction.text")
    except ImportError as error:
        raise MissingExtra("scikit-learn", "a TF-IDF row") from error
