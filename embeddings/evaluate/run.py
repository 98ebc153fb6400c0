"""Run all lanes over a set that people judged: the evaluator behind `kg eval`."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from embeddings.encoders import load_encoder
from embeddings.errors import BadEvalSet
from embeddings.evaluate.baselines import BASELINES, plain_text
from embeddings.evaluate.beir import EvalSet, Query, read_set
from embeddings.evaluate.corpus import build_retriever, passages_of, size_of
from embeddings.evaluate.languages import language_of
from embeddings.evaluate.measures import Interval, bootstrap, grades_of, measure, ranked
from embeddings.fitted import Fitted, fitted
from embeddings.fusion import BRIDGE, fuse, total
from embeddings.retriever import Ranking, Retriever, embed_queries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from embeddings.encoders import Encoder

    Scores = NDArray[np.float64]
    Progress = Callable[[str, int, int], None]
    PerQuery = Mapping[str, Mapping[str, float]]

LANES = ("dense", "words", "graph", "late", "hybrid")
_DEPTH = 101  # recall@100, and one more for the query's own document
_STEP = 20


class Lane(Protocol):
    """A lane that a caller brings: the library brings its tagger as `graph`."""

    def fit(self, documents: Sequence[Sequence[str]]) -> None:
        """Look at all documents, each a list of its passages."""

    def scores(self, query: str) -> Scores:
        """Raw scores of all documents for one query, (documents,)."""


@dataclass(frozen=True)
class Report:
    """What was measured on one set.

    Attributes:
        name: name of the set.
        documents, queries: how many documents, and how many queries with judgements.
        lanes: by lane and baseline, query id -> measure -> value.
        languages: query id -> pair of languages, such as `ko-en` (query, documents).
        seconds: wall time by stage: embedding, ranking, baselines.
        index_bytes: size of vectors and token codes.
        problems: what was wrong with the set.
    """

    name: str
    documents: int
    queries: int
    lanes: Mapping[str, PerQuery]
    languages: Mapping[str, str]
    seconds: Mapping[str, float]
    index_bytes: int
    problems: tuple[str, ...] = ()
    baselines: tuple[str, ...] = field(default=tuple(BASELINES))

    def values(self, lane: str, measure_name: str, pair: str | None = None) -> list[float]:
        """One number a query, in the order of their ids; of one language pair when it is given.

        Raises:
            KeyError: there is no such lane or measure.
        """
        rows = sorted(self.lanes[lane].items())
        return [row[measure_name] for q, row in rows if pair in (None, self.languages[q])]

    def interval(self, lane: str, measure_name: str, pair: str | None = None) -> Interval:
        """Mean over queries with its 95 % bootstrap interval.

        Raises:
            KeyError: there is no such lane or measure.
            ValueError: no query is of that pair.
        """
        return bootstrap(self.values(lane, measure_name, pair))

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data, for `--json`."""
        pairs = sorted(set(self.languages.values()))
        return {
            "set": self.name,
            "documents": self.documents,
            "queries": self.queries,
            "lanes": {k: self._measures(k) for k in self.lanes if k not in self.baselines},
            "baselines": {k: self._measures(k) for k in self.lanes if k in self.baselines},
            "pairs": {
                pair: {
                    "queries": sum(1 for value in self.languages.values() if value == pair),
                    "lanes": {lane: self._measures(lane, pair) for lane in self.lanes},
                }
                for pair in pairs
            },
            "seconds": dict(self.seconds),
            "index_bytes": self.index_bytes,
            "problems": list(self.problems),
        }

    def _measures(self, lane: str, pair: str | None = None) -> dict[str, dict[str, float]]:
        names = next(iter(self.lanes[lane].values()), {})
        return {name: self.interval(lane, name, pair)._asdict() for name in names}


def evaluate(
    source: EvalSet | Path | str,
    encoder: Encoder | None = None,
    *,
    lanes: Sequence[str] = LANES,
    extra: Mapping[str, Lane] | None = None,
    parameters: Fitted | None = None,
    split: str = "test",
    progress: Progress | None = None,
) -> Report:
    """Measure the lanes, their sum, and the plain baselines on a set in the BEIR layout.

    Args:
        source: a set, or its folder.
        encoder: the default one where not given.
        lanes: which rows to give, of `LANES`; `graph` needs a lane in `extra`.
        extra: lanes of the caller by name.
        parameters: the fitted ones that come with the package where not given.
        split: which judgements of a folder.
        progress: called as progress(stage, done, total).

    Raises:
        BadEvalSet: the folder cannot be read, no query is judged, or no judged document is there.
        ValueError: an unknown lane.
    """
    unknown = sorted(set(lanes) - set(LANES))
    if unknown:
        raise ValueError(f"unknown lane {unknown[0]!r}; there are {', '.join(LANES)}")
    data = source if isinstance(source, EvalSet) else read_set(source, split)
    if not data.scored:
        found = f" (first of {len(data.problems)}: {data.problems[0]})" if data.problems else ""
        raise BadEvalSet(data.name, f"no query is judged; give it judgements above 0{found}")
    held = {d.id for d in data.documents}
    if not any(held & grades_of(q.id, data.qrels[q.id]).keys() for q in data.scored):
        wanted = next(iter(grades_of(data.scored[0].id, data.qrels[data.scored[0].id])))
        raise BadEvalSet(
            data.name,
            f"the corpus holds none of the judged documents, such as {wanted!r}; "
            "give corpus and judgements the same ids",
        )
    tell = progress or (lambda _stage, _done, _total: None)
    begun = time.monotonic()
    maker = encoder or load_encoder()
    passages = passages_of(data.documents)
    retriever = build_retriever(data.documents, passages, maker, parameters or fitted(), tell)
    for lane in (extra or {}).values():
        lane.fit(passages)
    embedded = time.monotonic()
    rows = dict(_lane_rows(data, retriever, maker, extra or {}, lanes, tell))
    answered = time.monotonic()
    rows |= dict(_baseline_rows(data))
    seconds = {
        "embedding": round(embedded - begun, 2),
        "ranking": round(answered - embedded, 2),
        "baselines": round(time.monotonic() - answered, 2),
    }
    return Report(
        name=data.name,
        documents=len(data.documents),
        queries=len(data.scored),
        lanes=rows,
        languages={q.id: language_pair(data, q) for q in data.scored},
        seconds=seconds,
        index_bytes=size_of(retriever),
        problems=data.problems,
    )


