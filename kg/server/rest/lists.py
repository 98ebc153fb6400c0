"""Lists of cases: pages with facets, and groups by cause."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from kg.server.answers import answer, language
from kg.server.rest.documented import documented
from kg.server.rest.parameters import GroupsAsked, ListAsked
from kg.server.shapes.lists import CaseList, Groups, case_list, cause_groups

router = APIRouter(tags=["lists"])


@router.get("/cases", **documented(CaseList))
async def list_cases(request: Request, asked: Annotated[ListAsked, Query()]) -> Response:
    """Cases by facet, newest first, a page at a time.

    Values of one facet, and of several, must all hold; a term stands for narrower ones too. Give
    ids, slugs or any spelling in Korean or English. A page beyond the end is empty.
    """
    lang = language(request, asked.lang)
    return await answer(
        request,
        lambda served: case_list(
            served.lib,
            served.lib.filter(**asked.facets()),
            sort=asked.sort,
            offset=asked.offset,
            limit=asked.limit,
            lang=lang,
            values=asked.values,
        ),
    )


@router.get("/groups", **documented(Groups))
async def list_groups(request: Request, asked: Annotated[GroupsAsked, Query()]) -> Response:
    """The cases that match, by the most general term of their root causes.

    Each case counts once, under its primary cause, so that the counts add up; with `every_cause`
    under each of its causes. Cases without a confirmed cause are in no group.
    """
    lang = language(request, asked.lang)
    return await answer(
        request,
        lambda served: cause_groups(
            served.lib,
            served.lib.filter(**asked.facets()),
            every_cause=asked.every_cause,
            lang=lang,
        ),
    )
