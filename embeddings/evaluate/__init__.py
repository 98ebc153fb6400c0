"""How well a ranking answers queries that people have judged.

- `beir`: a folder of documents, queries and judgements -> `EvalSet`
- `measures`: a ranking and its grades -> nDCG, reciprocal rank, recall, with bootstrap intervals
- `run`: all lanes over a set -> `Report`
- `fit`: the weights of the lanes, from judged sets
- `baselines`: the plain rows, BM25 and TF-IDF, that every table shows beside the lanes

Importing this package loads nothing heavier than numpy; scikit-learn is imported by the TF-IDF
rows when they are asked for.
"""

from __future__ import annotations

from embeddings.evaluate.baselines import (
    BASELINES,
    bm25,
    plain_text,
    tfidf_characters,
    tfidf_words,
)
from embeddings.evaluate.beir import Document, EvalSet, Query, read_set
from embeddings.evaluate.fit import JudgedRanking, fit_weights, judged, left_out, mean_ndcg
from embeddings.evaluate.measures import (
    MEASURES,
    Interval,
    bootstrap,
    grades_of,
    measure,
    ndcg,
    paired_difference,
    precision_at_1,
    ranked,
    recall,
    reciprocal_rank,
    relevant,
)
from embeddings.evaluate.run import LANES, Lane, Report, evaluate, rankings, scores_of

__all__ = [
    "BASELINES",
    "LANES",
    "MEASURES",
    "Document",
    "EvalSet",
    "Interval",
    "JudgedRanking",
    "Lane",
    "Query",
    "Report",
    "bm25",
    "bootstrap",
    "evaluate",
    "fit_weights",
    "grades_of",
    "judged",
    "left_out",
    "mean_ndcg",
    "measure",
    "ndcg",
    "paired_difference",
    "plain_text",
    "precision_at_1",
    "ranked",
    "rankings",
    "read_set",
    "recall",
    "reciprocal_rank",
    "relevant",
    "scores_of",
    "tfidf_characters",
    "tfidf_words",
]
