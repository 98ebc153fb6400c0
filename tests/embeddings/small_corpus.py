"""Small corpora under the tiny encoder, and slow answers to what a `Retriever` says of them."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from embeddings import HashEncoder, Retriever, TokenTable, fitted
from embeddings.fitted import DenseParameters, Fitted, FusionParameters, LateParameters
from embeddings.late import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ENCODER = HashEncoder(16)
LANES = ("dense", "words", "graph", "late")
VOCABULARY = ["gpu", "node", "switch", "NCCL_IB_TIMEOUT", "노드가", "disk", "full", "训练", "ecc"]
TEXT = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=5).map(" ".join)
# A document is a list of passages; it may have none.
DOCUMENT = st.lists(TEXT, max_size=4)
CORPUS = st.lists(DOCUMENT, min_size=1, max_size=7)
QUERY = st.lists(st.sampled_from([*VOCABULARY, "kangaroo"]), max_size=6).map(" ".join)


class WithoutTokens:
    """An encoder that gives no token vectors."""

    dimension, fingerprint = ENCODER.dimension, ENCODER.fingerprint

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return ENCODER.encode_queries(texts)

    def encode_passages(self, texts: Sequence[str], progress: Any = None) -> np.ndarray:
        return ENCODER.encode_passages(texts, progress)


def parameters(
    candidates: int = 256, documents: int = 50, passages: int = 2, tokens: int = 128
) -> Fitted:
    return replace(
        fitted(),
        dense=DenseParameters(0.7, 2, candidates),
        late=LateParameters(documents, passages, tokens),
        fusion=FusionParameters(
            {"dense": 1.0, "words": 1.5, "grams": 0.5, "graph": 0.6, "late": 0.8, "bridge": 0.7},
            0.5,
        ),
    )


def build(
    corpus: Sequence[Sequence[str]],
    settings: Fitted | None = None,
    tokens: bool = True,
    encoder: HashEncoder = ENCODER,
) -> Retriever:
    """A retriever over documents, each given by its passages."""
    flat = [passage for document in corpus for passage in document]
    owners = np.repeat(np.arange(len(corpus)), [len(d) for d in corpus]).astype(np.int64)
    vectors, codes = encoder.encode_passages_with_tokens(flat)
    return Retriever(
        [{"title": "", "text": " ".join(d)} for d in corpus],
        owners,
        vectors,
        encoder.fingerprint,
        TokenTable.of(codes, encoder.token_dimension) if tokens else None,
        settings or parameters(),
    )


def slow_cosines(texts: Sequence[str], parts: Sequence[str]) -> list[float]:
    """The best cosine of each passage with a part of the query, number by number."""
    asked = [ENCODER.encode_queries([part])[0].tolist() for part in parts]
    found = []
    for text in texts:
        own = ENCODER.encode_passages([text])[0].tolist()
        found.append(max(sum(a * b for a, b in zip(q, own, strict=True)) for q in asked))
    return found


def slow_first(first: Sequence[float], among: Iterable[int], count: int) -> list[int]:
    """The best documents of those named, by row where they tie."""
    return sorted(among, key=lambda d: (-first[d], d))[:count]


def slow_late(
    corpus: Sequence[Sequence[str]],
    query: str,
    best: Sequence[float],
    wanted: Iterable[int],
    settings: LateParameters,
) -> list[float]:
    """MaxSim of the wanted documents' best passages, NaN elsewhere; loops only."""
    scores = [math.nan] * len(corpus)
    tokens = ENCODER.encode_queries_with_tokens([query])[1][0][: settings.tokens].tolist()
    for document in wanted:
        start = sum(len(d) for d in corpus[:document])
        rows = sorted(range(len(corpus[document])), key=lambda i: (-best[start + i], i))
        for row in rows[: settings.passages]:
            words = decode(ENCODER.encode_passages_with_tokens([corpus[document][row]])[1][0])
            value = slow_maxsim(tokens, words.tolist())
            if math.isnan(scores[document]) or value > scores[document]:
                scores[document] = value
    return scores


def slow_maxsim(query: list[list[float]], passage: list[list[float]]) -> float:
    if not query or not passage:
        return 0.0
    best = [max(sum(a * b for a, b in zip(q, p, strict=True)) for p in passage) for q in query]
    return statistics.fmean(best)


def slow_standard(scores: Sequence[float], counted: Sequence[bool]) -> list[float]:
    """Standard scores over the counted documents; what was not looked at is the lowest seen."""
    seen = [s for s, c in zip(scores, counted, strict=True) if c and not math.isnan(s)]
    if not seen or statistics.pstdev(seen) < 1e-6:
        return [0.0] * len(scores)
    mean, deviation = statistics.fmean(seen), statistics.pstdev(seen)
    return [((min(seen) if math.isnan(s) else s) - mean) / deviation for s in scores]


def slow_parts(
    lanes: Mapping[str, Any], settings: FusionParameters, known: float, counted: Sequence[bool]
) -> dict[str, list[float]]:
    """What each lane adds; words, letter grams and translations together."""
    parts: dict[str, list[float]] = {}
    for name, scores in lanes.items():
        words = name in ("words", "grams", "bridge")
        heard = 1 - known if name == "bridge" else known**settings.coverage_power if words else 1
        weight = settings.weights.get(name, 0.0) * heard
        own = [weight * z for z in slow_standard(list(map(float, scores)), counted)]
        label = "words" if words else name
        parts[label] = [a + b for a, b in zip(parts.get(label, [0] * len(own)), own, strict=True)]
    return parts
