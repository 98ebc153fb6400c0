"""The REST endpoints, a router for each sort of question."""

from __future__ import annotations

from fastapi import APIRouter

from kg.server.rest import cases

__all__ = ["routers"]


def routers() -> tuple[APIRouter, ...]:
    """All routers, in the order in which they are tried."""
    return (cases.router,)
