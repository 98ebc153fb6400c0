"""FireHydrant: milestones, the word None for nothing, impacts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.model import ClaimKind
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.firehydrant import FORMAT
from tests.helpers.foreign import dates, document, draft, json_document, mangled, problem, survives
from tests.helpers.strategies import QUICK

ONE = draft(FORMAT, document("firehydrant/incident.json"))


def test_milestones_are_times_with_their_kind() -> None:
    assert dates(ONE) == {
        "started": "2025-05-05T05:00:00Z",
        "detected": "2025-05-05T05:04:00Z",
        "mitigated": "2025-05-05T05:40:00Z",
        "ended": "2025-05-05T06:00:00Z",
        "published": "2025-05-05T05:05:09Z",
    }


def test_the_length_of_a_phase_is_no_time_to_recover() -> None:
    assert ONE.time_to_detect is None
    assert ONE.time_to_recover is None


def test_the_word_none_of_a_program_is_not_stated() -> None:
    assert ONE.text("summary").startswith("The search index was empty.")
    assert ONE.none == ()


def test_texts_services_and_people() -> None:
    assert ONE.text("impact") == "Shoppers saw no results.\n\nsearch-api: Unavailable"
    assert ONE.text("affected_users") == "1200"
    assert ONE.services == ("search-api",)
    assert ONE.people == ("Joon Baek", "Mira Han", "mira@norn.example")
    assert (ONE.severity, ONE.organization) == ("SEV1", "Norn")
    assert [link.href for link in ONE.links] == ["https://norn.example/t/9"]


def test_a_contributing_factor_is_no_cause() -> None:
    factors = [g.name for g in ONE.given if g.kind is ClaimKind.FACTOR]
    assert factors == ["No alarm on the size of the index"]
    assert ONE.text("cause") == ""


def test_a_service_is_named_as_one() -> None:
    service = {"id": "1", "name": "x", "slug": "x", "service_tier": 1, "active_incidents": []}
    assert FORMAT.sure(json_document([service])) >= 0.5
    assert "service of FireHydrant" in problem(FORMAT, json_document([service])).message


@QUICK
@given(mangled(document("firehydrant/incident.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("firehydrant/incident.json").text[:length]))


def test_a_record_nested_too_deep_does_not_keep_the_others_back() -> None:
    deep = '{"user": ' * 900 + "1" + "}" * 900
    first = f'{{"name": "a", "milestones": [], "created_by": {deep}}}'
    text = f'[{first}, {{"name": "b", "milestones": []}}]'
    one, second = FORMAT.read(Document("deep.json", text))
    assert isinstance(one, Problem | Draft)
    assert isinstance(second, Draft)
    assert second.title == "b"
