"""One query on the shipped library: its parts, beside brute force in numpy and BM25 alone.

Every text is asked once with an empty cache of vectors, so that the encoder works each time.
The cold start is `kg search` in a new process: the first with an empty cache, where the word
indexes are made and kept, then with what that one left.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from timing import Parts, median, milliseconds, options, table

import kg
from embeddings import BM25F, CachedEncoder, VectorCache, load_encoder

QUERIES = Path(__file__).parents[1] / "datasets/eval/queries.jsonl"
WARM_UP = 3
ENCODER = "encoder"
ENCODING = ("encode_queries", "encode_queries_with_tokens")
PARTS = (
    *(("tagging", f"kg.library.facade:Library.{name}") for name in ("tag", "labels")),
    *(("vector cache", f"embeddings.cache:CachedEncoder.{name}") for name in ENCODING),
    ("dense search", "embeddings.index:VectorIndex.every"),
    ("words", "embeddings.lexical:BM25F.scores"),
    ("words", "embeddings.lexical:BM25F.known_share"),
    ("words", "embeddings.retriever:Retriever._crossed"),
    ("graph", "kg.library.text_lanes:TextLanes._term_share"),
    ("late", "embeddings.retriever:Retriever._late"),
    ("pooling and fusion", "embeddings.retriever:Retriever.rank"),
    ("ranking and reasons", "kg.library.search:Searcher.by_text"),
)


def texts(count: int) -> list[str]:
    """Shipped questions, English and Korean in turn."""
    lines = QUERIES.read_text(encoding="utf-8").splitlines()
    by_language: dict[str, list[str]] = {}
    for entry in map(json.loads, lines):
        by_language.setdefault(entry["metadata"]["lang"], []).append(entry["text"])
    pairs = zip(*by_language.values(), strict=False)
    return [text for pair in pairs for text in pair][:count]


def measure(library: kg.Library, encoder: Any, asked: list[str], k: int) -> dict[str, Any]:
    """Medians of all parts and of what runs beside them, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        cache = VectorCache(Path(folder) / "vectors.sqlite")
        cached = CachedEncoder(encoder, cache, questions=False)  # as a library holds it
        library.__dict__["encoder"] = cached  # a cached property: without the user's own cache
        words = BM25F({"text": 1.0}).fit(
            [{"text": "\n".join(text for *_, text in c.texts())} for c in library.cases.values()]
        )
        seen = _Dense()
        parts = Parts(PARTS)
        for name in ENCODING:
            if hasattr(encoder, name):
                parts.wrap(ENCODER, encoder, name)
        for text in asked[:WARM_UP]:
            library.search(text, k)
        rounds = [_round(library, words, parts, seen, text, k) for text in asked[WARM_UP:]]
    names = list(rounds[0])
    return {name: median(one[name] for one in rounds if name in one) for name in names}


def _round(
    library: kg.Library, words: BM25F, parts: Parts, seen: _Dense, text: str, k: int
) -> dict[str, float]:
    """One text by each contender, one after the other."""
    times = parts.measure(lambda: library.search(text, k))
    times["all but the encoder"] = times["total"] - times.get(ENCODER, 0.0)
    times["BM25 alone"] = milliseconds(lambda: _best(words.scores(text), k))
    if seen.vectors is not None:
        times["brute force, numpy"] = milliseconds(
            lambda: [_best(seen.vectors @ query, k) for query in seen.queries]
        )
    return times


def _best(scores: np.ndarray, k: int) -> np.ndarray:
    return np.argsort(-scores, kind="stable")[:k]


class _Dense:
    """Notes the vectors and queries of the last dense search, for brute force over the same."""

    vectors: Any = None
    queries: Any = None

    def __init__(self) -> None:
        from embeddings import VectorIndex

        inner: Callable[..., Any] = VectorIndex.every

        def noting(index: VectorIndex, queries: Any, *args: Any, **kwargs: Any) -> Any:
            self.vectors, self.queries = index.vectors, np.atleast_2d(queries)
            return inner(index, queries, *args, **kwargs)

        VectorIndex.every = noting  # type: ignore[method-assign]


def cold_start(library: Path, asked: list[str]) -> dict[str, float]:
    """Seconds from the call of `kg search` to its end, and of processor time, in new processes."""
    command = [sys.executable, "-m", "kg"]
    seconds, processor = [], []
    with tempfile.TemporaryDirectory() as cache:
        for text in asked:
            begin, before = time.perf_counter(), os.times()
            done = subprocess.run(
                [*command, "search", text, "--library", str(library)],
                env=os.environ | {"INCIDENT_KG_CACHE": cache},
                capture_output=True,
                text=True,
            )
            seconds.append(time.perf_counter() - begin)
            after = os.times()
            processor.append(sum(after[2:4]) - sum(before[2:4]))
        if done.returncode not in (0, 1):  # 1: nothing similar, an answer as well
            raise SystemExit(f"kg search failed: {done.stderr}")
    later = seconds[1:] or seconds
    return {
        "empty_cache_s": round(seconds[0], 4),
        "median_s": median(later),
        "slowest_s": round(max(later), 4),
        "processor_s": median(processor[1:] or processor),
        "runs": len(later),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, help="a library file (default: the shipped cases)")
    parser.add_argument("--encoder", help="the encoder that made it (default: the default one)")
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--cold", type=int, default=6, help="new processes for the cold start")
    parser.add_argument("-k", type=int, default=5)
    given = options(parser)
    asked = texts(given.queries + WARM_UP)
    with kg.open_library(given.library, encoder=given.encoder) as library:
        result: dict[str, Any] = {"cases": len(library), "queries": len(asked) - WARM_UP}
        cold = cold_start(library.path, asked[: given.cold]) if given.cold else None
        result["cold_start"] = cold
        result["ms"] = measure(library, load_encoder(given.encoder), asked, given.k)
    print(json.dumps(result, indent=2) if given.json else _told(result))


def _told(result: dict[str, Any]) -> str:
    title = f"{result['cases']} cases, {result['queries']} queries, medians"
    lines = [title, table(("part", "ms"), result["ms"].items())]
    if cold := result["cold_start"]:
        lines.append(
            f"cold start of `kg search`: {cold['median_s']:.2f} s, of the processor "
            f"{cold['processor_s']:.2f} s ({cold['runs']} runs); with an empty cache "
            f"{cold['empty_cache_s']:.2f} s"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
