"""F32, F33, F37, F46 to F52 over HTTP: suggestions, the graph, search, topics, the vocabulary."""

from __future__ import annotations

from collections import Counter

import pytest

from kg.graph import kind_of
from kg.graph.schema import ALLOWED

SEED = {"symptom": "학습 작업 실패", "before": "2026-08-06"}


@pytest.mark.parametrize(
    "query",
    [
        "NCCL timeout 으로 학습이 죽음",
        "training died with an NCCL timeout",
        "NCCL 타임아웃 뒤 학습 작업 실패",
    ],
)
def test_f32_filters_are_suggested_from_the_query_in_both_languages(client, query):
    told = client.get("/search", params={"q": query}).json()
    assert {s["id"] for s in told["suggestions"]} == {
        "symptom:nccl-timeout",
        "symptom:training-job-failure",
        "component:nccl",
    }
    for s in told["suggestions"]:
        assert set(s["labels"]) == {"en", "ko"}
        assert client.get("/cases", params={s["facet"]: s["id"]}).json()["total"] == s["count"] > 0
        narrowed = client.get(s["url"]).json()
        assert narrowed["applied"]["chips"][0]["facet"] == s["facet"]
        assert narrowed["query"] == query


def test_f33_the_graph_has_five_kinds_and_legal_edges(client):
    told = client.get("/graph", params=SEED).json()
    kinds = {n["kind"] for n in told["nodes"]}
    assert kinds == {"case", "cause", "component", "symptom", "factor"}
    assert sum(n["kind"] == "case" for n in told["nodes"]) == told["shown"] == told["total"] == 5
    nodes = {n["id"]: n for n in told["nodes"]}
    assert told["edges"]
    for edge in told["edges"]:
        assert {edge["source"], edge["target"]} <= set(nodes)
        triple = (kind_of(edge["source"]), edge["relation"], kind_of(edge["target"]))
        assert triple in {(a, str(r), b) for a, r, b in ALLOWED}
        assert edge["quotes"]
        assert edge["status"] in ("confirmed", "suspected", "ruled_out")
    for node in (told["nodes"][0], told["nodes"][-1]):
        assert client.get(node["url"]).status_code == 200
        assert node["labels"]


def test_f33_a_graph_of_chosen_cases_and_its_limit(client):
    two = client.get("/graph", params={"case": ["IL-0480", "IL-0127"]}).json()
    assert (two["total"], two["shown"]) == (2, 2)
    one = client.get("/graph", params={"limit": 1}).json()
    assert one["total"] > one["shown"] == 1
    assert client.get("/graph", params={"case": "NOPE"}).status_code == 422


def test_f37_factors_are_no_causes(client):
    edges = client.get("/graph").json()["edges"]
    factors = {e["relation"] for e in edges if kind_of(e["target"]) == "factor"}
    causes = {e["relation"] for e in edges if kind_of(e["target"]) == "cause"}
    assert (factors, causes) == ({"CONTRIBUTED_BY"}, {"CAUSED_BY"})


def test_search_gives_reasons_that_add_up(real):
    told = real.get("/search", params={"q": "GPUs show 100 % but power fell to 190 W"}).json()
    best = told["items"][0]
    assert best["id"] == "IL-0480"
    assert best["score"] == pytest.approx(sum(best["parts"].values()), abs=1e-5)
    assert 0 < best["probability"] <= 1
    case = real.get(best["url"]).json()
    for p in best["passages"]:
        text = "\n\n".join(case[p["field"]][p["lang"]])
        assert text[p["start"] : p["end"]] == p["text"]


@pytest.mark.parametrize(
    "query", ["sourdough bread recipe", "엑셀 피벗 테이블을 CSV로 내보내는 방법"]
)
def test_nothing_similar_is_said(real, query):
    told = real.get("/search", params={"q": query}).json()
    assert told["items"] == []
    assert told["message"]


@pytest.mark.parametrize(
    ("query", "case_id"),
    [
        ("NCCL_IB_TIMEOUT", "IL-0023"),
        ("--kill-on-bad-exit=1", "IL-0125"),
        ("_aggregate_total_loss", "IL-0428"),
    ],
)
def test_words_alone_find_exact_names(client, query, case_id):
    told = client.get("/search", params={"q": query, "lane": "words"}).json()
    assert told["items"][0]["id"] == case_id
    assert told["lane"] == "words"
    best = told["items"][0]
    assert best["probability"] is None
    assert set(best["parts"]) == {"words"}
    assert any(query.strip("-").partition("=")[0] in p["text"] for p in best["passages"])


def test_words_that_nobody_has_find_nothing(client):
    told = client.get("/search", params={"q": "qqqqzzzz", "lane": "words"}).json()
    assert (told["items"], told["weaker"]) == ([], [])
    assert told["message"]


