"""What an answer that was cut to a budget may hold of the whole one."""

from __future__ import annotations

from typing import Any


def part_of(cut: Any, whole: Any) -> bool:
    """Whether nothing was changed or put in another order, and nothing was emptied by leaving out.

    Members and entries may be missing; what is left of a list or dictionary that holds something
    is not empty, and a text, number or null is what it was.
    """
    if isinstance(whole, dict) and isinstance(cut, dict):
        kept = set(cut) <= set(whole) and all(part_of(cut[k], whole[k]) for k in cut)
        return kept and bool(cut) == bool(whole)
    if isinstance(whole, list) and isinstance(cut, list):
        rest = iter(whole)
        return all(any(part_of(c, w) for w in rest) for c in cut) and bool(cut) == bool(whole)
    return type(cut) is type(whole) and cut == whole
