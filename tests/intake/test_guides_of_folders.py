"""The README of a folder of postmortems is no incident, unless it tells of one or is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.intake.plan import GUIDES, Plan, planned
from kg.vocab import Vocabulary
from tests.helpers.tiny import tiny_vocabulary

GUIDE = "# Postmortems\n\nOne file an incident. Copy the template and fill it in.\n"
INCIDENT = "# Outage\n\n## Root cause\n\nA bad deploy broke the checkout.\n"
WORDS: Vocabulary = tiny_vocabulary()


def read(path: Path) -> Plan:
    return planned([path], (), WORDS, lambda *_: [], domain="own", progress=lambda *_: None)


@pytest.mark.parametrize("name", [f"{stem}.md" for stem in GUIDES] + ["README.md", "Index.MD"])
def test_a_guide_in_a_folder_is_told_and_left_out(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(GUIDE, encoding="utf-8")
    (tmp_path / "outage.md").write_text(INCIDENT, encoding="utf-8")
    plan = read(tmp_path)
    assert [case.title.best("en") for case in plan.cases] == ["Outage"]
    (told,) = plan.problems
    assert told.file.endswith(name)
    assert "guide to a folder" in told.message
    assert "name the file itself" in told.remedy


def test_one_that_is_named_is_added(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text(GUIDE, encoding="utf-8")
    plan = read(file)
    assert len(plan.cases) == 1
    assert plan.problems == ()


@pytest.mark.parametrize(
    "text", [INCIDENT, "# Outage of the checkout\n\nOn 3 May 2024 from 10:00 to 11:00 it failed.\n"]
)
def test_one_that_tells_of_an_incident_is_added(tmp_path: Path, text: str) -> None:
    (tmp_path / "README.md").write_text(text, encoding="utf-8")
    assert len(read(tmp_path).cases) == 1


def test_other_names_are_added(tmp_path: Path) -> None:
    (tmp_path / "checkout.md").write_text(GUIDE, encoding="utf-8")
    assert len(read(tmp_path).cases) == 1
