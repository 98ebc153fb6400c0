"""The assistant: widgets around an investigation, in English and Korean.

Nothing in it is cleverer than the plain calls; it only keeps the facts and shows the answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from embeddings import EmbeddingError
from kg.errors import KgError, MissingExtra
from kg.library import Library
from kg.model.html import paragraph, view
from kg.model.text import language_of
from kg.notebook.cases import log_view
from kg.notebook.drawing import Drawing
from kg.notebook.investigation import Investigation
from kg.rca import Diagnosis
from kg.rca.facts import USABLE

if TYPE_CHECKING:
    import ipywidgets

_OFFERED, _SIMILAR_DRAWN = 4, 3
_WORDS = {
    "text": ("What do you see? Symptoms or log lines", "무엇이 보이나요? 증상이나 로그"),
    "ask": ("Diagnose", "진단"),
    "fact": ("a finding, tool or cause", "관찰, 도구, 원인"),
    "observe": ("I observed it", "관찰함"),
    "rule out": ("I rule it out", "배제함"),
    "observed": ("observed", "관찰"),
    "ruled out": ("ruled out", "배제"),
    "quick": ("Rule out, or say that you saw it:", "배제하거나, 보았다고 알리기:"),
    "diagnosis": ("Diagnosis", "진단"),
    "log": ("Log lines", "로그"),
    "similar": ("Similar cases", "비슷한 사례"),
    "picture": ("Graph", "그래프"),
    "draft": ("Postmortem draft", "사후 보고 초안"),
    "prompt": ("Prompt for a model", "모델용 프롬프트"),
    "empty": ("Nothing was asked yet.", "아직 물은 것이 없습니다."),
    "working": ("Looking …", "찾는 중 …"),
}
_TABS = ("diagnosis", "log", "similar", "picture", "draft", "prompt")


def widgets() -> Any:
    """The package ipywidgets.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import ipywidgets
    except ImportError as error:
        raise MissingExtra("ipywidgets", "notebooks") from error
    return ipywidgets


