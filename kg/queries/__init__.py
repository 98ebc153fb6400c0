"""Questions over the graph: what cases share, explanations, lists, topics, patterns, times."""

from kg.queries.causes import SharedCause, shared_causes
from kg.queries.chance import wilson
from kg.queries.common import Common, CommonTerm, SuspectedTerm
from kg.queries.explain import explain_text, make_explanation
from kg.queries.explanation import Explanation
from kg.queries.filters import FACETS, Filter, filter_from_url, make_filter, matching
from kg.queries.hits import Hit, HitPassage, Hits, HitTerm
from kg.queries.listing import Card, Group, Page, Subgraph
from kg.queries.ordering import Order
from kg.queries.paths import Path
from kg.queries.patterns import Part, Pattern, Patterns
from kg.queries.plain import plain
from kg.queries.recurrences import FollowUps, Recurrence, Recurrences
from kg.queries.sharing import (
    SameCause,
    SharedTerm,
    confirmed_causes,
    same_cause,
    same_of_causes,
    shared_terms,
)
from kg.queries.stats import StatGroup, Statistics
from kg.queries.times import TimeStatistic, time_statistics
from kg.queries.topic import Topic, VocabularyEntry
from kg.queries.trends import Direction, PeriodCount, Trend, Trends
from kg.queries.what_if import WhatIf, Without

__all__ = [
    "FACETS",
    "Card",
    "Common",
    "CommonTerm",
    "Direction",
    "Explanation",
    "Filter",
    "FollowUps",
    "Group",
    "Hit",
    "HitPassage",
    "HitTerm",
    "Hits",
    "Order",
    "Page",
    "Part",
    "Path",
    "Pattern",
    "Patterns",
    "PeriodCount",
    "Recurrence",
    "Recurrences",
    "SameCause",
    "SharedCause",
    "SharedTerm",
    "StatGroup",
    "Statistics",
    "Subgraph",
    "SuspectedTerm",
    "TimeStatistic",
    "Topic",
    "Trend",
    "Trends",
    "VocabularyEntry",
    "WhatIf",
    "Without",
    "confirmed_causes",
    "explain_text",
    "filter_from_url",
    "make_explanation",
    "make_filter",
    "matching",
    "plain",
    "same_cause",
    "same_of_causes",
    "shared_causes",
    "shared_terms",
    "time_statistics",
    "wilson",
]
