"""The graph of a result, figures, and whether the server is well."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from kg.server.answers import answer, encode, language
from kg.server.rest.documented import documented
from kg.server.rest.parameters import GraphAsked, StatsAsked
from kg.server.served import Served
from kg.server.shapes.common import Answer
from kg.server.shapes.graphs import ResultGraph, result_graph
from kg.server.shapes.telling import Stats, stats

router = APIRouter(tags=["overview"])


class Health(Answer):
    """The server answers and has a library."""

    status: Literal["ok"]


@router.get("/graph", **documented(ResultGraph))
async def get_graph(request: Request, asked: Annotated[GraphAsked, Query()]) -> Response:
    """The cases that match with their causes, components, symptoms and contributing factors.

    Five kinds of nodes, `case`, `cause`, `component`, `symptom` and `factor`, and only edges that
    the schema allows. Ruled-out edges are shown as such.
    """
    lang = language(request, asked.lang)

    def made(served: Served) -> ResultGraph:
        wanted = served.lib.filter(**asked.facets())
        ids = asked.case or None
        return result_graph(served.lib, wanted, ids, limit=asked.limit, lang=lang)

    return await answer(request, made)


@router.get("/stats", **documented(Stats))
async def get_stats(request: Request, asked: Annotated[StatsAsked, Query()]) -> Response:
    """How many cases match and what they state; times to detect and to recover by group.

    Only incidents enter the times; each figure says of how many, and what share is not stated.
    """
    lang = language(request, asked.lang)

    def made(served: Served) -> Stats:
        wanted = served.lib.filter(**asked.facets())
        return stats(
            served.lib,
            served.version,
            wanted,
            group_by=asked.group_by,
            dated=asked.dated,
            lang=lang,
        )

    return await answer(request, made)


@router.get("/health", **documented(Health))
async def get_health(request: Request) -> Response:
    """Whether the server answers. Needs no token, and tells nothing of the library."""
    with request.app.state.holder.use():
        body = encode(Health(status="ok"))
    return Response(body, headers={"Cache-Control": "no-store"}, media_type="application/json")
