"""The view `recurrence` where one owner has many incidents: the same answers, in time that grows
with the incidents and not with their pairs."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import pytest

from kg.graph import IncidentGraph
from kg.model import Case
from kg.queries.recurrences import recurrences
from kg.store import write_library
from kg.store.write import VIEWS
from tests.helpers.libraries import make_snapshot, rows
from tests.helpers.tiny import make_case, tiny_vocabulary

Row = tuple[Any, ...]

KINDS = ("published", "started", "detected", "mitigated", "ended")
CAUSES = ("hardware", "gpu-fault", "ecc-error", "link-down", "software", "race", "mismatch")


def _case(draw: random.Random, number: int, kinds: list[str]) -> Case:
    """An incident of Alpha Labs with one or two causes; a single day for all times of the event,
    so that none contradict."""
    day = f"2024-0{draw.randint(1, 4)}-{draw.randint(1, 28):02}"
    forms = [day, day, f"{day}T{draw.randint(0, 23):02}:30Z", f"{day}T10:00", day[:7], "2024"]
    event, approx = draw.choice(forms), draw.random() < 0.15
    dates = [
        {"kind": kind, "at": draw.choice(forms) if kind == "published" else event, "approx": approx}
        for kind in kinds
    ]
    causes = draw.sample(CAUSES, draw.choice([1, 1, 2]))
    owners = draw.choice([["alpha"], ["alpha"], ["alpha", "beta"]])
    return make_case(
        f"C-{number}",
        *(("cause", f"cause:{slug}", "confirmed") for slug in causes),
        *(("organization", f"organization:{slug}", "confirmed", "owner") for slug in owners),
        dates=dates,
    )


def cases_of(mix: str, count: int, seed: int) -> list[Case]:
    """Cases that state a start only, their publication only, either, or any times at all."""
    draw = random.Random(seed)
    kinds: dict[str, Callable[[], list[str]]] = {
        "started": lambda: ["started"],
        "published": lambda: ["published"],
        "either": lambda: draw.choice([["started"], ["published"], ["started", "published"], []]),
        "any": lambda: draw.sample(KINDS, draw.randint(0, 4)),
    }
    return [_case(draw, number, kinds[mix]()) for number in range(count)]


@pytest.mark.parametrize("mix", ["started", "published", "either", "any"])
def test_the_view_says_what_comparing_every_pair_says(tmp_path: Path, mix: str) -> None:
    cases, vocabulary = cases_of(mix, 70, 5), tiny_vocabulary()
    path = write_library(make_snapshot(cases, vocabulary), tmp_path / "many.duckdb")
    found = recurrences(IncidentGraph(cases, vocabulary), vocabulary, cases)
    told = sorted(
        (
            r.organization, sorted(r.causes), r.earlier, r.later, r.times,
            str(r.order.earlier_kind), r.order.earlier_at, str(r.order.later_kind),
            r.order.later_at, r.order.least_days, r.order.most_days, r.order.sure,
        )
        for r in (*found.items, *found.unsure)
    )  # fmt: skip
    assert len(told) > 20
    assert told == rows(path, "SELECT * EXCLUDE (organization) FROM recurrence ORDER BY ALL")


DAILY = """
CREATE TEMP VIEW n AS
    SELECT printf('C-%06d', i) AS id, DATE '2000-01-01' + i::INTEGER AS day FROM range(COUNT) r (i);
INSERT INTO schemes (scheme, record) VALUES ('cause', '{}'), ('organization', '{}');
INSERT INTO terms (term_id, scheme, unnamed, record) VALUES
    ('cause:race', 'cause', false, '{}'), ('organization:alpha', 'organization', false, '{}');
INSERT INTO cases (case_id, kind, domain, title, content_hash, record)
    SELECT id, 'incident', 'web', id, 'h', '{}' FROM n;
INSERT INTO claims (claim_id, case_id, kind, relation, status, role)
    SELECT id || '#cause-1', id, 'cause', 'CAUSED_BY', 'confirmed', 'primary' FROM n;
INSERT INTO claims (claim_id, case_id, kind, relation, status, role)
    SELECT id || '#organization-1', id, 'organization', 'REPORTED_BY', 'confirmed', 'owner' FROM n;
INSERT INTO claim_terms
    SELECT claim_id, IF(kind = 'cause', 'cause:race', 'organization:alpha') FROM claims;
INSERT INTO dates
    SELECT id, 0, 'started', strftime(day, '%Y-%m-%d'), day, 'day', false, day, day, NULL FROM n;
"""
"""An incident a day of one owner and one cause, straight in the tables."""


def _daily(count: int) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    for name in ("schema", *VIEWS):
        text = files("kg.store").joinpath(f"{name}.sql").read_text(encoding="utf-8")
        connection.execute(text.replace("{dimension}", "3"))
    connection.execute(DAILY.replace("COUNT", str(count)))
    return connection


def test_thousands_of_one_owner_are_answered_at_once() -> None:
    """All pairs of these took more than a minute; counting them by day takes half a second."""
    with _daily(6000) as connection:
        begin = time.process_time()
        found = connection.execute(
            "SELECT earlier, later, times, least_days, sure FROM recurrence ORDER BY later"
        ).fetchall()
        assert time.process_time() - begin < 10
    assert found == [(f"C-{i - 1:06}", f"C-{i:06}", i + 1, 1, True) for i in range(1, 6000)]
