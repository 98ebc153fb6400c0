"""STIX bundles: activities, impacts, relations."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.model import ClaimKind
from kg.readers.document import Document
from kg.readers.formats.stix import FORMAT
from tests.helpers.foreign import dates, document, drafts, json_document, mangled, problem, survives
from tests.helpers.strategies import QUICK

ONE, DOUBTED = drafts(FORMAT, document("stix/bundle.json"))


def test_times_come_from_what_was_done_and_written() -> None:
    assert dates(ONE) == {
        "started": "2025-01-01T20:00:00Z",
        "detected": "2025-01-02T01:00:00Z",
        "ended": "2025-01-02T05:00:00Z",
        "published": "2025-01-03T00:00:00Z",
    }


def test_defence_is_detection_and_mitigation() -> None:
    assert ONE.text("detection") == (
        "human-review, log-review\n\nA clerk saw a log-in of her own at night."
    )
    assert ONE.text("mitigation") == "Both accounts were locked.\n\nReset passwords"
    assert ONE.text("impact") == "Remote staff could not work."
    assert "Passwords were tried." in ONE.text("summary")


def test_relations_lead_to_owner_place_and_service() -> None:
    assert (ONE.organization, ONE.regions) == ("Norn Exchange", ("Busan",))
    assert ONE.services == ("VPN gateway",)
    assert ONE.people == ("Mira Han",)
    assert [g.name for g in ONE.given if g.kind is ClaimKind.TRIGGER] == ["Password spraying"]


def test_duplicates_know_each_other() -> None:
    assert ONE.duplicates == (DOUBTED.source_id,)
    assert DOUBTED.duplicates == (ONE.source_id,)


def test_what_is_not_determined_is_noted() -> None:
    assert "suspected" in DOUBTED.notes[0].message
    assert not ONE.notes


def test_a_bundle_without_incidents_says_so() -> None:
    given_ = json_document({"type": "bundle", "id": "bundle--1", "objects": [{"type": "malware"}]})
    assert FORMAT.sure(given_) > 0.9
    assert "no incident" in problem(FORMAT, given_).message


@QUICK
@given(mangled(document("stix/bundle.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("stix/bundle.json").text[:length]))
