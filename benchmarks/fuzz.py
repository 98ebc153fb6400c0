"""Broken documents for every reader, for so many minutes: no fault of ours may come of any.

Each document begins as one of the fixtures of the readers and is broken in a few places: bits
turned, pieces cut out, doubled, moved or taken from another fixture, numbers and names of keys
changed, the whole encoded otherwise. It is read as what it is recognised as, then in a format drawn
by lot, and made into cases. Whatever is raised, and whatever a reader tells of a fault of its own,
is printed with the seed that makes the document again.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from kg.intake.plan import Plan, planned
from kg.library.build import load_vocabulary
from kg.library.intake_tags import intake_tags
from kg.readers.formats.known import FORMATS

FIXTURES = Path(__file__).parents[1] / "tests/readers/data"
OURS = re.compile(r"reading it as \S+ failed")
HOSTILE = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"{" * 400, b"[" * 3000, b"<" * 2000,
    b'"', b"\\u0000", b"\\ud800", b"1e999", b"-0", b"null", b"NaN", b"2024-13-45T99:99",
    b"9999-12-31T23:59:59+99:99", b"0000-00-00", b"<!--", b"]]>", b"&#x110000;", b"&" * 500,
    b"\r", b"\n---\n", b"- &a [*a]", b"!!python/object:os.system", b"| | |\n|-|-|\n",
    b"\xe2\x80\xae", "없음".encode(), "오후 25시".encode(), b"99999999999999999999",
    b"```", b"#" * 300, b"=" * 900,
)  # fmt: skip
ENCODINGS = ("utf-16", "utf-16-le", "cp949", "latin-1", "utf-8-sig", "utf-32")


def broken(draw: random.Random, fixtures: list[Path]) -> tuple[str, bytes]:
    """A name and bytes: a fixture broken in one to six places."""
    path = draw.choice(fixtures)
    data = bytearray(path.read_bytes())
    for _ in range(draw.randint(1, 6)):
        at, to = sorted(draw.randrange(len(data) + 1) for _ in range(2))
        to = min(to, at + draw.choice((1, 4, 40, 4000)))
        way = draw.randrange(8)
        if way == 0 and data:
            data[min(at, len(data) - 1)] ^= 1 << draw.randrange(8)
        elif way == 1:
            del data[at:to]
        elif way == 2:
            data[at:at] = data[at:to] * draw.choice((1, 2, 30))
        elif way == 3:
            other = draw.choice(fixtures).read_bytes()
            start = draw.randrange(len(other) + 1)
            data[at:at] = other[start : start + draw.choice((10, 300, 5000))]
        elif way == 4:
            data[at:to] = draw.choice(HOSTILE)
        elif way == 5:
            put = draw.choice(HOSTILE)
            data = bytearray(re.sub(rb"\d+", lambda _: put, data, count=draw.randint(1, 5)))  # noqa: B023
        elif way == 6:
            names = re.findall(rb'"\w+"', data) or [b'""']
            data = data.replace(draw.choice(names), draw.choice([*names, b"7", b"[]", b"{}"]))
        else:
            data = data[:at] if draw.random() < 0.3 else data
    if draw.random() < 0.1:
        text = data.decode("utf-8", "replace")
        data = bytearray(text.encode(draw.choice(ENCODINGS), "replace"))
    suffix = path.suffix if draw.random() < 0.85 else draw.choice(fixtures).suffix
    return f"{path.parent.name}{suffix}", bytes(data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1, help="of the first document")
    parser.add_argument("--documents", type=int, help="end after so many")
    options = parser.parse_args()
    fixtures = sorted(f for f in FIXTURES.rglob("*") if f.is_file())
    words = load_vocabulary(None)
    tags = intake_tags(words, "hash")
    names = [one.name for one in FORMATS]

    def read(file: Path, wanted: str | None) -> Plan:
        return planned(
            [file], (), words, tags, domain="own", wanted=wanted, progress=lambda *_: None
        )

    told: Counter[str] = Counter()
    seed, begin = options.seed, time.monotonic()
    last = begin + 60 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < last and told["documents"] != options.documents:
            draw = random.Random(seed)
            name, data = broken(draw, fixtures)
            file = Path(folder, name)
            file.write_bytes(data)
            for wanted in (None, draw.choice(names)):
                try:
                    plan = read(file, wanted)
                except Exception:
                    told["faults"] += 1
                    print(f"seed {seed}, {name}, read as {wanted}:\n{traceback.format_exc()}")
                    continue
                told["cases"] += len(plan.cases)
                told["problems"] += len(plan.problems)
                for problem in (p for p in plan.problems if OURS.search(p.message)):
                    told["faults"] += 1
                    print(f"seed {seed}, {name}, read as {wanted}: {problem}")
            file.unlink()
            told["documents"] += 1
            seed += 1
    took = time.monotonic() - begin
    print(f"{dict(sorted(told.items()))} in {took / 60:.1f} minutes, {len(fixtures)} fixtures")
    sys.exit(bool(told["faults"]))


if __name__ == "__main__":
    main()
