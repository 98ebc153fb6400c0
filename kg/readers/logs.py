"""What a log says: distinct findings, each with how often, when and where it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kg.readers.loglines import LogLine, log_lines, looks_like_log, normalised
from kg.readers.logrules import HINT, RULES, Rule
from kg.readers.xid import xid_name
from kg.vocab import Vocabulary

MOST_MESSAGES = 8
"""How many different messages a finding keeps."""

_NORMALISED = 200
"""Of how many messages of a finding it is looked whether they differ."""

MOST_PLACES = 1000
"""How many devices, ranks and hosts a finding keeps."""

TERM_SCHEMES = ("symptom", "trigger", "cause")
"""Where the term of a finding's name is looked for, in this order; that of its meaning only among
symptoms."""

_DEVICE = re.compile(
    r"\(PCI:([0-9a-fA-F:.]+)\)|\bGPU ([0-9a-fA-F]{2,4}:[0-9a-fA-F:.]+)|\bmlx5_core ([0-9a-f:.]+):"
    r"|\bXid \(([0-9a-fA-F:.]+)\)"
)
_RANK = re.compile(r"\b[Rr]ank ?(\d{1,6})\b")
_PIECES = re.compile(r"NVRM: The NVIDIA GPU ", re.I)
_MOST_PIECES = 4


@dataclass(frozen=True)
class Finding:
    """Something that a log says, once or often.

    Attributes:
        kind: what it comes from, as `Rule.kind`.
        name: what it is called, such as `Xid 79`, `CUDA out of memory`, `exit code 137`.
        count: how many messages say it.
        first, last: times of the first and the last of them, as `LogLine.at`; "" without.
        line: number of the first line that says it, from 1.
        example: its message; the pieces of one over several lines are joined.
        messages: different messages among the first, with what changes replaced (`normalised`).
        devices, hosts, ranks: what the messages name, sorted.
        meaning: what the maker's documentation calls it; "" where the name says it all.
        terms: ids of the terms of the vocabulary that have this name, or this meaning.
    """

    kind: str
    name: str
    count: int
    first: str
    last: str
    line: int
    example: str
    messages: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    meaning: str = ""
    terms: tuple[str, ...] = ()


@dataclass
class _Sum:
    """A finding while it is being counted."""

    rule: Rule
    start: LogLine
    count: int = 0
    first: str = ""
    last: str = ""
    messages: dict[str, None] = field(default_factory=dict)
    devices: set[str] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)
    ranks: set[int] = field(default_factory=set)

    def add(self, line: LogLine) -> None:
        self.count += 1
        self.first = self.first or line.at
        self.last = line.at or self.last
        if len(self.messages) < MOST_MESSAGES and self.count <= _NORMALISED:
            self.messages.setdefault(normalised(line.message))
        for found in _DEVICE.finditer(line.message):
            if len(self.devices) < MOST_PLACES:
                self.devices.add(next(g for g in found.groups() if g).rstrip(":."))
        said = {int(r) for r in _RANK.findall(line.message)}
        if len(self.ranks) < MOST_PLACES:
            self.ranks |= said or ({line.rank} if line.rank is not None else set())
        if line.host and len(self.hosts) < MOST_PLACES:
            self.hosts.add(line.host)


def log_findings(text: str, vocabulary: Vocabulary | None = None) -> tuple[Finding, ...]:
    """The distinct findings of a log, in order of their first lines.

    Args:
        text: log lines, or any text that holds some.
        vocabulary: where terms are looked up; only a spelling that one term alone has counts.

    A message that the kernel broke over several lines counts as one. What a rule does not know is
    not in the answer: an empty answer does not say that nothing is wrong.
    """
    sums: dict[tuple[str, str], _Sum] = {}
    for line in _joined(log_lines(text, HINT)):
        for name, rule in _named(line.message):
            sums.setdefault((rule.kind, name), _Sum(rule, line)).add(line)
    return tuple(_finding(name, one, vocabulary) for (_, name), one in sums.items())


def _joined(lines: Iterator[LogLine]) -> Iterator[LogLine]:
    """The lines, those of the driver's message on a lost GPU put together.

    The driver writes it in three: `The NVIDIA GPU 0000:b3:00.0`, `(PCI ID: …) installed in this
    system has`, `fallen off the bus and is not responding to commands.`
    """
    held: LogLine | None = None
    pieces = 0
    for line in lines:
        if held is not None and line.message.lstrip().startswith("NVRM: "):
            more = line.message.strip().removeprefix("NVRM: ").lstrip()
            if not _PIECES.match(line.message) and pieces < _MOST_PIECES:
                held, pieces = replace(held, message=f"{held.message.strip()} {more}"), pieces + 1
                if "fallen off the bus" in more:
                    yield held
                    held = None
                continue
        if held is not None:
            yield held
            held = None
        if _PIECES.match(line.message) and "fallen off" not in line.message:
            held, pieces = line, 1
        else:
            yield line
    if held is not None:
        yield held


def _named(message: str) -> Iterator[tuple[str, Rule]]:
    """The names of what a message says, each once."""
    seen: set[str] = set()
    for rule in RULES:
        if not any(need in message for need in rule.needs):
            continue
        for found in rule.pattern.finditer(message):
            name = rule.name.format(*found.groups())
            if name not in seen:
                seen.add(name)
                yield name, rule


def _finding(name: str, one: _Sum, vocabulary: Vocabulary | None) -> Finding:
    meaning = xid_name(int(name[4:])) if name.startswith("Xid ") else ""
    return Finding(
        kind=one.rule.kind,
        name=name,
        count=one.count,
        first=one.first,
        last=one.last,
        line=one.start.line,
        example=one.start.message.strip(),
        messages=tuple(one.messages),
        devices=tuple(sorted(one.devices)),
        hosts=tuple(sorted(one.hosts)),
        ranks=tuple(sorted(one.ranks)),
        meaning=meaning,
        terms=_terms(name, meaning, one.rule, vocabulary) if vocabulary is not None else (),
    )


def _terms(name: str, meaning: str, rule: Rule, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The terms whose label or alias is exactly the name or the meaning."""
    named = "" if rule.spelling == "-" else rule.spelling or name
    asked = [(named, TERM_SCHEMES), (meaning, TERM_SCHEMES[:1])]
    found = (_term(spelling, schemes, vocabulary) for spelling, schemes in asked if spelling)
    return tuple(dict.fromkeys(t for t in found if t))


def _term(spelling: str, schemes: Sequence[str], vocabulary: Vocabulary) -> str:
    """The one term of the first of the schemes that has terms of this spelling; "" for none."""
    all_found = (vocabulary.lookup(spelling, scheme) for scheme in schemes)
    first = next((found for found in all_found if found), [])
    return first[0].id if len(first) == 1 else ""


def counted(findings: Sequence[Finding]) -> Mapping[str, int]:
    """How many messages there are of each kind, most first, ties by kind."""
    kinds: dict[str, int] = {}
    for one in findings:
        kinds[one.kind] = kinds.get(one.kind, 0) + one.count
    return dict(sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0])))


__all__ = ["Finding", "counted", "log_findings", "looks_like_log", "normalised"]
