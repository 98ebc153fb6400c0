"""How fast and how steady the server is, asked from other processes on this machine.

    python benchmarks/serve.py                 # requests a second, p50, p99, beside a bare peer
    python benchmarks/serve.py --mixed 600     # everything at once, a swap of the library a minute

The first needs wrk (Debian: apt-get install wrk). The peer is Starlette under the same uvicorn that
answers the same bytes and does nothing else.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import kg

CASE = "/cases/IL-0480"
GONE = "IL-0127"
"""The case that every second library does not have; nobody asks for it."""

WORDS = [
    "nccl", "timeout", "database", "failover", "dns", "certificate", "bgp", "leak", "deploy",
    "config", "replica", "lag", "checkpoint", "hang", "overload", "retry", "cache", "eviction",
    "quota", "kernel", "disk", "fsync", "latency", "rollback",
]  # fmt: skip
QUERIES = (
    "NCCL timeout 으로 학습이 죽음", "expired TLS certificate", "BGP route leak", "복제 지연",
    "config push broke DNS", "GPU power fell and training hangs",
)  # fmt: skip
NEW_QUERY = """
local n = 0
local words = {%s}
math.randomseed(7)
request = function()
  n = n + 1
  local q = words[math.random(#words)] .. "+" .. words[math.random(#words)] .. "+x" .. n
  return wrk.format("GET", "/search?lane=words&q=" .. q)
end
"""
PEER = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
body = open(sys.argv[1], "rb").read()
async def same(request):
    return Response(body, media_type="application/json")
app = Starlette(routes=[Route("/{path:path}", same)])
uvicorn.run(app, port=int(sys.argv[2]), http="h11", access_log=False, log_level="error")
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=10, help="of each measurement")
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--mixed", type=int, metavar="SECONDS", help="mixed load instead")
    parser.add_argument("--readers", type=int, default=2, help="processes that ask (mixed)")
    parser.add_argument("--swap", type=int, default=60, help="seconds between swaps (mixed)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.mixed:
            mixed(Path(folder), options.mixed, options.readers, options.swap)
        else:
            speed(Path(folder), options.seconds, options.connections)


def speed(folder: Path, seconds: int, connections: int) -> None:
    if shutil.which("wrk") is None:
        sys.exit("this needs wrk (Debian: apt-get install wrk)")
    script = folder / "query.lua"
    script.write_text(NEW_QUERY % ", ".join(f'"{w}"' for w in WORDS))
    library = copy_of_shipped(folder / "served.duckdb")
    print("what | requests/s | p50 ms | p99 ms | failed | CPU ms a request")
    with ours(folder, library) as (server, port):
        body = get(port, CASE)[1]
        (folder / "body.json").write_bytes(body)
        with peer(folder) as (bare, bare_port):
            for turn in ("first", "second"):
                measured(
                    f"bare Starlette, same bytes ({turn})",
                    bare,
                    bare_port,
                    CASE,
                    seconds,
                    connections,
                )
                measured(f"GET {CASE} ({turn})", server, port, CASE, seconds, connections)
        fixed = "/search?lane=words&q=NCCL_IB_TIMEOUT"
        measured("words, the same query", server, port, fixed, seconds, connections)
        measured("words, a new query each time", server, port, "/", seconds, connections, script)


def measured(
    what: str, process: int, port: int, path: str, seconds: int, connections: int,
    script: Path | None = None,
) -> None:  # fmt: skip
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "--latency"]
    command += ["-s", str(script)] if script else []
    before = cpu_seconds(process)
    out = subprocess.run(
        [*command, f"http://127.0.0.1:{port}{path}"], capture_output=True, text=True, check=True
    ).stdout
    spent = cpu_seconds(process) - before
    count = int(re.search(r"(\d+) requests in", out)[1])
    rate = re.search(r"Requests/sec:\s+([\d.]+)", out)[1]
    p50, p99 = (milliseconds(re.search(rf"\s{p}%\s+([\d.]+)(us|ms|s)", out)) for p in (50, 99))
    failed = sum(int(n) for line in re.findall(r"(?:Non-2xx|Socket errors).*", out)
                 for n in re.findall(r"\d+", line.replace("Non-2xx or 3xx", "")))  # fmt: skip
    print(
        f"{what} | {rate} | {p50:.1f} | {p99:.1f} | {failed} | {1000 * spent / count:.2f}",
        flush=True,
    )


def milliseconds(found: re.Match[str]) -> float:
    return float(found[1]) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[found[2]]


def mixed(folder: Path, seconds: int, readers: int, swap: int) -> None:
    """Everything is asked at once; the library is swapped for one with a case less, and back."""
    whole = copy_of_shipped(folder / "whole.duckdb")
    less = folder / "less.duckdb"
    shutil.copyfile(whole, less)
    kg.remove_cases(less, [GONE])
    served = folder / "served.duckdb"
    shutil.copyfile(whole, served)
    with ours(folder, served) as (server, port):
        end = time.monotonic() + seconds
        told: multiprocessing.Queue = multiprocessing.Queue()
        people = [
            multiprocessing.Process(target=reader, args=(port, n, end, told))
            for n in range(readers)
        ]
        for p in people:
            p.start()
        memory, swaps = [], 0
        following = time.monotonic() + swap
        while time.monotonic() < end:
            time.sleep(min(5, max(0.1, end - time.monotonic())))
            memory.append(resident(server))
            if time.monotonic() >= following:
                swaps += 1
                beside = folder / "beside.duckdb"
                shutil.copyfile(less if swaps % 2 else whole, beside)
                beside.replace(served)
                following += swap
        report([told.get() for _ in people], memory, swaps, folder / "log")
        for p in people:
            p.join()


def reader(port: int, seed: int, end: float, told: multiprocessing.Queue) -> None:
    """Ask at random until the end; tell how each sort of question went."""
    chance = random.Random(seed)
    ids = [c["id"] for c in json.loads(get(port, "/cases?limit=200")[1])["items"]]
    ids = [i for i in ids if i != GONE]
    times: dict[str, list[float]] = defaultdict(list)
    statuses: Counter[str] = Counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    number = 0
    while time.monotonic() < end:
        number += 1
        name, method, path, body = question(chance, ids, number, seed)
        begun = time.perf_counter()
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            statuses[f"{name} {answer.status}"] += 1
        except (OSError, http.client.HTTPException) as error:
            statuses[f"{name} {type(error).__name__}"] += 1
            connection.close()
        times[name].append(1000 * (time.perf_counter() - begun))
    told.put((statuses, times))


def question(
    chance: random.Random, ids: list[str], number: int, seed: int
) -> tuple[str, str, str, str | None]:
    roll, case = chance.random(), chance.choice(ids)
    words = "+".join(chance.sample(WORDS, 3))
    if roll < 0.5:
        return "case", "GET", f"/cases/{case}", None
    if roll < 0.7:
        return "words", "GET", f"/search?lane=words&q={words}+x{number}y{seed}", None
    if roll < 0.8:
        return "list", "GET", f"/cases?limit=10&offset={chance.randrange(170)}", None
    if roll < 0.86:
        return "search", "GET", f"/search?q={quote(chance.choice(QUERIES))}+{words}", None
    if roll < 0.9:
        return "similar", "GET", f"/cases/{case}/similar", None
    if roll < 0.94:
        return (
            "explain",
            "GET",
            f"/explain?a={case}&b={'IL-0480' if case != 'IL-0480' else 'IL-0023'}",
            None,
        )
    if roll < 0.96:
        return "topic", "GET", "/topics/component:nccl", None
    if roll < 0.98:
        return "stats", "GET", "/stats", None
    return (
        "diagnose",
        "POST",
        "/diagnose",
        json.dumps({"text": f"{chance.choice(QUERIES)} {number}"}),
    )


def report(found: list, memory: list[int], swaps: int, log: Path) -> None:
    statuses: Counter[str] = Counter()
    times: dict[str, list[float]] = defaultdict(list)
    for some, own in found:
        statuses.update(some)
        for name, values in own.items():
            times[name] += values
    failed = {k: n for k, n in statuses.items() if not k.endswith(" 200")}
    reloads = sum(json.loads(line).get("event") == "reload" and "version" in line
                  for line in log.read_text().splitlines() if line.startswith("{"))  # fmt: skip
    print(f"requests {sum(statuses.values())}, failed {sum(failed.values())} {failed or ''}")
    print(f"swaps {swaps}, taken up {reloads}")
    thirds = [
        statistics.median(memory[i * len(memory) // 3 : (i + 1) * len(memory) // 3])
        for i in range(3)
    ]
    told = ", ".join(f"{t / 1024:.0f}" for t in thirds)
    print(f"memory MiB, median of each third: {told}; most {max(memory) / 1024:.0f}")
    for name, values in sorted(times.items()):
        ordered = sorted(values)
        p50, p99 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
        print(f"{name} | {len(values)} | p50 {p50:.1f} ms | p99 {p99:.1f} ms")


def copy_of_shipped(path: Path) -> Path:
    with kg.open_library() as library:
        shutil.copyfile(library.path, path)
    return path


@contextmanager
def ours(folder: Path, library: Path) -> Iterator[tuple[int, int]]:
    port = free_port()
    command = [sys.executable, "-m", "kg", "serve", "-l", str(library), "--port", str(port)]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stderr=log)
        yield from running(process, port)


@contextmanager
def peer(folder: Path) -> Iterator[tuple[int, int]]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", PEER, str(folder / "body.json"), str(port)])
    yield from running(process, port)


def running(process: subprocess.Popen, port: int) -> Iterator[tuple[int, int]]:
    try:
        for _ in range(600):
            try:
                get(port, "/health")
                break
            except OSError:
                time.sleep(0.1)
        yield process.pid, port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process: int) -> int:
    """Resident memory in KiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1])


if __name__ == "__main__":
    main()
