"""Doubts, reserves and denials: told as such, and told where the other side is silent."""

from __future__ import annotations

from typing import Any

import pytest

from kg.graph import IncidentGraph
from kg.library.explanations import MITIGATION_NAMED, MITIGATION_SURE, NAMED, _trusted
from kg.model import Case
from kg.queries import Explanation, explain_text, make_explanation
from kg.queries.paths import PathKind
from kg.queries.sharing import SameCause
from kg.queries.sides import text_side
from kg.queries.tell import difference
from kg.vocab import Tag, Tagger
from tests.helpers.tiny import Told, case_data, make_case, term, tiny_vocabulary

VOCABULARY = tiny_vocabulary(
    term("cause:oom", "out of memory", "메모리 부족"),
    term("cause:bad-loader", "bad data loader", "잘못된 데이터 로더"),
)
TAGGER = Tagger(VOCABULARY)
RESTART: Told = ("mitigation", "mitigation:restart")


def explained(*cases: Case, lang: str = "en") -> Explanation:
    graph = IncidentGraph(cases, VOCABULARY)
    return make_explanation(graph, VOCABULARY, cases[0], cases[1], lang)


def between(left: list[Told], right: list[Told], lang: str = "en") -> Explanation:
    return explained(make_case("X-1", *left), make_case("X-2", *right), lang=lang)


def beside(text: str, *told: Told, lang: str = "en", tags: list[Tag] | None = None) -> Explanation:
    case = make_case("X-1", *told)
    graph = IncidentGraph([case], VOCABULARY)
    found = TAGGER.tag(text) if tags is None else tags
    return explain_text(graph, VOCABULARY, text, found, case, lang)


def with_claims(case_id: str, *claims: dict[str, Any]) -> Case:
    """A case that restarted once for each of these, with more fields in the claim."""
    data = case_data(case_id, *[RESTART for _ in claims])
    for claim, more in zip(data["claims"], claims, strict=True):
        claim.update(more)
    return Case.model_validate(data)


DOUBTED: list[Told] = [
    ("cause", "cause:hardware", "suspected", "primary"),
    ("cause", "cause:race", "confirmed", "secondary"),
]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "causes of X-2: hardware failure (suspected root cause) and race condition "
               "(confirmed, a further cause)."),
        ("ko", "X-2의 원인: 하드웨어 장애(의심되는 근본 원인), 경쟁 상태(확정된 부차적 원인)."),
    ],
)  # fmt: skip
def test_a_suspected_root_cause_stands_beside_a_confirmed_further_one(lang: str, said: str) -> None:
    assert said in between([("cause", "cause:mismatch")], DOUBTED, lang).text
    cases = [make_case("X-1", ("cause", "cause:mismatch")), make_case("X-2", *DOUBTED)]
    graph = IncidentGraph(cases, VOCABULARY)
    hit = difference(graph, VOCABULARY, *cases, SameCause.NO, lang)
    assert said.removesuffix(".") in hit


def test_a_text_beside_such_a_case_is_told_both_causes() -> None:
    text = beside("slow training", *DOUBTED).text
    assert "hardware failure (suspected root cause) and race condition" in text


def test_a_suspicion_beside_a_confirmed_root_cause_is_not_put_in_front() -> None:
    sure: list[Told] = [("cause", "cause:race"), ("cause", "cause:hardware", "suspected")]
    assert "cause of X-2: race condition." in between([("cause", "cause:mismatch")], sure).text


@pytest.mark.parametrize(
    ("status", "en", "ko"),
    [
        ("confirmed", "Root cause of X-1: mismatched collectives.", "X-1의 근본 원인: 집합 통신"),
        ("suspected", "Root cause of X-1: mismatched collectives (suspected).", "어긋남(의심)."),
    ],
)
def test_where_a_further_cause_is_shared_the_own_root_cause_is_named(
    status: str, en: str, ko: str
) -> None:
    left: list[Told] = [
        ("cause", "cause:mismatch", status, "primary"),
        ("cause", "cause:race", "confirmed", "secondary"),
    ]
    right: list[Told] = [("cause", "cause:race")]
    assert en in between(left, right).text
    assert ko in between(left, right, "ko").text
    assert "Root cause of X-2" not in between(left, right).text
    assert "Root cause" not in between(right, right).text


