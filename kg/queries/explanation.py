"""The record of an explanation: the verdict, what is shared, the paths, what differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kg.queries.differences import Contrast, Excluded, Measure
from kg.queries.paths import Path
from kg.queries.sharing import SameCause, SharedTerm
from kg.queries.sides import Saying
from kg.vocab import Tag


@dataclass(frozen=True)
class Explanation:
    """Why two cases, or a text and a case, are alike, and where they differ.

    Attributes:
        a, b: the case ids; `(text)` for the side that is a text.
        lang: the language of `text`, `labels` and `titles`.
        same_cause: the verdict on their causes. Of a text it is never yes, as a text confirms
            none: unknown, or no where the text rules out every confirmed cause of the case.
        shared: what they have in common, causes first, each with what both sides say.
        contrasts: what one side says the opposite of: rules out what the other does not, or gives
            another value, result or role.
        excluded: what both rule out; it counts for nothing.
        paths: ranked paths through the graph, stated ones first, then derived ones.
        only_a, only_b: terms of each kind that the other side does not have, ruled-out ones aside.
        told_a, told_b: what the side says of these, by term.
        denied_a, denied_b: what the side rules out while the other says nothing of it.
        caveats: what a claim says with reserve of its result, by claim id.
        measures: times and figures that both cases state.
        titles, kinds: title and kind (incident, series, study) of each case.
        labels: the name of every node that is mentioned.
        text: one paragraph.
        query: the text that is explained; None for two cases.
        understood: the terms found in that text, with spans and confidence.
    """

    a: str
    b: str
    lang: str
    same_cause: SameCause
    shared: tuple[SharedTerm, ...]
    contrasts: tuple[Contrast, ...]
    excluded: tuple[Excluded, ...]
    paths: tuple[Path, ...]
    only_a: Mapping[str, tuple[str, ...]]
    only_b: Mapping[str, tuple[str, ...]]
    told_a: Mapping[str, tuple[Saying, ...]]
    told_b: Mapping[str, tuple[Saying, ...]]
    denied_a: tuple[Saying, ...]
    denied_b: tuple[Saying, ...]
    caveats: Mapping[str, str]
    measures: tuple[Measure, ...]
    titles: Mapping[str, str]
    kinds: Mapping[str, str]
    labels: Mapping[str, str]
    text: str
    query: str | None = None
    understood: tuple[Tag, ...] = ()

    def __str__(self) -> str:
        return self.text
