"""A small vocabulary and cases over it, written by hand so that tests can be read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kg.model import ROLES, Case, ClaimKind, Scheme, Term
from kg.vocab import SCHEMES, Vocabulary


def term(
    term_id: str, en: str, ko: str | None = None, *, broader: Iterable[str] = (), **more: Any
) -> Term:
    """A term; broader terms may be given as slugs."""
    scheme = term_id.partition(":")[0]
    label = {"en": en} if ko is None else {"en": en, "ko": ko}
    above = [b if ":" in b else f"{scheme}:{b}" for b in broader]
    data = {"id": term_id, "label": label, "definition": {"en": f"What {en} means."}}
    return Term.model_validate({**data, "broader": above, **more})


def scheme(name: str, *terms: Term) -> Scheme:
    """A scheme of these terms."""
    text = {"en": name}
    return Scheme.model_validate(
        {
            "scheme": name,
            "label": text,
            "definition": text,
            "terms": [t.model_dump() for t in terms],
        }
    )


TERMS: tuple[Term, ...] = (
    term("cause:hardware", "hardware failure", "하드웨어 장애"),
    term("cause:gpu-fault", "GPU fault", "GPU 결함", broader=["hardware"]),
    term("cause:ecc-error", "ECC error", "ECC 오류", broader=["gpu-fault"]),
    term("cause:link-down", "link down", "링크 다운", broader=["hardware"]),
    term("cause:software", "software defect", "소프트웨어 결함"),
    term("cause:race", "race condition", "경쟁 상태", broader=["software"]),
    term("cause:mismatch", "mismatched collectives", "집합 통신 어긋남", broader=["software"]),
    term("trigger:upgrade", "version upgrade", "버전 올림"),
    term("trigger:node-loss", "loss of a node", "노드 상실"),
    term("factor:no-alert", "missing alert", "알림 없음"),
    term("factor:no-test", "missing test", "시험 없음"),
    term("symptom:failure", "training job failure", "학습 작업 실패"),
    term(
        "symptom:nccl-timeout", "NCCL timeout", "NCCL 타임아웃", broader=["failure"],
        aliases={"en": ["watchdog timeout"], "zxx": ["ncclTimeout"]},
    ),
    term("symptom:slow", "slow training", "느린 학습"),
    term("component:gpu", "GPU", "그래픽 장치", type="hardware"),
    term("component:a100", "A100", broader=["gpu"], type="gpu-model"),
    term("component:h100", "H100", broader=["gpu"], type="gpu-model"),
    term("component:nccl", "NCCL", "니클", type="software", depends_on=["component:gpu"]),
    term("component:ncclx", "NCCLX", type="software", variant_of=["component:nccl"]),
    term("component:pytorch", "PyTorch", "파이토치", type="software"),
    term(
        "component:loader", "data loader", "데이터 로더", type="software",
        part_of=["component:pytorch"],
    ),
    term("component:some-switch", "a switch", unnamed=True, type="hardware"),
    term("mitigation:restart", "restart", "재시작"),
    term(
        "mitigation:replace", "replace hardware", "하드웨어 교체",
        does_not_cover=["component:nccl"],
    ),
    term("organization:alpha", "Alpha Labs", "알파 연구소"),
    term("organization:beta", "Beta Cloud", "베타 클라우드"),
    term("tool:flight-recorder", "flight recorder", "비행 기록기", part_of=["component:nccl"]),
    term("tool:exposure", "exposure checker", "노출 점검기"),
)  # fmt: skip


def tiny_vocabulary(*extra: Term) -> Vocabulary:
    """The terms above (and more, if given) as a vocabulary with all eight schemes."""
    every = (*TERMS, *extra)
    return Vocabulary(
        scheme(name, *(t for t in every if t.scheme == name))
        for name in SCHEMES
    )  # fmt: skip


Told = tuple[str, ...]
"""A claim in short: (kind, term, status, role); status and role may be left out."""

FIELD_OF_KIND = {
    "trigger": "trigger",
    "cause": "cause",
    "factor": "summary",
    "component": "summary",
    "symptom": "symptom",
    "detection": "detection",
    "mitigation": "mitigation",
    "follow_up": "follow_up",
    "organization": "summary",
    "check": "check",
}


def case_data(case_id: str, *claims: Told, **fields: Any) -> dict[str, Any]:
    """The data of a valid case that makes these claims, each with evidence in two languages.

    The first confirmed cause is primary and other roles are the first that their kind may take,
    unless a claim says otherwise. `published` sets the date of publication.
    """
    texts: dict[str, dict[str, list[str]]] = {
        "title": {"en": [f"Title of {case_id}"], "ko": [f"{case_id}의 제목"]},
        "summary": {"en": [f"Summary of {case_id}."], "ko": [f"{case_id} 요약."]},
    }
    made = []
    primary = any(c[0] == "cause" and c[3:4] == ("primary",) for c in claims)
    for number, (kind, term_id, *rest) in enumerate(claims):
        status = rest[0] if rest else "confirmed"
        role = rest[1] if len(rest) > 1 else None
        if role is None and kind == "cause":
            role = "secondary" if primary or status != "confirmed" else "primary"
            primary = primary or role == "primary"
        elif role is None and ROLES[ClaimKind(kind)]:
            role = str(ROLES[ClaimKind(kind)][0])
        field = FIELD_OF_KIND[kind]
        said = {"en": f"Fact {number} is {term_id}.", "ko": f"사실 {number}: {term_id}."}
        prose = texts.setdefault(field, {"en": [], "ko": []})
        evidence = []
        for lang, quote in said.items():
            prose[lang].append(quote)
            evidence.append({"field": field, "lang": lang, "quote": quote})
        claim = {"kind": kind, "terms": [term_id], "status": status, "evidence": evidence}
        made.append(claim if role is None else {**claim, "role": role})
    published = fields.pop("published", None)
    dates = [{"kind": "published", "at": published}] if published else []
    return {"id": case_id, "domain": "ai-infra", "dates": dates, **texts, "claims": made, **fields}


def make_case(case_id: str, *claims: Told, **fields: Any) -> Case:
    """The case of `case_data`."""
    return Case.model_validate(case_data(case_id, *claims, **fields))


def write_json(path: Path, data: Any) -> Path:
    """Write data as indented JSON, one key a line."""
    path.write_text(json.dumps(data, ensure_ascii=False, indent=2), encoding="utf-8")
    return path


def tiny_cases() -> list[Case]:
    """Six cases whose relations are used all over the tests.

    A-1 and A-2 share a confirmed cause; A-3 has a narrower one than B-1; B-2 rules out what A-1
    confirms; S-1 is a study.
    """
    return [
        make_case(
            "A-1", ("cause", "cause:mismatch"), ("symptom", "symptom:nccl-timeout"),
            ("component", "component:nccl"), ("trigger", "trigger:upgrade"),
            ("organization", "organization:alpha"), ("mitigation", "mitigation:restart"),
            published="2024-03-01", severity="SEV1",
            time_to_detect={"seconds": 600}, time_to_recover={"seconds": 7200},
        ),
        make_case(
            "A-2", ("cause", "cause:mismatch"), ("cause", "cause:race", "suspected"),
            ("symptom", "symptom:nccl-timeout"), ("component", "component:nccl"),
            ("component", "component:pytorch"), ("organization", "organization:alpha"),
            published="2024-05", time_to_detect={"seconds": 60}, related=["A-1", "GONE-9"],
        ),
        make_case(
            "A-3", ("cause", "cause:ecc-error"), ("symptom", "symptom:failure"),
            ("component", "component:h100"), ("factor", "factor:no-alert"),
            ("organization", "organization:beta", "confirmed", "owner"),
            published="2023", time_to_recover={"seconds": 60},
            time_to_detect={"seconds": 30},
        ),
        make_case(
            "B-1", ("cause", "cause:gpu-fault"), ("symptom", "symptom:slow"),
            ("component", "component:a100"), ("component", "component:some-switch"),
            ("factor", "factor:no-alert"), ("detection", "tool:flight-recorder"),
            published="2024-05-20",
        ),
        make_case(
            "B-2", ("cause", "cause:mismatch", "ruled_out"),
            ("cause", "cause:link-down", "suspected"),
            ("symptom", "symptom:nccl-timeout"), ("follow_up", "mitigation:replace"),
        ),
        make_case(
            "S-1", ("cause", "cause:link-down"), ("symptom", "symptom:failure"),
            ("component", "component:gpu"), kind="study", published="2025-01-01",
            time_to_detect={"seconds": 5}, time_to_recover={"seconds": 5},
        ),
    ]  # fmt: skip
