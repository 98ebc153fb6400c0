"""One case as its record."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from kg.model import Case
from kg.server.answers import answer

router = APIRouter(tags=["cases"])


@router.get("/cases/{case_id}", response_model=Case)
async def get_case(request: Request, case_id: str) -> Response:
    """A case with its claims, each with the place of its evidence."""
    return await answer(request, lambda served: served.lib.get(case_id).resolved())
