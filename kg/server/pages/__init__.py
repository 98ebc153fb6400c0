"""The web pages: what they say as plain records, the templates that show it, and where it goes.

A page is made in two steps. A builder takes a library and what was asked and gives a frozen
record of what the page says; the `Renderer` puts it into a template. Both are used as they are
by the live pages (`router`) and by the static export (`site`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["add_pages"]


def add_pages(app: FastAPI) -> None:
    """Serve the pages from an app of `kg.server.app`.

    Raises:
        MissingExtra: jinja2 is not installed.
    """
    from kg.server.pages import router  # needs fastapi, which written pages do not

    router.add_pages(app)