def test_a_class_that_many_cases_share_is_told_with_their_number() -> None:
    more = [make_case(f"Y-{i}", ("cause", "cause:software")) for i in range(6)]
    left, right = (
        make_case("X-1", ("cause", "cause:race")),
        make_case("X-2", ("cause", "cause:oom")),
    )
    other = make_case("X-2", ("cause", "cause:mismatch"))
    text = explained(left, other, *more).text
    assert "are both kinds of software defect. That says little: 8 of 8 cases" in text
    assert "8건 중 8건" in explained(left, other, *more, lang="ko").text
    assert "says little" not in explained(left, right, *more).text


def test_the_caveat_of_a_result_is_told_and_kept() -> None:
    reserve = {"en": "Nothing else was tried.", "ko": "다른 것은 해 보지 않았다."}
    one = with_claims("X-1", {"result": "worked"})
    other = with_claims("X-2", {"result": "failed", "caveat": reserve})
    found = explained(one, other)
    assert found.caveats == {"X-2#mitigation-1": "Nothing else was tried."}
    assert "failed in X-2 (caveat of X-2: “Nothing else was tried.”)." in found.text
    korean = explained(one, other, lang="ko").text
    assert "효과가 없었습니다(X-2의 단서: “다른 것은 해 보지 않았다.”)." in korean
    same = explained(with_claims("X-1", {"result": "failed"}), other).text
    assert "(recorded as failed in both; caveat of X-2: “Nothing else was tried.”)." in same


@pytest.mark.parametrize(
    "claims",
    [({"result": "worked"}, {}), ({"result": "worked"}, {"result": "unknown"}), ({},)],
)
def test_what_is_not_stated_to_have_worked_did_not_work_in_both(claims: tuple[Any, ...]) -> None:
    found = explained(with_claims("X-1", {"result": "worked"}), with_claims("X-2", *claims))
    assert "Done in both: restart." in found.text
    assert found.contrasts == ()


def test_a_denial_is_told_where_the_other_is_silent() -> None:
    out: list[Told] = [
        ("component", "component:nccl", "ruled_out", "involved"),
        ("cause", "cause:link-down", "ruled_out"),
        ("cause", "cause:oom", "ruled_out"),
    ]
    found = between(out, [("symptom", "symptom:slow")])
    assert [s.target for s in found.denied_a] == ["cause:link-down", "cause:oom", "component:nccl"]
    assert found.denied_b == ()
    assert (
        "X-1 rules out link down, “out of memory” and that NCCL had a part in it; the record of "
        "X-2 names none of it." in found.text
    )
    korean = between([("symptom", "symptom:slow")], out, "ko").text
    assert "X-2는 링크 다운, 메모리 부족, 니클의 관여를 배제하며, X-1의 기록에는" in korean


@pytest.mark.parametrize(
    ("slug", "status"),
    [
        ("gpu-fault", "confirmed"), ("gpu-fault", "ruled_out"), ("ecc-error", "suspected"),
        ("hardware", "confirmed"), ("hardware", "ruled_out"),
    ],
)  # fmt: skip
def test_who_speaks_of_the_kin_of_a_denied_term_is_not_silent(slug: str, status: str) -> None:
    found = between(
        [("cause", "cause:gpu-fault", "ruled_out")], [("cause", f"cause:{slug}", status)]
    )
    assert found.denied_a == ()


def test_both_rule_out_what_one_rules_out_within_something_broader() -> None:
    narrow: list[Told] = [("cause", "cause:ecc-error", "ruled_out")]
    broad: list[Told] = [("cause", "cause:hardware", "ruled_out")]
    for left, right in ((narrow, broad), (broad, narrow)):
        found = between(left, right)
        (both,) = found.excluded
        assert both.term == "cause:ecc-error"
        assert {both.left.target, both.right.target} == {"cause:ecc-error", "cause:hardware"}
        assert (found.denied_a, found.denied_b) == ((), ())
    assert (
        "Both rule out ECC error (X-2: hardware failure as a whole)." in between(narrow, broad).text
    )
    sibling: list[Told] = [("cause", "cause:link-down", "ruled_out")]
    assert between(narrow, sibling).excluded == ()
    contrary: list[Told] = [*broad, ("cause", "cause:ecc-error")]
    assert between(narrow, contrary).excluded == ()


