"""What the page of a problem says: what is wrong, and where to go from there."""

from __future__ import annotations

from kg.server.pages.links import Links
from kg.server.pages.renderer import Renderer
from kg.server.problems import Told


def problem_page(renderer: Renderer, told: Told, lang: str, links: Links) -> str:
    """A problem as a page, with the names that look like the one asked for."""
    near = [str(name) for name in told.more.get("near") or told.more.get("candidates") or ()]
    detail, detail_lang = told.words(lang)
    return renderer.page(
        "problem",
        lang,
        links,
        current="problem",
        title=told.title(lang),
        detail=detail,
        detail_lang=detail_lang,
        status=told.status,
        near=[(name, links.topic(name) if ":" in name else links.case(name)) for name in near],
    )
