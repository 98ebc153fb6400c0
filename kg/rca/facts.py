"""What a diagnosis goes by: terms of the text, and what the user adds or rules out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kg.errors import BadQuery
from kg.rca.diagnosis import Understood
from kg.vocab import Tag, Vocabulary

USABLE = ("cause", "trigger", "factor", "component", "symptom", "mitigation", "tool")
"""Schemes whose terms can be observed or ruled out."""


MEANT = 0.5
"""From this confidence on a term that is told of in other words counts as seen."""

HINTED = 0.1
"""From this confidence on a text is taken to have told of a term already, so that nobody asks."""

NAMES = ("component", "organization", "tool")
"""Schemes of names: what is not named is not seen, however near its meaning."""


@dataclass(frozen=True)
class Facts:
    """Terms that the user adds to the text, each once, in the order given."""

    observed: tuple[str, ...] = ()
    ruled_out: tuple[str, ...] = ()


def resolve_facts(
    vocabulary: Vocabulary,
    observed: str | Iterable[str] = (),
    ruled_out: str | Iterable[str] = (),
    lang: str | None = None,
) -> Facts:
    """The terms of spellings: ids, labels or aliases in any language; one or several.

    Raises:
        TermNotFound: a spelling names no term; the message suggests what looks like it.
        AmbiguousTerm: it names terms of several schemes.
        BadQuery: a term is both observed and ruled out, itself or with a broader one, or is of a
            scheme of which neither can be said.
    """
    facts = Facts(
        _resolved(vocabulary, observed, "observed", lang),
        _resolved(vocabulary, ruled_out, "ruled_out", lang),
    )
    for term in facts.observed:
        for above in vocabulary.broader_steps(term):
            if above in facts.ruled_out:
                told = "" if above == term else f", which is broader than {term}"
                raise BadQuery(f"{term} is observed, but {above}{told} is ruled out; drop one")
    return facts


def _resolved(
    vocabulary: Vocabulary, spellings: str | Iterable[str], name: str, lang: str | None
) -> tuple[str, ...]:
    given = [spellings] if isinstance(spellings, str) else list(spellings)
    for spelling in given:
        if not isinstance(spelling, str):
            raise BadQuery(f"{name} must be terms, such as ['power drop'], not {spelling!r}")
    terms = dict.fromkeys(vocabulary.resolve(s, lang=lang).id for s in given)
    for term in terms:
        if term.partition(":")[0] not in USABLE:
            raise BadQuery(f"{term} cannot be {name}; give a term of {', '.join(USABLE)}")
    return tuple(terms)


def understand(vocabulary: Vocabulary, tags: Sequence[Tag], facts: Facts) -> Understood:
    """The terms that count as seen, and those that the text may have told of.

    Told of in other words, a term counts as seen from `MEANT` on, and never where it is a name.
    A term that is denied in one place and said in another counts as said. What the user says
    goes before what the text seems to say.
    """
    gone = out_of_question(vocabulary, facts.ruled_out)
    said = {t.term for t in tags if not t.negated} | set(facts.observed)
    seen: dict[str, float] = {}
    for tag in tags:
        if not tag.negated and tag.term not in gone and _sure(tag):
            seen[tag.term] = max(tag.confidence, seen.get(tag.term, 0.0))
    seen.update(dict.fromkeys(facts.observed, 1.0))
    return Understood(
        named=tuple(t for t in tags if not t.negated and t.how == "label"),
        meant=tuple(t for t in tags if not t.negated and t.how != "label" and _sure(t)),
        perhaps=tuple(t for t in tags if not t.negated and not _sure(t)),
        denied=tuple(t for t in tags if t.negated and t.term not in said),
        observed=facts.observed,
        ruled_out=facts.ruled_out,
        seen=dict(sorted(seen.items())),
    )


def weighed(understood: Understood, gone: Collection[str]) -> dict[str, float]:
    """Every term that a text may tell of with its confidence, as the predictor has learned it."""
    found = dict(understood.seen)
    for tag in understood.perhaps:
        if tag.term not in gone:
            found[tag.term] = max(tag.confidence, found.get(tag.term, 0.0))
    return dict(sorted(found.items()))


def _sure(tag: Tag) -> bool:
    if tag.how == "label":
        return True
    return tag.confidence >= MEANT and tag.term.partition(":")[0] not in NAMES


def out_of_question(vocabulary: Vocabulary, ruled_out: Iterable[str]) -> frozenset[str]:
    """The ruled-out terms and all that are narrower."""
    return frozenset(t for term in ruled_out for t in vocabulary.narrower_all(term))


def kin(vocabulary: Vocabulary, term: str) -> set[str]:
    """A term with all that are broader or narrower: what is said of one bears on the other."""
    return {*vocabulary.broader_steps(term), *vocabulary.narrower_all(term)}


def meets(vocabulary: Vocabulary, a: str, b: str) -> bool:
    """Whether two terms are the same or one lies below the other."""
    return b in vocabulary.broader_steps(a) or a in vocabulary.broader_steps(b)


def answer_of(vocabulary: Vocabulary, term: str, understood: Understood) -> str | None:
    """`yes` or `no` where the text or the user has said whether a term is there, else None."""
    if any(term in vocabulary.broader_steps(s) for s in understood.seen):
        return "yes"
    away = {*understood.ruled_out, *(t.term for t in understood.denied)}
    return "no" if away & set(vocabulary.broader_steps(term)) else None


def labels_of(vocabulary: Vocabulary, terms: Iterable[str]) -> dict[str, Mapping[str, str]]:
    """The labels of terms by language, sorted; terms of another library are left out."""
    known = sorted(t for t in set(terms) if t in vocabulary.terms)
    return {t: dict(vocabulary.terms[t].label.items()) for t in known}
