"""Hidden cases leave no trace: what is served is the same whatever they are."""

from __future__ import annotations

import json

import pytest

import kg
from kg.cli import main
from kg.errors import BadQuery, CaseNotFound, LibraryError, TermNotFound
from kg.model import Case
from kg.readers import shipped
from kg.server.holder import Holder
from kg.server.settings import Settings
from kg.server.visibility import hidden_by
from tests.conftest import REFERENCE
from tests.helpers.served import asking, with_tools

UNSEEN = "IL-0480"
OTHERS = [f for f in REFERENCE if f.stem != UNSEEN]

QUESTIONS = (
    "/cases?values=2000",
    "/cases?symptom=training-job-failure&lang=ko",
    "/cases?domain=ai-infra&sort=id",
    "/groups",
    "/groups?every_cause=true",
    "/vocab",
    "/topics",
    "/topics/symptom:training-job-failure",
    "/topics/component:pytorch",
    "/graph",
    "/stats",
    "/stats?group_by=symptom",
    "/search?q=GPUs+show+100+percent+but+power+fell+to+190+W&k=20&threshold=0",
    "/search?q=PyTorch+Join+evenfix+all_reduce&k=20&lane=words",
    "/diagnose?q=GPU+100%25+but+power+fell+to+190+W,+training+hangs&k=10&threshold=0",
    "/explain?a=IL-0023&b=IL-0428",
    "/explain?a=GPU+power+fell+and+training+hangs&b=IL-0428",
    *(f"/cases/{f.stem}" for f in OTHERS),
    *(f"/cases/{f.stem}/similar?k=20" for f in OTHERS),
)


@pytest.fixture(scope="module")
def secret():
    """The case to hide, with a name that only it has, and named as related by another."""
    record = json.loads((shipped("cases") / f"{UNSEEN}.json").read_text("utf-8"))
    return Case.model_validate(record)


@pytest.fixture(scope="module")
def pointing():
    """The other cases, one of which names the hidden one as related."""
    records = [json.loads(f.read_text("utf-8")) for f in OTHERS]
    records[0]["related"] = [UNSEEN]
    return [Case.model_validate(r) for r in records]


@pytest.fixture(scope="module")
def answers(tmp_path_factory, secret, pointing):
    """What is served of two libraries that differ in nothing but their hidden case."""
    folder = tmp_path_factory.mktemp("hidden")
    first = next(f for f in sorted(shipped("cases").glob("*.json")) if not f.stem.startswith("IL-"))
    found = []
    for name, cases, rule in (
        ("one", [*pointing, secret], UNSEEN),
        ("two", [*OTHERS, first], first.stem),
    ):
        path = folder / f"{name}.duckdb"
        kg.build_library(cases, path, encoder="hash").close()
        with asking(Settings(library=path, hidden=(rule,))) as client:
            told = {q: client.get(q) for q in QUESTIONS}
            gone = client.get(f"/cases/{rule}"), client.get("/cases/NOBODY")
        found.append((told, gone))
    return found


@pytest.fixture(scope="module")
def tools(answers, tmp_path_factory):
    """What the tools tell of the first of them."""
    del answers  # built it
    path = next(tmp_path_factory.getbasetemp().glob("hidden*/one.duckdb"))
    asked = [
        ("search_incidents", {"text": "power fell to 190 W", "k": 20, "threshold": 0}),
        ("list_incidents", {"limit": 50, "budget": 400_000}),
        ("get_topic", {"term": "component:pytorch"}),
        ("vocab", {"budget": 400_000, "detail": True}),
        ("similar_incidents", {"id": "IL-0428", "k": 20}),
        ("diagnose", {"text": "power fell to 190 W", "budget": 400_000}),
    ]

    async def work(client):
        gone = await client.call_tool("get_incident", {"id": UNSEEN})
        return [await client.call_tool(*a) for a in asked], gone

    return with_tools(Settings(library=path, hidden=(UNSEEN,), more=True), None, work)


def test_every_answer_is_the_same_to_the_byte_and_so_is_its_tag(answers):
    (one, _), (two, _) = answers
    for question in QUESTIONS:
        assert one[question].status_code == 200, question
        assert one[question].content == two[question].content, question
        assert one[question].headers["etag"] == two[question].headers["etag"]


