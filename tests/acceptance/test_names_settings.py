"""N39, N41 to N50 and N61: settings, commands, practices, fixes, operations, parallelism."""

from __future__ import annotations

import pytest

from embeddings import tokenize
from kg.graph import Relation
from kg.model import Status


def _claims(quick, case_id, term):
    return [c for c in quick.get(case_id).claims if term in c.terms]


def _figures(quick, case_id, claim):
    by_id = quick.get(case_id).figures_by_id()
    return {by_id[f].value for f in claim.figures}


def test_n39_planned_gc(check_r, quick):
    check_r(["planned GC"], "mitigation:planned-gc", "tuning", "0417")
    (claim,) = _claims(quick, "IL-0417", "mitigation:planned-gc")
    assert {12.6, 500, 128} <= _figures(quick, "IL-0417", claim)
    for lang in ("en", "ko"):
        assert "12.6" in claim.outcome.get(lang)
        assert all(n in claim.conditions.get(lang) for n in ("500", "128"))
    assert "Not on by default" in claim.caveat.get("en")
    assert "기본" in claim.caveat.get("ko")


@pytest.mark.parametrize(
    ("spelling", "term", "kind", "cases"),
    [
        ("srun", "component:srun", "command", "0428 0125"),
        ("salloc", "component:salloc", "command", "0428"),
        ("--gres=gpu:0", "component:slurm-gres", "setting", "0428"),
        ("--wait=60", "component:slurm-wait", "setting", "0125"),
        ("--kill-on-bad-exit=1", "component:slurm-kill-on-bad-exit", "setting", "0125"),
        ("KillOnBadExit=1", "component:slurm-kill-on-bad-exit", "setting", "0125"),
    ],
)
def test_n41_commands_and_flags(check_r, quick, spelling, term, kind, cases):
    # The cases of the row hold for its names together; each name has its own among them.
    check_r([spelling], term, kind, cases)
    assert spelling.lower() in tokenize(f"작업에 {spelling} 을 주었다")
    hits = quick.search(spelling, k=len(quick), threshold=0.0)
    holding = {h.id for h in hits if spelling.lower() in dict(h.words)}
    assert holding == {f"IL-{c}" for c in cases.split()}
    best = sorted(hits, key=lambda h: -h.parts["words"])[: len(holding)]
    assert {h.id for h in best} == holding


def test_n42_cuda_launch_blocking(check_r, quick):
    term = "component:cuda-launch-blocking"
    spellings = ["CUDA_LAUNCH_BLOCKING=1", "CUDA_LAUNCH_BLOCKING=0", "CUDA_LAUNCH_BLOCKING"]
    check_r(spellings, term, "setting", "0428")
    edges = {e.value: e for e in quick.graph.edges_to(term)}
    assert {v: str(e.role) for v, e in edges.items()} == {"1": "changed", "0": "condition"}
    assert {s.field for s in edges["1"].evidence} == {"mitigation"}
    assert {s.field for s in edges["0"].evidence} == {"symptom"}
    (mitigation,) = quick.graph.edges_of("IL-0428", Relation.MITIGATED_BY)
    assert mitigation.value == "CUDA_LAUNCH_BLOCKING=1"


def test_n43_nccl_ib_timeout(check_r, quick):
    check_r(["NCCL_IB_TIMEOUT"], "component:nccl-ib-timeout", "setting", "0023")
    (claim,) = _claims(quick, "IL-0023", "component:nccl-ib-timeout")
    figure = quick.get("IL-0023").figures_by_id()["ib_timeout_default"]
    assert claim.figures == ("ib_timeout_default",)
    assert (figure.value, figure.unit, figure.approx) == (7, "s", True)
    assert any("약 7초" in s.quote for s in figure.evidence)


def test_n44_nccl_async_error_handling(check_r, quick):
    term = "component:nccl-async-error-handling"
    check_r(["NCCL_ASYNC_ERROR_HANDLING=1", "NCCL_ASYNC_ERROR_HANDLING"], term, "setting", "0125")
    (edge,) = quick.graph.edges_to(term)
    assert edge.value == "1"
    quotes = {s.lang: s.quote for s in edge.evidence if s.field == "lesson"}
    assert "the only thing that was really added" in quotes["en"]
    assert "정말로 새로 더한 것은" in quotes["ko"]
    assert "NCCL_ASYNC_ERROR_HANDLING=1뿐" in quotes["ko"]


