"""The words of the command `kg` that serve a library: serve, mcp."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.cli import DONE, long_lived
from kg.cli.output import clean_line, complain
from kg.errors import BadQuery, MissingExtra

if TYPE_CHECKING:
    from kg.server.settings import Settings

Options = argparse.Namespace
Library = Callable[[argparse.ArgumentParser], None]
"""Adds the options that name the library and the language."""

VARIABLE = "INCIDENT_KG_TOKEN"
HOST, PORT = "127.0.0.1", 8321


def add_words(words: Any, library: Library) -> None:
    """Add `serve` and `mcp`."""
    text = "serve the library over HTTP: pages, REST and MCP"
    parser = words.add_parser("serve", help=text, description=text)
    library(parser)
    _serving(parser)
    parser.set_defaults(run=serve)
    text = "serve the library to language models (MCP) on standard input and output"
    parser = words.add_parser("mcp", help=text, description=text)
    library(parser)
    parser.add_argument("--http", action="store_true", help="over HTTP instead, under /mcp")
    _serving(parser)
    parser.set_defaults(run=mcp)


def _serving(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default=HOST, help=f"address to listen on (default {HOST})")
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"port, 0 for any that is free (default {PORT})"
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help=f"file with the token that readers must show (default: ${VARIABLE}, else none)",
    )
    parser.add_argument(
        "--hide",
        action="append",
        default=[],
        metavar="RULE",
        help="case that is not served: its id, or facet=value; may be given again",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="further host name by which the server is addressed; may be given again",
    )
    parser.add_argument(
        "--per-minute", type=int, metavar="N", help="requests a minute from one address, at most"
    )
    parser.add_argument("--base-url", metavar="URL", help="address by which a proxy shows it")
    parser.add_argument(
        "--more",
        action="store_true",
        help="MCP: also similar_incidents, explain_incidents, diagnose",
    )


def serve(options: Options) -> int:
    """`kg serve`; ends when it is told to (Ctrl-C)."""
    return _over_http(options, "")


def mcp(options: Options) -> int:
    """`kg mcp`; ends with standard input."""
    if options.http:
        return _over_http(options, "/mcp")
    settings = _settings(options)
    try:
        from kg.server.running import run_stdio
    except ImportError as error:
        raise _missing(error) from error
    long_lived()
    run_stdio(settings)
    return DONE


def _over_http(options: Options, path: str) -> int:
    settings = _settings(options)
    try:
        from kg.server.running import run_http
    except ImportError as error:
        raise _missing(error) from error
    if not settings.loopback and settings.token is None:
        complain("kg: everybody who can reach this machine can read the library; see --token-file")
    long_lived()
    run_http(settings, lambda address: complain(clean_line(f"kg: serving {address}{path}")))
    return DONE


def _settings(options: Options) -> Settings:
    """The settings that the options tell.

    Raises:
        BadQuery: a value that cannot be used.
    """
    from kg.server.settings import Limits, Settings

    return Settings(
        library=None if options.library is None else Path(options.library),
        host=options.host,
        port=options.port,
        token=_token(options.token_file),
        hidden=tuple(options.hide),
        hosts=tuple(options.name),
        base_url=options.base_url,
        lang=options.lang or "en",
        more=options.more,
        limits=Limits(a_minute=options.per_minute),
    )


def _token(file: str | None) -> str | None:
    """The token in a file, or in the environment; None where neither is given.

    Raises:
        BadQuery: the file is empty.
    """
    if file is None:
        return os.environ.get(VARIABLE) or None
    token = Path(file).read_text("utf-8").strip()
    if not token:
        raise BadQuery(f"--token-file: {file} is empty")
    return token


def _missing(error: ImportError) -> ImportError:
    """What to install, where it is an optional package that is missing."""
    package = (error.name or "").partition(".")[0]
    ours = ("kg", "embeddings")
    return error if not package or package in ours else MissingExtra(package, "server")
