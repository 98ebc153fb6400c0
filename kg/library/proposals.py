"""What a library proposes to people and never does by itself: merges, and names as terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kg.errors import BadQuery
from kg.intake import whole_ids
from kg.intake.same_event import SameEvent, same_events

if TYPE_CHECKING:
    from kg.model import Case
    from kg.store import Snapshot


class Proposals:
    """What a library proposes. `Library` is one."""

    cases: Mapping[str, Case]
    _snapshot: Snapshot

    def same_events(self, least: float = 0.5, *, mixed: bool = False) -> Sequence[SameEvent]:
        """Pairs of cases that may tell of one event, the likeliest first, with reasons.

        Cases with the same identifier of the same system are never proposed, nor pairs that
        people told apart, nor an incident with a series or a study. Nothing is merged.

        Args:
            least: least probability, 0 to 1.
            mixed: propose an incident with a series or a study as well.

        Raises:
            BadQuery: `least` is not from 0 to 1.
        """
        if not 0 <= least <= 1:
            raise BadQuery(f"least is a probability from 0 to 1, not {least}")
        now = whole_ids(self._snapshot.revisions)
        apart = {
            (min(pair), max(pair))
            for a in self._snapshot.apart
            for pair in [[now.get(i, i) for i in a.pair]]
        }
        return same_events(self.cases.values(), least=least, apart=apart, mixed=mixed)
