"""Measuring a library on judged questions, and any set in the BEIR layout with its tagger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from embeddings import embed_queries
from embeddings.evaluate import LANES, EvalSet, Query, Report, evaluate, read_set
from kg.library.build import load_vocabulary, open_encoder
from kg.library.progress import no_progress
from kg.library.tag_lane import TagLane
from kg.library.text_lanes import TextLanes
from kg.vocab import Tagger, Vocabulary

if TYPE_CHECKING:
    from embeddings import Encoder, Ranking
    from embeddings.evaluate import Lane
    from embeddings.lexicon import Lexicon
    from kg.library.build import Progress
    from kg.library.facade import Library

_STEP = 16


def evaluate_set(
    folder: EvalSet | Path | str,
    *,
    encoder: str | Encoder | None = None,
    lanes: Sequence[str] = LANES,
    split: str = "test",
    progress: Progress = no_progress,
) -> Report:
    """Measure the lanes on a folder in the BEIR layout, the tagger's `graph` lane among them.

    Only titles, texts and typed fields of the documents are looked at. The tagger knows the names
    of terms; reading by meaning as well was tried and found no more in plain reports.

    Raises:
        BadEvalSet: the folder cannot be read, or no query is judged.
        EncoderNotFound: the encoder cannot be loaded here.
    """
    data = folder if isinstance(folder, EvalSet) else read_set(folder, split)
    _, maker = open_encoder(encoder)
    wanted = {"graph", "hybrid"} & set(lanes)
    extra: dict[str, Lane] = {"graph": tag_lane(load_vocabulary(None))} if wanted else {}
    return evaluate(data, maker, lanes=lanes, extra=extra, progress=progress)


def tag_lane(vocabulary: Vocabulary) -> TagLane:
    """The graph lane over plain documents: the terms that they and the queries name."""
    return TagLane(vocabulary, Tagger(vocabulary))


def library_rankings(
    library: Library, data: EvalSet, lang: str | None = None, lexicon: Lexicon | None = None
) -> Iterator[tuple[Query, Ranking]]:
    """All lanes of a library for each judged question, over every case.

    `lang`: look at the cases' texts of this language only. `lexicon`: translate words by this one.
    """
    lanes = TextLanes(library._snapshot, library.graph, lang, lexicon)
    queries = data.queries
    for start in range(0, len(queries), _STEP):
        some = queries[start : start + _STEP]
        embedded = embed_queries(library.encoder, [q.text for q in some])
        for query, vectors in zip(some, embedded, strict=True):
            yield query, lanes.rank(vectors, library.labels(query.text), lanes.ids)


def read_questions(folder: Path) -> Mapping[str, EvalSet]:
    """The shipped questions by split, each with those that nothing answers."""
    found = {}
    for split in ("dev", "test"):
        data = read_set(folder, split)
        mine = tuple(q for q in data.queries if q.metadata.get("split") == split)
        found[split] = EvalSet(
            f"{data.name} ({split})", data.documents, mine, data.qrels, data.problems
        )
    return found


def answerable(data: EvalSet, query: Query) -> bool:
    """Whether the library holds an answer to a question.

    The set says so; a case that is merely related (grade 1) may stand beside a question without.
    """
    judged = any(data.qrels.get(query.id, {}).values())
    return judged and bool(query.metadata.get("answerable", True))
