"""Colours, line styles and fixed words of the pictures and pages."""

from __future__ import annotations

from collections.abc import Mapping

from kg.model import Status

FONT = "'Noto Sans CJK KR','Noto Sans KR','Apple SD Gothic Neo','Malgun Gothic',sans-serif"

# Okabe and Ito (2008): colours that colour-blind readers can tell apart; two more for kinds
# that their eight do not reach.
COLOURS: Mapping[str, str] = {
    "case": "#56B4E9",
    "text": "#56B4E9",
    "trigger": "#0072B2",
    "cause": "#D55E00",
    "component": "#009E73",
    "symptom": "#E69F00",
    "factor": "#CC79A7",
    "mitigation": "#7A6FB0",
    "tool": "#7F7F7F",
}
TINTS: Mapping[str, str] = {
    "case": "#DAEEFA",
    "text": "#DAEEFA",
    "trigger": "#CFE3F0",
    "cause": "#F6D9C8",
    "component": "#C8E9DE",
    "symptom": "#FBEACB",
    "factor": "#F4E1EC",
    "mitigation": "#E1DDF0",
    "tool": "#E6E6E6",
}
INK, GREY, RULE, GROUND = "#111111", "#555555", "#DDDDDD", "#ffffff"
"""Letters, quiet letters, fine lines and the ground of a picture in the light."""

_DARK_TINTS: Mapping[str, str] = {
    "case": "#163446",
    "trigger": "#12304a",
    "cause": "#4a2413",
    "component": "#0f3d31",
    "symptom": "#47340c",
    "factor": "#432c3a",
    "mitigation": "#2f2a4a",
    "tool": "#3a3a3a",
}
DARK: Mapping[str, str] = {
    GROUND: "#1d2126",
    INK: "#e8eaed",
    GREY: "#a9b1ba",
    RULE: "#3a4149",
    **{TINTS[kind]: tint for kind, tint in _DARK_TINTS.items()},
}
"""For each colour of a picture that does not suit a dark page, the one that does. A style sheet
puts it in place: pictures themselves have no style, which strict pages would refuse."""


def dark_rules(scope: str) -> str:
    """Rules of a style sheet by which the pictures within a scope follow a dark system."""
    rules = [
        f'{scope} [{name}="{light}"] {{ {name}: {dark}; }}'
        for light, dark in DARK.items()
        for name in ("fill", "stroke")
    ]
    rules.append(f"{scope} text:not([fill]) {{ fill: {DARK[INK]}; }}")
    inner = "\n".join(f"  {rule}" for rule in rules)
    return f"@media (prefers-color-scheme: dark) {{\n{inner}\n}}\n"


KINDS: Mapping[str, tuple[str, str]] = {
    "case": ("Case", "사례"),
    "text": ("Text", "글"),
    "trigger": ("Trigger", "촉발"),
    "cause": ("Cause", "원인"),
    "component": ("Component", "구성 요소"),
    "symptom": ("Symptom", "증상"),
    "factor": ("Contributing factor", "기여 요인"),
    "mitigation": ("Mitigation", "조치"),
    "tool": ("Detection tool", "감지 도구"),
    "organization": ("Organisation", "조직"),
    "source": ("Source", "출처"),
}
"""The name of each kind of node, in English and Korean."""

STATUS: Mapping[Status, tuple[str, str, str]] = {
    Status.CONFIRMED: ("", "confirmed", "확정"),
    Status.SUSPECTED: ("6 4", "suspected", "의심"),
    Status.RULED_OUT: ("1.5 4", "ruled out", "배제"),
}
"""The dashes of a line of each status, and its name."""
