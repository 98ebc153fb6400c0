"""Old ids: where the history of a vocabulary leads each of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kg.model import Change


def successor(term_id: str, history: Sequence[Change]) -> str:
    """The id to which a history leads, followed from its beginning; the same where it does not."""
    for change in history:
        if term_id in change.retired:
            term_id = change.new[0]
    return term_id


def successors(history: Sequence[Change], terms: Collection[str]) -> dict[str, str]:
    """Each old id that is no term now, with the id of its term; sorted by old id."""
    retired = {i for change in history for i in change.retired}
    return {i: successor(i, history) for i in sorted(retired) if i not in terms}


def history_faults(history: Sequence[Change], terms: Collection[str]) -> dict[str, str]:
    """What does not fit, by old id: it leads to no term, or to one of another scheme."""
    found = {}
    for old, new in successors(history, terms).items():
        if new not in terms:
            found[old] = f"the old id {old} leads to {new}, which does not exist"
        elif old.partition(":")[0] != new.partition(":")[0]:
            found[old] = f"the old id {old} leads to {new}, a term of another scheme"
    return found


def retired_in(history: Sequence[Change], old_id: str) -> int:
    """The number of the change, from 1, in which an id ended for the last time; 0 for none."""
    return max((n for n, change in enumerate(history, 1) if old_id in change.retired), default=0)
