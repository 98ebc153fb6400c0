"""Topics and vocabulary entries: a term with its cases and what comes together with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.graph import IncidentGraph, Relation
from kg.model import Case, Status, Term
from kg.queries.filters import RELATIONS_OF_FACET
from kg.queries.listing import facet_counts, sort_ids
from kg.queries.shown import Shown
from kg.vocab import Vocabulary


@dataclass(frozen=True)
class VocabularyEntry:
    """A term as it is offered for filtering: labels, definition, and the number of its cases.

    `count` and `cases` hold what a filter by the term finds: the cases that state it or a
    narrower one and do not rule it out. `checked` are cases around which it only serves a check.
    `exact_match` and `close_match` are concepts of other vocabularies, as IRIs.
    """

    id: str
    scheme: str
    type: str | None
    labels: Mapping[str, str]
    aliases: tuple[str, ...]
    definition: str
    broader: tuple[str, ...]
    exact_match: tuple[str, ...]
    close_match: tuple[str, ...]
    count: int
    cases: tuple[str, ...]
    checked: tuple[str, ...]


@dataclass(frozen=True)
class Topic(Shown):
    """Everything about one term.

    `cases` are newest first, by status of the claim; `together` lists, per facet, what else
    these cases state, most frequent first.
    """

    entry: VocabularyEntry
    narrower: tuple[str, ...]
    cases: Mapping[str, tuple[str, ...]]
    together: Mapping[str, tuple[tuple[str, int], ...]]


def make_entry(graph: IncidentGraph, term: Term, lang: str) -> VocabularyEntry:
    """A term as a vocabulary entry."""
    facet = RELATIONS_OF_FACET[term.scheme]
    cases = tuple(graph.cases_of(term.id, narrower=True, relations=facet))
    checked = graph.cases_of(term.id, narrower=True, relations=(Relation.CHECKED_BY,))
    labels = dict(term.label.items())
    aliases = tuple(s for _, s in term.spellings() if s not in labels.values())
    return VocabularyEntry(
        id=term.id,
        scheme=term.scheme,
        type=term.type,
        labels=labels,
        aliases=aliases,
        definition=term.definition.best(lang),
        broader=term.broader,
        exact_match=term.exact_match,
        close_match=term.close_match,
        count=len(cases),
        cases=cases,
        checked=tuple(checked),
    )


def make_topic(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    cases: Mapping[str, Case],
    term: Term,
    lang: str,
    top: int = 10,
) -> Topic:
    """A term with its cases and its company (at most `top` terms per facet)."""
    entry = make_entry(graph, term, lang)
    facet = RELATIONS_OF_FACET[term.scheme]
    by_status = {}
    for status in Status:
        ids = graph.cases_of(term.id, narrower=True, status=status, relations=facet)
        by_status[str(status)] = tuple(sort_ids(cases, ids, "recent"))
    kin = {*vocabulary.narrower_all(term.id), *vocabulary.broader_steps(term.id)}
    together = {
        name: tuple(pair for pair in pairs if pair[0] not in kin)[:top]
        for name, pairs in facet_counts(graph, vocabulary, entry.cases).items()
    }
    return Topic(
        entry=entry,
        narrower=vocabulary.narrower.get(term.id, ()),
        cases=by_status,
        together=together,
    )


def entries(graph: IncidentGraph, terms: Sequence[Term], lang: str) -> list[VocabularyEntry]:
    """Terms as entries, most cases first, then by id."""
    found = [make_entry(graph, t, lang) for t in terms]
    return sorted(found, key=lambda e: (-e.count, e.id))
