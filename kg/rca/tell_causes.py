"""Hypotheses and look-alikes in words."""

from __future__ import annotations

from collections.abc import Iterator

from kg.queries.korean import josa
from kg.rca.diagnosis import Hypothesis, LookAlike, Objection, TellingCheck
from kg.rca.phrases import Speaker, status_word
from kg.rca.statements import Statement
from kg.rca.wording import abstention_text

_SIGNS = {
    "+": ("confirms it", "확정"),
    "=": (
        "seen here and recorded there, not said to come of this cause",
        "여기서 보이고 거기에도 기록됨, 이 원인에서 왔다는 말은 아님",
    ),
    "~": ("how to take it", "읽는 법"),
    "?": ("only suspected", "의심뿐"),
    "-": ("against it", "반대"),
    "->": ("tells them apart", "둘을 가름"),
}


class CausesTeller(Speaker):
    """Tells what may be behind it."""

    def hypotheses(self) -> list[str]:
        """Why there are none, or each with what is for it and against it."""
        d = self._d
        if d.abstention:
            lines = [abstention_text(d.abstention, self._lang), *self._suspicions()]
            return self.headed("Hypotheses", "가설", lines)
        told: dict[tuple[str, str], int] = {}
        lines = [
            line for n, h in enumerate(d.hypotheses, 1) for line in self._hypothesis(n, h, told)
        ]
        lines += [self.novelty(), *self._suspicions()]
        named = any(not h.support for h in d.hypotheses)
        return self.headed(
            f"Hypotheses (causes of like cases{', or only named' * named}; none is confirmed here)",
            f"가설 (비슷한 사례의 원인이{'거나 이름만 든 것이' * named}며, "
            "여기서 확정된 것은 없음)",
            lines,
            self.legend(_SIGNS, lines),
        )

    def _suspicions(self) -> list[str]:
        return [f"? {self.labels(s.terms)}: {self.statement(s)}" for s in self._d.suspicions]

    def _hypothesis(
        self, number: int, h: Hypothesis, told: dict[tuple[str, str], int]
    ) -> Iterator[str]:
        """The lines of a hypothesis; what an earlier one has quoted is referred to."""
        head = f"{self.label(h.cause)} ({h.cause}): {self.share(h.probability)}"
        counted, mentioned = self._counted(h), self._mentioned(h)
        after = f"{counted}{mentioned}"
        if mentioned and not h.support:
            after = f"{mentioned.removeprefix(', ')}; {counted}"
        yield f"{number}. {head}{self._whole(h)}, {after}"
        for sign, lines in (
            ("+", [(s.statement, self._looked_at(s.statement)) for s in h.support]),
            ("=", [(s, self._shown(s)) for s in h.shown]),
            ("?", [(s, self.statement(s)) for s in h.suspected]),
            ("-", [(o.statement, self._objection(o)) for o in h.against]),
        ):
            for s, line in lines:
                key = (sign, s.claim_id) if s else None
                first = told.setdefault(key, number) if key else number
                yield f"   {sign} {line if first == number or not s else self._again(s, first)}"
        yield from (f"   ~ {line}" for line in self._taken(h))

    def _again(self, s: Statement, number: int) -> str:
        status = status_word(s.status, self._lang)
        place = self.say(f"as under {number}", f"{number}번에 적은 대로")
        return f"{s.case_id} ({status}): {place} {self.cite(s)}"

    def _whole(self, h: Hypothesis) -> str:
        """That the probability of a general cause holds those of narrower hypotheses."""
        places = {x.cause: n for n, x in enumerate(self._d.hypotheses, 1)}
        numbers = ", ".join(str(places[c]) for c in h.includes)
        if not numbers:
            return ""
        return self.say(
            f" with all its kinds, {numbers} among them", f" ({numbers}번을 비롯한 하위 원인 포함)"
        )

    def _counted(self, h: Hypothesis) -> str:
        """In how many incidents it was confirmed; reports on many events stand apart."""
        if not h.support:
            return self.unborne(h)
        n, k = len(h.reports), ", ".join(h.reports)
        apart = self.say(
            f"{n} report{'s' * (n != 1)} on many events ({k}), not counted",
            f"여러 사고를 다룬 보고 {n}건({k})에서 확정했으나 세지 않음",
        )
        if h.n:
            counted = self.say(
                f"confirmed in {h.n} of {h.of} incident{'s' * (h.of != 1)} looked at that "
                f"{'have' if h.of != 1 else 'has'} a confirmed cause",
                f"살펴본 사고 가운데 원인이 확정된 {h.of}건 중 {h.n}건에서 확정",
            )
            return counted + (self.say(f" and in {apart}", f", {apart}") if n else "")
        none = self.say("confirmed in no incident looked at", "살펴본 사고에서는 확정된 적 없음")
        return none + (self.say(f", only in {apart}", f", {apart}") if n else "")

    def _mentioned(self, h: Hypothesis) -> str:
        if h.cause in self._d.understood.observed:
            return self.say(", observed by you", ", 직접 관찰한 원인")
        denied = any(o.kind == "denied" and o.statement is None for o in h.against)
        return self.say(", named by you", ", 직접 든 원인") if h.named and not denied else ""

    def _taken(self, h: Hypothesis) -> Iterator[str]:
        """What is to be known when a hypothesis is weighed against others."""
        if h.together and h.support:
            s = h.support[0].statement
            names = self.named(h.together)
            yield self.say(
                f"in {s.case_id} it came together with {names}: one story, no rivals "
                f"{self.cite(s)}",
                f"{s.case_id}에서 {josa(names, '과/와')} 함께 나타남: 한 이야기이며 "
                f"서로 겨루지 않음 {self.cite(s)}",
            )
        for s in (x.statement for x in h.support):
            if s.case_id in h.unnoticed:
                yield self.say(
                    f"in {s.case_id} it explains why it was not noticed, not what broke "
                    f"{self.cite(s)}",
                    f"{s.case_id}에서는 무엇이 고장 났는지가 아니라 왜 알아채지 못했는지를 설명함 "
                    f"{self.cite(s)}",
                )

    def _looked_at(self, s: Statement) -> str:
        """The same, with how relevant a case is that is not called similar."""
        near = next((n for n in self._d.near if n.case_id == s.case_id and not n.similar), None)
        if near is None:
            return self.statement(s)
        likely = self.share(near.probability)
        return self.statement(s, self.say(f", relevant with {likely}", f", 관련 확률 {likely}"))

    def _shown(self, s: Statement) -> str:
        seen = self.say("also recorded there", "거기에도 기록됨")
        return f"{seen}: {self.labels(s.terms)}, {s.case_id}: {self.said(s)}"

    def _objection(self, o: Objection) -> str:
        if o.statement is None:
            quote = o.place.text if o.place else ""
            return self.say(f"the text denies it: “{quote}”", f"글이 부정합니다: “{quote}”")
        told = self.statement(o.statement)
        if o.kind == "ruled_out":
            return self.say(f"excluded in a like case: {told}", f"비슷한 사례에서 배제: {told}")
        if o.kind == "denied":
            return self.say(f"not so here: {told}", f"여기서는 아님: {told}")
        return self.say(f"a like case with another cause: {told}", f"원인이 다른 사례: {told}")

    def look_alikes(self) -> list[str]:
        """The pairs, with what tells them apart."""
        lines = [line for pair in self._d.look_alikes for line in self._pair(pair)]
        return self.headed(
            "Look-alikes: like symptoms, different causes",
            "닮은꼴: 증상은 비슷하고 원인은 다름",
            lines,
            self.legend(_SIGNS, lines),
        )

    def _pair(self, pair: LookAlike) -> list[str]:
        shared = self.named(pair.shared) or self.say("what was seen", "본 것")
        near = f"{pair.likeness:.2f}"
        lines = [
            self.say(
                f"{pair.a} and {pair.b} both show {shared} (likeness {near}), but differ in cause:",
                f"{josa(pair.a, '과/와')} {josa(pair.b, '은/는')} 둘 다 "
                f"{josa(shared, '을/를')} 보이지만(닮은 정도 {near}) 원인이 다릅니다:",
            )
        ]
        lines += [
            f"  {self.labels(c.terms)}: {self.statement(c)}" for c in (pair.cause_a, pair.cause_b)
        ]
        lines += [f"  -> {self._telling(check)}" for check in pair.checks]
        if not pair.checks:
            lines.append(
                self.say(
                    "  No claim of theirs says what tells them apart.",
                    "  둘을 가르는 것이 무엇인지 적혀 있지 않습니다.",
                )
            )
        return lines

    def _telling(self, c: TellingCheck) -> str:
        said = {
            "yes": self.say("; it is so here", "; 여기서는 그렇다고 함"),
            "no": self.say("; it is not so here", "; 여기서는 아니라고 함"),
        }.get(c.answer or "", "")
        return f"{self._to_check(c)}{said}: {self.said(c.statement)}"

    def _to_check(self, c: TellingCheck) -> str:
        label, case = self.named([c.term]), c.points_to
        if c.kind == "ruled_out":
            return self.say(
                f"check whether {label} can be excluded, as {case} could",
                f"{case}에서처럼 {josa(label, '을/를')} 배제할 수 있는지 확인",
            )
        if c.kind != "tool":
            return self.say(
                f"only {case} lists {label}", f"{josa(label, '은/는')} {case}에만 적혀 있음"
            )
        if c.statement.role == "diagnosed":
            return self.say(
                f"look at {label}, with which {case} was diagnosed",
                f"{josa(label, '을/를')} 확인: {josa(case, '을/를')} 진단할 때 씀",
            )
        return self.say(
            f"look at {label}, which first showed {case}",
            f"{josa(label, '을/를')} 확인: {josa(case, '을/를')} 처음 드러냄",
        )
