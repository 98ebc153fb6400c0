"""Checks and remedies in words."""

from __future__ import annotations

from kg.queries.korean import josa
from kg.rca.diagnosis import Check, Purpose, Remedy
from kg.rca.phrases import Speaker, outcome_word, stopped
from kg.rca.statements import Statement

_SIGNS = {
    "+": ("says so", "그렇게 적음"),
    "·": ("gave the first sign, or was among what was checked", "첫 신호이거나 점검한 것"),
    "x": ("did not find it there", "거기서는 찾지 못함"),
}
_NOTES = {"outcome": ("outcome", "결과"), "conditions": ("condition", "조건")}
_CAVEAT = {"caveat": ("caveat", "주의")}

HIGH, MEDIUM = 0.3, 0.15
"""From these shares of the uncertainty on an answer is said to tell much, or something."""


def _cases_that_say(count: int) -> str:
    return "case that says" if count == 1 else "cases that say"


class StepsTeller(Speaker):
    """Tells what to look at next, and what was done in like cases."""

    def checks(self) -> list[str]:
        """What to look at or ask, with the cases that did."""
        lines = [line for c in self._d.checks for line in self._check(c)]
        legend = self.legend(_SIGNS, lines)
        return self.headed("Check next", "다음에 확인할 것", lines, legend)

    def _check(self, c: Check) -> list[str]:
        lines = [f"{self.label(c.term)} ({c.term}): {self._worth(c)}"]
        for mark, said in (("+", c.said), ("·", c.noticed), ("x", c.missed)):
            lines += [f"  {mark} {s.case_id}: {self.said(s)}" for s in said]
        return lines

    def _worth(self, c: Check) -> str:
        if c.kind == "tool" and not c.n:
            return self.say(
                "gave the first sign, or was among what was checked; none of "
                f"{c.of} case{'s' * (c.of != 1)} is recorded as diagnosed with it",
                f"첫 신호였거나 점검한 것으로, 사례 {c.of}건 가운데 이것으로 진단했다고 적은 "
                "것은 없음",
            )
        if c.kind == "tool":
            return self.say(
                f"used to diagnose {c.n} of {c.of} {_cases_that_say(c.of)} how it was found",
                f"어떻게 알았는지 적은 사례 {c.of}건 가운데 {c.n}건을 진단할 때 씀",
            )
        if c.kind == "cause":
            return self.say(
                f"could be ruled out in {c.n} of {c.of} case{'s' * (c.of != 1)}",
                f"사례 {c.of}건 가운데 {c.n}건에서 배제할 수 있었음",
            )
        level = 0 if c.worth >= HIGH else 1 if c.worth >= MEDIUM else 2
        word = (("high", "높음"), ("medium", "보통"), ("low", "낮음"))[level]
        return self.say(
            f"worth asking: {word[0]}, as it separates the hypotheses; stated in {c.n} of "
            f"{c.of} case{'s' * (c.of != 1)}",
            f"가설을 구별하는 힘: {word[1]}. 사례 {c.of}건 가운데 {c.n}건에 적혀 있음",
        )

    def mitigations(self) -> list[str]:
        """What was done, what was changed later, what falls away."""
        d = self._d
        lines = self.headed(
            "What was done in such cases",
            "그런 사례에서 한 조치",
            [line for r in d.mitigations for line in self._remedy(r)],
        )
        lines += self.headed(
            "What was changed later",
            "나중에 바꾼 것",
            [line for r in d.follow_ups for line in self._remedy(r)],
        )
        lines += self.headed(
            "Set aside, since it serves what you ruled out",
            "배제한 것을 위한 조치라서 뺀 것",
            [f"{self.label(s.because)}: {self.statement(s.step)}" for s in d.set_aside],
        )
        return lines

    def _remedy(self, r: Remedy) -> list[str]:
        alike = len(set(r.purposes)) == 1
        purpose = f": {self._purpose(r.purposes[0])}" if alike else ""
        tried = self.say("; you have tried it", "; 이미 해 봄") if r.tried else ""
        lines = [f"{self.label(r.term)} ({r.term}){purpose}{tried}"]
        if r.does_not_cover:
            lines.append(
                self.say(
                    f"  does not cover {self.labels(r.does_not_cover)}",
                    f"  {josa(self.named(r.does_not_cover), '을/를')} 다루지 않음",
                )
            )
        if r.unsure:
            lines.append(
                self.say(
                    f"  this cause is only suspected in {', '.join(r.unsure)}",
                    f"  {', '.join(r.unsure)}에서는 이 원인이 의심에 그침",
                )
            )
        for step, own in zip(r.steps, r.purposes, strict=True):
            lines += self._step(step, "" if alike else self._purpose(own))
        return lines

    def _purpose(self, p: Purpose) -> str:
        """For which causes a step was; where its case does not say, that it has them."""
        if not p.causes:
            return self.say("of cases without a confirmed cause", "원인이 확정되지 않은 사례의 것")
        named = self.named(p.causes)
        if p.stated:
            return self.say(f"done for {named}", f"{named}에 대한 것")
        return self.say(
            f"of cases with {named}, not said to be for it",
            f"{josa(named, '이/가')} 있던 사례의 것이며, 그 원인을 위한 것이라고는 적혀 있지 않음",
        )

    def _step(self, step: Statement, purpose: str) -> list[str]:
        """A step with what came of it; its caveat stands right beside the result."""
        caveat = step.note("caveat", self._lang) if step.result else ""
        warned = stopped(caveat).rstrip(".")
        parts = [
            outcome_word(step, self._lang),
            self.say(f"caveat: {warned}", f"주의: {warned}") if warned else "",
            purpose,
        ]
        head = "; ".join(p for p in parts if p)
        first = f"{step.case_id} ({head})" if head else step.case_id
        names = _NOTES if warned else {**_NOTES, **_CAVEAT}
        return [
            f"  {first}: {self.said(step)}",
            *(f"    {line}" for line in self.notes(step, names)),
        ]
