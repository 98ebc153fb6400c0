"""What the verification of an answer found, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from kg.queries.korean import josa
from kg.rca.sentences import Sentence
from kg.rca.untrusted import visible


class Verdict(StrEnum):
    """What became of a sentence; `no_claim` ones need no evidence."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    NO_CLAIM = "no_claim"


@dataclass(frozen=True)
class Finding:
    """Something wrong with a sentence.

    Attributes:
        kind: `no_citation`, `no_such_number`, `figure`, `identifier`, `name`, `quotation`,
            `only_suspected`, `ruled_out`, `called_ruled_out`, `this_incident`, `title_only`,
            `cause`, `turned`, or `result` with its kinds `result_unknown`, `result_partly` and
            `result_worked`.
        what: the words, the number or the case that it is about.
        bound: the last number that there is, for `no_such_number`.
    """

    kind: str
    what: str
    bound: str = ""

    def text(self, lang: str = "en") -> str:
        """The same in words."""
        what = self.what
        en, ko = {
            "no_citation": (
                "it cites no evidence; end it with the numbers that hold it, such as [3]",
                "근거를 인용하지 않았습니다. 근거의 번호로 끝내세요. 예: [3]",
            ),
            "no_such_number": (
                f"there is no evidence [{what}]; the numbers go from 1 to {self.bound}",
                f"근거 [{what}]은 없습니다. 번호는 1부터 {self.bound}까지입니다",
            ),
            "figure": (
                f"the cited evidence does not hold the figure {what}",
                f"인용한 근거에 수치 {josa(what, '이/가')} 없습니다",
            ),
            "identifier": (
                f"the cited evidence does not hold {what}",
                f"인용한 근거에 {josa(what, '이/가')} 없습니다",
            ),
            "name": (
                f"the cited evidence does not name {what}",
                f"인용한 근거에 이름 {josa(what, '이/가')} 나오지 않습니다",
            ),
            "quotation": (
                f"the cited evidence does not say “{what}” in these words",
                f"인용한 근거에 “{what}”이라는 말이 그대로 있지 않습니다",
            ),
            "only_suspected": (
                f"{what} only suspects this cause; say so",
                f"{what}에서는 의심에 그친 원인입니다. 그렇게 적으세요",
            ),
            "ruled_out": (
                f"{what} rules this cause out",
                f"{what}에서는 배제된 원인입니다",
            ),
            "called_ruled_out": (
                f"{what} confirms this cause and does not rule it out",
                f"{what}에서는 확정된 원인이며 배제되지 않았습니다",
            ),
            "this_incident": (
                "it states a cause of the incident itself, of which none is confirmed; "
                "say “may”, or name the case",
                "이 사고 자체의 원인을 단정했습니다. 확정된 원인이 없으니 가능성으로 적거나 "
                "사례를 밝히세요",
            ),
            "title_only": (
                f"a title is no evidence of a cause; cite what {what} says of it",
                f"제목은 원인의 근거가 아닙니다. {what}에서 원인을 말한 근거를 인용하세요",
            ),
            "result_unknown": (
                f"{what} does not say what came of it",
                f"{what}에는 그 결과가 적혀 있지 않습니다",
            ),
            "result_partly": (
                f"in {what} it helped only in part",
                f"{what}에서는 일부만 효과가 있었습니다",
            ),
            "result_worked": (
                f"in {what} it did help",
                f"{what}에서는 효과가 있었습니다",
            ),
            "cause": (
                f"the cited evidence does not hold “{what}” as a cause",
                f"인용한 근거에 “{what}”이라는 원인이 없습니다",
            ),
            "turned": (
                f"the cited evidence says the opposite of “{what}”, or does not deny it",
                f"“{what}”: 인용한 근거와 반대이거나 근거가 부정하지 않는 것입니다",
            ),
            "result": (
                f"in {what} it did not help",
                f"{what}에서는 효과가 없었습니다",
            ),
        }[self.kind]
        return ko if lang == "ko" else en


@dataclass(frozen=True)
class SentenceReport:
    """A sentence (or heading, or code block) with its verdict.

    `cited` are the numbers that it rests on, `findings` why it is refused, `rule` why it needs no
    evidence: `unknown`, `question` or `aside`.
    """

    sentence: Sentence
    verdict: Verdict
    cited: tuple[int, ...]
    findings: tuple[Finding, ...]
    rule: str | None = None


@dataclass(frozen=True)
class AnswerReport:
    """The verdict on every sentence of an answer, in order.

    Attributes:
        sentences: one report each.
        lang: language of the reasons.
        ok: nothing is refused.
    """

    sentences: tuple[SentenceReport, ...]
    lang: str
    ok: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ok", not any(self.refused))

    def __bool__(self) -> bool:
        return self.ok

    @property
    def refused(self) -> tuple[SentenceReport, ...]:
        """The sentences that are refused."""
        return tuple(s for s in self.sentences if s.verdict is Verdict.REFUSED)

    def count(self, verdict: Verdict) -> int:
        """How many sentences have a verdict."""
        return sum(s.verdict is verdict for s in self.sentences)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        counts = [self.count(v) for v in Verdict]
        if self.lang == "ko":
            yield "받아들임 {}, 물리침 {}, 주장 아님 {}".format(*counts)
        else:
            yield "{} accepted, {} refused, {} without a claim".format(*counts)
        words = {
            Verdict.ACCEPTED: ("accepted", "받아들임"),
            Verdict.REFUSED: ("refused", "물리침"),
            Verdict.NO_CLAIM: ("no claim", "주장 아님"),
        }
        for s in self.sentences:
            said = " ".join(visible(s.sentence.text).split())
            yield f"{words[s.verdict][self.lang == 'ko']}: {said}"
            for finding in s.findings:
                yield f"  - {finding.text(self.lang)}"
