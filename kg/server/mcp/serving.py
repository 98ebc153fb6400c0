"""The MCP server: over standard input and output, or over HTTP beside REST."""

from __future__ import annotations

import logging
import time
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from embeddings import EmbeddingError
from kg.errors import KgError
from kg.server.asking import Desk, check_texts
from kg.server.holder import Holder
from kg.server.language import named_language
from kg.server.mcp.budget import Json, written
from kg.server.mcp.tools import Tool, tools
from kg.server.problems import Refused, Told, problem_response, told
from kg.server.served import program_version
from kg.server.settings import Settings
from kg.server.shapes.common import DATA
from kg.server.tellings import told_of_error

_LOG = logging.getLogger("kg.server.mcp")

INSTRUCTIONS = (
    "A library of incidents with causes, evidence and status. Search first, then get the incidents "
    f"found. {DATA} A claim that is suspected or ruled out is not a cause; similar incidents need "
    "not have the same cause; say so when nothing similar is found."
)
_READING = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_OUTPUT: Json = {
    "type": "object",
    "properties": {
        "notice": {"type": "string"},
        "truncated": {"type": ["object", "null"]},
        "result": {"type": "object"},
    },
    "required": ["notice", "truncated", "result"],
}


def make_server(settings: Settings, holder: Holder, desk: Desk) -> Server[Any]:
    """An MCP server that asks the held library."""
    offered = tools(more=settings.more)

    async def list_tools(_: Any, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(t) for t in offered.values()])

    async def call_tool(_: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        tool, arguments = offered.get(asked.name), asked.arguments or {}
        lang = named_language(arguments.get("lang")) or settings.lang
        if tool is None:
            return _failed(told("not-found", "tool", ", ".join(offered)), lang)
        return await _called(tool, arguments, lang)

    async def _called(tool: Tool, arguments: Json, lang: str) -> types.CallToolResult:
        begun, status = time.perf_counter(), "failed"
        named: frozenset[str] = frozenset()
        texts = [v for v in arguments.values() if isinstance(v, str)]

        def work() -> Json:
            with holder.use() as served:
                return tool.answer(served, asked, settings.lang)

        try:
            check_texts(settings.limits, *texts)
            asked = tool.asked(arguments)
            named = asked.named
            found = await desk.ask(work)
            status = "done"
            return _answered(found)
        except (KgError, EmbeddingError, Refused, ValidationError) as error:
            return _failed(told_of_error(error, named), lang)
        except Exception as error:
            _LOG.error("failed", extra={"event": "error", "error": type(error).__name__})
            return _failed(told("broken"), lang)
        finally:
            _tell(tool.name, status, time.perf_counter() - begun)

    return Server(
        "incident-kg",
        version=program_version(),
        title="Incident library",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


class HttpEndpoint:
    """MCP over Streamable HTTP: an answer a request, no sessions, so that nothing piles up."""

    def __init__(self, server: Server[Any], limits_body: int) -> None:
        self.manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=limits_body
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; who may ask is decided before, as for every endpoint."""
        kind = Headers(scope=scope).get("content-type", "").partition(";")[0].strip()
        if kind != "application/json":
            refused = told("not-json", "rpc")
            await problem_response(refused, scope)(scope, receive, send)
            return
        await self.manager.handle_request(scope, receive, send)


async def serve_stdio(settings: Settings, holder: Holder, desk: Desk) -> None:
    """Answer on standard input and output until it ends."""
    server = make_server(settings, holder, desk)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.arguments.model_json_schema(),
        output_schema=_OUTPUT,
        annotations=_READING,
    )


def _answered(found: Json) -> types.CallToolResult:
    text = types.TextContent(type="text", text=written(found))
    return types.CallToolResult(content=[text], structured_content=found)


def _failed(problem: Told, lang: str) -> types.CallToolResult:
    text = types.TextContent(type="text", text=written(problem.plain(lang)))
    return types.CallToolResult(content=[text], is_error=True)


def _tell(tool: str, status: str, seconds: float) -> None:
    """A line in the log; never what was asked."""
    told = {"event": "tool", "endpoint": tool, "told": status}
    _LOG.info("tool", extra={**told, "milliseconds": round(1000 * seconds, 1)})
