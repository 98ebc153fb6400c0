"""What `kg vocab rename` and its like print: what was done, to which claims, what is left."""

from __future__ import annotations

from collections.abc import Sequence

from kg.cli.words import phrase
from kg.library.evolution import Evolved
from kg.model import Change, Part, Retag
from kg.vocab import Vocabulary

_FOLLOWING = 20
"""How many claims are listed one by one."""


def evolved(done: Evolved, lang: str) -> str:
    """A change that was made or undone, or would be."""
    head = phrase(
        "undone" if done.undone else str(done.change.operation), lang, *_ends(done.change)
    )
    lines = [head if done.done else phrase("dry run", lang, head)]
    lines += [f"  {line}" for line in _retags(done.retags, lang)]
    for key, claims in (("undecided", done.undecided), ("stayed", done.stayed)):
        if claims:
            lines.append("  " + phrase(key, lang, done.change.old[0], ", ".join(claims)))
    for c in done.contradictions:
        told = phrase("both said", lang, c.case_id, ", ".join(c.stated), ", ".join(c.ruled_out))
        lines.append(f"  {told}")
    return "\n".join(lines)


def history(vocabulary: Vocabulary, lang: str) -> str:
    """Every change with its number, the oldest first, and where old ids lead now."""
    if not vocabulary.history:
        return phrase("no history", lang)
    lines = []
    for number, change in enumerate(vocabulary.history, 1):
        told = " · ".join(x for x in (change.at, change.author, change.note) if x)
        claims = phrase("claims re-tagged", lang, len(change.retags), len(change.cases))
        lines.append(f"{number}  {phrase(str(change.operation), lang, *_ends(change))}")
        lines += [f"   {line}" for line in (told, claims) if line]
    if vocabulary.replaced:
        lines.append(phrase("old ids", lang))
        lines += [f"  {old} → {new}" for old, new in vocabulary.replaced.items()]
    return "\n".join(lines)


def _ends(change: Change) -> tuple[str, str]:
    return ", ".join(change.old), ", ".join(change.new)


def _retags(retags: Sequence[Retag], lang: str) -> list[str]:
    cases = {r.case_id for r in retags}
    lines = [phrase("claims re-tagged", lang, len(retags), len(cases))]
    for r in retags[:_FOLLOWING]:
        part = f" ({phrase('addresses', lang)})" if r.part is Part.ADDRESSES else ""
        lines.append(f"  {r.claim}{part}: {', '.join(r.before)} → {', '.join(r.after)}")
    if len(retags) > _FOLLOWING:
        lines.append("  " + phrase("more", lang, len(retags) - _FOLLOWING))
    return lines
