"""A diagnosis as text: every line about a case ends in the number of its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.rca.diagnosis import Change, Diagnosis
from kg.rca.phrases import Mark, Speaker, outcome_word, result_word, status_word, stopped
from kg.rca.tell_causes import CausesTeller
from kg.rca.tell_steps import StepsTeller
from kg.rca.untrusted import visible
from kg.rca.wording import kind_of_change, line_text

__all__ = ["outcome_word", "result_word", "sections", "status_word", "tell"]

_BREAKS = re.compile(r"\s*[\r\n]+\s*")


def tell(diagnosis: Diagnosis, lang: str | None = None) -> str:
    """The whole diagnosis in lines, indented by two; in its own language where none is given."""
    return "\n".join(line for _, lines in sections(diagnosis, lang) for line in lines)


def sections(
    diagnosis: Diagnosis, lang: str | None = None, cite: Mark = "[{}]".format
) -> list[tuple[str, list[str]]]:
    """The same section by section: its name and its lines, the heading first.

    `cite` writes the number of a piece of evidence, for views in which it leads there.
    """
    told = _sections(diagnosis, lang or diagnosis.lang, cite)
    return [(name, list(map(_row, lines))) for name, lines in told if lines]


def _row(line: str) -> str:
    """One line, whatever the texts in it hold; signs that are not seen but act are shown."""
    return visible(_BREAKS.sub(" ", line))


def _sections(diagnosis: Diagnosis, lang: str, cite: Mark) -> Iterator[tuple[str, list[str]]]:
    """Name and lines of each section, in reading order."""
    facts, causes = FactsTeller(diagnosis, lang, cite), CausesTeller(diagnosis, lang, cite)
    steps = StepsTeller(diagnosis, lang, cite)
    yield "understood", facts.understood()
    yield "changes", facts.changes()
    yield "similar", facts.similar()
    yield "hypotheses", causes.hypotheses()
    yield "look_alikes", causes.look_alikes()
    yield "checks", steps.checks()
    yield "mitigations", steps.mitigations()
    yield "unknown", facts.unknown()
    yield "evidence", facts.evidence()


class FactsTeller(Speaker):
    """Tells what was understood, what changed, which cases are like it, what is not known."""

    def understood(self) -> list[str]:
        """What was found in the text: by name, in other words, perhaps, denied, and added facts."""
        u = self._d.understood
        named, meant, perhaps = (
            {t.term: t.confidence for t in tags} for tags in (u.named, u.meant, u.perhaps)
        )
        unsure = {t: c for t, c in perhaps.items() if t not in named and t not in meant}
        rows = (
            (self.say("named", "이름으로"), [self.label(t) for t in named]),
            (
                self.say("by meaning", "뜻으로"),
                [f"{self.label(t)} ({self.share(c)})" for t, c in meant.items() if t not in named],
            ),
            (
                self.say("perhaps, and counted for nothing", "어쩌면 (근거로 세지 않음)"),
                [f"{self.label(t)} ({self.share(c)})" for t, c in unsure.items()],
            ),
            (self.say("denied", "부정됨"), [self.label(t.term) for t in u.denied]),
            (self.say("you observed", "관찰로 더함"), [self.label(t) for t in u.observed]),
            (self.say("you ruled out", "배제로 더함"), [self.label(t) for t in u.ruled_out]),
        )
        lines = [f"{name}: {', '.join(dict.fromkeys(terms))}" for name, terms in rows if terms]
        return self.headed("Understood", "알아들은 것", lines)

    def similar(self) -> list[str]:
        """The like cases, or the nearest ones where none is like enough."""
        hits = self._d.similar
        near = [(h.id, h.level) for h in hits.weaker]
        lines = [] if len(hits) else [line_text(hits.threshold, near, self._lang)]
        for case in self._d.near:
            if not case.similar:
                continue
            likely = self.share(case.probability)
            told = self.say(f"relevant with {likely}", f"관련 확률 {likely}")
            title = f"{stopped(case.title.span(self._lang).quote)} {self.cite(case.title)}"
            lines.append(f"{case.case_id} ({told}): {title}")
            if case.depends_on:
                lines.append(
                    self.say(
                        "  counts half, as it rests on what you ruled out: ",
                        "  배제한 것에 기대고 있어 절반만 셉니다: ",
                    )
                    + self.labels(case.depends_on)
                )
        return self.headed("Similar cases", "비슷한 사례", lines)

    def unknown(self) -> list[str]:
        """What the like cases leave open."""
        lines = [self.unknown_text(u) for u in self._d.unknown]
        return self.headed("Not known", "알 수 없는 것", lines)

    def changes(self) -> list[str]:
        """What the added facts moved, against the diagnosis before."""
        c = self._d.changes
        if c is None:
            return []
        facts = (
            (self.say("observed since", "새로 관찰됨"), c.observed),
            (self.say("ruled out since", "새로 배제됨"), c.ruled_out),
            (self.say("taken back", "거둬들임"), c.taken_back),
        )
        lines = [f"{name}: {self.labels(terms)}" for name, terms in facts if terms]
        lines += [self.say("the text is another one", "글이 달라짐")] if c.text_changed else []
        lines += [self._change(x) for x in c.hypotheses]
        return self.headed(
            "Changed",
            "달라진 것",
            lines or [self.say("Nothing changed.", "달라진 것이 없습니다.")],
        )

    def _change(self, x: Change) -> str:
        ends = [self.share(p) for p in (x.before, x.after) if p is not None]
        kind = kind_of_change(x.kind, self._lang)
        return f"{self.label(x.cause)}: {kind} ({' -> '.join(ends)}); {'; '.join(x.why)}"

    def evidence(self) -> list[str]:
        """Every statement with all of its quotations in the language."""
        lines = []
        for number, s in enumerate(self._d.evidence, 1):
            quotes = "; ".join(
                f"{span.field}.{span.lang} {span.start}–{span.end}: “{span.quote}”"
                for span in s.spans(self._lang)
            )
            lines.append(f"[{number}] {s.claim_id} {status_word(s.status, self._lang)}, {quotes}")
        return self.headed("Evidence", "근거", lines)
