"""Libraries made for exporting: nasty texts, shuffled input, and what stands in a folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kg.export.formats import write_export
from kg.graph import IncidentGraph
from kg.model import Case
from kg.store import Snapshot
from tests.helpers.libraries import make_snapshot
from tests.helpers.tiny import case_data, tiny_cases, tiny_vocabulary

NASTY = (
    'it\'s "quoted" & <b>bold</b> </data> ]]> -->',
    "'}] AS row MATCH (n) DETACH DELETE n; //",
    "\\'}] AS row MATCH (n) DETACH DELETE n; //",
    "\\u0027}] AS row MATCH (n) DETACH DELETE n; //",
    "\\\\u0027 ends in a backslash \\",
    "tab\there, line\nend, return\rhere, both\r\nhere",
    "=cmd|' /C calc'!A0",
    "`; DROP TABLE cases; --",
    "세 번째 \u2028 줄 \u2029 끝 \x85 다",
    "nul \x00 bell \x07 \ufffe end \u202e turned",
    "\\N NULL null None",
    "a,b;c|d \U0001f525",
)
"""Texts that break out of files whose writer is careless."""


def nasty_case(case_id: str = "X-1") -> Case:
    """A case whose texts, statements and values are the nasty ones."""
    data = case_data(case_id, ("cause", "cause:race"), ("symptom", "symptom:slow", "ruled_out"))
    data["summary"] = {"en": list(NASTY)}
    data["title"] = {"en": [NASTY[0]], "ko": [NASTY[8]]}
    data["severity"] = NASTY[2]
    data["claims"] += [
        {
            "kind": "component",
            "terms": ["component:nccl"],
            "role": "involved",
            "statement": {"en": text, "ko": f"말: {text}"},
            "value": text,
            "evidence": [{"field": "summary", "lang": "en", "quote": text.strip()}],
        }
        for text in NASTY
    ]
    data["sources"] = [{"kind": "blog", "title": NASTY[1], "locator": "https://a.example/?a='&b"}]
    return Case.model_validate(data)


def snapshot_of(cases: Iterable[Case]) -> Snapshot:
    return make_snapshot(list(cases), tiny_vocabulary())


def nasty_snapshot() -> Snapshot:
    return snapshot_of([*tiny_cases(), nasty_case()])


def graph_of(snapshot: Snapshot) -> IncidentGraph:
    return IncidentGraph(snapshot.cases, snapshot.vocabulary)


def exported(snapshot: Snapshot, folder: Path, form: str) -> Path:
    """The snapshot, exported."""
    return write_export(snapshot, lambda: graph_of(snapshot), folder, form).folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its name within it."""
    files = sorted(f for f in folder.rglob("*") if f.is_file())
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in files}
