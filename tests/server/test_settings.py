"""Settings: what makes no sense is refused with a word on why."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from kg.errors import BadQuery
from kg.server.settings import LEAST_TOKEN, Limits, Settings, is_loopback


def test_by_default_only_this_machine_reads_and_needs_no_token():
    settings = Settings()
    assert (settings.host, settings.token, settings.hidden) == ("127.0.0.1", None, ())
    assert settings.loopback
    assert settings.names == {"127.0.0.1", "localhost"}
    assert settings.limits == Limits()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"host": " "}, "host"),
        ({"port": 65536}, "port"),
        ({"port": -1}, "port"),
        ({"lang": "de"}, "lang"),
        ({"check_seconds": 0}, "check_seconds"),
        ({"check_seconds": float("inf")}, "check_seconds"),
        ({"hidden": ("IL-0480", " ")}, "hide"),
        ({"token": "short"}, str(LEAST_TOKEN)),
        ({"token": "x" * 40 + " y"}, "blanks"),
        ({"token": "비밀" * 20}, "letters"),
        ({"token": "x" * 40 + "\n"}, "blanks"),
        ({"base_url": "kg.example"}, "base_url"),
        ({"base_url": "ftp://kg.example"}, "base_url"),
    ],
)
def test_wrong_settings_are_refused_by_name(wrong, words):
    with pytest.raises(BadQuery, match=words):
        Settings(**wrong)


def test_settings_do_not_change_and_do_not_show_their_token():
    settings = Settings(token="a-token-of-some-length")  # noqa: S106
    with pytest.raises(FrozenInstanceError):
        settings.port = 1
    assert "a-token" not in repr(settings)


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True),
        ("localhost", True), ("LOCALHOST", True), ("10.0.0.1", False), ("::", False),
        ("192.168.0.1", False), ("kg.example", False),
    ],
)  # fmt: skip
def test_which_addresses_are_this_machine_alone(host, own):
    assert is_loopback(host) is own
    assert Settings(host=host).loopback is own


def test_names_are_compared_without_case_or_final_point():
    settings = Settings(hosts=("KG.Example.",), base_url="https://Www.Example:8443/kg")
    assert settings.names >= {"kg.example", "www.example"}
