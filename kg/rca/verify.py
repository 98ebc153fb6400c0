"""Whether an answer keeps to the evidence: each sentence is accepted or refused, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from kg.errors import BadQuery
from kg.rca.claims import (
    QUESTION,
    UNKNOWN,
    denies,
    hedged,
    quotations,
    says_a_cause,
    says_it_fully_worked,
    says_it_was_no_help,
    says_it_worked,
    settles_this_incident,
    without_claim,
)
from kg.rca.diagnosis import Diagnosis
from kg.rca.figures import Amount, amounts, given
from kg.rca.names import capitalised, holds, identifiers
from kg.rca.opposed import acting, is_strange, opposed
from kg.rca.report import AnswerReport, Finding, SentenceReport, Verdict
from kg.rca.sentences import Part, Sentence, cited_in, sentences
from kg.rca.statements import TITLE, Statement
from kg.rca.turned import stranger_cause, turned
from kg.vocab import Tag, Vocabulary

NAMED = ("component", "organization", "tool")
"""Schemes whose terms are names: a sentence may use one only if its evidence holds it."""

_SURELY_COUNTED = 3

Find = Callable[[str], Sequence[Tag]]


def verify_answer(
    answer: str, diagnosis: Diagnosis, find: Find, vocabulary: Vocabulary, lang: str | None = None
) -> AnswerReport:
    """Hold an answer against the numbered evidence of a diagnosis; see `docs/diagnosis.md`.

    Args:
        answer: what a language model (or anyone) wrote; Markdown is understood.
        diagnosis: the one that the prompt was made from.
        find: text -> terms named in it, such as `Library.labels`.
        vocabulary: of the same library.
        lang: language of the reasons; that of the diagnosis when None.

    Raises:
        BadQuery: the answer is empty.
    """
    if not any(c.isalnum() for c in answer):
        raise BadQuery("the answer is empty; give the text that is to be verified")
    verifier = _Verifier(diagnosis, find, vocabulary, lang or diagnosis.lang)
    return AnswerReport(tuple(verifier.all(sentences(answer))), lang or diagnosis.lang)


class _Held:
    """What one statement holds: its words in every language, its figures, its terms."""

    def __init__(self, statement: Statement, label: Callable[[str], str], find: Find) -> None:
        parts = [statement.case_id, statement.value or ""]
        parts += [text for _, text in statement.words]
        parts += [text for *_, text in statement.notes]
        parts += [span.quote for span in statement.evidence]
        self.said = "\n".join(parts)
        self.text = "\n".join([self.said, *map(label, statement.terms)])
        self.terms = {*statement.terms, *(t.term for t in find(self.said))}
        self.amounts = [*amounts(self.text), *given(statement.amounts)]


@dataclass
class _Verifier:
    diagnosis: Diagnosis
    find: Find
    vocabulary: Vocabulary
    lang: str

    @cached_property
    def _evidence(self) -> tuple[Statement, ...]:
        return self.diagnosis.evidence

    @cached_property
    def _kept(self) -> dict[int, _Held]:
        return {}

    def all(self, pieces: Sequence[Sentence]) -> Iterator[SentenceReport]:
        """A report of each piece; a code block rests on the citations of what stands before it."""
        before: tuple[int, ...] = ()
        for piece in pieces:
            cited = piece.cited
            if piece.part is Part.CODE:
                cited = cited_in(piece.text.replace("`", "'")) or before
            yield self._report(piece, cited)
            before = cited

    def _report(self, piece: Sentence, cited: tuple[int, ...]) -> SentenceReport:
        rule = self._exempt(piece) if not cited else None
        if rule:
            return SentenceReport(piece, Verdict.NO_CLAIM, cited, (), rule)
        found = tuple(dict.fromkeys(self._findings(piece, cited)))
        verdict = Verdict.REFUSED if found else Verdict.ACCEPTED
        return SentenceReport(piece, verdict, cited, found)

    def _exempt(self, piece: Sentence) -> str | None:
        """The rule by which an uncited piece is no claim; None where it needs a citation."""
        if piece.part is Part.CODE:
            return None
        text = piece.bare
        rule = without_claim(text, piece.part is Part.HEADING)
        if rule is None or _figures(text) or quotations(text):
            return None
        tokens = identifiers(_unmeasured(text))
        if rule in (UNKNOWN, QUESTION):
            # What is asked or not known may be named, though not by a version or a setting.
            return None if any(not t.isalpha() for t in tokens) else rule
        named = [t for t in self.find(text) if t.term.partition(":")[0] in (*NAMED, "cause")]
        return None if tokens or named else rule

    def _findings(self, piece: Sentence, cited: tuple[int, ...]) -> Iterator[Finding]:
        if not cited:
            yield Finding("no_citation", "")
            return
        last = len(self._evidence)
        for number in cited:
            if not 1 <= number <= last:
                yield Finding("no_such_number", str(number), str(last))
        known = [n for n in cited if 1 <= n <= last]
        if known:
            text = piece.bare
            held = [self._held(n) for n in known]
            yield from self._amounts(text, held)
            yield from self._names(text, held)
            yield from self._quotations(text, held)
            if piece.part is not Part.CODE:
                yield from self._standing(text, [self._evidence[n - 1] for n in known], held)

    def _held(self, number: int) -> _Held:
        if number not in self._kept:
            statement = self._evidence[number - 1]
            self._kept[number] = _Held(statement, self._labels, self.find)
        return self._kept[number]

    def _labels(self, term: str) -> str:
        return "\n".join(self.diagnosis.labels.get(term, {}).values())

    def _amounts(self, text: str, held: Sequence[_Held]) -> Iterator[Finding]:
        there = [a for h in held for a in h.amounts]
        for figure in _figures(text):
            if not any(figure.equals(a) for a in there):
                yield Finding("figure", figure.text)

    def _names(self, text: str, held: Sequence[_Held]) -> Iterator[Finding]:
        whole = "\n".join(h.text for h in held)
        terms = {up for h in held for t in h.terms for up in self._above(t)}
        tags = [t for t in self.find(text) if t.term.partition(":")[0] in NAMED]
        by_place: dict[tuple[int, int], list[Tag]] = {}
        for tag in tags:
            if not any(_inside(tag, other) for other in tags):
                by_place.setdefault((tag.start, tag.end), []).append(tag)
        covered = []
        for place, names in by_place.items():
            if any(t.term in terms for t in names) or holds(whole, names[0].text):
                covered.append(text[place[0] : place[1]])
            else:
                yield Finding("name", names[0].text)
        known = "\n".join([whole, *covered])
        told = {t.text for t in tags}
        for token in identifiers(_unmeasured(text)):
            if not holds(known, token) and token not in told:
                yield Finding("identifier", token)
        for name in capitalised(text):
            words = name.split()
            if not all(any(holds(t, word) for t in (known, *told)) for word in words):
                yield Finding("name", name)

    def _above(self, term: str) -> Sequence[str]:
        known = term in self.vocabulary.terms
        return list(self.vocabulary.broader_steps(term)) if known else [term]

    def _quotations(self, text: str, held: Sequence[_Held]) -> Iterator[Finding]:
        whole = " ".join(" ".join(h.said for h in held).split()).casefold()
        for quote in quotations(text):
            if " ".join(quote.split()).casefold() not in whole:
                yield Finding("quotation", quote)

    def _standing(
        self, text: str, cited: Sequence[Statement], held: Sequence[_Held]
    ) -> Iterator[Finding]:
        """Whether what is said to be so, or not so, is so in the evidence."""
        whole = "\n".join(h.text for h in held)
        causes = [s for s in cited if s.kind == "cause"]
        yield from self._causes(text, causes)
        if settles_this_incident(text, [s.case_id for s in cited]):
            yield Finding("this_incident", "")
        if all(s.kind == TITLE for s in cited) and says_a_cause(text):
            yield Finding("title_only", cited[0].case_id)
        if not hedged(text) and (cause := self._strange(text, cited, whole)):
            yield Finding("cause", cause)
        yield from self._results(text, cited, whole)
        if not without_claim(text, False) and not hedged(text):
            excused = denies(text) or any(s.status == "ruled_out" for s in cited)
            failed = any(s.result in ("failed", "partly", "unknown") for s in cited)
            for word in () if excused or failed else dict.fromkeys(turned(text, whole)):
                yield Finding("turned", word)
            for word in () if excused else dict.fromkeys(opposed(text, whole)):
                yield Finding("turned", word)

    def _strange(self, text: str, cited: Sequence[Statement], whole: str) -> str:
        """A cause that a sentence names and the evidence does not; "" where there is none."""
        names = [self._spellings(t) for s in cited for t in s.terms]
        known = "\n".join([whole, *names])
        if (found := stranger_cause(text, known)) or denies(text):
            return found
        actor = acting(text)
        if not actor:
            return ""
        terms = {up for s in cited for t in s.terms for up in self._above(t)}
        for tag in self.find(actor):
            named = tag.term.startswith("cause:") and not tag.negated
            if named and tag.term not in terms and not holds(known, tag.text):
                return tag.text
        return actor if is_strange(actor, known) else ""

    def _spellings(self, term: str) -> str:
        known = self.vocabulary.terms.get(term)
        return "\n".join(spelling for _, spelling in known.spellings()) if known else ""

    def _results(self, text: str, cited: Sequence[Statement], whole: str) -> Iterator[Finding]:
        """Whether a step is said to have done what it did, as far as that is stated."""
        results = {s.result for s in cited if s.result}
        if not results or not all(s.result or s.kind == TITLE for s in cited):
            return
        case = next(s.case_id for s in cited if s.result)
        if results <= {"failed", "unknown"} and says_it_worked(text, whole):
            yield Finding("result" if results == {"failed"} else "result_unknown", case)
        elif results <= {"partly", "failed", "unknown"} and says_it_fully_worked(text, whole):
            yield Finding("result_partly", case)
        elif results == {"worked"} and says_it_was_no_help(text, whole):
            yield Finding("result_worked", case)

    def _causes(self, text: str, causes: Sequence[Statement]) -> Iterator[Finding]:
        tags = [t for t in self.find(text) if t.term.startswith("cause:")]
        spoken_for: set[str] = set()
        for tag in tags:
            about = [s for s in causes if self._says(s, tag.term)]
            spoken_for |= {s.claim_id for s in about}
            yield from self._status(text, tag.negated or denies(text), about)
        rest = [s for s in causes if s.claim_id not in spoken_for]
        if rest and not spoken_for:
            yield from self._status(text, denies(text), rest)

    def _says(self, statement: Statement, term: str) -> bool:
        return any(term in self._above(t) for t in statement.terms)

    def _status(self, text: str, denied: bool, about: Sequence[Statement]) -> Iterator[Finding]:
        statuses = Counter(str(s.status) for s in about)
        if not statuses:
            return
        first = about[0].case_id
        if statuses["confirmed"]:
            if denied and not (statuses["ruled_out"] or statuses["suspected"]):
                yield Finding("called_ruled_out", first)
        elif statuses["suspected"]:
            if not hedged(text):
                yield Finding("only_suspected", first)
        elif not denied:
            yield Finding("ruled_out", first)


def _figures(text: str) -> list[Amount]:
    """The figures that need evidence: digits, number words with a unit, and `three` upwards.

    "One" and "two" are said of anything, and Korean number words are parts of other words.
    """
    return [
        a
        for a in amounts(text)
        if a.unit or not a.spelled or (a.text.isascii() and a.value >= _SURELY_COUNTED)
    ]


def _unmeasured(text: str) -> str:
    """The text with its figures blanked out, so that `190W` is no identifier."""
    for a in amounts(text):
        end = a.end + text.startswith("-", a.end)  # the 16- of 16-GPU
        text = text[: a.start] + " " * (end - a.start) + text[end:]
    return text


def _inside(tag: Tag, other: Tag) -> bool:
    """Whether a name is only part of a longer one: `nvidia` of `nvidia-smi`."""
    longer = other.end - other.start > tag.end - tag.start
    return longer and other.start <= tag.start and tag.end <= other.end
