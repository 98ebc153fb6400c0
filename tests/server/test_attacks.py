"""Scripts in every field, paths that climb, other names, bombs of signs: tried, and held."""

from __future__ import annotations

import json
import time

import pytest

import kg
from kg.model import Case
from kg.server.settings import Limits, Settings
from tests.helpers.served import HERE, asking

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"javascript:alert(3)"
CLIMBING = (
    "/cases/../../etc/passwd", "/cases/..%2f..%2fetc%2fpasswd", "/cases/%2e%2e%2f%2e%2e%2fetc",
    "/cases/%00", "/cases/IL-0480%00.json", "/topics/..%5c..%5cetc", "/topics/%2fetc%2fpasswd",
    "/cases/;cat%20/etc/passwd", "/static/../../pyproject.toml", "//etc/passwd", "/cases//etc",
    "/cases/%ff%fe", "/%2e%2e/%2e%2e/etc/passwd", "/topics/{term}", "/cases/%F0%9F%92%A3",
)  # fmt: skip


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory, quick):
    """An app over a case that has a script in each of its texts, beside another case."""
    case = json.loads(quick.get("IL-0125").model_dump_json())
    texts = ("title", "summary", "impact", "affected_users", "symptom", "trigger", "cause",
             "detection", "mitigation", "follow_up", "lesson", "check")  # fmt: skip
    for field in texts:
        case[field] = {"en": [SCRIPT], "ko": [SCRIPT]}
    case |= {"id": "XSS-1", "severity": SCRIPT[:60], "figures": [],
             "arithmetic": [], "links": [], "related": None, "services": [SCRIPT]}  # fmt: skip
    case["claims"] = [
        {"kind": "symptom", "status": "confirmed", "terms": ["symptom:job-hang"],
         "evidence": [{"field": "symptom", "lang": "en", "quote": SCRIPT}]}
    ]  # fmt: skip
    path = tmp_path_factory.mktemp("attacks") / "poisoned.duckdb"
    made = [Case.model_validate(case), quick.get("IL-0023")]
    kg.build_library(made, path, encoder="hash").close()
    with asking(Settings(library=path)) as client:
        yield client


@pytest.mark.parametrize(
    "asked",
    [
        "/cases", "/cases/XSS-1", "/cases/XSS-1/similar", "/groups", "/graph", "/stats", "/topics",
        "/vocab", "/topics/symptom:job-hang", "/explain?a=XSS-1&b=IL-0023",
        "/search?q=<script>alert(1)</script>", "/search?lane=words&q=<script>alert",
        "/cases/<script>", "/topics/<script>", "/cases?domain=<script>", "/cases?<script>=1",
        "/<script>",
        "/diagnose?q=<script>alert(1)</script> job hang",
    ],
)  # fmt: skip
def test_a_script_stays_text(poisoned, asked):
    answer = poisoned.get(asked)
    assert answer.status_code < 500
    assert answer.headers["content-type"] in ("application/json", "application/problem+json")
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    json.loads(answer.content)


@pytest.mark.parametrize("path", CLIMBING)
def test_paths_lead_to_nothing_but_what_is_served(client, path):
    answer = client.get(path)
    assert answer.status_code in (404, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert "root:" not in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_nothing_can_be_changed(client, method):
    answer = client.request(method, "/cases/IL-0480")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD"
    assert client.get("/cases/IL-0480").status_code == 200


def test_both_methods_of_an_address_are_allowed(client):
    assert client.delete("/search").headers["allow"] == "GET, HEAD, POST"
    assert client.get("/mcp").headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8321", 200), ("localhost", 200), ("localhost:99", 200), ("[::1]:8321", 200),
        ("192.168.1.7:8321", 200), ("evil.example", 421), ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421), ("", 421), ("localhost@evil.example", 421),
    ],
)  # fmt: skip
def test_only_our_own_names_are_answered_to(client, host, status):
    assert client.get("/cases/IL-0023", headers={"Host": host}).status_code == status


