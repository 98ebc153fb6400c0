"""Explanations, diagnoses and figures as they are answered."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field

from kg.library import Library
from kg.queries import Filter, StatGroup, TimeStatistic, plain
from kg.server.shapes.common import Answer, Applied, applied


class Explanation(Answer):
    """Why two cases, or a text and a case, are alike, and where they differ.

    `text` tells it in a paragraph; the other members hold each shared term, path and contrast with
    the evidence of both sides.
    """

    model_config = ConfigDict(extra="allow")

    a: str
    b: str
    lang: str
    same_cause: str
    text: str
    shared: list[dict[str, Any]]
    contrasts: list[dict[str, Any]]
    paths: list[dict[str, Any]]
    titles: dict[str, str]
    labels: dict[str, str]


class Diagnosis(Answer):
    """What the library has to say of an incident under way, with evidence, and what it has not.

    Hypotheses are causes of cases that are like it; none is ever said to be confirmed.
    `told` is the same in words. `key` identifies the numbered evidence: `citations[n - 1]` is the
    claim that `[n]` cites.
    """

    model_config = ConfigDict(extra="allow")

    text: str
    lang: str
    understood: dict[str, Any]
    similar: dict[str, Any]
    hypotheses: list[dict[str, Any]]
    suspicions: list[dict[str, Any]]
    look_alikes: list[dict[str, Any]]
    checks: list[dict[str, Any]]
    mitigations: list[dict[str, Any]]
    follow_ups: list[dict[str, Any]]
    novelty: float
    unknown: list[dict[str, Any]]
    abstention: dict[str, Any] | None
    labels: dict[str, dict[str, str]]
    told: str
    key: str
    citations: list[str]


class Times(Answer):
    """Times to detect and to recover of incidents by group, as `Library.stats` gives them."""

    group_by: str
    dated: str | None
    overlapping: bool
    groups: tuple[StatGroup, ...]
    detect: TimeStatistic
    recover: TimeStatistic
    incidents: int
    note: str


class Stats(Answer):
    """How many cases there are and what they state, and the times of the incidents by group."""

    cases: int
    kinds: dict[str, int]
    terms: int
    version: str
    applied: Applied
    coverage: dict[str, dict[str, int]] = Field(
        description="for each field how many cases state it, state none, or do not state it"
    )
    times: Times


def explanation(lib: Library, a: str, b: str, lang: str | None, usual: str) -> Explanation:
    """Why two cases are alike, or a text and a case.

    Args:
        lib: the library.
        a: the id of a case, or a text.
        b: the same of the other side; both cannot be texts.
        lang: language of the words; where None, that of the text.
        usual: the language of two cases where none is named.

    Raises:
        CaseNotFound, BadQuery, EncoderMismatch, EncoderNotFound: as `Library.explain`.
    """
    two = lib.find(a) is not None and lib.find(b) is not None
    return Explanation.model_validate(plain(lib.explain(a, b, lang or (usual if two else None))))


def diagnosis(
    lib: Library,
    text: str,
    *,
    observed: list[str],
    ruled_out: list[str],
    k: int,
    threshold: float | None,
    lang: str | None,
) -> Diagnosis:
    """What may be behind what was seen.

    Raises:
        BadQuery, TermNotFound, AmbiguousTerm, EncoderMismatch, EncoderNotFound: as
            `Library.diagnose`.
    """
    level: dict[str, Any] = {} if threshold is None else {"threshold": threshold}
    found = lib.diagnose(text, observed=observed, ruled_out=ruled_out, k=k, lang=lang, **level)
    return Diagnosis.model_validate(
        {
            **plain(found),
            "told": str(found),
            "key": found.key,
            "citations": [s.claim_id for s in found.evidence],
        }
    )


def stats(
    lib: Library, version: str, wanted: Filter, *, group_by: str, dated: str, lang: str
) -> Stats:
    """Counts and times of the cases that a filter lets through.

    Raises:
        BadQuery: they cannot be grouped so.
    """
    ids = lib.list(wanted, limit=max(len(lib), 1)).ids
    kinds: dict[str, int] = {}
    for case_id in ids:
        kind = str(lib.get(case_id).kind)
        kinds[kind] = kinds.get(kind, 0) + 1
    found = lib.stats(group_by, wanted=wanted, dated=dated, lang=lang)
    return Stats(
        cases=len(ids),
        kinds=dict(sorted(kinds.items())),
        terms=len(lib.vocabulary),
        version=version,
        applied=applied(lib, wanted, "/stats", group_by=group_by, dated=dated, lang=lang),
        coverage={k: dict(v) for k, v in lib.coverage(**wanted.facets()).items()},
        times=Times.model_validate(plain(found)),
    )
