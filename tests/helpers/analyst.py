"""A small library of forty-odd cases in which each of an analyst's questions has an answer."""

from __future__ import annotations

from typing import Any

from kg.model import Case
from tests.helpers.tiny import Told, case_data, make_case

RACES = (0, 0, 1, 2, 3, 5, 6)
"""How many of the six incidents of each year from 2018 on were caused by a race."""

_RACE: tuple[Told, ...] = (
    ("cause", "cause:race"), ("trigger", "trigger:upgrade"), ("component", "component:pytorch"),
    ("mitigation", "mitigation:restart"),
)  # fmt: skip
_ECC: tuple[Told, ...] = (
    ("cause", "cause:ecc-error"), ("symptom", "symptom:slow"), ("component", "component:a100"),
    ("mitigation", "mitigation:replace"),
)  # fmt: skip


def analyst_cases() -> list[Case]:
    """42 incidents of two organisations over seven years, and four cases that test the edges.

    Races rise, ECC errors fall and always come with slow training; both recur. U-1 states no
    date, P-1 only that of its publication, D-1 suspects a race, and S-1 is a study.
    """
    cases = [_incident(year, i, races > i) for year, races in enumerate(RACES) for i in range(6)]
    doubtful = (("cause", "cause:race", "suspected"), ("symptom", "symptom:slow"))
    return [
        *cases,
        make_case("U-1", ("cause", "cause:race"), ("organization", "organization:alpha")),
        make_case("P-1", ("cause", "cause:link-down"), published="2020-02-02"),
        make_case("D-1", *doubtful, dates=[{"kind": "started", "at": "2022"}]),
        make_case("S-1", *_RACE, kind="study", published="2021-01-01"),
    ]


def _incident(year: int, i: int, race: bool) -> Case:
    owner: Told = ("organization", f"organization:{'alpha' if i % 2 else 'beta'}")
    after: tuple[Told, ...] = (("follow_up", "mitigation:replace"),) if i == 3 else ()
    times: dict[str, Any] = {
        "dates": [{"kind": "started", "at": f"{2018 + year}-{2 * i + 1:02}-10"}],
        "time_to_recover": {"seconds": 600 * (i + 1 + year)},
    }
    if i == 0:
        times["time_to_detect"] = {"seconds": 30 * (year + 1), "text": "about", "approx": True}
    told = (*(_RACE if race else _ECC), owner, *after)
    data = case_data(f"C-{2018 + year}-{i}", *told, **times)
    data["claims"][3]["result"] = "failed" if i == 5 else "worked"
    return Case.model_validate(data)
