"""Hypotheses: predicted causes with the cases behind them, and what speaks against each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kg.model import ClaimKind, Role, Status
from kg.queries.counterparts import counterparts
from kg.rca.beliefs import AT_LEAST, unnoticed
from kg.rca.conflicts import conflicts
from kg.rca.diagnosis import Hypothesis, Near, Objection, Support, Understood
from kg.rca.facts import meets
from kg.rca.near import Guess
from kg.rca.prediction import CausePrediction
from kg.rca.statements import TITLE, Statement, Statements
from kg.vocab import Vocabulary

MOST = 5
LEAST = 0.05
"""Causes less likely than this are not offered."""

DENIED = 0.25
"""What is left of the probability of a cause that the text denies by name. Set by hand: a tagger
may mishear, so such a cause is not struck out as one that the user rules out is."""

OBSERVED = 0.5
"""How far a cause that the user has observed is taken at his word, beside what like cases say. Set
by hand: he was there, and yet what he saw may be an effect."""

NAMED = 0.25
"""The same of a cause that the text names, times the confidence of the name; others keep what they
have. Set by hand: what somebody writes of a cause is his own guess, and a tagger may mishear."""

_SUPPORTS, _SUSPICIONS, _OBJECTIONS, _SHOWN = 4, 2, 4, 4
_SHOWN_KINDS = (ClaimKind.SYMPTOM, ClaimKind.TRIGGER, ClaimKind.FACTOR, ClaimKind.COMPONENT)


def guesses_of(
    vocabulary: Vocabulary,
    statements: Statements,
    predictions: Sequence[CausePrediction],
    within: Mapping[str, CausePrediction],
    understood: Understood,
    gone: Collection[str],
    likely: Mapping[str, float],
) -> list[Guess]:
    """The causes worth a hypothesis: likely by some like case, or named by the text or the user.

    Causes that are ruled out are left out, and so are those of which no like case speaks; one that
    only says in general what a likelier one says of the same cases is left out too. They come by
    probability, but one of which a kind is offered by what it has without it, as its probability
    holds those of all that are narrower.
    Among causes of one rank (in whole percent) one that was named comes first, then the root cause
    of the case that counts most.

    Args:
        vocabulary: of the library.
        statements: of its cases.
        predictions: the causes as such.
        within: each cause with its narrower ones.
        understood: what the text and the user say.
        gone: terms that are ruled out, with all narrower ones.
        likely: case id -> probability that it is relevant.
    """
    words = _Word(vocabulary, understood)
    named = named_causes(understood)
    whole = _coherent(vocabulary, {c: words.on(p.probability, c, wide=True) for c, p in
                                   {**dict.fromkeys(named, _NONE), **within}.items()
                                   if c not in gone})  # fmt: skip
    found: list[Guess] = []
    for p in predictions:
        if p.cause not in gone:
            own = words.on(p.probability, p.cause)
            wide = within.get(p.cause, p)
            chance = max(own, whole.get(p.cause, 0.0))
            found.append(Guess(p.cause, chance, own, _shares(p), _shares(wide)))
    unheard = named - {g.cause for g in found} - set(gone)
    found += [Guess(c, whole[c], words.on(0.0, c), {}, {}) for c in sorted(unheard)]
    rank = _ranks(vocabulary, found)
    found.sort(
        key=lambda g: (
            -round(rank[g.cause], 2),
            g.cause not in named,
            not _root(statements, g),
            g.cause,
        )
    )
    kept: list[Guess] = []
    for guess in found:
        heard = any(likely.get(i, 0.0) >= AT_LEAST for i in guess.shares)
        enough = heard and guess.own >= LEAST
        if guess.cause in named or (
            enough and len(kept) < MOST and not _told(vocabulary, guess, kept)
        ):
            kept.append(guess)
    return kept


def _ranks(vocabulary: Vocabulary, found: Sequence[Guess]) -> dict[str, float]:
    """What each cause is ranked by: its probability, or what is its own where a kind is offered."""
    offered = {g.cause for g in found if g.own >= LEAST and g.shares}
    general = {
        above for c in offered for above, steps in vocabulary.broader_steps(c).items() if steps
    }
    return {g.cause: g.own if g.cause in general else g.probability for g in found}


_NONE = CausePrediction("", 0.0, ())


def _shares(prediction: CausePrediction) -> dict[str, float]:
    """What each case has in a prediction, adding up to 1."""
    total = sum(weight for _, weight in prediction.support) or 1.0
    return {i: weight / total for i, weight in prediction.support}


def _coherent(vocabulary: Vocabulary, found: Mapping[str, float]) -> dict[str, float]:
    """The probabilities, none below that of a narrower cause."""
    raised = dict(found)
    for cause, probability in found.items():
        for above in vocabulary.broader_steps(cause):
            if above in raised:
                raised[above] = max(raised[above], probability)
    return raised


def named_causes(understood: Understood) -> set[str]:
    """The causes that the text names or the user adds; words of the same meaning name none."""
    said = {*(t.term for t in understood.named), *understood.observed} & set(understood.seen)
    return {t for t in said if t.startswith("cause:")}


def left_by_word(vocabulary: Vocabulary, understood: Understood, gone: Collection[str]) -> float:
    """What the user's and the text's word on causes leaves to those that neither names, 0 to 1.

    As much as a named cause gains of what it lacks, all else loses, the unknown among it: so that
    the two never add up to more than 1.
    """
    return _Word(vocabulary, understood).left(gone)


class _Word:
    """What the user's and the text's own word on causes does to their probabilities.

    A cause that he has observed gets what it lacks in part; one that has nothing to do with any
    that he has observed loses as much. One that the text names gets a smaller part, one that it
    denies keeps a part.
    """

    def __init__(self, vocabulary: Vocabulary, understood: Understood) -> None:
        self._vocabulary = vocabulary
        self._observed = [t for t in understood.observed if t.startswith("cause:")]
        self._denied = {t.term for t in understood.denied}
        self._named = {
            t: NAMED * understood.seen[t] for t in named_causes(understood) - {*self._observed}
        }

    def on(self, probability: float, cause: str, *, wide: bool = False) -> float:
        """The probability of a cause, with it; `wide`: of it or a narrower one."""
        chance = probability
        if self._denied & set(self._vocabulary.broader_steps(cause)):
            chance *= DENIED
        said = [(t, OBSERVED) for t in self._observed] + sorted(self._named.items())
        part = max((p for t, p in said if self._is(t, cause, wide)), default=0.0)
        if part:
            return round(1.0 - (1.0 - chance) * (1.0 - part), 6)
        akin = not self._observed or any(meets(self._vocabulary, cause, t) for t in self._observed)
        return round(chance if akin else chance * (1.0 - OBSERVED), 6)

    def left(self, gone: Collection[str]) -> float:
        """What its word on causes that are not ruled out leaves to all others, 0 to 1."""
        said = [*((t, OBSERVED) for t in self._observed), *self._named.items()]
        return 1.0 - max((p for t, p in said if t not in gone), default=0.0)

    def _is(self, said: str, cause: str, wide: bool) -> bool:
        return said == cause or (wide and cause in self._vocabulary.broader_steps(said))


def _root(statements: Statements, guess: Guess) -> bool:
    """Whether the case with the largest share in a cause has it as its primary one."""
    if not guess.shares:
        return False
    first = min(guess.shares, key=lambda i: (-guess.shares[i], i))
    found = statements.some(first, ClaimKind.CAUSE, Status.CONFIRMED, roles=[Role.PRIMARY])
    return any(guess.cause in s.terms for s in found)


def _told(vocabulary: Vocabulary, guess: Guess, kept: Sequence[Guess]) -> bool:
    """Whether a narrower cause of the same cases is already there."""
    return any(
        guess.cause in vocabulary.broader_steps(k.cause) and set(guess.shares) <= set(k.shares)
        for k in kept
    )


@dataclass(frozen=True)
class Ground:
    """What hypotheses are judged by: the cases looked at, what was understood, and the text."""

    vocabulary: Vocabulary
    statements: Statements
    near: Sequence[Near]
    understood: Understood
    text: str
    gone: Collection[str] = ()

    def all(self, guesses: Sequence[Guess]) -> tuple[Hypothesis, ...]:
        """The hypotheses of the guesses, each with those that came together with it."""
        found = [self.hypothesis(g) for g in guesses]
        story = {h.cause: self._story(h) for h in found}

        def below(high: str, low: str) -> bool:
            return high != low and high in self.vocabulary.broader_steps(low)

        def beside(a: str, b: str) -> bool:
            one_story = bool(story[a]) and story[a] == story[b]
            stated = one_story and b in self._causes(story[b])
            return stated and not meets(self.vocabulary, a, b)

        return tuple(
            replace(
                h,
                together=tuple(o.cause for o in found if beside(h.cause, o.cause)),
                includes=tuple(o.cause for o in found if below(h.cause, o.cause)),
            )
            for h in found
        )

    def _story(self, h: Hypothesis) -> str:
        """The incident that counts most for a hypothesis; "" where there is none."""
        first = h.support[0].statement.case_id if h.support else ""
        return first if first and self.statements.is_incident(first) else ""

    def hypothesis(self, guess: Guess) -> Hypothesis:
        """The hypothesis of a guess."""
        support = self._support(guess)
        behind = list(dict.fromkeys(s.statement.case_id for s in support))
        causes = {n.case_id: self._causes(n.case_id) for n in self.near if n.incident}
        below = self._below(guess.cause)
        return Hypothesis(
            cause=guess.cause,
            probability=guess.probability,
            n=sum(bool(below & c) for c in causes.values()),
            of=sum(bool(c) for c in causes.values()),
            named=guess.cause in named_causes(self.understood),
            support=support,
            suspected=tuple(self._suspected(below))[:_SUSPICIONS],
            against=tuple(self._against(guess.cause, behind))[:_OBJECTIONS],
            shown=tuple(self._shown(behind, below))[:_SHOWN],
            reports=tuple(n.case_id for n in self.near if not n.incident and n.case_id in behind),
            unnoticed=tuple(
                s.statement.case_id
                for s in support
                if any(
                    unnoticed(self.statements, s.statement.case_id, t) for t in s.statement.terms
                )
            ),
        )

    def suspicions(
        self, near: Sequence[Near], causes: Collection[str], gone: Collection[str]
    ) -> Iterator[Statement]:
        """What similar cases only suspect, beyond the hypotheses and what is ruled out."""
        for case in near:
            for s in self.statements.some(case.case_id, ClaimKind.CAUSE, Status.SUSPECTED):
                said = any(meets(self.vocabulary, c, t) for c in causes for t in s.terms)
                if case.similar and not said and not set(s.terms) <= set(gone):
                    yield s

    def _confirmed(self, case_id: str) -> list[Statement]:
        """The confirmed causes of a case as it states them, the primary one first."""
        found = self.statements.some(case_id, ClaimKind.CAUSE, Status.CONFIRMED)
        return sorted(found, key=lambda s: s.role != Role.PRIMARY)

    def _causes(self, case_id: str) -> set[str]:
        return {t for s in self._confirmed(case_id) for t in s.terms}

    def _below(self, cause: str) -> set[str]:
        """A cause with the narrower ones that are not ruled out."""
        return set(self.vocabulary.narrower_all(cause)) - set(self.gone)

    def _support(self, guess: Guess) -> tuple[Support, ...]:
        below = self._below(guess.cause)
        found = []
        for near in self.near:
            said = [s for s in self._confirmed(near.case_id) if below & set(s.terms)]
            if said:
                share = guess.wide.get(near.case_id, guess.shares.get(near.case_id, 0.0))
                found.append((near.weight, Support(said[0], round(share, 6))))
        found.sort(key=lambda pair: (-pair[1].share, -pair[0], pair[1].statement.case_id))
        return tuple(support for _, support in found[:_SUPPORTS])

    def _suspected(self, below: Collection[str]) -> Iterator[Statement]:
        for near in self.near:
            for s in self.statements.some(near.case_id, ClaimKind.CAUSE, Status.SUSPECTED):
                if set(s.terms) & set(below):
                    yield s

    def _against(self, cause: str, behind: Sequence[str]) -> Iterator[Objection]:
        above = set(self.vocabulary.broader_steps(cause))
        for tag in self.understood.denied:
            if tag.term in above:
                yield Objection("denied", None, tag)
        for near in self.near:
            for s in self.statements.some(near.case_id, ClaimKind.CAUSE, Status.RULED_OUT):
                if above & set(s.terms):
                    yield Objection("ruled_out", s)
        yield from self._denied(behind)
        for near in self.near:
            causes = self._causes(near.case_id) if near.similar else {}
            akin = any(meets(self.vocabulary, cause, c) for c in causes)
            if causes and not akin and not self._beside(cause, near.case_id):
                yield Objection("other_cause", self._confirmed(near.case_id)[0])

    def _beside(self, cause: str, case_id: str) -> bool:
        """Whether a case confirms the circumstance of a cause as its trigger or a factor."""
        other = counterparts(self.vocabulary)
        mine = {t for c in self.vocabulary.narrower_all(cause) for t in other.get(c, ())}
        told = {
            up
            for kind in (ClaimKind.TRIGGER, ClaimKind.FACTOR)
            for t in self.statements.terms(case_id, kind)
            for up in self.vocabulary.broader_steps(t)
        }
        return bool(mine & told)

    def _denied(self, behind: Sequence[str]) -> Iterator[Objection]:
        """Supporting cases that showed what the text or the user says is not there."""
        places = {t.term: t for t in reversed(self.understood.denied)}
        away = [*places, *(t for t in self.understood.ruled_out if t not in places)]
        for case_id in behind:
            for kind in _SHOWN_KINDS:
                for term, statement in self.statements.terms(case_id, kind).items():
                    above = self.vocabulary.broader_steps(term)
                    for gone in (t for t in away if t in above):
                        yield Objection("denied", statement, places.get(gone))

    def _shown(self, behind: Sequence[str], below: Collection[str]) -> Iterator[Statement]:
        """What was seen and a supporting case states in the same or a more general term.

        What a case tells of with another cause, in the words quoted for that, is left out.

        A case that is more precise than the text (Redis, where a database was seen) shows
        something else, and so does one with another code or model.
        """
        above = {t: set(self.vocabulary.broader_steps(t)) for t in self.understood.seen}
        told: set[str] = set()
        for case_id in behind:
            for kind in _SHOWN_KINDS:
                for statement in self.statements.some(case_id, kind, Status.CONFIRMED):
                    seen = {t for t, up in above.items() if up & set(statement.terms)}
                    if seen - told and self._tells(statement) and not self._apart(statement, below):
                        told |= seen
                        yield statement

    def _apart(self, statement: Statement, below: Collection[str]) -> bool:
        """Whether the quotations of another cause of the case hold those of a statement."""
        mine = {(e.field, e.lang, e.quote) for e in statement.evidence}
        others = [
            (e.field, e.lang, e.quote)
            for s in self.statements.some(statement.case_id, ClaimKind.CAUSE)
            if not set(s.terms) & set(below)
            for e in s.evidence
        ]
        return statement.kind == ClaimKind.SYMPTOM and any(
            field == f and lang == c and quote in whole
            for field, lang, quote in mine
            for f, c, whole in others
        )

    def _tells(self, statement: Statement) -> bool:
        """Whether a statement says something that was seen: no fragment, no title, no conflict."""
        titles = {s.quote for s in self.statements.title(statement.case_id, "en").evidence}
        said = {words for _, words in statement.words}
        said = said or {s.quote for s in statement.evidence if s.field != TITLE}
        fragment = statement.kind == ClaimKind.COMPONENT and not statement.words
        if fragment or not said - titles:
            return False
        return not conflicts(self.vocabulary, self.text, self.understood.seen, statement)
