"""A cause that is named and that no like case confirms: told as that, and the rest adds up."""

from __future__ import annotations

import re

import pytest

from kg.model import Case
from kg.rca import Diagnosis
from kg.rca.html import page
from kg.rca.prompt import to_prompt
from kg.rca.tell import tell
from tests.helpers.planted import diagnose
from tests.helpers.tiny import make_case

TEXT = "NCCL timeout and slow training, we think of a race condition"


def small() -> list[Case]:
    """Two cases of which none has a confirmed cause."""
    seen = (("symptom", "symptom:nccl-timeout"), ("symptom", "symptom:slow"))
    return [
        make_case("P-1", *seen, ("cause", "cause:race", "suspected")),
        make_case("P-2", *seen, ("cause", "cause:mismatch", "suspected")),
    ]


def asked(*, observed: bool = False, lang: str = "en") -> Diagnosis:
    return diagnose(
        TEXT,
        cases=small(),
        likely={"P-1": 0.6, "P-2": 0.6},
        observed=["cause:race"] if observed else [],
        lang=lang,
    )


@pytest.mark.parametrize("observed", [False, True])
def test_the_named_cause_and_the_unknown_add_up_to_no_more_than_one(observed: bool) -> None:
    found = asked(observed=observed)
    (first,) = found.hypotheses
    assert first.cause == "cause:race"
    assert first.probability >= 0.2
    assert first.probability + found.novelty == pytest.approx(1.0, abs=1e-3)


def test_who_names_no_cause_takes_nothing_from_the_unknown() -> None:
    silent = diagnose("NCCL timeout and slow training", cases=small(), likely={"P-1": 0.6})
    assert silent.novelty > asked().novelty
    out = diagnose(TEXT, cases=small(), likely={"P-1": 0.6}, ruled_out=["cause:race"])
    assert out.novelty == pytest.approx(silent.novelty)


@pytest.mark.parametrize(
    ("lang", "named", "other", "wrong"),
    [
        (
            "en",
            "named by you; confirmed in no case looked at, only suspected in P-1 [",
            "that nobody has named here and that this library does not know",
            "0 of 0",
        ),
        ("ko", "직접 든 원인; 살펴본 사례에서는 확정된 적 없음, 의심에 그친 사례: P-1 [",
         "여기서 든 원인도, 이 라이브러리가 아는 원인도 아닐 확률", "0건 중 0건"),
    ],
)  # fmt: skip
def test_it_is_told_as_named_and_suspected_in_every_view(
    lang: str, named: str, other: str, wrong: str
) -> None:
    found = asked(lang=lang)
    for told in (str(found), tell(found, lang), page(found, lang)):
        assert named in told
        assert other in told
        assert wrong not in told
    assert wrong not in to_prompt(found, lang)
    assert any(u.kind == "unnamed_cause" for u in found.unknown)


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_hypothesis_that_a_case_confirms_is_told_as_before(lang: str) -> None:
    told = str(diagnose(lang=lang))
    assert ("that this library does not know" if lang == "en" else "이 라이브러리가 모르는") in told
    assert "only named" not in told
    assert "이름만 든" not in told


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_what_is_not_known_of_a_named_case_has_the_number_of_its_evidence(lang: str) -> None:
    for found in (asked(lang=lang), diagnose(lang=lang)):
        head = "\nNot known\n" if lang == "en" else "\n알 수 없는 것\n"
        lines = tell(found).split(head)[1].split("\nEvidence" if lang == "en" else "\n근거")[0]
        cases = re.findall(r"\b(P-\d)( \[(\d+)\])?", lines)
        assert cases
        for case_id, cited, number in cases:
            assert cited, lines
            assert found.evidence[int(number) - 1].case_id == case_id


def test_a_case_without_a_confirmed_cause_is_cited_by_what_it_suspects() -> None:
    found = asked()
    line = next(x for x in tell(found).splitlines() if "never confirmed" in x)
    cited = [found.evidence[int(n) - 1].claim_id for n in re.findall(r"\[(\d+)\]", line)]
    assert cited == ["P-1#cause-1", "P-2#cause-1"]


def test_in_korean_a_missing_trigger_is_a_factor_that_is_not_written() -> None:
    told = tell(asked(lang="ko"))
    assert "촉발 요인이 적혀 있지" in told
    assert "촉발이" not in told
