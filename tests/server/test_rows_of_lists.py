"""F28 to F36, F38 to F40 over HTTP: filters, chips, order, pages, cards, facets, groups."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest

from kg.queries.listing import CARD_FIELDS, untagged_gaps

SEED = {"symptom": "학습 작업 실패", "before": "2026-08-06"}
SEED_LIST = ["IL-0023", "IL-0127", "IL-0025", "IL-0125", "IL-0126"]


def ids(answer):
    return [item["id"] for item in answer["items"]]


@pytest.fixture(scope="module")
def page(client):
    return client.get("/cases", params=SEED).json()


def test_f28_applied_filters_go_round_through_address_and_json(client, page):
    told = page["applied"]
    assert told["filter"] == {
        "symptom": ["symptom:training-job-failure"], "before": "2026-08-06"
    }  # fmt: skip
    chip = told["chips"][0]
    assert (chip["facet"], chip["value"]) == ("symptom", "training-job-failure")
    assert chip["labels"] == {"en": "training job failure", "ko": "학습 작업 실패"}
    again = client.get(f"/cases?{told['query']}").json()
    assert again == page
    by_json = client.get("/cases", params=told["filter"]).json()
    assert (ids(by_json), by_json["applied"]) == (SEED_LIST, told)


def test_f28_each_chip_leads_to_the_list_without_it(client, page):
    for chip in page["applied"]["chips"]:
        left = client.get(chip["remove"]).json()
        assert chip["value"] not in [c["value"] for c in left["applied"]["chips"]]
        assert len(left["applied"]["chips"]) == len(page["applied"]["chips"]) - 1
        assert left["total"] >= page["total"]


def test_f29_clearing_gives_everything(client, page, quick):
    cleared = client.get(page["applied"]["clear"]).json()
    assert cleared["applied"]["chips"] == []
    assert ids(cleared) == list(quick.list().ids)
    assert cleared["total"] == len(quick) > page["total"]


def test_f30_newest_first_with_a_notice(client, page):
    assert ids(page) == SEED_LIST
    assert (page["sort"], page["query"]) == ("recent", None)
    assert "newest first" in page["notice"]
    korean = client.get("/cases", params={**SEED, "lang": "ko"}).json()["notice"]
    assert all(words in korean for words in ("검색어 없이", "최근 사례부터"))
    dates = [item["date"] for item in client.get("/cases").json()["items"]]
    assert dates == sorted(dates, reverse=True)
    oldest = client.get("/cases", params={**SEED, "sort": "oldest"}).json()
    assert ids(oldest) == SEED_LIST[::-1]


def test_f31_most_frequent_components(client, page):
    told = page["top_components"]
    assert [t["id"] for t in told] == ["component:nccl", "component:pytorch"]
    for term in told:
        narrowed = client.get(term["url"]).json()
        assert set(ids(narrowed)) <= set(SEED_LIST)
        assert narrowed["total"] == term["count"]
    other = client.get("/cases", params={"organization": "BigScience"}).json()
    assert other["top_components"] != told


def test_f34_f35_count_and_range(client, page):
    assert (page["total"], page["from"], page["to"]) == (5, 1, 5) == (len(page["items"]), 1, 5)
    seen, address = [], f"/cases?{page['applied']['query']}&limit=2"
    ranges = []
    while address:
        part = client.get(address).json()
        seen += ids(part)
        ranges.append((part["total"], part["from"], part["to"]))
        address = part["next"]
    assert seen == SEED_LIST
    assert ranges == [(5, 1, 2), (5, 3, 4), (5, 5, 5)]
    assert ids(client.get(part["previous"]).json()) == SEED_LIST[2:4]
    beyond = client.get("/cases", params={**SEED, "offset": 50})
    assert beyond.status_code == 200
    told = beyond.json()
    assert (told["total"], told["from"], told["to"], told["items"]) == (5, 0, 0, [])


def test_f36_all_nine_fields_are_there(page):
    absent = set()
    for number, card in enumerate(page["items"], 1):
        assert tuple(card["fields"]) == CARD_FIELDS
        for name, field in card["fields"].items():
            assert set(field) == {"state", "text", "terms"}
            absent |= {(number, name)} if field["state"] != "stated" else set()
            assert all(t in page["labels"] for t in field["terms"])
    assert absent == {(2, "trigger"), (4, "follow_up")}


def test_f38_f39_groups_by_cause(client):
    told = client.get("/groups", params={**SEED, "lang": "ko"}).json()
    assert [(g["cause"], g["count"]) for g in told["groups"]] == [
        ("cause:dependency-failure", 3),
        ("cause:hardware-failure", 2),
    ]
    members = [{m["id"] for m in g["members"]} for g in told["groups"]]
    assert members == [{"IL-0023", "IL-0025", "IL-0126"}, {"IL-0127", "IL-0125"}]
    assert told["labels"]["cause:hardware-failure"]["ko"] == "하드웨어 고장"
    assert told["total"] == told["grouped"] == 5
    imbue = next(m for g in told["groups"] for m in g["members"] if m["id"] == "IL-0025")
    assert (imbue["organization"], imbue["year"]) == ("Imbue", 2024)
    assert imbue["title"]
    every = client.get("/groups", params={**SEED, "every_cause": True}).json()
    assert sum(g["count"] for g in every["groups"]) > every["grouped"] == 5


@pytest.mark.parametrize("asked", [{}, SEED])
def test_f40_each_facet_value_counts_its_list_and_leads_to_it(client, asked):
    page = client.get("/cases", params={**asked, "values": 2000}).json()
    assert {f for f, values in page["facets"].items() if values["total"]} >= {"cause", "symptom"}
    for values in page["facets"].values():
        assert values["total"] == len(values["values"])
        for value in values["values"][:6]:
            assert client.get(value["url"] + "&limit=1").json()["total"] == value["count"]


def test_f40_what_is_not_listed_of_a_facet_is_told(client):
    values = client.get("/cases", params={"values": 2}).json()["facets"]["component"]
    assert len(values["values"]) == 2 < values["total"]
    assert client.get("/cases", params={"values": 0}).json()["facets"]["cause"]["values"] == []


def test_f41_a_list_that_lacks_a_case_with_its_tag_is_flagged(client, quick):
    told = client.get("/cases", params={"symptom": SEED["symptom"]}).json()
    assert set(ids(told)) ^ set(SEED_LIST) == {"IL-0480"}
    listed = {"symptom:training-job-failure": SEED_LIST}
    assert untagged_gaps(quick.graph, listed) == [("symptom:training-job-failure", "IL-0480")]
    # What the server lists is never behind what its cases say of themselves.
    tagged = {}
    for case_id in ids(client.get("/cases").json()):
        for claim in client.get(f"/cases/{case_id}").json()["claims"]:
            if claim["kind"] == "symptom" and claim["status"] != "ruled_out":
                for term in claim["terms"]:
                    tagged.setdefault(term, set()).add(case_id)
    for term, cases in tagged.items():
        assert cases <= set(ids(client.get("/cases", params={"symptom": term}).json()))


def test_addresses_in_answers_lead_nowhere_else(client, page):
    told = [page["applied"]["clear"], *(c["remove"] for c in page["applied"]["chips"])]
    for address in told:
        parts = urlsplit(address)
        assert (parts.scheme, parts.netloc) == ("", "")
        assert parse_qsl(parts.query)
        assert client.get(address).status_code == 200
