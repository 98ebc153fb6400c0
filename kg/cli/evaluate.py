"""`kg eval SET`: measure the lanes on a set that people judged."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from embeddings.evaluate import LANES, Report
from kg.cli import DONE
from kg.cli.output import clean, clean_json, clean_line, complain, say
from kg.library.evaluation import evaluate_set
from kg.library.progress import print_progress

_COLUMNS = ("ndcg@10", "mrr", "recall@1", "recall@10", "recall@100")


def evaluate(options: argparse.Namespace) -> int:
    """Print a table of lanes and baselines, or the report as JSON."""
    report = evaluate_set(
        Path(options.set),
        encoder=options.encoder,
        lanes=options.lane or LANES,
        split=options.split,
        progress=print_progress,
    )
    for problem in report.problems:
        complain(clean_line(problem))
    if options.json:
        say(clean_json(json.dumps(report.as_dict(), ensure_ascii=False, indent=2)))
    else:
        say(clean(table(report)))
    return DONE


def table(report: Report) -> str:
    """Lanes and baselines by measure, with 95 % intervals for nDCG@10; then each language pair."""
    lines = [
        f"{report.name}: {report.documents} documents, {report.queries} queries",
        f"{'':12} {'ndcg@10':22}" + "".join(f"{name:>11}" for name in _COLUMNS[1:]),
    ]
    lines += [_row(report, lane, None) for lane in report.lanes]
    pairs = sorted(set(report.languages.values()))
    for pair in pairs if len(pairs) > 1 else ():
        count = len(report.values("hybrid" if "hybrid" in report.lanes else "bm25", "mrr", pair))
        lines += ["", f"{pair} ({count} queries)"]
        lines += [_row(report, lane, pair) for lane in report.lanes]
    spent = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in report.seconds.items())
    lines += ["", f"{spent}; index {report.index_bytes / 1e6:.1f} MB"]
    return "\n".join(lines)


def _row(report: Report, lane: str, pair: str | None) -> str:
    first = report.interval(lane, _COLUMNS[0], pair)
    rest = [report.interval(lane, name, pair).value for name in _COLUMNS[1:]]
    interval = f"{first.value:.3f} [{first.low:.3f}-{first.high:.3f}]"
    return f"{lane:12} {interval:22}" + "".join(f"{value:11.3f}" for value in rest)
