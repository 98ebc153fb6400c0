"""One word index asked by several threads answers each its own query."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest

from embeddings import BM25F, tokenize

DOCUMENTS = [{"text": f"word{i} shared{i % 3} common"} for i in range(30)]


@pytest.fixture
def hasty():
    """Threads change places as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_scores_are_those_of_the_query_that_was_asked(hasty):
    index = BM25F({"text": 1.0}, tokenizer=tokenize).fit(DOCUMENTS)
    queries = [f"word{i} shared{i % 3}" for i in range(8)]
    alone = [index.scores(q) for q in queries]
    wrong = []

    def ask(start):
        for n in range(300):
            i = (start + n) % len(queries)
            if not np.array_equal(index.scores(queries[i]), alone[i]):
                wrong.append(queries[i])
            if next(w for w, _ in index.explain(queries[i], i)) != f"word{i}":
                wrong.append(queries[i])

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


class Interrupted(str):
    """A query that is overtaken by another one just when it is compared with the last."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __ne__(self, other):
        INDEX.scores("word9")
        return str.__ne__(self, other)


INDEX = BM25F({"text": 1.0}, tokenizer=tokenize).fit(DOCUMENTS)


def test_a_query_that_is_overtaken_still_gets_its_own_scores():
    alone = INDEX.scores("word1")
    assert alone.argmax() == 1
    INDEX.scores("word1")
    assert np.array_equal(INDEX.scores(Interrupted("word1")), alone)
