"""Results as text for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kg.cli.words import count_of_cases, phrase, word
from kg.graph import Edge
from kg.library import Library
from kg.model import PROSE_FIELDS, Case, Span
from kg.queries import (
    Group,
    Hit,
    Hits,
    Page,
    Topic,
    VocabularyEntry,
)

_WIDTH = 96


def built(path: Path, count: int) -> str:
    """What a build made."""
    return f"{path}: {count_of_cases(count, 'en')}"


def hits(library: Library, found: Hits, lang: str) -> str:
    """Hits with their reasons."""
    lines = []
    if found.understood:
        named = dict.fromkeys(
            (library.vocabulary.terms[t.term].label.best(lang), t.negated) for t in found.understood
        )
        told = ", ".join(phrase("not", lang, x) if no else x for x, no in named)
        lines.append(f"{word('understood', lang)}: {told}")
    if found.message:
        lines.append(found.message)
    for number, hit in enumerate(found.items, 1):
        lines += _hit(number, hit, lang)
    if not found.items and found.weaker:
        lines.append(f"{word('below', lang)}:")
        lines += [f"  {_level(h)}  {h.id}  {h.title}" for h in found.weaker]
    if not found.items:
        lines += _by_name(library, found, lang)
    return "\n".join(lines)


def _by_name(library: Library, found: Hits, lang: str) -> Iterator[str]:
    """Where a text found nothing: the cases that have what it names, a list away."""
    for term in dict.fromkeys(t.term for t in found.understood if not t.negated):
        scheme, _, slug = term.partition(":")
        facet: dict[str, Any] = {scheme: slug}
        if count := library.list(limit=1, **facet).total:
            label = library.vocabulary.terms[term].label.best(lang)
            cases = count_of_cases(count, lang)
            yield phrase("by name", lang, label, cases, f"kg list --{scheme} {slug}")


def _hit(number: int, hit: Hit, lang: str) -> list[str]:
    parts = " + ".join(f"{lane} {value / 100:.2f}" for lane, value in hit.hundredths().items())
    same = f"{word('same cause', lang)}: {word(hit.same_cause, lang)}"
    likely = "" if hit.probability is None else f"  {word('probability', lang)} {_level(hit)}"
    lines = ["", f"{number}. {hit.id}{likely}  {hit.score:.2f} = {parts}  {same}"]
    lines += wrap(hit.title, 3)
    if hit.shared:
        names = [f"{t.label} ({word(t.kind, lang)})" for t in hit.shared[:6]]
        lines += wrap(f"{word('shared', lang)}: {', '.join(names)}", 3)
    if hit.words:
        lines += wrap(f"{word('words', lang)}: {', '.join(hit.found_words)}", 3)
    for passage in hit.passages[:2]:
        place = f"{passage.field}.{passage.lang} {passage.start}–{passage.end}"
        lines += wrap(f"{place} ({passage.score:.2f}): “{passage.text}”", 3)
    if hit.difference:
        lines += wrap(hit.difference, 3)
    return lines


def _level(hit: Hit) -> str:
    """The probability in percent, or the score where there is none."""
    return f"{hit.score:.2f}" if hit.probability is None else f"{100 * hit.probability:.0f} %"


def _standing(edge: Edge, lang: str) -> str:
    """Status and role of what an edge says."""
    return ", ".join(word(s, lang) for s in (edge.status, edge.role) if s)


def _span(spans: Sequence[Span], lang: str) -> Span:
    return next((s for s in spans if s.lang == lang), spans[0])


def _quoted(span: Span) -> str:
    return f"“{span.quote}” [{span.field}.{span.lang} {span.start}–{span.end}]"


def case(library: Library, found: Case, lang: str) -> str:
    """A case in full: texts, claims with evidence, figures, sources."""
    lines = [f"{found.id}  {word(found.kind, lang)}  {found.domain}"]
    lines += [f"{word(when.kind, lang)}: {when.at}" for when in found.dates]
    for name, duration in (
        ("time to detect", found.time_to_detect),
        ("time to recover", found.time_to_recover),
    ):
        seconds = phrase("seconds", lang, f"{duration.seconds:g}") if duration else ""
        lines.append(f"{word(name, lang)}: {seconds or word('not_stated', lang)}")
    for field in PROSE_FIELDS:
        state = found.field_state(field)
        prose = getattr(found, field)
        lines += ["", f"— {word(field, lang)} —"]
        lines += wrap(prose.best(lang), 0) if state == "stated" else [word(state, lang)]
    lines += ["", f"— {word('claims', lang)} —"]
    for edge in library.graph.edges_of(found.id):
        label = library.vocabulary.terms.get(edge.target)
        name = label.label.best(lang) if label else edge.target
        value = f" = {edge.value}" if edge.value else ""
        said = f"{edge.relation} {name}{value} ({_standing(edge, lang)})"
        lines += wrap(f"{said} {_quoted(_span(edge.evidence, lang))}", 0)
    lines += ["", f"— {word('figures', lang)} —"]
    for f in found.figures:
        number = f"{f.value:g}" if f.value is not None else f"{_end(f.min)}–{_end(f.max)}"
        amount = f"{number} {f.unit}"
        told = phrase("about", lang, amount) if f.approx else amount
        lines.append(f"{f.label.best(lang)}: {told}")
    return "\n".join(lines)


def _end(number: float | None) -> str:
    return "" if number is None else f"{number:g}"


def page(library: Library, found: Page, lang: str) -> str:
    """A list of cases, one line each."""
    chips = " ".join(f"{facet}={value}" for facet, value in found.filter.chips())
    count = count_of_cases(found.total, lang)
    lines = [(phrase("with", lang, count, chips) if chips else count) + f". {found.notice}"]
    for card in found.items:
        who = ", ".join(library.vocabulary.terms[o].label.best(lang) for o in card.organizations)
        day = card.date or word("undated", lang)
        lines.append(f"{card.id}  {_padded(day, 10)}  {_padded(word(card.kind, lang), 8)}  {who}")
        lines += wrap(card.title, 4)
    names = [
        f"{library.vocabulary.terms[t].label.best(lang)} ({n})" for t, n in found.top_components
    ]
    if names:
        lines.append(f"{word('components', lang)}: {', '.join(names)}")
    return "\n".join(lines)


def groups(library: Library, found: Sequence[Group], lang: str) -> str:
    """Cases by root cause."""
    lines = []
    for group in found:
        lines.append(f"{library.vocabulary.terms[group.cause].label.best(lang)}  {group.count}")
        for m in group.members:
            who = " ".join(str(x) for x in (m.organization, m.year) if x)
            lines += wrap(f"{m.id}  {m.title}" + (f"  ({who})" if who else ""), 4)
    return "\n".join(lines)


def vocab(found: Sequence[VocabularyEntry], lang: str) -> str:
    """Terms with their number of cases."""
    return "\n".join(f"{e.count:4}  {e.id:44}  {e.labels.get(lang, e.id)}" for e in found)


def topic(library: Library, found: Topic, lang: str) -> str:
    """A term with its cases and company."""
    entry = found.entry
    lines = [f"{entry.labels.get(lang, entry.id)} ({entry.id})", *wrap(entry.definition, 0)]
    lines += [f"{word('broader', lang)}: {', '.join(entry.broader) or '–'}"]
    lines += [f"{word('narrower', lang)}: {', '.join(found.narrower) or '–'}"]
    if entry.checked:
        lines += [f"{word('serves', lang)}: {', '.join(entry.checked)}"]
    for status, ids in found.cases.items():
        for case_id in ids:
            lines += wrap(f"{word(status, lang)}: {case_id}  {library.get(case_id).name(lang)}", 0)
    for facet, pairs in found.together.items():
        if pairs:
            named = [f"{library.vocabulary.terms[t].label.best(lang)} ({n})" for t, n in pairs[:5]]
            told = phrase("together", lang, word(facet, lang))
            lines += wrap(f"{told}: {', '.join(named)}", 0)
    return "\n".join(lines)


def wrap(text: str, indent: int) -> list[str]:
    """Lines of at most `_WIDTH` columns, broken at spaces; Hangul takes two columns a letter."""
    first, later = " " * indent, " " * (indent + 2 if indent else 0)
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = first
        for part in paragraph.split():
            if line.strip() and _columns(line) + 1 + _columns(part) > _WIDTH:
                lines.append(line)
                line = later
            line += part if not line.strip() else f" {part}"
        lines += [line] if line.strip() else []
    return lines


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
