"""Words -> scores: BM25F over documents with weighted fields.

BM25F sums, over the distinct words of the query, ``qtf x idf x tf / (k1 + tf)`` where tf adds up
the word's counts in all fields of a document, each divided by its field's length norm
``1 - b + b x length / mean length`` and times its field's weight, and qtf is
``1 + ln(count in the query)``: a query may be a whole report, which repeats what it is about
(Sun et al. 2011, "Towards more accurate retrieval of duplicate bug reports", weigh the query side
too; the logarithm did as well here as their k3 and has no parameter). Sources: Robertson, Zaragoza,
Taylor 2004, "Simple BM25 extension to multiple weighted fields" (weights before saturation);
Zaragoza et al. 2004, TREC-13, and Robertson & Zaragoza 2009, "The probabilistic relevance
framework", section 3.6 (a length norm per field). idf is ``ln(1 + (n - df + 0.5) / (df + 0.5))``,
which stays positive for words in most documents.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from embeddings.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class _Question:
    """A query as an index sees it: its words, and all their postings end to end.

    Attributes:
        text: the query.
        words: its distinct words with their weights, sorted, so that sums do not depend on the
            query's order.
        frequencies: the number of documents that hold each word, (words,).
        rows, shares: the documents that hold a word and what it adds to their scores.
        owner: the number of the word of each of these, (postings,).
    """

    text: str
    words: dict[str, float]
    frequencies: NDArray[np.int64]
    rows: NDArray[np.int32]
    shares: NDArray[np.float64]
    owner: NDArray[np.int64]


class BM25F:
    """A word index of documents, each a mapping of field to text.

    Postings are three arrays: for word number w, `rows[starts[w]:starts[w + 1]]` are the
    documents that hold it and `shares` what it adds to their scores.
    """

    def __init__(
        self,
        field_weights: Mapping[str, float],
        k1: float = 1.2,
        b: float = 0.75,
        tokenizer: Callable[[str], Sequence[str]] = tokenize,
    ) -> None:
        """An index of no documents yet; call `fit`.

        Args:
            field_weights: weight of each field, positive.
            k1: how soon repetition stops counting, positive.
            b: how much long fields are discounted, 0 to 1.
            tokenizer: text -> words, for documents and queries alike.

        Raises:
            ValueError: a number out of its range, or no field.
        """
        if not field_weights or any(not 0 < w < math.inf for w in field_weights.values()):
            raise ValueError("field_weights needs at least one field, each with a positive weight")
        if not 0 < k1 < math.inf or not 0 <= b <= 1:
            raise ValueError(f"k1 must be positive and b within 0 to 1, got {k1} and {b}")
        self.field_weights = dict(field_weights)
        self.k1, self.b = k1, b
        self._tokenize = tokenizer
        self._last: _Question | None = None
        self.fit([])

    def __len__(self) -> int:
        """Number of documents."""
        return self._count

    def fit(self, documents: Sequence[Mapping[str, str]]) -> Self:
        """Index the documents, forgetting earlier ones; a missing field counts as empty.

        Raises:
            ValueError: a document has a field without weight.
        """
        counts = [self._counts(row, document) for row, document in enumerate(documents)]
        self._count = len(documents)
        self._build(self._frequencies(counts))
        self._last = None
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that `fit` made, as plain arrays; `restore` takes them back."""
        words = "\n".join(self._words).encode("utf-8", "surrogatepass")
        return {
            "count": np.array(self._count),
            "words": np.frombuffer(words, dtype=np.uint8),
            "starts": self._starts,
            "rows": self._rows,
            "shares": self._shares,
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take back what `arrays` gave, forgetting other documents.

        Raises:
            KeyError, ValueError: an array is missing, or they do not fit together.
        """
        listed = arrays["words"].tobytes().decode("utf-8", "surrogatepass")
        words = {word: n for n, word in enumerate(listed.split("\n"))} if listed else {}
        starts, rows, shares = arrays["starts"], arrays["rows"], arrays["shares"]
        count = int(arrays["count"])
        whole = len(starts) == len(words) + 1 and starts[-1] == len(rows) == len(shares)
        if not whole or (len(rows) and not 0 <= rows.min() <= rows.max() < count):
            raise ValueError("the arrays of a word index do not fit together")
        self._count, self._words, self._last = count, words, None
        self._starts, self._rows, self._shares = starts, rows, shares

    def scores(self, query: str) -> NDArray[np.float32]:
        """Scores of all documents, float32 (n,); 0 where no word of the query occurs."""
        asked = self._question(query)
        total = np.bincount(asked.rows, weights=asked.shares, minlength=self._count)
        return total.astype(np.float32)

    def weighted_scores(self, words: Mapping[str, float]) -> NDArray[np.float32]:
        """Scores of all documents for words with the caller's weights, float32 (n,)."""
        asked = self._asked("", dict(sorted(words.items())))
        total = np.bincount(asked.rows, weights=asked.shares, minlength=self._count)
        return total.astype(np.float32)

    def weights(self, query: str) -> Mapping[str, float]:
        """The distinct words of a query and how much each counts by how often it stands there."""
        return self._question(query).words

    def explain(self, query: str, row: int) -> list[tuple[str, float]]:
        """What each word adds to the score of document `row`, largest first; sums to the score.

        Raises:
            IndexError: there is no such document.
        """
        if not 0 <= row < self._count:
            raise IndexError(f"document {row} of {self._count}")
        asked = self._question(query)
        places = np.flatnonzero(asked.rows == row)
        words = list(asked.words)
        told = [words[number] for number in asked.owner[places].tolist()]
        parts = zip(told, asked.shares[places].tolist(), strict=True)
        return sorted(parts, key=lambda part: (-part[1], part[0]))

    def known_share(self, query: str) -> float:
        """Share of the query's words that some document holds, weighted by idf: 0 to 1.

        Words that no document holds weigh as the rarest (df = 1). 0 for a query without words.
        """
        frequencies = self._question(query).frequencies.tolist()
        known = sum(_idf(self._count, frequency) for frequency in frequencies if frequency)
        unknown = frequencies.count(0) * _idf(self._count, 1)
        return known / (known + unknown) if known else 0.0

    def idf(self, word: str) -> float:
        """Rarity of a word as the tokenizer gives it; the largest for a word not known."""
        return _idf(self._count, max(1, len(self._postings(word)[0])))

    def _question(self, query: str) -> _Question:
        """The query with its postings; the last one is kept, for scores and reasons ask alike."""
        last = self._last  # taken once: another thread may put its own question there
        if last is None or last.text != query:
            last = self._last = self._asked(query, self._weights(query))
        return last

    def _asked(self, query: str, words: dict[str, float]) -> _Question:
        """The postings of all words end to end, taken in one step rather than word by word."""
        known = [self._words.get(word, -1) for word in words]
        numbers = np.array(known, dtype=np.int64)
        # The row of no word is empty: from the last start to itself.
        numbers[numbers < 0] = len(self._words)
        begins = self._starts[numbers]
        frequencies = self._starts[np.minimum(numbers + 1, len(self._words))] - begins
        owner = np.repeat(np.arange(len(words)), frequencies)
        places = np.arange(len(owner)) + (begins - (np.cumsum(frequencies) - frequencies))[owner]
        weights = np.array(list(words.values()), dtype=np.float64)
        shares = self._shares[places] * weights[owner]
        return _Question(query, words, frequencies, self._rows[places], shares, owner)

    def _weights(self, query: str) -> dict[str, float]:
        counts = sorted(Counter(self._tokenize(query)).items())
        return {word: 1 + math.log(count) for word, count in counts}

    def _counts(self, row: int, document: Mapping[str, str]) -> dict[str, Counter[str]]:
        unknown = sorted(set(document) - set(self.field_weights))
        if unknown:
            raise ValueError(f"document {row}: no weight for field {unknown[0]!r}")
        return {field: Counter(self._tokenize(text)) for field, text in document.items()}

    def _frequencies(self, counts: list[dict[str, Counter[str]]]) -> dict[str, dict[int, float]]:
        """Word -> document -> weighted, length-normed count (the tf of the module docstring)."""
        frequencies: dict[str, dict[int, float]] = {}
        for field, weight in sorted(self.field_weights.items()):
            lengths = [document[field].total() if field in document else 0 for document in counts]
            mean = sum(lengths) / max(1, len(lengths))
            for row, document in enumerate(counts):
                for word, count in document.get(field, {}).items():
                    norm = 1 - self.b + self.b * lengths[row] / mean
                    of_word = frequencies.setdefault(word, {})
                    of_word[row] = of_word.get(row, 0.0) + weight * count / norm
        return frequencies

    def _build(self, frequencies: dict[str, dict[int, float]]) -> None:
        self._words = {word: number for number, word in enumerate(sorted(frequencies))}
        postings = [sorted(frequencies[word].items()) for word in self._words]
        sizes = [len(posting) for posting in postings]
        self._starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
        self._rows = np.array([row for posting in postings for row, _ in posting], dtype=np.int32)
        tf = np.array([value for posting in postings for _, value in posting], dtype=np.float64)
        idf = np.array([_idf(self._count, size) for size in sizes], dtype=np.float64)
        self._shares = np.repeat(idf, sizes) * tf / (self.k1 + tf)

    def _postings(self, word: str) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        number = self._words.get(word)
        start, end = (0, 0) if number is None else self._starts[number : number + 2]
        return self._rows[start:end], self._shares[start:end]


def _idf(count: int, frequency: int) -> float:
    """Robertson-Sparck Jones weight, plus one inside the logarithm to keep it positive."""
    return math.log1p(max(0.0, count - frequency + 0.5) / (frequency + 0.5))
