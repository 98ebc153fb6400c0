"""Root causes over a library: how cases and texts are seen, and that a left-out case is unknown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kg
from embeddings import embed_query, tokenize
from kg.library import Library
from kg.library.cause_questions import report_of, root_causes
from kg.library.root_causes import TOLD, RootCauses
from kg.model import Case
from kg.rca.prediction import Sighting
from tests.helpers.sighted import PLANTED
from tests.helpers.tiny import case_data, tiny_vocabulary


def told_case(case_id: str, cause: str, number: int, **changes: Any) -> Case:
    """A case whose symptoms use the words of its planted cause."""
    data = case_data(case_id, ("cause", cause), ("symptom", "symptom:failure"))
    words = PLANTED[cause]
    data["symptom"]["en"].append(f"Seen: {words[number % 3]} {words[(number + 1) % 3]}.")
    data["symptom"]["ko"].append(f"증상: {words[number % 3]} {words[(number + 1) % 3]}.")
    return Case.model_validate({**data, **changes})


def told_cases(each: int = 5) -> list[Case]:
    return [
        told_case(f"T-{n}{k}", cause, k) for n, cause in enumerate(PLANTED) for k in range(each)
    ]


def built(path: Path, cases: list[Case]) -> Library:
    return kg.build_library(cases, path, vocabulary=tiny_vocabulary(), encoder="hash")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with built(tmp_path_factory.mktemp("told") / "told.duckdb", told_cases()) as library:
        yield library


@pytest.fixture(scope="module")
def root(told: Library) -> RootCauses:
    return root_causes(told)


def seen(library: Library, root: RootCauses, text: str) -> Sighting:
    query = embed_query(library.encoder, text)
    return root.sighting(text, query, root.tagged(text), {})


def test_a_text_in_the_words_of_a_cause_finds_it(told: Library, root: RootCauses) -> None:
    for cause, words in PLANTED.items():
        sighting = seen(told, root, f"Seen: {words[0]} {words[1]}")
        assert root.predictor.predict(sighting)[0].cause == cause


def test_a_text_is_seen_by_direction_words_and_terms(told: Library, root: RootCauses) -> None:
    text = "training job failure without link down"
    sighting = seen(told, root, text)
    assert sighting.words == frozenset(tokenize(text))
    assert set(sighting.terms) == {"symptom:failure"}
    assert sighting.vector is not None
    assert float(np.linalg.norm(sighting.vector)) == pytest.approx(1.0)


def test_cases_are_learned_by_what_is_told_besides_the_cause(
    told: Library, root: RootCauses
) -> None:
    snapshot = told._snapshot
    middle = snapshot.vectors.mean(axis=0)
    for case_id in ("T-00", "T-32"):
        mine = [n for n, p in enumerate(snapshot.passages)
                if p.case_id == case_id and p.field in TOLD]  # fmt: skip
        mean = (snapshot.vectors[mine] - middle).mean(axis=0)
        assert root._case_vectors[case_id] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_cases_are_practised_by_their_symptoms_in_each_language(
    told: Library, root: RootCauses
) -> None:
    practice = [s for c, s in root._practice if c == "T-10"]
    texts = [told.get("T-10").text("symptom", lang) for lang in ("en", "ko")]
    assert [s.words for s in practice] == [frozenset(tokenize(t)) for t in texts]
    assert all("cause" not in t for s in practice for t in s.terms)


def test_leaving_cases_out_takes_them_from_learning_and_practice(root: RootCauses) -> None:
    predictor = root.learned({"T-00", "T-01"})
    assert {"T-00", "T-01"} & set(predictor.cases) == set()
    assert len(predictor.cases) == 18
    assert {"T-00", "T-01"} & set(predictor.left_out(2).cases) == set()


def test_what_a_left_out_case_states_of_its_cause_changes_nothing(tmp_path: Path) -> None:
    """The leak that would matter: two libraries that differ in the cause of one case only."""
    answers = []
    for number, cause in enumerate(("cause:race", "cause:gpu-fault")):
        said = told_case("T-00", "cause:ecc-error", 0).model_dump(mode="json")
        other = case_data("T-00", ("cause", cause), ("symptom", "symptom:failure"))
        changed = Case.model_validate({**other, "symptom": said["symptom"]})
        with built(tmp_path / f"{number}.duckdb", [changed, *told_cases()[1:]]) as library:
            root = root_causes(library)
            text = library.get("T-00").text("symptom", "en")
            sighting = replace(seen(library, root, text), vector=None)
            blind = root.learned({"T-00"}, ("share", "class_share", "alike", "covered"))
            answers.append((blind.predict(sighting, 2), blind.novelty(sighting)))
    assert answers[0] == answers[1]


def test_series_and_studies_are_not_learned_from(tmp_path: Path) -> None:
    cases = [*told_cases(1), told_case("S-1", "cause:race", 0, kind="study")]
    with built(tmp_path / "with.duckdb", cases) as library:
        assert "S-1" not in root_causes(library).predictor.cases


def test_parts_of_one_report_are_known_by_their_ids() -> None:
    assert report_of("KG-0033a") == report_of("KG-0033b") == "KG-0033"
    assert report_of("KG-0033") == "KG-0033"
    assert report_of("IL-ab") == "IL-ab"


def test_a_library_without_cases_predicts_without_falling(tmp_path: Path) -> None:
    with built(tmp_path / "one.duckdb", told_cases(1)[:1]) as library:
        root = root_causes(library)
        found = root.learned({"T-00"}).predict(seen(library, root, "anything"))
        assert all(not p.support for p in found)


def test_the_shipped_incidents_are_predicted_far_better_than_by_the_majority(
    whole: Library,
) -> None:
    """Left out in turn within the predictor, by words alone; the page has the strict figures."""
    began = time.process_time()
    predictor = root_causes(whole).predictor
    assert time.process_time() - began < 5.0
    left_out = predictor.left_out(2)
    best = left_out.probabilities.argmax(axis=1)
    right = left_out.marks[np.arange(len(best)), best]
    majority = left_out.marks.mean(axis=0).max()
    assert len(set(left_out.cases)) > 120
    assert right.mean() > majority + 0.05
    three = np.argsort(-left_out.probabilities, axis=1, kind="stable")[:, :3]
    assert np.take_along_axis(left_out.marks, three, axis=1).max(axis=1).mean() > 0.3
