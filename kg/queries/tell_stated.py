"""What a case states of its causes, as a phrase: confirmed, only suspected, or not stated."""

from __future__ import annotations

from collections.abc import Sequence

from kg.graph import IncidentGraph, Relation
from kg.model import Role, Status
from kg.queries.sharing import confirmed_causes
from kg.queries.wording import Words, capital

MOST_CAUSES = 3


class StatedCauses:
    """Says what a case holds of its causes, root causes first."""

    def __init__(self, graph: IncidentGraph, words: Words) -> None:
        self._graph = graph
        self._words = words

    def of_both(self, a: str, b: str) -> str:
        """The same of two cases, as one sentence without its end."""
        return "; ".join(
            self._words.say(
                f"{'causes' if self._several(i) else 'cause'} of {i}: {self.of(i)}",
                f"{i}의 원인: {self.of(i)}",
            )
            for i in (a, b)
        )

    def _several(self, case_id: str) -> bool:
        confirmed = confirmed_causes(self._graph, case_id)
        return len({*confirmed, *(self.suspected_roots(case_id) if confirmed else ())}) > 1

    def sentence(self, a: str, b: str) -> str:
        """The same as a sentence."""
        return f"{capital(self.of_both(a, b))}."

    def of(self, case_id: str) -> str:
        """The causes of a case; a root cause that it only suspects is not left out."""
        say, confirmed = self._words.say, confirmed_causes(self._graph, case_id)
        suspected = self.suspected(case_id)
        doubted = self.suspected_roots(case_id)
        if confirmed and doubted:
            root, further = self._named(doubted), self._named(confirmed)
            return say(
                f"{root} (suspected root cause) and {further} (confirmed, a further cause)",
                f"{root}(의심되는 근본 원인), {further}(확정된 부차적 원인)",
            )
        if confirmed:
            return self._named(confirmed)
        if not self._graph.edges_of(case_id, Relation.CAUSED_BY):
            return say("none stated", "적혀 있지 않음")
        if not suspected:
            return say("none confirmed", "확정된 것 없음")
        named = self._named(suspected)
        return say(f"none confirmed (suspected: {named})", f"확정된 것 없음(의심: {named})")

    def suspected(self, case_id: str) -> list[str]:
        """The causes that a case only suspects."""
        confirmed = set(confirmed_causes(self._graph, case_id))
        return [t for t in self._terms(case_id, Status.SUSPECTED) if t not in confirmed]

    def suspected_roots(self, case_id: str) -> list[str]:
        """The root causes that a case suspects while it confirms none."""
        if self._terms(case_id, Status.CONFIRMED, Role.PRIMARY):
            return []
        return self._terms(case_id, Status.SUSPECTED, Role.PRIMARY)

    def root(self, case_id: str) -> str:
        """The root cause of a case, marked where it is only suspected; "" where it states none."""
        if sure := self._terms(case_id, Status.CONFIRMED, Role.PRIMARY):
            return self._named(sure)
        if doubted := self.suspected_roots(case_id):
            named = self._named(doubted)
            return self._words.say(f"{named} (suspected)", f"{named}(의심)")
        return ""

    def _terms(self, case_id: str, status: Status, role: Role | None = None) -> list[str]:
        edges = self._graph.edges_of(case_id, Relation.CAUSED_BY)
        return list(
            dict.fromkeys(e.target for e in edges if e.status is status and role in (None, e.role))
        )

    def _named(self, terms: Sequence[str]) -> str:
        return self._words.terms(terms, MOST_CAUSES)
