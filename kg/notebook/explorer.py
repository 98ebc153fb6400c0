"""A graph to walk through: choose a case, see it drawn beside the cases that are like it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kg.library import Library
from kg.notebook.assistant import widgets
from kg.notebook.cases import show_case
from kg.notebook.drawing import Drawing

_MOST = 6


def explore(library: Library, case_ids: Iterable[str] | None = None, lang: str = "en") -> Any:
    """A widget: a menu of cases, how many like ones to draw, the picture, and the case itself.

    Lines and boxes have tooltips with what the case says. Nothing is fetched.

    Args:
        library: what is looked at.
        case_ids: cases to choose from; all, newest first, when None.
        lang: language of titles and labels.

    Raises:
        CaseNotFound: an id is not in the library.
        MissingExtra: ipywidgets is not installed.
    """
    w = widgets()
    ids = library.list(limit=1_000_000).ids if case_ids is None else tuple(case_ids)
    options = [(f"{i} · {library.get(i).name(lang)}", i) for i in ids]
    korean = lang == "ko"
    wide = w.Layout(width="100%")
    menu = w.Dropdown(options=options, layout=wide)
    count = w.IntSlider(
        2,
        0,
        _MOST,
        description="비슷한 사례" if korean else "like cases",
        style={"description_width": "initial"},
    )
    picture, record = w.HTML(layout=wide), w.HTML(layout=wide)

    def draw(_: object = None) -> None:
        if menu.value is None:
            return
        near = library.similar(menu.value, count.value).ids if count.value else ()
        picture.value = Drawing(library.picture([menu.value, *near], lang)).html()
        record.value = show_case(library, menu.value, lang).html

    menu.observe(draw, "value")
    count.observe(draw, "value")
    draw()
    return w.VBox([menu, count, picture, record])
