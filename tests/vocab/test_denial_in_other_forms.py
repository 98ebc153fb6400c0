"""Denials over a distance: lists, "neither … nor", "not caused by", "I don't think it is"."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.vocab import Tagger
from kg.vocab.denial import denied, excludes
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import term, tiny_vocabulary

TAGGER = Tagger(
    tiny_vocabulary(
        term("cause:oom", "OOM", "메모리 부족"),
        term("cause:disk-full", "disk full", "디스크 가득 참"),
        term("component:dns", "DNS", "디엔에스"),
        term("symptom:xid", "Xid", aliases={"zxx": ["Xid 79"]}),
    )
)


def marks(text: str) -> dict[str, bool]:
    return {t.term.partition(":")[2]: t.negated for t in TAGGER.tag(text)}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("neither OOM nor link down", {"oom", "link-down"}),
        ("It was neither OOM nor was there a link down", {"oom", "link-down"}),
        ("neither of OOM", {"oom"}),
        ("The crash was not caused by DNS", {"dns"}),
        ("not caused by the DNS", {"dns"}),
        ("This wasn't caused by OOM", {"oom"}),
        ("It was not due to OOM", {"oom"}),
        ("not because of OOM", {"oom"}),
        ("It is not related to DNS", {"dns"}),
        ("It was not the result of a race condition", {"race"}),
        ("not caused by OOM or DNS", {"oom", "dns"}),
        ("I don't think it is OOM", {"oom"}),
        ("I don't think it's an OOM", {"oom"}),
        ("We do not believe that this was OOM", {"oom"}),
        ("I don’t think OOM is the cause", {"oom"}),
        ("we doubt it was OOM", {"oom"}),
        ("ruled out OOM and DNS", {"oom", "dns"}),
        ("We ruled out OOM, DNS and disk full", {"oom", "dns", "disk-full"}),
        ("excluded the OOM, a disk full and DNS", {"oom", "disk-full", "dns"}),
        ("There was no OOM or link down", {"oom", "link-down"}),
        ("without OOM or disk full", {"oom", "disk-full"}),
        ("Xid 79 은 없었다", {"xid"}),
        ("Xid 79는 보이지 않았다", {"xid"}),
        ("OOM 은 원인이 아니었다", {"oom"}),
        ("OOM과 DNS는 배제했다", {"oom", "dns"}),
        ("OOM이나 DNS 문제는 아니었다", {"oom", "dns"}),
        ("OOM도 링크 다운도 없었다", {"oom", "link-down"}),
        ("OOM이 아닙니다", {"oom"}),
        ("OOM은 아닙니다", {"oom"}),
        ("DNS 문제는 아니고 OOM도 아닙니다", {"dns", "oom"}),
        ("OOM은 확인되지 않았습니다", {"oom"}),
        ("OOM: none", {"oom"}),
        ("OOM: 없음", {"oom"}),
        ("Xid clean", {"xid"}),
        ("DNS was fine", {"dns"}),
        ("DNS looked perfectly normal", {"dns"}),
        ("DNS was not affected", {"dns"}),
        ("DNS는 정상이었다", {"dns"}),
        ("디엔에스는 문제없었다", {"dns"}),
        ("DNS는 이상 없음", {"dns"}),
    ],
)
def test_what_is_denied_from_afar_is_marked(text: str, wanted: set[str]) -> None:
    assert marks(text) == dict.fromkeys(wanted, True)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("ruled out OOM and link down came back", "link-down"),
        ("ruled out OOM, link down remained", "link-down"),
        ("We ruled out OOM and saw link down", "link-down"),
        ("It is not clear why OOM came", "oom"),
        ("no alert and OOM", "oom"),
        ("We think it is OOM", "oom"),
        ("not related to load, OOM came", "oom"),
        ("It was caused by OOM, not DNS", "oom"),
        ("I don't think we can exclude OOM", "oom"),
        ("I don't know, OOM maybe", "oom"),
        ("not only caused by OOM", "oom"),
        ("OOM이 났고 DNS는 배제했다", "oom"),
        ("OOM과 DNS 오류가 같이 났다", "oom"),
        ("OOM도 링크 다운도 났다", "oom"),
        ("neither node answered, OOM on both", "oom"),
        ("without an answer from DNS, OOM", "oom"),
    ],
)
def test_a_denial_of_something_else_does_not_reach_it(text: str, named: str) -> None:
    assert marks(text)[named] is False


@pytest.mark.parametrize("text", ["no DNS or GPU answered", "neither the GPU nor DNS answered"])
def test_a_thing_in_such_a_list_is_missing_rather_than_denied(text: str) -> None:
    assert marks(text)["gpu"] is False


def test_each_item_of_a_long_list_is_denied() -> None:
    names = ["OOM", "disk full", "link down", "race condition"]
    text = f"We ruled out {', '.join(names[:-1])} and {names[-1]}."
    assert marks(text) == dict.fromkeys(["oom", "disk-full", "link-down", "race"], True)


@pytest.mark.parametrize(
    "clause",
    [
        "we ruled out an expired certificate",
        "The network was not the cause",
        "DNS isn't to blame",
        "not caused by a full disk",
        "I don't think it is the switch",
        "no sign of a leak",
        "neither memory nor disk was short",
        "it was not the network",
        "네트워크는 원인이 아니었다",
        "디스크 때문이 아니다",
        "메모리 누수는 배제했다",
        "누수의 흔적은 없었다",
    ],
)
def test_clauses_that_exclude(clause: str) -> None:
    assert excludes(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "no alert fired",
        "the disk had no space left",
        "the node did not respond",
        "nobody noticed",
        "we cannot rule out the switch",
        "경보가 울리지 않았다",
        "남은 공간이 없었다",
        "",
    ],
)
def test_clauses_that_tell_of_a_lack_do_not_exclude(clause: str) -> None:
    assert not excludes(clause)


@QUICK
@given(st.text(max_size=60), st.text(max_size=60), st.booleans())
def test_any_place_can_be_judged(before: str, after: str, happening: bool) -> None:
    text = f"{before}OOM{after}"
    judged = denied(text, len(before), len(before) + 3, happening)
    assert isinstance(judged, bool)
    assert isinstance(excludes(text), bool)


@QUICK
@given(st.sampled_from(["ruled out OOM", "not caused by OOM", "I don't think it is OOM"]))
def test_a_sentence_before_changes_nothing(said: str) -> None:
    assert marks(f"The link down came first. We {said}.") == {"link-down": False, "oom": True}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("DNS was fine until the push", "dns"),
        ("DNS는 정상이었다가 끊겼다", "dns"),
        ("OOM뿐 아니라 DNS도 원인이었다", "oom"),
        ("OOM 때문만은 아니었다", "oom"),
        ("DNS is healthy, OOM came first", "oom"),
    ],
)
def test_what_was_well_only_at_first_or_not_alone_is_not_denied(text: str, named: str) -> None:
    assert marks(text)[named] is False


@pytest.mark.parametrize("words", [200, 2000])
def test_long_lines_are_judged_quickly(words: int) -> None:
    text = "ruled out " + "very " * words + "OOM and " + "x, " * words + "disk full"
    assert marks(text)["disk-full"] is False


def test_a_denied_name_takes_along_what_happens_within_it() -> None:
    tagger = Tagger(
        tiny_vocabulary(
            term("cause:bad-deploy", "bad deploy", "잘못된 배포"),
            term("trigger:deployment", "deploy", "배포"),
            term("component:gpu-memory", "GPU memory"),
            term("cause:gpu-memory-fault", "GPU memory fault"),
        )
    )
    denied_terms = {t.term: t.negated for t in tagger.tag("it wasn't caused by a bad deploy")}
    assert denied_terms == {"cause:bad-deploy": True, "trigger:deployment": True}
    korean = {t.term: t.negated for t in tagger.tag("잘못된 배포는 아닙니다")}
    assert korean == {"cause:bad-deploy": True, "trigger:deployment": True}
    apart = {t.term: t.negated for t in tagger.tag("not a bad deploy, but the deploy was slow")}
    assert apart["cause:bad-deploy"]
    assert [t.negated for t in tagger.tag("not a bad deploy, but the deploy was slow")].count(False)
    thing = {t.term: t.negated for t in tagger.tag("there was no GPU memory fault")}
    assert thing == {"cause:gpu-memory-fault": True, "component:gpu-memory": False}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Users could not log in", "log in"),
        ("users couldn't log in for two hours", "log in"),
        ("we can't log in", "log in"),
        ("DNS could not resolve names", "resolve names"),
        ("There is no doubt that it was an OOM", "OOM"),
        ("Without a doubt an OOM", "OOM"),
        ("we do not doubt that it was OOM", "OOM"),
        ("beyond doubt an OOM", "OOM"),
        ("An OOM was suspected, and then the node died", "OOM"),
        ("OOM was suspected but not yet ruled out", "OOM"),
        ("OOM was suspected and it was not long before the node died", "OOM"),
    ],
)
def test_what_could_not_be_done_and_what_is_not_doubted_are_seen(text: str, word: str) -> None:
    start = text.index(word)
    assert not denied(text, start, start + len(word), True)


@pytest.mark.parametrize(
    "text",
    [
        "OOM was suspected first but ruled out",
        "OOM was initially suspected, but then excluded",
        "OOM was blamed at first but it was not the cause",
        "OOM was considered and quickly dismissed",
        "we doubt it was OOM",
        "we couldn't see an OOM",
        "the OOM was not found",
    ],
)
def test_what_was_thought_first_and_what_was_not_seen_are_denied(text: str) -> None:
    assert marks(text)["oom"]


@pytest.mark.parametrize(
    "text", ["The DNS was not found", "the DNS was not there after the reboot"]
)
def test_a_thing_that_was_not_found_is_in_trouble_and_not_out_of_question(text: str) -> None:
    assert not marks(text)["dns"]
    assert marks("the DNS was not the cause")["dns"]


FIRE = Tagger(tiny_vocabulary(term("cause:fire", "fire", "화재")))


@pytest.mark.parametrize(
    "text",
    [
        "alerts did not fire",
        "The watchdog didn't fire",
        "the alarm failed to fire",
        "it will never fire",
    ],
)
def test_an_alert_that_does_not_fire_is_no_fire(text: str) -> None:
    assert FIRE.tag(text) == []


@pytest.mark.parametrize("text", ["lost to fire", "a fire in the hall", "it was due to fire"])
def test_a_fire_is_one(text: str) -> None:
    assert [t.term for t in FIRE.tag(text)] == ["cause:fire"]
    assert [t.negated for t in FIRE.tag("There was no fire")] == [True]
