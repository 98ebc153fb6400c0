"""The assistant: what it is told, what it answers, what changes, and what it never says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from kg.library import Library
from kg.server.app import create_app
from kg.server.holder import Holder
from kg.server.pages.diagnose import Facts, diagnose_page, named_facts
from kg.server.pages.links import LiveLinks
from kg.server.pages.renderer import Renderer
from kg.server.pages.views import Views
from kg.server.settings import Settings
from tests.helpers.html import Element, faults, read_html
from tests.helpers.planted import diagnose
from tests.helpers.tiny import make_case
from tests.pages.conftest import ADDRESS, BROWSER

SEEN = "NCCL watchdog timeout, power dropped to 190 W, GPUs at 100%"
SEEN_KO = "학습이 멈추고 NCCL 타임아웃이 났다. GPU 사용률은 100%인데 처리량은 0이다"


@pytest.fixture(scope="module")
def asked(held: Holder) -> Iterator[TestClient]:
    """Over the real encoder: a diagnosis needs meanings."""
    app = create_app(Settings(), held)
    with TestClient(app, base_url=ADDRESS, headers=BROWSER) as it:
        yield it


def _post(client: TestClient, lang: str = "en", status: int = 200, **form: str) -> Element:
    answer = client.post(f"/diagnose?lang={lang}", data=form)
    assert answer.status_code == status
    page = read_html(answer.text)
    assert faults(page) == []
    return page


@pytest.fixture(scope="module")
def first(asked: TestClient) -> Element:
    return _post(asked, text=SEEN)


def test_every_citation_leads_to_a_quotation(first: Element, lib: Library) -> None:
    cites = first.all("a", _class="cite")
    assert len(cites) > 5
    found = lib.diagnose(SEEN, lang="en")
    for cite in cites:
        number = int(re.fullmatch(r"\[(\d+)\]", cite.text).group(1))  # type: ignore[union-attr]
        item = first.one("li", id=f"evidence-{number}")
        statement = found.evidence[number - 1]
        assert item.all("a")[0].text == statement.case_id
        quotes = [m.text for m in item.all("mark")]
        assert quotes == [" ".join(s.quote.split()) for s in statement.spans("en")]


def test_the_lines_are_those_of_the_library(first: Element, lib: Library) -> None:
    told = str(lib.diagnose(SEEN, lang="en"))
    lines = [li.text for ul in first.all("ul", _class="told") for li in ul.all("li")]
    assert len(lines) > 10
    plain = {" ".join(line.split()) for line in told.splitlines()}
    assert [line for line in lines if line not in plain] == []


def test_hypotheses_are_called_so_and_have_numbers(first: Element, lib: Library) -> None:
    table = first.one("table")
    rows = table.one("tbody").all("tr")
    found = lib.diagnose(SEEN, lang="en")
    assert len(rows) == len(found.hypotheses) + 1
    for row, hypothesis in zip(rows, found.hypotheses, strict=False):
        assert "hypothesis" in row.one("th").text
        assert f"{hypothesis.n} of {hypothesis.of}" in row.text
    assert "Nothing here is said of your incident itself." in first.text


def test_it_answers_in_korean(asked: TestClient) -> None:
    page = _post(asked, "ko", text=SEEN_KO)
    assert page.one("h2", id="answer").text == "라이브러리가 말해 주는 것"
    assert page.one("h3", id="told-similar").text == "비슷한 사례"
    assert "가설" in page.text


def test_what_changed_is_told_after_new_facts(asked: TestClient, first: Element) -> None:
    before = {i.get("name") or "": i.get("value") or "" for i in first.all("input", type="hidden")}
    assert before["before_text"] == SEEN
    page = _post(asked, text=SEEN, ruled_out="network fault", observed="power drop", **before)
    changed = page.one("section", aria_labelledby="told-changes")
    assert "ruled out since: network fault" in changed.text
    assert "observed since: power drop" in changed.text
    assert page.one("textarea", id="ruled_out").text == "network fault"


def test_a_cause_that_is_ruled_out_is_no_hypothesis(asked: TestClient) -> None:
    page = _post(asked, text=SEEN, ruled_out="mismatched collectives")
    heads = [th.text for table in page.all("table") for th in table.one("tbody").all("th")]
    assert not any("mismatched collectives" in head for head in heads)


def test_answers_to_its_questions_become_facts(asked: TestClient, first: Element) -> None:
    offered = [i for i in first.all("input", type="radio") if i.get("value") == "observed"]
    assert offered
    name = offered[0].get("name") or ""
    term = name.removeprefix("fact ")
    page = _post(asked, text=SEEN, **{name: "observed"})
    assert term in page.one("textarea", id="observed").text
    asked_again = {i.get("name") for i in page.all("input", type="radio")}
    assert name not in asked_again


def test_where_it_abstains_it_says_why_and_guesses_nothing(asked: TestClient) -> None:
    page = _post(asked, text="the cat sat on the mat and looked at the garden")
    assert page.all("table") == []
    assert "No hypothesis" in page.one("section", aria_labelledby="told-hypotheses").text


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"text": "NCCL", "observed": "no such term at all"}, "no term"),
        ({"text": "NCCL", "observed": "power drop", "ruled_out": "power drop"}, "power-drop"),
        ({"text": "!!!"}, "no words"),
    ],
)
def test_what_cannot_be_used_is_said_beside_the_form(
    asked: TestClient, form: dict[str, str], told: str
) -> None:
    page = _post(asked, status=422, **form)
    assert told in page.one("p", role="alert").text
    assert page.one("textarea", id="text").text == form["text"]
    assert page.all("section", _class="answer") == []


def test_an_empty_form_asks_nothing(client: TestClient) -> None:
    page = _post(client, text="   ")
    assert page.all("section", _class="answer") == []
    assert page.all("p", role="alert") == []


def test_the_text_stands_in_no_address(first: Element) -> None:
    assert first.one("form").get("method") == "post"
    assert "NCCL watchdog" not in "".join(a.get("href") or "" for a in first.all("a"))


def test_what_is_no_form_is_refused(client: TestClient) -> None:
    answer = client.post("/diagnose", content=b"{}", headers={"content-type": "text/plain"})
    assert answer.status_code == 415
    many = "&".join(f"x{i}=1" for i in range(600)).encode()
    kind = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/diagnose", content=many, headers=kind).status_code == 400


def test_a_line_break_at_the_beginning_is_kept(client: TestClient) -> None:
    answer = client.post("/diagnose", data={"text": "\r\n\r\nNCCL\r\nhang"})
    assert ">NCCL\nhang</textarea>" in answer.text


def test_facts_are_read_one_a_line() -> None:
    assert named_facts("power drop\n\n NCCL ; power drop\r\nGPU") == ("power drop", "NCCL", "GPU")


def test_signs_of_citations_in_a_text_cite_nothing(lib: Library) -> None:
    page = diagnose_page(lib, Facts(f"{SEEN} [1] ⟧0123456789abcdef:1⟧"), "en")
    numbers = {p.cites for t in page.told for line in t.lines for p in line.parts if p.cites}
    assert numbers <= {e.number for e in page.evidence}


def test_a_long_log_is_not_sent_twice_and_the_page_says_so(lib: Library) -> None:
    text = "NCCL watchdog timeout\n" * 500
    views = Views(Renderer(), lib, "en", LiveLinks(path="/diagnose"))
    page = read_html(views.diagnose(Facts(text)))
    assert page.all("input", name="before_text") == []
    assert "will not say what has changed" in page.text


@pytest.mark.parametrize(
    ("lang", "none", "other"),
    [
        ("en", "none", "A cause that nobody has named here and that this library does not know"),
        ("ko", "없음", "여기서 들지 않았고 이 라이브러리도 모르는 원인"),
    ],
)
def test_a_cause_that_is_only_named_stands_beside_what_is_neither_named_nor_known(
    tiny: Library, monkeypatch: pytest.MonkeyPatch, lang: str, none: str, other: str
) -> None:
    seen = (("symptom", "symptom:nccl-timeout"), ("symptom", "symptom:slow"))
    cases = [make_case("P-1", *seen, ("cause", "cause:race", "suspected"))]
    text = "NCCL timeout and slow training, race condition"
    found = diagnose(text, cases=cases, likely={"P-1": 0.6}, lang=lang)
    found = replace(found, near=(), suspicions=(), unknown=(), similar=found.similar)
    only = [replace(h, suspected=()) for h in found.hypotheses]
    found = replace(found, hypotheses=tuple(only))
    monkeypatch.setattr("kg.server.pages.diagnose._ask", lambda *_: found)
    html = Views(Renderer(), tiny, lang, LiveLinks(path="/diagnose")).diagnose(Facts(text, (), ()))
    table = read_html(html).one("table")
    rows = [[c.text for c in row.all("td")] for row in table.one("tbody").all("tr")]
    assert rows[0][1] == none
    assert table.one("tbody").all("tr")[-1].one("th").text == other
    assert "0 of 0" not in table.text
    assert "0건 중" not in table.text
