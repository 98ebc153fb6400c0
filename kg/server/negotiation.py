"""Pages for people and JSON for programs under the same addresses."""

from __future__ import annotations

from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope


def prefers_html(accept: str) -> bool:
    """Whether an `Accept` header wants HTML rather than JSON (RFC 9110, section 12.5.1).

    Browsers name `text/html`; scripts send `*/*`, name JSON or say nothing, and get JSON. What is
    said of all kinds holds for JSON where nothing is said of it.
    """
    html, named, every = 0.0, None, 0.0
    for part in accept.split(","):
        kind, _, parameters = part.partition(";")
        kind, weight = kind.strip().lower(), _weight(parameters)
        if kind in ("text/html", "application/xhtml+xml"):
            html = max(html, weight)
        elif kind.startswith("application/") and kind.endswith("json"):
            named = max(named or 0.0, weight)
        elif kind in ("*/*", "application/*"):
            every = max(every, weight)
    return html > 0 and html >= (every if named is None else named)


def _weight(parameters: str) -> float:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0


class PageRoute(APIRoute):
    """A route that answers only who prefers HTML; others reach the JSON at the same address.

    Use it as `APIRouter(route_class=PageRoute, include_in_schema=False)`.
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """No match for programs, so that the next route is tried."""
        if scope["type"] != "http" or not wants_page(scope):
            return Match.NONE, {}
        return super().matches(scope)


def wants_page(scope: Scope) -> bool:
    """Whether the `Accept` header of a request prefers HTML."""
    accept = b",".join(value for name, value in scope["headers"] if name == b"accept")
    return prefers_html(accept.decode("latin-1"))
