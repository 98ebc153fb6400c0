"""Addresses of concepts in other vocabularies."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from kg.model.text import quoted

IRI_PATTERN = (
    r"^https?://[^\x00-\x20\x22\x7f/?#:@<>{}|\\^`]+(:[0-9]+)?"
    r"([/?#][^\x00-\x20\x22\x7f<>{}|\\^`]*)?$"
)
"""An absolute IRI of the web, without a sign that RDF forbids in one."""

_IRI = re.compile(IRI_PATTERN)


def absolute_iri(text: str) -> str:
    """The text, when it is an absolute http or https IRI.

    Raises:
        ValueError: it is not.
    """
    if not _IRI.fullmatch(text):
        raise ValueError(
            f"{quoted(text)} is not an absolute http(s) IRI; "
            "write it whole and without spaces, like https://example.org/concept/1"
        )
    return text


Iri = Annotated[
    str, AfterValidator(absolute_iri), Field(json_schema_extra={"pattern": IRI_PATTERN})
]
"""An absolute http(s) IRI."""
