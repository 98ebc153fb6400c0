"""All formats that documents are recognised in."""

from __future__ import annotations

from kg.readers.formats import (
    alerts,
    atlas,
    awshealth,
    beir,
    case,
    datadog,
    feed,
    firehydrant,
    gcp,
    html_page,
    incidentio,
    jira,
    jira_csv,
    library_page,
    log,
    markdown,
    opsgenie,
    otel,
    pagerduty,
    plain_text,
    records,
    rootly,
    schemas,
    servicenow,
    servicenow_csv,
    statuspage,
    stix,
    veris,
)
from kg.readers.formats.format import Format

FORMATS: tuple[Format, ...] = tuple(
    sorted(
        (
            module.FORMAT
            for module in (
                alerts, atlas, awshealth, beir, case, datadog, feed, firehydrant, gcp, html_page,
                incidentio, jira, jira_csv, library_page, log, markdown, opsgenie, otel,
                pagerduty, plain_text, records, rootly, schemas, servicenow, servicenow_csv,
                statuspage, stix, veris,
            )
        ),
        key=lambda one: one.name,
    )
)  # fmt: skip
"""Sorted by name; a document is taken for the one that is surest of it."""
