"""An explanation as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kg.cli.view import FEW, View, wrap
from kg.cli.words import phrase, word
from kg.export import name_of, owner_of, relation_word, stated_by, view_phrase, view_word
from kg.graph import Relation
from kg.library import Library
from kg.model import Duration, Figure, Status
from kg.queries import Explanation, Path, SharedTerm
from kg.queries.differences import Contrast, Measure
from kg.queries.paths import COUNTERPART, Basis, Step
from kg.queries.sides import Saying, TextSaying

PATHS, SAYINGS = 8, 2
"""At most so many paths, and so many claims of a side about one term; JSON has all."""


def explanation(library: Library, found: Explanation) -> str:
    """The paragraph, then each thing with what both sides say of it, the paths, the rest."""
    shown = _Shown(library, found)
    lines = [*wrap(found.text, 0), ""]
    if found.query is not None:
        lines += shown.understood()
    for part in (shown.shared(), shown.contrasts(), shown.excluded(), shown.denied(), shown.only()):
        lines += part
    lines += [*shown.measures(), *shown.paths()]
    return "\n".join(lines)


class _Shown(View):
    def __init__(self, library: Library, found: Explanation) -> None:
        super().__init__(library, found.lang)
        self._found = found

    def understood(self) -> Iterator[str]:
        tags = dict.fromkeys((self.label(t.term), t.negated) for t in self._found.understood)
        told = [phrase("not", self.lang, name) if no else name for name, no in tags]
        none = self.say("nothing", "없음")
        yield from wrap(f"{word('understood', self.lang)}: {', '.join(told) or none}", 0)

    def shared(self) -> Iterator[str]:
        for shared in self._found.shared:
            facts = [
                word(shared.status, self.lang),
                f"{word('rarity', self.lang)} {shared.rarity:.2f}",
                view_phrase("cases", self.lang, shared.cases),
            ]
            if any(shared.steps):
                facts.append(phrase("steps", self.lang, *shared.steps))
            if shared.generic:
                facts.append(view_word("generic", self.lang))
            head = f"[{word(shared.kind, self.lang)}] {self.named(shared.term)}"
            yield from wrap(f"{head} — {', '.join(facts)}", 0)
            yield from self._both(shared)

    def _both(self, shared: SharedTerm) -> Iterator[str]:
        yield from self._sayings(shared.left[:SAYINGS])
        yield from self._sayings(shared.right[:SAYINGS])

    def contrasts(self) -> Iterator[str]:
        for contrast in self._found.contrasts:
            yield from self._contrast(contrast)

    def _contrast(self, contrast: Contrast) -> Iterator[str]:
        about = view_word(str(contrast.about), self.lang)
        one, other = (view_word(w, self.lang) for w in contrast.words)
        head = f"[{view_word('contrasts', self.lang)}] {self.named(contrast.term)}"
        yield from wrap(f"{head} — {about}: {one} | {other}", 0)
        yield from self._sayings((contrast.left, contrast.right))

    def excluded(self) -> Iterator[str]:
        for excluded in self._found.excluded:
            yield f"[{view_word('excluded', self.lang)}] {self.named(excluded.term)}"
            yield from self._sayings((excluded.left, excluded.right))

    def denied(self) -> Iterator[str]:
        a, b = (owner_of(s, self.lang == "ko") for s in (self._found.a, self._found.b))
        sides = ((self._found.denied_a, a, b), (self._found.denied_b, b, a))
        for said, mine, other in sides:
            heading = view_phrase("denied", self.lang, mine, other)
            for saying in said:
                yield from wrap(f"[{heading}] {self.named(saying.target)}", 0)
                yield from self._sayings([saying])

    def only(self) -> Iterator[str]:
        for side, only, told in (
            (self._found.a, self._found.only_a, self._found.told_a),
            (self._found.b, self._found.only_b, self._found.told_b),
        ):
            yield from self._of_one(side, only, told)

    def _of_one(
        self,
        side: str,
        only: Mapping[str, Sequence[str]],
        told: Mapping[str, Sequence[Saying]],
    ) -> Iterator[str]:
        if only:
            count = sum(map(len, only.values()))
            yield view_phrase("only", self.lang, owner_of(side, self.lang == "ko"), count)
        for kind, terms in only.items():
            names = [self.label(t) + self._doubt(told[t][0]) for t in terms[:FEW]]
            yield from wrap(f"{word(kind, self.lang)}: {', '.join(names)}", 4)

    def _doubt(self, saying: Saying) -> str:
        unsure = saying.status is Status.SUSPECTED
        return f" ({word(saying.status, self.lang)})" if unsure else ""

    def measures(self) -> Iterator[str]:
        if self._found.measures:
            yield view_word("measures", self.lang)
        for m in self._found.measures:
            label = view_word(m.name, self.lang)
            if isinstance(m.left, Figure):
                label = m.left.label.best(self.lang)
            one, other = (self._amount(m, x) for x in (m.left, m.right))
            yield from wrap(f"{label}: {one} | {other}", 4)

    def _amount(self, measure: Measure, amount: Duration | Figure) -> str:
        if isinstance(amount, Duration):
            text = self.time(amount.seconds)
        elif amount.value is not None:
            text = f"{amount.value:g} {measure.unit}"
        else:
            low, high = ("" if x is None else f"{x:g}" for x in (amount.min, amount.max))
            text = f"{low}–{high} {measure.unit}"
        return phrase("about", self.lang, text) if amount.approx else text

    def paths(self) -> Iterator[str]:
        if self._found.paths:
            yield f"{word('paths', self.lang)}:"
        for path in self._found.paths[:PATHS]:
            yield f"  {path.weight:.2f}  {path}  ({word(path.status, self.lang)})"
            yield from self._rests(path)

    def _rests(self, path: Path) -> Iterator[str]:
        """What the steps rest on that no single claim says."""
        for step in path.steps:
            if step.basis is not Basis.CLAIM:
                yield from wrap(self._rest(step), 8)

    def _rest(self, step: Step) -> str:
        basis = "counterpart" if step.relation == COUNTERPART else str(step.basis)
        names = (self._found.labels[n] for n in (step.source, step.target))
        one, other = names
        told = f"{one} — {relation_word(step.relation, self.lang)} — {other}"
        claims = ", ".join(dict.fromkeys(s.claim_id for s in step.sayings))
        if step.relation == Relation.LEADS_TO:
            stated = view_phrase("leads", self.lang, stated_by(step, self.lang), one, other)
            return f"{stated} ({claims})"
        return f"{told}: {view_word(basis, self.lang)}" + (f" {claims}" if claims else "")

    def _sayings(self, sayings: Iterable[Saying]) -> Iterator[str]:
        for saying in sayings:
            said = dict(saying.statement)
            text = said.get(self.lang) or said.get("en")
            spans = saying.evidence
            span = next((s for s in spans if s.lang == self.lang), spans[0])
            place = f"[{span.field}.{span.lang} {span.start}–{span.end}]"
            head = f"{self._name(saying.case_id)} ({self._standing(saying)}): "
            yield from wrap(f"{head}{f'{text} ' if text else ''}“{span.quote}” {place}", 4)
            if caveat := self._found.caveats.get(saying.claim_id):
                yield from wrap(f"{view_word('caveat', self.lang)}: {caveat}", 8)

    def _standing(self, saying: Saying) -> str:
        """Status and role of a claim; of a text, how its term was found."""
        if isinstance(saying, TextSaying):
            how = view_phrase(saying.how, self.lang, f"{saying.confidence:.2f}")
            denied = saying.status == "ruled_out"
            return f"{word(saying.status, self.lang)}, {how}" if denied else how
        return ", ".join(word(s, self.lang) for s in (saying.status, saying.role) if s)

    def _name(self, side: str) -> str:
        return name_of(side, self.lang == "ko")
