"""Records of pages put into templates. Everything that a template shows is escaped."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from kg.errors import MissingExtra
from kg.model.escaping import visible
from kg.server.pages.links import Links
from kg.server.pages.words import word
from kg.server.settings import LANGUAGES

if TYPE_CHECKING:
    from jinja2 import Environment


class Renderer:
    """Makes HTML of records of pages."""

    def __init__(self) -> None:
        """Read the templates that ship with the package.

        Raises:
            MissingExtra: jinja2 is not installed.
        """
        self._environment = _environment()

    def page(
        self, template: str, lang: str, links: Links, *, picture: str = "", **values: Any
    ) -> str:
        """A whole page.

        Args:
            template: name of the template, without its ending.
            lang: language of the interface.
            links: where the other pages lie.
            picture: an SVG document of `kg.export`, in which all text is escaped already.
            values: what the template shows; every text in it is escaped.
        """
        from markupsafe import Markup

        return self._environment.get_template(f"{template}.html").render(
            lang=lang,
            links=links,
            w=partial(_said, lang),
            others=[(code, word("own_name", code)) for code in LANGUAGES],
            picture=Markup(picture),  # noqa: S704 - drawn by us, text escaped by kg.export
            **values,
        )


def _said(lang: str, key: str, *values: object) -> str:
    return word(key, lang, *values)


def _environment() -> Environment:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise MissingExtra("jinja2", "server") from error
    return Environment(
        loader=PackageLoader("kg.server.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )


def _shown(value: Any) -> Any:
    """Text without signs that act unseen; `None` is a mistake of a template, not a word."""
    if value is None:
        raise ValueError("a template shows None; say what is not known in words")
    return visible(value) if type(value) is str else value
