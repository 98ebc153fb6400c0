"""Schemas (OpenAPI, JSON Schema): recognised, to say that there is no incident in them."""

from __future__ import annotations

from typing import Any

from kg.errors import Problem
from kg.readers.document import Document
from kg.readers.formats.format import Format, Reading

NAME = "schema"


def sure(document: Document) -> float:
    """How surely a document describes a format and holds no records."""
    data = document.data
    if not isinstance(data, dict) or not data:
        return 0.0
    if ("openapi" in data or "swagger" in data) and "info" in data:
        return 0.9
    if "$schema" in data and ("properties" in data or "definitions" in data or "$defs" in data):
        return 0.9
    return 0.8 if all(_describes(value) for value in data.values()) else 0.0


def _describes(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.get("type") == "object"
        and isinstance(value.get("properties"), dict)
    )


def read(document: Document) -> Reading:
    """One problem that says what the document is."""
    told = "describes a format (a schema), so there is no incident in it"
    yield Problem(document.name, 0, "", told, "Give the records that were exported in this format")


FORMAT = Format(
    name=NAME,
    about="OpenAPI or JSON Schema: no incidents; refused with a reason",
    suffixes=(".json",),
    sure=sure,
    read=read,
)
