"""What the notebooks need beside the library: pictures, charts, the assistant's widgets, pages."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kg.notebook.assistant import Assistant
    from kg.notebook.cases import log_view, show_case
    from kg.notebook.charts import recovery_chart, reliability_chart, themed, trend_chart
    from kg.notebook.copying import copy_notebooks, shipped_notebooks
    from kg.notebook.drawing import Drawing
    from kg.notebook.explorer import explore
    from kg.notebook.investigation import Investigation
    from kg.notebook.page import export_html, run_notebook
    from kg.notebook.pictures import cases_picture, heat_map, timeline

_HOMES = {
    "assistant": ("Assistant",),
    "cases": ("log_view", "show_case"),
    "charts": ("recovery_chart", "reliability_chart", "themed", "trend_chart"),
    "copying": ("copy_notebooks", "shipped_notebooks"),
    "drawing": ("Drawing",),
    "explorer": ("explore",),
    "investigation": ("Investigation",),
    "page": ("export_html", "run_notebook"),
    "pictures": ("cases_picture", "heat_map", "timeline"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Assistant",
    "Drawing",
    "Investigation",
    "cases_picture",
    "copy_notebooks",
    "explore",
    "export_html",
    "heat_map",
    "log_view",
    "recovery_chart",
    "reliability_chart",
    "run_notebook",
    "shipped_notebooks",
    "show_case",
    "themed",
    "timeline",
    "trend_chart",
]


def __getattr__(name: str) -> Any:
    """Each name is loaded when it is first used: widgets and matplotlib are heavy."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"kg.notebook.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value
