"""Search by text."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from kg.server.answers import answer, answer_once
from kg.server.asking import check_texts
from kg.server.language import told_in
from kg.server.rest.documented import documented
from kg.server.rest.parameters import Chosen, SearchAsked, SearchBody
from kg.server.served import Served
from kg.server.shapes.search import SearchResult, search_result

router = APIRouter(tags=["search"])


@router.get("/search", **documented(SearchResult))
async def get_search(request: Request, asked: Annotated[SearchAsked, Query()]) -> Response:
    """Cases like a text: symptoms, log lines, a question, in Korean or English.

    Each hit says why it is one. `suggestions` are facet values found in the text. Where nothing
    is similar, there are no items and `message` says so. `lane=words` compares words only.
    """
    return await answer(request, lambda served: _found(served, asked.q, asked, asked), private=True)


@router.post("/search", **documented(SearchResult, body=True))
async def post_search(request: Request, asked: SearchBody) -> Response:
    """The same with the text in a body, for pasted logs; longer ones are condensed."""
    told_in(request, asked.lang)
    check_texts(request.app.state.settings.limits, asked.text)
    return await answer_once(
        request, lambda served: _found(served, asked.text, asked, asked.facets)
    )


def _found(
    served: Served, text: str, asked: SearchAsked | SearchBody, chosen: Chosen
) -> SearchResult:
    return search_result(
        served.lib,
        text,
        served.lib.filter(**chosen.facets()),
        k=asked.k,
        threshold=asked.threshold,
        lang=asked.lang,
        lane=asked.lane,
        diversity=asked.diversity,
    )
