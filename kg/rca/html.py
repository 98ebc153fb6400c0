"""A diagnosis as a piece of HTML for notebooks and web pages; everything in it is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from kg.model.html import FONT
from kg.rca.diagnosis import Diagnosis
from kg.rca.tell import sections
from kg.rca.untrusted import visible
from kg.vocab import Tag

_LINE = "rgba(128,128,128,.4)"
# Inherited and half transparent colours fit light and dark pages; Okabe and Ito's tell signs apart.
_STYLE = (
    f".kg-diagnosis{{font-family:{FONT};line-height:1.5;max-width:68em;color:inherit}}"
    ".kg-diagnosis h3{margin:1em 0 .2em;font-size:1.05em;font-weight:600 !important}"
    ".kg-diagnosis p{margin:.12em 0;white-space:pre-wrap;overflow-wrap:anywhere}"
    f".kg-diagnosis blockquote{{margin:.2em 0 .2em 0;padding:.4em .8em;border:1px solid {_LINE};"
    "border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;color:inherit}"
    ".kg-diagnosis mark{background:rgba(86,180,233,.35);color:inherit;border-radius:3px;"
    "padding:0 .1em}"
    ".kg-diagnosis mark.denied{background:rgba(128,128,128,.25);text-decoration:line-through}"
    ".kg-diagnosis .row{padding-left:.5em;border-left:3px solid transparent}"
    ".kg-diagnosis .for{border-color:#0072B2}.kg-diagnosis .shown{border-color:#56B4E9}"
    ".kg-diagnosis .doubt{border-color:#E69F00}.kg-diagnosis .against{border-color:#D55E00}"
    ".kg-diagnosis .apart{border-color:#CC79A7}"
    ".kg-diagnosis .first{font-weight:600;border-radius:4px;padding:.1em .4em;margin-top:.5em}"
    ".kg-diagnosis summary{cursor:pointer;font-weight:600;margin-top:1em}"
)
_FOLDED = frozenset({"evidence"})
_SIGNS = {"+": "for", "=": "shown", "?": "doubt", "-": "against", "x": "against", "->": "apart"}


def page(diagnosis: Diagnosis, lang: str | None = None) -> str:
    """The diagnosis as one `div`, section by section; no script, no link, no outside resource.

    Text of users and cases becomes text of the page and nothing else, whatever it holds. In the
    text that was asked, the places that the diagnosis goes by are marked, with the terms as a
    tooltip; each hypothesis stands before a bar as long as its probability.
    """
    return "".join(_parts(diagnosis, lang or diagnosis.lang))


def _parts(diagnosis: Diagnosis, lang: str) -> Iterator[str]:
    yield f'<div class="kg-diagnosis" lang="{"ko" if lang == "ko" else "en"}">'
    yield f"<style>{_STYLE}</style>"
    yield f"<blockquote>{_marked(diagnosis, lang)}</blockquote>"
    shares = {f"{n}.": h.probability for n, h in enumerate(diagnosis.hypotheses, 1)}
    for name, (head, *lines) in sections(diagnosis, lang):
        bars = shares if name == "hypotheses" else {}
        rows = "".join(_row(line, bars) for line in lines)
        if name in _FOLDED:
            yield f"<details><summary>{_safe(head)}</summary>{rows}</details>"
        else:
            yield f"<h3>{_safe(head)}</h3>{rows}"
    yield "</div>"


def _marked(diagnosis: Diagnosis, lang: str) -> str:
    """The text with the places of its terms marked; of places that overlap, the first."""
    u, text, at, parts = diagnosis.understood, diagnosis.text, 0, []
    for tag in sorted((*u.named, *u.meant, *u.denied), key=lambda t: (t.start, -t.end)):
        if tag.start < at or tag.end > len(text):
            continue
        same = [t for t in (*u.named, *u.meant, *u.denied) if (t.start, t.end) == _place(tag)]
        names = ", ".join(dict.fromkeys(diagnosis.label(t.term, lang) for t in same))
        kind = ' class="denied"' if tag.negated else ""
        parts += [
            _safe(text[at : tag.start]),
            f'<mark{kind} title="{_safe(names)}">{_safe(text[tag.start : tag.end])}</mark>',
        ]
        at = tag.end
    return "".join([*parts, _safe(text[at:])])


def _place(tag: Tag) -> tuple[int, int]:
    return tag.start, tag.end


def _row(line: str, bars: dict[str, float]) -> str:
    """A line; one without an indent in a section heads the lines below it."""
    depth, said = (len(line) - len(line.lstrip())) // 2, line.strip()
    sign = said.partition(" ")[0]
    if not depth:
        return f"<h3>{_safe(said)}</h3>"
    if sign in bars:
        end = f"{100 * bars[sign]:.0f}%"
        shade = f"linear-gradient(90deg,rgba(0,114,178,.28) {end},rgba(128,128,128,.12) {end})"
        return f'<p class="first" style="background:{shade}">{_safe(said)}</p>'
    kind = f"row {_SIGNS[sign]}" if sign in _SIGNS and depth > 1 else "row"
    return f'<p class="{kind}" style="margin-left:{depth - 1}em">{_safe(said)}</p>'


def _safe(text: str) -> str:
    return escape(visible(text), quote=True)
