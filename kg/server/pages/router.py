"""The routes of the pages: the same addresses as the REST answers, for who prefers HTML."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from kg.errors import AmbiguousTerm, BadQuery, NotFound
from kg.queries.filters import FACETS, Filter, make_filter
from kg.server.answers import etag, has_any, matches
from kg.server.asking import ask, check_texts
from kg.server.holder import Holder
from kg.server.language import language_of, named_language
from kg.server.negotiation import PageRoute
from kg.server.pages.asked_format import AskedFormat
from kg.server.pages.diagnose import Facts, named_facts
from kg.server.pages.find import PER_PAGE, Asked
from kg.server.pages.links import SORTS, LiveLinks
from kg.server.pages.problem import problem_page
from kg.server.pages.renderer import Renderer
from kg.server.pages.views import Views
from kg.server.problems import Refused, Told, refuse
from kg.server.rest.parameters import MOST_ITEMS, MOST_OFFSET, MOST_QUERY, is_day
from kg.server.served import Served
from kg.server.tellings import told_of_error
from kg.server.wording import A_DAY
from kg.vocab import SCHEMES

FORM = "application/x-www-form-urlencoded"

ASSETS = ("icon.svg", "pages.css", "pages.js")
"""What the live pages load; all of it ships with the package."""


router = APIRouter(route_class=PageRoute, include_in_schema=False)
assets = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Failed:
    """A page that tells of a problem beside the form that can be sent again."""

    html: str
    told: Told


Make = Callable[[Views], str | Failed]


def add_pages(app: FastAPI) -> None:
    """Serve the pages from an app of `kg.server.app`, and show its problems as pages."""
    app.state.renderer = Renderer()
    app.state.error_page = error_page
    app.include_router(router)
    app.include_router(assets)
    app.add_middleware(AskedFormat)


@router.get("/")
async def home(request: Request) -> Response:
    """The first page: all cases, newest first."""
    return await shown(request, lambda views: views.find(Asked(), home=True))


@router.get("/cases")
async def cases(request: Request) -> Response:
    """A list of cases by facet."""
    return await shown(request, lambda views: views.find(_asked(request, views)))


@router.get("/search")
async def search(request: Request) -> Response:
    """A list of cases like a text; by facet where the text is empty."""
    return await shown(
        request,
        lambda views: views.find(_asked(request, views)),
        private=True,
    )


@router.get("/cases/{case_id}")
async def case(request: Request, case_id: str) -> Response:
    """A case."""
    return await shown(request, lambda views: views.case(case_id))


@router.get("/cases/{case_id}/similar")
async def similar(request: Request, case_id: str) -> Response:
    """The similar cases stand on the page of the case."""
    return await case(request, case_id)


@router.get("/explain")
async def compare(request: Request) -> Response:
    """Two cases beside each other, or a text and a case."""
    a, b = (_short(request.query_params.get(side, "")) for side in "ab")

    def make(views: Views) -> str | Failed:
        try:
            return views.compare(a, b)
        except (BadQuery, NotFound) as error:
            told = told_of_error(error)
            return Failed(views.compare(a, b, *told.words(views.lang)), told)

    return await shown(request, make, private=True)


@router.get("/diagnose")
async def assistant(request: Request) -> Response:
    """The assistant, before it is asked."""
    return await shown(request, lambda views: views.diagnose(Facts()))


@router.post("/diagnose")
async def diagnose(request: Request) -> Response:
    """What the assistant answers; what it was told stands in the body, not in the address."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise refuse("not-json", "form")
    facts, before = _facts(await request.body())

    def make(served: Served) -> str | Failed:
        views = _views(request, served)
        try:
            check_texts(request.app.state.settings.limits, facts.text)
            return views.diagnose(facts, before)
        except (BadQuery, NotFound, AmbiguousTerm, Refused) as error:
            told = told_of_error(error)
            return Failed(views.diagnose(facts, before, *told.words(views.lang)), told)

    made = await ask(request, make)
    if isinstance(made, Failed):
        return _failed(made)
    return _html(made, {"Cache-Control": "no-store"})


@router.get("/topics/{term}")
async def topic(request: Request, term: str) -> Response:
    """A term with its cases."""
    return await shown(request, lambda views: views.topic(term))


@router.get("/topics")
@router.get("/vocab")
async def topics(request: Request) -> Response:
    """All terms, or those of one scheme."""
    scheme = request.query_params.get("scheme") or None
    return await shown(request, lambda views: views.topics(scheme))


@router.get("/graph")
async def graph(request: Request) -> Response:
    """The graph of a result."""

    def make(views: Views) -> str:
        asked = _asked(request, views)
        return views.graph(asked.query, asked.wanted)

    return await shown(request, make, private=bool(request.query_params.get("q")))


