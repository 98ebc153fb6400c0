"""The beginnings of a postmortem out of a diagnosis: Markdown for people to finish.

What was seen here and what other cases say stand apart: no cause of the incident itself is called
confirmed, and each statement about a case ends in the number of its evidence, which is listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kg.graph import kind_of
from kg.rca.diagnosis import Check, Diagnosis, Hypothesis, Remedy
from kg.rca.phrases import Speaker, outcome_word, status_word, stopped
from kg.rca.statements import Statement
from kg.rca.untrusted import disarmed, one_row
from kg.rca.wording import abstention_text

_MOST_CASES, _MOST_STEPS, _MOST_CHECKS = 3, 5, 6
_MARKUP = re.compile(
    r"[\\`*<>\[\]|]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])"
    r"|^[ \t]*(?:[#+=~-]|\d+[.)])"  # what opens a heading, a list or a line below a heading
)


_SHARES = (
    "Each percentage is the probability of that cause by itself; several can be true together, so "
    "they need not add up to 100 %.",
    "백분율은 원인마다 따로 매긴 확률이며, 여러 원인이 함께 맞을 수 있어 합이 100%가 아닐 수 "
    "있습니다.",
)
_NAMED = (
    "Named in the text or by those who investigate, confirmed in no like case",
    "글이나 조사한 사람이 들었으나 비슷한 사례에서 확정된 적 없는 것",
)


def draft_postmortem(diagnosis: Diagnosis, lang: str | None = None) -> str:
    """A draft of a postmortem in Markdown: what is known, what may be, and what is to be written.

    The same diagnosis always gives the same draft. Text of users and cases stands in it as text:
    nothing that it holds is markup, a link or a citation. Headings are such as `kg add` reads, so
    that the finished document can go into a library.

    Args:
        diagnosis: what to write of.
        lang: `en` or `ko`; the language of the diagnosis when None.
    """
    return _Draft(diagnosis, lang or diagnosis.lang).text()


class _Draft(Speaker):
    def __init__(self, diagnosis: Diagnosis, lang: str) -> None:
        super().__init__(diagnosis, lang)
        self._cited: dict[str, Statement] = {}

    def cite(self, *statements: Statement) -> str:
        """The numbers of statements, which are then listed; they go from 1 in order of use."""
        for s in statements:
            self._cited.setdefault(s.claim_id, s)
        places = list(self._cited)
        return "".join(f"[{places.index(s.claim_id) + 1}]" for s in statements)

    def text(self) -> str:
        """The whole draft; the evidence comes last, as it lists what was cited before."""
        sections = [
            self._head(),
            self._symptoms(),
            self._open("Impact", "영향", "who was affected, how, how long", "누가, 어떻게, 얼마나"),
            self._timeline(),
            self._cause(),
            self._detection(),
            self._mitigation(),
            self._follow_up(),
            self._open("Lessons learned", "교훈", "what is to be kept in mind", "기억해 둘 것"),
            self._unknown(),
        ]
        blocks = ["\n".join(s) for s in (*sections, self._evidence()) if s]
        return "\n\n".join(blocks) + "\n"

    def _head(self) -> list[str]:
        return [
            self.say("# Postmortem (draft)", "# 사후 보고 (초안)"),
            "",
            self.say(
                "Drafted from a diagnosis. No cause of this incident is confirmed in it. "
                "A number in brackets leads to the evidence, which is of other cases.",
                "진단에서 만든 초안입니다. 이 사고의 원인은 아직 확정되지 않았습니다. "
                "대괄호 안의 번호는 다른 사례에 있는 근거를 가리킵니다.",
            ),
        ]

    def written(self, text: str) -> str:
        """A name as it stands in the draft."""
        return _markdown(one_row(text))

    def _symptoms(self) -> list[str]:
        u = self._d.understood
        quoted = [f"> {_markdown(line)}".rstrip() for line in disarmed(self._d.text).split("\n")]
        seen = [t for t in u.seen if t not in u.observed]
        rows = (
            (self.say("Terms in it", "알아들은 것"), seen),
            (self.say("Observed besides", "더 관찰한 것"), u.observed),
            (self.say("Said not to be so", "아니라고 적힌 것"), [t.term for t in u.denied]),
        )
        facts = [f"- {name}: {self._names(terms)}" for name, terms in rows if terms]
        return [self.say("## Symptoms", "## 증상"), "", *quoted, *_apart(facts)]

    def _open(self, en: str, ko: str, what: str, was: str) -> list[str]:
        """A section of which a diagnosis knows nothing."""
        return [f"## {self.say(en, ko)}", "", self._to_write(what, was)]

    def _to_write(self, what: str, was: str) -> str:
        return self.say(f"*To be written: {what}.*", f"*적을 것: {was}.*")

    def _timeline(self) -> list[str]:
        times = (
            ("started", "시작"), ("detected", "감지"), ("mitigated", "조치"), ("ended", "종료"),
        )  # fmt: skip
        head = self.say("| time | what |", "| 시각 | 일 |")
        rows = [f"| | {self.say(en, ko)} |" for en, ko in times]
        return [self.say("## Timeline", "## 타임라인"), "", head, "|---|---|", *rows]

    def _cause(self) -> list[str]:
        d = self._d
        lines = [
            self.say("## Root cause", "## 근본 원인"),
            "",
            self.say("Not confirmed.", "확정되지 않음."),
        ]
        ruled_out = d.understood.ruled_out
        if ruled_out:
            told = self.say("Ruled out by those who investigate", "조사한 사람이 배제함")
            lines.append(f"{told}: {self._names(ruled_out)}.")
        possible, named = ("Possible, by like cases", "비슷한 사례로 본 가능성"), _NAMED
        if d.abstention:
            text = _markdown(abstention_text(d.abstention, self._lang))
            lines += ["", f"### {self.say(*possible)}", "", text]
        else:
            lines += ["", self.say(*_SHARES)]
            borne = [h for h in d.hypotheses if h.support]
            lines += self._hypotheses(possible, borne)
            lines += self._hypotheses(named, [h for h in d.hypotheses if not h.support])
            lines += ["", self.novelty()]
        lines += self._suspicions()
        to_exclude = [x for c in self._checks() if c.kind == "cause" for x in self._check(c)]
        excluded = self.say(
            "### To be ruled out, as in like cases", "### 비슷한 사례처럼 배제해 볼 것"
        )
        return [*lines, *(["", excluded, "", *to_exclude] if to_exclude else [])]

    def _hypotheses(self, head: tuple[str, str], found: Sequence[Hypothesis]) -> list[str]:
        if not found:
            return []
        items = [line for h in found for line in self._hypothesis(h)]
        return ["", f"### {self.say(*head)}", "", *items]

    def _hypothesis(self, h: Hypothesis) -> Iterator[str]:
        counted = self._counted(h)
        yield f"- **{self._name(h.cause)}**: {self.share(h.probability)}, {counted}"
        for support in h.support[:_MOST_CASES]:
            yield f"  - {self._statement(support.statement)}"
        for said in () if h.support else h.suspected[:_MOST_CASES]:
            yield f"  - {self._statement(said)}"
        for said in [o.statement for o in h.against if o.statement][:_MOST_CASES]:
            against = self.say("against it", "반대 근거")
            yield f"  - {against}: {self._statement(said)}"

    def _counted(self, h: Hypothesis) -> str:
        """In how many like incidents it was confirmed; a count of none is said in words."""
        if not h.support:
            return self.unborne(h)
        if h.n:
            return self.say(
                f"confirmed in {h.n} of {h.of} like incidents with a confirmed cause",
                f"원인이 확정된 비슷한 사고 {h.of}건 중 {h.n}건에서 확정",
            )
        if h.reports:
            return self.say(
                "confirmed in no like incident, only in reports on many events",
                "비슷한 사고에서는 확정된 적 없고, 여러 사고를 다룬 보고에서만 확정",
            )
        return self.say("confirmed in no like incident", "비슷한 사고에서는 확정된 적 없음")

    def _suspicions(self) -> list[str]:
        """What like cases only suspect and no hypothesis says."""
        told = [f"- {self._names(s.terms)}: {self._statement(s)}" for s in self._d.suspicions]
        head = self.say("### Only suspected in like cases", "### 비슷한 사례에서 의심에 그친 것")
        return ["", head, "", *told] if told else []

    def _checks(self) -> Sequence[Check]:
        """What is to be checked; cases that are not, or hardly, like the text ask for nothing."""
        return () if self._unlike() else self._d.checks[:_MOST_CHECKS]

    def _unlike(self) -> bool:
        abstention = self._d.abstention
        return abstention is not None and abstention.reason in ("nothing_similar", "no_terms")

    def _check(self, check: Check) -> Iterator[str]:
        said = next(iter((*check.said, *check.noticed)), None)
        because = f": {self._statement(said)}" if said else ""
        todo = self.say("to be checked", "확인할 것")
        if check.kind == "cause":
            todo = self.say("can it be ruled out here", "여기서도 배제되는지 확인할 것")
        yield f"- [ ] {todo}: {self._name(check.term)}{because}"

    def _detection(self) -> list[str]:
        d = self._d
        looked = [t for t in d.understood.observed if kind_of(t) == "tool"]
        lines = [f"- {self.say('looked at', '살펴봄')}: {self._names(looked)}"] if looked else []
        lines += [x for c in self._checks() if c.kind != "cause" for x in self._check(c)]
        lines = lines or [self._to_write("how it was noticed", "어떻게 알았는지")]
        return [self.say("## Detection", "## 감지"), "", *lines]

    def _mitigation(self) -> list[str]:
        d = self._d
        tried = [t for t in d.understood.observed if kind_of(t) == "mitigation"]
        lines = [self._to_write("what was done here, and what came of it", "한 일과 그 결과")]
        lines += [f"- {self.say('tried', '해 봄')}: {self._names([t])}" for t in tried]
        steps = [line for r in d.mitigations[:_MOST_STEPS] for line in self._remedy(r)]
        if steps:
            done = self.say("### Done in like cases", "### 비슷한 사례에서 한 일")
            lines += ["", done, "", *steps]
        return [self.say("## Mitigation", "## 조치"), "", *lines]

    def _follow_up(self) -> list[str]:
        steps = [line for r in self._d.follow_ups[:_MOST_STEPS] for line in self._remedy(r)]
        lines = steps or [self._to_write("what will be changed, by whom", "누가 무엇을 바꿀지")]
        return [self.say("## Action items", "## 후속 조치"), "", *lines]

    def _remedy(self, r: Remedy) -> Iterator[str]:
        yield f"- {self._name(r.term)}"
        for step in r.steps[:_MOST_CASES]:
            outcome = outcome_word(step, self._lang)
            yield f"  - {self._statement(step, f'; {outcome}' if outcome else '')}"

    def _unknown(self) -> list[str]:
        lines = [f"- {self.unknown_text(u)}" for u in self._d.unknown]
        if self._d.abstention and (self._unlike() or not lines):
            nothing = self.say(
                "- The library says nothing sure of the cause, of what to check, or of what helps.",
                "- 원인도, 확인할 것도, 효과가 있을 조치도 이 라이브러리로는 알 수 없습니다.",
            )
            lines.insert(0, nothing)
        return [self.say("## Not known", "## 알 수 없는 것"), "", *lines] if lines else []

    def _evidence(self) -> list[str]:
        rows = []
        for s in self._cited.values():
            quotes = "; ".join(
                f"{x.field}.{x.lang} {x.start}–{x.end}: “{_markdown(one_row(x.quote))}”"
                for x in s.spans(self._lang)
            )
            status = status_word(s.status, self._lang)
            rows.append(f"- {self.cite(s)} {_markdown(s.claim_id)} ({status}), {quotes}")
        return [self.say("## Evidence", "## 근거"), "", *rows] if rows else []

    def _statement(self, s: Statement, more: str = "") -> str:
        """Case, status, what it says, number; its evidence is then listed."""
        said = stopped(_markdown(one_row(s.said(self._lang))))
        quoted = said if s.words else f"“{said}”"
        status = status_word(s.status, self._lang)
        return f"{_markdown(s.case_id)} ({status}{more}): {quoted} {self.cite(s)}"

    def _name(self, term: str) -> str:
        return self.written(self.label(term))

    def _names(self, terms: Sequence[str]) -> str:
        return ", ".join(self._name(t) for t in dict.fromkeys(terms))


def _apart(lines: Sequence[str]) -> list[str]:
    return ["", *lines] if lines else []


def _markdown(text: str) -> str:
    """Text in which no sign acts as markup; underscores within a name stay readable."""
    return _MARKUP.sub(lambda m: f"{m.group()[:-1]}\\{m.group()[-1]}", text)
