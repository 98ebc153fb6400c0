"""The vocabulary and topics."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from kg.server.answers import answer, language
from kg.server.rest.documented import documented
from kg.server.rest.parameters import Asked, VocabAsked
from kg.server.shapes.terms import TopicPage, Topics, Vocabulary, topic_page, topics, vocabulary

router = APIRouter(tags=["terms"])
Term = Annotated[str, Path(max_length=200)]


@router.get("/vocab", **documented(Vocabulary))
async def get_vocab(request: Request, asked: Annotated[VocabAsked, Query()]) -> Response:
    """Every facet with its values: labels in Korean and English, what is broader, and counts."""
    lang = language(request, asked.lang)
    return await answer(
        request, lambda served: vocabulary(served.lib, served.version, asked.scheme, lang)
    )


@router.get("/topics", **documented(Topics))
async def get_topics(request: Request, asked: Annotated[VocabAsked, Query()]) -> Response:
    """The terms that have cases, most cases first."""
    return await answer(request, lambda served: topics(served.lib, asked.scheme))


@router.get("/topics/{term}", **documented(TopicPage, "unknown-term"))
async def get_topic(request: Request, term: Term, asked: Annotated[Asked, Query()]) -> Response:
    """Everything about one term: definition, cases and why they belong to it, what comes with it.

    Give an id such as `cause:dependency-failure`, an old id, or any spelling.
    """
    lang = language(request, asked.lang)
    return await answer(request, lambda served: topic_page(served.lib, term, lang))