class Assistant:
    """An investigation with widgets: type what you see, add findings, rule causes out.

    The last line of a cell shows it. Whatever it shows can be had from `investigation`, too.

    Args:
        library: where like cases are looked for.
        text: what stands in the box at first; it is asked only when the button is pressed.
        lang: `en` or `ko` for labels and answers; None goes by the text each time.

    Raises:
        MissingExtra: ipywidgets is not installed.
    """

    def __init__(self, library: Library, text: str = "", lang: str | None = None) -> None:
        w = widgets()
        self.investigation = Investigation(library, lang)
        self._fixed = lang is not None
        self._lang = lang or language_of(text or "a")
        wide = w.Layout(width="100%")
        self._text = w.Textarea(value=text, rows=6, layout=wide)
        self._ask = w.Button(button_style="primary", icon="search")
        self._fact = w.Combobox(ensure_option=False, layout=w.Layout(width="24em"))
        self._observe, self._rule_out = w.Button(icon="eye"), w.Button(icon="ban")
        self._facts, self._quick = w.HBox(), w.HBox()
        for row in (self._facts, self._quick):
            row.layout.flex_flow = "row wrap"
        self._message = w.HTML()
        self._views = {name: self._view(w, name) for name in _TABS}
        self._tabs = w.Tab(children=list(self._views.values()), layout=wide)
        self._ask.on_click(lambda _: self.ask())
        self._observe.on_click(lambda _: self._add(self.investigation.observe))
        self._rule_out.on_click(lambda _: self._add(self.investigation.rule_out))
        adding = w.HBox([self._fact, self._observe, self._rule_out])
        adding.layout.flex_flow = "row wrap"
        self.widget = w.VBox(
            [self._text, self._ask, self._message, adding, self._facts, self._quick, self._tabs],
            layout=w.Layout(width="100%", max_width="72em"),
        )
        self.widget.add_class("kg-assistant")
        self._label()

    def _repr_mimebundle_(self, **asked: Any) -> Any:
        return self.widget._repr_mimebundle_(**asked)

    def ask(self, text: str | None = None) -> Diagnosis | None:
        """Diagnose what stands in the box, or another text, which then stands there.

        What is wrong with a question is shown, and nothing is returned.
        """
        if text is not None:
            self._text.value = text
        told = self._text.value
        if not self._fixed and any(c.isalpha() for c in told):
            self._lang = self.investigation.lang = language_of(told)
        return self._run(lambda: self.investigation.tell(told))

    def _view(self, w: Any, name: str) -> ipywidgets.Widget:
        if name in ("draft", "prompt"):
            return w.Textarea(rows=24, disabled=False, layout=w.Layout(width="100%"))
        return w.HTML(layout=w.Layout(width="100%"))

    def _add(self, change: Callable[[str], Diagnosis]) -> None:
        given = self._fact.value.strip()
        if given and self._run(lambda: change(given)) is not None:
            self._fact.value = ""

    def _run(self, change: Callable[[], Diagnosis]) -> Diagnosis | None:
        """Change the facts and show what follows; an error is told in its own words."""
        self._message.value = view(paragraph(self._word("working")))
        self._ask.disabled = True
        try:
            found = change()
            self._show(found)
        except (KgError, EmbeddingError) as error:
            self._message.value = view(paragraph(str(error)), self._lang)
            return None
        finally:
            self._ask.disabled = False
            self._label()
        self._message.value = ""
        return found

    def _show(self, found: Diagnosis) -> None:
        library, lang, views = self.investigation.library, self._lang, self._views
        ids = found.similar.ids[:_SIMILAR_DRAWN]
        views["diagnosis"].value = found._repr_html_()
        views["log"].value = log_view(library, found.text, lang).html
        views["similar"].value = found.similar._repr_html_()
        views["picture"].value = Drawing(library.picture(ids, lang)).html() if ids else ""
        views["draft"].value = library.draft_postmortem(found, lang)
        views["prompt"].value = library.to_prompt(found, lang)

    def _label(self) -> None:
        """Labels in the language, what can be offered, and the facts that stand."""
        self._ask.description = self._word("ask")
        self._text.placeholder = self._word("text")
        self._fact.placeholder = self._word("fact")
        self._observe.description = self._word("observe")
        self._rule_out.description = self._word("rule out")
        terms = self.investigation.library.vocabulary.terms.values()
        names = {t.label.best(self._lang) for t in terms if t.scheme in USABLE}
        self._fact.options = tuple(sorted(names))
        for i, name in enumerate(_TABS):
            self._tabs.set_title(i, self._word(name))
        if self.investigation.diagnosis is None:
            self._views["diagnosis"].value = view(paragraph(self._word("empty")), self._lang)
        self._facts.children = [*self._standing()]
        self._quick.children = [*self._offered()]

    def _standing(self) -> list[Any]:
        """A button for each fact, which takes it back."""
        now = self.investigation
        rows = [(t, "observed", "eye") for t in now.observed]
        rows += [(t, "ruled out", "ban") for t in now.ruled_out]
        return [
            self._button(f"{self._word(how)}: {self._name(term)} ✕", icon, now.take_back, term)
            for term, how, icon in rows
        ]

    def _offered(self) -> list[Any]:
        """Buttons that rule out a hypothesis, or say that something asked for was seen."""
        now, found = self.investigation, self.investigation.diagnosis
        if found is None:
            return []
        causes = [h.cause for h in found.hypotheses[:_OFFERED]]
        seen = [c.term for c in found.checks if c.kind in ("symptom", "trigger", "tool")]
        made = [self._button(self._name(t), "ban", now.rule_out, t) for t in causes]
        made += [self._button(self._name(t), "eye", now.observe, t) for t in seen[:_OFFERED]]
        told = widgets().HTML(view(paragraph(self._word("quick")), self._lang))
        return [told, *made] if made else []

    def _button(self, text: str, icon: str, change: Callable[[str], Diagnosis], term: str) -> Any:
        w = widgets()
        made = w.Button(description=text, icon=icon, tooltip=term, layout=w.Layout(width="auto"))
        made.on_click(lambda _: self._run(lambda: change(term)))
        return made

    def _name(self, term: str) -> str:
        return self.investigation.library.vocabulary.terms[term].label.best(self._lang)

    def _word(self, key: str) -> str:
        return _WORDS[key][self._lang == "ko"]
