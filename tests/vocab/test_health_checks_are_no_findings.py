"""What a health check looks for is not what happened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.vocab import Tagger
from kg.vocab.checklists import only_checked
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import tiny_vocabulary

TAGGER = Tagger(tiny_vocabulary())


def found(text: str) -> set[str]:
    return {t.term.partition(":")[2] for t in TAGGER.tag(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Health checks: ECC error, link down, NCCL timeout.",
        "health check (ECC error, link down)",
        "Every hour a health check for ECC error and link down runs",
        "Pre-flight tests covering ECC error and link down",
        "Checks: ECC error; link down",
        "The script checks for ECC error, link down",
        "A daemon that monitors the nodes for ECC error",
        "점검 항목: ECC 오류, 링크 다운",
        "헬스 체크에는 ECC 오류, 링크 다운",
        "매시간 ECC 오류와 링크 다운을 점검한다.",
        "시작 전에 링크 다운 여부를 확인합니다.",
    ],
)
def test_lists_of_checks_name_nothing_that_happened(text: str) -> None:
    assert found(text) & {"ecc-error", "link-down", "nccl-timeout"} == set()


@pytest.mark.parametrize(
    "text",
    [
        "The health check failed: ECC error",
        "Health checks found an ECC error on node 3",
        "A health check reported ECC error",
        "The health check for the node was late, then came an ECC error",
        "Health checks: all good.\nThen an ECC error",
        "Health checks passed. An ECC error came an hour later.",
        "We looked at the log and saw an ECC error",
        "점검에서 ECC 오류가 발견됐다",
        "로그를 확인하는 동안 ECC 오류가 났다",
        "ECC 오류를 확인했다",
        "Health checks: ECC error was missed",
    ],
)
def test_what_a_check_found_or_missed_counts(text: str) -> None:
    assert "ecc-error" in found(text)


def test_things_in_such_a_list_are_still_named() -> None:
    assert found("Health checks: GPU, NCCL, ECC error") == {"gpu", "nccl"}


def test_the_next_line_is_another_matter() -> None:
    text = "Health checks: link down\nECC error on node 3"
    assert found(text) == {"ecc-error"}


@QUICK
@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_any_place_can_be_asked_about(text: str, a: int, b: int) -> None:
    start, end = sorted((min(a, len(text)), min(b, len(text))))
    assert isinstance(only_checked(text, start, end), bool)


@QUICK
@given(st.text("abc ,.:;()", max_size=120))
def test_without_a_word_for_a_check_nothing_is_left_out(text: str) -> None:
    assert not only_checked(text + "x", len(text), len(text) + 1)


@pytest.mark.parametrize("count", [50, 3000])
def test_long_lists_take_no_time(count: int) -> None:
    text = "health checks: " + "fan speed, " * count + "ECC error"
    assert found(text) <= {"ecc-error"}
