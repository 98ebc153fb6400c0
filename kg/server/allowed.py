"""What may be done at an address, for the `Allow` header of a refusal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

_PLACE = re.compile(r"\{[^}]*\}")


def allowed_methods(app: FastAPI, path: str) -> str:
    """The methods that a path takes, as an `Allow` header; empty for a path that is not there."""
    if path == "/mcp":
        return "POST"
    methods: set[str] = set()
    for pattern, operations in app.openapi()["paths"].items():
        if re.fullmatch(_PLACE.sub("[^/]+", pattern), path):
            methods |= {m.upper() for m in operations}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))
