"""Addresses in answers ask the same question again: no parameter is lost on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from starlette.testclient import TestClient

Found = tuple[str, str]

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("/cases", {"sort": "oldest", "limit": 2, "values": 1, "lang": "ko"}),
    ("/search", {"q": "NCCL timeout", "k": 2, "lane": "words", "lang": "ko"}),
    (
        "/search",
        {"q": "NCCL timeout & more", "k": 3, "lane": "hybrid", "threshold": 0.5, "diversity": 0.2},
    ),
    ("/cases/IL-0480/similar", {"k": 2, "threshold": 0.1, "lang": "ko"}),
    ("/groups", {"every_cause": "true", "lang": "ko"}),
    ("/graph", {"case": ["IL-0480", "IL-0023"], "limit": 3, "lang": "ko"}),
    ("/stats", {"group_by": "year", "dated": "published", "lang": "ko"}),
]
IDS = [f"{n} {path}" for n, (path, _) in enumerate(QUESTIONS)]
FACETS = {"symptom": ["training-job-failure", "nccl-timeout"], "kind": "incident"}


def addresses(value: Any, name: str = "") -> Iterator[Found]:
    """Every address within an answer, with the name under which it stands."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield from addresses(below, key)
    elif isinstance(value, list):
        for below in value:
            yield from addresses(below, name)
    elif name in ("url", "remove", "clear", "next", "previous", "list_url") and value:
        yield name, value


def asked(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)


@pytest.mark.parametrize(("path", "own"), QUESTIONS, ids=IDS)
def test_a_filter_is_taken_away_and_all_else_stays(
    client: TestClient, path: str, own: dict[str, Any]
) -> None:
    answer = client.get(path, params={**own, **FACETS})
    assert answer.status_code == 200, answer.text
    applied = answer.json()["applied"]
    kept = {k: [str(x) for x in v] if isinstance(v, list) else [str(v)] for k, v in own.items()}
    assert asked(applied["clear"]) == kept
    assert len(applied["chips"]) == 3
    for chip in applied["chips"]:
        rest = asked(chip["remove"])
        assert {k: v for k, v in rest.items() if k not in FACETS} == kept
        assert chip["value"] not in rest.get(chip["facet"], [])
        assert sum(len(v) for k, v in rest.items() if k in FACETS) == 2
        assert urlsplit(chip["remove"]).path == path


@pytest.mark.parametrize(("path", "own"), QUESTIONS, ids=IDS)
def test_every_address_of_an_answer_is_answered(
    client: TestClient, path: str, own: dict[str, Any]
) -> None:
    found = sorted(set(addresses(client.get(path, params=own).json())))
    assert found
    for _, address in found[:12]:
        assert client.get(address).status_code == 200, address


def test_pages_of_a_list_go_there_and_back(client: TestClient) -> None:
    own = {"limit": 3, "sort": "oldest", "values": 2, "lang": "ko"}
    first = client.get("/cases", params=own).json()
    second = client.get(first["next"]).json()
    assert {name: len(f["values"]) for name, f in second["facets"].items()} == {
        name: len(f["values"]) for name, f in first["facets"].items()
    }
    assert all(len(f["values"]) <= 2 for f in second["facets"].values())
    back = client.get(second["previous"]).json()
    assert back["items"] == first["items"]
    assert back["previous"] is None


def test_a_suggestion_narrows_this_search_and_no_other(client: TestClient) -> None:
    own = {"q": "NCCL timeout 으로 학습이 죽음", "k": 7, "threshold": 0.01, "lang": "en"}
    told = client.get("/search", params={**own, "component": "pytorch"}).json()
    assert told["suggestions"]
    for suggestion in told["suggestions"]:
        query = asked(suggestion["url"])
        assert query["component"][-1] == "pytorch" or "pytorch" in query["component"]
        assert suggestion["id"].partition(":")[2] in query[suggestion["facet"]]
        assert {k: query[k] for k in own} == {k: [str(v)] for k, v in own.items()}
    narrowed = client.get(told["suggestions"][0]["url"]).json()
    assert narrowed["lang"] == "en"
    assert narrowed["threshold"] == 0.01


def test_what_is_as_usual_need_not_be_said(client: TestClient) -> None:
    for path in ("/search?q=NCCL", "/cases/IL-0480/similar", "/groups", "/graph"):
        query = asked(client.get(path).json()["applied"]["clear"])
        assert not set(query) & {"threshold", "diversity", "every_cause", "case"}, path


@pytest.mark.parametrize(
    "path", ["/cases/IL-0480", "/topics/cause:hardware-failure", "/topics", "/vocab", "/stats"]
)
@pytest.mark.parametrize("name", ["langg", "q2", "symptoms", "<b>"])
def test_a_name_that_is_not_known_is_refused_everywhere(
    client: TestClient, path: str, name: str
) -> None:
    answer = client.get(f"{path}?{quote(name)}=x")
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["where"] == f"query.{name}"
    assert client.get(f"{path}?lang=ko").status_code == 200


def test_a_record_is_the_same_in_every_language(client: TestClient) -> None:
    plain = client.get("/cases/IL-0480").json()
    assert client.get("/cases/IL-0480?lang=ko").json() == plain
    assert client.get("/cases/IL-0480?lang=fr").status_code == 422
