"""Answers to a search: hits with reasons, and the filters that the query suggests."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from kg.library import Library
from kg.model import Status
from kg.queries import Filter, Hits, HitTerm
from kg.queries.filters import RELATIONS_OF_FACET
from kg.queries.hits import Hit, HitPassage
from kg.server.shapes.common import Answer, Applied, Labels, applied, labels_of, url

LANES = ("hybrid", "words")
"""`words` compares words only: no encoder, a few milliseconds."""


SUGGESTED_UP_TO = 600
"""Characters of a query up to which filters are suggested by what it means; of a longer one (a
pasted log) by the names in it, since reading each of its sentences takes seconds."""


class Quote(Answer):
    """What a case says: a span of its stored text, and how far the case stands behind it.

    `status` is None for a passage, which is no claim.
    """

    text: str
    field: str
    lang: str
    start: int
    end: int
    status: str | None


class Reason(Answer):
    """Why a case is near: a shared term with what both cases say of it, or a passage."""

    kind: Literal["shared", "passage"]
    term: str | None = None
    label: str | None = None
    quotes: dict[str, tuple[Quote, ...]] = Field(description="case id → what it says")


class Found(Answer):
    """A hit; `score` orders one answer, `probability` says how likely it is relevant."""

    id: str
    title: str
    url: str
    score: float
    parts: dict[str, float]
    probability: float | None
    passages: tuple[HitPassage, ...]
    shared: tuple[HitTerm, ...]
    words: tuple[tuple[str, float], ...]
    same_cause: str
    difference: str
    repeated: tuple[str, ...]


class Neighbour(Found):
    """A case that is like another one, with what both say."""

    reasons: tuple[Reason, ...]


class Suggestion(Answer):
    """A facet value found in the query, to be offered as a filter."""

    facet: str
    id: str
    labels: Labels
    count: int
    url: str


class SearchResult(Answer):
    """Hits, best first.

    Where nothing is similar, `message` says so; `weaker` is what came nearest.
    """

    query: str
    lang: str
    lane: str
    threshold: float
    message: str
    applied: Applied
    items: tuple[Found, ...]
    weaker: tuple[Found, ...]
    understood: tuple[str, ...] = Field(description="terms named in the query and not denied")
    suggestions: tuple[Suggestion, ...]
    labels: dict[str, Labels]


class SimilarResult(Answer):
    """The cases nearest to a case, nearest first, never the case itself."""

    id: str
    threshold: float
    message: str
    applied: Applied
    items: tuple[Neighbour, ...]
    labels: dict[str, Labels]


def search_result(
    lib: Library,
    text: str,
    wanted: Filter,
    *,
    k: int,
    threshold: float | None,
    lang: str | None,
    lane: str,
    diversity: float = 0.0,
) -> SearchResult:
    """Search a library.

    Raises:
        BadQuery: the text has no words, or a value cannot be used.
        EncoderMismatch, EncoderNotFound: the lane needs an encoder that is not here.
    """
    if lane == "words":
        hits = lib.search_words(text, k, wanted=wanted, lang=lang)
        offered = set(_named(hits))
    else:
        level: dict[str, Any] = {} if threshold is None else {"threshold": threshold}
        hits = lib.search(text, k, wanted=wanted, lang=lang, diversity=diversity, **level)
        short = len(hits.query) <= SUGGESTED_UP_TO
        offered = {e.id for e in lib.suggest(hits.query)} if short else set(_named(hits))
    understood = _named(hits)
    again = {"q": text, "k": k, "lane": lane, "lang": lang, "threshold": threshold}
    again |= {"diversity": diversity or None}
    terms = {*understood, *(t.term for h in (*hits.items, *hits.weaker) for t in h.shared)}
    return SearchResult(
        query=hits.query,
        lang=hits.lang,
        lane=lane,
        threshold=hits.threshold,
        message=_message(hits, lane),
        applied=applied(lib, wanted, "/search", **again),
        items=tuple(map(_found, hits.items)),
        weaker=tuple(map(_found, hits.weaker)),
        understood=understood,
        suggestions=_suggestions(lib, offered, wanted, again),
        labels=labels_of(lib, terms),
    )


def similar_result(
    lib: Library, case_id: str, wanted: Filter, *, k: int, threshold: float, lang: str
) -> SimilarResult:
    """The cases nearest to a case, each with what both say of what they share.

    Raises:
        CaseNotFound: the id is not in the library.
        BadQuery: a value cannot be used.
    """
    own = lib.get(case_id).id
    hits = lib.similar(own, k, wanted=wanted, threshold=threshold, lang=lang)
    return SimilarResult(
        id=own,
        threshold=hits.threshold,
        message=hits.message,
        applied=applied(
            lib, wanted, f"/cases/{own}/similar", k=k, lang=lang, threshold=threshold or None
        ),
        items=tuple(_neighbour(lib, own, hit, lang) for hit in hits),
        labels=labels_of(lib, (t.term for h in hits for t in h.shared)),
    )


def _message(hits: Hits, lane: str) -> str:
    if lane != "words" or hits.items:
        return hits.message
    return (
        "이 낱말이 들어 있는 사례가 없습니다." if hits.lang == "ko" else "No case has these words."
    )


def _named(hits: Hits) -> tuple[str, ...]:
    """The terms that the query names and does not deny."""
    return tuple(dict.fromkeys(t.term for t in hits.understood if not t.negated))


def _found(hit: Hit) -> Found:
    return Found(**_plain(hit))


def _neighbour(lib: Library, own: str, hit: Hit, lang: str) -> Neighbour:
    return Neighbour(**_plain(hit), reasons=tuple(_reasons(lib, own, hit, lang)))


def _plain(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit.id, "title": hit.title, "url": url(f"/cases/{hit.id}"), "score": hit.score,
        "parts": dict(hit.parts), "probability": hit.probability, "passages": hit.passages,
        "shared": hit.shared, "words": hit.words, "same_cause": str(hit.same_cause),
        "difference": hit.difference, "repeated": hit.repeated,
    }  # fmt: skip


def _reasons(lib: Library, own: str, hit: Hit, lang: str) -> list[Reason]:
    """What both cases say of each shared term, then the passages that brought them together."""
    shared = [
        Reason(
            kind="shared",
            term=t.term,
            label=t.label,
            quotes={i: _quotes(lib, i, t.term, lang) for i in (own, hit.id)},
        )
        for t in hit.shared
    ]
    passages = [
        Quote(text=p.text, field=p.field, lang=p.lang, start=p.start, end=p.end, status=None)
        for p in hit.passages
    ]
    return [*shared, *(Reason(kind="passage", quotes={hit.id: (p,)}) for p in passages)]


def _quotes(lib: Library, case_id: str, term: str, lang: str) -> tuple[Quote, ...]:
    """What a case says of a term or a narrower one, in a language where it says it in it."""
    below = lib.vocabulary.narrower_all(term)
    found: dict[str, Quote] = {}
    for edge in lib.graph.edges_of(case_id):
        if edge.target in below and edge.evidence and edge.status is not Status.RULED_OUT:
            span = next((s for s in edge.evidence if s.lang == lang), edge.evidence[0])
            start, end = lib.get(case_id).locate(span)
            found.setdefault(
                span.quote,
                Quote(text=span.quote, field=span.field, lang=span.lang, start=start, end=end,
                      status=str(edge.status)),
            )  # fmt: skip
    return tuple(found.values())


def _suggestions(
    lib: Library, terms: set[str], wanted: Filter, again: dict[str, Any]
) -> tuple[Suggestion, ...]:
    """The terms as filters of this same search (`again`), most cases first."""
    found = []
    for term in terms:
        facet = term.partition(":")[0]
        count = len(lib.graph.cases_of(term, narrower=True, relations=RELATIONS_OF_FACET[facet]))
        narrowed = lib.filter(**{**wanted.facets(), facet: [*wanted.terms.get(facet, ()), term]})
        address = url("/search", narrowed, **again)
        names = dict(lib.vocabulary.terms[term].label.items())
        found.append(Suggestion(facet=facet, id=term, labels=names, count=count, url=address))
    return tuple(sorted(found, key=lambda s: (-s.count, s.id)))
