"""A diagnosis as text: every line about a case ends in the number of its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kg.model import Result, Status
from kg.queries.korean import josa
from kg.rca.diagnosis import (
    Change,
    Check,
    Diagnosis,
    Hypothesis,
    LookAlike,
    Objection,
    Remedy,
    TellingCheck,
)
from kg.rca.statements import Statement
from kg.rca.untrusted import visible
from kg.rca.wording import about_label, abstention_text, kind_of_change, percent, unknown_text

_STATUS = {
    Status.CONFIRMED: ("confirmed", "확정"),
    Status.SUSPECTED: ("suspected", "의심"),
    Status.RULED_OUT: ("ruled out", "배제"),
}
_RESULTS = {
    Result.WORKED: ("worked", "효과 있음"),
    Result.PARTLY: ("partly worked", "일부 효과"),
    Result.FAILED: ("did not help", "효과 없음"),
    Result.UNKNOWN: ("effect not stated", "효과 적혀 있지 않음"),
}
_BREAKS = re.compile(r"\s*[\r\n]+\s*")
_NOTES = {
    "outcome": ("outcome", "결과"),
    "conditions": ("condition", "조건"),
    "caveat": ("caveat", "주의"),
}


def tell(diagnosis: Diagnosis, lang: str | None = None) -> str:
    """The whole diagnosis in lines, indented by two; in its own language where none is given."""
    return "\n".join(line for _, lines in sections(diagnosis, lang) for line in lines)


def sections(diagnosis: Diagnosis, lang: str | None = None) -> list[tuple[str, list[str]]]:
    """The same section by section: its name and its lines, the heading first."""
    teller = Teller(diagnosis, lang or diagnosis.lang)
    return [(name, list(map(_row, lines))) for name, lines in teller.sections() if lines]


def _row(line: str) -> str:
    """One line, whatever the texts in it hold; signs that are not seen but act are shown."""
    return visible(_BREAKS.sub(" ", line))


def status_word(status: Status | None, lang: str) -> str:
    """The word for a status; a title has none."""
    return _STATUS[status][lang == "ko"] if status else ("제목" if lang == "ko" else "title")


def result_word(result: str | None, lang: str) -> str:
    """What came of a mitigation, in words; "" where it is none."""
    return _RESULTS[Result(result)][lang == "ko"] if result else ""


class Teller:
    """Tells the parts of one diagnosis in one language."""

    def __init__(self, diagnosis: Diagnosis, lang: str) -> None:
        self._d = diagnosis
        self._lang = "ko" if lang == "ko" else "en"
        self._numbers = {s.claim_id: n for n, s in enumerate(diagnosis.evidence, 1)}

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """Name and lines of each section, in reading order."""
        yield "understood", self._understood()
        yield "changes", self._changes()
        yield "similar", self._similar()
        yield "hypotheses", self._hypotheses()
        yield "look_alikes", self._look_alikes()
        yield "checks", self._checks()
        yield "mitigations", self._mitigations()
        yield "unknown", self._unknown()
        yield "evidence", self._evidence()

    def _say(self, en: str, ko: str) -> str:
        return ko if self._lang == "ko" else en

    def _label(self, term: str) -> str:
        return self._d.label(term, self._lang)

    def _labels(self, terms: Sequence[str]) -> str:
        return ", ".join(self._label(t) for t in dict.fromkeys(terms))

    def cite(self, *statements: Statement) -> str:
        """The numbers of statements: `[3][5]`."""
        return "".join(f"[{self._numbers[s.claim_id]}]" for s in statements)

    def _headed(self, en: str, ko: str, lines: Sequence[str]) -> list[str]:
        return [self._say(en, ko), *(f"  {line}" for line in lines)] if lines else []

    def _understood(self) -> list[str]:
        u = self._d.understood
        named, meant = ({t.term: t.confidence for t in tags} for tags in (u.named, u.meant))
        rows = (
            (self._say("named", "이름으로"), [self._label(t) for t in named]),
            (
                self._say("by meaning", "뜻으로"),
                [f"{self._label(t)} ({percent(c)} %)" for t, c in meant.items() if t not in named],
            ),
            (self._say("denied", "부정됨"), [self._label(t.term) for t in u.denied]),
            (self._say("you observed", "관찰로 더함"), [self._label(t) for t in u.observed]),
            (self._say("you ruled out", "배제로 더함"), [self._label(t) for t in u.ruled_out]),
        )
        lines = [f"{name}: {', '.join(dict.fromkeys(terms))}" for name, terms in rows if terms]
        return self._headed("Understood", "알아들은 것", lines)

    def _similar(self) -> list[str]:
        lines = [self._d.similar.message] if self._d.similar.message else []
        for near in self._d.near:
            if not near.similar:
                continue
            likely = self._say(
                f"relevant with {percent(near.probability)} %",
                f"관련 확률 {percent(near.probability)}%",
            )
            lines.append(f"{near.case_id} ({likely}): {self._title(near.title)}")
            if near.depends_on:
                named = self._labels(near.depends_on)
                lines.append(
                    self._say(
                        f"  counts half, as it rests on what you ruled out: {named}",
                        f"  배제한 것에 기대고 있어 절반만 셉니다: {named}",
                    )
                )
        return self._headed("Similar cases", "비슷한 사례", lines)

    def _title(self, title: Statement) -> str:
        return f"{title.span(self._lang).quote} {self.cite(title)}"

    def _hypotheses(self) -> list[str]:
        d = self._d
        if d.abstention:
            lines = [abstention_text(d.abstention, self._lang), *self._suspicions()]
            return self._headed("Hypotheses", "가설", lines)
        lines = [line for n, h in enumerate(d.hypotheses, 1) for line in self._hypothesis(n, h)]
        lines.append(
            self._say(
                f"A cause that this library does not know: probability {percent(d.novelty)} %.",
                f"이 라이브러리가 모르는 원인일 확률: {percent(d.novelty)}%.",
            )
        )
        lines += self._suspicions()
        return self._headed(
            "Hypotheses (causes of like cases; none is confirmed here)",
            "가설 (비슷한 사례의 원인이며, 여기서 확정된 것은 없음)",
            lines,
        )

    def _suspicions(self) -> list[str]:
        return [f"? {self._labels(s.terms)}: {self.statement(s)}" for s in self._d.suspicions]

    def _hypothesis(self, number: int, h: Hypothesis) -> list[str]:
        counted = self._say(
            f"confirmed in {h.n} of {h.of} incidents looked at",
            f"살펴본 사고 {h.of}건 가운데 {h.n}건에서 확정",
        )
        named = self._say(", named by you", ", 직접 든 원인") if h.named else ""
        lines = [
            f"{number}. {self._label(h.cause)} ({h.cause}): {percent(h.probability)} %, "
            f"{counted}{named}"
        ]
        lines += [f"   + {self._looked_at(s.statement)}" for s in h.support]
        lines += [f"   = {self._shown(s)}" for s in h.shown]
        lines += [f"   ? {self.statement(s)}" for s in h.suspected]
        lines += [f"   - {self._objection(o)}" for o in h.against]
        return lines

    def _looked_at(self, s: Statement) -> str:
        """The same, with how relevant a case is that is not called similar."""
        near = next((n for n in self._d.near if n.case_id == s.case_id and not n.similar), None)
        if near is None:
            return self.statement(s)
        likely = percent(near.probability)
        return self.statement(s, self._say(f", relevant with {likely} %", f", 관련 확률 {likely}%"))

    def statement(self, s: Statement, more: str = "") -> str:
        """Case, status, what it says, number: the form in which every claim is told."""
        status = status_word(s.status, self._lang) + more
        return f"{s.case_id} ({status}): {s.said(self._lang)} {self.cite(s)}"

    def _shown(self, s: Statement) -> str:
        seen = self._say("also seen there", "거기서도 보임")
        return f"{seen}: {self._labels(s.terms)}, {s.case_id}: {s.said(self._lang)} {self.cite(s)}"

    def _objection(self, o: Objection) -> str:
        if o.statement is None:
            quote = o.place.text if o.place else ""
            return self._say(f"the text denies it: “{quote}”", f"글이 부정합니다: “{quote}”")
        told = self.statement(o.statement)
        if o.kind == "ruled_out":
            return self._say(f"excluded in a like case: {told}", f"비슷한 사례에서 배제: {told}")
        if o.kind == "denied":
            return self._say(f"not so here: {told}", f"여기서는 아님: {told}")
        return self._say(f"a like case with another cause: {told}", f"원인이 다른 사례: {told}")

    def _look_alikes(self) -> list[str]:
        lines = [line for pair in self._d.look_alikes for line in self._pair(pair)]
        return self._headed(
            "Look-alikes: like symptoms, different causes",
            "닮은꼴: 증상은 비슷하고 원인은 다름",
            lines,
        )

    def _pair(self, pair: LookAlike) -> list[str]:
        shared = self._labels(pair.shared) or self._say("what was seen", "본 것")
        near = f"{pair.likeness:.2f}"
        lines = [
            self._say(
                f"{pair.a} and {pair.b} both show {shared} (likeness {near}), but differ in cause:",
                f"{josa(pair.a, '과/와')} {josa(pair.b, '은/는')} 둘 다 "
                f"{josa(shared, '을/를')} 보이지만(닮은 정도 {near}) 원인이 다릅니다:",
            )
        ]
        lines += [
            f"  {self._labels(c.terms)}: {self.statement(c)}" for c in (pair.cause_a, pair.cause_b)
        ]
        lines += [f"  -> {self._telling(check)}" for check in pair.checks]
        if not pair.checks:
            lines.append(
                self._say(
                    "  No claim of theirs says what tells them apart.",
                    "  둘을 가르는 것이 무엇인지 적혀 있지 않습니다.",
                )
            )
        return lines

    def _telling(self, c: TellingCheck) -> str:
        label, case = self._label(c.term), c.points_to
        what = {
            "ruled_out": self._say(
                f"check whether {label} can be excluded, as {case} could",
                f"{case}에서처럼 {josa(label, '을/를')} 배제할 수 있는지 확인",
            ),
            "tool": self._say(
                f"look at {label}, with which {case} was diagnosed"
                if c.statement.role == "diagnosed"
                else f"look at {label}, which first showed {case}",
                f"{josa(label, '을/를')} 확인: {josa(case, '을/를')} 진단할 때 씀"
                if c.statement.role == "diagnosed"
                else f"{josa(label, '을/를')} 확인: {josa(case, '을/를')} 처음 드러냄",
            ),
        }.get(
            c.kind,
            self._say(f"only {case} has {label}", f"{josa(label, '은/는')} {case}에만 있음"),
        )
        said = {
            "yes": self._say("; it is so here", "; 여기서는 그렇다고 함"),
            "no": self._say("; it is not so here", "; 여기서는 아니라고 함"),
        }.get(c.answer or "", "")
        return f"{what}{said}: {c.statement.said(self._lang)} {self.cite(c.statement)}"

    def _checks(self) -> list[str]:
        lines = [line for c in self._d.checks for line in self._check(c)]
        return self._headed("Check next", "다음에 확인할 것", lines)

    def _check(self, c: Check) -> list[str]:
        lines = [f"{self._label(c.term)} ({c.term}): {self._worth(c)}"]
        for mark, said in (("+", c.said), ("·", c.noticed), ("x", c.missed)):
            lines += [f"  {mark} {s.case_id}: {s.said(self._lang)} {self.cite(s)}" for s in said]
        return lines

    def _worth(self, c: Check) -> str:
        if c.kind == "tool" and not c.n:
            return self._say(
                "gave the first sign, or is looked at by routine; none of "
                f"{c.of} cases was diagnosed with it",
                f"첫 신호였거나 늘 보는 것으로, 사례 {c.of}건 가운데 이것으로 진단한 것은 없음",
            )
        if c.kind == "tool":
            return self._say(
                f"used to diagnose {c.n} of {c.of} cases that say how they were found",
                f"어떻게 알았는지 적은 사례 {c.of}건 가운데 {c.n}건을 진단할 때 씀",
            )
        if c.kind == "cause":
            return self._say(
                f"could be ruled out in {c.n} of {c.of} cases",
                f"사례 {c.of}건 가운데 {c.n}건에서 배제할 수 있었음",
            )
        share = percent(c.worth)
        return self._say(
            f"asked whether it is so, the answer takes away {share} % of the uncertainty about "
            f"the cause ({c.gain:.2f} bits); stated in {c.n} of {c.of} cases",
            f"그러한지 답하면 원인에 대한 불확실성이 {share}% 줄어듦({c.gain:.2f}비트), "
            f"사례 {c.of}건 가운데 {c.n}건에 적혀 있음",
        )

    def _mitigations(self) -> list[str]:
        d = self._d
        lines = self._headed(
            "What was done in such cases",
            "그런 사례에서 한 조치",
            [line for r in d.mitigations for line in self._remedy(r)],
        )
        lines += self._headed(
            "What was changed later",
            "나중에 바꾼 것",
            [line for r in d.follow_ups for line in self._remedy(r)],
        )
        lines += self._headed(
            "Set aside, since it serves what you ruled out",
            "배제한 것을 위한 조치라서 뺀 것",
            [f"{self._label(s.because)}: {self.statement(s.step)}" for s in d.set_aside],
        )
        return lines

    def _remedy(self, r: Remedy) -> list[str]:
        purpose = (
            self._say(f"for {self._labels(r.causes)}", f"{self._labels(r.causes)}에 대한 것")
            if r.causes
            else self._say("of cases without a confirmed cause", "원인이 확정되지 않은 사례의 것")
        )
        tried = self._say("; you have tried it", "; 이미 해 봄") if r.tried else ""
        lines = [f"{self._label(r.term)} ({r.term}), {purpose}{tried}"]
        if r.does_not_cover:
            lines.append(
                self._say(
                    f"  does not cover {self._labels(r.does_not_cover)}",
                    f"  {josa(self._labels(r.does_not_cover), '을/를')} 다루지 않음",
                )
            )
        if r.unsure:
            lines.append(
                self._say(
                    f"  this cause is only suspected in {', '.join(r.unsure)}",
                    f"  {', '.join(r.unsure)}에서는 이 원인이 의심에 그침",
                )
            )
        for step in r.steps:
            result = result_word(step.result, self._lang)
            head = f"{step.case_id} ({result})" if result else step.case_id
            lines.append(f"  {head}: {step.said(self._lang)} {self.cite(step)}")
            for name, names in _NOTES.items():
                if note := step.note(name, self._lang):
                    lines.append(f"    {names[self._lang == 'ko']}: {note} {self.cite(step)}")
        return lines

    def _unknown(self) -> list[str]:
        lines = [
            unknown_text(u, self._lang, about_label(self._d, u, self._lang))
            for u in self._d.unknown
        ]
        return self._headed("Not known", "알 수 없는 것", lines)

    def _changes(self) -> list[str]:
        c = self._d.changes
        if c is None:
            return []
        facts = (
            (self._say("observed since", "새로 관찰됨"), c.observed),
            (self._say("ruled out since", "새로 배제됨"), c.ruled_out),
            (self._say("taken back", "거둬들임"), c.taken_back),
        )
        lines = [f"{name}: {self._labels(terms)}" for name, terms in facts if terms]
        lines += [self._say("the text is another one", "글이 달라짐")] if c.text_changed else []
        lines += [self._change(x) for x in c.hypotheses]
        return self._headed(
            "Changed",
            "달라진 것",
            lines or [self._say("Nothing changed.", "달라진 것이 없습니다.")],
        )

    def _change(self, x: Change) -> str:
        ends = [f"{percent(p)} %" for p in (x.before, x.after) if p is not None]
        kind = kind_of_change(x.kind, self._lang)
        return f"{self._label(x.cause)}: {kind} ({' -> '.join(ends)}); {'; '.join(x.why)}"

    def _evidence(self) -> list[str]:
        lines = []
        for number, s in enumerate(self._d.evidence, 1):
            span = s.span(self._lang)
            place = f"{span.field}.{span.lang} {span.start}–{span.end}"
            status = status_word(s.status, self._lang)
            lines.append(f"[{number}] {s.claim_id} {status}, {place}: “{span.quote}”")
        return self._headed("Evidence", "근거", lines)