@pytest.mark.parametrize("out", [True, False])
def test_a_label_that_would_run_on_stands_between_quotes(out: bool) -> None:
    told: list[Told] = [("cause", "cause:oom", "ruled_out" if out else "suspected")]
    said = "Both rule out “out of memory”." if out else "both suspect “out of memory”."
    assert said in between(told, told).text


def test_derived_paths_weigh_less_and_stand_behind_stated_ones() -> None:
    chain: list[Told] = [
        ("trigger", "trigger:upgrade"), ("cause", "cause:race"), ("symptom", "symptom:slow"),
    ]  # fmt: skip
    paths = between(
        [*chain, ("component", "component:a100")], [*chain, ("component", "component:gpu")]
    ).paths
    kinds = [p.kind for p in paths]
    first = kinds.index(PathKind.CHAIN)
    assert set(kinds[first:]) == {PathKind.CHAIN}
    assert PathKind.BROADER in kinds[:first]
    assert [p.derived for p in paths] == [k is PathKind.CHAIN for k in kinds]
    stated = [p.weight for p in paths if p.kind is PathKind.SAME]
    assert all(p.weight <= max(stated) / 4 for p in paths if p.derived)


def test_a_denial_of_a_text_is_told_where_the_case_is_silent() -> None:
    found = beside("slow training, no race condition", ("symptom", "symptom:slow"))
    assert "The text denies race condition; the record of X-1 does not name it." in found.text
    korean = beside("no race condition", ("symptom", "symptom:slow"), lang="ko").text
    assert "글은 경쟁 상태를 부정하며, X-1의 기록에는 그 이름이 나오지 않습니다." in korean
    turned = beside("slow training", ("cause", "cause:race", "ruled_out")).text
    assert "X-1 rules out race condition; the text does not name it." in turned


def test_a_denial_that_is_only_read_is_told_with_doubt_and_its_words() -> None:
    text = "the order of events is fine"
    tags = [
        Tag(4, 19, "cause:race", "order of events", negated=True, confidence=0.9, how="meaning")
    ]
    told = beside(text, ("cause", "cause:race"), tags=tags).text
    assert (
        "The text may deny race condition (“the order of events is fine”); X-1 confirms it." in told
    )
    assert "does not name" not in beside(text, tags=tags).text


def test_what_stands_only_in_a_denial_is_not_listed_as_named() -> None:
    text = "no bad data loader; slow training"
    found = beside(text, ("symptom", "symptom:failure"))
    assert {t.term for t in found.understood} >= {"cause:bad-loader", "component:loader"}
    assert "data loader" not in str(found.only_a)
    assert found.only_a == {"symptom": ("symptom:slow",)}
    free = beside(text + ", the data loader hung", ("symptom", "symptom:failure"))
    assert free.only_a["component"] == ("component:loader",)


def test_what_is_denied_and_named_is_not_listed_as_named() -> None:
    text = "no NCCL timeout, then NCCL timeout"
    assert "symptom:nccl-timeout" in text_side(text, TAGGER.tag(text)).muted
    assert "symptom" not in beside(text).only_a


def test_a_text_that_only_denies_is_not_said_to_have_nothing_in_common() -> None:
    text = beside("no race condition", ("cause", "cause:race")).text
    assert "Nothing that the text affirms" not in text
    assert "the text only names what it denies. The text denies race condition; X-1" in text
    denied = beside("no slow training", ("symptom", "symptom:slow")).text
    assert "not found in the text" not in denied


def tag_of(term_id: str, confidence: float, how: str, negated: bool = False) -> Tag:
    return Tag(0, 1, term_id, "x", negated, confidence, how)


@pytest.mark.parametrize(
    ("term_id", "how", "least"),
    [
        ("trigger:upgrade", "label", NAMED), ("component:nccl", "label", NAMED),
        ("mitigation:restart", "label", MITIGATION_NAMED),
        ("mitigation:restart", "meaning", MITIGATION_SURE),
    ],
)  # fmt: skip
def test_what_is_hardly_believed_is_not_taken_as_found(
    term_id: str, how: str, least: float
) -> None:
    assert _trusted(tag_of(term_id, least, how))
    assert not _trusted(tag_of(term_id, least - 0.01, how))
    assert _trusted(tag_of(term_id, 0.01, how, negated=True)) == (how == "label")
