"""F42 to F44 over HTTP: the record of a case, and the cases nearest to it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from kg.readers import shipped

HANGS = ("IL-0428", "IL-0125", "IL-0023")


@pytest.fixture(scope="module")
def similar(real):
    return real.get("/cases/IL-0480/similar", params={"k": 7}).json()


def test_f42_the_record_needs_no_key_and_fits_the_schema_of_cases(client, quick):
    schema = json.loads((shipped("schema") / "case.schema.json").read_text("utf-8"))
    for case_id in quick.cases:
        answer = client.get(f"/cases/{case_id}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        jsonschema.validate(answer.json(), schema)
        assert answer.json() == quick.get(case_id).resolved().model_dump(mode="json")


def test_f42_evidence_stands_where_it_says(client):
    case = client.get("/cases/IL-0480").json()
    spans = [s for claim in case["claims"] for s in claim["evidence"]]
    assert spans
    for span in spans:
        if span["field"] == "sources":
            continue
        text = "\n\n".join(case[span["field"]][span["lang"]])
        assert span["quote"] == text[span["start"] : span["end"]]


def test_f42_an_unknown_id_is_a_problem_in_json_with_ids_that_look_like_it(client):
    answer = client.get("/cases/IL-048")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert (told["status"], told["type"]) == (404, "urn:incident-kg:problem:unknown-case")
    assert "IL-0480" in told["near"]


def test_f43_sorted_never_itself_with_reasons_and_verdict(similar, lib):
    items = similar["items"]
    assert len(items) == 7
    assert "IL-0480" not in [i["id"] for i in items]
    assert [i["score"] for i in items] == sorted((i["score"] for i in items), reverse=True)
    for item in items:
        assert item["same_cause"] in ("yes", "no", "unknown")
        assert item["score"] == pytest.approx(sum(item["parts"].values()))
        assert item["reasons"]
        for reason in item["reasons"]:
            assert any(reason["quotes"].values())
            for case_id, quotes in reason["quotes"].items():
                for q in quotes:
                    text = lib.get(case_id).text(q["field"], q["lang"])
                    assert text[q["start"] : q["end"]] == q["text"]
                    assert q["status"] in (None, "confirmed", "suspected")


def test_f43_a_shared_reason_quotes_both_cases(similar):
    shared = [r for i in similar["items"] for r in i["reasons"] if r["kind"] == "shared"]
    assert shared
    for reason in shared:
        assert len(reason["quotes"]) == 2
        assert "IL-0480" in reason["quotes"]
        assert all(reason["quotes"].values()), reason


@pytest.mark.parametrize(
    ("lang", "cause"), [("en", "mismatched collectives"), ("ko", "집합 통신 어긋남")]
)
def test_f44_hangs_come_before_the_slowdown_and_the_difference_is_named(real, lang, cause):
    told = real.get("/cases/IL-0480/similar", params={"k": 7, "lang": lang}).json()
    order = [i["id"] for i in told["items"]]
    for case_id in HANGS:
        assert order.index(case_id) < order.index("IL-0417")
    study = next(i for i in told["items"] if i["id"] == "IL-0417")
    assert study["same_cause"] == "no"
    assert cause in study["difference"]


def test_similar_takes_filters_and_says_what_it_compared(client):
    told = client.get("/cases/IL-0480/similar", params={"organization": "Meta"}).json()
    assert [i["id"] for i in told["items"]] == ["IL-0127"]
    none = client.get("/cases/IL-0480/similar", params={"domain": "nothing"}).json()
    assert none["items"] == []
    assert none["message"]


def test_similar_of_an_unknown_case_is_not_found(client):
    assert client.get("/cases/NOPE/similar").status_code == 404
