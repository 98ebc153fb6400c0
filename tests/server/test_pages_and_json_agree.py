"""A page and JSON at one address: the same limits, and the same status where they are broken."""

from __future__ import annotations

import pytest

PAGE = {"Accept": "text/html"}
LONG = "x" * 8_001


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/cases?limit=200", 200),
        ("/cases?limit=201", 422),
        ("/cases?limit=0", 422),
        ("/cases?limit=ten", 422),
        ("/cases?offset=10000000", 200),
        ("/cases?offset=10000001", 422),
        ("/cases?offset=-1", 422),
        ("/cases?sort=odd", 422),
        ("/cases?since=2024", 422),
        ("/cases?symptom=nothing-of-the-kind", 422),
        ("/cases?format=html", 200),
        ("/cases?format=json", 200),
        ("/cases?format=xml", 422),
        ("/cases?format=json&format=html", 422),
        ("/cases?limit=5&format=", 422),
        ("/explain?a=IL-0480&b=IL-0023", 200),
        ("/explain?a=IL-0480&b=IL-9999", 422),
        ("/explain?a=IL-0480&b=IL-0480", 422),
        (f"/explain?a=IL-0480&b={LONG[:2001]}", 422),
        (f"/search?q={LONG[:2001]}", 422),
        ("/topics?scheme=nothing", 422),
        ("/cases/IL-9999", 404),
        ("/topics/cause:nothing", 404),
    ],
)
def test_the_status_is_the_same(client, address, status):
    assert client.get(address).status_code == status
    page = client.get(address, headers=PAGE)
    assert page.status_code == status
    if "format=json" not in address or status != 200:
        assert page.headers["content-type"].startswith("text/html")


def test_as_many_cases_as_were_asked_for_are_on_a_page(client):
    page = client.get("/cases?limit=200", headers=PAGE).text
    for item in client.get("/cases?limit=200").json()["items"]:
        assert f"/cases/{item['id']}" in page


@pytest.mark.parametrize(
    ("told", "status", "words"),
    [
        ({"text": "NCCL timeout"}, 200, ""),
        ({"text": "NCCL timeout", "observed": "no such symptom"}, 422, "no such symptom"),
        ({"text": "!!!"}, 422, "no words"),
        ({"text": LONG}, 413, "8000"),
    ],
)
def test_the_assistant_has_the_status_of_the_diagnosis_and_keeps_the_form(
    client, told, status, words
):
    asked = {**told, **({"observed": [told["observed"]]} if "observed" in told else {})}
    assert client.post("/diagnose", json=asked).status_code == status
    page = client.post("/diagnose", data=told, headers=PAGE)
    assert page.status_code == status
    assert page.headers["cache-control"] == "no-store"
    assert words in page.text
    assert told["text"] in page.text


def test_a_page_that_tells_of_a_problem_is_not_kept(client):
    address = "/explain?a=IL-0480&b=IL-9999"
    page = client.get(address, headers=PAGE)
    assert "IL-9999" in page.text
    assert "etag" not in page.headers
    assert page.headers["cache-control"] == "no-store"
    assert client.get(address, headers=PAGE).status_code == 422


def test_a_form_without_answers_is_a_page(client):
    for address in ("/explain", "/explain?a=IL-0480", "/diagnose", "/search?q="):
        assert client.get(address, headers=PAGE).status_code == 200


def test_a_format_that_is_asked_for_goes_before_what_a_reader_accepts(client):
    page = client.get("/cases/IL-0480?format=html", headers={"Accept": "application/json"})
    assert page.headers["content-type"].startswith("text/html")
    told = client.get("/cases/IL-0480?format=json", headers=PAGE)
    assert told.json()["id"] == "IL-0480"
