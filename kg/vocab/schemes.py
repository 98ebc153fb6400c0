"""The names of the schemes, and which of them each relation between terms may join."""

from __future__ import annotations

from collections.abc import Mapping

from kg.model import TermRelation

SCHEMES = (
    "cause",
    "trigger",
    "factor",
    "symptom",
    "component",
    "mitigation",
    "organization",
    "tool",
)
"""The controlled lists, in the order in which they are shown."""

RELATION_SCHEMES: Mapping[TermRelation, tuple[tuple[str, str], ...]] = {
    TermRelation.PART_OF: (
        ("component", "component"),
        ("component", "tool"),
        ("tool", "component"),
        ("tool", "tool"),
    ),
    TermRelation.DEPENDS_ON: (("component", "component"), ("tool", "component")),
    TermRelation.VARIANT_OF: tuple((scheme, scheme) for scheme in SCHEMES),
    TermRelation.DOES_NOT_COVER: (
        ("component", "component"),
        ("mitigation", "component"),
        ("tool", "component"),
    ),
}
"""The (scheme, scheme) pairs that each relation may join; the graph allows these and no others."""
