"""The sentences of an explanation that say what both sides have, the most telling first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from kg.graph import IncidentGraph, Relation
from kg.model import Result, Role, Status
from kg.queries.differences import results
from kg.queries.sharing import SharedTerm
from kg.queries.sides import Saying, Side
from kg.queries.wording import Words, capital, particle

MOST_SENTENCES, MOST_TERMS, MOST_GENERIC = 4, 3, 2
_FOUND = (str(Role.DETECTED), str(Role.DIAGNOSED))
_GENERIC_KINDS = ("symptom", "trigger", "factor", "component")
"""Kinds of which also what is common in the library is told, in the last place."""


class SharedTeller:
    """Says what two sides share beside causes: one sentence a kind, at most `MOST_SENTENCES`."""

    def __init__(
        self, graph: IncidentGraph, words: Words, caveats: Mapping[str, str] | None = None
    ) -> None:
        self._caveats = caveats or {}
        self._graph = graph
        self._words = words

    def sentences(self, shared: Sequence[SharedTerm], left: Side, right: Side) -> Iterator[str]:
        """The sentences; what many cases have comes last and counted."""
        telling = [s for s in shared if not s.generic and s.kind != "cause"]
        told = [(part, sentence) for part, sentence in self._parts(telling, left, right) if part]
        told.sort(key=lambda pair: -pair[0][0].weight)
        yield from (sentence for _, sentence in told[:MOST_SENTENCES])
        generic = [s for s in shared if s.generic and s.kind in _GENERIC_KINDS]
        yield from self._generic(sorted(generic, key=lambda s: (s.cases, s.term)))

    def _parts(
        self, shared: Sequence[SharedTerm], left: Side, right: Side
    ) -> Iterator[tuple[list[SharedTerm], str]]:
        say = self._words.say
        by_kind = {k: [s for s in shared if s.kind == k] for k in _PLAIN}
        for kind, (en, many, ko) in _PLAIN.items():
            part = by_kind[kind]
            named = self._named(part)
            head, before, after = en if len(part) < 2 else many, *ko.split("…")
            told = particle(named, after.split()[0]) + after[len(after.split()[0]) :]
            yield part, say(f"{head}: {named}.", f"두 사례 {before}{told}.")
        yield self._done(shared, left, right)
        yield self._found(shared)
        yield self._missed(shared)

    def _done(
        self, shared: Sequence[SharedTerm], left: Side, right: Side
    ) -> tuple[list[SharedTerm], str]:
        """Mitigations taken then in both, and whether they came to the same."""
        mine, theirs = results(left), results(right)

        def outcome(s: SharedTerm) -> tuple[Result | None, Result | None]:
            return _result(mine, s.left), _result(theirs, s.right)

        def note(s: SharedTerm) -> list[str]:
            one, other = outcome(s)
            same = [self._words.say(*_RESULTS[one])] if one is not None and one is other else []
            return [*same, *self._words.caveats(self._caveats, (*s.left, *s.right))]

        taken = self._of_both(shared, lambda s: s.relation is Relation.MITIGATED_BY)
        part = [s for s in taken if None in outcome(s) or len(set(outcome(s))) == 1]
        named = self._named(part, note)
        return part, self._words.say(
            f"Done in both: {named}.", f"두 사례 모두에서 쓴 조치: {named}."
        )

    def _found(self, shared: Sequence[SharedTerm]) -> tuple[list[SharedTerm], str]:
        part = self._of_both(shared, lambda s: s.role in _FOUND)
        noticed = all(s.role == Role.DETECTED for x in part for s in (*x.left, *x.right))
        named = self._named(part)
        if noticed:
            return part, self._words.say(
                f"Detection in both: {named}.", f"두 사례의 감지: {named}."
            )
        return part, self._words.say(
            f"Detection or diagnosis in both: {named}.", f"두 사례의 감지·진단: {named}."
        )

    def _missed(self, shared: Sequence[SharedTerm]) -> tuple[list[SharedTerm], str]:
        part = self._of_both(shared, lambda s: s.role == Role.MISSED)
        named = self._named(part)
        return part, self._words.say(
            f"{capital(named)} missed both.",
            f"{particle(named, '은/는')} 두 사례를 모두 놓쳤습니다.",
        )

    def _of_both(
        self, shared: Sequence[SharedTerm], wanted: Callable[[Saying], bool]
    ) -> list[SharedTerm]:
        """What both sides say in the same way, and only so."""
        return [s for s in shared if all(map(wanted, (*s.left, *s.right)))]

    def _named(
        self,
        shared: Sequence[SharedTerm],
        more: Callable[[SharedTerm], list[str]] = lambda _: [],
    ) -> str:
        """Shared terms as one phrase, each with what must be said of it in brackets."""
        return self._words.listed([self._one(s, more(s)) for s in shared], MOST_TERMS)

    def _one(self, shared: SharedTerm, more: Sequence[str]) -> str:
        notes = []
        for steps, said in zip(shared.steps, (shared.left, shared.right), strict=True):
            saying = said[0]
            name, suspected = saying.case_id, saying.status is Status.SUSPECTED
            if all(s.role == Role.WATCHED for s in said):
                notes.append(self._words.say(f"only watched in {name}", f"{name}에서는 관찰만"))
            if steps:
                told = self._words.label(saying.target)
                unsure = self._words.say(", suspected", ", 의심") if suspected else ""
                notes.append(f"{name}: {told}{unsure}")
            elif suspected:
                notes.append(self._words.say(f"suspected in {name}", f"{name}에서는 의심"))
        notes += more
        label = self._words.label(shared.term)
        if not notes:
            return label
        return f"{label}{'' if self._words.korean else ' '}({'; '.join(notes)})"

    def _generic(self, shared: Sequence[SharedTerm]) -> Iterator[str]:
        """What many cases have, with how many."""
        if not shared:
            return
        total = len(self._graph.terms.cases)

        def counted(s: SharedTerm) -> list[str]:
            return [self._words.say(f"{s.cases} of {total} cases", f"{total}건 중 {s.cases}건")]

        phrase = self._words.listed([self._one(s, counted(s)) for s in shared[:MOST_GENERIC]])
        yield self._words.say(
            f"Less telling, as many cases have it: {phrase}.",
            f"흔해서 덜 결정적인 공통점: {phrase}.",
        )


def _result(told: Mapping[str, tuple[Saying, Result]], said: Sequence[Saying]) -> Result | None:
    """What the mitigations of one side came to; None where one is not stated or they differ."""
    found = {told[s.target][1] if s.target in told else None for s in said}
    return found.pop() if len(found) == 1 else None


_PLAIN = {
    "trigger": ("Trigger of both", "Triggers of both", "모두 …으로/로 시작됐습니다"),
    "symptom": ("Symptom of both", "Symptoms of both", "모두에서 …이/가 나타났습니다"),
    "component": ("Involved in both", "Involved in both", "모두 …과/와 관련이 있습니다"),
    "factor": (
        "Contributing factor of both",
        "Contributing factors of both",
        "모두 …을/를 기여 요인으로 듭니다",
    ),
}
"""For each kind the words for one and for many; in Korean with the particle where the names go."""

_RESULTS = {
    Result.WORKED: ("recorded as worked in both", "두 사례 모두 효과가 있었다고 기록됨"),
    Result.PARTLY: (
        "recorded as partly worked in both",
        "두 사례 모두 일부만 효과가 있었다고 기록됨",
    ),
    Result.FAILED: ("recorded as failed in both", "두 사례 모두 효과가 없었다고 기록됨"),
}
