"""Where a paragraph of undivided prose belongs, by the words that open it."""

from __future__ import annotations

import re

_OPENINGS = (
    (
        "cause",
        r"(?:the|our|this|a) (?:root|underlying|primary|main|ultimate) cause\b|root cause\b"
        r"|(?:the|this) (?:issue|problem|incident|outage|disruption|failure|event|error)s? "
        r"(?:stemmed from|was caused by|were caused by|was due to|resulted from|was the result of)"
        r"|what went wrong|(?:근본 )?원인은|장애 원인|根本原因|原因は|原因是",
    ),
    (
        "trigger",
        r"the trigger\b|(?:the|this) (?:incident|event|outage|disruption) "
        r"(?:was triggered|(?:began|started) (?:when|after|with))|촉발",
    ),
    (
        "mitigation",
        r"to (?:resolve|mitigate|fix|recover|restore|remedy|address) (?:this|the|service)\b"
        r"|(?:we|engineers|the team) (?:mitigated|resolved|rolled back|reverted|restored|fixed)\b"
        r"|(?:upon|after) (?:discovery|detection)\b|a fix was\b|the fix was\b|복구를 위해|조치로",
    ),
    (
        "follow_up",
        r"going forward\b|to (?:prevent|avoid|reduce|ensure) (?:this|the|a|such|similar|that)\b"
        r"|in order to prevent\b|we(?: are|'re|’re| will|'ll|’ll) (?:also )?"
        r"(?:making|taking|auditing|improving|adding|implementing|working on|make|take|add|improve"
        r"|implement)\b|(?:several|the following|two|three) (?:key )?(?:changes|improvements"
        r"|actions)"
        r"|status: (?:done|unresolved|resolved|declined|in progress|pending|open|stalled)\b"
        r"|next steps\b|앞으로|재발 ?방지|今後",
    ),
    (
        "detection",
        r"(?:at [^,]{3,25}, )?(?:the first|our|internal|automated) (?:alarms?|alerts?|monitoring|"
        r"monitors?)\b|(?:we|engineers|the team) (?:were|was) (?:alerted|paged|notified)\b",
    ),
    ("impact", r"(?:this|the (?:incident|outage|issue)) (?:impacted|affected)\b|impact(?:ed)?:"),
    ("lesson", r"(?:we|the team) (?:have )?learn(?:ed|t)\b|(?:the|our) (?:main )?lessons?\b|교훈"),
)  # fmt: skip


def field_by_opening(paragraph: str) -> str | None:
    """The field that the first words of a paragraph name, None when they name none."""
    head = paragraph[:120].lstrip("*_-• ")
    return next((name for name, said in _OPENINGS if re.match(said, head, re.I)), None)
