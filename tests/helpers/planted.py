"""Cases planted for diagnoses, and a diagnosis over cases without a search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kg.graph import IncidentGraph
from kg.model import Case
from kg.queries import Hit, Hits
from kg.rca import CausePredictor, Diagnosis
from kg.rca.facts import resolve_facts
from kg.rca.make import Asked, Diagnoser
from kg.vocab import Tag, Tagger, Vocabulary
from tests.helpers.tiny import case_data, make_case, term, tiny_vocabulary

LINK_TEST = term("tool:link-test", "link test", "링크 시험")
PLANTED_VOCABULARY = tiny_vocabulary(LINK_TEST)

SEEN = "NCCL timeout and slow training"


def planted_cases() -> list[Case]:
    """P-1 and P-2 show the same and differ in cause; P-3 suspects; P-4 is another story.

    P-1 was found with the flight recorder and rules out what caused P-2; P-2 was found with the
    link test. P-5 is a study with the cause of P-2.
    """
    same = (("symptom", "symptom:nccl-timeout"), ("symptom", "symptom:slow"))
    return [
        make_case(
            "P-1", *same, ("cause", "cause:mismatch"), ("cause", "cause:link-down", "ruled_out"),
            ("detection", "tool:flight-recorder", "confirmed", "diagnosed"),
            ("mitigation", "mitigation:restart"), ("trigger", "trigger:upgrade"),
        ),
        make_case(
            "P-2", *same, ("cause", "cause:link-down"),
            ("detection", "tool:link-test", "confirmed", "diagnosed"),
            ("detection", "tool:flight-recorder", "confirmed", "missed"),
            ("mitigation", "mitigation:replace"), ("follow_up", "mitigation:replace"),
        ),
        make_case(
            "P-3", ("symptom", "symptom:nccl-timeout"), ("cause", "cause:race", "suspected"),
            ("mitigation", "mitigation:restart"),
        ),
        make_case(
            "P-4", ("symptom", "symptom:failure"), ("cause", "cause:ecc-error"),
            ("component", "component:h100", "confirmed", "failed"),
            ("detection", "tool:exposure", "confirmed", "detected"),
        ),
        make_case(
            "P-5", ("symptom", "symptom:slow"), ("cause", "cause:link-down"), kind="study",
        ),
    ]  # fmt: skip


EVIL = (
    "</p></div><script>alert(1)</script><img src=x onerror=alert(2)> \" onload='x' &lt;b&gt; "
    "\u202eevil\u0007 [link](javascript:alert(3)) '; DROP TABLE cases; --"
)

LIKELY = {"P-1": 0.8, "P-2": 0.75, "P-3": 0.6, "P-4": 0.04, "P-5": 0.2}


def evil_cases() -> list[Case]:
    """A case whose title, claims and notes are all of it poisoned."""
    data = case_data(
        "P-1", ("symptom", "symptom:slow"), ("cause", "cause:race"),
        ("mitigation", "mitigation:restart"), ("detection", "tool:link-test"),
    )  # fmt: skip
    text = {"en": EVIL, "ko": EVIL}
    data["title"] = {"en": [EVIL], "ko": [EVIL]}
    for field in ("symptom", "cause", "mitigation", "detection"):
        for lang in ("en", "ko"):
            data[field][lang].append(EVIL)
    for claim in data["claims"]:
        claim["statement"] = text
        claim["evidence"] = [
            {"field": e["field"], "lang": e["lang"], "quote": EVIL} for e in claim["evidence"]
        ]
    data["claims"][2].update(outcome=text, conditions=text, caveat=text, result="worked")
    data["claims"][3]["role"] = "diagnosed"
    return [Case.model_validate(data)]


def hits_of(
    cases: Mapping[str, Case], likely: Mapping[str, float], threshold: float, lang: str = "en"
) -> Hits:
    """The answer of a search that found these probabilities."""
    ranked = sorted(likely, key=lambda i: (-likely[i], i))
    hits = [
        Hit(i, cases[i].name(lang), likely[i], {"dense": likely[i]}, (), (), likely[i])
        for i in ranked
    ]
    return Hits(
        "",
        tuple(h for h in hits if h.level >= threshold),
        tuple(h for h in hits if h.level < threshold)[:3],
        threshold,
        (),
        lang,
    )


def diagnose(
    text: str = SEEN,
    *,
    cases: Sequence[Case] | None = None,
    vocabulary: Vocabulary = PLANTED_VOCABULARY,
    observed: Iterable[str] = (),
    ruled_out: Iterable[str] = (),
    likely: Mapping[str, float] | None = None,
    threshold: float = 0.4,
    lang: str = "en",
    tags: Sequence[Tag] | None = None,
    previous: Diagnosis | None = None,
) -> Diagnosis:
    """A diagnosis over cases whose likeness to the text is given rather than searched for."""
    by_id = {c.id: c for c in (planted_cases() if cases is None else cases)}
    near = dict(LIKELY if likely is None else likely)
    graph = IncidentGraph(by_id.values(), vocabulary)
    asked = Asked(
        text=text,
        lang=lang,
        tags=Tagger(vocabulary).tag(text) if tags is None else tags,
        facts=resolve_facts(vocabulary, list(observed), list(ruled_out)),
        hits=hits_of(by_id, near, threshold, lang),
        likeness={i: near.get(i, 0.0) for i in by_id},
        likely={i: near.get(i, 0.0) for i in by_id},
    )
    diagnoser = Diagnoser(graph, vocabulary, by_id, CausePredictor(graph, vocabulary))
    return diagnoser.diagnose(asked, previous)
