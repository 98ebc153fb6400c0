"""Exact and approximate index beside brute force in numpy: time of one query, and recall.

Vectors: the shipped passages under the default encoder, and points between near ones until there
are enough. Queries: shipped passages that were kept back.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from timing import interleaved, median, milliseconds, options, ratio, table

from embeddings import VectorIndex

SHIPPED = Path(__file__).parents[1] / "datasets/vectors/default.npz"
NEAR = 10
KINDS = ("exact", "approximate")
ROUNDING = 1e-6
BRUTE = "brute force, numpy"


def vectors_and_queries(count: int, queries: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors (count, d), and queries (q, d) that are not among them nor between them."""
    random = np.random.default_rng(1)
    with np.load(SHIPPED) as file:
        real = unit(file["vectors"].astype(np.float32))
    random.shuffle(real)
    asked, real = real[:queries], real[queries:]
    near = np.argpartition(-(real @ real.T), NEAR, axis=1)[:, : NEAR + 1]
    rows = random.integers(0, len(real), max(0, count - len(real)))
    others = near[rows, random.integers(0, NEAR + 1, len(rows))]
    share = random.uniform(0.5, 1, (len(rows), 1)).astype(np.float32)
    made = unit(share * real[rows] + (1 - share) * real[others])
    return np.concatenate([real, made])[:count], asked


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def brute_force(vectors: np.ndarray, query: np.ndarray, k: int) -> list[int]:
    scores = vectors @ query
    few = np.argpartition(-scores, k - 1)[:k]
    return few[np.lexsort((few, -scores[few]))].tolist()


def measure(count: int, queries: int, k: int) -> dict[str, Any]:
    vectors, asked = vectors_and_queries(count, queries)
    indexes = {kind: VectorIndex(vectors.shape[1], "benchmark", kind) for kind in KINDS}
    built = {kind: milliseconds(lambda i=i: _fill(i, vectors)) for kind, i in indexes.items()}
    found: dict[str, dict[int, list[int]]] = {name: {} for name in (BRUTE, *KINDS)}

    def by_index(kind: str, number: int) -> None:
        hits = indexes[kind].search(asked[number], k)[0]
        found[kind][number] = [hit.row for hit in hits]

    def by_numpy(number: int) -> None:
        found[BRUTE][number] = brute_force(vectors, asked[number], k)

    by_kind = {kind: lambda number, kind=kind: by_index(kind, number) for kind in KINDS}
    times = interleaved({BRUTE: by_numpy, **by_kind}, len(asked))
    rows = {
        name: {
            "answers": indexes[name].kind if name in indexes else "exact",
            "median_ms": median(spent),
            "times_faster": ratio(times[BRUTE], spent),
            "recall": _recall(vectors, asked, found[name]),
            "built_s": round(built.get(name, 0.0) / 1000, 3),
        }
        for name, spent in times.items()
    }
    return {"vectors": len(vectors), "dimension": vectors.shape[1], "rows": rows}


def _fill(index: VectorIndex, vectors: np.ndarray) -> None:
    index.add(vectors)
    _ = index.kind  # builds what it needs


def _recall(vectors: np.ndarray, asked: np.ndarray, found: dict[int, list[int]]) -> float:
    """The share of hits that are as near as the k-th nearest, for all rounding."""
    shares = []
    for number, rows in found.items():
        scores = vectors @ asked[number]
        least = np.partition(scores, -len(rows))[-len(rows)] - ROUNDING
        shares.append(np.mean(scores[rows] >= least))
    return round(float(np.mean(shares)), 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5_000, 50_000, 250_000])
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("-k", type=int, default=10)
    given = options(parser)
    sizes = [measure(size, given.queries, given.k) for size in given.sizes]
    if given.json:
        print(json.dumps({"k": given.k, "queries": given.queries, "sizes": sizes}, indent=2))
        return
    head = ("index", "answers", "median ms", "× numpy", f"recall@{given.k}", "built in s")
    for size in sizes:
        print(f"\n{size['vectors']:,} vectors of {size['dimension']} numbers")
        print(table(head, [(name, *row.values()) for name, row in size["rows"].items()]))


if __name__ == "__main__":
    main()
