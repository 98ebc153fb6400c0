"""From case files to a library file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from embeddings import (
    CachedEncoder,
    TokenFile,
    VectorCache,
    VectorFile,
    default_cache_dir,
    load_encoder,
)
from kg.errors import InputError, LibraryError, Problem
from kg.graph import IncidentGraph
from kg.library.background import measure_background
from kg.library.embedding import embed_passages
from kg.library.lanes import LANES, Lanes
from kg.library.passages import passages_of
from kg.model import Case
from kg.queries import confirmed_causes, same_of_causes
from kg.readers import (
    Batch,
    RdfBatch,
    load_batch,
    read_rdf_files,
    read_vocabulary,
    shipped,
    vocabulary_among,
)
from kg.readers.decisions import read_decisions
from kg.store import SCHEMA_VERSION, SimilarRow, Snapshot, check_target, write_library
from kg.vocab import Vocabulary

if TYPE_CHECKING:
    from embeddings import Encoder

Progress = Callable[[str, int, int], None]
"""Called as progress(stage, done, total) while a library is built."""

SHIPPED_VECTORS = "vectors/default.npz"
"""Vectors of the shipped cases, within the data folder; `kg.library.ship` writes them."""

SHIPPED_TOKENS = "vectors/tokens.npz"
"""The vectors of their tokens, beside."""

RECIPE = 2
"""Part of the name of the shipped library in the cache. Raise it whenever the same cases would now
give other tables: how texts are cut, which fields are embedded, the default encoder, the
background questions, the weights of the lanes, derived edges. A test pins the tables."""

NEIGHBOURS = 20
"""How many similar cases are kept for each case."""

Input = str | Path | Case


def build_snapshot(
    cases: Sequence[Case],
    vocabulary: Vocabulary,
    encoder: Encoder,
    encoder_name: str,
    progress: Progress,
    known: Snapshot | None = None,
) -> Snapshot:
    """Embed the cases and find their neighbours; nothing is written.

    The tokens of the passages are embedded too when the encoder can. Passages that a `known`
    snapshot of the same encoder holds are taken from there.
    """
    passages = tuple(passages_of(cases))

    def embedded(done: int, total: int) -> None:
        progress("embedding passages", done, total)

    vectors, tokens = embed_passages([p.text for p in passages], encoder, embedded, known)
    progress("linking", 0, len(cases))
    snapshot = Snapshot(
        cases=tuple(cases),
        vocabulary=vocabulary,
        passages=passages,
        vectors=vectors,
        encoder=encoder_name,
        fingerprint=encoder.fingerprint,
        background=measure_background(encoder, vectors),
        token_codes=None if tokens is None else tokens.codes,
        token_starts=None if tokens is None else tokens.starts,
    )
    snapshot = with_neighbours(snapshot)
    progress("linking", len(cases), len(cases))
    return snapshot


def build(
    inputs: Input | Iterable[Input],
    path: str | Path,
    *,
    vocabulary: str | Path | Vocabulary | None,
    encoder: str | Encoder | None,
    keep_going: bool,
    progress: Progress,
) -> tuple[Path, Batch]:
    """Read, check, embed and write; see `kg.build_library`."""
    target = Path(path)
    check_target(target)
    progress("reading cases", 0, 1)
    given = read_rdf_files(_listed(inputs))
    words = load_vocabulary(vocabulary or vocabulary_among(given))
    batch = load_batch(given, words)
    progress("reading cases", 1, 1)
    problems = batch.problems
    if not batch.cases and not problems:
        nothing = Problem("(input)", 0, "", "no cases were given", "Name case files or folders")
        problems = (nothing,)
    if problems and not (keep_going and batch.cases):
        raise InputError(problems)
    said = [i.told for i in given if isinstance(i, RdfBatch)]
    told = read_decisions([*given, *said], {c.id for c in batch.cases})
    name, maker = open_encoder(encoder)
    snapshot = build_snapshot(batch.cases, batch.vocabulary, maker, name, progress)
    snapshot = replace(snapshot, reviews=told.reviews, revisions=told.revisions, apart=told.apart)
    progress("writing", 0, 1)
    write_library(snapshot, target)
    progress("writing", 1, 1)
    return target, replace(batch, problems=problems)


def load_vocabulary(vocabulary: str | Path | Vocabulary | None) -> Vocabulary:
    """A vocabulary as it is, from a folder, or the shipped one."""
    if isinstance(vocabulary, Vocabulary):
        return vocabulary
    return read_vocabulary(vocabulary or shipped("vocabulary"))


def open_encoder(encoder: str | Encoder | None, questions: bool = True) -> tuple[str, Encoder]:
    """An encoder with the name by which it is loaded again.

    Vectors are looked up by content: first those that come with the shipped cases, then the
    user's cache, which keeps those of questions only with `questions`.
    """
    name = encoder if isinstance(encoder, str) else "default" if encoder is None else "given"
    made = load_encoder(encoder) if isinstance(encoder, str) or encoder is None else encoder
    folder = default_cache_dir()
    cache = VectorCache(folder / "vectors.sqlite") if folder else None
    data = shipped("cases").parent
    vectors, tokens = VectorFile(data / SHIPPED_VECTORS), TokenFile(data / SHIPPED_TOKENS)
    return name, CachedEncoder(made, cache, vectors, tokens, questions)


def shipped_name(encoder: str) -> str:
    """The file name of the library of the shipped cases: another whenever its tables differ."""
    readable = "".join(c if c.isalnum() else "-" for c in encoder)
    return f"incidents-{SCHEMA_VERSION}-{RECIPE}-{shipped_hash()}-{readable}.duckdb"


def shipped_hash() -> str:
    """A short hash of the shipped cases and vocabulary."""
    digest = hashlib.sha256()
    for folder in ("cases", "vocabulary"):
        for file in sorted(shipped(folder).glob("*.json*")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _listed(inputs: Input | Iterable[Input]) -> list[Input]:
    return [inputs] if isinstance(inputs, str | Path | Case) else list(inputs)


def rebuilt(
    snapshot: Snapshot, progress: Progress, encoder: str | Encoder | None = None
) -> Snapshot:
    """A snapshot whose cases or terms have changed, with all that is computed of them made anew.

    What its passages and those of before have in common is not embedded again.

    Args:
        snapshot: the changed one, with the passages and vectors of before.
        progress: called as progress(stage, done, total).
        encoder: the encoder itself, where the library's cannot be loaded by its name.

    Raises:
        LibraryError: the encoder is not the one that made the vectors.
        EncoderNotFound: it cannot be loaded here.
    """
    given = encoder if encoder is not None and not isinstance(encoder, str) else None
    _, maker = open_encoder(given or snapshot.encoder)
    if snapshot.passages and maker.fingerprint != snapshot.fingerprint:
        raise LibraryError(
            f"this library was made with the encoder {snapshot.encoder!r} ({snapshot.fingerprint}),"
            f" and here it is another one ({maker.fingerprint}); build the library anew"
        )
    cases = sorted(snapshot.cases, key=lambda c: c.id)
    made = build_snapshot(cases, snapshot.vocabulary, maker, snapshot.encoder, progress, snapshot)
    return replace(
        made, reviews=snapshot.reviews, revisions=snapshot.revisions, apart=snapshot.apart
    )


def with_neighbours(snapshot: Snapshot) -> Snapshot:
    """The snapshot with the similar cases of each case computed anew."""
    return replace(snapshot, similar=tuple(_similar(snapshot)))


def _similar(snapshot: Snapshot) -> Iterable[SimilarRow]:
    graph = IncidentGraph(snapshot.cases, snapshot.vocabulary)
    lanes = Lanes(snapshot, graph)
    causes = {i: confirmed_causes(graph, i) for i in lanes.ids}
    for case_id, scores in lanes.for_every_case():
        parts, own = scores.parts, lanes.row[case_id]
        # Cases stand in order of their ids, which decide between equal scores.
        order = np.argsort(-np.round(scores.total, 6), kind="stable")
        for rank, i in enumerate(order[order != own][:NEIGHBOURS].tolist(), 1):
            dense, words, shared = (round(float(parts[lane][i]), 6) for lane in LANES)
            known = causes[case_id], causes[lanes.ids[i]]
            verdict = same_of_causes(snapshot.vocabulary, *known)
            yield SimilarRow(
                case_id, rank, lanes.ids[i], round(dense + words + shared, 6),
                dense, words, shared, str(verdict),
            )  # fmt: skip
