"""Two cases of one event become one: nothing false is stored, and nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.intake import Difference, merged
from kg.model import PROSE_FIELDS, Case, Prose, Role, Status
from kg.model.text import OMITTED
from tests.helpers.strategies import QUICK, worlds
from tests.helpers.tiny import make_case

PAGE: dict[str, Any] = {
    "id": "PAGE-1",
    "domain": "own",
    "title": {"en": ["Logins fail"]},
    "summary": {"en": ["Logins failed for all.", "It is over."]},
    "symptom": {"en": ["Error 503 was seen."]},
    "dates": [{"kind": "started", "at": "2025-03-02"}],
    "severity": "major",
    "services": ["Login", "Web"],
    "sources": [{"kind": "document", "title": "Status", "locator": "https://s.example/1"}],
    "claims": [
        {
            "kind": "component", "terms": ["component:nccl"], "role": "affected",
            "status": "suspected", "made": {"by": "field", "confidence": 1},
            "evidence": [{"field": "services", "lang": "zxx", "quote": "Login"}],
        }
    ],
}  # fmt: skip
POST: dict[str, Any] = {
    "id": "PM-1",
    "domain": "own",
    "title": {"en": ["Login outage of 2 March"]},
    "summary": {"en": ["A certificate expired."]},
    "symptom": {"en": ["Logins gave 503 and 504."]},
    "cause": {"en": ["The certificate of the gateway expired."]},
    "dates": [
        {"kind": "started", "at": "2025-03-02T09:02Z"},
        {"kind": "ended", "at": "2025-03-02T10:15Z"},
    ],
    "severity": "SEV1",
    "services": ["Gateway", "Login"],
    "sources": [{"kind": "postmortem", "title": "PM-1", "locator": "pm.md"}],
    "time_to_recover": {"seconds": 4380},
    "figures": [
        {
            "id": "errors", "label": {"en": "errors"}, "value": 503, "unit": "",
            "evidence": [{"field": "symptom", "lang": "en", "quote": "503"}],
        }
    ],
    "arithmetic": ["errors = errors + 0"],
    "claims": [
        {
            "kind": "cause", "terms": ["cause:race"], "role": "primary",
            "evidence": [
                {"field": "cause", "lang": "en", "quote": "certificate"},
                {"field": "title", "lang": "en", "quote": "outage"},
                {"field": "services", "lang": "zxx", "quote": "Login", "start": 8, "end": 13},
            ],
            "figures": ["errors"],
        },
        {
            "kind": "symptom", "terms": ["symptom:failure"],
            "evidence": [{"field": "symptom", "lang": "en", "quote": "504"}],
        },
    ],
}  # fmt: skip


def case(data: dict[str, Any], **fields: Any) -> Case:
    return Case.model_validate({**data, **fields})


def quotes(found: Case) -> list[tuple[str, str]]:
    """Every span as it stands in the stored text, by its place."""
    texts = []
    for _, span in found.spans():
        start, end = found.locate(span)
        assert found.text(span.field, span.lang)[start:end] == span.quote
        texts.append((span.field, span.quote))
    return texts


def test_the_kept_case_gets_what_it_lacks() -> None:
    made = merged(case(PAGE), case(POST)).case
    assert made.id == "PAGE-1"
    assert made.cause == case(POST).cause
    assert made.services == ("Login", "Web", "Gateway")
    assert [s.locator for s in made.sources or ()] == ["https://s.example/1", "pm.md"]
    assert made.time_to_recover is not None
    assert [(d.kind, d.at) for d in made.dates] == [
        ("started", "2025-03-02T09:02Z"),
        ("ended", "2025-03-02T10:15Z"),
    ]


def test_texts_stand_after_each_other_and_spans_move_along() -> None:
    made = merged(case(PAGE), case(POST)).case
    assert made.title.best() == "Logins fail"
    assert made.summary.paragraphs("en") == (
        "Logins failed for all.",
        "It is over.",
        "Login outage of 2 March",
        "A certificate expired.",
    )
    assert quotes(made) == [
        ("services", "Login"),
        ("cause", "certificate"),
        ("summary", "outage"),
        ("services", "Login"),
        ("symptom", "504"),
        ("symptom", "503"),
    ]
    found = made.figures[0].evidence[0]
    assert made.locate(found)[0] > len("Error 503 was seen.")


def test_what_they_say_differently_is_told_and_the_first_is_kept() -> None:
    keep = case(PAGE, dates=[{"kind": "started", "at": "2025-03-02T09:00Z"}])
    found = merged(keep, case(POST))
    assert found.case.severity == "major"
    assert set(found.differences) == {
        Difference("severity", "major", "SEV1"),
        Difference("dates.started", "2025-03-02T09:00Z", "2025-03-02T09:02Z"),
    }


def test_an_end_before_the_kept_beginning_is_left_out_and_told() -> None:
    keep = case(PAGE, dates=[{"kind": "started", "at": "2025-03-04"}])
    found = merged(keep, case(POST))
    assert [d.at for d in found.case.dates] == ["2025-03-04"]
    assert Difference("dates.ended", "", "2025-03-02T10:15Z") in found.differences


def test_each_publication_is_kept() -> None:
    one = make_case("A", published="2025-03-02")
    other = make_case("B", published="2025-03-09")
    made = merged(one, other)
    assert [d.at for d in made.case.dates] == ["2025-03-02", "2025-03-09"]
    assert made.differences == ()


def test_no_paragraph_passes_for_a_translation_that_is_none() -> None:
    korean = {
        **POST,
        "title": {"ko": ["로그인 장애"]},
        "summary": {"ko": ["인증서가 만료되었다."]},
        "symptom": {"ko": ["503 오류와 504 오류."]},
        "cause": {"ko": ["게이트웨이 인증서가 만료되었다."]},
        "figures": [],
        "arithmetic": [],
        "claims": [
            {
                "kind": "symptom", "terms": ["symptom:failure"],
                "evidence": [{"field": "symptom", "lang": "ko", "quote": "504"}],
            }
        ],
    }  # fmt: skip
    found = merged(case(PAGE), case(korean))
    made = found.case
    assert found.untranslated == ("summary", "symptom")
    assert made.title == Prose.model_validate({"en": ["Logins fail"], "ko": ["로그인 장애"]})
    assert made.symptom is not None
    assert made.symptom.paragraphs("en") == ("Error 503 was seen.", OMITTED)
    assert made.symptom.paragraphs("ko") == (OMITTED, "503 오류와 504 오류.")
    assert made.cause is not None
    assert made.cause.languages == ("ko",)
    assert ("symptom", "504") in quotes(made)


def test_a_second_language_of_one_side_only_leaves_a_mark_in_the_other() -> None:
    keep = case(PAGE, symptom={"en": ["Error."], "ko": ["오류."]})
    made = merged(keep, case(POST)).case
    assert made.symptom is not None
    assert made.symptom.paragraphs("ko") == ("오류.", OMITTED)
    assert made.symptom.paragraphs("en") == ("Error.", "Logins gave 503 and 504.")


def test_the_same_text_is_not_told_twice() -> None:
    same = case(POST, symptom={"en": ["Error 503 was seen."]}, claims=[], figures=[], arithmetic=[])
    made = merged(case(PAGE), same).case
    assert made.symptom == case(PAGE).symptom


def test_none_and_something_are_a_difference_and_something_is_kept() -> None:
    found = merged(case(PAGE, cause=[]), case(POST))
    assert found.case.cause == case(POST).cause
    assert any(d.about == "cause" and d.kept == "none" for d in found.differences)
    turned = merged(case(POST), case(PAGE, cause=[]))
    assert turned.case.cause == case(POST).cause
    assert any(d.about == "cause" and d.other == "none" for d in turned.differences)


def test_claims_that_say_the_same_become_one_with_the_evidence_of_both() -> None:
    one = make_case("A", ("cause", "cause:race"), ("symptom", "symptom:slow"))
    other = make_case("B", ("cause", "cause:race"), ("symptom", "symptom:failure"))
    found = merged(one, other)
    assert [c.terms[0] for c in found.case.claims] == [
        "cause:race", "symptom:slow", "symptom:failure",
    ]  # fmt: skip
    assert len(found.case.claims[0].evidence) == 4
    assert found.places == (0, 2)
    assert found.differences == ()


def test_a_suspicion_stays_one_beside_a_fact() -> None:
    one = make_case("A", ("cause", "cause:race"))
    other = make_case("B", ("cause", "cause:race", "suspected"))
    statuses = [c.status for c in merged(one, other).case.claims]
    assert statuses == [Status.CONFIRMED, Status.SUSPECTED]


def test_of_two_root_causes_the_first_stays_so_and_the_other_is_told() -> None:
    one = make_case("A", ("cause", "cause:race"))
    other = make_case("B", ("cause", "cause:link-down"))
    found = merged(one, other)
    assert [c.role for c in found.case.claims] == [Role.PRIMARY, Role.SECONDARY]
    assert Difference("primary cause", "cause:race", "cause:link-down") in found.differences


def test_a_contradiction_is_told_and_both_sides_stay() -> None:
    one = make_case("A", ("cause", "cause:race"))
    other = make_case("B", ("cause", "cause:race", "ruled_out"))
    found = merged(one, other)
    assert found.differences == (Difference("cause:race", "A#cause-1", "A#cause-2"),)
    assert [c.status for c in found.case.claims] == [Status.CONFIRMED, Status.RULED_OUT]


def test_figures_with_one_name_stay_two_and_their_sums_hold() -> None:
    other = case(POST, id="PM-2")
    made = merged(case(POST), other).case
    assert [f.id for f in made.figures] == ["errors", "errors_2"]
    assert made.arithmetic == ("errors = errors + 0", "errors_2 = errors_2 + 0")


def test_the_two_are_not_related_to_themselves() -> None:
    one = make_case("A", related=["B", "C"])
    other = make_case("B", related=["A", "D"])
    assert merged(one, other).case.related == ("B", "C", "D")


@pytest.mark.parametrize("other", [make_case("A"), make_case("B", kind="series")])
def test_what_cannot_be_one_event_is_refused(other: Case) -> None:
    with pytest.raises(BadQuery, match=r"itself|one kind"):
        merged(make_case("A"), other)


@QUICK
@given(worlds(), st.data())
def test_nothing_of_either_is_lost(world: Any, data: st.DataObject) -> None:
    _, cases = world
    one = data.draw(st.sampled_from(cases))
    other = data.draw(st.sampled_from(cases)).model_copy(update={"id": "OTHER", "kind": one.kind})
    found = merged(one, other)
    made = found.case
    assert made == merged(one, other).case
    for field in PROSE_FIELDS:
        for source in (one, other):
            prose: Prose | None = getattr(source, field)
            whole = "\n\n".join(t for f, _, t in made.texts() if f in (field, "summary"))
            for lang in prose.languages if prose else ():
                assert all(p in whole for p in prose.paragraphs(lang) if prose)
    quotes(made)
    assert [c.terms for c in made.claims[: len(one.claims)]] == [c.terms for c in one.claims]
    for claim, place in zip(other.claims, found.places, strict=True):
        if place is not None:
            now = made.claims[place]
            assert (now.kind, now.terms, now.status) == (claim.kind, claim.terms, claim.status)
            assert {s.quote for s in claim.evidence} <= {s.quote for s in now.evidence}
