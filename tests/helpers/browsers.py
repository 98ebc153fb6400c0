"""A headless Chromium for tests that look at pages; they skip where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The program, where it is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browser(**context: Any) -> Iterator[Any]:
    """A page of a fresh browser; skips the test where Playwright or Chromium is missing."""
    api = pytest.importorskip("playwright.sync_api")
    program = chromium()
    if program is None:
        pytest.skip("no Chromium is installed")
    with api.sync_playwright() as started:
        opened = started.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            yield opened.new_context(**context).new_page()
        finally:
            opened.close()
