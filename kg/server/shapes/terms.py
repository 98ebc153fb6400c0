"""Terms as they are answered: the vocabulary, and topics with their cases."""

from __future__ import annotations

from pydantic import Field

from kg.errors import TermNotFound
from kg.library import Library
from kg.model import Status
from kg.queries import Topic, VocabularyEntry
from kg.server.shapes.common import Answer, Labels, TermCount, labels_of, list_url, term_counts, url

MEMBERSHIP = {
    "en": "A case is under a topic when one of its claims names the term or a narrower one: "
    "confirmed, suspected, or ruled out. Ruled-out cases are listed and counted apart.",
    "ko": "사례의 주장 가운데 하나가 이 분류 값이나 그 하위 값을 말하면 주제에 듭니다(확정, 의심, "
    "배제). 배제한 사례는 따로 보여 주고 세지 않습니다.",
}


class Scheme(Answer):
    """A scheme, which is a facet: its names and its terms, most cases first."""

    scheme: str
    labels: Labels
    terms: tuple[VocabularyEntry, ...]


class Vocabulary(Answer):
    """Every facet with its values; `version` changes whenever any of it does."""

    version: str
    total: int
    schemes: tuple[Scheme, ...]


class Member(Answer):
    """A case of a topic: why it belongs to it."""

    id: str
    title: str
    url: str
    status: str
    terms: tuple[str, ...] = Field(description="the topic's term, or narrower ones that it states")
    quotes: tuple[str, ...] = Field(description="the evidence")


class TopicPage(Answer):
    """Everything about one term: what it means, its cases and why, and what comes with it."""

    id: str
    slug: str
    url: str
    labels: Labels
    definition: str
    broader: tuple[str, ...]
    narrower: tuple[str, ...]
    count: int = Field(description="cases that confirm or suspect it")
    counts: dict[str, int] = Field(description="cases by status")
    membership: str
    members: tuple[Member, ...] = Field(description="confirmed first, newest first")
    together: dict[str, tuple[TermCount, ...]] = Field(
        description="per facet what these cases state besides, most frequent first"
    )
    list_url: str
    names: dict[str, Labels] = Field(description="names of the terms that are mentioned")


class TopicEntry(Answer):
    """A topic in the list of topics."""

    id: str
    labels: Labels
    count: int
    url: str


class Topics(Answer):
    """Terms that have cases, most cases first."""

    total: int
    items: tuple[TopicEntry, ...]


def vocabulary(lib: Library, version: str, scheme: str | None, lang: str) -> Vocabulary:
    """The schemes with their terms.

    Raises:
        TermNotFound: there is no such scheme.
    """
    if scheme is not None and scheme not in lib.vocabulary.schemes:
        raise TermNotFound(scheme)
    names = [scheme] if scheme else sorted(lib.vocabulary.schemes)
    schemes = tuple(
        Scheme(
            scheme=name,
            labels=dict(lib.vocabulary.schemes[name].label.items()),
            terms=tuple(lib.vocab(name, lang)),
        )
        for name in names
    )
    total = sum(len(s.terms) for s in schemes)
    return Vocabulary(version=version, total=total, schemes=schemes)


def topics(lib: Library, scheme: str | None) -> Topics:
    """The terms that have cases.

    Raises:
        TermNotFound: there is no such scheme.
    """
    found = tuple(
        TopicEntry(id=e.id, labels=dict(e.labels), count=e.count, url=topic_url(e.id))
        for e in lib.vocab(scheme)
        if e.count
    )
    return Topics(total=len(found), items=found)


def topic_page(lib: Library, term: str, lang: str) -> TopicPage:
    """A topic with its cases and why they belong to it.

    Raises:
        TermNotFound, AmbiguousTerm: `term` (an id or a spelling) names no term, or several.
    """
    found = lib.topic(term, lang)
    entry = found.entry
    members = _members(lib, found, lang)
    mentioned = {*entry.broader, *found.narrower, *(t for m in members for t in m.terms)}
    return TopicPage(
        id=entry.id,
        slug=entry.id.partition(":")[2],
        url=topic_url(entry.id),
        labels=dict(entry.labels),
        definition=entry.definition,
        broader=entry.broader,
        narrower=found.narrower,
        count=entry.count,
        counts={status: len(ids) for status, ids in found.cases.items()},
        membership=MEMBERSHIP[lang],
        members=members,
        together={name: term_counts(lib, pairs) for name, pairs in found.together.items()},
        list_url=list_url(lib.filter(**{entry.scheme: entry.id})),
        names=labels_of(lib, mentioned),
    )


def topic_url(term: str) -> str:
    """The address of a topic, which stays as long as the term."""
    return url(f"/topics/{term}")


def _members(lib: Library, topic: Topic, lang: str) -> tuple[Member, ...]:
    below = lib.vocabulary.narrower_all(topic.entry.id)
    return tuple(
        _member(lib, case_id, str(status), below, lang)
        for status in Status
        for case_id in topic.cases[status]
    )


def _member(lib: Library, case_id: str, status: str, below: set[str], lang: str) -> Member:
    edges = [
        e for e in lib.graph.edges_of(case_id)
        if e.target in below and str(e.status) == status and e.evidence
    ]  # fmt: skip
    spans = [next((s for s in e.evidence if s.lang == lang), e.evidence[0]) for e in edges]
    return Member(
        id=case_id,
        title=lib.get(case_id).name(lang),
        url=url(f"/cases/{case_id}"),
        status=status,
        terms=tuple(dict.fromkeys(e.target for e in edges)),
        quotes=tuple(dict.fromkeys(s.quote for s in spans)),
    )