def language_pair(data: EvalSet, query: Query) -> str:
    """Language of a query and the commonest one of its relevant documents, such as `ko-en`."""
    graded = data.qrels.get(query.id, {})
    found = [
        d.lang or language_of(plain_text(d))
        for d in data.documents
        if graded.get(d.id, 0) > 0 and d.id != query.id
    ]
    theirs = max(sorted(set(found)), key=found.count, default="en")
    return f"{query.lang or language_of(query.text)}-{theirs}"


def rankings(
    data: EvalSet,
    retriever: Retriever,
    encoder: Encoder,
    extra: Mapping[str, Lane],
    tell: Progress,
) -> Iterator[tuple[Query, Ranking]]:
    """All lanes for each scored query.

    A document of the query's own id is no answer, and moves no mean and no deviation.
    """
    queries = data.scored
    for start in range(0, len(queries), _STEP):
        some = queries[start : start + _STEP]
        for query, embedded in zip(
            some, embed_queries(encoder, [q.text for q in some]), strict=True
        ):
            counted = np.array([d.id != query.id for d in data.documents], dtype=bool)
            yield (
                query,
                retriever.rank(
                    embedded,
                    extra={name: lane.scores(query.text) for name, lane in extra.items()},
                    allowed=np.flatnonzero(counted),
                    counted=counted,
                ),
            )
        tell("ranking", start + len(some), len(queries))


def scores_of(lane: str, ranking: Ranking, parameters: Fitted) -> Scores:
    """The scores by which one lane alone, or all of them together, would rank.

    A lane that did not look at every document, such as late interaction, orders what it looked at;
    the rest stays below, by the other lanes.
    """
    if lane == "hybrid":
        return ranking.total
    if lane == "words":
        alone = {name: ranking.lanes[name] for name in ("words", "grams")}
        crossed = {name: lane for name, lane in ranking.lanes.items() if name == BRIDGE}
        heard = fuse(crossed, parameters.fusion, ranking.known_share)
        whole = fuse(alone, parameters.fusion, 1.0)
        return total({"alone": total(whole), "crossed": total(heard)} if heard else whole)
    if lane not in ranking.lanes:
        return np.zeros_like(ranking.total)
    scores = ranking.lanes[lane]
    seen = scores[np.isfinite(scores)]
    below = seen.min(initial=0.0) - 1 + 1e-3 * np.tanh(ranking.total / 100)
    return np.where(np.isfinite(scores), scores, below)


def _lane_rows(
    data: EvalSet,
    retriever: Retriever,
    encoder: Encoder,
    extra: Mapping[str, Lane],
    lanes: Sequence[str],
    tell: Progress,
) -> Iterator[tuple[str, PerQuery]]:
    ids = [d.id for d in data.documents]
    names = [n for n in lanes if n != "graph" or "graph" in extra]
    if retriever.tokens is None:
        names = [n for n in names if n != "late"]
    rows: dict[str, dict[str, dict[str, float]]] = {name: {} for name in names}
    for query, ranking in rankings(data, retriever, encoder, extra, tell):
        for name in names:
            scores = scores_of(name, ranking, retriever.parameters)
            rows[name][query.id] = _measured(data, query, scores, ids)
    yield from rows.items()


def _baseline_rows(data: EvalSet) -> Iterator[tuple[str, PerQuery]]:
    texts = [plain_text(document) for document in data.documents]
    ids = [d.id for d in data.documents]
    queries = data.scored
    for name, baseline in BASELINES.items():
        answers = baseline(texts, [q.text for q in queries])
        yield (
            name,
            {q.id: _measured(data, q, row, ids) for q, row in zip(queries, answers, strict=True)},
        )


def _measured(data: EvalSet, query: Query, scores: Any, ids: Sequence[str]) -> dict[str, float]:
    found = measure(query.id, ranked(scores, ids, query.id, _DEPTH), data.qrels[query.id])
    assert found is not None  # noqa: S101 - only scored queries come here
    return found
