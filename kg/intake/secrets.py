"""Where secrets and personal data stand in a text: kinds, places, nothing else.

Tokens of well-known makers are found by the detectors of detect-secrets (Yelp, Apache-2.0); what is
written as a password, an address or a person is found by rules of our own. Bare random-looking
strings are left alone: hashes, trace ids and commit ids are what incidents are told with.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

KINDS = ("private-key", "token", "password", "email", "address", "phone", "card", "person")
"""What is found, the kinds in the order in which they win where two overlap."""

_MAKERS = (
    *("ArtifactoryDetector", "AWSKeyDetector", "AzureStorageKeyDetector", "CloudantDetector"),
    *("DiscordBotTokenDetector", "GitHubTokenDetector", "GitLabTokenDetector"),
    *("IbmCloudIamDetector", "IbmCosHmacDetector", "JwtTokenDetector", "MailchimpDetector"),
    *("NpmDetector", "OpenAIDetector", "PypiTokenDetector", "SendGridDetector", "SlackDetector"),
    *("SoftlayerDetector", "SquareOAuthDetector", "StripeDetector", "TelegramBotTokenDetector"),
    "TwilioKeyDetector",
)


@dataclass(frozen=True, order=True)
class Found:
    """One thing found: where it stands, and of what kind it is."""

    start: int
    end: int
    kind: str


_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:.{0,20000}?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|[^-]{0,20000})",
    re.DOTALL,
)
_TOKENS = re.compile(
    r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{40,}|glpat-[\w-]{18,}|xox[abeoprs]-[\w-]{10,}"
    r"|xapp-\d-[\w-]{20,}|sk-(?:ant-|proj-|or-)?[\w-]{20,}|hf_[A-Za-z0-9]{30,}|nvapi-[\w-]{30,}"
    r"|AIza[\w-]{35}|ya29\.[\w-]{20,}|(?:AKIA|ASIA)[A-Z0-9]{16}|dop_v1_[a-f0-9]{64}"
    r"|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,}|dckr_pat_[\w-]{20,}|shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}"
    r"|lin_api_\w{32,}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"
    r"|[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}|\d{8,10}:AA[\w-]{33})"
    r"|https://hooks\.slack\.com/(?:services|workflows)/[\w/+-]{20,}"
    r"|https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/[\w-]{30,}"
    r"|(?<=Bearer )[\w.~+/-]{12,}=*|(?<=Basic )[A-Za-z0-9+/]{12,}={0,2}(?![\w+/])"
    r"|(?<=AccountKey=)[A-Za-z0-9+/]{40,}={0,2}|(?<=[?&]sig=)[\w%+/-]{20,}"
    r"|(?<=[?&]X-Amz-Signature=)[a-f0-9]{64}",
)
_IN_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@\"'<>]*:([^\s/@\"'<>]{1,200})@", re.IGNORECASE)
_NAMED = re.compile(
    r"(?<![A-Za-z])(?:[\w.-]{0,40}[_.-])?"
    r"(?:password|passwd|passphrase|pwd|pass|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?"
    r"|secret[_-]?key|private[_-]?key|client[_-]?secret|auth[_-]?key|credentials?|session[_-]?id"
    r"|비밀번호|암호|패스워드|토큰|시크릿)"
    r"[\"']?\s*(?:=>|:=|[:=]|은|는|\bis\b|\bwas\b)\s*[\"'`]?(?P<value>[^\s\"'`,;<>(){}\[\]]{6,300})",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"(?:password|passwd|passphrase|비밀번호|암호)\s*(?:=|:|은|는|\bis\b|\bwas\b)?\s*"
    r"(?P<quote>[\"'`“])(?P<value>[^\"'`“”\n]{4,200})(?P=quote)",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,100}:(?P<user>[^\s\"'@]{3,200})"
    r"|\bsshpass\s+-p\s*[\"']?(?P<ssh>[^\s\"']{3,200})"
    r"|\b(?:passwd|password)\s+(?P<bare>(?=[^\s]*\d)[^\s\"'`,;:=]{6,100})",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"--(?:password|passwd|token|secret|api-key)[= ][\"']?(?P<value>[^\s\"']{4,300})"
    r"|(?<=\s)-p(?P<short>[^\s\"'-][^\s\"']{5,100})(?=\s|$)",
    re.IGNORECASE,
)
_NO_SECRET = re.compile(
    r"[*xX•.…_-]+|\$.*|%.*%|\{\{?.*|<.*|(?:your|my|the|a|an|some|changeme|example|redacted|masked"
    r"|null|none|true|false|undefined|expired?|missing|invalid|rotated?|leaked|required|optional"
    r"|wrong|correct|empty|unknown|stale|revoked|[a-z]+ed|[a-z]+ing)",
    re.IGNORECASE,
)
_PLAIN_WORD = re.compile(r"[a-z]+(?:[-_./][a-z]+)*[.:]?", re.IGNORECASE)
_EMAIL = re.compile(
    r"(?<![\w.+-])(?!git@)[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}(?![\w-])"
)
_IPV4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)")
_IPV6 = re.compile(r"(?<![\w:])f[cd][0-9a-f]{2}:[0-9a-f:]{2,39}(?![\w:])", re.IGNORECASE)
_PRIVATE_HOST = re.compile(
    r"(?<![\w.-])(?!metadata\.google\.internal)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+"
    r"(?:internal|corp|intranet|lan|home\.arpa)(?![\w-]|\.\w)",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<![\w.+-])(?:\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]\d{2,4}){2,3}"
    r"|01[016789]-\d{3,4}-\d{4}|\(\d{3}\) \d{3}-\d{4})(?![\w-]|\.\d)"
)
_CARD = re.compile(
    r"(?<![\w.-])(?:\d{4}[ -]){3}\d{4}(?![\w-]|\.\d)|(?<![\w.-])\d{6}-[1-4]\d{6}(?![\w-])"
)


def secrets_in(text: str, people: Sequence[str] = ()) -> list[Found]:
    """Everything found in a text, in order of place, without overlaps.

    Args:
        text: any text.
        people: names that fields of authors and assignees hold; found wherever they stand.
    """
    rules: tuple[tuple[str, Callable[[str], Iterator[tuple[int, int]]]], ...] = (
        ("private-key", lambda t: _spans(_PRIVATE_KEY, t)),
        ("token", _tokens),
        ("password", _passwords),
        ("email", lambda t: _spans(_EMAIL, t)),
        ("address", _addresses),
        ("phone", lambda t: _spans(_PHONE, t)),
        ("card", _cards),
        ("person", lambda t: _people(t, people)),
    )
    taken: list[Found] = []
    for kind, rule in rules:
        found = [Found(start, end, kind) for start, end in _joined(rule(text))]
        taken += [f for f in found if not any(f.start < t.end and t.start < f.end for t in taken)]
    return sorted(taken)


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of one kind in order, those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif start < end:
            joined.append((start, end))
    return joined


def _spans(rule: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    yield from (m.span() for m in rule.finditer(text))


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    yield from _spans(_TOKENS, text)
    start = 0
    for line in text.splitlines(keepends=True):
        for value in sorted(_known_tokens(line)):
            at = line.find(value)
            while at >= 0:
                yield start + at, start + at + len(value)
                at = line.find(value, at + len(value))
        start += len(line)


def _known_tokens(line: str) -> set[str]:
    if not any(c.isdigit() for c in line):  # every maker's tokens hold a digit
        return set()
    return {value for detector in _detectors() for value in detector.analyze_string(line) if value}


@lru_cache(maxsize=1)
def _detectors() -> tuple[Any, ...]:
    """The detectors of known makers' tokens; imported when first needed, about a second."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    classes: Iterable[type] = get_mapping_from_secret_type_to_class().values()
    return tuple(c() for c in sorted(classes, key=lambda c: c.__name__) if c.__name__ in _MAKERS)