def test_n45_save_interval(check_r, quick):
    check_r(["SAVE_INTERVAL=100", "SAVE_INTERVAL"], "component:save-interval", "setting", "0125")
    (edge,) = quick.graph.edges_to("component:save-interval")
    assert edge.value == "100"


def test_n46_cuda_device_max_connections(check_r, quick):
    term = "component:cuda-device-max-connections"
    check_r(["CUDA_DEVICE_MAX_CONNECTIONS"], term, "setting", "0417")
    assert [e.role for e in quick.graph.edges_to(term)] == ["changed"]


def test_n47_smoke_test(check_r, quick):
    spellings = ["max_steps=N smoke test", "max_steps=N", "smoke test", "스모크 테스트"]
    check_r(spellings, "tool:smoke-test", "practice", "0480")
    (edge,) = quick.graph.edges_to("tool:smoke-test")
    assert (edge.relation, edge.role) == (Relation.DETECTED_WITH, "missed")
    assert any("max_steps=N" in s.quote for s in edge.evidence)
    # Why it was not detected is said as a contributing factor as well.
    assert quick.graph.cases_of("factor:smoke-test-gap") == ["IL-0480"]


def test_n48_evenfix(check_r, quick):
    check_r(["evenfix"], "mitigation:evenfix", "fix", "0480")
    (claim,) = _claims(quick, "IL-0480", "mitigation:evenfix")
    assert claim.result == "worked"
    assert _figures(quick, "IL-0480", claim) == {3854}
    for lang in ("en", "ko"):
        assert "3,854" in claim.outcome.get(lang)
        assert "all_reduce MIN" in claim.statement.get(lang)
    assert claim.addresses == ("cause:collective-mismatch",)


def test_n49_operations(check_r, quick):
    # The cases of the row hold for its names together; each name has its own among them.
    names = {
        "component:all-reduce": (["all_reduce", "all-reduce", "All Reduce"], "0428 0480"),
        "component:broadcast": (["broadcast"], "0428"),
        "component:reduce-scatter": (["reduce_scatter", "reduce-scatter"], "0480 0417"),
        "component:dist-barrier": (["dist.barrier()"], "0480"),
        "component:train-step": (["train_step"], "0428"),
        "component:done-cuda": (["done_cuda"], "0428"),
        "component:save-checkpoint": (["save_checkpoint"], "0480"),
    }
    for term, (spellings, cases) in names.items():
        check_r(spellings, term, "operation", cases)
    together = {c for t in names for c in quick.graph.cases_of(t)}
    assert together == {"IL-0428", "IL-0480", "IL-0417"}
    for text in ("reduce_scatter", "reduce-scatter"):
        assert {t.term for t in quick.tag(f"stuck in {text}")} == {"component:reduce-scatter"}


def test_n50_forward_and_backward_compute(check_r, quick):
    for name, ratio in (("forward-compute", 2.07), ("backward-compute", 1.41)):
        term = f"component:{name}"
        check_r([name], term, "operation", "0417")
        (claim,) = _claims(quick, "IL-0417", term)
        assert ratio in _figures(quick, "IL-0417", claim)
        figure = quick.get("IL-0417").figures_by_id()[f"{name.partition('-')[0]}_ratio"]
        assert (figure.value, figure.unit) == (ratio, "x")
        assert figure.of.get("en") == "the average stage"


def test_n61_parallelism(check_r, quick):
    names = {
        "component:data-parallel": (["DP", "데이터 병렬"], "0417 0428", "4"),
        "component:pipeline-parallel": (["PP", "파이프라인 병렬"], "0417 0428", "10"),
        "component:tensor-parallel": (["TP", "텐서 병렬"], "0417 0428", "8"),
        "component:context-parallel": (["CP", "컨텍스트 병렬"], "0417", None),
        "component:global-batch-size": (["GBS 2048", "GBS"], "0428", "2048"),
    }
    for term, (spellings, cases, value) in names.items():
        check_r(spellings, term, "config", cases)
        values = {e.value for e in quick.graph.edges_to(term) if e.case_id == "IL-0428"}
        assert values == ({value} if value else set())
    # TP=8/PP=10/DP=4 is three names, each with its value kept apart.
    triple = [t.term for t in quick.tag("TP=8/PP=10/DP=4")]
    assert triple == [f"component:{n}-parallel" for n in ("tensor", "pipeline", "data")]
    assert {e.status for t in names for e in quick.graph.edges_to(t)} == {Status.CONFIRMED}
