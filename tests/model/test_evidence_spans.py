"""Evidence points at the exact words of a stored text; a span that does not match is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from kg.model import Case, Span
from kg.vocab import Vocabulary
from tests.helpers.strategies import WORLDS, worlds
from tests.helpers.tiny import case_data, make_case

SUMMARY = {"en": ["Power fell. Then power rose.", "Power fell."], "ko": ["전력이 떨어졌다.", "끝."]}


def case_with(span: dict[str, Any], **fields: Any) -> Case:
    data = case_data("X-1", ("cause", "cause:race"), **{"summary": SUMMARY, **fields})
    data["claims"][0]["evidence"] = [{"field": "summary", "lang": "en", **span}]
    return Case.model_validate(data)


def located(case: Case) -> tuple[int, int]:
    return case.locate(case.claims[0].evidence[0])


def test_without_a_place_the_first_one_is_meant() -> None:
    assert located(case_with({"quote": "Power fell."})) == (0, 11)


def test_a_place_picks_one_of_several() -> None:
    whole = "\n\n".join(SUMMARY["en"])
    second = whole.rindex("Power fell.")
    span = {"quote": "Power fell.", "start": second, "end": second + 11}
    assert located(case_with(span)) == (second, second + 11)
    assert located(case_with({"quote": "Power fell.", "start": second})) == (second, second + 11)


def test_an_end_alone_picks_the_place_as_well() -> None:
    whole = "\n\n".join(SUMMARY["en"])
    case = case_with({"quote": "Power fell.", "end": len(whole)})
    assert located(case) == (len(whole) - 11, len(whole))
    assert case.resolved().claims[0].evidence[0].start == len(whole) - 11


def test_a_quote_may_run_over_paragraphs() -> None:
    assert located(case_with({"quote": "rose.\n\nPower"}))[0] == 23


def test_places_count_characters_and_not_bytes() -> None:
    case = case_with({"quote": "떨어졌다", "lang": "ko", "start": 4, "end": 8})
    assert located(case) == (4, 8)


@pytest.mark.parametrize(
    ("span", "said"),
    [
        ({"quote": "power fell."}, "is not in summary.en"),
        ({"quote": "Power  fell."}, "copy it exactly"),
        ({"quote": "전력"}, "is not in summary.en"),
        ({"quote": "Power fell.", "lang": "de"}, "is not in summary.de"),
        ({"quote": "Power fell.", "start": 1}, "leave start and end out"),
        ({"quote": "Power fell.", "start": 0, "end": 10}, "leave start and end out"),
        ({"quote": "Power fell.", "end": 12}, "leave start and end out"),
        ({"quote": "Power fell.", "end": 3}, "leave start and end out"),
        ({"quote": "Power fell.", "start": -42, "end": -31}, "greater than or equal to 0"),
        ({"quote": "Power fell.", "start": 10**30}, "leave start and end out"),
        ({"quote": ""}, "at least 1 character"),
        ({"quote": "x", "field": "claims"}, "'claims' is not a text field"),
        ({"quote": "x", "field": "symptoms"}, "'symptoms' is not a text field"),
        ({"quote": "x", "field": "__class__"}, "is not a text field"),
        ({"quote": "x", "field": "lesson"}, "is not in lesson.en"),
    ],
)
def test_a_span_that_does_not_match_is_refused(span: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        case_with(span)


def test_every_bad_span_of_a_case_is_told_with_its_place() -> None:
    data = case_data("X-1", ("cause", "cause:race"), ("symptom", "symptom:slow"))
    data["claims"][0]["evidence"][1]["quote"] = "nowhere"
    data["claims"][1]["evidence"][0]["quote"] = "neither"
    with pytest.raises(ValidationError) as caught:
        Case.model_validate(data)
    assert "claims.0.evidence.1: the quote 'nowhere'" in str(caught.value)
    assert "claims.1.evidence.0: the quote 'neither'" in str(caught.value)


def test_a_source_line_can_be_quoted() -> None:
    sources = [{"kind": "blog", "title": "A post", "locator": "https://example.org/p"}]
    span = {"field": "sources", "lang": "zxx", "quote": "A post"}
    assert located(case_with(span, sources=sources)) == (0, 6)


def test_locate_refuses_a_span_that_was_never_checked() -> None:
    with pytest.raises(ValueError, match="is not in title"):
        make_case("X-1").locate(Span(field="title", lang="en", quote="nowhere"))


def test_resolved_fills_in_every_place_and_changes_nothing_else() -> None:
    case = make_case("X-1", ("cause", "cause:race"), ("symptom", "symptom:slow"))
    full = case.resolved()
    assert all(s.start is not None and s.end is not None for _, s in full.spans())
    assert full.resolved() == full
    assert [s.quote for _, s in full.spans()] == [s.quote for _, s in case.spans()]
    assert full.title == case.title


@WORLDS
@given(worlds(most=2))
def test_every_resolved_span_reads_back_its_quote(world: tuple[Vocabulary, list[Case]]) -> None:
    for case in world[1]:
        resolved = case.resolved()
        assert Case.model_validate(resolved.model_dump(mode="json")) == resolved
        for (_, given_), (_, span) in zip(case.spans(), resolved.spans(), strict=True):
            assert case.text(span.field, span.lang)[span.start : span.end] == span.quote
            assert given_.start in (None, span.start)


def test_a_claim_gives_its_evidence_in_the_language_asked_for() -> None:
    claim = make_case("X-1", ("cause", "cause:race")).claims[0]
    assert claim.span("en").quote == "Fact 0 is cause:race."
    assert claim.span("ko").quote == "사실 0: cause:race."
    assert claim.span("fr") == claim.evidence[0]
