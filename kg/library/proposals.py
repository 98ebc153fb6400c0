"""What a library proposes to people and never does by itself: merges, and names as terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kg.errors import BadQuery
from kg.intake import whole_ids
from kg.intake.names import UnknownName, unknown_names
from kg.intake.same_event import SameEvent, same_events

if TYPE_CHECKING:
    from kg.model import Case
    from kg.store import Snapshot
    from kg.vocab import Tag, Vocabulary

MEASURED = "default"
"""The encoder for which the tagger of meanings was measured."""


class Proposals:
    """What a library proposes. `Library` is one."""

    cases: Mapping[str, Case]
    _snapshot: Snapshot

    if TYPE_CHECKING:

        @property
        def vocabulary(self) -> Vocabulary:
            """The terms of this library."""

        def tag(self, text: str, least: float = 0.3) -> Sequence[Tag]:
            """The terms that a text names or tells of in other words."""

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

    def unknown_names(self, *, meaning: bool | None = None) -> Sequence[UnknownName]:
        """Names of services and labels that name no term, with terms that they may be spellings of.

        Those of most cases come first. Nothing is changed; `kg.library.naming.accept_name` does.

        Args:
            meaning: propose terms that mean the same as well; by default where the library has
                the default encoder, for which the tagger was measured.

        Raises:
            EncoderMismatch, EncoderNotFound: `meaning` needs another encoder.
        """
        by_meaning = self._snapshot.encoder == MEASURED if meaning is None else meaning
        return unknown_names(self.cases.values(), self.vocabulary, self.tag if by_meaning else None)
