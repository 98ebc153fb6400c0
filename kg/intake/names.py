"""Names of services and labels that no term has, and the terms that they may be spellings of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from kg.intake.claims import field_claim
from kg.model import LABELS_FIELD, SERVICES_FIELD, Case, Claim, ClaimKind, Term
from kg.readers.batch import SCHEME_OF_KIND
from kg.vocab import Tag, Vocabulary
from kg.vocab.spelling import normal

LIKE = 0.8
"""Likeness of spellings, 0 to 1, from which a term is proposed."""
MEANT = 0.3
"""Confidence of the tagger from which a term that means the same is proposed."""
MOST = 5
"""Most terms that are proposed for a name."""
_SHORT = 4
"""Names of fewer characters are like too much to propose anything for."""

_DIGITS = re.compile(r"\d+")
_SERVICE = SCHEME_OF_KIND[ClaimKind.COMPONENT]

Meant = Callable[[str], Sequence[Tag]]
"""The terms that a text tells of in other words."""


@dataclass(frozen=True)
class Candidate:
    """A term that a name may be a spelling of.

    Attributes:
        term: its id.
        likeness: of the nearest spelling, or how sure the tagger is of the meaning, 0 to 1.
        by: `spelling` or `meaning`.
        spelling: the spelling that is near; the label where it is the meaning.
    """

    term: str
    likeness: float
    by: str
    spelling: str


@dataclass(frozen=True)
class UnknownName:
    """A name that sources use and no term has.

    Attributes:
        name: as it is written most often.
        field: `services` or `labels`.
        cases: the cases that have it, sorted by id.
        candidates: terms that it may be a spelling of, the likeliest first.
    """

    name: str
    field: str
    cases: tuple[str, ...]
    candidates: tuple[Candidate, ...]


def unknown_names(
    cases: Iterable[Case], vocabulary: Vocabulary, meant: Meant | None = None
) -> list[UnknownName]:
    """Names in `services` and `labels` that name no term, those of most cases first.

    Args:
        cases: all cases.
        vocabulary: the terms.
        meant: finds terms by meaning; near spellings alone are proposed without it.
    """
    known = list(cases)
    found = []
    for field in (SERVICES_FIELD, LABELS_FIELD):
        schemes = _schemes(field, vocabulary)
        spellings = [(t, s, normal(s)) for n in schemes for t in vocabulary.of(n) if not t.unnamed
                     for _, s in t.spellings()]  # fmt: skip
        for key, written in _names(known, field).items():
            if any(vocabulary.lookup(" ".join(key), n) for n in schemes):
                continue
            name = min(written, key=lambda w: (-len(written[w]), w))
            ids = {i for holding in written.values() for i in holding}
            near = _candidates(name, key, spellings, schemes, meant, vocabulary)
            found.append(UnknownName(name, field, tuple(sorted(ids)), tuple(near)))
    return sorted(found, key=lambda u: (-len(u.cases), u.name, u.field))


def _schemes(field: str, vocabulary: Vocabulary) -> Sequence[str]:
    wanted = _SERVICE if field == SERVICES_FIELD else tuple(vocabulary.schemes)
    return [n for n in wanted if n in vocabulary.schemes]


def _names(cases: Iterable[Case], field: str) -> Mapping[tuple[str, ...], dict[str, list[str]]]:
    """Normal form of a name -> the ways in which it is written -> the cases."""
    found: dict[tuple[str, ...], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for case in cases:
        for name in getattr(case, field) or ():
            if key := normal(name):
                found[key][name].append(case.id)
    return found


def _candidates(
    name: str,
    key: tuple[str, ...],
    spellings: Iterable[tuple[Term, str, tuple[str, ...]]],
    schemes: Sequence[str],
    meant: Meant | None,
    vocabulary: Vocabulary,
) -> list[Candidate]:
    best: dict[str, Candidate] = {}
    for term, spelling, words in spellings:
        likeness = _likeness(key, words)
        if likeness >= LIKE and (term.id not in best or best[term.id].likeness < likeness):
            best[term.id] = Candidate(term.id, round(likeness, 4), "spelling", spelling)
    for tag in meant(name) if meant else ():
        told = tag.confidence >= MEANT and not tag.negated and tag.how != "label"
        if told and tag.term not in best and tag.term.partition(":")[0] in schemes:
            label = vocabulary.get(tag.term).label.best()
            best[tag.term] = Candidate(tag.term, round(tag.confidence, 4), "meaning", label)
    return sorted(best.values(), key=lambda c: (-c.likeness, c.term))[:MOST]


def _likeness(name: tuple[str, ...], spelling: tuple[str, ...]) -> float:
    """How near two spellings are, 0 to 1; 0 where their numbers differ, as A100 is no H100.

    The ratio of matching characters (Ratcliff & Obershelp 1988), or, where all words of the
    spelling stand in the name, four fifths and more by how much of it they are.
    """
    one, other = "".join(name), "".join(spelling)
    if min(len(one), len(other)) < _SHORT or _DIGITS.findall(one) != _DIGITS.findall(other):
        return 0.0
    within = LIKE + 0.2 * len(other) / len(one) if {*spelling} <= {*name} else 0.0
    matcher = SequenceMatcher(a=one, b=other, autojunk=False)
    if matcher.real_quick_ratio() < LIKE or matcher.quick_ratio() < LIKE:
        return within
    return max(within, matcher.ratio())


def with_term(case: Case, name: str, term_id: str) -> Case:
    """A case that claims a term wherever a field of its source has a name; the same without it.

    The claim is that of a program, suspected, and waits for review as those that are made when a
    document is read. What the case claims of the term already is not claimed again.
    """
    key = normal(name)
    known = {(c.kind, c.terms) for c in case.claims}
    new = [c for c in _claims(case, key, term_id) if (c.kind, c.terms) not in known]
    if not new:
        return case
    return Case.model_validate(case.model_dump() | {"claims": (*case.claims, *new)})


def _claims(case: Case, key: tuple[str, ...], term_id: str) -> Iterator[Claim]:
    scheme = term_id.partition(":")[0]
    for field in (SERVICES_FIELD, LABELS_FIELD):
        if field == SERVICES_FIELD and scheme not in _SERVICE:
            continue
        for written in getattr(case, field) or ():
            if normal(written) == key:
                yield field_claim(_KIND_OF[scheme], term_id, field, written)
                return


_KIND_OF: Mapping[str, ClaimKind] = {
    "cause": ClaimKind.CAUSE,
    "trigger": ClaimKind.TRIGGER,
    "factor": ClaimKind.FACTOR,
    "component": ClaimKind.COMPONENT,
    "symptom": ClaimKind.SYMPTOM,
    "tool": ClaimKind.DETECTION,
    "mitigation": ClaimKind.MITIGATION,
    "organization": ClaimKind.ORGANIZATION,
}
"""Scheme of a term -> what a label with that name is claimed to be."""
