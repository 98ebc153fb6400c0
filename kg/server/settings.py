"""What a server is told: which library, where it listens, who may read, and how much at a time."""

from __future__ import annotations

import ipaddress
import math
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from kg.errors import BadQuery

LANGUAGES = ("en", "ko")
LEAST_TOKEN = 16
"""Characters that a token must have at least, so that it cannot be guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one client may ask of the server.

    Attributes:
        body: bytes of the body of a request, at most.
        text: characters of a text that is asked about: 8,000 take seconds of a core to diagnose.
        seconds: how long a request may take, from its first byte to its answer.
        requests: requests under way at the same time; more are told to come again (503).
        a_minute: requests a minute from one address; None for any number.
        threads: questions that are worked on at the same time; more wait for their turn.
        kept: bytes of answers that are kept until the library changes.
    """

    body: int = 256 * 1024
    text: int = 8_000
    seconds: float = 30.0
    requests: int = 64
    a_minute: int | None = None
    threads: int = 2
    kept: int = 32 * 1024 * 1024

    def __post_init__(self) -> None:
        for name in ("body", "text", "requests", "threads"):
            _check(getattr(self, name) >= 1, f"{name} must be 1 or more")
        _check(self.a_minute is None or self.a_minute >= 1, "a_minute must be 1 or more")
        _check(self.kept >= 0, "kept must be 0 or more bytes")
        _check(0 < self.seconds < math.inf, "seconds must be more than 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What `create_app` serves, and to whom.

    Attributes:
        library: the library file; None for the shipped cases.
        host: the address to listen on; this machine alone by default.
        port: the port, 0 for any that is free.
        token: what a reader must show (`Authorization: Bearer …`); None lets everybody read.
        hidden: cases that are not served: ids, or rules `facet=value` such as
            `organization=Acme` or `severity=SEV1`.
        base_url: the address by which the world sees the server, where a proxy stands before it.
        hosts: further names by which it may be addressed. Names that are not told are refused, so
            that a page of another site cannot reach a server on this machine by its own name.
        lang: language of answers where a request does not say.
        limits: how much one client may ask.
        check_seconds: how often the library file is looked at for a change.
        more: offer the further MCP tools as well.

    Raises:
        BadQuery: a value that cannot be used; the message says which and why.
    """

    library: Path | None = None
    host: str = "127.0.0.1"
    port: int = 8321
    token: str | None = field(default=None, repr=False)
    hidden: tuple[str, ...] = ()
    base_url: str | None = None
    hosts: tuple[str, ...] = ()
    lang: str = "en"
    limits: Limits = field(default_factory=Limits)
    check_seconds: float = 2.0
    more: bool = False

    def __post_init__(self) -> None:
        _check(bool(self.host.strip()), "host is blank; give an address such as 127.0.0.1")
        _check(0 <= self.port <= 65535, f"port must be from 0 to 65535, not {self.port}")
        _check(self.lang in LANGUAGES, f"lang must be {' or '.join(LANGUAGES)}, not {self.lang!r}")
        _check(0 < self.check_seconds < math.inf, "check_seconds must be more than 0")
        _check(all(r.strip() for r in self.hidden), "hide: a rule is blank")
        _check_token(self.token)
        if self.base_url is not None:
            parts = urlsplit(self.base_url)
            whole = parts.scheme in ("http", "https") and bool(parts.hostname)
            _check(whole, f"base_url must begin with http:// or https://, not {self.base_url!r}")

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)

    @property
    def names(self) -> frozenset[str]:
        """The host names by which the server may be addressed, beside plain addresses."""
        told = [self.host, *self.hosts, "localhost"]
        if self.base_url is not None:
            told.append(urlsplit(self.base_url).hostname or "")
        return frozenset(name.strip().lower().rstrip(".") for name in told if name.strip())


def is_loopback(host: str) -> bool:
    """Whether an address to listen on is this machine's own."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _check_token(token: str | None) -> None:
    if token is None:
        return
    seen = token.isascii() and token.isprintable() and " " not in token
    _check(seen, "token: use letters, digits and signs without blanks")
    _check(len(token) >= LEAST_TOKEN, f"token: give at least {LEAST_TOKEN} characters")


def _check(good: bool, told: str) -> None:
    if not good:
        raise BadQuery(f"server settings: {told}")
