"""F54 to F59: numbers inside the prose, and identifiers inside Korean sentences."""

from __future__ import annotations

import json

import pytest

from embeddings import tokenize
from kg.errors import Problem
from kg.model import Case, Duration, parse_duration
from kg.queries.times import time_statistics
from kg.readers.casefile import parse_case


def _figures(quick, case_id):
    return quick.get(case_id).figures_by_id()


def test_f54_arithmetic(quick):
    meta = _figures(quick, "IL-0127")
    assert [meta[f].value for f in ("interruptions", "unexpected", "planned")] == [466, 419, 47]
    assert "interruptions = unexpected + planned" in quick.get("IL-0127").arithmetic
    blocks = _figures(quick, "IL-0480")
    assert [blocks[f].value for f in ("blocks_max", "blocks_min", "block_gap")] == [
        30888,
        30835,
        53,
    ]
    assert blocks["block_gap_share"].value == 0.17
    checks = quick.get("IL-0480").arithmetic
    assert "block_gap = blocks_max - blocks_min" in checks
    assert "block_gap_share = 100 * block_gap / blocks_max" in checks


@pytest.mark.parametrize(
    ("case_id", "figure", "wrong"),
    [("IL-0127", "planned", 46), ("IL-0480", "blocks_min", 30836), ("IL-0480", "block_gap", 52)],
)
def test_f54_a_wrong_number_is_flagged(quick, case_id, figure, wrong):
    data = json.loads(quick.get(case_id).model_dump_json(exclude_none=True))
    for raw in data["figures"]:
        if raw["id"] == figure:
            raw["value"] = wrong
    found = list(parse_case(json.dumps(data), "wrong.json"))
    assert found
    assert all(isinstance(p, Problem) for p in found)
    assert any("the right side is" in p.message for p in found)


@pytest.mark.parametrize(
    ("text", "seconds", "approx"),
    [
        ("7시간", 7 * 3600, False),
        ("54일", 54 * 86400, False),
        ("3h", 10800, False),
        ("5시간", 18000, False),
        ("약 5시간", 18000, True),
        ("약 7초", 7, True),
        ("about 7 s", 7, True),
        ("seven", None, None),
    ],
)
def test_f55_durations(text, seconds, approx):
    found = parse_duration(text)
    if seconds is None:
        assert found is None
    else:
        assert (found.seconds, found.approx, found.text) == (seconds, approx, text)


@pytest.mark.parametrize(
    ("case_id", "figure", "seconds", "approx"),
    [
        ("IL-0023", "run_time_at_failure", 25200, False),
        ("IL-0127", "period", 4665600, False),
        ("IL-0480", "healthy_time", 18000, True),
        ("IL-0480", "silent_time", 10800, False),
        ("IL-0023", "ib_timeout_default", 7, True),
    ],
)
def test_f55_durations_of_cases(quick, case_id, figure, seconds, approx):
    found = _figures(quick, case_id)[figure]
    assert (found.value, found.unit, found.approx) == (seconds, "s", approx)


@pytest.mark.parametrize(
    ("figure", "value", "unit", "label", "of"),
    [
        ("slow_jobs", 42.5, "%", "slowed by stragglers", "the analysed jobs"),
        ("wasted_gpu_hours", 10.4, "%", "wasted", "allocated GPU hours"),
        ("server_slowdown", 3.04, "x", "from server problems", "ideal speed"),
        ("mean_slowdown", 1.28, "x", "mean slowdown", "ideal speed"),
    ],
)
def test_f56_percent_and_ratios(quick, figure, value, unit, label, of):
    found = _figures(quick, "IL-0417")[figure]
    assert (found.value, found.unit) == (value, unit)
    assert label in found.label.get("en")
    assert found.of.get("en") == of
    assert found.label.get("ko")
    assert found.of.get("ko")
    for span in found.evidence:
        assert f"{value:g}" in span.quote


def test_f57_ranges(quick):
    figures = _figures(quick, "IL-0428")
    for figure, low, high, unit in (("hang_nodes", 20, 40, "node"), ("gpus", 320, 384, "GPU")):
        found = figures[figure]
        assert (found.value, found.min, found.max, found.unit) == (None, low, high, unit)
    stored = quick.sql(
        "SELECT min_value, max_value FROM figures WHERE case_id = 'IL-0428' AND figure_id = ?",
        ["hang_nodes"],
    )
    assert stored.rows == ((20, 40),)


def test_f58_sample_size_and_study(quick):
    study = quick.get("IL-0417")
    jobs = study.figures_by_id()["jobs"]
    assert (jobs.value, jobs.unit) == (3079, "count")
    assert study.kind == "study"
    assert {i: str(c.kind) for i, c in quick.cases.items() if c.kind == "incident"} == {
        "IL-0023": "incident",
        "IL-0428": "incident",
        "IL-0480": "incident",
    }
    assert quick.list(kind="study").ids == ("IL-0417",)
    # Even a study that states times enters no statistic of them.
    timed = study.model_copy(
        update={"time_to_detect": Duration(seconds=1), "time_to_recover": Duration(seconds=1)}
    )
    cases = [timed if c.id == study.id else c for c in quick.cases.values()]
    assert isinstance(timed, Case)
    assert time_statistics(cases) == time_statistics(quick.cases.values())
    assert time_statistics(cases) == quick.time_statistics()


@pytest.mark.parametrize(
    ("sentence", "token"),
    [
        ("복구까지 걸린 시간이 NCCL_IB_TIMEOUT을 넘겼다", "nccl_ib_timeout"),
        ("InfiniBand 전송 계층의 NCCL_IB_TIMEOUT 은 기본값이 약 7초다", "nccl_ib_timeout"),
        ("hidden 을 `1024*14` 로 두면 멈췄다", "1024*14"),
        ("hidden을 1024*14로 두면 멈췄다", "1024*14"),
        ("`CUDA_LAUNCH_BLOCKING=1` 을 켜면", "cuda_launch_blocking=1"),
        ("나머지는 역전파의 reduce_scatter에 있었다", "reduce_scatter"),
        ("`--gres=gpu:0` 을 줘야 한다", "--gres=gpu:0"),
    ],
)
def test_f59_identifiers_stay_whole(sentence, token):
    assert token in tokenize(sentence)


@pytest.mark.parametrize(
    ("query", "case_id", "token"),
    [("NCCL_IB_TIMEOUT", "IL-0023", "nccl_ib_timeout"), ("1024*14", "IL-0428", "1024*14")],
)
def test_f59_word_lane_finds_them(quick, query, case_id, token):
    hits = quick.search(query, k=len(quick), threshold=0.0)
    assert {h.id for h in hits if token in dict(h.words)} == {case_id}
    assert max(hits, key=lambda h: h.parts["words"]).id == case_id
