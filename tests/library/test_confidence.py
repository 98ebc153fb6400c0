"""From scores to probabilities: the agreement of lanes, and a curve that never rises again."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import Ranking, embed_query
from kg.library import Library
from kg.library.confidence import AGREEING, MOST, agreement, features, probabilities
from kg.library.fitted import ProbabilityParameters, default_threshold, probability_parameters
from kg.model.text import language_of

# Whole numbers, so that ties occur.
NUMBERS = st.integers(-5, 5).map(float)
PARAMETERS = ProbabilityParameters(-1.0, 0.9, 2.0, 1.5, {"ko": -0.5})


def ranking(lanes: dict[str, list[float]], total: list[float]) -> Ranking:
    arrays = {name: np.array(scores, dtype=float) for name, scores in lanes.items()}
    passages = np.zeros(0, np.float32)
    return Ranking(arrays, {"all": np.array(total, dtype=float)}, passages, 1.0, len(total))


@st.composite
def rankings(draw: Any) -> Ranking:
    size = draw(st.integers(1, 9))
    column = st.lists(NUMBERS, min_size=size, max_size=size)
    names = draw(st.sets(st.sampled_from([*AGREEING, "graph", "late"])))
    return ranking({name: draw(column) for name in sorted(names)}, draw(column))


def slow_agreement(found: Ranking) -> list[float]:
    lanes = [found.lanes[name].tolist() for name in AGREEING if name in found.lanes]
    if not lanes:
        return [0.0] * found.documents
    result = []
    for case in range(found.documents):
        logs = [math.log(sum(other >= lane[case] for other in lane)) for lane in lanes]
        result.append(-sum(logs) / len(logs))
    return result


@settings(deadline=None)
@given(rankings())
def test_agreement_equals_the_twin(found: Ranking) -> None:
    assert agreement(found) == pytest.approx(slow_agreement(found), abs=1e-12)


@settings(deadline=None)
@given(rankings())
def test_agreement_is_between_first_and_last_in_all(found: Ranking) -> None:
    values = agreement(found)
    assert (values <= 0).all()
    assert (values >= -math.log(found.documents) - 1e-12).all()


def test_first_in_all_lanes_agrees_most_and_one_lane_alone_does_not_help_much() -> None:
    lanes = {"words": [9.0, 8, 1, 0], "grams": [9.0, 1, 8, 0], "dense": [9.0, 1, 8, 0]}
    values = agreement(ranking(lanes, [4.0, 3, 2, 1]))
    assert values[0] == 0
    assert values[1] < values[2] < 0
    assert values[3] == pytest.approx(-math.log(4))


def test_lanes_that_know_no_words_are_not_asked() -> None:
    plain = {"words": [2.0, 1.0], "dense": [2.0, 1.0]}
    judge = agreement(ranking(plain, [1.0, 0.0]))
    more = agreement(ranking({**plain, "graph": [0.0, 9.0], "late": [0.0, math.nan]}, [1.0, 0.0]))
    assert np.array_equal(judge, more)


def test_a_lane_that_says_the_same_of_all_puts_all_last() -> None:
    values = agreement(ranking({"words": [0.0, 0.0, 0.0], "dense": [3.0, 2.0, 1.0]}, [3.0, 2, 1]))
    assert values == pytest.approx([-math.log(3) / 2, -math.log(6) / 2, -math.log(9) / 2])


@settings(deadline=None)
@given(rankings(), st.sampled_from(["en", "ko", "ja"]))
def test_probabilities_equal_the_twin(found: Ranking, lang: str) -> None:
    """Row by row down the ranking, each the least that was seen so far."""
    total, agrees = found.total.tolist(), slow_agreement(found)
    least, judge = 1.0, [0.0] * found.documents
    for case in sorted(range(found.documents), key=lambda i: (-total[i], i)):
        logit = (
            -1.0
            + PARAMETERS.languages.get(lang, 0.0)
            + 0.9 * min(total[case], MOST)
            + 2.0 * agrees[case]
        )
        logit += 1.5 * (found.lanes["dense"][case] if "dense" in found.lanes else 0.0)
        least = min(least, 1 / (1 + math.exp(-logit)))
        judge[case] = least
    assert probabilities(found, lang, PARAMETERS) == pytest.approx(judge, abs=5.1e-5)


@settings(deadline=None)
@given(
    rankings(), st.builds(ProbabilityParameters, NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.just({}))
)
def test_further_down_is_never_more_likely_whatever_the_model(
    found: Ranking, parameters: ProbabilityParameters
) -> None:
    likely = probabilities(found, "en", parameters)
    order = np.argsort(-found.total, kind="stable")
    assert (np.diff(likely[order]) <= 0).all()
    assert ((likely >= 0) & (likely <= 1)).all()


@settings(deadline=None)
@given(rankings())
def test_cases_that_tell_the_same_are_equally_likely(found: Ranking) -> None:
    """Each case twice; the scores of different cases differ."""
    lanes = {name: [*scores, *scores] for name, scores in found.lanes.items()}
    total = [value + place / 100 for place, value in enumerate(found.total)]
    twice = probabilities(ranking(lanes, [*total, *total]), "en", PARAMETERS)
    half = found.documents
    assert twice[:half] == pytest.approx(twice[half:], abs=1e-9)


@settings(deadline=None)
@given(rankings())
def test_the_language_of_the_question_shifts_all_one_way(found: Ranking) -> None:
    english, korean = (probabilities(found, lang, PARAMETERS) for lang in ("en", "ko"))
    assert (korean <= english).all()
    assert np.array_equal(probabilities(found, "ja", PARAMETERS), english)


def test_far_out_scores_do_not_overflow() -> None:
    with np.errstate(all="raise"):
        likely = probabilities(
            ranking({"words": [1.0, 0.0]}, [1e6, -1e6]), "en", ProbabilityParameters(0, 1, 0, 0, {})
        )
    assert likely.tolist() == [round(1 / (1 + math.exp(-MOST)), 4), 0.0]


@settings(deadline=None)
@given(rankings())
def test_the_features_are_score_agreement_and_closeness(found: Ranking) -> None:
    seen = features(found)
    assert seen.shape == (found.documents, 3)
    assert seen[:, 0].tolist() == [min(score, MOST) for score in found.total.tolist()]
    assert seen[:, 1] == pytest.approx(slow_agreement(found), abs=1e-12)
    close = found.lanes["dense"] if "dense" in found.lanes else np.zeros(found.documents)
    assert np.array_equal(seen[:, 2], close)


def test_of_another_encoder_closeness_is_not_read(quick: Library, real: Library) -> None:
    assert not quick._text_lanes.comparable
    assert real._text_lanes.comparable
    one = ranking({"dense": [0.9, 0.1], "words": [2.0, 1.0]}, [2.0, 1.0])
    other = ranking({"dense": [0.3, 0.1], "words": [2.0, 1.0]}, [2.0, 1.0])
    near, far = (probabilities(r, "en", PARAMETERS) for r in (one, other))
    assert near[0] > far[0]
    near, far = (probabilities(r, "en", PARAMETERS, comparable=False) for r in (one, other))
    assert near.tolist() == far.tolist()
    assert quick.search("NCCL timeout").items


def test_questions_from_outside_the_field_are_refused(real: Library) -> None:
    """Not those that the model was fitted on."""
    asked = (
        "how to train a puppy", "guitar chords for beginners",
        "cheap flights to Lisbon in May", "김치찌개에 어울리는 반찬", "내일 날씨 알려줘",
        "축구 경기 결과",
    )  # fmt: skip
    answered = [text for text in asked if real.search(text).items]
    assert answered == []


def test_the_fitted_model_rises_with_each_feature() -> None:
    model = probability_parameters()
    assert model.closeness > 0
    assert model.score > 0
    assert model.agreement > 0
    assert 0 < default_threshold() < 1
    assert set(model.languages) <= {"en", "ko"}


def test_a_hit_has_the_probability_of_its_case(quick: Library) -> None:
    for text in ("NCCL watchdog timeout, power dropped to 190 W", "전력이 190 W로 떨어졌다"):
        hits = quick.search(text, k=99, threshold=0.0)
        lanes, tags = quick._text_lanes, quick.labels(text)
        found = lanes.rank(embed_query(quick.encoder, text), tags, lanes.ids)
        judge = probabilities(found, language_of(text), probability_parameters(), lanes.comparable)
        for hit in hits:
            assert hit.probability == judge[lanes.row[hit.id]]


def test_the_language_of_the_answer_is_not_that_of_the_question(quick: Library) -> None:
    english = quick.search("전력이 190 W로 떨어졌다", threshold=0.0, lang="en")
    korean = quick.search("전력이 190 W로 떨어졌다", threshold=0.0, lang="ko")
    assert [h.probability for h in english] == [h.probability for h in korean]
