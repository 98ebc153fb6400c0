"""N23 to N26 and N51 to N57: what showed the trouble, or was made to show it."""

from __future__ import annotations

from kg.graph import Relation

HEALTH_CHECK = (
    "tool:check-gpu",
    "tool:check-disk-space",
    "tool:docker",
    "tool:dmesg",
    "tool:idrac",
    "tool:check-disk",
    "tool:check-infiniband",
    "tool:check-nvlink",
    "tool:check-gdr",
    "tool:vbios",
    "tool:flint",
    "tool:psb",
)


def _only_detects(quick, term):
    assert {e.relation for e in quick.graph.edges_to(term)} == {Relation.DETECTED_WITH}


def test_n23_health_check_items(check_r, quick):
    check_r(["iDRAC"], "tool:idrac", "check-item", "0025")
    check_r(["VBIOS"], "tool:vbios", "check-item", "0025")
    check_r(["Flint"], "tool:flint", "check-item", "0025")
    check_r(["PSB"], "tool:psb", "check-item", "0025")
    check_r(["dmesg"], "tool:dmesg", "check-item", "0025 0480")
    check_r(["Docker"], "tool:docker", "check-item", "0025")
    disk = ["디스크 health checks", "디스크 헬스 체크", "disk health check"]
    check_r(disk, "tool:check-disk", "check-item", "0025")
    case = quick.get("IL-0025")
    items = [c for c in case.resolved().claims if c.role == "check_item"]
    assert [c.terms for c in items] == [(t,) for t in HEALTH_CHECK]
    for lang in ("en", "ko"):
        ends = [c.span(lang).end for c in items]
        assert ends == sorted(ends)
        assert len(set(ends)) == 12
    flagged = {c.terms[0]: c.caveat.get("en") for c in items if c.caveat}
    assert flagged == {"tool:idrac": "not published", "tool:psb": "not published"}


def test_n24_dcgm(check_r, quick):
    check_r(["DCGM"], "tool:dcgm", "monitoring", "0025")
    _only_detects(quick, "tool:dcgm")


def test_n25_prometheus(check_r, quick):
    check_r(["Prometheus"], "tool:prometheus", "monitoring", "0025")
    _only_detects(quick, "tool:prometheus")


def test_n26_mfu(check_r, quick):
    check_r(["MFU"], "tool:mfu", "metric", "0025")
    _only_detects(quick, "tool:mfu")
    (edge,) = quick.graph.edges_to("tool:mfu")
    spans = {s.lang: s for s in edge.evidence if s.field == "detection"}
    assert "shape of the curve" in spans["en"].quote
    assert "MFU 곡선 모양" in spans["ko"].quote


def test_n51_py_spy_and_trace(check_r, quick):
    check_r(["py-spy"], "tool:py-spy", "diagnostic", "0428")
    check_r(["Python trace module", "파이썬 trace 모듈"], "tool:python-trace", "diagnostic", "0428")
    for term in ("tool:py-spy", "tool:python-trace"):
        _only_detects(quick, term)
        assert {e.role for e in quick.graph.edges_to(term)} == {"diagnosed"}
        assert "lesson" in {s.field for e in quick.graph.edges_to(term) for s in e.evidence}
    for lang in ("en", "ko"):
        lesson = quick.get("IL-0428").text("lesson", lang)
        assert all(word in lesson for word in ("py-spy", "trace", "`train_step`"))


def test_n52_nvidia_smi(check_r, quick):
    check_r(["nvidia-smi"], "tool:nvidia-smi", "diagnostic", "0480")
    _only_detects(quick, "tool:nvidia-smi")


def test_n53_flight_recorder(check_r, quick):
    term = "tool:nccl-flight-recorder"
    check_r(["NCCL flight recorder", "flight recorder"], term, "diagnostic", "0127 0480")
    path = next(p for p in quick.explain("IL-0127", "IL-0480").paths if term in p.nodes)
    assert path.nodes == ("case:IL-0127", term, "case:IL-0480")
    assert {s.relation for s in path.steps} == {Relation.DETECTED_WITH}


def test_n54_watchdogs(check_r, quick):
    watchdogs = {
        "tool:nccl-watchdog": (["NCCL watchdog", "NCCL 워치독"], "0480 0025"),
        "tool:ncclx-watchdog": (["NCCLX 워치독", "NCCLX watchdog"], "0127"),
        "tool:pytorch-watchdog": (["PyTorch 워치독", "PyTorch watchdog"], "0023"),
        "tool:heartbeat-timeout": (["하트비트 타임아웃", "heartbeat timeout"], "0127"),
    }
    for term, (spellings, cases) in watchdogs.items():
        assert check_r(spellings, term, "watchdog", cases).broader == ("tool:watchdog",)
    every = "0480 0025 0127 0023"
    check_r(["watchdog", "워치독"], "tool:watchdog", "watchdog", every, narrower=True)
    # The limit that ended IL-0023 was another one: its watchdog caught nothing.
    assert [e.role for e in quick.graph.edges_to("tool:pytorch-watchdog")] == ["missed"]


def test_n55_gpu_monitor(check_r):
    check_r(["gpu-monitor"], "tool:gpu-monitor", "monitoring", "0023")


def test_n56_ndtimeline_and_smon(check_r):
    check_r(["NDTimeline"], "tool:ndtimeline", "monitoring", "0417")
    check_r(["SMon"], "tool:smon", "monitoring", "0417")


def test_n57_burn_in_and_log_monitoring(check_r, quick):
    # The cases of the row hold for its practices together: GPU burn-in stands only in the text of
    # IL-0126, and what IL-0025 burns in are InfiniBand ports.
    names = {
        "tool:gpu-burn-in": (["GPU burn-in", "GPU burn-in 테스트"], "0126"),
        "tool:infiniband-test": (["InfiniBand burn-in", "InfiniBand test"], "0126 0025"),
        "tool:train-log-monitoring": (["train.log monitoring", "train.log 모니터링"], "0126"),
    }
    for term, (spellings, cases) in names.items():
        check_r(spellings, term, "practice", cases)
    assert {c for t in names for c in quick.graph.cases_of(t)} == {"IL-0126", "IL-0025"}
