"""The sentences of an explanation that say how the causes of two cases stand to each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.graph import Edge, IncidentGraph, Relation
from kg.model import CaseKind, Role, Status
from kg.queries.explanation import Explanation
from kg.queries.korean import josa
from kg.queries.paths import PathKind
from kg.queries.sharing import (
    SameCause,
    SharedTerm,
    cause_meetings,
    common_causes,
    confirmed_causes,
)
from kg.queries.sides import Saying
from kg.queries.tell_stated import MOST_CAUSES, StatedCauses
from kg.queries.wording import Words, capital, cut, particle

_ENDS = (".", "!", "?", "…", "。")


class CauseTeller:
    """Says whether two cases have a cause in common, and how near their causes are."""

    def __init__(self, graph: IncidentGraph, words: Words) -> None:
        self._graph = graph
        self._words = words
        self._vocabulary = words.vocabulary
        self._stated = StatedCauses(graph, words)

    def verdict(self, found: Explanation) -> Iterator[str]:
        """The verdict, and what it rests on."""
        a, b, say = found.a, found.b, self._words.say
        if found.same_cause is SameCause.YES:
            yield from self._yes(a, b)
        elif found.same_cause is SameCause.NO:
            yield say(
                f"{a} and {b} name different confirmed causes.",
                f"{josa(a, '과/와')} {josa(b, '은/는')} 확정된 원인이 서로 다릅니다.",
            )
            yield self._stated.sentence(a, b)
        else:
            yield self._unknown(a, b)

    def kinds(self, found: Explanation) -> Iterator[str]:
        """That a case is no single incident."""
        told = {
            CaseKind.STUDY: (
                "a study of many jobs or events, not of one incident",
                "여러 작업이나 사건을 다룬 연구",
            ),
            CaseKind.SERIES: (
                "a report on a series of events, not on one incident",
                "이어진 여러 사건을 다룬 보고",
            ),
        }
        for kind, (en, ko) in told.items():
            ids = [i for i in (found.a, found.b) if found.kinds.get(i) == kind]
            if len(ids) == 2:
                yield self._words.say(f"Each of them is {en}.", f"두 사례 모두 {ko}입니다.")
            elif ids:
                yield self._words.say(
                    f"{ids[0]} is {en}.",
                    f"{josa(ids[0], '은/는')} 한 건의 사고가 아니라 {ko}입니다.",
                )

    def nearness(self, found: Explanation) -> Iterator[str]:
        """Causes that meet only further up, or are only suspected; the most telling one.

        A class that many cases share is told, with their number, where nothing else is.
        """
        if found.same_cause is SameCause.YES:
            return
        told = {s.term for s in found.shared if s.kind == "cause" and s.status is Status.CONFIRMED}
        if found.same_cause is SameCause.UNKNOWN and told:
            return  # the class in which they meet is in the verdict
        if self._all_suspected(found.a, found.b):
            return  # so is what both suspect
        suspected = Status.SUSPECTED
        causes = [s for s in found.shared if s.kind == "cause"]
        telling = [s for s in causes if s.status is suspected or not s.generic]
        for shared in (telling or causes)[:1]:
            yield self._broader(shared) if any(shared.steps) else self._suspicion(shared)
            if not telling:
                yield self._common(shared)

    def _common(self, shared: SharedTerm) -> str:
        """That a class of causes is that of many cases, so that sharing it says little."""
        total = len(self._graph.terms.cases)
        return self._words.say(
            f"That says little: {shared.cases} of {total} cases confirm a cause of this kind.",
            f"이런 원인은 {total}건 중 {shared.cases}건에서 확정되어 뜻이 적습니다.",
        )

    def counterparts(self, found: Explanation) -> Iterator[str]:
        """What is the cause of one and a factor or the trigger of the other; the heaviest one."""
        for path in [p for p in found.paths if p.kind is PathKind.COUNTERPART][:1]:
            x, y = path.steps[0], path.steps[-1]
            cause, other = (x, y) if x.relation == Relation.CAUSED_BY else (y, x)
            role = self._words.say(*_ROLES[str(other.relation)])
            told, beside = self._words.said(cause.sayings), self._words.said(other.sayings)
            named, where = cause.sayings[0].case_id, other.sayings[0].case_id
            yield self._words.say(
                f"{capital(told)}, a cause of {named}, has a counterpart in {where}, "
                f"where it is {role}: {beside}.",
                f"{named}의 원인인 {particle(told, '은/는')} {where}에서 "
                f"{particle(role, '으로/로')} 적힌 {beside}에 해당합니다.",
            )

    def links(self, found: Explanation) -> Iterator[str]:
        """That one record names the other, or both rest on one source; the first of them."""
        for path in [p for p in found.paths if p.kind is PathKind.LINK][:1]:
            first = path.steps[0].sayings[0]
            if first.relation is Relation.RELATED_TO:
                other = found.b if first.case_id == found.a else found.a
                yield self._words.say(
                    f"The record of {first.case_id} names {other} as related.",
                    f"{first.case_id}의 기록은 {josa(other, '을/를')} 관련 사례로 듭니다.",
                )
            else:
                title = found.labels[first.target]
                yield self._words.say(
                    f"Both cite the same source, “{title}”.",
                    f"두 사례 모두 같은 출처(“{title}”)를 인용합니다.",
                )

    def _yes(self, a: str, b: str) -> Iterator[str]:
        """The causes that made the verdict; "root cause" only where it is the primary of both."""
        terms = common_causes(self._graph, self._vocabulary, a, b)
        own = {i: {t: self._below(i, t) for t in terms} for i in (a, b)}
        roots = [t for t in terms if all(own[i][t][0].role == Role.PRIMARY for i in (a, b))]
        told = roots or terms
        named = self._words.terms(told, MOST_CAUSES)
        if roots:
            yield self._words.say(
                f"{a} and {b} have the same kind of root cause: {named}.",
                f"{josa(a, '과/와')} {josa(b, '은/는')} 근본 원인의 종류가 같습니다: {named}.",
            )
        else:
            one, other = (self._part(own[i][told[0]][0]) for i in (a, b))
            if one == other:
                parts = self._words.say(f"{one} both", f"두 사례 모두 {one}")
            else:
                parts = self._words.say(f"{one} {a}, {other} {b}", f"{a}의 {one}, {b}의 {other}")
            yield self._words.say(
                f"{a} and {b} share a kind of confirmed cause: {named} ({parts}).",
                f"{josa(a, '과/와')} {josa(b, '은/는')} 같은 종류의 확정된 원인을 공유합니다: "
                f"{named}({parts}).",
            )
            yield from self._roots([i for i in (a, b) if own[i][told[0]][0].role != Role.PRIMARY])
        yield " ".join(self._details(i, told[0], own[i][told[0]][0]) for i in (a, b))

    def _roots(self, case_ids: Sequence[str]) -> Iterator[str]:
        """The root causes of cases of which only a further cause is shared."""
        named = [(i, root) for i in case_ids if (root := self._stated.root(i))]
        told = [
            self._words.say(f"root cause of {i}: {root}", f"{i}의 근본 원인: {root}")
            for i, root in named
        ]
        if told:
            yield f"{capital('; '.join(told))}."

    def _below(self, case_id: str, term: str) -> list[Edge]:
        """The confirmed causes of a case that are a term or lie below it, the primary one first."""
        edges = [
            e
            for e in self._graph.edges_of(case_id, Relation.CAUSED_BY)
            if e.status is Status.CONFIRMED and term in self._vocabulary.broader_steps(e.target)
        ]
        return sorted(edges, key=lambda e: e.role != Role.PRIMARY)

    def _part(self, edge: Edge) -> str:
        if edge.role == Role.PRIMARY:
            return self._words.say("the root cause of", "근본 원인")
        return self._words.say("a further cause of", "부차적 원인")

    def _details(self, case_id: str, term: str, edge: Edge) -> str:
        """What a case says of its cause, in its own words."""
        exact = "" if edge.target == term else f" ({self._words.label(edge.target)})"
        return f"{case_id}{exact}: {self._statement(edge)}"

    def _statement(self, saying: Saying) -> str:
        text = dict(saying.statement).get(self._words.lang) or dict(saying.statement).get("en")
        if text is None:
            spans = saying.evidence
            text = next((s for s in spans if s.lang == self._words.lang), spans[0]).quote
        line = cut(text)
        return f"“{line if line.endswith(_ENDS) else f'{line}.'}”"

    def _unknown(self, a: str, b: str) -> str:
        opening = self._words.say(
            f"It is not known whether {a} and {b} have the same cause",
            f"{josa(a, '과/와')} {b}의 원인이 같은지는 알 수 없습니다",
        )
        told = self._stated.sentence(a, b)
        if all(confirmed_causes(self._graph, i) for i in (a, b)):
            return self._words.say(
                f"{opening}: {self._vague(a, b)}. {told}",
                f"{opening}. {self._vague(a, b)}. {told}",
            )
        if not any(self._graph.edges_of(i, Relation.CAUSED_BY) for i in (a, b)):
            return self._words.say(
                f"{opening}: neither states a cause.",
                f"{opening}. 두 사례 모두 원인이 적혀 있지 않습니다.",
            )
        if self._all_suspected(a, b):
            named = self._words.terms(self._stated.suspected(a), MOST_CAUSES)
            return self._words.say(
                f"{opening}: neither has a confirmed cause, both suspect {named}.",
                f"{opening}. 두 사례 모두 확정된 원인 없이 {particle(named, '을/를')} 의심합니다.",
            )
        return f"{opening}. {told}"

    def _all_suspected(self, a: str, b: str) -> bool:
        """Whether both only suspect, and the same."""
        if any(confirmed_causes(self._graph, i) for i in (a, b)):
            return False
        return set(self._stated.suspected(a)) == set(self._stated.suspected(b)) != set()

    def _vague(self, a: str, b: str) -> str:
        """Who states a cause only as a most general class, in which the cause of the other lies."""
        causes = {i: confirmed_causes(self._graph, i) for i in (a, b)}
        meetings = cause_meetings(self._vocabulary, causes[a], causes[b])
        named = self._words.terms(meetings[:1])
        vague = [i for i in (a, b) if meetings[0] in causes[i]]
        if len(vague) == 2:
            return self._words.say(
                f"both leave a cause at the general class {named}",
                f"두 사례 모두 원인 하나를 {particle(named, '이라는/라는')} 넓은 분류로만 "
                "적었습니다",
            )
        return self._words.say(
            f"{vague[0]} leaves a cause at the general class {named}",
            f"{josa(vague[0], '은/는')} 원인 하나를 {particle(named, '이라는/라는')} 넓은 분류로만 "
            "적었습니다",
        )

    def _suspicion(self, shared: SharedTerm) -> str:
        one, other = shared.left[0], shared.right[0]
        named = self._words.label(shared.term)
        if one.status is other.status:
            return self._words.say(
                f"Both suspect {named}.", f"두 사례 모두 {particle(named, '을/를')} 의심합니다."
            )
        sure, unsure = (one, other) if one.status is Status.CONFIRMED else (other, one)
        return self._words.say(
            f"{unsure.case_id} suspects what {sure.case_id} confirms: {named}.",
            f"{josa(unsure.case_id, '은/는')} {sure.case_id}에서 확정된 "
            f"{particle(named, '을/를')} 의심합니다.",
        )

    def _broader(self, shared: SharedTerm) -> str:
        """Two causes of one class: `x in A and y in B are both kinds of z`."""
        one, other = shared.left[0], shared.right[0]
        label, korean = self._words.label(shared.term), self._words.korean
        if 0 in shared.steps:
            low, high = (other, one) if shared.steps[0] == 0 else (one, other)
            if korean:
                return f"{particle(self._held(low), '은/는')} {self._held(high)}에 속합니다."
            says = "confirms" if high.status is Status.CONFIRMED else "only suspects"
            return f"{capital(self._held(low))} is a kind of {label}, which {high.case_id} {says}."
        if korean:
            both = f"{particle(self._held(one), '과/와')} {particle(self._held(other), '은/는')}"
            return f"{both} 모두 {label}에 속합니다."
        return f"{capital(self._held(one))} and {self._held(other)} are both kinds of {label}."

    def _held(self, saying: Saying) -> str:
        """A term with its case, and whether it is only suspected."""
        name, label = saying.case_id, self._words.label(saying.target)
        if saying.status is Status.SUSPECTED:
            return self._words.say(f"{label} (suspected in {name})", f"{name}에서 의심하는 {label}")
        return self._words.say(f"{label} in {name}", f"{name}의 {label}")


_ROLES = {
    str(Relation.CONTRIBUTED_BY): ("a contributing factor", "기여 요인"),
    str(Relation.TRIGGERED_BY): ("the trigger", "촉발"),
}
