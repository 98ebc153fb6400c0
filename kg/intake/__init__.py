"""From drafts of foreign documents to cases: structure, identity, review, redaction.

`kg.intake.plan`, which puts all of it together, is imported by its name: it loads every reader.
"""

from kg.intake.identity import Known, KnownCases, case_id_for, digest_of, found_again
from kg.intake.merging import Difference, Merged, merged
from kg.intake.parts import Merges, whole_ids
from kg.intake.redaction import redacted
from kg.intake.review import checked_review, claiming, followed, reviewed
from kg.intake.secrets import KINDS
from kg.intake.structure import Structured, structured

__all__ = [
    "KINDS",
    "Difference",
    "Known",
    "KnownCases",
    "Merged",
    "Merges",
    "Structured",
    "case_id_for",
    "checked_review",
    "claiming",
    "digest_of",
    "followed",
    "found_again",
    "merged",
    "redacted",
    "reviewed",
    "structured",
    "whole_ids",
]
