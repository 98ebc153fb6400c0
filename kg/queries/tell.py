"""An explanation as one paragraph, in English or Korean, from templates."""

from __future__ import annotations

from collections.abc import Sequence

from kg.graph import IncidentGraph, Relation
from kg.model import Case, Status
from kg.queries.korean import josa
from kg.queries.sharing import (
    Contrast,
    SameCause,
    SharedTerm,
    common_causes,
    confirmed_causes,
)
from kg.vocab import Vocabulary

_KINDS = {
    "trigger": ("Triggers", "촉발"),
    "factor": ("Contributing factors", "기여 요인"),
    "symptom": ("Symptoms", "증상"),
    "component": ("Components", "구성 요소"),
    "mitigation": ("Mitigations", "조치"),
    "tool": ("Detection tools", "감지 도구"),
}


def tell(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    a: Case,
    b: Case,
    verdict: SameCause,
    shared: Sequence[SharedTerm],
    differing: Sequence[Contrast],
    lang: str,
) -> str:
    """The paragraph: verdict on the causes, what is shared by kind, what differs."""
    teller = _Teller(graph, vocabulary, lang)
    sentences = [
        teller.verdict(a.id, b.id, verdict, shared),
        *teller.shared(shared),
        teller.cause_difference(a.id, b.id, verdict),
        *(teller.contrast(c) for c in differing),
        teller.symptom_difference(a.id, b.id),
    ]
    return " ".join(s for s in sentences if s)


def difference(
    graph: IncidentGraph, vocabulary: Vocabulary, a: str, b: str, verdict: SameCause, lang: str
) -> str:
    """What sets two cases apart, in one or two sentences."""
    teller = _Teller(graph, vocabulary, lang)
    parts = (teller.cause_difference(a, b, verdict), teller.symptom_difference(a, b))
    return " ".join(p for p in parts if p)


