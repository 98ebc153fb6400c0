"""What is wrong with a set of schemes, each fault with its place, so that a file can be named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.model import Scheme, Term, TermRelation
from kg.model.text import quoted
from kg.vocab.schemes import RELATION_SCHEMES, SCHEMES


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a vocabulary.

    Attributes:
        scheme: the number of the scheme among those given, from 0.
        path: the place within the scheme, such as `("terms", 3, "broader", 0)`.
        name: the term, or the scheme when no term is to blame.
        message: what is wrong.
        remedy: what to do.
    """

    scheme: int
    path: tuple[str | int, ...]
    name: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.name}: {self.message}. {self.remedy}"


_RELATIONS = tuple((relation, str(relation)) for relation in TermRelation)


@dataclass(frozen=True)
class _Placed:
    """A term with its place."""

    scheme: int
    index: int
    term: Term

    def fault(self, message: str, remedy: str, *path: str | int) -> Fault:
        where = ("terms", self.index, *path)
        return Fault(self.scheme, where, self.term.id, message, remedy)


def faults_of(schemes: Sequence[Scheme]) -> list[Fault]:
    """Every fault of the schemes taken together.

    A fault that only follows from another is left out: relations of a scheme with an unknown
    name are not judged, nor are terms that hang below a cycle.
    """
    placed = [
        _Placed(i, j, term)
        for i, scheme in enumerate(schemes)
        for j, term in enumerate(scheme.terms)
    ]
    known = [p for p in placed if _at_home(p, schemes) and p.term.scheme in SCHEMES]
    terms = {p.term.id: p.term for p in placed}
    return [
        *_scheme_faults(schemes),
        *_id_faults(placed, schemes),
        *(fault for p in known for fault in _relation_faults(p, terms)),
        *_match_faults(known),
        *_cycle_faults(known),
    ]


def _at_home(placed: _Placed, schemes: Sequence[Scheme]) -> bool:
    return placed.term.scheme == schemes[placed.scheme].scheme


def _scheme_faults(schemes: Sequence[Scheme]) -> Iterator[Fault]:
    seen: set[str] = set()
    for i, name in enumerate(s.scheme for s in schemes):
        if name not in SCHEMES:
            remedy = f"Use one of {', '.join(SCHEMES)}"
            yield Fault(i, ("scheme",), name, f"there is no scheme {name!r}", remedy)
        elif name in seen:
            remedy = "Put its terms into one scheme"
            yield Fault(i, ("scheme",), name, f"the scheme {name!r} stands twice", remedy)
        seen.add(name)


def _id_faults(placed: Sequence[_Placed], schemes: Sequence[Scheme]) -> Iterator[Fault]:
    seen: set[str] = set()
    for p in placed:
        home = schemes[p.scheme].scheme
        if p.term.id in seen:
            yield p.fault(f"the id stands twice in scheme {home}", "Keep one of them", "id")
        if not _at_home(p, schemes):
            remedy = f"Let its id begin with {home}:, or move it to the scheme {p.term.scheme}"
            yield p.fault(f"does not belong in scheme {home}", remedy, "id")
        seen.add(p.term.id)


def _relation_faults(placed: _Placed, terms: dict[str, Term]) -> Iterator[Fault]:
    term = placed.term
    for j, target in enumerate(term.broader):
        if target not in terms or terms[target].scheme != term.scheme:
            message = f"broader {target!r} is no term of this scheme"
            yield placed.fault(message, f"Name a term of the scheme {term.scheme}", "broader", j)
    for relation, name in _RELATIONS:
        for j, target in enumerate(term.related(relation)):
            where = (name, j)
            if target not in terms:
                message = f"{relation} {target!r} does not exist"
                yield placed.fault(message, "Add the term, or take it out here", *where)
            elif terms[target].scheme in SCHEMES and not _joins(relation, term, terms[target]):
                message = f"{relation} cannot lead from {term.id} to {target}"
                yield placed.fault(message, _joined(relation), *where)
    yield from _repeated(placed)


def _joins(relation: TermRelation, term: Term, target: Term) -> bool:
    return (term.scheme, target.scheme) in RELATION_SCHEMES[relation]


def _joined(relation: TermRelation) -> str:
    if relation is TermRelation.VARIANT_OF:
        return "It joins terms of one scheme"
    pairs = ", ".join(f"{a} → {b}" for a, b in RELATION_SCHEMES[relation])
    return f"It joins {pairs}"


def _repeated(placed: _Placed) -> Iterator[Fault]:
    links = [("broader", t) for t in placed.term.broader]
    links += [(name, t) for r, name in _RELATIONS for t in placed.term.related(r)]
    if len(set(links)) == len(links):
        return
    for (name, target), count in Counter(links).items():
        if count > 1:
            yield placed.fault(f"{name} names {target!r} {count} times", "Keep one of them", name)


def _match_faults(placed: Sequence[_Placed]) -> Iterator[Fault]:
    """Terms of one scheme that claim to mean the same as one concept elsewhere."""
    first: dict[tuple[str, str], str] = {}
    for p in placed:
        for iri in p.term.exact_match:
            other = first.setdefault((p.term.scheme, iri), p.term.id)
            if other != p.term.id:
                message = f"exact_match {quoted(iri)} is also that of {other}"
                remedy = "Keep it at the term that means the same; the other gets a close_match"
                yield p.fault(message, remedy, "exact_match")


def _cycle_faults(placed: Sequence[_Placed]) -> Iterator[Fault]:
    """Terms on a ring of broader terms: what is left when the ends are taken away on both sides."""
    left: dict[str, set[str]] = {}
    for p in placed:
        left.setdefault(p.term.id, set()).update(p.term.broader)
    while free := _ends(left):
        left = {t: above for t, above in left.items() if t not in free}
    for p in placed:
        if not left.get(p.term.id, set()).isdisjoint(p.term.broader):
            message = "broader terms form a cycle"
            yield p.fault(message, "Take one of the broader terms of the ring out", "broader")


def _ends(left: dict[str, set[str]]) -> set[str]:
    """Terms with nothing broader, or nothing narrower, among those left."""
    above = {b for broader in left.values() for b in broader}
    return {t for t, broader in left.items() if broader.isdisjoint(left) or t not in above}
