"""F16 to F22: causes with their status, detection, mitigations, lessons."""

from __future__ import annotations

import pytest

from kg.graph import Relation
from kg.model import ClaimKind, FieldState, Prose, Status
from kg.queries.sharing import confirmed_causes


def _causes(quick, case_id, status):
    edges = quick.graph.edges_of(case_id, Relation.CAUSED_BY)
    return [e.target for e in edges if e.status is status]


def test_f16_unconfirmed_causes(quick):
    assert _causes(quick, "IL-0428", Status.SUSPECTED) == [
        "cause:optimizer-kernel-defect",
        "cause:framework-defect",
        "cause:communication-library-defect",
        "cause:system-internal-fault",
    ]
    named = ("FusedAdam", "PyTorch", "NCCL", "internal to the system")
    claims = quick.get("IL-0428").claims_of(ClaimKind.CAUSE, Status.SUSPECTED)
    for claim, name in zip(claims, named, strict=True):
        assert name in claim.statement.get("en")
    assert confirmed_causes(quick.graph, "IL-0428") == []
    assert not quick.get("IL-0428").claims_of(ClaimKind.CAUSE)
    assert "IL-0428" not in {m.id for g in quick.groups(every_cause=True) for m in g.members}
    assert quick.shared_causes(["IL-0428"], minimum=1) == []
    assert {quick.explain("IL-0428", i).same_cause for i in quick.cases if i != "IL-0428"} == {
        "unknown"
    }


def test_f17_ruled_out_causes(quick):
    assert _causes(quick, "IL-0428", Status.RULED_OUT) == ["cause:oversized-packet"]
    assert _causes(quick, "IL-0480", Status.RULED_OUT) == [
        "cause:network-fault",
        "cause:out-of-memory",
    ]
    for case_id, cause, word in (
        ("IL-0428", "cause:oversized-packet", "It was not the size of a single packet"),
        ("IL-0480", "cause:network-fault", "The network was not the cause"),
        ("IL-0480", "cause:out-of-memory", "no OOM"),
    ):
        (edge,) = [e for e in quick.graph.edges_to(cause) if e.case_id == case_id]
        assert any(word in s.quote for s in edge.evidence)
        # They count for nothing; others may have the cause, or a narrower one.
        assert case_id not in quick.graph.cases_of(cause, narrower=True)
        assert case_id not in quick.list(cause=cause).ids
        assert cause not in quick.graph.terms.row(case_id)
        assert case_id in quick.topic(cause).cases["ruled_out"]
        assert not [e for e in quick.graph.edges if e.derived and cause in (e.source, e.target)]


def test_f18_detection(quick):
    assert quick.get("IL-0428").field_state("detection") is FieldState.NOT_STATED
    case = quick.get("IL-0480")
    assert case.field_state("detection") is FieldState.STATED
    edges = quick.graph.edges_of("IL-0480", Relation.DETECTED_WITH)
    told = {e.target for e in edges if "detection" in {s.field for s in e.evidence}}
    assert {"tool:nvidia-smi", "tool:nccl-flight-recorder", "tool:nccl-watchdog"} <= told


def test_f19_mitigations(quick):
    assert len(quick.get("IL-0428").mitigation.paragraphs("ko")) == 1
    assert len(quick.get("IL-0417").mitigation.paragraphs("ko")) == 6
    # The page of IL-0480 has the heading and nothing below it: not captured, which is not "none".
    case = quick.get("IL-0480")
    assert case.field_state("mitigation") is FieldState.NOT_STATED
    none = case.model_copy(update={"mitigation": Prose.model_validate([])})
    assert none.field_state("mitigation") is FieldState.NONE
    card = next(c for c in quick.list().items if c.id == "IL-0480")
    assert (card.fields["mitigation"].state, card.fields["mitigation"].text) == ("not_stated", ())


def test_f20_outcomes_and_caveats(quick):
    case = quick.get("IL-0417")
    figures = case.figures_by_id()
    claims = {c.terms[0]: c for c in case.claims if c.kind == ClaimKind.MITIGATION}
    assert len(claims) == 6
    for term, gain in (
        ("mitigation:manual-layer-tuning", 9.9),
        ("mitigation:planned-gc", 12.6),
        ("mitigation:sequence-redistribution", 23.9),
    ):
        gains = [figures[f] for f in claims[term].figures if f.endswith("_gain")]
        assert [(g.value, g.unit) for g in gains] == [(gain, "%")]
        assert str(gain) in claims[term].outcome.get("en")
        assert str(gain) in claims[term].outcome.get("ko")
    caveats = {t: c.caveat.get("en") for t, c in claims.items() if c.caveat}
    assert "prototype" in caveats["mitigation:sequence-redistribution"]
    assert "Not on by default" in caveats["mitigation:planned-gc"]


def test_f21_follow_ups(quick):
    case = quick.get("IL-0417")
    assert len(case.follow_up.paragraphs("en")) == len(case.follow_up.paragraphs("ko")) == 4
    edges = quick.graph.edges_of("IL-0417", Relation.FOLLOWED_UP_BY)
    assert len(edges) == 4
    assert {s.field for e in edges for s in e.evidence} == {"follow_up"}
    mitigated = quick.graph.edges_of("IL-0417", Relation.MITIGATED_BY)
    assert {s.field for e in mitigated for s in e.evidence} == {"mitigation"}
    assert not {e.target for e in edges} & {e.target for e in mitigated}


@pytest.mark.parametrize(
    ("case_id", "question"),
    [
        ("IL-0428", "trace module records all calls of hung processes, start before train_step"),
        ("IL-0417", "steps of a slow job are slow alike, profiling a sample of steps is enough"),
        ("IL-0480", "GPU utilization is no measure of progress, check invariants before the run"),
        ("IL-0023", "링크의 건강은 플랩 횟수보다 누적 다운 시간으로 읽어야 한다"),
        ("IL-0127", "environmental factors such as air temperature and the power grid"),
        ("IL-0025", "keep 10-20% more machines than the training needs and swap broken ones"),
        ("IL-0125", "weigh training time lost when a GPU fails against time to save a checkpoint"),
        (
            "IL-0126",
            "클라우드에서는 밑단 하드웨어를 통제할 수 없어 불안정한 인프라에 대비해야 한다",
        ),
    ],
)
def test_f22_lessons(lib, case_id, question):
    case = lib.get(case_id)
    assert case.field_state("lesson") is FieldState.STATED
    assert len(list(case.lesson.languages)) == 2
    hit = lib.search(question)[0]
    assert hit.id == case_id
    assert "lesson" in {p.field for p in hit.passages}
