"""A diagnosis: what was understood, what may be behind it, what to check, and what is not known."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from kg.queries import Hits
from kg.rca.cited import statements_of
from kg.rca.statements import Statement
from kg.vocab import Tag


@dataclass(frozen=True)
class Understood:
    """What a diagnosis goes by.

    Attributes:
        named: terms whose names stand in the text, with spans and confidence.
        meant: terms that the text surely enough tells of in other words.
        perhaps: terms that it may tell of; they count as seen for nothing, but are not asked for.
        denied: terms that the text denies; none of them counts as seen.
        observed, ruled_out: the terms that the user added.
        seen: every term that counts as seen, with its confidence: 1 for an observed one.
    """

    named: tuple[Tag, ...]
    meant: tuple[Tag, ...]
    perhaps: tuple[Tag, ...]
    denied: tuple[Tag, ...]
    observed: tuple[str, ...]
    ruled_out: tuple[str, ...]
    seen: Mapping[str, float]


@dataclass(frozen=True)
class Near:
    """A case that the diagnosis looks at.

    Attributes:
        case_id, title: the case; the title is a statement like any other.
        probability: that the case is relevant, as in a search.
        weight: how much the case counts, 0 to 1: the probability, or its share in the hypotheses
            if that is larger; half of it where the case depends on something ruled out.
        similar: whether it reaches the threshold, and may be called similar.
        incident: whether it is one event; others are quoted but not counted.
        depends_on: terms on which the case rests and which the user has ruled out.
    """

    case_id: str
    title: Statement
    probability: float
    weight: float
    similar: bool
    incident: bool
    depends_on: tuple[str, ...]


@dataclass(frozen=True)
class Support:
    """A case that confirms a cause, or a narrower one: its statement, and its share in it."""

    statement: Statement
    share: float


@dataclass(frozen=True)
class Objection:
    """Something that speaks against a hypothesis.

    Attributes:
        kind: `ruled_out` (a like case excludes the cause), `other_cause` (a like case has another
            confirmed cause), `denied` (the text denies what a supporting case showed, or the
            cause itself).
        statement: what the case says; None where the text denies the cause itself.
        place: where the text denies it.
    """

    kind: str
    statement: Statement | None
    place: Tag | None = None


@dataclass(frozen=True)
class Hypothesis:
    """A cause that the incident may have. It is never said to be confirmed.

    Attributes:
        cause: a term of the cause scheme.
        probability: that it, or a narrower cause, is a cause of the incident, 0 to 1; at least that
            of each hypothesis that is narrower.
        n: incidents among the cases looked at that confirm it or a narrower cause.
        of: incidents among them that confirm any cause; others cannot confirm this one.
        named: the text or the user names this cause.
        support: cases that confirm it, the one that counts most first.
        suspected: what like cases only suspect; it is weak, and counts for nothing in n.
        against: what speaks against it.
        shown: what was seen here and supporting cases show too, in the same or a more general
            term: never more precisely than it was seen.
        reports: ids of series and studies that confirm it; they are not counted in n and of.
        together: other hypotheses that came together with it in the case that counts most; they
            are parts of one story and no rivals.
        unnoticed: ids of cases in which it only explains why something was not noticed.
        includes: other hypotheses that are narrower; their probability is part of its own.
    """

    cause: str
    probability: float
    n: int
    of: int
    named: bool
    support: tuple[Support, ...]
    suspected: tuple[Statement, ...]
    against: tuple[Objection, ...]
    shown: tuple[Statement, ...]
    reports: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    unnoticed: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()


@dataclass(frozen=True)
class TellingCheck:
    """What tells two look-alikes apart.

    Attributes:
        kind: `ruled_out` (one of the cases excludes the cause of the other), `tool` (what found
            the cause of one), `symptom`, `trigger` or `component` (only one of them
            lists it, and the words of the other do not name it).
        term: the tool, symptom, … or the excluded cause.
        points_to: the case for which a finding speaks.
        statement: where that case says so.
        answer: `yes` or `no` where the text or the user has already said whether it is so.
    """

    kind: str
    term: str
    points_to: str
    statement: Statement
    answer: str | None = None


@dataclass(frozen=True)
class LookAlike:
    """Two cases that look alike, and like the text, but have different confirmed causes.

    Attributes:
        a, b: the case ids.
        likeness: shared over joint weight of their symptoms (Jaccard 1912, weighted by rarity),
            0 to 1; 1 is the same symptoms.
        shared: the symptoms of both.
        cause_a, cause_b: their causes.
        checks: what tells them apart, the most telling first; empty where no claim does.
    """

    a: str
    b: str
    likeness: float
    shared: tuple[str, ...]
    cause_a: Statement
    cause_b: Statement
    checks: tuple[TellingCheck, ...]


@dataclass(frozen=True)
class Check:
    """Something that like investigations looked at and that nobody has mentioned here.

    Attributes:
        kind: `tool` (a means of detection), `cause` (a cause that they could rule out), `symptom`
            or `trigger` (whether it is there separates the hypotheses).
        term: what to look at or ask.
        worth: 0 to 1, by which checks are ranked. Tools and causes: share of the weight of the
            cases looked at that were diagnosed with it, or could rule it out. Symptoms and
            triggers: expected share of the uncertainty about the cause that the answer takes away.
        gain: expected information in bits; None for tools and causes.
        n, of: how many cases were diagnosed with it, ruled it out or show it, of those that could
            say.
        said: what these cases say.
        noticed: cases to which a tool brought the first sign, or whose routine looks at it.
        missed: cases in which a tool did not find what was there.
    """

    kind: str
    term: str
    worth: float
    gain: float | None
    n: int
    of: int
    said: tuple[Statement, ...]
    noticed: tuple[Statement, ...] = ()
    missed: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Purpose:
    """What a step was for: hypotheses, and whether the case says so.

    Where it is not `stated`, the step is one of a case that has these causes, no more.
    """

    causes: tuple[str, ...]
    stated: bool


@dataclass(frozen=True)
class Remedy:
    """What was done in cases with these causes, by mitigation term.

    Attributes:
        term: the mitigation.
        worth: sum over its steps of weight × probability of the cause × what came of it.
        steps: each time it was done; a statement has its result, outcome, conditions and caveat.
        causes: the hypotheses that it is for, or of whose cases it is a step; empty where only
            cases without a confirmed cause did it.
        unsure: ids of the cases that only suspect the cause for which they did it.
        tried: the user says that it was done already.
        does_not_cover: components that it does not cover, by the vocabulary.
        purposes: what each of the steps was for, in their order.
    """

    term: str
    worth: float
    steps: tuple[Statement, ...]
    causes: tuple[str, ...]
    unsure: tuple[str, ...]
    tried: bool
    does_not_cover: tuple[str, ...]
    purposes: tuple[Purpose, ...] = ()

    def count(self, result: str) -> int:
        """How many of the steps had this result."""
        return sum(step.result == result for step in self.steps)


@dataclass(frozen=True)
class SetAside:
    """A step of a like case that falls with what the user has ruled out: `because` of the term."""

    step: Statement
    because: str


@dataclass(frozen=True)
class Unknown:
    """Something that is not known, and the cases of which that is said.

    Attributes:
        kind: `few_cases`, `only_reports`, `no_case`, `unconfirmed`, `not_stated`, `unexplained`,
            `not_incidents`, `no_terms`, `new_cause` or `unnamed_cause` (the same where a
            hypothesis is only named, and confirmed by no case looked at).
        about: the field or term that it is about; "" where there is none.
        n, of: how many of how many cases.
        cases: their ids.
        text: the same in words.
    """

    kind: str
    about: str
    n: int
    of: int
    cases: tuple[str, ...]
    text: str = ""


@dataclass(frozen=True)
class Abstention:
    """Why no hypothesis is offered.

    `reason` is `nothing_similar`, `no_terms`, `no_cause`, `all_ruled_out` or `too_unsure`;
    `probability` is that of the best guess that was not made, `line` the threshold that no case
    reaches, `nearest` the nearest cases below it, each with its probability.
    """

    reason: str
    probability: float
    text: str = ""
    line: float = 0.0
    nearest: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Change:
    """How a hypothesis differs from the earlier diagnosis.

    Attributes:
        kind: `came`, `rose`, `fell` or `went`.
        cause: the hypothesis.
        before, after: its probability; None where it was not one.
        why: in words, from what changed in the facts and in the cases behind it.
    """

    kind: str
    cause: str
    before: float | None
    after: float | None
    why: tuple[str, ...]


@dataclass(frozen=True)
class Changes:
    """What is new since an earlier diagnosis: facts added and taken back, hypotheses that moved."""

    observed: tuple[str, ...]
    ruled_out: tuple[str, ...]
    taken_back: tuple[str, ...]
    text_changed: bool
    hypotheses: tuple[Change, ...]


@dataclass(frozen=True)
class Diagnosis:
    """What the library has to say about a sighting, and what it has not.

    Every statement about a case carries its id, claim, status and spans. Nothing in it is said of
    the incident itself: hypotheses are causes of cases that are like it.

    Attributes:
        text: what the user wrote.
        lang: language of sentences and labels.
        understood: the terms that it goes by.
        similar: the answer of the search.
        near: the cases looked at, the one that counts most first.
        hypotheses: possible causes, the likeliest first, a general one by what it has beside its
            narrower ones; empty when it abstains.
        suspicions: what similar cases only suspect and no hypothesis says; without a probability,
            as nothing is learned from suspicions.
        look_alikes: similar cases with different causes, and what tells them apart.
        checks: what to look at next.
        mitigations: what was done for these causes, the most promising first.
        follow_ups: what was changed later.
        set_aside: steps that fall with what the user has ruled out.
        novelty: the probability that the cause is none that the library knows, nor one that the
            user names: that nobody has confirmed it in a like case, or that no case has it.
        unknown: what is not known.
        abstention: why there are no hypotheses; None where there are.
        changes: what is new since the earlier diagnosis; None without one.
        labels: the label of every term in it, by language.
    """

    text: str
    lang: str
    understood: Understood
    similar: Hits
    near: tuple[Near, ...]
    hypotheses: tuple[Hypothesis, ...]
    suspicions: tuple[Statement, ...]
    look_alikes: tuple[LookAlike, ...]
    checks: tuple[Check, ...]
    mitigations: tuple[Remedy, ...]
    follow_ups: tuple[Remedy, ...]
    set_aside: tuple[SetAside, ...]
    novelty: float
    unknown: tuple[Unknown, ...]
    abstention: Abstention | None
    changes: Changes | None
    labels: Mapping[str, Mapping[str, str]]

    @property
    def evidence(self) -> tuple[Statement, ...]:
        """Every statement that it rests on, once; the n-th is what `[n]` cites."""
        found = {s.claim_id: s for s in statements_of(self)}
        return tuple(found.values())

    @property
    def key(self) -> str:
        """A fingerprint of the numbered evidence: equal keys mean that `[n]` means the same."""
        said = "\n".join(f"{s.claim_id} {s.status} {s.evidence}" for s in self.evidence)
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def label(self, term: str, lang: str | None = None) -> str:
        """The label of a term in a language, that of the diagnosis where not given."""
        names = self.labels.get(term, {})
        return names.get(lang or self.lang) or names.get("en") or term

    def __str__(self) -> str:
        from kg.rca.tell import tell

        return tell(self)

    def _repr_html_(self) -> str:
        from kg.rca.html import page

        return page(self)
