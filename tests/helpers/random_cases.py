"""Made-up cases over the tiny vocabulary that differ in status, role, kind, date and time."""

from __future__ import annotations

import random
from typing import Any

from kg.model import ROLES, Case, ClaimKind, parse_duration
from tests.helpers.tiny import TERMS, Told, make_case

SCHEMES_OF_KIND = {
    "cause": "cause", "trigger": "trigger", "factor": "factor", "symptom": "symptom",
    "component": "component", "mitigation": "mitigation", "follow_up": "mitigation",
    "organization": "organization", "detection": "tool",
}  # fmt: skip
"""Kind of a claim → scheme of its terms."""

_DAYS = (
    "2021", "2022", "2022-03", "2022-11", "2023-01-05", "2023-06-30", "2023-06-30T23:50-02:00",
    "2023-07-01T01:00Z", "2023-07-01T09:30+09:00", "2023-07-01T12:00:30Z", "2023-07-02",
    "2024-02-29T10:00", "2024-10-01",
)  # fmt: skip
_TIMES = (
    "30 s", "10 min", "45 min", "2 h", "2 h 15 min", "at least 3 h", "within 20 min", "about 1 h",
    "3시간 이상", "1 d",
)  # fmt: skip


def random_cases(count: int, seed: int) -> list[Case]:
    """`count` valid cases, the same for a seed; five in six are incidents."""
    draw = random.Random(seed)
    return [_case(draw, f"R-{n}", n) for n in range(1, count + 1)]


def _case(draw: random.Random, case_id: str, number: int) -> Case:
    kinds = sorted(SCHEMES_OF_KIND)
    claims = [_claim(draw, draw.choice(kinds)) for _ in range(draw.randint(0, 7))]
    claims += [_claim(draw, "cause"), ("organization", "organization:alpha", "confirmed", "owner")]
    fields: dict[str, Any] = {
        "kind": "incident" if draw.random() < 5 / 6 else draw.choice(["series", "study"]),
        "dates": _dates(draw),
        "severity": draw.choice([None, "SEV1", "SEV2"]),
        "domain": draw.choice(["ai-infra", "cloud"]),
        "sources": [{"kind": "blog", "title": "A page", "locator": f"page-{number // 3}"}],
    }
    if draw.random() < 0.3:
        fields["related"] = [f"R-{draw.randint(1, 60)}"]
    for measure in ("time_to_detect", "time_to_recover"):
        if draw.random() < 0.7:
            found = parse_duration(draw.choice(_TIMES))
            assert found is not None
            fields[measure] = found.model_dump()
    return make_case(case_id, *dict.fromkeys(claims), **fields)


def _claim(draw: random.Random, kind: str) -> Told:
    terms = [t.id for t in TERMS if t.scheme == SCHEMES_OF_KIND[kind]]
    status = draw.choice(["confirmed", "confirmed", "suspected", "ruled_out"])
    told = (kind, draw.choice(terms), status)
    roles = ROLES[ClaimKind(kind)]
    return (*told, str(draw.choice(roles))) if roles and kind != "cause" else told


def _dates(draw: random.Random) -> list[dict[str, Any]]:
    """Dates of some kinds; a single day for all that are of the event, so that none contradict."""
    kinds = ["published", "started", "detected", "mitigated", "ended"]
    day = draw.choice(_DAYS)
    return [
        {
            "kind": kind,
            "at": draw.choice(_DAYS) if kind == "published" else day,
            "approx": draw.random() < 0.2,
        }
        for kind in kinds
        if draw.random() < 0.5
    ]
