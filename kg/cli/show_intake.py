"""What was added, removed and judged, as text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kg.library import Library
from kg.library.reviewing import Waiting
from kg.model import Case, Decision, Review

if TYPE_CHECKING:
    from kg.library.intake import Intake  # loads every reader

_LONGEST = 90


def added(found: Intake) -> str:
    """What became of each document, how much was replaced, and what is to do next."""
    lines = [
        f"{item.file} ({item.format}): {item.action or 'unchanged'} {item.case_id}"
        + (f", {item.waiting} claims to review" if item.waiting else "")
        for item in found.items
    ]
    actions = Counter(str(item.action or "unchanged") for item in found.items)
    told = ", ".join(f"{n} {what}" for what, n in sorted(actions.items())) or "nothing"
    unchanged = set(actions) <= {"unchanged"}
    why = "" if found.done else " (nothing to write)" if unchanged else " (dry run, not written)"
    lines.append(f"{found.path}: {told}{why}")
    if found.redacted:
        kinds = ", ".join(f"{n} {kind}" for kind, n in found.redacted.items())
        lines.append(f"replaced: {kinds} (--keep KIND leaves them)")
    waiting = sum(item.waiting for item in found.items)
    if waiting and found.done:
        lines.append(f"{waiting} claims wait for review: kg review --library {found.path}")
    return "\n".join(lines)


def queue(shown: Sequence[Waiting], count: int, library: Library, lang: str) -> str:
    """The claims that wait, each with the words that bear it out."""
    lines = [f"{count} claims wait for review" + (f", {len(shown)} shown" if shown else "")]
    for w in shown:
        label = library.vocabulary.get(w.term).label.best(lang)
        quote = w.quote if len(w.quote) <= _LONGEST else w.quote[: _LONGEST - 1] + "…"
        words = " ".join(quote.split())
        lines.append(f"{w.claim_id}  {w.confidence:.2f} by {w.made_by}  {w.status}")
        lines.append(f"    {w.kind} {label} ({w.term}): {w.field} “{words}”")
    return "\n".join(lines)


def decided(made: Sequence[Review]) -> str:
    """What was decided, with the name by which `--undo` takes it back."""
    lines = [f"{len(made)} decisions"]
    for r in made:
        role = f" as {r.role}" if r.role else ""
        now = f" to {r.new_term or r.term}" if r.decision is Decision.CHANGE else ""
        standing = f" ({r.status}{role})" if r.decision is not Decision.REJECT else ""
        who = ", ".join(part for part in (r.at, r.author) if part)
        told = f"{r.case_id}#{r.term}  {r.kind}: {r.decision}{now}{standing}"
        lines.append(f"{told}, {who}" if who else told)
    return "\n".join(lines)


def reviewed(
    given: Sequence[Review], undone: Sequence[tuple[str, str, str]], cases: Sequence[Case]
) -> str:
    """How many decisions were carried out or taken back, and what still waits in these cases."""
    if not given and not undone:
        return "nothing waits that could be decided so"
    counts = Counter(str(r.decision) for r in given)
    parts = [f"{n} {what}" for what, n in sorted(counts.items())]
    if undone:
        parts.append(f"{len(undone)} taken back")
    left = sum(claim.in_review for case in cases for claim in case.claims)
    return f"{', '.join(parts)}; {left} claims of these cases still wait"