@assets.get("/assets/{name}")
async def asset(request: Request, name: str) -> Response:
    """A style sheet, script or picture that ships with the pages."""
    if name not in ASSETS:
        raise refuse("not-found")
    body, tag = asset_of(name)
    headers = {"ETag": tag, "Cache-Control": "public, no-cache"}
    if has_any(request) or matches(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    kind = {"js": "text/javascript", "svg": "image/svg+xml"}.get(name.rpartition(".")[2])
    return Response(body, headers=headers, media_type=kind or mimetypes.guess_type(name)[0])


@cache
def asset_of(name: str) -> tuple[bytes, str]:
    """The bytes of an asset and its entity tag."""
    body = files("kg.server.pages").joinpath("assets", name).read_bytes()
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'


async def shown(request: Request, make: Make, *, private: bool = False) -> Response:
    """A page as an answer: 304 where the reader has it, kept bytes where they are, else made now.

    Args:
        request: the request; the language is a part of what it asks for.
        make: makes the page.
        private: the address holds somebody's own words, which nobody between shall keep.
    """
    lang = language(request)
    key = f"page {lang} {request.url.path}?{request.url.query}"
    holder: Holder = request.app.state.holder
    with holder.use() as served:
        tag = etag(served, key)
        kept = served.kept.get(key)
    headers = _headers(request, tag, private=private)
    if matches(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    if kept is not None:
        return _read(request, kept, headers)

    def work(served: Served) -> tuple[str, bytes] | Failed:
        made = make(_views(request, served))
        if isinstance(made, Failed):
            return made
        body = made.encode("utf-8", "replace")
        served.kept.put(key, body)
        return etag(served, key), body

    done = await ask(request, work)
    if isinstance(done, Failed):
        return _failed(done)
    tag, body = done
    return _read(request, body, {**headers, "ETag": tag})


def language(request: Request) -> str:
    """The language of the answer."""
    return language_of(request.scope)


def links_of(request: Request) -> LiveLinks:
    """Where pages lie, seen from the one that is asked for."""
    base: str | None = request.app.state.settings.base_url
    pairs = [(k, v) for k, v in request.query_params.multi_items() if k not in ("lang", "format")]
    return LiveLinks(
        lang=named_language(request.query_params.get("lang")),
        path=request.scope["path"],
        pairs=tuple(pairs),
        root=urlsplit(base).path.rstrip("/") if base else "",
    )


def error_page(request: Request, told: Told) -> Response:
    """A problem as a page."""
    renderer: Renderer = request.app.state.renderer
    html = problem_page(renderer, told, language(request), links_of(request))
    return Response(
        html.encode("utf-8", "replace"),
        told.status,
        {"Cache-Control": "no-store", "Vary": "Accept-Language"},
        "text/html; charset=utf-8",
    )


def _views(request: Request, served: Served) -> Views:
    renderer: Renderer = request.app.state.renderer
    return Views(renderer, served.lib, language(request), links_of(request))


def _read(request: Request, body: bytes, headers: dict[str, str]) -> Response:
    return Response(status_code=304, headers=headers) if has_any(request) else _html(body, headers)


def _failed(made: Failed) -> Response:
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Language"}
    body = made.html.encode("utf-8", "replace")
    return Response(body, made.told.status, headers, "text/html; charset=utf-8")


def _html(body: str | bytes, headers: dict[str, str]) -> Response:
    content = body.encode("utf-8", "replace") if isinstance(body, str) else body
    return Response(content, headers=headers, media_type="text/html; charset=utf-8")


def _headers(request: Request, tag: str, *, private: bool) -> dict[str, str]:
    shut = private or request.app.state.settings.token is not None
    return {
        "ETag": tag,
        "Cache-Control": f"{'private' if shut else 'public'}, no-cache",
        "Vary": "Accept-Language",
    }


def _asked(request: Request, views: Views) -> Asked:
    """What a list is asked for; fields of a form that are left empty ask for nothing.

    Raises:
        BadQuery, TermNotFound, AmbiguousTerm: an order, number or facet that cannot be used.
    """
    given = request.query_params
    sort = given.get("sort") or SORTS[0]
    if sort not in SORTS:
        raise BadQuery(f"no sort {sort!r}; there are {', '.join(SORTS)}")
    return Asked(
        query=_short(given.get("q", "")),
        wanted=_wanted(request, views),
        sort=sort,
        offset=_number(given.get("offset") or "0", "offset", 0, MOST_OFFSET),
        limit=_number(given.get("limit") or str(PER_PAGE), "limit", 1, MOST_ITEMS),
    )


def _wanted(request: Request, views: Views) -> Filter:
    facets: dict[str, str | list[str]] = {}
    for name, value in request.query_params.multi_items():
        if name not in FACETS or not value.strip():
            continue
        if name in ("since", "before") and not is_day(value):
            raise BadQuery(f"{name}: {A_DAY}")
        if name in SCHEMES:
            values = facets.setdefault(name, [])
            if isinstance(values, list):
                values.append(value)
        else:
            facets[name] = value
    return make_filter(views.library.vocabulary, facets)


def _short(text: str) -> str:
    """A text of an address.

    Raises:
        BadQuery: it is too long for one.
    """
    if len(text) > MOST_QUERY:
        raise BadQuery(f"a text of more than {MOST_QUERY} characters; give it to the assistant")
    return text.strip()


def _number(text: str, name: str, least: int, most: int) -> int:
    whole = text.isascii() and text.isdigit() and len(text) < 10
    if not whole or not least <= int(text) <= most:
        raise BadQuery(f"{name}: give a whole number from {least} to {most}")
    return int(text)


def _facts(body: bytes) -> tuple[Facts, Facts | None]:
    """What a form tells: the facts of now, with what was picked from the list, and those before."""
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=500)
    except ValueError as error:
        raise refuse("bad-request", "fields") from error
    form = dict(pairs)
    picked = [(k.partition(" ")[2], v) for k, v in pairs if k.startswith("fact ")]
    lists = [
        tuple(
            dict.fromkeys(
                [*named_facts(form.get(name, "")), *(t for t, said in picked if said == name)]
            )
        )
        for name in ("observed", "ruled_out")
    ]
    facts = Facts(_text(form.get("text", "")), *lists)
    before = Facts(
        _text(form.get("before_text", "")),
        named_facts(form.get("before_observed", "")),
        named_facts(form.get("before_ruled_out", "")),
    )
    return facts, before if before.text else None


def _text(text: str) -> str:
    """Lines as they were typed: browsers send both signs of a line end."""
    return text.replace("\r\n", "\n").strip()
