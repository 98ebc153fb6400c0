"""From drafts of foreign documents to cases: structure, identity, review, redaction."""

from kg.intake.identity import Known, case_id_for, digest_of, found_again
from kg.intake.structure import Structured, structured

__all__ = [
    "Known",
    "Structured",
    "case_id_for",
    "digest_of",
    "found_again",
    "structured",
]
