"""Predicting human labels of plain reports: reading a set, learning from the others only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kg
from kg.library import Library
from kg.library.cause_judging import figures
from kg.library.cause_plain import METHODS, plain
from kg.library.cause_sets import (
    Report,
    TypedReports,
    folds,
    label_id,
    label_vocabulary,
    leave_one_out,
    read_reports,
)
from kg.library.progress import no_progress
from tests.helpers.judged import write_set
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

SAID = {
    "hardware/power": "the power supply of the rack failed and breakers tripped",
    "hardware/disk": "a disk failed and its controller reported bad sectors",
    "software": "a bug in the new release made the parser crash",
    "overload/traffic": "a surge of traffic overloaded the frontends with requests",
}
WHERE = ("in the first region", "in the second region", "for some users", "at night", "on Monday")


def documents(each: int = 5) -> list[dict[str, object]]:
    return [
        {
            "_id": f"{label}#{k}",
            "title": f"Incident {k}",
            "text": f"Service was degraded {WHERE[k % 5]}. Later it was found that {said}.",
            "metadata": {"labels": {"cause": [label], "mitigation": ["restart"]}},
        }
        for label, said in SAID.items()
        for k in range(each)
    ]


QUERIES = [
    {"_id": "software#1", "text": "a crash", "metadata": {"text_short": "the parser crash"}},
    {"_id": "other", "text": "nothing"},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sets") / "typed"
    return write_set(path, documents(), QUERIES, {"test": {"other": {"software#1": 1}}})


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = tmp_path_factory.mktemp("tiny") / "tiny.duckdb"
    cases, vocabulary = tiny_cases(), tiny_vocabulary()
    with kg.build_library(cases, path, vocabulary=vocabulary, encoder="hash") as it:
        yield it


@pytest.fixture(scope="module")
def typed(folder: Path, library: Library) -> TypedReports:
    return TypedReports(read_reports(folder), library)


def test_reports_are_read_with_labels_and_shorter_texts(folder: Path) -> None:
    reports = {r.id: r for r in read_reports(folder)}
    assert len(reports) == 20
    assert reports["software#1"].short == "the parser crash"
    assert reports["software#2"].short is None
    assert reports["hardware/disk#0"].causes == ("hardware/disk",)
    assert reports["hardware/disk#0"].coarse == {"hardware"}
    assert reports["software#0"].text.startswith("Incident 0\nService was")


def test_documents_without_labels_and_damaged_lines_are_left_out(tmp_path: Path) -> None:
    lines = [
        json.dumps({"_id": "a", "title": "t", "text": "x", "metadata": {"labels": {"cause": []}}}),
        json.dumps({"_id": "b", "title": "t", "text": "x"}),
        '{"_id": "c", "text": "broken \\u12',
        json.dumps({"_id": "d", "text": "x", "metadata": {"labels": {"cause": ["one", "one"]}}}),
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert [(r.id, r.causes) for r in read_reports(tmp_path)] == [("d", ("one",))]


def test_a_folder_without_labels_has_no_reports(tmp_path: Path) -> None:
    assert read_reports(tmp_path) == []


def test_labels_become_a_scheme_of_two_levels() -> None:
    vocabulary = label_vocabulary({"hardware/power outage", "software"})
    causes = {t.id: t.broader for t in vocabulary.of("cause")}
    assert causes == {
        "cause:hardware": (),
        "cause:hardware-power-outage": ("cause:hardware",),
        "cause:software": (),
    }
    assert label_id("hardware/power outage") in causes


def test_labels_are_predicted_from_the_other_reports(typed: TypedReports) -> None:
    answers, chance = typed.predict(leave_one_out(20), typed.whole, no_progress)
    assert figures(answers)["top-1"].value > 0.85
    assert chance.shape == (20, 3)
    assert typed.classes == ["hardware", "overload", "software"]
    assert typed.true.sum(axis=0).tolist() == [10, 5, 5]


def test_a_report_s_own_label_is_never_read(typed: TypedReports, library: Library) -> None:
    """With another label on a report, what is predicted of it stays the same."""
    before = list(typed.reports)
    changed = [*before]
    changed[3] = replace(before[3], causes=("software",))
    other = TypedReports(changed, library)
    split = [([i for i in range(20) if i != 3], [3])]
    mine = typed.predict(split, typed.whole, no_progress)[1][3]
    theirs = other.predict(split, other.whole, no_progress)[1][3]
    assert mine == pytest.approx(theirs, abs=1e-9)


def test_every_report_is_asked_for_once() -> None:
    for splits in (leave_one_out(7), folds(7, 3, seed=1)):
        asked = sorted(i for _, test in splits for i in test)
        assert asked == list(range(7))
        for learn, test in splits:
            assert set(learn) | set(test) == set(range(7))
            assert not set(learn) & set(test)


def test_folds_are_the_same_each_time_and_other_for_another_seed() -> None:
    assert folds(20, 4, seed=0) == folds(20, 4, seed=0)
    assert folds(20, 4, seed=0) != folds(20, 4, seed=1)


def test_the_majority_tells_the_most_frequent_label(typed: TypedReports) -> None:
    found = plain(typed, METHODS[0], leave_one_out(20))
    assert found.told[:, 0].all()
    assert found.told.sum() == 20
    assert figures(found)["top-1"].value == pytest.approx(0.5)


@pytest.mark.parametrize("method", METHODS[1:])
def test_plain_methods_are_learned_from_the_others(typed: TypedReports, method: str) -> None:
    splits = leave_one_out(20)
    found = plain(typed, method, splits)
    assert figures(found)["top-1"].value > 0.6
    assert found.told.any(axis=1).all()


def test_a_neighbour_tells_all_labels_of_the_nearest_report(library: Library) -> None:
    texts: Sequence[tuple[str, tuple[str, ...]]] = [
        ("power supply failed", ("hardware", "software")),
        ("power supply failed again", ("software",)),
        ("traffic surge", ("overload",)),
    ]
    reports = [Report(f"r{i}", text, None, labels) for i, (text, labels) in enumerate(texts)]
    typed = TypedReports(reports, library)
    found = plain(typed, "BM25 neighbour", leave_one_out(3))
    assert found.told[1].tolist() == [True, False, True]
    assert not found.told[2, typed.classes.index("overload")]


def test_short_texts_stand_in_where_a_set_has_them(typed: TypedReports) -> None:
    number = [r.id for r in typed.reports].index("software#1")
    assert len(typed.short[number].words) < len(typed.whole[number].words)
    assert typed.short[0].words == typed.whole[0].words
    assert np.linalg.norm(typed.short[number].vector) == pytest.approx(1.0)
