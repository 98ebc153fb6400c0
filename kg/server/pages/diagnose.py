"""What the assistant says: the diagnosis in lines whose citations lead to quoted evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.graph import kind_of
from kg.rca.phrases import status_word
from kg.rca.statements import Statement
from kg.rca.tell import sections
from kg.rca.untrusted import fence_key
from kg.rca.wording import share
from kg.server.pages.claims import quoted
from kg.server.pages.marking import Quotation
from kg.server.pages.names import CaseName, Names, TermName

if TYPE_CHECKING:
    from kg.library import Library
    from kg.rca import Diagnosis

ASKED = 10
"""About so many things the page asks next; whoever knows more can write it."""

CARRIED = 8_000
"""Characters of a text up to which the form carries it on, to tell the next time what changed."""

OBSERVED, RULED_OUT = "observed", "ruled_out"

_SPLIT = re.compile(r"[\n;]+")
_NAME = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9:._-]*[A-Za-z0-9])?)", re.ASCII)
"""What may be the id of a case or a term within a line."""


@dataclass(frozen=True)
class Facts:
    """What somebody tells of an incident under way."""

    text: str = ""
    observed: tuple[str, ...] = ()
    ruled_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """A run of a line: words, the number of a piece of evidence, or the id of a case or term."""

    text: str
    cites: int | None = None
    case: str | None = None
    term: str | None = None


@dataclass(frozen=True)
class Line:
    """A line of a section with its depth, from 0."""

    depth: int
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Told:
    """A section of the diagnosis."""

    name: str
    heading: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Cited:
    """A piece of evidence: whose, its status, and its places; the number is what lines cite."""

    number: int
    name: CaseName
    anchor: str
    status: str
    quotations: tuple[Quotation, ...]


@dataclass(frozen=True)
class Guess:
    """A hypothesis in a row of a table; never a finding."""

    term: TermName
    probability: str
    percent: int
    n: int
    of: int


@dataclass(frozen=True)
class Question:
    """Something that can be told next: a term, and what is told of it now."""

    term: TermName
    said: str | None = None


@dataclass(frozen=True)
class DiagnosePage:
    """All that the assistant says.

    Attributes:
        facts: what it was told.
        before: what it was told the time before, whose answer this one is compared with.
        told: the sections, without the evidence; empty where nothing was asked yet.
        hypotheses: the same hypotheses in a table; empty where it abstains.
        novelty: the probability that the cause is none that the library knows.
        only_named: a hypothesis is one that was named, and no case looked at confirms it.
        evidence: what the lines cite.
        questions: what could be told next.
        problem: why there is no answer, in words; else "".
        problem_lang: the language of these.
    """

    facts: Facts
    before: Facts | None = None
    told: tuple[Told, ...] = ()
    hypotheses: tuple[Guess, ...] = ()
    novelty: str = ""
    only_named: bool = False
    evidence: tuple[Cited, ...] = ()
    questions: tuple[Question, ...] = field(default=())
    problem: str = ""
    problem_lang: str = "en"

    @property
    def carried(self) -> bool:
        """Whether the form can carry on what it was told now."""
        return len(self.facts.text) <= CARRIED

    @property
    def answered(self) -> bool:
        """Whether there is a diagnosis on it."""
        return bool(self.told)


def named_facts(text: str) -> tuple[str, ...]:
    """The terms of a field, one a line or between semicolons."""
    return tuple(dict.fromkeys(t.strip() for t in _SPLIT.split(text) if t.strip()))


def diagnose_page(
    library: Library, facts: Facts, lang: str, before: Facts | None = None
) -> DiagnosePage:
    """The answer of the assistant; nothing is kept of what it was told.

    Args:
        library: the library.
        facts: all that is known by now.
        lang: language of the page.
        before: what was told the time before, to say what has changed since.

    Raises:
        BadQuery: the text has no words, or a term is both observed and ruled out.
        TermNotFound, AmbiguousTerm: a spelling names no term, or several.
        EncoderMismatch, EncoderNotFound: the library needs an encoder that is not here.
    """
    if not facts.text.strip():
        return DiagnosePage(facts)
    earlier = _ask(library, before, lang) if before and before.text.strip() else None
    found = _ask(library, facts, lang, earlier)
    names = Names(library, lang)
    return DiagnosePage(
        facts=facts,
        before=before,
        told=tuple(_told(library, found, lang)),
        hypotheses=tuple(
            Guess(
                names.term(h.cause),
                share(h.probability, lang),
                round(100 * h.probability),
                h.n,
                h.of,
            )
            for h in found.hypotheses
        ),
        novelty="" if found.abstention else share(found.novelty, lang),
        only_named=any(h.named and not h.support for h in found.hypotheses),
        evidence=tuple(_evidence(library, found, names)),
        questions=tuple(_questions(found, names)),
    )


def _ask(library: Library, facts: Facts, lang: str, previous: Diagnosis | None = None) -> Diagnosis:
    return library.diagnose(
        facts.text,
        observed=facts.observed,
        ruled_out=facts.ruled_out,
        previous=previous,
        lang=lang,
    )


def _told(library: Library, found: Diagnosis, lang: str) -> Iterator[Told]:
    """The sections as they are told, with their citations found by a key that no text holds."""
    key = fence_key(found.text, *(span.quote for s in found.evidence for span in s.evidence))
    marked = sections(found, lang, cite=lambda n: f"⟧{key}:{n}⟧")
    sign = re.compile(rf"⟧{key}:(\d+)⟧")
    for name, (heading, *lines) in marked:
        if name != "evidence":
            yield Told(name, heading, tuple(_line(library, line, sign) for line in lines))


def _line(library: Library, line: str, sign: re.Pattern[str]) -> Line:
    words = line.lstrip()
    depth = max(0, (len(line) - len(words)) // 2 - 1)
    parts: list[Part] = []
    for i, run in enumerate(sign.split(words)):
        if run:
            parts += [Part(run, int(run))] if i % 2 else _named(library, run)
    return Line(depth, tuple(parts))


def _named(library: Library, run: str) -> Iterator[Part]:
    """The words of a run, and the ids of cases and terms between them."""
    words = ""
    for piece in _NAME.split(run):
        if piece in library.cases or piece in library.vocabulary.terms:
            if words:
                yield Part(words)
            known = piece in library.cases
            yield Part(piece, case=piece if known else None, term=None if known else piece)
            words = ""
        else:
            words += piece
    if words:
        yield Part(words)


def _evidence(library: Library, found: Diagnosis, names: Names) -> Iterator[Cited]:
    for number, statement in enumerate(found.evidence, 1):
        yield Cited(
            number=number,
            name=names.case(statement.case_id),
            anchor=_anchor(statement),
            status=status_word(statement.status, names.lang),
            quotations=tuple(
                quoted(library.cases[statement.case_id], span)
                for span in statement.spans(names.lang)
            ),
        )


def _anchor(statement: Statement) -> str:
    kind = statement.claim_id.partition("#")[2]
    return "" if kind == "title" else f"claim-{kind}"


def _questions(found: Diagnosis, names: Names) -> Iterator[Question]:
    """What was told, then what the checks ask for, then the hypotheses, to be ruled out."""
    said = dict.fromkeys(found.understood.observed, OBSERVED)
    said |= dict.fromkeys(found.understood.ruled_out, RULED_OUT)
    asked: Sequence[str] = [c.term for c in found.checks if kind_of(c.term) != "tool"]
    tools = [c.term for c in found.checks if kind_of(c.term) == "tool"]
    causes = [h.cause for h in found.hypotheses]
    for term in dict.fromkeys([*said, *asked[:ASKED], *causes[:ASKED], *tools[:ASKED]]):
        yield Question(names.term(term), said.get(term))
