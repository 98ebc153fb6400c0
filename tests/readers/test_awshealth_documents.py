"""AWS Health: epoch seconds, categories, public data."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.readers.document import Document
from kg.readers.draft import Draft
from kg.readers.formats.awshealth import FORMAT
from tests.helpers.foreign import dates, document, draft, json_document, mangled, problem, survives
from tests.helpers.strategies import QUICK


def test_an_issue_has_times_places_and_its_description() -> None:
    issue, change = FORMAT.read(document("awshealth/details.json"))
    assert isinstance(issue, Draft)
    assert dates(issue) == {"started": "2024-05-02T08:00:00Z", "ended": "2024-05-02T10:30:00Z"}
    assert issue.services == ("EC2",)
    assert issue.regions == ("ap-northeast-2", "ap-northeast-2a")
    assert issue.text("summary").endswith("A core device failed.")
    assert isinstance(change, Problem)
    assert "scheduled change" in change.message


def test_public_data_end_with_the_message_that_says_so() -> None:
    one = draft(FORMAT, document("awshealth/public.json"))
    assert dates(one) == {"started": "2024-05-02T08:00:00Z", "ended": "2024-05-02T10:00:00Z"}
    assert one.title == "Launches fail"
    assert [p.text for p in one.passages] == ["We see failed launches.", "Launches work again."]
    assert one.regions == ("N. Virginia",)


def test_the_old_public_file_names_no_end() -> None:
    archive = [
        {
            "service_name": "Amazon S3", "summary": "[RESOLVED] Errors", "date": "1525910400",
            "status": "1", "details": "", "service": "s3",
            "description": "<div><span> 4:32 PM PDT</span>&nbsp;We investigate.</div>",
        }
    ]  # fmt: skip
    one = draft(FORMAT, json_document({"current": [], "archive": archive}))
    assert dates(one) == {"started": "2018-05-10T00:00:00Z"}
    assert one.text("summary") == "4:32 PM PDT We investigate."
    assert one.source_id == "s3-1525910400"
    assert "times of day only" in one.notes[0].message


def test_an_event_on_eventbridge_is_read() -> None:
    event = {
        "source": "aws.health",
        "detail": {
            "eventArn": "arn:9", "service": "S3", "eventTypeCode": "AWS_S3_OPERATIONAL_ISSUE",
            "eventTypeCategory": "issue", "startTime": "Sat, 04 Jun 2022 05:01:10 GMT",
            "endTime": "Sat, 04 Jun 2022 06:01:10 GMT", "statusCode": "open",
            "eventRegion": "us-east-1",
            "eventDescription": [{"language": "en_US", "latestDescription": "Errors."}],
        },
    }  # fmt: skip
    one = draft(FORMAT, json_document(event))
    assert dates(one) == {"started": "2022-06-04T05:01:10Z"}
    assert one.regions == ("us-east-1",)
    assert FORMAT.sure(json_document(event)) > 0.9


def test_events_without_description_say_what_to_export() -> None:
    events = {"events": [{"arn": "a", "eventTypeCode": "AWS_X", "service": "X"}]}
    assert "description" in draft(FORMAT, json_document(events)).notes[0].message


def test_an_export_of_nothing_says_so() -> None:
    assert "no incident" in problem(FORMAT, json_document({"events": []})).message


@QUICK
@given(mangled(document("awshealth/details.json").data))
def test_no_mangled_record_raises(value: object) -> None:
    survives(FORMAT, json_document(value))


@QUICK
@given(st.integers(0, 6000))
def test_no_truncated_text_raises(length: int) -> None:
    survives(FORMAT, Document("cut.json", document("awshealth/details.json").text[:length]))
