"""Proposed and done merges as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kg.cli.words import phrase
from kg.intake.reasons import reason_text
from kg.intake.same_event import SameEvent
from kg.library.merging import MergeOfCases
from kg.model import Apart, Case

_LONGEST = 120


def proposals(shown: Sequence[SameEvent], count: int, cases: Mapping[str, Case], lang: str) -> str:
    """Each pair with both titles and what speaks for it (+) and against it (-)."""
    if not shown:
        return phrase("no merges", lang)
    lines = [phrase("merges", lang, count, len(shown))]
    for p in shown:
        lines.append(f"{p.probability:.2f}  {p.case_id}  {p.other_id}")
        lines += [f"    {_short(cases[i].name(lang))}" for i in (p.case_id, p.other_id)]
        lines += [f"    {'+' if r.weight > 0 else '-'} {reason_text(r, lang)}" for r in p.reasons]
    return "\n".join(lines)


def merged(done: MergeOfCases, lang: str) -> str:
    """What was merged, and what the two do not say alike."""
    head = phrase("cases merged", lang, done.absorbed, done.kept.id)
    lines = [head if done.done else phrase("dry run", lang, head)]
    lines += [
        "  "
        + phrase("said otherwise", lang, d.about, _short(d.kept) or "–", _short(d.other) or "–")
        for d in done.differences
    ]
    if done.untranslated:
        lines.append("  " + phrase("untranslated", lang, ", ".join(done.untranslated)))
    return "\n".join(lines)


def taken_apart(kept: Case, other: Case, done: bool, lang: str) -> str:
    """Which case is back."""
    head = phrase("merge undone", lang, other.id, kept.id)
    return head if done else phrase("dry run", lang, head)


def apart(made: Apart, refused: bool, lang: str) -> str:
    """The decision about two cases."""
    return phrase("told apart" if refused else "allowed", lang, made.case_id, made.other_id)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
