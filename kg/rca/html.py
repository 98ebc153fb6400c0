"""A diagnosis as a piece of HTML for notebooks and web pages; everything in it is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from kg.rca.diagnosis import Diagnosis
from kg.rca.tell import sections
from kg.rca.untrusted import visible

_STYLE = (
    ".kg-diagnosis{font-family:sans-serif;max-width:60em}"
    ".kg-diagnosis h3{margin:.8em 0 .2em;font-size:1em}"
    ".kg-diagnosis p{margin:.1em 0;white-space:pre-wrap;overflow-wrap:anywhere}"
    ".kg-diagnosis blockquote{margin:.2em 0 .2em 1em;white-space:pre-wrap;overflow-wrap:anywhere}"
)
_FOLDED = frozenset({"evidence"})


def page(diagnosis: Diagnosis, lang: str | None = None) -> str:
    """The diagnosis as one `div`, section by section; no script, no link, no outside resource.

    Text of users and cases becomes text of the page and nothing else, whatever it holds.
    """
    return "".join(_parts(diagnosis, lang or diagnosis.lang))


def _parts(diagnosis: Diagnosis, lang: str) -> Iterator[str]:
    yield f'<div class="kg-diagnosis" lang="{"ko" if lang == "ko" else "en"}">'
    yield f"<style>{_STYLE}</style>"
    yield f"<blockquote>{_safe(diagnosis.text)}</blockquote>"
    for name, (heading, *lines) in sections(diagnosis, lang):
        rows = "".join(_row(line) for line in lines)
        if name in _FOLDED:
            yield f"<details><summary>{_safe(heading)}</summary>{rows}</details>"
        else:
            yield f"<h3>{_safe(heading)}</h3>{rows}"
    yield "</div>"


def _row(line: str) -> str:
    depth = (len(line) - len(line.lstrip())) // 2
    return f'<p style="margin-left:{depth}em">{_safe(line.strip())}</p>'


def _safe(text: str) -> str:
    return escape(visible(text), quote=True)
