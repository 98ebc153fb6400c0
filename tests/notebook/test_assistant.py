"""The widgets of the assistant: what they ask, show, offer, and say of a mistake."""

from __future__ import annotations

from typing import Any

import pytest

from kg.library import Library
from kg.notebook import Assistant, explore

pytest.importorskip("ipywidgets")

KOREAN = "학습이 멈추고 NCCL 타임아웃이 났다. 사용률은 100%인데 처리량은 0이고 전력이 떨어졌다"


@pytest.fixture
def assistant(lib: Library) -> Assistant:
    made = Assistant(lib)
    made.ask(KOREAN)
    return made


def labels(box: Any) -> list[str]:
    return [child.description for child in box.children if hasattr(child, "description")]


def test_it_answers_in_the_language_of_the_text(assistant: Assistant) -> None:
    assert "알아들은 것" in assistant._views["diagnosis"].value
    assert assistant._ask.description == "진단"
    assert assistant._tabs.titles[0] == "진단"
    assistant.ask("NCCL watchdog timeout, power dropped")
    assert "Understood" in assistant._views["diagnosis"].value
    assert assistant._ask.description == "Diagnose"


def test_a_fixed_language_stays(lib: Library) -> None:
    made = Assistant(lib, lang="en")
    made.ask(KOREAN)
    assert "Understood" in made._views["diagnosis"].value


def test_every_tab_has_something_to_show(assistant: Assistant) -> None:
    views = {name: view.value for name, view in assistant._views.items()}
    assert "IL-0480" in views["similar"]
    assert views["picture"].count("<svg") == 1
    assert views["draft"].startswith("# 사후 보고 (초안)")
    assert "BEGIN DATA" in views["prompt"]
    assert "규칙이 아는 줄이 없습니다" in views["log"]


def test_before_a_question_it_says_so(lib: Library) -> None:
    made = Assistant(lib, lang="ko")
    assert "아직 물은 것이 없습니다" in made._views["diagnosis"].value
    assert labels(made._quick) == []


def test_a_hypothesis_is_ruled_out_by_its_button(assistant: Assistant) -> None:
    first = next(b for b in assistant._quick.children if getattr(b, "icon", "") == "ban")
    cause = first.tooltip
    first.click()
    found = assistant.investigation.diagnosis
    assert found is not None
    assert found.understood.ruled_out == (cause,)
    assert cause not in [h.cause for h in found.hypotheses]
    assert any("✕" in label for label in labels(assistant._facts))
    assert "새로 배제됨" in assistant._views["diagnosis"].value


def test_a_fact_is_taken_back_by_its_button(assistant: Assistant) -> None:
    assistant._fact.value = "뒤집힌 사용률 모양"
    assistant._observe.click()
    assert len(assistant.investigation.observed) == 1
    assert assistant._fact.value == ""
    assistant._facts.children[0].click()
    assert assistant.investigation.observed == []
    assert assistant._facts.children == ()


def test_a_mistake_is_told_and_changes_nothing(assistant: Assistant) -> None:
    before = assistant.investigation.diagnosis
    assistant._fact.value = "<img src=x onerror=alert(1)>"
    assistant._rule_out.click()
    assert "no term" in assistant._message.value
    assert "<img" not in assistant._message.value
    assert assistant.investigation.diagnosis is before
    assert assistant.investigation.ruled_out == []
    assert assistant._fact.value != ""
    assert assistant._ask.disabled is False


def test_an_empty_question_is_told(lib: Library) -> None:
    made = Assistant(lib, "   ")
    assert made.ask() is None
    assert "no words" in made._message.value


def test_text_that_is_typed_stays_text(lib: Library) -> None:
    made = Assistant(lib)
    made.ask("NCCL timeout <script>alert(1)</script>")
    assert all("<script>" not in made._views[n].value for n in ("diagnosis", "log", "similar"))


def test_its_names_are_offered_in_the_language(assistant: Assistant) -> None:
    assert "집합 통신 어긋남" in assistant._fact.options
    assert "mismatched collectives" not in assistant._fact.options


def test_a_notebook_shows_the_widget(assistant: Assistant) -> None:
    shown = assistant._repr_mimebundle_()
    data = shown[0] if isinstance(shown, tuple) else shown
    assert "application/vnd.jupyter.widget-view+json" in data


def test_the_explorer_draws_what_is_chosen(lib: Library) -> None:
    box = explore(lib, ["IL-0480", "IL-0023"], "ko")
    menu, count, picture, record = box.children
    assert picture.value.count("<svg") == 1
    assert "IL-0480" in record.value
    menu.value = "IL-0023"
    count.value = 0
    assert "IL-0023" in record.value
    assert "IL-0480: " not in picture.value


def test_the_explorer_of_nothing_is_empty(lib: Library) -> None:
    _, _, picture, record = explore(lib, []).children
    assert picture.value == record.value == ""
