"""Explanations and diagnoses."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from kg.server.answers import answer, answer_once, language
from kg.server.asking import check_texts
from kg.server.language import told_in
from kg.server.rest.documented import documented
from kg.server.rest.parameters import DiagnoseAsked, DiagnoseBody, ExplainAsked, ExplainBody
from kg.server.served import Served
from kg.server.shapes.telling import Diagnosis, Explanation, diagnosis, explanation

router = APIRouter(tags=["explain and diagnose"])


@router.get("/explain", **documented(Explanation))
async def get_explain(request: Request, asked: Annotated[ExplainAsked, Query()]) -> Response:
    """Why two cases are alike, or a text and a case, and where they differ.

    One of the two may be a text of several words. A text confirms no cause, so it never has the
    same cause as a case.
    """
    return await answer(request, lambda served: _explained(served, asked, request), private=True)


@router.post("/explain", **documented(Explanation, body=True))
async def post_explain(request: Request, asked: ExplainBody) -> Response:
    """The same with the text in a body."""
    told_in(request, asked.lang)
    check_texts(request.app.state.settings.limits, asked.a, asked.b)
    return await answer_once(request, lambda served: _explained(served, asked, request))


@router.get("/diagnose", **documented(Diagnosis))
async def get_diagnose(request: Request, asked: Annotated[DiagnoseAsked, Query()]) -> Response:
    """What may be behind an incident under way, what to check next, what helped, what is not known.

    Every statement names its case, claim, status and evidence. Where too little is known, no
    hypothesis is offered and `abstention` says why.
    """
    return await answer(request, lambda served: _diagnosed(served, asked.q, asked), private=True)


@router.post("/diagnose", **documented(Diagnosis, body=True))
async def post_diagnose(request: Request, asked: DiagnoseBody) -> Response:
    """The same with the text in a body, for pasted logs."""
    told_in(request, asked.lang)
    check_texts(request.app.state.settings.limits, asked.text)
    return await answer_once(request, lambda served: _diagnosed(served, asked.text, asked))


def _explained(served: Served, asked: ExplainAsked | ExplainBody, request: Request) -> Explanation:
    usual = language(request, None)
    return explanation(served.lib, asked.a, asked.b, asked.lang, usual)


def _diagnosed(served: Served, text: str, asked: DiagnoseAsked | DiagnoseBody) -> Diagnosis:
    return diagnosis(
        served.lib,
        text,
        observed=asked.observed,
        ruled_out=asked.ruled_out,
        k=asked.k,
        threshold=asked.threshold,
        lang=asked.lang,
    )
