"""What the comparison of two cases, or of a text with a case, says, with every place marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.export import explanation_svg, name_of, owner_of, relation_word, stated_by, view_phrase
from kg.graph import Relation, kind_of
from kg.model import Duration, Figure, Status
from kg.queries import SharedTerm
from kg.queries.differences import Contrast, Excluded, Measure
from kg.queries.paths import COUNTERPART, Basis, Path, Step
from kg.queries.sides import TEXT, Saying, TextSaying
from kg.server.pages.marking import Quotation, quotation
from kg.server.pages.names import CaseName, Names, TermName, number_text

if TYPE_CHECKING:
    from kg.library import Library
    from kg.library.explanations import Explained

PATHS, SAYINGS = 12, 2


@dataclass(frozen=True)
class SayingView:
    """What one side says of a term: whose, how sure, its words, and where they stand.

    `claim` is the place on the page of the case.
    `role` is in words; `how` tells of a text how the term was found; `quotation` is the place in
    its paragraph.
    """

    side: str
    case_id: str | None
    claim: str
    status: str
    role: str | None
    how: str
    label: str
    value: str | None
    statement: str
    quotation: Quotation | None
    caveat: str


@dataclass(frozen=True)
class Both:
    """A term with what each side says of it, and remarks on it."""

    term: TermName
    status: str | None
    notes: tuple[str, ...]
    left: tuple[SayingView, ...]
    right: tuple[SayingView, ...]


@dataclass(frozen=True)
class Only:
    """What only one side has, by kind."""

    side: str
    count: int
    kinds: tuple[tuple[str, tuple[SayingView, ...]], ...]


@dataclass(frozen=True)
class StepView:
    """A step of a path: the arrow to the next node, and what it rests on."""

    arrow: str
    node: str
    rests: str
    sayings: tuple[SayingView, ...]


@dataclass(frozen=True)
class PathView:
    """A way from one side to the other."""

    first: str
    steps: tuple[StepView, ...]
    weight: str
    status: str
    derived: bool


@dataclass(frozen=True)
class ComparePage:
    """All that a comparison says.

    Attributes:
        a, b: the two sides; None for a text.
        text: the text that is compared; None for two cases.
        names: what the sides are called.
        same_cause: yes, no or unknown.
        told: the whole in a paragraph.
        svg: the picture, an SVG document in which all text is escaped.
        measures: times and figures of both, as (what, of a, of b).
    """

    a: CaseName | None
    b: CaseName | None
    text: str | None
    names: tuple[str, str]
    same_cause: str
    told: str
    svg: str
    shared: tuple[Both, ...]
    contrasts: tuple[Both, ...]
    excluded: tuple[Both, ...]
    denied: tuple[tuple[str, tuple[SayingView, ...]], ...]
    only: tuple[Only, ...]
    measures: tuple[tuple[str, str, str], ...]
    paths: tuple[PathView, ...]


def compare_page(library: Library, a: str, b: str, lang: str) -> ComparePage:
    """Two cases beside each other; one of the two may be a text of several words.

    Raises:
        CaseNotFound: an id is not in the library.
        BadQuery: both are the same case, both are texts, or a text has no words.
        EncoderMismatch, EncoderNotFound: a text needs an encoder that is not here.
    """
    return _Comparison(library, library.explain(a, b, lang), Names(library, lang)).page()


def _anchor(saying: Saying) -> str:
    """Where the page of a case says it; what stands in no claim is a source or a related case."""
    _, _, claim = saying.claim_id.partition("#")
    if claim:
        return f"claim-{claim}"
    return "sources" if saying.relation is Relation.CITES else "related"


class _Comparison:
    def __init__(self, library: Library, found: Explained, names: Names) -> None:
        self._library = library
        self._found = found
        self._names = names
        self._lang = names.lang
        self._korean = names.lang == "ko"

    def page(self) -> ComparePage:
        found = self._found
        return ComparePage(
            a=self._case(found.a),
            b=self._case(found.b),
            text=found.query,
            names=(self._side(found.a), self._side(found.b)),
            same_cause=str(found.same_cause),
            told=found.text,
            svg=explanation_svg(found),
            shared=tuple(map(self._shared, found.shared)),
            contrasts=tuple(map(self._contrast, found.contrasts)),
            excluded=tuple(map(self._excluded, found.excluded)),
            denied=tuple(self._denied()),
            only=tuple(self._only()),
            measures=tuple(map(self._measure, found.measures)),
            paths=tuple(map(self._path, found.paths[:PATHS])),
        )

    def _case(self, side: str) -> CaseName | None:
        return None if side == TEXT else self._names.case(side)

    def _side(self, side: str) -> str:
        return name_of(side, self._korean)

    def _shared(self, shared: SharedTerm) -> Both:
        notes = [view_phrase("cases", self._lang, shared.cases)]
        if any(shared.steps):
            notes.append(view_phrase("steps", self._lang, *shared.steps))
        if shared.generic:
            notes.append(self._names.word("generic"))
        return self._both(shared.term, shared.left, shared.right, notes, str(shared.status))

    def _contrast(self, contrast: Contrast) -> Both:
        values = contrast.about == "value"
        words = [w if values else self._word(str(contrast.about), w) for w in contrast.words]
        note = f"{self._names.word(f'about.{contrast.about}')}: {' ↔ '.join(words)}"
        return self._both(contrast.term, (contrast.left,), (contrast.right,), [note])

    def _word(self, about: str, value: str) -> str:
        return self._names.word(f"{about}.{value}")

    def _excluded(self, excluded: Excluded) -> Both:
        return self._both(excluded.term, (excluded.left,), (excluded.right,), [])

    def _both(
        self,
        term: str,
        left: Iterable[Saying],
        right: Iterable[Saying],
        notes: Sequence[str],
        status: str | None = None,
    ) -> Both:
        return Both(
            self._names.term(term), status, tuple(notes), self._views(left), self._views(right)
        )

    def _views(self, sayings: Iterable[Saying]) -> tuple[SayingView, ...]:
        return tuple(map(self._view, list(sayings)[:SAYINGS]))

    def _view(self, saying: Saying) -> SayingView:
        text = saying.case_id == TEXT
        words = dict(saying.statement)
        how = ""
        if isinstance(saying, TextSaying):
            how = view_phrase(saying.how, self._lang, f"{saying.confidence:.2f}")
        return SayingView(
            side=self._side(saying.case_id),
            case_id=None if text else saying.case_id,
            claim=_anchor(saying),
            status=str(saying.status),
            role=self._role(saying),
            how=how,
            label=self._label(saying.target),
            value=saying.value,
            statement=words.get(self._lang) or words.get("en", ""),
            quotation=self._quotation(saying),
            caveat=self._found.caveats.get(saying.claim_id, ""),
        )

    def _role(self, saying: Saying) -> str | None:
        """The part of a confirmed term, in words; of a source that is cited, what kind it is."""
        if not saying.role or saying.status is not Status.CONFIRMED:
            return None
        table = "source" if saying.relation is Relation.CITES else "role"
        return self._names.word(f"{table}.{saying.role}")

    def _quotation(self, saying: Saying) -> Quotation | None:
        """The place where it is said, in the language of the page if it is said there."""
        spans = saying.evidence
        span = next((s for s in spans if s.lang == self._lang), spans[0] if spans else None)
        if span is None:
            return None
        if saying.case_id == TEXT:
            text = self._found.query or ""
        else:
            text = self._library.cases[saying.case_id].text(span.field, span.lang)
        start = span.start if span.start is not None else max(0, text.find(span.quote))
        return quotation(text, start, start + len(span.quote), span.field, span.lang)

    def _denied(self) -> Iterator[tuple[str, tuple[SayingView, ...]]]:
        """What one side rules out and the other says nothing of."""
        a, b = (owner_of(s, self._korean) for s in (self._found.a, self._found.b))
        sides = ((self._found.denied_a, a, b), (self._found.denied_b, b, a))
        for said, mine, other in sides:
            if said:
                heading = view_phrase("denied", self._lang, mine, other)
                yield heading, tuple(map(self._view, said))

    def _only(self) -> Iterator[Only]:
        found = self._found
        sides = ((found.a, found.only_a, found.told_a), (found.b, found.only_b, found.told_b))
        for side, only, told in sides:
            if only:
                yield Only(
                    owner_of(side, self._korean),
                    sum(map(len, only.values())),
                    tuple(self._kinds(only, told)),
                )

    def _kinds(
        self, only: Mapping[str, Sequence[str]], told: Mapping[str, Sequence[Saying]]
    ) -> Iterator[tuple[str, tuple[SayingView, ...]]]:
        for kind, terms in only.items():
            yield (
                self._names.word(f"kind.{kind}"),
                tuple(self._view(told[term][0]) for term in terms if told[term]),
            )

    def _measure(self, measure: Measure) -> tuple[str, str, str]:
        if isinstance(measure.left, Figure):
            what = measure.left.label.best(self._lang)
        else:
            what = self._names.word(f"fact.{measure.name}")
        return (
            what,
            self._amount(measure.left, measure.unit),
            self._amount(measure.right, measure.unit),
        )

    def _amount(self, amount: Duration | Figure, unit: str) -> str:
        if isinstance(amount, Duration):
            text = self._names.word("seconds", number_text(amount.seconds))
            text += f" ({amount.text})" if amount.text else ""
        elif amount.value is not None:
            text = f"{number_text(amount.value)} {unit}"
        else:
            low, high = ("" if x is None else number_text(x) for x in (amount.min, amount.max))
            text = f"{low}–{high} {unit}"
        return self._names.word("about", text) if amount.approx else text

    def _path(self, path: Path) -> PathView:
        pairs = zip(path.nodes[1:], path.steps, strict=True)
        return PathView(
            first=self._label(path.nodes[0]),
            steps=tuple(self._step(step, node) for node, step in pairs),
            weight=f"{path.weight:.2f}",
            status=str(path.status),
            derived=path.derived,
        )

    def _step(self, step: Step, node: str) -> StepView:
        word = relation_word(step.relation, self._lang)
        arrow = f"—{word}→" if step.target == node else f"←{word}—"
        if step.relation == COUNTERPART:
            arrow = f"={word}="
        return StepView(
            arrow, self._label(node), self._rests(step), tuple(map(self._view, step.sayings))
        )

    def _rests(self, step: Step) -> str:
        ends = [self._label(n) for n in (step.source, step.target)]
        if step.relation == Relation.LEADS_TO:
            return view_phrase("leads", self._lang, stated_by(step, self._lang), *ends)
        told = f"{ends[0]} —{relation_word(step.relation, self._lang)}→ {ends[1]}"
        if step.basis is Basis.CLAIM:
            return told
        basis = "counterpart" if step.relation == COUNTERPART else str(step.basis)
        return f"{told} ({self._names.word(f'basis.{basis}')})"

    def _label(self, node: str) -> str:
        if node in self._found.labels:
            return self._side(self._found.labels[node])
        return self._side(node.partition(":")[2]) if kind_of(node) == "case" else node
