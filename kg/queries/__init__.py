"""Questions over the graph: shared causes, explanations, lists, topics, time statistics."""

from kg.queries.causes import SharedCause, shared_causes, wilson
from kg.queries.explain import Explanation, Path, make_explanation
from kg.queries.filters import FACETS, Filter, filter_from_url, make_filter, matching
from kg.queries.hits import Hit, HitPassage, Hits, HitTerm
from kg.queries.listing import Card, Group, Page, Subgraph
from kg.queries.plain import plain
from kg.queries.sharing import SameCause, SharedTerm, same_cause, shared_terms
from kg.queries.times import TimeStatistic, time_statistics
from kg.queries.topic import Topic, VocabularyEntry

__all__ = [
    "FACETS",
    "Card",
    "Explanation",
    "Filter",
    "Group",
    "Hit",
    "HitPassage",
    "HitTerm",
    "Hits",
    "Page",
    "Path",
    "SameCause",
    "SharedCause",
    "SharedTerm",
    "Subgraph",
    "TimeStatistic",
    "Topic",
    "VocabularyEntry",
    "filter_from_url",
    "make_explanation",
    "make_filter",
    "matching",
    "plain",
    "same_cause",
    "shared_causes",
    "shared_terms",
    "time_statistics",
    "wilson",
]
