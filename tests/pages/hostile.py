"""Cases and terms in which every text that anybody could write is an attack."""

from __future__ import annotations

from typing import Any

from kg.model import PROSE_FIELDS, Case
from kg.vocab import SCHEMES, Vocabulary
from tests.helpers.tiny import case_data, scheme, term

EVIL = (
    "</p></title></textarea></option></desc>--><script>alert(1)</script>"
    '<img src=x onerror=alert(2)> " onload="alert(3)" \' autofocus onfocus=\'alert(4) '
    "{{ 7*7 }}{% raw %} &lt;b&gt; \u202eevil\u0007 javascript:alert(5) NCCL"
)
"""Ends every element that could hold it, and begins what must not begin."""

MARKS = ("<script>alert", "<img src=x", 'onload="alert', "\u202e", "\u0007", ">49<")
"""What a page with it would hold if anything were not escaped."""

ADDRESSES = ("javascript:alert(6)", "data:text/html,<script>alert(7)</script>", "//evil.example/x")


def hostile_vocabulary() -> Vocabulary:
    """A term in each scheme whose label, alias and definition are all of it hostile."""
    return Vocabulary(
        scheme(
            name,
            term(
                f"{name}:evil",
                f"{EVIL} {name}",
                f"{EVIL} {name} 글",
                aliases={"en": [f"alias {EVIL} {name}"]},
                exact_match=["https://example.org/%3Cscript%3E"],
                **({"type": "software"} if name == "component" else {}),
            ),
        )
        for name in SCHEMES
    )


def hostile_cases() -> list[Case]:
    """Two cases alike, so that they can be compared; nothing in them is harmless but their ids."""
    return [_case("H-1", "confirmed"), _case("H-2", "suspected")]


def _case(case_id: str, status: str) -> Case:
    kinds = (
        "trigger", "cause", "factor", "component", "symptom", "detection", "mitigation",
        "follow_up", "organization",
    )  # fmt: skip
    of_kind = {"detection": "tool", "follow_up": "mitigation"}
    claims = [(k, f"{of_kind.get(k, k)}:evil", status) for k in kinds]
    claims.append(("cause", "cause:evil", "ruled_out"))
    data = case_data(case_id, *claims, published="2024-01-01")
    text = {"en": EVIL, "ko": EVIL}
    for name in PROSE_FIELDS:
        data.setdefault(name, {"en": [], "ko": []})
        if name == "title":
            data[name] = {"en": [EVIL], "ko": [EVIL]}
        else:
            for lang in ("en", "ko"):
                data[name][lang] = [*data[name][lang], EVIL]
    for claim in data["claims"]:
        claim["statement"] = text
        claim["evidence"] = [{**e, "quote": EVIL} for e in claim["evidence"]]
        if claim["kind"] == "mitigation":
            claim.update(outcome=text, conditions=text, caveat=text, result="worked", value=EVIL)
    return Case.model_validate({**data, **_more(text)})


def _more(text: dict[str, str]) -> dict[str, Any]:
    evidence = [{"field": "summary", "lang": "en", "quote": EVIL}]
    sources = [{"kind": "blog", "title": EVIL, "locator": a} for a in ADDRESSES]
    good = {
        "kind": "paper",
        "title": EVIL,
        "locator": 'https://example.org/a"b<c>',
        "archived": True,
    }
    return {
        "severity": EVIL,
        "regions": [EVIL],
        "services": [EVIL],
        "labels": [EVIL],
        "time_to_detect": {"seconds": 60, "text": EVIL},
        "figures": [
            {"id": "evil", "label": text, "value": 1.0, "unit": EVIL, "evidence": evidence}
        ],
        "sources": [*sources, good],
        "references": sources,
        "related": ["H-9"],
    }