def test_a_search_in_a_body_is_the_same_search(client):
    asked = {"text": "NCCL timeout", "k": 3, "facets": {"organization": ["Databricks AI"]}}
    by_body = client.post("/search", json=asked).json()
    by_address = client.get(
        "/search", params={"q": "NCCL timeout", "k": 3, "organization": "Databricks AI"}
    ).json()
    assert by_body["items"] == by_address["items"]
    assert [i["id"] for i in (*by_body["items"], *by_body["weaker"])] == ["IL-0023"]


def test_f49_f52_a_topic_tells_its_cases_and_why(client, quick):
    told = client.get("/topics/cause:dependency-failure").json()
    assert told["slug"] == "dependency-failure"
    assert told["url"] == "/topics/cause%3Adependency-failure"
    assert client.get(told["url"]).json() == told
    assert told["definition"]
    assert set(told["labels"]) == {"en", "ko"}
    standing = [m for m in told["members"] if m["status"] != "ruled_out"]
    assert len({m["id"] for m in standing}) == told["count"] > 0
    for member in told["members"]:
        assert member["quotes"]
        assert member["terms"]
        assert any(
            q in text for q in member["quotes"] for _, _, text in quick.get(member["id"]).texts()
        )
    assert told["membership"]
    assert told["together"]["component"]
    assert client.get(told["list_url"]).json()["total"] == told["count"]


def test_f52_a_topic_by_spelling_is_the_same_topic(client):
    by_spelling = client.get("/topics/NCCL 타임아웃").json()
    assert by_spelling["id"] == "symptom:nccl-timeout"
    assert client.get("/topics/symptom:nccl-timeout").json() == by_spelling
    assert client.get("/topics/no-such-term").status_code == 404


def test_topics_are_the_terms_with_cases(client, quick):
    told = client.get("/topics").json()
    assert {t["id"] for t in told["items"]} == {e.id for e in quick.vocab() if e.count}
    counts = [t["count"] for t in told["items"]]
    assert counts == sorted(counts, reverse=True)


def test_f50_the_vocabulary_has_every_facet_with_labels_and_counts(client, quick):
    told = client.get("/vocab").json()
    assert {s["scheme"] for s in told["schemes"]} == set(quick.vocabulary.schemes)
    assert told["total"] == len(quick.vocabulary) == sum(len(s["terms"]) for s in told["schemes"])
    assert told["version"]
    for scheme in told["schemes"]:
        for term in scheme["terms"]:
            assert set(term["labels"]) >= {"en", "ko"}
            assert term["count"] == len(term["cases"])
            assert isinstance(term["broader"], list)
    one = client.get("/vocab", params={"scheme": "cause"}).json()
    assert [s["scheme"] for s in one["schemes"]] == ["cause"]


def test_explanations_are_those_of_the_library(client, quick):
    told = client.get("/explain", params={"a": "IL-0480", "b": "IL-0023", "lang": "ko"}).json()
    assert told["text"] == str(quick.explain("IL-0480", "IL-0023", "ko"))
    assert told["same_cause"] == "no"
    text = client.post("/explain", json={"a": "training hung in NCCL", "b": "IL-0023"}).json()
    assert (text["a"], text["b"]) == ("(text)", "IL-0023")
    assert text["same_cause"] != "yes"
    assert client.get("/explain", params={"a": "IL-0480", "b": "IL-0480"}).status_code == 422


def test_a_diagnosis_cites_its_evidence_and_confirms_nothing(real):
    asked = {"text": "Training died with an NCCL timeout; one InfiniBand port flapped for 20 s"}
    told = real.post("/diagnose", json=asked).json()
    assert told["hypotheses"] or told["abstention"]
    assert len(told["citations"]) == len(set(told["citations"]))
    for h in told["hypotheses"]:
        assert 0 < h["probability"] < 1
        for s in h["support"]:
            assert s["statement"]["claim_id"] in told["citations"]
            assert s["statement"]["evidence"]
    assert told["told"]
    nothing = real.get("/diagnose", params={"q": "sourdough bread recipe"}).json()
    assert nothing["hypotheses"] == []
    assert nothing["abstention"]["text"]


def test_stats_count_what_matches_and_say_what_is_unknown(client, quick):
    told = client.get("/stats").json()
    assert told["cases"] == len(quick)
    kinds = Counter(str(c.kind) for c in quick.cases.values())
    assert told["kinds"] == kinds
    assert told["times"]["incidents"] == kinds["incident"] < len(quick)
    assert told["times"]["recover"]["unknown_share"] is not None
    assert sum(told["coverage"]["severity"].values()) == len(quick)
    some = client.get("/stats", params={"organization": "Meta", "group_by": "year"}).json()
    assert some["cases"] == 1
