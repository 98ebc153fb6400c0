"""Small judged sets in the BEIR layout: one of plain documents, one of questions on tiny cases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Grades = Mapping[str, Mapping[str, int]]


def write_set(
    folder: Path,
    documents: Iterable[Mapping[str, Any]],
    queries: Iterable[Mapping[str, Any]],
    qrels: Mapping[str, Grades],
) -> Path:
    """Write a set; `qrels` is split -> query -> document -> grade."""
    (folder / "qrels").mkdir(parents=True)
    for name, records in (("corpus", documents), ("queries", queries)):
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for split, grades in qrels.items():
        rows = [f"{q}\t{d}\t{g}" for q, row in grades.items() for d, g in row.items()]
        text = "\n".join(["query-id\tcorpus-id\tscore", *rows]) + "\n"
        (folder / "qrels" / f"{split}.tsv").write_text(text, encoding="utf-8")
    return folder


DOCUMENTS = [
    {"_id": "d1", "title": "NCCL timeout", "text": "The watchdog fired after a switch rebooted."},
    {"_id": "d2", "title": "Disk full", "text": "A checkpoint filled the disk, the job stopped."},
    {"_id": "d3", "title": "", "text": "노드가 멈추고 통신이 끊겼다. 스위치가 재부팅되었다."},
    {"_id": "d4", "title": "GPU lost", "text": "The GPU has fallen off the bus, Xid 79."},
    {"_id": "d5", "title": "Full disk again", "text": "The disk was full after a checkpoint."},
    {"_id": "d6", "title": "", "text": "케이블이 빠졌다", "fields": {"fix": "케이블을 바꿨다"}},
]
QUERIES = [
    {"_id": "q1", "text": "switch rebooted, watchdog timeout"},
    {"_id": "q2", "text": "스위치 재부팅으로 통신이 끊김"},
    {"_id": "d2", "text": "A checkpoint filled the disk, the job stopped."},
    {"_id": "q4", "text": "Xid 79"},
    {"_id": "q5", "text": "nobody judged this"},
]
QRELS = {
    "test": {"q1": {"d1": 3, "d3": 1}, "q2": {"d3": 2}, "d2": {"d2": 3, "d5": 2}, "q4": {"d4": 1}},
    "dev": {"q4": {"d4": 1}},
}


def small_set(folder: Path) -> Path:
    """Six documents, four judged queries in two languages; the query d2 is a document too."""
    return write_set(folder, DOCUMENTS, QUERIES, QRELS)


_ASKED: list[tuple[str, str, str, dict[str, int]]] = [
    ("mismatch", "mismatched collectives, NCCL timeout", "집합 통신 어긋남, NCCL 타임아웃",
     {"A-1": 3, "A-2": 3, "B-2": 1}),
    ("race", "race condition in PyTorch", "파이토치의 경쟁 상태", {"A-2": 2}),
    ("ecc", "ECC error on an H100, training job failure", "H100 ECC 오류로 학습 작업 실패",
     {"A-3": 3, "B-1": 1}),
    ("slow", "slow training on A100, GPU fault", "느린 학습, GPU 결함", {"B-1": 3}),
    ("link", "link down, training job failure", "링크 다운, 학습 작업 실패", {"S-1": 3, "B-2": 2}),
    ("upgrade", "after a version upgrade, NCCL timeout", "버전 올림 뒤 NCCL 타임아웃", {"A-1": 2}),
    ("bread", "sourdough bread recipe", "빵 굽는 법", {}),
    ("mail", "how do I reset a forgotten password", "비밀번호 초기화 방법", {}),
    ("bill", "invoice of the web shop", "송장 서식", {"S-1": 1}),
]  # fmt: skip


def tiny_questions(folder: Path) -> Path:
    """Questions on the tiny cases: six with an answer in each language and split, three without.

    One of those without stands beside a case that is merely related.
    """
    queries: list[dict[str, Any]] = []
    qrels: dict[str, dict[str, dict[str, int]]] = {"dev": {}, "test": {}}
    for name, en, ko, grades in _ASKED:
        for split in qrels:
            for lang, text in (("en", en), ("ko", ko)):
                answer = max(grades.values(), default=0) > 1
                about = {"lang": lang, "split": split, "answerable": answer}
                asked = f"{text} ({split})"
                queries.append({"_id": f"{split}-{lang}-{name}", "text": asked, "metadata": about})
                if grades:
                    qrels[split][f"{split}-{lang}-{name}"] = grades
    ids = ("A-1", "A-2", "A-3", "B-1", "B-2", "S-1")
    return write_set(folder, [{"_id": i, "title": i, "text": i} for i in ids], queries, qrels)