def _passwords(text: str) -> Iterator[tuple[int, int]]:
    yield from (m.span(1) for m in _IN_URL.finditer(text) if not _NO_SECRET.fullmatch(m[1]))
    for match in _NAMED.finditer(text):
        value = match["value"].rstrip(".,")
        if not _NO_SECRET.fullmatch(value) and not _PLAIN_WORD.fullmatch(value):
            yield match.start("value"), match.start("value") + len(value)
    yield from (
        m.span("value") for m in _QUOTED.finditer(text) if not _NO_SECRET.fullmatch(m["value"])
    )
    for match in _GIVEN.finditer(text):
        group = next(name for name in ("user", "ssh", "bare") if match[name])
        if not _NO_SECRET.fullmatch(match[group]):
            yield match.span(group)
    for match in _OPTION.finditer(text):
        group = "value" if match["value"] else "short"
        if not _NO_SECRET.fullmatch(match[group]):
            yield match.span(group)


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    for match in _IPV4.finditer(text):
        if _private(match[0]):
            yield match.span()
    yield from _spans(_IPV6, text)
    yield from _spans(_PRIVATE_HOST, text)


_PRIVATE = tuple(
    ipaddress.ip_network(n)
    for n in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
)


def _private(written: str) -> bool:
    """Whether an address is one of a private network (RFC 1918) or of a carrier's (RFC 6598)."""
    try:
        address = ipaddress.ip_address(written)
    except ValueError:
        return False
    return any(address in network for network in _PRIVATE)


def _cards(text: str) -> Iterator[tuple[int, int]]:
    """Numbers of payment cards, by their check digit (Luhn 1960), and of Korean residents."""
    for match in _CARD.finditer(text):
        digits = [int(c) for c in match[0] if c.isdigit()]
        if len(digits) == 13 or _luhn(digits):
            yield match.span()


def _luhn(digits: Sequence[int]) -> bool:
    doubled = [d if i % 2 == 0 else d * 2 - 9 * (d > 4) for i, d in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


def _people(text: str, people: Sequence[str]) -> Iterator[tuple[int, int]]:
    for name in sorted(set(people), key=lambda n: (-len(n), n)):
        if _tells_a_person(name):
            yield from (m.span() for m in re.finditer(_whole(name), text))


def _tells_a_person(name: str) -> bool:
    """Whether a name can be looked for in running text: a lower-case word, "will", cannot."""
    name = name.strip()
    if len(name) < 2 or not any(c.isalpha() for c in name):
        return False
    return not (name.isascii() and name.isalpha() and (name.islower() or len(name) < 3))


def _whole(name: str) -> str:
    """A pattern of a name as whole words; Korean particles may follow."""
    after = r"(?![A-Za-z0-9_])" if name[-1].isascii() else ""
    return rf"(?<![\w]){re.escape(name.strip())}{after}"