def test_further_names_are_told_to_the_server(held):
    settings = Settings(hosts=("Incidents.Example",), base_url="https://kg.example/x")
    with asking(settings, held) as client:
        for name, status in (("incidents.example", 200), ("kg.example", 200), ("x.example", 421)):
            assert client.get("/health", headers={"Host": name}).status_code == status


def test_a_page_of_another_site_cannot_ask(client):
    asked = {"text": "NCCL timeout", "lane": "words"}
    for origin, status in (("https://evil.example", 403), ("null", 403), (HERE, 200)):
        answer = client.post("/search", json=asked, headers={"Origin": origin})
        assert answer.status_code == status
    assert "access-control-allow-origin" not in client.get("/cases").headers


BOMBS = {
    "one letter": "a" * 8000,
    "brackets": "(((((" * 1590 + " x",
    "combining signs": "e\u0301" * 4000,
    "piled signs": ("n" + "\u0300\u0301\u0302\u0303" * 50) * 39,
    "no width": "\u200d" * 7990 + " word",
    "turned around": "\u202e" * 1000 + "NCCL timeout",
    "ligature of eighteen": "\ufdfa" * 7990 + " x",
    "jamo": "\u1100\u1161\u11a8" * 2600,
    "almost an address": "a" * 4000 + "!" + "a" * 3999,
    "hashes": "#" * 7999 + "x",
    "hexadecimal": "0x" + "f" * 7998,
    "keys": "k=v," * 2000,
    "denials": "no evidence of " * 530,
    "families": "👩‍👩‍👧‍👦 x" * 800,
    "nothing but zero": "\x00" * 7000 + "NCCL",
    "lines": "\n".join(f"err {i} at {i * 7}" for i in range(500)),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_of_signs_take_little_and_break_nothing(client, name):
    text = BOMBS[name]
    begun = time.process_time()
    for path, body in (
        ("/search", {"text": text}),
        ("/search", {"text": text, "lane": "words"}),
        ("/explain", {"a": f"{text[:7900]} training hung", "b": "IL-0023"}),
    ):
        answer = client.post(path, json=body)
        assert answer.status_code in (200, 422), answer.text[:300]
        json.loads(answer.content)
    assert time.process_time() - begun < 4


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b'"x"', b'{"text": 1}', b'{"text": "\\ud800 NCCL"}', b"\xff\xfe",
        b'{"text": "x", "__proto__": {}}', b'{"text": "NCCL", "k": 1e400}', b"{" * 5000,
        b'{"text": "NCCL", "k": NaN}', b'{"text": "NCCL", "facets": {"cause": {"$ne": 1}}}',
        b"[" * 100_000, b'{"text": ' + b'"' + b"x" * 8001 + b'"}',
        b'{"text": "NCCL", "k": ' + b"9" * 5000 + b"}",
    ],
    ids=range(16),
)  # fmt: skip
def test_bodies_that_are_no_question_are_told_so(client, body):
    answer = client.post("/search", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 413, 422)
    assert answer.headers["content-type"] == "application/problem+json"


def test_sql_in_values_is_a_value(client):
    for value in ("' OR 1=1 --", "symptom:x'; DROP TABLE cases; --", "$(reboot $HOME)"):
        answer = client.get("/cases", params={"domain": value})
        assert (answer.status_code, answer.json()["total"]) == (200, 0)
        assert client.get("/cases", params={"cause": value}).status_code == 422
    assert client.get("/cases").json()["total"] == 8


def test_texts_have_a_limit_of_their_own(held):
    with asking(Settings(limits=Limits(text=30)), held) as client:
        assert client.post("/search", json={"text": "NCCL timeout"}).status_code == 200
        for path, body in (
            ("/search", {"text": "NCCL timeout " * 3}),
            ("/diagnose", {"text": "NCCL timeout " * 3}),
            ("/explain", {"a": "NCCL timeout " * 3, "b": "IL-0023"}),
        ):
            answer = client.post(path, json=body)
            assert answer.status_code == 413
            assert "30 characters" in answer.json()["detail"]