def test_no_answer_names_the_hidden_case_or_what_only_it_has(answers, secret, quick):
    only = {
        t
        for claim in secret.claims
        for t in claim.terms
        if set(quick.graph.cases_of(t, narrower=True)) <= {UNSEEN}
    }
    assert only
    (told, _), _ = answers
    for question, answer in told.items():
        text = answer.text
        assert UNSEEN not in text, question
        assert secret.title.best("en") not in text
        assert secret.title.best("ko") not in text
        assert not {t for t in only if f'"{t}"' in text}, question


def test_a_hidden_case_is_missing_in_the_same_words_as_one_that_never_was(answers):
    for _, (hidden, missing) in answers:
        assert hidden.status_code == missing.status_code == 404
        known, unknown = hidden.json(), missing.json()
        assert set(known) == set(unknown)
        assert UNSEEN not in known["near"]


def test_nor_do_the_tools_tell_of_it(tools):
    told, gone = tools
    assert gone.is_error
    for answer in told:
        assert not answer.is_error
        assert UNSEEN not in answer.content[0].text


@pytest.mark.parametrize(
    ("rule", "gone"),
    [
        ("organization=Meta", {"IL-0127"}),
        # What is hidden goes by anything that a case says, ruled out or not.
        ("component=InfiniBand", None),
    ],
)
def test_rules_hide_by_facet(quick, rule, gone):
    with asking(Settings(library=quick.path, hidden=(rule,))) as client:
        left = {c["id"] for c in client.get("/cases", params={"limit": 200}).json()["items"]}
    expected = {"IL-0480", "IL-0023", "IL-0025", "IL-0126"} if gone is None else gone
    assert set(quick.cases) - left >= expected
    assert left


@pytest.mark.parametrize(
    ("rule", "error"),
    [
        ("organization=No Such Company", TermNotFound),
        ("organisation=Meta", BadQuery),
        ("kind=secret", BadQuery),
    ],
)
def test_a_slip_in_a_rule_stops_the_server_rather_than_show_what_was_to_be_hidden(
    quick, rule, error
):
    with pytest.raises(error), asking(Settings(library=quick.path, hidden=(rule,))):
        pass


def test_a_library_of_which_all_is_hidden_is_not_served(quick):
    rules = tuple(quick.cases)
    with pytest.raises(LibraryError, match="nothing is left"):  # noqa: SIM117
        with asking(Settings(library=quick.path, hidden=rules)):
            pass


@pytest.mark.parametrize(
    ("rule", "error", "words"),
    [
        ("il-0480", CaseNotFound, "Did you mean IL-0480"),
        ("IL-048O", CaseNotFound, "Did you mean IL-0480"),
        ("NOPE-1", CaseNotFound, "NOPE-1"),
        ("severity=SEV9", BadQuery, "severity=SEV9"),
        ("domain=AI-Infra", BadQuery, "Did you mean ai-infra"),
        ("before=1990-01-01", BadQuery, "before=1990-01-01"),
    ],
)
def test_a_rule_that_matches_no_case_stops_the_start(quick, rule, error, words):
    with pytest.raises(error, match=words):
        Holder(Settings(library=quick.path, hidden=("IL-0023", rule)))


def test_a_term_that_no_case_has_stops_the_start(quick):
    counts = {e.id: e.count for e in quick.vocab("tool")}
    stated = {e.target for e in quick.graph.edges if e.case_id}
    unused = next(t for t in sorted(counts) if not stated & set(quick.vocabulary.narrower_all(t)))
    with pytest.raises(BadQuery, match="no case has"):
        hidden_by(quick, f"tool={unused}")


def test_blanks_around_a_rule_are_no_part_of_it(quick):
    assert hidden_by(quick, " IL-0480 ") == ["IL-0480"]
    assert hidden_by(quick, "organization = Meta") == hidden_by(quick, "organization=Meta")


def test_a_page_writer_stops_at_the_same_slips(quick, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["site", str(out), "--library", str(quick.path), "--hide", "il-0480"]) != 0
    assert "Did you mean IL-0480" in capsys.readouterr().err
    assert not out.exists()
