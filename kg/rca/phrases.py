"""Words that every part of a told diagnosis shares: statuses, results, citations, full stops."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from kg.model import ClaimKind, Result, Status
from kg.rca.diagnosis import Diagnosis, Hypothesis, Unknown
from kg.rca.statements import TITLE, Statement
from kg.rca.wording import about_label, listed, quoted, share, unknown_text

Mark = Callable[[int], str]
"""How the number of a piece of evidence is written."""

_STATUS = {
    Status.CONFIRMED: ("confirmed", "확정"),
    Status.SUSPECTED: ("suspected", "의심"),
    Status.RULED_OUT: ("ruled out", "배제"),
}
_RESULTS = {
    Result.WORKED: ("worked", "효과 있음"),
    Result.PARTLY: ("partly worked", "일부 효과"),
    Result.FAILED: ("did not help", "효과 없음"),
    Result.UNKNOWN: ("effect not stated", "효과는 적혀 있지 않음"),
}
_NOT_DONE = ("could not be carried out", "할 수 없었음")
_UNDONE = re.compile(
    r"\b(?:could\s+not|couldn['’]t|cannot|was\s+not|were\s+not|was\s+never|were\s+never)\s+"
    r"(?:be\s+)?(?:\w+ly\s+)?(?:carried\s+out|applied|done|tried|run|used|executed|performed|made|"
    r"reached|possible|log(?:ged)?\s+in|access(?:ed)?)\b"
    r"|\bimpossible\b|\b(?:not|un)\s?able\s+to\b"
    r"|(?:실행|적용|수행|시도|사용|접근|접속)(?:할\s*수\s*없|하지\s*못|되지\s*못|되지\s*않)"
    r"|할\s*수\s*없었|쓸\s*수\s*없었|쓰지\s*못",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[A-Za-z0-9]+|[가-힣]{2}")
_HELD = 0.5
"""From this share of its words on a note is taken to be held by a quotation."""


def status_word(status: Status | None, lang: str) -> str:
    """The word for a status; a title has none."""
    return _STATUS[status][lang == "ko"] if status else ("제목" if lang == "ko" else "title")


def result_word(result: str | None, lang: str) -> str:
    """What came of a mitigation, in words; "" where it is none."""
    return _RESULTS[Result(result)][lang == "ko"] if result else ""


def outcome_word(s: Statement, lang: str) -> str:
    """The same of a step, as its record has it: the quotations of a step need not hold its result.

    One that could not be carried out is not said to have been no help.
    """
    word = _NOT_DONE[lang == "ko"] if undone(s) else result_word(s.result, lang)
    if not word or s.result == Result.UNKNOWN:
        return word
    return f"기록: {word}" if lang == "ko" else f"recorded as: {word}"


def undone(s: Statement) -> bool:
    """Whether a step that failed was one that could not be carried out, by what is said of it."""
    said = [*(text for _, text in s.words), *(text for *_, text in s.notes)]
    return s.result == Result.FAILED and any(map(_UNDONE.search, said))


def quotation_of(s: Statement, note: str, lang: str) -> bool:
    """Whether the quotations of a statement hold most words of one of its notes."""
    words = set(_WORDS.findall(note.casefold()))
    spans = " ".join(span.quote for span in s.spans(lang))
    held = words & set(_WORDS.findall(spans.casefold()))
    return len(held) >= _HELD * len(words)


def stopped(text: str) -> str:
    """A text with a full stop, where it has no sign at its end."""
    text = text.rstrip()
    return text if text.endswith((".", "!", "?", "…", "。", ":")) else f"{text}."


class Speaker:
    """Says things of one diagnosis in one language."""

    def __init__(self, diagnosis: Diagnosis, lang: str, mark: Mark = "[{}]".format) -> None:
        self._d = diagnosis
        self._mark = mark
        self._lang = "ko" if lang == "ko" else "en"
        self._numbers = {s.claim_id: n for n, s in enumerate(diagnosis.evidence, 1)}

    def say(self, en: str, ko: str) -> str:
        """One of two texts, by the language."""
        return ko if self._lang == "ko" else en

    def share(self, value: float) -> str:
        """A share as it is written in the language."""
        return share(value, self._lang)

    def label(self, term: str) -> str:
        """The label of a term."""
        return self._d.label(term, self._lang)

    def labels(self, terms: Sequence[str]) -> str:
        """The labels of terms in a row, each once."""
        return ", ".join(self.label(t) for t in dict.fromkeys(terms))

    def named(self, terms: Sequence[str]) -> str:
        """Labels within a Korean sentence stand in quotation marks, as some are clauses."""
        return ", ".join(quoted(self.label(t), self._lang) for t in dict.fromkeys(terms))

    def written(self, text: str) -> str:
        """A name of a case or term as it stands in what is told; views with markup disarm it."""
        return text

    def cite(self, *statements: Statement) -> str:
        """The numbers of statements: `[3][5]`."""
        return "".join(self._mark(self._numbers[s.claim_id]) for s in statements)

    def said(self, s: Statement) -> str:
        """What a statement says, with its number; where only its quotation does, as one."""
        if not s.words and s.kind != TITLE:
            return f"“{s.span(self._lang).quote}” {self.cite(s)}"
        return f"{stopped(s.said(self._lang))} {self.cite(s)}"

    def unborne(self, h: Hypothesis) -> str:
        """That no case confirms a hypothesis, and which of them suspect it."""
        none = self.say("confirmed in no case looked at", "살펴본 사례에서는 확정된 적 없음")
        first = {s.case_id: s for s in reversed(h.suspected)}
        if not first:
            return none
        told = [f"{self.written(i)} {self.cite(s)}" for i, s in sorted(first.items())]
        cases = listed(told, self._lang)
        return none + self.say(f", only suspected in {cases}", f", 의심에 그친 사례: {cases}")

    def novelty(self) -> str:
        """The probability of a cause that is none of those that are told."""
        likely = self.share(self._d.novelty)
        if any(h.named and not h.support for h in self._d.hypotheses):
            return self.say(
                "A cause that nobody has named here and that this library does not know: "
                f"probability {likely}.",
                f"여기서 든 원인도, 이 라이브러리가 아는 원인도 아닐 확률: {likely}.",
            )
        return self.say(
            f"A cause that this library does not know: probability {likely}.",
            f"이 라이브러리가 모르는 원인일 확률: {likely}.",
        )

    def unknown_text(self, u: Unknown) -> str:
        """What is not known, each case that it names with the number of its evidence."""
        label = self.written(about_label(self._d, u, self._lang))
        return unknown_text(u, self._lang, label, lambda i: self._numbered(i, u))

    def _numbered(self, case_id: str, u: Unknown) -> str:
        """A case with the statement that is nearest to what is said of it; its title otherwise."""
        said = [s for s in self._d.evidence if s.case_id == case_id]
        causes = [s for s in said if s.kind == ClaimKind.CAUSE]
        about = {h.cause: {x.statement.claim_id for x in h.support} for h in self._d.hypotheses}
        mine = [s for s in causes if s.claim_id in about.get(u.about, ())]
        open_ = causes if u.kind == "unconfirmed" else []
        titles = [s for s in said if s.kind == TITLE]
        first = next(iter((*mine, *open_, *titles, *said)), None)
        name = self.written(case_id)
        return f"{name} {self.cite(first)}" if first else name

    def statement(self, s: Statement, more: str = "") -> str:
        """Case, status, what it says, number: the form in which every claim is told."""
        return f"{s.case_id} ({status_word(s.status, self._lang)}{more}): {self.said(s)}"

    def headed(self, en: str, ko: str, lines: Sequence[str], legend: str = "") -> list[str]:
        """A section: its heading, what its signs mean, its lines; nothing where it has none."""
        told = [legend, *lines] if legend else list(lines)
        return [self.say(en, ko), *(f"  {line}" for line in told)] if lines else []

    def legend(self, signs: dict[str, tuple[str, str]], lines: Sequence[str]) -> str:
        """What the signs mean that stand before some of the lines."""
        used = {line.split(" ", 1)[0] for line in map(str.strip, lines)}
        return "   ".join(f"{sign} {self.say(*signs[sign])}" for sign in signs if sign in used)

    def notes(self, s: Statement, names: dict[str, tuple[str, str]]) -> Iterator[str]:
        """Notes of a step, each with its number; one that no quotation holds is said to be so."""
        for name, words in names.items():
            if note := s.note(name, self._lang):
                head = self.say(*words)
                if not quotation_of(s, note, self._lang):
                    head += self.say(", as recorded", ", 기록된 대로")
                yield f"{head}: {stopped(note)} {self.cite(s)}"
