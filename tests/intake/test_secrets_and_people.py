"""Secrets and people are found at the door and replaced by stable placeholders."""

from __future__ import annotations

import random
import string
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.intake.redaction import Redaction, redacted
from kg.intake.secrets import KINDS, secrets_in
from kg.model import ClaimKind, Link, SourceKind
from kg.readers.draft import Cited, Draft, Given, Passage
from tests.helpers.strategies import QUICK

DRAW = random.Random(7)


def chars(count: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    """Made up anew for each test run of this file, the same each time; no real secret."""
    return "".join(DRAW.choice(alphabet) for _ in range(count - 1)) + "7"


HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits

PLANTED = {
    "AWS access key": ("found {} in the log", "AKIA" + chars(16, UPPER)),
    "AWS session key": ("{}", "ASIA" + chars(16, UPPER)),
    "AWS secret": ("aws_secret_access_key = {}", chars(40)),
    "GitHub token": ("git clone with {}", "ghp_" + chars(36)),
    "GitHub fine-grained": ("token {} leaked", "github_pat_" + chars(60)),
    "GitLab token": ("{} was used", "glpat-" + chars(20)),
    "Slack bot token": ("SLACK={}", "xoxb-" + chars(12, string.digits) + "-" + chars(24)),
    "Slack webhook": ("post to {}", "https://hooks.slack.com/services/T0000/B0000/" + chars(24)),
    "Discord webhook": ("{}", "https://discord.com/api/webhooks/123456789/" + chars(60)),
    "Stripe key": ("charge with {}", "sk_live_" + chars(24)),
    "OpenAI key": ("OPENAI {}", "sk-proj-" + chars(40)),
    "Anthropic key": ("key {} expired", "sk-ant-api03-" + chars(40)),
    "Hugging Face token": ("login {}", "hf_" + chars(34)),
    "NVIDIA key": ("{}", "nvapi-" + chars(64)),
    "Google API key": ("maps?key={}", "AIza" + chars(35)),
    "SendGrid key": ("mail by {}", "SG." + chars(22) + "." + chars(43)),
    "npm token": ("//registry/:_authToken={}", "npm_" + chars(36)),
    "PyPI token": ("twine -p {}", "pypi-AgEIcHlwaS5vcmc" + chars(60)),
    "Docker token": ("docker login -p {}", "dckr_pat_" + chars(27)),
    "JSON web token": ("cookie {}", f"eyJ{chars(20)}.eyJ{chars(30)}.{chars(40)}"),
    "bearer header": ("Authorization: Bearer {}", chars(40)),
    "basic header": ("Authorization: Basic {}", chars(24) + "=="),
    "Azure storage": ("AccountKey={}", chars(86) + "=="),
    "Azure signature": ("https://x.blob/a?sv=1&sig={}", chars(43) + "%3D"),
    "Telegram bot": ("bot {}", "123456789:AA" + chars(33)),
    "password in URL": ("postgres://app:{}@db.example.com/x", "Tr0ub4dor&3"),
    "redis URL": ("redis://:{}@cache:6379/0", "hunter2hunter2"),
    "password assigned": ("DB_PASSWORD={}", "s3cr3t!pass"),
    "password in YAML": ("  password: {}", "pa55-w0rd!"),
    "password in JSON": ('"client_secret": "{}"', chars(32)),
    "password told": ("the password was {} at the time", "Winter2024!"),
    "password in Korean": ("비밀번호는 {}", "qwer1234!"),
    "option": ("mysql --password={} -h db", "abcd1234"),
    "API key": ("X-Api-Key: {}", chars(32, HEX)),
    "private key": (
        "key:\n{}\nend",
        f"-----BEGIN RSA PRIVATE KEY-----\n{chars(64)}\n{chars(64)}\n-----END RSA PRIVATE KEY-----",
    ),
    "OpenSSH key": (
        "{}",
        f"-----BEGIN OPENSSH PRIVATE KEY-----\n{chars(70)}\n-----END OPENSSH PRIVATE KEY-----",
    ),
    "e-mail": ("ask {} about it", "jane.doe+oncall@corp.example.com"),
    "private IPv4": ("node {} went away", "10.12.3.4"),
    "private IPv4 of class B": ("http://{}:9090/metrics", "172.20.1.9"),
    "private IPv6": ("peer {} timed out", "fd12:3456:789a::1"),
    "private host": ("from {} to the lb", "db-7.prod.eu.internal"),
    "phone": ("call {} at night", "+82 10-1234-5678"),
    "Korean mobile": ("당직 {}", "010-9876-5432"),
    "card": ("paid by {}", "4111 1111 1111 1111"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_every_planted_secret_is_gone(name: str) -> None:
    frame, secret = PLANTED[name]
    work = Redaction()
    clean = work.text(frame.format(secret))
    assert secret not in clean
    assert not any(part in clean for part in secret.split("\n") if len(part) > 20)
    assert "[redacted " in clean
    assert sum(work.found.values()) == 1


def test_at_least_forty_kinds_are_planted() -> None:
    assert len(PLANTED) >= 40


@pytest.mark.parametrize(
    "text",
    [
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 was rolled back",
        "trace id 4bf92f3577b34da6a3ce929d0e0e4736",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "The token expired and the secret was rotated",
        "password: ******** was shown",
        "set PASSWORD=$DB_PASSWORD before",
        "password = <your password>",
        "api_key: {{ vault.key }}",
        "the secret is missing",
        "token bucket: exhausted",
        "토큰은 만료되었다",
        "version 10.2.30 and 1.2.3.4 are public",
        "8.8.8.8 and 127.0.0.1 and 169.254.169.254",
        "300.400.10.1",
        "git@github.com:owner/repo.git",
        "NCCL_IB_TIMEOUT=22 NCCL_DEBUG=INFO",
        "from 2024-01-02 03:04:05 to 2024-01-02 05:06:07",
        "order 4111 1111 1111 1112",
        "svc.cluster.local and metadata.google.internal",
        "rank 3 of 1024*14 GPUs at 190 W",
        "Xid 79, 0000:4e:00.0",
        "-p 8080:80 and -p5432",
    ],
)
def test_what_incidents_are_told_with_is_left_alone(text: str) -> None:
    assert secrets_in(text) == []


def test_the_same_value_has_the_same_placeholder_wherever_it_stands() -> None:
    work = Redaction()
    first = work.text("a@x.example wrote to b@x.example")
    second = work.text("then b@x.example answered")
    assert first == "[redacted email 1] wrote to [redacted email 2]"
    assert second == "then [redacted email 2] answered"
    assert work.found == {"email": 3}


def test_people_of_author_fields_are_found_everywhere() -> None:
    work = Redaction(people=("Jane Doe", "김철수", "jdoe7", "will"))
    text = "Jane Doe paged 김철수가 and jdoe7; this will end"
    assert work.text(text) == (
        "[redacted person 1] paged [redacted person 2]가 and [redacted person 3]; this will end"
    )


def test_a_name_within_another_word_is_no_name() -> None:
    assert Redaction(people=("Ann",)).text("Annual report of Ann") == (
        "Annual report of [redacted person 1]"
    )


DRAFT = Draft(
    format="pagerduty",
    file="a.json",
    title="Login fails for jane@x.example",
    passages=(Passage("summary", "Jane Doe saw 10.0.0.7 fail", "by Jane Doe"),),
    services=("db-1.prod.internal",),
    given=(Given(ClaimKind.CAUSE, "jane@x.example", key="k"),),
    source=Cited(SourceKind.TICKET, "ticket of Jane Doe", "https://u:s3cretpw@x.example/1"),
    links=(Link(rel="related", href="https://u:s3cretpw@x.example/2"),),
    people=("Jane Doe",),
    organization="Jane Doe",
    severity="Jane Doe",
)


def test_every_text_of_a_draft_is_cleaned() -> None:
    clean, counts = redacted(DRAFT)
    told = repr(clean)
    for secret in ("jane@", "Jane", "10.0.0.7", "prod.internal", "s3cretpw"):
        assert secret not in told
    assert clean.people == ()
    assert counts == {"address": 2, "email": 2, "password": 2, "person": 5}


def test_what_is_kept_stays() -> None:
    clean, counts = redacted(DRAFT, keep=["email", "address"])
    assert clean.title == DRAFT.title
    assert "10.0.0.7" in clean.passages[0].text
    assert set(counts) == {"password", "person"}


def test_an_unknown_kind_to_keep_is_refused() -> None:
    with pytest.raises(BadQuery, match="there are private-key, token"):
        redacted(DRAFT, keep=["emails"])


def test_a_clean_draft_is_not_touched() -> None:
    draft = replace(DRAFT, title="x", passages=(), services=(), given=(), source=None, links=())
    draft = replace(draft, organization="", severity=None, people=())
    assert redacted(draft) == (draft, {})


@QUICK
@given(st.text(), st.lists(st.text(max_size=8), max_size=3))
def test_cleaning_twice_changes_nothing_more(text: str, people: list[str]) -> None:
    once = Redaction(people).text(text)
    assert Redaction([p for p in people if p not in once]).text(once) == once


@QUICK
@given(st.text(alphabet="ab1@.:/=- \npasswordtoken", max_size=200))
def test_places_stand_in_order_and_do_not_overlap(text: str) -> None:
    found = secrets_in(text)
    assert all(0 <= f.start < f.end <= len(text) and f.kind in KINDS for f in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
