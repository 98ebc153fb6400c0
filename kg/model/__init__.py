"""The records: case, claim, evidence span, source, figure, term, scheme. Frozen and validated."""

from kg.model.case import (
    LABELS_FIELD,
    LINE_FIELDS,
    PROSE_FIELDS,
    RELATED_FIELD,
    SERVICES_FIELD,
    SOURCE_FIELD,
    Case,
    CaseKind,
    FieldState,
    Link,
    Source,
    SourceKind,
)
from kg.model.change import Change, Operation, Part, Retag
from kg.model.claim import ROLES, Claim, ClaimKind, Result, Role, Status
from kg.model.frames import Frame, parse_frame
from kg.model.origin import Made, MadeBy, Origin
from kg.model.review import Action, Apart, Decision, Review, Revision
from kg.model.term import MATCHES, Scheme, Term, TermRelation
from kg.model.text import Prose, Text
from kg.model.values import DateKind, Duration, Figure, Span, When, parse_duration

__all__ = [
    "LABELS_FIELD",
    "LINE_FIELDS",
    "MATCHES",
    "PROSE_FIELDS",
    "RELATED_FIELD",
    "ROLES",
    "SERVICES_FIELD",
    "SOURCE_FIELD",
    "Action",
    "Apart",
    "Case",
    "CaseKind",
    "Change",
    "Claim",
    "ClaimKind",
    "DateKind",
    "Decision",
    "Duration",
    "FieldState",
    "Figure",
    "Frame",
    "Link",
    "Made",
    "MadeBy",
    "Operation",
    "Origin",
    "Part",
    "Prose",
    "Result",
    "Retag",
    "Review",
    "Revision",
    "Role",
    "Scheme",
    "Source",
    "SourceKind",
    "Span",
    "Status",
    "Term",
    "TermRelation",
    "Text",
    "When",
    "parse_duration",
    "parse_frame",
]
