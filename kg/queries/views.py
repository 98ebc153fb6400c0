"""Results as HTML for notebooks: searches, lists, topics; everything in it is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kg.model.escaping import safe_line
from kg.model.html import Markup, bar, chip, heading, paragraph, table, view
from kg.queries.hits import Hit, Hits
from kg.queries.listing import Page
from kg.queries.shown import Shown
from kg.queries.topic import Topic
from kg.queries.view_words import say

_SHOWN_TERMS, _SHOWN_PASSAGES, _TOGETHER = 6, 2, 6


def view_of(found: Shown) -> str:
    """The view of an answer about many cases, by its type."""
    from kg.queries import views_of_many as many

    makers: Mapping[str, Callable[[Any], str]] = {
        "Page": page_view,
        "Topic": topic_view,
        "Common": many.common_view,
        "Patterns": many.patterns_view,
        "Recurrences": many.recurrences_view,
        "Statistics": many.statistics_view,
        "Trends": many.trends_view,
        "WhatIf": many.what_if_view,
    }
    return view(makers[type(found).__name__](found), found.lang)


def hits_view(found: Hits) -> str:
    """Hits with probability, shared terms, best passages and the verdict on the cause."""
    parts = [_understood(found), paragraph(found.message)]
    parts += [_hit(hit, found.lang) for hit in found.items]
    if not found.items and found.weaker:
        parts.append(heading(say("weaker", found.lang)))
        parts.append(
            table((), [(Markup(_level(h, found.lang)), h.id, h.title) for h in found.weaker])
        )
    return view("".join(parts), found.lang)


def _understood(found: Hits) -> str:
    names = dict.fromkeys((t.text, t.negated) for t in found.understood)
    chips = "".join(chip(say("not", found.lang, x) if no else x) for x, no in names)
    return f"<p>{safe_line(say('understood', found.lang))}: {chips}</p>" if chips else ""


def _hit(hit: Hit, lang: str) -> str:
    verdict = f"{say('same cause', lang)}: {say(str(hit.same_cause), lang)}"
    return (
        f'<div class="kg-card"><b>{safe_line(hit.id)}</b> {safe_line(hit.title)}'
        f"<p>{_level(hit, lang)} {chip(verdict)}</p>{''.join(_reasons(hit, lang))}</div>"
    )


def _level(hit: Hit, lang: str) -> str:
    """The probability, or the score where there is none, as a bar with its number."""
    if hit.probability is None:
        return f"{bar(hit.score)}{safe_line(say('score', lang))} {hit.score:.2f}"
    return f"{bar(hit.probability)}{safe_line(say('relevant', lang))} {hit.probability:.0%}"


def _reasons(hit: Hit, lang: str) -> Iterator[str]:
    if hit.shared:
        chips = "".join(chip(f"{t.label} ({say(t.kind, lang)})") for t in hit.shared[:_SHOWN_TERMS])
        yield f"<p>{safe_line(say('shared', lang))}: {chips}</p>"
    for passage in hit.passages[:_SHOWN_PASSAGES]:
        place = f"{passage.field}.{passage.lang} {passage.start}–{passage.end}"
        yield (
            f"<blockquote>{safe_line(passage.text)} "
            f'<span class="kg-faint">{safe_line(place)}</span></blockquote>'
        )
    if hit.repeated:
        yield paragraph(f"{say('repeated', lang)}: {', '.join(hit.repeated)}", faint=True)
    yield paragraph(hit.difference, faint=True)


def page_view(found: Page) -> str:
    """A list of cases, a row each."""
    lang = found.lang
    head = [say(k, lang) for k in ("case", "title", "kind", "date", "organization")]
    rows = [
        (
            card.id,
            card.title,
            say(card.kind, lang),
            f"{card.date} ({say(card.date_kind or '', lang)})" if card.date else None,
            ", ".join(map(found.label, card.organizations)) or None,
        )
        for card in found.items
    ]
    return paragraph(say("total", lang, found.total)) + table(head, rows) + paragraph(found.notice)


def topic_view(found: Topic) -> str:
    """A term with its definition, its cases by status, and what comes with it."""
    entry, lang = found.entry, found.lang
    names = " · ".join(dict.fromkeys(entry.labels.values()))
    parts = [
        f"<h4>{safe_line(names)} {chip(entry.id)}</h4>",
        paragraph(entry.definition),
        _row(found, "broader", entry.broader),
        _row(found, "narrower", found.narrower),
    ]
    statuses = [(say(s, lang), len(ids), ", ".join(ids)) for s, ids in found.cases.items() if ids]
    if statuses:
        parts.append(table(("", "n", say("cases", lang)), statuses))
    rows = [
        (
            say(kind, lang),
            ", ".join(f"{found.label(term)} ({n})" for term, n in some[:_TOGETHER]),
        )
        for kind, some in found.together.items()
        if some
    ]
    if rows:
        parts += [heading(say("together", lang)), table((), rows)]
    return "".join(parts)


def _row(found: Topic, name: str, terms: tuple[str, ...]) -> str:
    if not terms:
        return ""
    chips = "".join(chip(found.label(t)) for t in terms)
    return f"<p>{safe_line(say(name, found.lang))}: {chips}</p>"
