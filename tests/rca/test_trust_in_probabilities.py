"""From shares to probabilities that hold: fitted on labels, in order, and 0 stays 0."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.calibrate import expected_calibration_error
from kg.rca.trust import Trust, log_odds

SHARES = np.linspace(0.0, 1.0, 41)


def test_untouched_shares_are_their_own_probability() -> None:
    assert Trust()(SHARES) == pytest.approx(SHARES, abs=2e-6)


def test_nothing_stays_nothing_whatever_was_fitted() -> None:
    assert Trust(5.0, 0.1)(np.array([0.0, 0.0])).tolist() == [0.0, 0.0]


def test_the_order_is_kept() -> None:
    found = Trust(0.7, 0.4)(SHARES)
    assert (np.diff(found) >= 0).all()
    assert (np.diff(found[1:-1]) > 0).all()


@given(st.floats(-3, 3), st.floats(0, 3), st.floats(0, 1))
def test_probabilities_lie_between_0_and_1(shift: float, slope: float, share: float) -> None:
    value = float(Trust(shift, slope)(np.array([share]))[0])
    assert 0.0 <= value <= 1.0


def test_log_odds_are_those_of_the_definition() -> None:
    for p in (0.1, 0.5, 0.93):
        assert log_odds(np.array([p]))[0] == pytest.approx(math.log(p / (1 - p)))


@pytest.mark.parametrize(("shift", "slope"), [(0.5, 0.7), (-1.0, 1.5), (0.0, 1.0)])
def test_a_planted_function_is_found(shift: float, slope: float) -> None:
    random = np.random.default_rng(0)
    shares = random.uniform(0.01, 0.99, size=20_000)
    right = (random.random(len(shares)) < Trust(shift, slope)(shares)).astype(float)
    found = Trust.fitted(log_odds(shares), right)
    assert found.shift == pytest.approx(shift, abs=0.08)
    assert found.slope == pytest.approx(slope, abs=0.08)


def test_what_was_too_sure_holds_after_fitting() -> None:
    random = np.random.default_rng(2)
    true = random.uniform(0.05, 0.95, size=4000)
    right = (random.random(len(true)) < true).astype(float)
    too_sure = 1 / (1 + np.exp(-3 * log_odds(true)))
    fitted = Trust.fitted(log_odds(too_sure), right)(too_sure)
    assert expected_calibration_error(too_sure, right) > 0.1
    assert expected_calibration_error(fitted, right) < 0.03


def test_shares_that_tell_the_wrong_way_count_for_nothing_rather_than_turning_round() -> None:
    odds = np.array([-2.0, -1.0, 1.0, 2.0] * 50)
    found = Trust.fitted(odds, (odds < 0).astype(float))
    assert found.slope == 0.0


def test_few_labels_leave_shares_nearly_as_they_are() -> None:
    found = Trust.fitted(np.array([0.3]), np.array([1.0]))
    assert found.shift == pytest.approx(0.0, abs=0.5)
    assert found.slope == pytest.approx(1.0, abs=0.2)


def test_labels_that_a_line_parts_give_a_finite_function() -> None:
    odds = np.array([-3.0, -2.0, 2.0, 3.0])
    found = Trust.fitted(odds, (odds > 0).astype(float))
    assert math.isfinite(found.shift)
    assert 1.0 < found.slope < 10.0
