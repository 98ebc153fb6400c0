"""JSON answers: made once for each version of the library, revalidated by ETag."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from kg.queries import plain
from kg.server.asking import ask
from kg.server.holder import Holder
from kg.server.served import Served
from kg.server.shapes.common import Answer

Question = Callable[[Served], Any]


def language(request: Request, asked: str | None) -> str:
    """The language of an answer: the one asked for, else that of the settings."""
    chosen: str = asked or request.app.state.settings.lang
    return chosen


def encode(value: Any) -> bytes:
    """A result as JSON; halves of characters, which no reader could decode, are replaced."""
    if isinstance(value, Answer):
        return value.model_dump_json(by_alias=True).encode()
    text = json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


async def answer(request: Request, question: Question, *, private: bool = False) -> Response:
    """The answer to a GET: 304 where the reader has it, kept bytes where they are, else made now.

    What is answered depends on nothing but the library and the address.

    Args:
        request: the request.
        question: what to ask the served library; its result becomes JSON.
        private: the address holds somebody's own words, which nobody between shall keep.
    """
    key = _key(request)
    holder: Holder = request.app.state.holder
    with holder.use() as served:
        tag = etag(served, key)
        headers = _headers(request, tag, private=private)
        if matches(request.headers.get("if-none-match", ""), tag):
            return Response(status_code=304, headers=headers)
        kept = served.kept.get(key)
    if kept is not None and has_any(request):
        return Response(status_code=304, headers=headers)
    if kept is not None:
        return Response(kept, headers=headers, media_type="application/json")

    def work(served: Served) -> tuple[str, bytes]:
        body = encode(question(served))
        served.kept.put(key, body)
        return etag(served, key), body

    tag, body = await ask(request, work)
    headers = {**headers, "ETag": tag}
    if has_any(request):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


async def answer_once(request: Request, question: Question) -> Response:
    """The answer to a POST: made now, kept nowhere."""
    body = await ask(request, lambda served: encode(question(served)))
    return Response(body, headers={"Cache-Control": "no-store"}, media_type="application/json")


def etag(served: Served, key: str) -> str:
    """The entity tag of what a version of the library answers; weak, since it may be packed."""
    of_key = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f'W/"{served.version}-{of_key}"'


def matches(given: str, tag: str) -> bool:
    """Whether an `If-None-Match` header names a tag, compared weakly (RFC 9110)."""
    bare = tag.removeprefix("W/")
    return any(part.strip().removeprefix("W/") == bare for part in given.split(","))


def has_any(request: Request) -> bool:
    """Whether `If-None-Match: *` says that the reader has it, in whatever state.

    It is so of what exists only, which the library has to be asked first.
    """
    return request.headers.get("if-none-match", "").strip() == "*"


def _key(request: Request) -> str:
    """What a GET asks for; apps over one library may differ in their language."""
    return f"{language(request, None)} {request.url.path}?{request.url.query}"


def _headers(request: Request, tag: str, *, private: bool) -> dict[str, str]:
    shut = private or request.app.state.settings.token is not None
    return {"ETag": tag, "Cache-Control": f"{'private' if shut else 'public'}, no-cache"}
