"""Outages that are planted twice, on a status page and in a postmortem, and others beside them.

The two documents of one outage share no sentence: the page tells customers what does not work,
the postmortem tells engineers why. Beside them stand what is easily taken for the same: the outage
that came back, another one of the same day, another one of the same service on the same day.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from kg.intake.plan import planned
from kg.model import Case
from kg.vocab import Tagger
from tests.helpers.tiny import tiny_vocabulary

HAND = Path(__file__).parents[1] / "intake" / "data" / "same_events.json"

SERVICES = (
    ("Checkout", "checkout-api", "결제"),
    ("Login", "auth-gateway", "로그인"),
    ("Search", "search-frontend", "검색"),
    ("File uploads", "blob-writer", "파일 올리기"),
    ("Webhooks", "hook-dispatcher", "웹훅"),
    ("Dashboard", "web-console", "대시보드"),
    ("Model training", "train-scheduler", "모델 학습"),
    ("Notifications", "push-relay", "알림"),
    ("Billing", "invoice-worker", "청구"),
    ("Container registry", "image-store", "컨테이너 저장소"),
    ("Message queue", "broker-core", "메시지 큐"),
    ("Inference API", "serving-router", "추론 API"),
)
"""A service as customers know it, as engineers call it, and in Korean."""

FAILURES: tuple[dict[str, Any], ...] = (
    {
        "page": ("{s} requests failing", "Customers receive error {code} from {s}."),
        "post": (
            "Expired certificate on {e}",
            "The TLS certificate of {e} ran out and every handshake was refused with {code}.",
            "Nobody owned the renewal job after the reorganisation.",
            "We issued a certificate by hand and restarted the listeners.",
        ),
        "ko": (
            "{k} 인증서 만료 장애",
            "{e} 의 TLS 인증서가 만료되어 모든 연결이 {code} 로 거절되었다.",
            "조직 개편 뒤 갱신 작업의 담당자가 없었다.",
            "인증서를 손으로 발급하고 프로세스를 다시 시작했다.",
        ),
        "page_ko": ("{k} 요청 실패", "{k} 이용 시 {code} 오류가 발생하고 있습니다."),
        "fixed": ("The problem is solved and traffic is back to normal.", "문제를 해결했습니다."),
    },
    {
        "page": ("Elevated latency for {s}", "Responses of {s} take longer than {n} seconds."),
        "post": (
            "{e} starved of database connections",
            "A migration held locks for {n} seconds and the pool of {e} was exhausted.",
            "The migration rewrote a table of {rows} rows in one transaction.",
            "The migration was cancelled and the pool drained.",
        ),
        "ko": (
            "{k} 데이터베이스 연결 고갈",
            "마이그레이션이 잠금을 {n} 초 동안 잡아 {e} 의 연결 풀이 바닥났다.",
            "{rows} 행의 테이블을 한 트랜잭션에서 다시 썼다.",
            "마이그레이션을 취소했다.",
        ),
        "page_ko": ("{k} 응답 지연", "{k} 응답이 {n} 초 이상 걸립니다."),
        "fixed": ("Latency has recovered.", "응답 시간이 회복되었습니다."),
    },
    {
        "page": ("{s} partially unavailable", "About {pct}% of calls to {s} do not succeed."),
        "post": (
            "Bad rollout of {e} build {build}",
            "Build {build} of {e} crashed at start on a third of the fleet; {pct}% of calls broke.",
            "A configuration key was renamed without a default.",
            "Rolled back to the build before {build}.",
        ),
        "ko": (
            "{k} 배포 {build} 실패",
            "{e} 빌드 {build} 이 시작하자마자 죽어 호출의 {pct}% 가 실패했다.",
            "설정 키의 이름을 기본값 없이 바꾸었다.",
            "{build} 이전 빌드로 되돌렸다.",
        ),
        "page_ko": ("{k} 일부 중단", "{k} 호출의 약 {pct}% 가 성공하지 못합니다."),
        "fixed": ("A change was reverted and we see recovery.", "변경을 되돌렸습니다."),
    },
    {
        "page": ("Delays in {s}", "Jobs of {s} wait up to {n} minutes before they run."),
        "post": (
            "Backlog in {e} after broker failover",
            "The leader of the broker moved and {e} kept {rows} messages unread.",
            "Consumers did not refresh the list of partitions.",
            "Consumers were restarted one zone at a time; the backlog fell within {n} minutes.",
        ),
        "ko": (
            "{k} 브로커 전환 뒤 적체",
            "브로커의 리더가 바뀐 뒤 {e} 에 메시지 {rows} 건이 쌓였다.",
            "소비자가 파티션 목록을 새로 고치지 않았다.",
            "소비자를 구역별로 다시 시작했고 {n} 분 안에 줄었다.",
        ),
        "page_ko": ("{k} 처리 지연", "{k} 작업이 최대 {n} 분 늦게 실행됩니다."),
        "fixed": ("All queued work was processed.", "밀린 작업을 모두 처리했습니다."),
    },
    {
        "page": ("{s} unreachable from {region}", "Users in {region} cannot reach {s}."),
        "post": (
            "Route withdrawal cut off {e}",
            "A maintenance script withdrew {build} prefixes, so {region} lost the path to {e}.",
            "The script ran against the production routers.",
            "Prefixes were announced again.",
        ),
        "ko": (
            "{k} 경로 철회로 단절",
            "점검 스크립트가 프리픽스 {build} 개를 철회해 {region} 에서 {e} 로 가는 길이 끊겼다.",
            "스크립트를 운영 라우터에 돌렸다.",
            "프리픽스를 다시 알렸다.",
        ),
        "page_ko": ("{region} 에서 {k} 접속 불가", "{region} 사용자가 {k} 에 접속하지 못합니다."),
        "fixed": ("Connectivity is restored.", "접속이 복구되었습니다."),
    },
    {
        "page": ("Missing data in {s}", "Some customers do not see recent entries in {s}."),
        "post": (
            "Replica of {e} served stale reads",
            "After a disk fault the replica of {e} lagged by {n} minutes and still took reads.",
            "The health check looked at the process and not at the lag.",
            "The replica was taken out; {rows} rows were compared and none was lost.",
        ),
        "ko": (
            "{k} 복제본의 오래된 읽기",
            "디스크 고장 뒤 {e} 복제본이 {n} 분 뒤처진 채 읽기를 받았다.",
            "상태 검사가 지연을 보지 않았다.",
            "복제본을 빼고 {rows} 행을 비교했다.",
        ),
        "page_ko": ("{k} 데이터 누락", "일부 고객에게 최근 항목이 {k} 에 보이지 않습니다."),
        "fixed": ("All entries are visible again.", "모든 항목이 다시 보입니다."),
    },
)  # fmt: skip
REGIONS = ("Frankfurt", "Seoul", "Oregon", "Singapore")


@dataclass(frozen=True)
class Outage:
    """One outage of the world, with the figures that its documents tell."""

    number: int
    service: int
    failure: int
    start: datetime
    minutes: int
    facts: dict[str, Any]

    def fill(self, text: str) -> str:
        s, e, k = SERVICES[self.service]
        return text.format(s=s, e=e, k=k, **self.facts)


@dataclass(frozen=True)
class World:
    """Documents by name, which of them tell of one outage, and which are easily taken to.

    Attributes:
        documents: file name -> text.
        same: pairs of documents that tell of one outage; those of the page by their id.
        hard: pairs that do not.
    """

    documents: dict[str, str]
    same: frozenset[frozenset[str]]
    hard: frozenset[frozenset[str]]


def planted_world(seed: int, pairs: int = 36) -> World:
    """`pairs` outages with two documents each, and twice as many hard pairs that are two events."""
    draw = random.Random(seed)
    documents: dict[str, str] = {}
    records, same, hard = [], set(), set()
    for number in range(pairs):
        outage = _outage(draw, number)
        page_ko, post_ko = number % 6 == 5, number % 3 == 2
        record = _record(outage, page_ko)
        post = _post(draw, outage, post_ko)
        records.append(record)
        documents[f"pm-{number:02}.md"] = post
        both = record["id"], f"pm-{number:02}.md"
        same.add(frozenset(both))
        for other in _others(draw, outage):
            name = f"other-{other.number:03}.md"
            documents[name] = _post(draw, other, post_ko)
            hard |= {frozenset((one, name)) for one in both}
    page = {"name": "Norn", "url": "https://status.norn.example", "id": "p0"}
    documents["page.json"] = json.dumps({"page": page, "incidents": records}, ensure_ascii=False)
    return World(documents, frozenset(same), frozenset(hard))


def _outage(draw: random.Random, number: int) -> Outage:
    start = datetime(2024, 1, 3) + timedelta(
        days=9 * number + draw.randrange(6), minutes=draw.randrange(24 * 60)
    )
    return _with_facts(draw, number, draw.randrange(12), draw.randrange(6), start)


def _with_facts(
    draw: random.Random, number: int, service: int, failure: int, start: datetime
) -> Outage:
    facts = {
        "code": draw.choice((500, 502, 503, 504, 525)),
        "n": draw.randrange(6, 59),
        "pct": draw.randrange(3, 97),
        "rows": draw.randrange(1_000, 900_000),
        "build": draw.randrange(1_000, 9_999),
        "region": draw.choice(REGIONS),
        "id": f"{number:03}",
    }
    return Outage(number, service, failure, start, draw.randrange(12, 240), facts)


def _others(draw: random.Random, outage: Outage) -> Iterator[Outage]:
    """One that came back later; or one of another service, or of the same one, the same day."""
    number = 100 + outage.number
    if outage.number % 3 == 0:
        later = outage.start + timedelta(days=draw.randrange(2, 90))
        yield _with_facts(draw, number, outage.service, outage.failure, later)
    elif outage.number % 3 == 1:
        service = (outage.service + draw.randrange(1, 12)) % 12
        failure = (outage.failure + draw.randrange(1, 6)) % 6
        hour = outage.start.replace(hour=(outage.start.hour + draw.randrange(3, 22)) % 24)
        yield _with_facts(draw, number, service, failure, hour)
    else:
        failure = (outage.failure + draw.randrange(1, 6)) % 6
        away = 7 if outage.start.hour < 12 else -7
        hour = outage.start + timedelta(hours=away)
        yield _with_facts(draw, number, outage.service, failure, hour)


def _record(outage: Outage, korean: bool) -> dict[str, Any]:
    failure = FAILURES[outage.failure]
    title, body = failure["page_ko" if korean else "page"]
    name = SERVICES[outage.service][2 if korean else 0]
    seen = outage.start + timedelta(minutes=4)
    end = outage.start + timedelta(minutes=outage.minutes)

    def update(status: str, text: str, at: datetime) -> dict[str, Any]:
        return {"status": status, "body": text, "display_at": f"{at.isoformat()}Z"}

    return {
        "id": f"x{outage.number:03}q",
        "name": outage.fill(title),
        "status": "resolved",
        "impact": "major",
        "created_at": f"{seen.isoformat()}Z",
        "resolved_at": f"{end.isoformat()}Z",
        "components": [{"id": name, "name": name}],
        "incident_updates": [
            update("resolved", failure["fixed"][korean], end),
            update("investigating", outage.fill(body), seen),
        ],
    }


def _post(draw: random.Random, outage: Outage, korean: bool) -> str:
    """A postmortem; how exactly it tells its times, and what it affects, differs."""
    title, summary, cause, fix = map(
        outage.fill, FAILURES[outage.failure]["ko" if korean else "post"]
    )
    end = outage.start + timedelta(minutes=outage.minutes)
    words = (
        ("시작", "종료", "날짜", "영향 서비스", "요약", "원인", "조치")
        if korean
        else ("Start", "End", "Date", "Affected services", "Summary", "Root cause", "Resolution")
    )
    lines = [f"# {title}", ""]
    way = draw.randrange(4)
    if way == 0:
        lines.append(f"- {words[2]}: {outage.start.date()}")
    elif way == 1 and korean:
        local = [t + timedelta(hours=9) for t in (outage.start, end)]
        lines += [f"- {w}: {t:%Y-%m-%d %H:%M} KST" for w, t in zip(words, local, strict=False)]
    else:
        lines += [
            f"- {w}: {t:%Y-%m-%d %H:%M} UTC"
            for w, t in zip(words, (outage.start, end), strict=False)
        ]
    service = SERVICES[outage.service]
    if draw.random() < 0.6:
        lines.append(
            f"- {words[3]}: {service[draw.choice((0, 1)) if not korean else 2]}, {service[1]}"
        )
    for word, text in zip(words[4:], (summary, cause, fix), strict=True):
        lines += ["", f"## {word}", text]
    return "\n".join(lines) + "\n"


def document_of(case: Case) -> str:
    """The name by which a world knows the document of a case."""
    assert case.origin is not None
    page = case.origin.file == "page.json"
    return str(case.origin.identifier if page else case.origin.file)


def cases_of(world: World) -> tuple[Case, ...]:
    """The cases that its documents make, read as any are."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in world.documents.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        words = tiny_vocabulary()
        made = planned(
            [folder], (), words, Tagger(words).tag, domain="own", progress=lambda *_: None
        )
    assert made.problems == ()
    return made.cases


def hand_written_world() -> World:
    """The documents that are written by hand, as a world of their own."""
    documents, same, hard = {}, set(), set()
    for number, pair in enumerate(hand_written()):
        names = [f"{number:02}-{side}-{pair[side]['name']}" for side in ("one", "other")]
        documents |= {n: pair[s]["text"] for n, s in zip(names, ("one", "other"), strict=True)}
        (same if pair["same"] else hard).add(frozenset(names))
    return World(documents, frozenset(same), frozenset(hard))


def hand_written() -> list[dict[str, Any]]:
    """Pairs of documents written by hand, each with whether they tell of one outage."""
    found: list[dict[str, Any]] = json.loads(HAND.read_text(encoding="utf-8"))
    return found
