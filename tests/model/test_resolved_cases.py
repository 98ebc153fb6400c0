"""A case with its spans located: made once, and never that of another case."""

from __future__ import annotations

from copy import copy, deepcopy

from kg.model import Case, Claim, ClaimKind
from tests.helpers.tiny import make_case


def case() -> Case:
    return make_case("A-1", ("cause", "cause:race"), ("symptom", "symptom:slow"))


def spans(one: Case) -> list[tuple[int | None, int | None]]:
    return [(span.start, span.end) for _, span in one.resolved().spans()]


def test_every_span_has_its_place() -> None:
    one = case()
    for _, span in one.resolved().spans():
        assert one.text(span.field, span.lang)[span.start : span.end] == span.quote
    assert spans(one)


def test_it_is_made_once_and_stays_what_it_is() -> None:
    one = case()
    assert one.resolved() is one.resolved()
    assert one.resolved().resolved() == one.resolved()


def test_a_copy_with_other_claims_has_its_own() -> None:
    one = case()
    one.resolved()
    fewer = one.model_copy(update={"claims": one.claims[:1]})
    assert len(fewer.resolved().claims) == 1
    assert fewer.resolved().claims[0] == one.resolved().claims[0]


def test_a_copy_with_another_text_is_located_in_that_text() -> None:
    one = case()
    before = spans(one)
    field = next(span.field for _, span in one.spans())
    prose = getattr(one, field)
    longer = type(prose).model_validate(
        {lang: f"First of all. {prose.text(lang)}" for lang in prose.languages}
    )
    moved = one.model_copy(update={field: longer})
    assert spans(moved) != before
    for _, span in moved.resolved().spans():
        assert moved.text(span.field, span.lang)[span.start : span.end] == span.quote


def test_what_was_made_shows_nowhere() -> None:
    one, other = case(), case()
    one.resolved()
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)
    assert one.model_dump_json() == other.model_dump_json()
    assert one.model_fields_set == other.model_fields_set
    for same in (copy(one), deepcopy(one), one.model_copy()):
        assert same == other
        assert spans(same) == spans(other)


def test_kinds_stay() -> None:
    kinds = [claim.kind for claim in case().resolved().claims]
    assert kinds == [ClaimKind.CAUSE, ClaimKind.SYMPTOM]
    assert all(isinstance(claim, Claim) for claim in case().resolved().claims)
