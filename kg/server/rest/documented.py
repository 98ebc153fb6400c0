"""What the OpenAPI description says of each endpoint: answers, problems, examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from kg.server.problems import MEDIA_TYPE, Told, refuse
from kg.server.wording import TITLES

EVERYWHERE = (
    "no-token", "read-only", "wrong-host", "bad-question", "too-long", "too-many", "broken",
    "unavailable", "too-slow",
)  # fmt: skip
"""Problems that any endpoint may answer with."""

WITH_BODY = ("bad-request", "too-slow-a-body", "too-large", "not-json", "wrong-origin")


class Place(BaseModel):
    """A place of a request that is wrong, and what is wrong with it."""

    where: str
    what: str


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(description="which kind of problem, as a URN")
    title: str = Field(description="the kind in words, in the language of the request")
    status: int
    detail: str | None = Field(None, description="what is wrong here and what to do, likewise")
    near: list[str] | None = Field(None, description="names that look like the one given")
    candidates: list[str] | None = Field(None, description="terms that a spelling may mean")
    problems: list[Place] | None = Field(None, description="parameters that are wrong")


def documented(model: Any, *kinds: str, body: bool = False) -> dict[str, Any]:
    """Arguments of a route: the model of its answer, and every problem it may answer with.

    Args:
        model: of a good answer.
        kinds: problems besides those that any endpoint may answer with.
        body: whether it takes one.
    """
    answers: dict[int | str, dict[str, Any]] = {200: {"model": model, "headers": _HEADERS}}
    if not body:
        answers[304] = {"description": "The reader has it: nothing has changed"}
    for kind in (*EVERYWHERE, *(WITH_BODY if body else ()), *kinds):
        answers.setdefault(TITLES[kind][0], _problem(kind))
    must = {"dependencies": [Depends(must_be_json)]} if body else {}
    return {"responses": answers, "response_model": None, **must}


def is_json(kind: str) -> bool:
    """Whether a `Content-Type` is JSON."""
    bare = kind.partition(";")[0].strip().lower()
    return bare == "application/json" or (
        bare.startswith("application/") and bare.endswith("+json")
    )


def must_be_json(request: Request) -> None:
    """Raises Refused (415) for a body that is not said to be JSON, whatever it holds."""
    if not is_json(request.headers.get("content-type", "")):
        raise refuse("not-json", "json")


_HEADERS = {
    "ETag": {"schema": {"type": "string"}, "description": "changes when the answer does"},
    "Cache-Control": {"schema": {"type": "string"}},
}


def _problem(kind: str) -> dict[str, Any]:
    content: Mapping[str, Any] = {
        "schema": {"$ref": "#/components/schemas/Problem"},
        "example": Told(kind).plain(),
    }
    return {"description": TITLES[kind][1], "content": {MEDIA_TYPE: content}}
