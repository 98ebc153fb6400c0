"""Lines of logs: what stands before the message (time, host, rank, level), and the message.

Known are the kernel's ring buffer in its four forms, syslog and journal, klog and glog (Kubernetes,
PyTorch), the loggers of Python, Java and Go, container run times, NCCL, and logs as JSON lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from kg.readers.clock import moment
from kg.readers.tables import lines_of

MOST_LINE = 20_000
"""Of a longer line its beginning is looked at."""

_LEVEL = (
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|CRIT(?:ICAL)?|ALERT|EMERG|FATAL|PANIC)"
)
_ISO = (
    r"\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?"
    r"(?:\s?(?:Z|UTC|[+-]\d{2}:?\d{2}))?"
)
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_PREFIX = re.compile(
    "|".join(
        (
            r">\s+",
            r"\[\d{1,7}\] (?=\[)",
            r"(?:kern|user|daemon|auth|syslog|local\d)\s*:"
            r"(?:emerg|alert|crit|err|warn|notice|info|debug)\s*:\s",
            rf"\[?(?P<iso>{_ISO})\]?:?(?:\s+|$)(?:std(?:out|err) [FP] )?",
            rf"\[(?P<ctime>{_DAY} {_MONTH}\s+\d{{1,2}} \d{{2}}:\d{{2}}:\d{{2}} \d{{4}})\]\s",
            rf"(?P<syslog>{_MONTH}\s+\d{{1,2}} \d{{2}}:\d{{2}}:\d{{2}})\s+(?P<shost>[\w.-]+)\s+"
            r"(?=[\w./-]+(?:\[\d+\])?:)",
            r"\[\s*(?P<boot>\d+\.\d{1,9})\]\s?",
            r"\[\.\.\.\]\s",
            r"(?P<prio>\d+),\d+,(?P<usec>\d+),[-c+];",
            r"\[?(?P<level>[IWEF])(?P<md>\d{3,4}) (?P<hms>\d{2}:\d{2}:\d{2}(?:\.\d+)?)\s+"
            r"(?:\d+\s+)?[\w./-]+:\d+\]\s?",
            r"\[[IWEF] [\w./-]+:\d+\]\s?",
            r"\[?\[?[Rr]ank\s?(?P<rank>\d{1,6})\]?\]?:?\s?(?=\S)",
            r"\[\d+,(?P<mpi>\d+)\]<std(?:out|err)>:\s?",
            r"\[[^\[\]]{0,60} Rank (?P<pgrank>\d{1,6})\]\s?",
            r"(?P<nhost>[\w.-]+):\d+:\d+ (?:\[\d+\] )?(?=NCCL )",
            r"(?P<khost>[\w.-]+) (?=kernel: )",
            r"(?:kernel|systemd|kubelet|containerd|dockerd|sshd)(?:\[\d+\])?:\s",
            rf"\[?{_LEVEL}\]?(?:\s*[:|-]\s?|\s+)(?=\S)",
        )
    )
)
_TOLD = re.compile(
    r"NVRM: |NCCL (?:INFO|WARN|ERROR)|mlx5_core|oom-kill|Out of memory: Kill|EXT4-fs|XFS \(|"
    r"nvidia-nvswitch\d+: SXid|Traceback \(most recent call last\)|\b(?:BUG|WARNING): |AER: "
)
_FOLLOWS = re.compile(r"\s+\S|Caused by:|\w*(?:Error|Exception)\b[:(]|</?TASK>|---+|\.\.\.")
_WITHIN = re.compile(r"#{1,6} \S|[-*] \[[ x]\]|\|.*\|$|<\w+[ >]")
_LOOKED_AT = 400


@dataclass(frozen=True)
class LogLine:
    """A line of a log.

    Attributes:
        line: its number, from 1.
        message: what is left without what stands before it.
        at: its time: ISO 8601 (`2025-01-21T04:41:44+00:00`), without year where the line has none
            (`--06-26T05:06:30`), or since the machine started (`boot+1843.308145`); "" for none.
        host: the machine that it names, "" for none.
        rank: the rank of the process in its job, None for none.
        prefixed: whether anything stood before the message.
    """

    line: int
    message: str
    at: str = ""
    host: str = ""
    rank: int | None = None
    prefixed: bool = False


def log_lines(text: str, wanted: re.Pattern[str] | None = None) -> Iterator[LogLine]:
    """The lines of a log with what stands before their messages; empty ones are left out.

    Args:
        text: the log.
        wanted: only lines in which this is found.
    """
    for number, line in enumerate(lines_of(text), 1):
        if wanted is not None and not wanted.search(line):
            continue
        if stripped := line[:MOST_LINE].rstrip().removesuffix("\\n"):
            yield log_line(stripped, number)


def log_line(text: str, number: int = 1) -> LogLine:
    """One line: its message, and the time, host and rank before it."""
    if text.startswith("{"):
        return _json_line(text, number)
    at, host, rank, start = "", "", None, 0
    while found := _PREFIX.match(text, start):
        parts = found.groupdict()
        at = at or _time_of(parts)
        host = host or next((parts[k] for k in ("shost", "nhost", "khost") if parts.get(k)), "")
        said = next((parts[k] for k in ("rank", "mpi", "pgrank") if parts.get(k)), None)
        rank = int(said) if said and rank is None else rank
        start = found.end()
    return LogLine(number, text[start:], at, host, rank, start > 0)


def _json_line(text: str, number: int) -> LogLine:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        return LogLine(number, text)
    message = next((m for k in _MESSAGE_KEYS if isinstance(m := data.get(k), str)), None)
    if message is None:
        return LogLine(number, text)
    at = next((t for k in _TIME_KEYS if (t := moment(data.get(k)))), "")
    host = next((h for k in ("host", "hostname", "node") if isinstance(h := data.get(k), str)), "")
    rank = data.get("rank")
    whole = rank if isinstance(rank, int) and not isinstance(rank, bool) else None
    return LogLine(number, message.rstrip(), at, host, whole, bool(at))


_MESSAGE_KEYS = ("message", "msg", "MESSAGE", "log", "body", "event")
_TIME_KEYS = ("time", "timestamp", "@timestamp", "ts", "asctime", "date")


def _time_of(parts: dict[str, str | None]) -> str:
    if iso := parts.get("iso"):
        return moment(iso.replace("/", "-").replace(" UTC", "Z")) or ""
    if written := parts.get("ctime"):
        return _strptime(" ".join(written.split()), "%a %b %d %H:%M:%S %Y", "%Y-%m-%dT%H:%M:%S")
    if written := parts.get("syslog"):
        # Any leap year: 29 February must be read, and the year is not told.
        padded = "2000 " + " ".join(written.split())
        return _strptime(padded, "%Y %b %d %H:%M:%S", "--%m-%dT%H:%M:%S")
    if md := parts.get("md"):
        # PyTorch leaves out the zero of the month: E626 is 26 June.
        return f"--{md[:-2]:0>2}-{md[-2:]}T{(parts.get('hms') or '')[:8]}"
    if boot := parts.get("boot"):
        return f"boot+{boot}"
    if usec := parts.get("usec"):
        return f"boot+{int(usec[:15]) / 1e6:.6f}"
    return ""


def _strptime(text: str, form: str, to: str) -> str:
    try:
        return datetime.strptime(text, form).strftime(to)
    except ValueError:
        return ""


def looks_like_log(text: str) -> bool:
    """Whether a text is made of log lines, not of prose about them.

    Of the first lines, four of five must begin as log lines do or hold a message that only logs
    hold (what follows such a line, as a stack trace does, counts with it). Headings, tables,
    tick boxes and tags of documents are no log lines.
    """
    good = bad = 0
    for line in log_lines(text[:200_000]):
        raw = line.message
        if line.prefixed or _TOLD.search(raw):
            good += 1
        elif _WITHIN.match(raw) or not (good and _FOLLOWS.match(raw)):
            bad += 1
        if good + bad >= _LOOKED_AT:
            break
    return good > 0 and bad * 4 <= good


_PLACEHOLDERS = tuple(
    (re.compile(pattern, re.I), by)
    for pattern, by in (
        (rf"{_ISO}", "<time>"),
        (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "<uuid>"),
        (r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", "<mac>"),
        (r"\b(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}(?:\.[0-7])?\b(?!:)", "<pci>"),
        (r"\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?\b", "<ip>"),
        (r"\b0x[0-9a-f]+\b", "<hex>"),
        (r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b", "<hash>"),
        (r"\brank[ =:]?\d+\b", "rank <n>"),
        (r"\b(pid|tid|uid|process)([ =:]{1,2})\d+\b", r"\1\2<n>"),
        (r"(?<![\w.])\d{5,}(?![\w.])", "<n>"),
    )
)


def normalised(message: str) -> str:
    """A message with what changes from line to line written alike.

    Times, addresses (PCI, MAC, IP, memory), hashes, ranks, process numbers and numbers of five
    digits and more become placeholders such as `<pci>`; error codes and short numbers stay.
    """
    text = " ".join(message.split())
    for pattern, by in _PLACEHOLDERS:
        text = pattern.sub(by, text)
    return text
