"""The REST endpoints, a router for each sort of question."""

from __future__ import annotations

from fastapi import APIRouter

from kg.server.rest import cases, lists, overview, search, telling, terms

__all__ = ["routers"]


def routers() -> tuple[APIRouter, ...]:
    """All routers, in the order in which they are tried."""
    return tuple(m.router for m in (lists, cases, search, telling, terms, overview))
