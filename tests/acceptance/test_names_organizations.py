"""N1 to N11: who reported a case, who took part, and who only supplied something."""

from __future__ import annotations

import pytest

from kg.errors import TermNotFound
from kg.graph import IncidentGraph, Relation
from kg.model import Case, Scheme, Term
from kg.queries.listing import Group
from kg.vocab import Tagger, Vocabulary


def _member(groups: list[Group], case_id: str) -> tuple[str | None, int | None]:
    return next((m.organization, m.year) for g in groups for m in g.members if m.id == case_id)


def test_n01_bigscience(check_r, quick):
    check_r(["BigScience"], "organization:bigscience", "operator", "0428")
    assert quick.graph.edges_of("IL-0428", Relation.REPORTED_BY)[0].target.endswith("bigscience")
    # The list page never says who ran IL-0125, nor do we.
    assert not quick.graph.edges_of("IL-0125", Relation.REPORTED_BY)
    assert not quick.graph.edges_of("IL-0125", Relation.INVOLVES)
    assert quick.list(organization="BigScience").ids == ("IL-0428",)
    assert "BigScience" not in quick.get("IL-0125").text("title", "en")


def test_n02_jean_zay(check_r, quick):
    check_r(["Jean Zay", "jean-zay"], "component:jean-zay", "cluster", "0428 0125")
    paths = quick.explain("IL-0428", "IL-0125").paths
    assert ("case:IL-0428", "component:jean-zay", "case:IL-0125") in [p.nodes for p in paths]


def test_n03_databricks_ai(check_r):
    check_r(["Databricks AI"], "organization:databricks-ai", "operator", "0023")


def test_n04_meta(check_r, quick):
    check_r(["Meta"], "organization:meta", "operator", "0127")
    assert _member(quick.groups(), "IL-0127") == ("Meta", 2024)
    with pytest.raises(TermNotFound):
        quick.vocabulary.resolve("Meta2024")


def test_n05_imbue(check_r, quick):
    check_r(["Imbue"], "organization:imbue", "operator", "0025")
    assert _member(quick.groups(), "IL-0025") == ("Imbue", 2024)
    with pytest.raises(TermNotFound):
        quick.vocabulary.resolve("Imbue2024")


def test_n06_bytedance(check_r):
    check_r(["ByteDance"], "organization:bytedance", "operator", "0417")


def test_n07_new_york_university(check_r, quick):
    spellings = ["뉴욕대", "NYU", "New York University", "뉴욕대의"]
    check_r(spellings, "organization:nyu", "university", "0417")
    (edge,) = quick.graph.edges_to("organization:nyu")
    assert edge.role == "researcher"
    assert quick.list(organization="NYU").items[0].organizations == ("organization:bytedance",)


def test_n08_samsung_sds(check_r, quick):
    check_r(
        ["Samsung SDS", "Samsung SDS의", "samsung sds"],
        "organization:samsung-sds",
        "operator",
        "0480",
    )
    tags = quick.tag("Samsung SDS의 엔지니어들은")
    assert [(t.term, t.text) for t in tags] == [("organization:samsung-sds", "Samsung SDS")]


def test_n09_dell(check_r, quick):
    check_r(["Dell"], "organization:dell", "vendor", "0025")
    (edge,) = quick.graph.edges_to("organization:dell")
    assert (edge.relation, edge.role) == (Relation.INVOLVES, "vendor")
    assert quick.list(organization="Dell").items[0].organizations == ("organization:imbue",)


def test_n10_nvidia(check_r, quick):
    check_r(["NVIDIA", "엔비디아"], "organization:nvidia", "vendor", "0025 0480")
    assert {e.relation for e in quick.graph.edges_to("organization:nvidia")} == {Relation.INVOLVES}
    quotes = {
        (e.case_id, s.quote)
        for e in quick.graph.edges_to("organization:nvidia")
        for s in e.evidence
    }
    assert any(c == "IL-0025" and "driver" in q for c, q in quotes)
    assert any(c == "IL-0480" and "B300" in q for c, q in quotes)
    # The maker is not what it makes.
    check_r(["NVIDIA driver", "NVIDIA 드라이버"], "component:nvidia-driver", "platform", "0025")


def test_n11_unnamed_cloud_vendor(check_r, quick, vocabulary):
    ours = "organization:unnamed-cloud-vendor-il-0126"
    term = check_r(["클라우드 업체", "unnamed cloud vendor"], ours, "vendor", "0126")
    assert term.unnamed
    (edge,) = quick.graph.edges_to(ours)
    assert (edge.relation, edge.role) == (Relation.INVOLVES, "vendor")
    # Its words in some other text never mean the vendor of IL-0126.
    text = "다른 클라우드 업체, an unnamed cloud vendor"
    assert not [t for t in quick.tag(text) if t.term == ours]
    # The unnamed vendor of another case is another node, also under the same words.
    schemes = dict(vocabulary.schemes)
    other = term.model_copy(update={"id": "organization:unnamed-cloud-vendor-x"})
    schemes["organization"] = _with(schemes["organization"], other)
    wider = Vocabulary(schemes.values())
    graph = IncidentGraph([quick.get("IL-0126"), _moved(quick.get("IL-0126"), other)], wider)
    assert graph.cases_of(ours) == ["IL-0126"]
    assert graph.cases_of(other.id) == ["X-1"]
    assert [t.id for t in wider.lookup("클라우드 업체")] == [ours, other.id]
    assert not [t for t in Tagger(wider).tag(text) if t.term in (ours, other.id)]


def _with(scheme: Scheme, term: Term) -> Scheme:
    return scheme.model_copy(update={"terms": (*scheme.terms, term)})


def _moved(case: Case, vendor: Term) -> Case:
    claims = tuple(
        c.model_copy(update={"terms": (vendor.id,)}) if c.kind == "organization" else c
        for c in case.claims
    )
    return case.model_copy(update={"id": "X-1", "claims": claims})
