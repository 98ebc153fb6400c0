"""docs/server.md: what it shows works, and what it names is there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from urllib.parse import urlencode

import pytest

from kg.cli.parser import make_parser
from kg.server.mcp.arguments import RECORD
from kg.server.mcp.budget import USUAL
from kg.server.mcp.tools import tools
from kg.server.settings import Limits, Settings
from tests.helpers.served import HERE, with_tools

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "server.md").read_text("utf-8")
CALLS = re.findall(r"^curl .*$", PAGE, flags=re.MULTILINE)


def call(client, line):
    """The answer to a line with curl."""
    words, body, query, address = shlex.split(line)[1:], None, [], ""
    headers, in_address = {}, False
    while words:
        word = words.pop(0)
        if word == "-G":
            in_address = True
        elif word == "-H":
            name, _, value = words.pop(0).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = words.pop(0)
        elif word == "--data-urlencode":
            query.append(tuple(words.pop(0).split("=", 1)))
        else:
            address = word
    assert address.startswith(HERE)
    assert in_address is bool(query)
    path = address.removeprefix(HERE) + (f"?{urlencode(query)}" if query else "")
    return client.post(path, content=body, headers=headers) if body else client.get(path)


@pytest.mark.parametrize("line", CALLS)
def test_each_call_of_the_page_is_answered(real, line):
    answer = call(real, line)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert told.get("items", True)
    assert told.get("total", 1)


def test_the_page_names_every_endpoint(client):
    told = set(re.findall(r"`(?:GET|POST)?`? ?(?:or `POST )?(/[a-z/{}]+)`", PAGE))
    paths = {re.sub(r"{\w+_id}", "{id}", p) for p in client.get("/openapi.json").json()["paths"]}
    assert paths <= told
    assert {p for p in told if p not in paths} == {"/mcp"}


def test_the_page_names_every_tool_and_what_it_asks_with():
    for name, tool in tools(more=True).items():
        assert f"`{name}`" in PAGE
        if row := re.search(rf"^\| `{name}` \| ([^|]*) \|", PAGE, flags=re.MULTILINE):
            named = set(re.findall(r"`(\w+)`", row[1]))
            fields = set(tool.arguments.model_fields)
            assert named <= fields
            if "facets" not in row[1]:
                assert fields - named == {"lang", "budget"}


def test_the_page_tells_the_limits_and_budgets_that_hold():
    limits = Limits()
    told = (f"{limits.body // 1024} KiB", f"{limits.text:,} characters", "30 seconds",
            f"{limits.requests} requests", f"{USUAL:,}", f"{RECORD:,}",
            f"{limits.kept // 1024**2} MiB")  # fmt: skip
    assert (limits.seconds, limits.threads) == (30, 2)
    assert [t for t in told if t not in PAGE] == []


def test_the_commands_of_the_page_can_be_given():
    parser = make_parser()
    lines = re.findall(r"^kg (.*?)(?:\s+#.*)?$", PAGE, flags=re.MULTILINE)
    assert len(lines) == 3
    for line in lines:
        parser.parse_args(shlex.split(line))
    for option in re.findall(r"`(--[a-z-]+)", PAGE):
        if option != "--mixed":
            assert option in (parser.format_help() + _help_of(parser, "serve"))


def _help_of(parser, word):
    (words,) = (a for a in parser._actions if a.choices)
    return words.choices[word].format_help()


def test_the_program_of_the_page_makes_an_app(monkeypatch, quick):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    small = code.replace(
        "Settings(", f"Settings(library=__import__('pathlib').Path({str(quick.path)!r}), "
    )
    names: dict = {}
    exec(compile(small, "server.md", "exec"), names)  # noqa: S102 - our own text
    settings = names["app"].state.settings
    assert (settings.hidden, settings.lang) == (("IL-0480",), "ko")
    names["app"].state.holder.close()


def test_the_configurations_of_the_page_name_our_command_and_address(held):
    stdio, http = (json.loads(b) for b in re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL))
    command = stdio["mcpServers"]["incidents"]
    assert make_parser().parse_args(command["args"]).word == "mcp"
    assert http["mcpServers"]["incidents"]["url"] == f"{HERE}/mcp"

    async def work(client):
        return len((await client.list_tools()).tools)

    assert with_tools(Settings(), held, work) == 5
