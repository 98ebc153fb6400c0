"""One case as its record, and the cases nearest to it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from kg.model import Case
from kg.server.answers import answer, language
from kg.server.rest.documented import documented
from kg.server.rest.parameters import Asked, SimilarAsked
from kg.server.shapes.search import SimilarResult, similar_result

router = APIRouter(tags=["cases"])
CaseId = Annotated[str, Path(max_length=200)]


@router.get("/cases/{case_id}", **documented(Case, "unknown-case"))
async def get_case(request: Request, case_id: CaseId, asked: Annotated[Asked, Query()]) -> Response:
    """A case with its claims, each with status and the place of its evidence.

    The JSON is the record as the case format describes it. `null` is "not stated", an empty list
    "stated as none". An id that a merge absorbed leads to the case that it is part of now. The
    record has all languages; `lang` is that of a problem.
    """
    del asked  # what is not known in it is refused
    return await answer(request, lambda served: served.lib.get(case_id).resolved())


@router.get("/cases/{case_id}/similar", **documented(SimilarResult, "unknown-case"))
async def get_similar(
    request: Request, case_id: CaseId, asked: Annotated[SimilarAsked, Query()]
) -> Response:
    """The cases nearest to a case, nearest first, never the case itself.

    Each says why: the terms that both have with what each says of them, the nearest passages,
    whether a confirmed cause is the same (`yes`, `no`, `unknown`), and what differs. Similar is
    not same cause.
    """
    lang = language(request, asked.lang)
    return await answer(
        request,
        lambda served: similar_result(
            served.lib,
            case_id,
            served.lib.filter(**asked.facets()),
            k=asked.k,
            threshold=asked.threshold,
            lang=lang,
        ),
    )
