"""The sentences of an explanation that say what sets two sides apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kg.graph import kind_of
from kg.model import Duration, Result, Role, Status
from kg.queries.differences import TIMES, About, Contrast, Excluded, Measure
from kg.queries.explanation import Explanation
from kg.queries.korean import josa
from kg.queries.mentions import Mentions
from kg.queries.sides import Saying, Side
from kg.queries.wording import PARTS, Words, capital, cut, particle

Told = Mapping[str, Sequence[Saying]]
"""What a side says of each of some terms."""

MOST_CONTRASTS, MOST_SYMPTOMS = 3, 2
_MOST_QUOTED = 2


class DifferenceTeller:
    """Says what one case rules out, what only one reports, and how long things took."""

    def __init__(self, words: Words, mentions: Mentions | None = None) -> None:
        self._words = words
        self._mentions = mentions or Mentions(words.vocabulary)

    def contrasts(
        self, found: Sequence[Contrast], caveats: Mapping[str, str] | None = None
    ) -> Iterator[str]:
        """The first few contrasts, a sentence each, results with the caveats of their claims."""
        tell = {
            About.STATUS: self._ruled_out,
            About.ROLE: self._missed,
            About.VALUE: self._values,
        }
        for contrast in found[:MOST_CONTRASTS]:
            if contrast.about is About.RESULT:
                yield self._outcomes(contrast, caveats or {})
            else:
                yield tell[contrast.about](contrast)

    def excluded(self, found: Sequence[Excluded]) -> Iterator[str]:
        """What both rule out, in one sentence."""
        if found:
            named = self._words.listed([self._out(x) for x in found], MOST_CONTRASTS)
            yield self._words.say(
                f"Both rule out {named}.", f"두 사례 모두 {particle(named, '을/를')} 배제합니다."
            )

    def _out(self, excluded: Excluded) -> str:
        """What both rule out, with the broader thing that one of them names."""
        label = self._words.label(excluded.term)
        notes = [
            self._words.say(
                f"{s.case_id}: {self._words.label(s.target)} as a whole",
                f"{s.case_id}: {self._words.label(s.target)} 전체",
            )
            for s in (excluded.left, excluded.right)
            if s.target != excluded.term
        ]
        space = "" if self._words.korean else " "
        return f"{label}{space}({'; '.join(notes)})" if notes else label

    def denials(self, said: Sequence[Saying], other: Side) -> Iterator[str]:
        """What one case rules out and the other has no claim of.

        That the other does not speak of it is said only where its words have been looked through;
        a sentence of its that names the thing is quoted.
        """
        if said:
            who, who_ko = f"{said[0].case_id} rules out", josa(said[0].case_id, "은/는")
            yield from self.without_claim(who, (f"{who_ko} ", "배제"), said, other)

    def without_claim(
        self, who: str, korean: tuple[str, str], said: Sequence[Saying], other: Side
    ) -> Iterator[str]:
        """That a side denies things, and how far the other, a case, speaks of them.

        `who` is the subject with its verb; `korean` are the subject and the stem of the verb.
        """
        name, words, case = other.name, self._words, other.case
        quotes = {
            s.target: cut(self._mentions.sentence(case, s.target, words.lang) if case else "")
            for s in said
        }
        rest = [s for s in said if not quotes[s.target]]
        loose = [s for s in rest if case and self._mentions.speaks(case, s.target)]
        for part, (en, many), ko in (
            (
                [s for s in rest if s not in loose],
                (
                    f"the record of {name} does not name it",
                    f"the record of {name} names none of it",
                ),
                f"{name}의 기록에는 그 이름이 나오지 않습니다",
            ),
            (
                loose,
                (f"{name} has no claim of that", f"{name} has no claim of that"),
                f"{name}에는 그에 대한 주장이 없습니다",
            ),
        ):
            if part:
                named = words.listed([words.denied(s) for s in part], MOST_CONTRASTS)
                yield words.say(
                    f"{who} {named}; {en if len(part) == 1 else many}.",
                    f"{korean[0]}{particle(named, '을/를')} {korean[1]}하며, {ko}.",
                )
        for saying in [s for s in said if quotes[s.target]][:_MOST_QUOTED]:
            what, quote = words.denied(saying), quotes[saying.target]
            yield words.say(
                f"{who} {what}; {name} has no claim of that, but its record has the words "
                f"“{quote}”.",
                f"{korean[0]}{particle(what, '을/를')} {korean[1]}합니다. {name}에는 그에 대한 "
                f"주장은 없지만 기록에 “{quote}” 같은 말이 있습니다.",
            )

    def symptoms(
        self, left: Side, only_a: Told, right: Side, only_b: Told, most: int = MOST_SYMPTOMS
    ) -> str:
        """The first symptoms that only one of two cases lists, and the other does not name.

        That the other had none of it is not said: it may tell of the same thing in another way.

        `only_a` and `only_b` hold what the case says of each symptom that the other lacks.
        """
        said = [
            self._words.say(f"only of {side.name}: {named}", f"{side.name} – {named}")
            for side, other, told in ((left, right, only_a), (right, left, only_b))
            if (named := self._telling(self._silent(other, told), most))
        ]
        if not said:
            return ""
        told = "; ".join(said)
        return self._words.say(
            f"Listed as a symptom {told}.", f"한쪽에만 증상으로 적힌 것: {told}."
        )

    def _silent(self, other: Side, told: Told) -> Told:
        """Those of some symptoms that the other case does not tell as seen either."""
        case = other.case
        return {t: x for t, x in told.items() if case is None or not self._mentions.shows(case, t)}

    def times(self, found: Explanation) -> Iterator[str]:
        """How long two incidents took to be detected and to recover, where both say so."""
        for measure in found.measures:
            one, other = measure.left, measure.right
            if measure.name in TIMES and isinstance(one, Duration) and isinstance(other, Duration):
                yield self._time(measure, one, other, found.a, found.b)

    def _telling(self, told: Told, most: int) -> str:
        return self._words.listed([self._words.said(said) for said in told.values()], most)

    def _time(self, measure: Measure, one: Duration, other: Duration, a: str, b: str) -> str:
        first, second = self._words.duration(one), self._words.duration(other)
        if measure.name == TIMES[0]:
            return self._words.say(
                f"It took {first} to notice {a} and {second} to notice {b}.",
                f"알아채기까지 {josa(a, '은/는')} {first}, {josa(b, '은/는')} {second} 걸렸습니다.",
            )
        return self._words.say(
            f"{a} took {first} to recover and {b} {second}.",
            f"복구까지 {josa(a, '은/는')} {first}, {josa(b, '은/는')} {second} 걸렸습니다.",
        )

    def _ruled_out(self, contrast: Contrast) -> str:
        out, other = contrast.left, contrast.right
        if other.status is Status.RULED_OUT:
            out, other = other, out
        kind = kind_of(contrast.term)
        if kind in PARTS:
            return self._uninvolved(out, other)
        denied, denied_ko, sure, sure_ko = _DENIED.get(kind, _DENIED_ELSE)
        unsure, unsure_ko = "suspects", "의심합니다"
        believes = self._words.say(
            sure if other.status is Status.CONFIRMED else unsure,
            sure_ko if other.status is Status.CONFIRMED else unsure_ko,
        )
        named, told = self._words.label(out.target), self._words.label(other.target)
        same = out.target == other.target
        below = "" if same else f"그에 속하는 {particle(told, '을/를')} "
        return self._words.say(
            f"{out.case_id} rules out {named}{denied}, "
            + (
                f"which {other.case_id} {believes}."
                if same
                else f"while {other.case_id} {believes} {told}, a kind of it."
            ),
            f"{josa(out.case_id, '은/는')} {particle(named, '을/를')} {denied_ko}배제했지만 "
            f"{josa(other.case_id, '은/는')} {below}{believes}.",
        )

    def _uninvolved(self, out: Saying, other: Saying) -> str:
        """Of a component: that it had no part in it here, and there it had."""
        named, told = self._words.label(out.target), self._words.label(other.target)
        sure = other.status is Status.CONFIRMED
        same = out.target == other.target
        return self._words.say(
            f"{out.case_id} rules out that {named} was involved; in {other.case_id} "
            f"{'it' if same else told} {'was' if sure else 'may have been'}.",
            f"{josa(out.case_id, '은/는')} {particle(named, '이/가')} 관련됐을 가능성을 "
            f"배제했지만, {other.case_id}에서는 {'' if same else particle(told, '이/가') + ' '}"
            f"{'관련됐습니다' if sure else '관련됐을 수 있습니다'}.",
        )

    def _missed(self, contrast: Contrast) -> str:
        caught, missed = contrast.left, contrast.right
        if caught.role == Role.MISSED:
            caught, missed = missed, caught
        named = self._words.label(contrast.term)
        return self._words.say(
            f"{capital(named)} caught {caught.case_id} but missed {missed.case_id}.",
            f"{particle(named, '은/는')} {josa(caught.case_id, '을/를')} 잡아냈지만 "
            f"{josa(missed.case_id, '은/는')} 놓쳤습니다.",
        )

    def _outcomes(self, contrast: Contrast, caveats: Mapping[str, str]) -> str:
        (one, ko_one), (other, ko_other) = (_RESULTS[Result(w)] for w in contrast.words)
        a, b, named = (
            contrast.left.case_id,
            contrast.right.case_id,
            self._words.label(contrast.term),
        )
        notes = "; ".join(self._words.caveats(caveats, (contrast.left, contrast.right)))
        told = self._words.say(
            f"By their records “{capital(named.strip('“”'))}” {one} in {a} but {other} in {b}",
            f"기록에 따르면 ‘{named}’ 조치는 {a}에서는 {ko_one}지만 {b}에서는 {ko_other}습니다",
        )
        space = self._words.say(" ", "")
        return f"{told}{space}({notes})." if notes else f"{told}."

    def _values(self, contrast: Contrast) -> str:
        named = self._words.label(contrast.term)
        one, other = contrast.words
        return self._words.say(
            f"{capital(named)}: {one} in {contrast.left.case_id}, {other} in "
            f"{contrast.right.case_id}.",
            f"{named}: {contrast.left.case_id}에서는 {one}, "
            f"{contrast.right.case_id}에서는 {other}.",
        )


_DENIED_ELSE = ("", "", "confirms", "확정했습니다")
_DENIED = {
    "cause": (" as a cause", "원인에서 ", "confirms", "확정했습니다"),
    "trigger": (" as the trigger", "촉발에서 ", "confirms", "확정했습니다"),
    "factor": (" as a contributing factor", "기여 요인에서 ", "confirms", "확정했습니다"),
    "symptom": ("", "", "reports", "적었습니다"),
}
"""What is denied of a term of each kind, and what the other side says of it, in both languages."""

_RESULTS = {
    Result.WORKED: ("worked", "효과가 있었"),
    Result.PARTLY: ("worked only partly", "일부만 효과가 있었"),
    Result.FAILED: ("failed", "효과가 없었"),
}
