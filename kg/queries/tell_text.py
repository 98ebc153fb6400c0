"""An explanation of a text beside a case as one paragraph, in English or Korean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kg.graph import IncidentGraph
from kg.model import Role, Status
from kg.queries.explanation import Explanation
from kg.queries.korean import josa
from kg.queries.mentions import Mentions
from kg.queries.sharing import SameCause, SharedTerm, confirmed_causes
from kg.queries.sides import Saying, Side, named, standing
from kg.queries.tell_differences import DifferenceTeller
from kg.queries.tell_stated import StatedCauses
from kg.queries.wording import Words, cut, particle
from kg.vocab import Vocabulary

_MOST_SHARED, _MOST_OTHERS, _MOST_CONTRASTS = 5, 3, 3
_TOLD_KINDS = ("symptom", "trigger", "factor", "component", "mitigation", "tool")


def tell_text(
    graph: IncidentGraph, vocabulary: Vocabulary, found: Explanation, text: Side, case: Side
) -> str:
    """The paragraph: what can be said of the cause, what is shared, what differs.

    Args:
        graph: gives the weight of terms and the causes of the case.
        vocabulary: gives the names of terms.
        found: the explanation, whichever of its sides is the text.
        text: that side.
        case: the other side.
    """
    teller = _Teller(graph, Words(vocabulary, found.lang), found, text, case)
    return " ".join(s for s in teller.sentences() if s)


class _Teller:
    def __init__(
        self, graph: IncidentGraph, words: Words, found: Explanation, text: Side, case: Side
    ) -> None:
        self._graph = graph
        self._words = words
        self._found = found
        self._stated = StatedCauses(graph, words)
        self._affirms = bool(standing(text.sayings))
        self._case = case.name
        self._first = found.a == text.name
        self._side, self._known = case, case.case
        self._text = found.query or ""
        self._mentions = Mentions(words.vocabulary)
        self._differences = DifferenceTeller(words, self._mentions)

    def sentences(self) -> Iterator[str]:
        yield self._verdict()
        yield self._cause()
        yield from self._shared()
        yield from self._contrasts()
        yield from self._excluded()
        yield from self._denials()
        yield from self._others()

    def _verdict(self) -> str:
        case = self._case
        causes = confirmed_causes(self._graph, case)
        known, out = self._stated.of(case), self._words.terms(causes, _MOST_OTHERS)
        if not causes:
            return self._words.say(
                f"{case} has no confirmed cause, and a text confirms none, so it stays open "
                "whether the cause is the same.",
                f"{josa(case, '은/는')} 확정된 원인이 없고 글만으로는 원인을 확정할 수 없으므로, "
                "원인이 같은지는 알 수 없습니다.",
            )
        if self._found.same_cause is SameCause.NO:
            return self._words.say(
                f"The text rules out every confirmed cause of {case}: {out}. If that holds, the "
                "causes differ.",
                f"이 글은 {case}에서 확정된 원인을 모두 배제합니다: {out}. "
                "그 말이 맞다면 원인은 다릅니다.",
            )
        return self._words.say(
            f"{'Cause' if len(causes) == 1 else 'Causes'} of {case}: {known}. A text confirms no "
            "cause, so it is not known whether this is the same.",
            f"{case}의 원인: {known}. 글만으로는 원인을 확정할 수 없으므로, "
            "원인이 같은지는 알 수 없습니다.",
        )

    def _cause(self) -> str:
        """Whether the text itself speaks of a cause of the case, the nearest one."""
        for shared in (s for s in self._found.shared if s.kind == "cause"):
            return self._common_cause(shared)
        return ""

    def _common_cause(self, shared: SharedTerm) -> str:
        said, told, case = self._text_of(shared)[0], self._case_of(shared)[0], self._case
        phrase, label = self._phrase(said), self._words.said((told,))
        speaks = "speaks" if named(said) else "may speak"
        says = "말하는" if named(said) else "말하는 듯한"
        if said.target == told.target:
            return self._named_cause(said, told)
        if shared.term == said.target:
            return self._words.say(
                f"The text {speaks} of {phrase}, of which {label} in {case} is a kind.",
                f"{case}의 {particle(label, '은/는')} 이 글이 {says} {phrase}에 속합니다.",
            )
        if shared.term == told.target:
            return self._words.say(
                f"The text {speaks} of {phrase}, a kind of {label}, {self._which(told)}.",
                f"이 글이 {says} {particle(phrase, '은/는')} {case}의 {label}에 속합니다.",
            )
        above, both = self._words.label(shared.term), particle(label, "은/는")
        return self._words.say(
            f"The text {speaks} of {phrase}, and {case} of {label}: both fall under {above}.",
            f"이 글이 {says} {particle(phrase, '과/와')} {case}의 {both} 모두 {above}에 속합니다.",
        )

    def _named_cause(self, said: Saying, told: Saying) -> str:
        """That text and case speak of the same cause, and how sure each is."""
        phrase = self._phrase(said)
        speaks = " itself speaks" if named(said) else " may speak"
        says = "말하는데" if named(said) else "말하는 듯한데"
        sure = "확정된" if told.status is Status.CONFIRMED else "의심하는"
        return self._words.say(
            f"The text{speaks} of {phrase}, {self._which(told)}.",
            f"이 글{'도' if named(said) else '은'} {particle(phrase, '을/를')} {says}, "
            f"이는 {self._case}에서 {sure} 원인입니다.",
        )

    def _which(self, told: Saying) -> str:
        sure = told.status is Status.CONFIRMED
        return f"which {self._case} {'confirms' if sure else 'suspects'}"

    def _shared(self) -> Iterator[str]:
        """What text and case have in common; what is only read from its wording comes apart."""
        shared = [s for s in self._found.shared if s.kind in _TOLD_KINDS]
        ranked = sorted(shared, key=lambda s: (s.generic, -s.weight, s.term))
        if not ranked:
            yield self._nothing()
        sure = [s for s in ranked if named(self._text_of(s)[0])]
        read = [s for s in ranked if not named(self._text_of(s)[0])]
        if sure:
            phrase = self._words.listed([self._item(s) for s in sure], _MOST_SHARED)
            yield self._words.say(
                f"Text and case have in common: {phrase}.", f"글과 사례의 공통점: {phrase}."
            )
        if read:
            phrase = self._words.listed([self._item(s) for s in read], _MOST_OTHERS)
            yield self._words.say(
                f"Perhaps also, as its wording is read: {phrase}.",
                f"표현에서 읽어 낸 것이라 덜 확실한 공통점: {phrase}.",
            )

    def _nothing(self) -> str:
        if not self._found.understood:
            return self._words.say(
                "No term of this library was found in the text.",
                "글에서 이 라이브러리의 분류 값을 찾지 못했습니다.",
            )
        if any(s.kind == "cause" for s in self._found.shared):
            return ""
        if not self._affirms:
            return self._words.say(
                "Of what this library has terms for, the text only names what it denies.",
                "이 라이브러리의 분류 값 가운데 글에 나오는 것은 모두 글이 부정한 것입니다.",
            )
        return self._words.say(
            f"Nothing that the text affirms stands in {self._case}.",
            f"글에 있다고 적힌 것 가운데 {self._case}에 있는 것은 없습니다.",
        )

    def _item(self, shared: SharedTerm) -> str:
        """A shared term: with the words of the text where it is told in other words."""
        said, told = self._text_of(shared)[0], self._case_of(shared)[0]
        notes = []
        if not named(said):
            notes.append(self._quoted(said))
        elif said.target != shared.term:
            notes.append(self._words.say("text: ", "글: ") + self._words.label(said.target))
        if told.target != shared.term:
            notes.append(f"{self._case}: {self._words.label(told.target)}")
        if told.status is Status.SUSPECTED:
            notes.append(self._words.say(f"suspected in {self._case}", f"{self._case}에서는 의심"))
        if all(s.role == Role.WATCHED for s in self._case_of(shared)):
            notes.append(
                self._words.say(f"only watched in {self._case}", f"{self._case}에서는 관찰만")
            )
        if all(s.role == Role.MISSED for s in self._case_of(shared)):
            notes.append(self._words.say(f"it missed {self._case}", f"{self._case}에서는 놓침"))
        if shared.generic:
            total = len(self._graph.terms.cases)
            notes.append(
                self._words.say(
                    f"in {shared.cases} of {total} cases", f"{total}건 중 {shared.cases}건"
                )
            )
        label = self._words.label(shared.term)
        space = "" if self._words.korean else " "
        return f"{label}{space}({'; '.join(notes)})" if notes else label

    def _contrasts(self) -> Iterator[str]:
        """What one side rules out and the other tells of."""
        for contrast in self._found.contrasts[:_MOST_CONTRASTS]:
            ours, theirs = contrast.left, contrast.right
            if not self._first:
                ours, theirs = theirs, ours
            out, told = (ours, theirs) if ours.status is Status.RULED_OUT else (theirs, ours)
            if out is ours:
                yield self._denied_by_text(out, told)
            else:
                yield self._denied_by_case(out, told)

    def _excluded(self) -> Iterator[str]:
        if self._found.excluded:
            named = self._words.terms([x.term for x in self._found.excluded], _MOST_OTHERS)
            yield self._words.say(
                f"Text and case both rule out {named}.",
                f"글과 사례 모두 {particle(named, '을/를')} 배제합니다.",
            )

    def _denials(self) -> Iterator[str]:
        """What one side denies, by name, and the other has no claim of.

        That a side does not name it is said only after its words have been looked through.
        """
        a, b = self._found.denied_a, self._found.denied_b
        by_text, by_case = (a, b) if self._first else (b, a)
        denied = [s for s in by_text if named(s)]
        yield from self._differences.without_claim(
            "The text denies", ("글은 ", "부정"), denied, self._side
        )
        silent = [s for s in by_case if not self._mentions.within(self._text, s.target)]
        spoken = [s for s in by_case if s not in silent]
        if silent:
            phrase = self._words.listed([self._words.denied(s) for s in silent], _MOST_OTHERS)
            yield self._words.say(
                f"{self._case} rules out {phrase}; the text does not name "
                f"{'it' if len(silent) == 1 else 'them'}.",
                f"{josa(self._case, '은/는')} {particle(phrase, '을/를')} 배제하는데, 글에는 그 "
                "이름이 나오지 않습니다.",
            )
        if spoken:
            phrase = self._words.listed([self._words.denied(s) for s in spoken], _MOST_OTHERS)
            yield self._words.say(
                f"{self._case} rules out {phrase}.",
                f"{josa(self._case, '은/는')} {particle(phrase, '을/를')} 배제합니다.",
            )

    def _denied_by_text(self, out: Saying, told: Saying) -> str:
        """A denial that is only read from the wording is told with doubt and with its words."""
        case, label = self._case, self._words.label(told.target)
        what = self._words.denied(out) if named(out) else self._phrase(out)
        denies, denies_ko = "denies", "부정하지만"
        if not named(out):
            denies, denies_ko = "may deny", "부정하는 듯하지만"
        sure = told.status is Status.CONFIRMED
        same = out.target == told.target
        return self._words.say(
            f"The text {denies} {what}; {case} {'confirms' if sure else 'suspects'} "
            f"{'it' if same else f'{label}, a kind of it'}.",
            f"글은 {particle(what, '을/를')} {denies_ko} {josa(case, '은/는')} "
            f"{'' if same else particle(label, '을/를') + ' '}"
            f"{'확정했습니다' if sure else '의심합니다'}.",
        )

    def _denied_by_case(self, out: Saying, told: Saying) -> str:
        case, what, phrase = self._case, self._words.label(out.target), self._phrase(told)
        speaks, speaks_ko = "speaks", "말하지만"
        if not named(told):
            speaks, speaks_ko = "may speak", "말하는 듯하지만"
        same = out.target == told.target
        ruled = "it out" if same else f"out {what}, of which it is a kind"
        return self._words.say(
            f"The text {speaks} of {phrase}; {case} rules {ruled}.",
            f"글은 {particle(phrase, '을/를')} {speaks_ko} {josa(case, '은/는')} "
            f"{'' if same else particle(what, '을/를') + ' '}배제했습니다.",
        )

    def _others(self) -> Iterator[str]:
        """What is found on one side only, in the order in which it is stated.

        No more is claimed than was looked at: the words of the record, the terms that a tagger
        found in the text.
        """
        mine = self._telling(self._found.only_a, self._found.told_a, first=True)
        theirs = self._telling(self._found.only_b, self._found.told_b, first=False)
        said, told = (mine, theirs) if self._first else (theirs, mine)
        if said:
            yield self._words.say(
                f"Named in the text, but not in the record of {self._case}: {said}.",
                f"글에서 이름을 찾았지만 {self._case}의 기록에는 나오지 않는 것: {said}.",
            )
        if told:
            yield self._words.say(
                f"Also listed as a symptom of {self._case}, and not recognised in the text, which "
                f"may tell it in other words: {told}.",
                f"{self._case}에 증상으로 더 적혀 있고 글에서는 알아보지 못한 것(글이 다른 말로 "
                f"적었을 수 있음): {told}.",
            )

    def _telling(
        self,
        only: Mapping[str, tuple[str, ...]],
        told: Mapping[str, tuple[Saying, ...]],
        *,
        first: bool,
    ) -> str:
        """What only one side has: of a text what it names, of the case its symptoms.

        What the other side names in its words is left out.
        """
        text = first is self._first
        kinds = _TOLD_KINDS if text else ("symptom",)
        against = {s.target for c in self._found.contrasts for s in (c.left, c.right)}
        terms = [
            t
            for kind in kinds
            for t in only.get(kind, ())
            if named(told[t][0]) and t not in against and not self._spoken(t, by_case=text)
        ]
        names = [self._words.label(t) if text else self._words.said(told[t]) for t in terms]
        return self._words.listed(names, _MOST_OTHERS)

    def _spoken(self, term: str, *, by_case: bool) -> bool:
        """Whether the words of the case, or of the text, name a term."""
        if by_case:
            return self._known is not None and self._mentions.speaks(self._known, term)
        return self._mentions.within(self._text, term)

    def _phrase(self, said: Saying) -> str:
        label = self._words.label(said.target)
        if named(said):
            return label
        return f"{label}{'' if self._words.korean else ' '}({self._quoted(said)})"

    def _quoted(self, said: Saying) -> str:
        quote = " ".join(said.evidence[0].quote.split())
        return f"“{cut(quote)}”"

    def _text_of(self, shared: SharedTerm) -> tuple[Saying, ...]:
        return shared.left if self._first else shared.right

    def _case_of(self, shared: SharedTerm) -> tuple[Saying, ...]:
        return shared.right if self._first else shared.left
