"""Atom and RSS feeds of status pages and of outages."""

from __future__ import annotations

import pytest

from kg.readers.formats.feed import FORMAT
from tests.helpers.drafts import document, read, said, times


def test_incidents_of_a_status_page() -> None:
    (first, second), (maintenance,) = read(FORMAT, "feed/status.atom")
    assert (first.title, first.source_id) == ("Checkout errors", "ab12cd34ef")
    assert (first.system, first.organization) == ("status.shop.example", "Shop")
    assert [(p.field, p.heading, p.text) for p in first.passages] == [
        ("symptom", "Investigating Dec 31, 23:10 UTC", "Some payments fail."),
        ("mitigation", "Monitoring Dec 31, 23:50 UTC", "A change was rolled back."),
        ("summary", "Resolved Jan 1, 01:30 UTC", "Payments work again & all is well."),
    ]
    assert first.updated == "2024-01-03T08:00:00Z"
    assert first.source is not None
    assert first.source.address == "https://status.shop.example/incidents/ab12cd34ef"
    assert second.source_id == "zz99yy88xx"
    assert "scheduled maintenance" in maintenance.message
    assert "Database upgrade" in maintenance.message


def test_updates_without_year_across_the_turn_of_the_year() -> None:
    (first, _), _ = read(FORMAT, "feed/status.atom")
    assert times(first) == {
        "published": "2024-01-01T01:30:00Z",
        "started": "2023-12-31T23:10Z",
        "ended": "2024-01-01T01:30Z",
    }


def test_the_stretch_that_a_text_states_is_truer_than_the_updates() -> None:
    (_, second), _ = read(FORMAT, "feed/status.atom")
    assert times(second)["started"] == "2023-11-05T08:15Z"
    assert times(second)["ended"] == "2023-11-05T09:40Z"


def test_an_incident_that_is_not_over_has_no_end() -> None:
    text = document("feed/status.atom").text.replace(
        "&lt;strong&gt;Resolved", "&lt;strong&gt;Update"
    )
    (first, _), _ = read(FORMAT, "a.atom", text)
    assert "ended" not in times(first)


def test_a_list_of_outages() -> None:
    (draft,), (empty,) = read(FORMAT, "feed/outages.atom")
    assert draft.title == "2026-05-05 NIC Example"
    assert draft.source_id == "https://lists.example.org/outages/2026-05-05 NIC Example.md"
    assert draft.text("cause") == "key rotation was faulty\n\n<nobody> watched it"
    assert draft.text("impact").split("\n\n")[-1] == "all signed domains"
    assert times(draft) == {
        "published": "2026-05-05",
        "started": "2026-05-05T21:30",
        "ended": "2026-05-06T03:30",
    }
    assert all(w.approx for w in draft.dates if w.kind != "published")
    assert "taken for the next day" in said(draft)
    assert "https://news.example.org/nic" in [link.href for link in draft.links]
    assert draft.time_to_recover is None
    assert "Nothing but a title" in empty.message


def test_rss() -> None:
    (draft,), problems = read(FORMAT, "feed/outages.rss")
    assert problems == []
    assert (draft.title, draft.source_id) == ("Mail & calendar down", "note-7")
    assert draft.people == ("Ola Nordmann",)
    assert draft.text("cause") == "The root cause was a full disk."
    assert times(draft) == {
        "published": "2024-01-09T18:00:00+01:00",
        "started": "2024-01-09T08:00+01:00",
        "ended": "2024-01-09T10:30+01:00",
    }


def test_entries_before_a_break_come_and_the_break_is_told() -> None:
    text = document("feed/status.atom").text
    cut = text[: text.index("Search degraded") + 40]
    drafts, (problem,) = read(FORMAT, "a.atom", cut)
    assert [d.title for d in drafts] == ["Checkout errors"]
    assert "its XML is broken here" in problem.message
    assert problem.line == cut.count("\n") + 1


@pytest.mark.parametrize(
    "prolog", ['<!DOCTYPE x [<!ENTITY a "b">]>', '<!DOCTYPE feed SYSTEM "file:///etc/passwd">']
)
def test_document_types_and_entities_are_refused(prolog: str) -> None:
    drafts, (problem,) = read(
        FORMAT, "a.xml", f"<?xml version='1.0'?>{prolog}<feed><entry/></feed>"
    )
    assert drafts == []
    assert "refused" in problem.message


def test_a_feed_without_entries() -> None:
    drafts, (problem,) = read(FORMAT, "a.xml", "<rss><channel><title>x</title></channel></rss>")
    assert drafts == []
    assert "no text" in problem.message


def test_xhtml_content() -> None:
    text = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title><content type="xhtml">'
        '<div xmlns="http://www.w3.org/1999/xhtml"><h2>Impact</h2><p>All <b>pages</b>.</p></div>'
        "</content></entry></feed>"
    )
    (draft,), _ = read(FORMAT, "a.xml", text)
    assert draft.text("impact") == "All pages."


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("<?xml version='1.0'?>\n<!-- x -->\n<feed xmlns='a'>", 0.95),
        ("<rss version='2.0'>", 0.95),
        ("  <rdf:RDF>", 0.95),
        ("<html><feed>", 0.0),
        ("<feedback>", 0.0),
        ("# <feed>", 0.0),
        ("", 0.0),
    ],
)
def test_recognition(text: str, sure: float) -> None:
    assert FORMAT.sure(document("a.xml", text)) == sure


@pytest.mark.parametrize("link", ["http://[bad", "ftp://x", "", "http://", "javascript:alert(1)"])
def test_links_that_are_no_addresses(link: str) -> None:
    item = f"<item><link>{link}</link><description>It broke.</description></item>"
    text = f"<rss><channel>{item}</channel></rss>"
    (draft,), problems = read(FORMAT, "a.xml", text)
    assert problems == []
    assert (draft.title, draft.system, draft.source_id) == ("It broke.", "", "")


def test_the_name_of_a_feed_says_nothing_of_its_entries() -> None:
    text = (
        "<rss><channel><item><description>It broke at 10:00.</description></item></channel></rss>"
    )
    (draft,), _ = read(FORMAT, "2024-05-01 logbook INC-7.xml", text)
    assert (draft.dates, draft.kind, draft.source_id) == ((), "incident", "")
