"""The measures of the tagger, its page, and what the shipped figures promise."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings import HashEncoder
from kg.library import tagger_quality
from kg.library.tagger_fit import PARTS
from kg.library.tagger_page import tagger_page
from kg.library.tagger_quality import METHODS, PAGE, Judged, calibration, main, measure, scores
from kg.vocab import SCHEMES, MeaningWeights
from kg.vocab.weights import FEATURES, FILE
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import make_case, tiny_vocabulary

ROOT = Path(__file__).resolve().parents[2]
SHIPPED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))

TABLES = st.integers(0, 10_000).map(
    lambda seed: np.random.default_rng(seed).random((2, 6, 5)) < 0.4
)


def slow_scores(gold: np.ndarray, told: np.ndarray, tops: list[str]) -> dict[str, float]:
    """The twin: sets of (text, term), counted one by one."""

    def pairs(table: np.ndarray, names: list[str]) -> set[tuple[int, str]]:
        return {(i, names[j]) for i, row in enumerate(table) for j, cell in enumerate(row) if cell}

    def f1(a: set[tuple[int, str]], b: set[tuple[int, str]]) -> float:
        return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0

    def both(names: list[str]) -> tuple[float, float]:
        a, b = pairs(gold, names), pairs(told, names)
        stated = sorted({name for _, name in a})
        each = [f1({p for p in a if p[1] == n}, {p for p in b if p[1] == n}) for n in stated]
        return f1(a, b), fmean(each) if each else 0.0

    terms = [str(j) for j in range(gold.shape[1])]
    right = len(pairs(gold, terms) & pairs(told, terms))
    micro, macro = both(terms)
    class_micro, class_macro = both(tops)
    return {
        "precision": right / max(1, told.sum()),
        "recall": right / max(1, gold.sum()),
        "micro": micro,
        "macro": macro,
        "class_micro": class_micro,
        "class_macro": class_macro,
    }


@QUICK
@given(TABLES)
def test_scores_are_those_of_the_slow_twin(tables: np.ndarray) -> None:
    tops = ["a", "a", "b", "b", "c"]
    found = scores(tables[0], tables[1], tops)
    assert found == pytest.approx(slow_scores(tables[0], tables[1], tops), abs=6e-4)


def test_perfect_and_empty_predictions() -> None:
    gold = np.array([[True, False], [False, True]])
    assert set(scores(gold, gold, ["a", "b"]).values()) == {1.0}
    assert set(scores(gold, np.zeros_like(gold), ["a", "b"]).values()) == {0.0}
    assert set(scores(np.zeros_like(gold), np.zeros_like(gold), ["a", "b"]).values()) == {0.0}


def test_a_sibling_counts_for_the_class_only() -> None:
    gold, told = np.array([[True, False]]), np.array([[False, True]])
    found = scores(gold, told, ["top", "top"])
    assert (found["micro"], found["class_micro"]) == (0.0, 1.0)


def test_calibration_of_honest_and_of_boasting_tags() -> None:
    told = np.ones((4, 1), bool)
    gold = np.array([[True], [True], [True], [False]])
    honest = calibration(gold, told, np.full((4, 1), 0.75))
    assert honest == {"ece": 0.0, "bins": [{"tags": 4, "said": 0.75, "right": 0.75}]}
    assert calibration(gold, told, np.full((4, 1), 1.0))["ece"] == 0.25
    assert calibration(gold, ~told, np.ones((4, 1))) == {}
    assert calibration(gold, told, None) == {}


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    said = {"cause:ecc-error": "The memory gave wrong bits", "cause:link-down": "A cable was loose"}
    cases = [
        make_case(f"T-{i:02}", ("cause", term), ("symptom", "symptom:slow"),
                  title={"en": f"{text} {i}", "ko": f"{text} 일 {i}"})
        for i in range(12)
        for term, text in [list(said.items())[i % 2]]
    ]  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tagger_quality, "_linear", lambda it: np.zeros(it.gold.shape, bool))
        return measure(cases, tiny_vocabulary(), HashEncoder(32))


def test_a_measurement_holds_weights_figures_and_provenance(measured: dict[str, Any]) -> None:
    assert set(measured) == {"provenance", "features", "schemes", "figures", "calibration"}
    assert measured["provenance"]["cases"] == 12
    assert measured["provenance"]["encoder"] == "hash/32/1"
    assert set(measured["figures"]) == {"brief", "title", "symptom"}
    for languages in measured["figures"].values():
        assert set(languages) == {"en", "ko"}
        for schemes in languages.values():
            assert set(schemes) == set(SCHEMES)


def test_what_is_measured_can_be_read_as_weights(measured: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "tagger.json"
    file.write_text(json.dumps(measured), encoding="utf-8")
    weights = MeaningWeights.read(file)
    assert set(weights.schemes) == set(SCHEMES)
    assert all(len(w.weights) == len(FEATURES) for w in weights.schemes.values())


def test_the_same_cases_give_the_same_measurement(measured: dict[str, Any]) -> None:
    assert json.loads(json.dumps(measured)) == measured
    assert tagger_page(measured) == tagger_page(copy.deepcopy(measured))


def test_meaning_beats_names_where_no_name_stands(measured: dict[str, Any]) -> None:
    cause = measured["figures"]["brief"]["en"]["cause"]
    assert cause["meaning"]["micro"] > cause.get("labels", {"micro": 0.0})["micro"]


def test_a_method_that_says_nothing_has_no_figures() -> None:
    learned: Any = type("L", (), {})()
    learned.samples = [type("S", (), {"part": p, "lang": lang})() for p in PARTS
                       for lang in ("en", "ko")]  # fmt: skip
    learned.ids = ("cause:ecc-error",)
    learned.gold = np.ones((6, 1), bool)
    learned.columns = lambda scheme: np.array([0] if scheme == "cause" else [], dtype=np.int64)
    silent = Judged(np.zeros((6, 1), bool))
    found = tagger_quality.figures(learned, {"linear": silent}, tiny_vocabulary())
    assert found["brief"]["en"]["cause"] == {"terms_per_text": 1.0}


def test_the_page_is_that_of_the_shipped_figures() -> None:
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert page == tagger_page(SHIPPED), "run: python -m kg.library.tagger_quality ."


def _mean(part: str, lang: str, method: str, measure: str) -> float:
    schemes = SHIPPED["figures"][part][lang].values()
    return fmean(row[method][measure] if method in row else 0.0 for row in schemes)


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("measure", ["micro", "macro", "class_micro", "class_macro"])
@pytest.mark.parametrize("other", ["majority", "linear", "labels"])
def test_on_the_shipped_cases_meaning_beats_the_others(lang: str, measure: str, other: str) -> None:
    assert _mean("brief", lang, "meaning", measure) > 1.2 * _mean("brief", lang, other, measure)


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_in_no_scheme_is_meaning_below_names_or_the_linear_baseline(lang: str, scheme: str) -> None:
    row = SHIPPED["figures"]["brief"][lang][scheme]
    for other in ("majority", "linear", "labels"):
        assert row["meaning"]["macro"] >= row[other]["macro"] - 0.01, other


def test_confidences_of_the_shipped_cases_are_honest() -> None:
    assert SHIPPED["calibration"]["ece"] <= 0.05
    for row in SHIPPED["calibration"]["bins"]:
        if row["tags"] >= 100:
            assert abs(row["said"] - row["right"]) < 0.1


def test_the_page_names_every_method_and_scheme() -> None:
    page = tagger_page(SHIPPED)
    assert all(f"| {scheme} |" in page for scheme in SCHEMES)
    assert len(METHODS) == 4
    for told in ("majority", "linear", "labels only", "by meaning"):
        assert f"| {told} |" in page


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["/nowhere"]])
def test_bad_use_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "use: python -m kg.library.tagger_quality" in capsys.readouterr().err
