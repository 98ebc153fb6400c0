"""One document that tells of many events under dated headings: a diary, a report of a month.

Each dated part that tells of a failure is an event of its own; all else stays together as the
series. A diary also holds launches, changes and thoughts, which are no incidents.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kg.readers.blocks import Section
from kg.readers.headings import role_of
from kg.readers.spoken import events_spoken_of
from kg.readers.times_in_prose import Near, find_times, settle

DIARY = 3
"""How many dated headings of one depth make a diary."""

_EDGE = " \t-–—:|,.()[]*·#"
_DAY_OPEN = re.compile(r"^\W*((?:19|20)\d{2})-(0[1-9]|1[0-2])-(?:xx|\?\?)\b\W*(.*)$", re.I)
_LABEL = re.compile(r"^[*_]*([A-Za-z가-힣][^:：\n]{0,40}?)\s*[:：]", re.M)
_FAILED = re.compile(
    r"\b(?:crash\w*|h[au]ng(?:s|ing)?|fail(?:s|ed|ure|ures|ing)?|died|dies|dead|broke\w*"
    r"|break(?:s)? down"
    r"|xid|oom|out of memory|nan|inf|diverg\w*|disconverg\w*|explod\w*|explosion|spik(?:es?"
    r"|ing)|stuck|deadlock\w*"
    r"|timeouts?|timed out|corrupt\w*|unexpected\w*|loses? connection|lost|missing gpus?"
    r"|segfault\w*"
    r"|went down|goes down|is down|outage\w*|incident|errors?|doesn't (?:quit|start|work)"
    r"|drop in throughput"
    r"|slowdown|degrad\w*|unavailab\w*|preempt\w*|ecc)\b"
    r"|장애|중단|실패|멈[춤췄추]|오류|죽[었음]|발산|다운|고장|障害|エラー|停止|故障|挂|崩|爆炸|失联|掉卡|报错|异常|终止|中断|失败|宕|卡住|超时|发散"
    , re.I
)  # fmt: skip


@dataclass(frozen=True)
class Dated:
    """A part of a document under a dated heading.

    Attributes:
        at: its date as `When.at` has it, to the month where the day is left open.
        words: the heading without the date.
        sections: its section and those below it.
        report: whether it has parts such as Impact and Root cause of its own.
    """

    at: str
    words: str
    sections: tuple[Section, ...]
    report: bool = False

    @property
    def failed(self) -> bool:
        """Whether it tells of a failure."""
        if self.report:
            return True
        texts = (b.text for s in self.sections for b in s.blocks if b.kind != "code")
        return any(tells_of_failure(t[:1500]) for t in (self.words, *texts))


def tells_of_failure(text: str) -> bool:
    """Whether a text of a diary speaks of a crash, a hang, a fault or the like."""
    return _FAILED.search(text) is not None


def heading_date(heading: str, near: Near) -> tuple[str, str] | None:
    """The date that begins or ends a heading, and the rest; None when there is none."""
    if found := _DAY_OPEN.match(heading):
        return f"{found[1]}-{found[2]}", found[3]
    for one in find_times(heading):
        before, after = heading[: one.start].strip(_EDGE), heading[one.end :].strip(_EDGE)
        at, _ = settle(one, near)
        if one.dated and at and not (before and after):
            return at, before or after
    return None


def dated_parts(parts: Sequence[Section], near: Near) -> tuple[list[Dated], str]:
    """The dated parts of a document that tells of many events, and why it was not divided.

    There are none when it tells of one event, or says that it tells of another number of events
    than has dated headings.

    Three dated headings of one depth make a diary. Under a timeline they are its days, unless
    two or more of them have parts such as Impact and Root cause of their own.
    """
    found = {
        i: d for i, s in enumerate(parts) if s.heading and (d := heading_date(s.heading, near))
    }
    depths = Counter(parts[i].level for i in found)
    if not depths:
        return [], ""
    depth = min(depths, key=lambda level: (-depths[level], level))
    made = [_part(parts, i, *found[i]) for i in found if parts[i].level == depth]
    reports = sum(_own_parts(d) >= 2 for d in made) == len(made) >= 2
    of_timeline = any("timeline" in map(role_of, parts[i].above) for i in found)
    if not reports and (len(made) < DIARY or of_timeline):
        return [], ""
    said = events_spoken_of("\n".join(b.text for s in parts[:12] for b in s.blocks[:4]))
    if said not in (None, len(made)):
        return [], f"it speaks of {said} events, and {len(made)} parts are dated"
    return [replace(d, report=reports) for d in made], ""


def _part(parts: Sequence[Section], i: int, at: str, words: str) -> Dated:
    end = i + 1
    while end < len(parts) and parts[end].level > parts[i].level:
        end += 1
    return Dated(at, words, tuple(parts[i:end]))


def _own_parts(part: Dated) -> int:
    """How many parts of a report (impact, cause, timeline …) a dated part has of its own."""
    wanted = {"impact", "cause", "timeline", "duration", "mitigation", "follow_up", "trigger"}
    labels = (m[1] for s in part.sections for b in s.blocks for m in _LABEL.finditer(b.text))
    return len({role_of(n) for n in (*labels, *(s.heading for s in part.sections[1:]))} & wanted)