class _Teller:
    def __init__(self, graph: IncidentGraph, vocabulary: Vocabulary, lang: str) -> None:
        self._graph = graph
        self._vocabulary = vocabulary
        self._lang = "ko" if lang == "ko" else "en"

    def _say(self, en: str, ko: str) -> str:
        return ko if self._lang == "ko" else en

    def _label(self, term: str) -> str:
        return self._vocabulary.terms[term].label.best(self._lang)

    def _list(self, terms: Sequence[str], most: int = 5) -> str:
        labels = [self._label(t) for t in terms[:most]]
        rest = len(terms) - most
        if rest > 0:
            labels.append(self._say(f"{rest} more", f"그 밖에 {rest}가지"))
        if self._lang == "ko" or len(labels) < 2:
            return ", ".join(labels)
        return f"{', '.join(labels[:-1])} and {labels[-1]}"

    def verdict(self, a: str, b: str, verdict: SameCause, shared: Sequence[SharedTerm]) -> str:
        causes = [s for s in shared if s.kind == "cause"]
        both = josa(b, "은/는")
        if verdict is SameCause.YES:
            return self._common(a, b)
        if verdict is SameCause.NO:
            text = self._say(
                f"{a} and {b} look alike but have different causes.",
                f"{josa(a, '과/와')} {both} 비슷해 보이지만 원인이 다릅니다.",
            )
        else:
            text = self._say(
                f"It is not known whether {a} and {b} have the same cause.",
                f"{josa(a, '과/와')} {b}의 원인이 같은지는 알 수 없습니다.",
            )
        return " ".join([text, *self._common_cause(causes)])

    def _common(self, a: str, b: str) -> str:
        """The causes that made the verdict; "root cause" only where it is the primary of both."""
        terms = common_causes(self._graph, self._vocabulary, a, b)
        primary = {confirmed_causes(self._graph, i)[0] for i in (a, b)}
        roots = [t for t in terms if primary == {t}]
        named, both = self._list(roots or terms), josa(b, "은/는")
        if roots:
            return self._say(
                f"{a} and {b} have the same root cause: {named}.",
                f"{josa(a, '과/와')} {both} 근본 원인이 같습니다: {named}.",
            )
        return self._say(
            f"{a} and {b} share a confirmed cause: {named}.",
            f"{josa(a, '과/와')} {both} 확정된 원인을 공유합니다: {named}.",
        )

    def _common_cause(self, causes: Sequence[SharedTerm]) -> list[str]:
        """Causes that meet only further up, or are only suspected."""
        found = []
        for s in causes:
            label = self._label(s.term)
            if s.steps == (0, 0):
                found.append(
                    self._say(
                        f"Both name {label}, but at least one only suspects it.",
                        f"둘 다 {josa(label, '을/를')} 들지만 적어도 한쪽은 의심에 그칩니다.",
                    )
                )
            else:
                found.append(
                    self._say(
                        f"Their causes meet in the broader class {label}"
                        + (" (suspected)." if s.status is Status.SUSPECTED else "."),
                        f"두 원인은 더 넓은 분류인 {label}에서 만납니다"
                        + ("(의심 단계)." if s.status is Status.SUSPECTED else "."),
                    )
                )
        return found

    def shared(self, shared: Sequence[SharedTerm]) -> list[str]:
        found = []
        for kind, (en, ko) in _KINDS.items():
            terms = [s.term for s in shared if s.kind == kind]
            if terms:
                named = self._list(terms)
                found.append(self._say(f"{en} in common: {named}.", f"공통 {ko}: {named}."))
        return found

    def cause_difference(self, a: str, b: str, verdict: SameCause) -> str:
        if verdict is SameCause.YES:
            return ""
        return self._say("What differs:", "다른 점:") + " " + "; ".join(
            self._causes(case_id) for case_id in (a, b)
        ) + "."  # fmt: skip

    def _causes(self, case_id: str) -> str:
        confirmed = confirmed_causes(self._graph, case_id)
        if confirmed:
            named = self._list(confirmed)
            return self._say(f"{case_id} was caused by {named}", f"{case_id}의 원인은 {named}")
        edges = self._graph.edges_of(case_id, Relation.CAUSED_BY)
        suspected = [e.target for e in edges if e.status is Status.SUSPECTED]
        if suspected:
            named = self._list(suspected)
            return self._say(
                f"{case_id} has no confirmed cause (suspected: {named})",
                f"{josa(case_id, '은/는')} 확정된 원인이 없음(의심: {named})",
            )
        return self._say(
            f"{case_id} states no cause", f"{josa(case_id, '은/는')} 원인이 적혀 있지 않음"
        )

    def contrast(self, contrast: Contrast) -> str:
        label = self._label(contrast.term)
        out, other = contrast.left, contrast.right
        if other.status is Status.RULED_OUT:
            out, other = other, out
        return self._say(
            f"{out.case_id} rules out {label}, while {other.case_id} does not.",
            f"{josa(out.case_id, '은/는')} {josa(label, '을/를')} 배제했지만 "
            f"{josa(other.case_id, '은/는')} 그렇지 않습니다.",
        )

    def symptom_difference(self, a: str, b: str) -> str:
        left, right = self._symptoms(a), self._symptoms(b)
        only = ((a, self._without_kin(left, right)), (b, self._without_kin(right, left)))
        said = [
            self._say(
                f"only {c} shows {self._list(t, 3)}", f"{c}에만 있는 증상은 {self._list(t, 3)}"
            )
            for c, t in only
            if t
        ]
        if not said:
            return ""
        text = "; ".join(said) + "."
        return text[0].upper() + text[1:]

    def _without_kin(self, terms: Sequence[str], others: Sequence[str]) -> list[str]:
        """The terms that stand neither below nor above any of the others."""
        above = {up for other in others for up in self._vocabulary.broader_steps(other)}
        return [
            t for t in terms
            if t not in above and not set(self._vocabulary.broader_steps(t)) & set(others)
        ]  # fmt: skip

    def _symptoms(self, case_id: str) -> list[str]:
        edges = self._graph.edges_of(case_id, Relation.EXHIBITS)
        return list(dict.fromkeys(e.target for e in edges if e.status is not Status.RULED_OUT))
