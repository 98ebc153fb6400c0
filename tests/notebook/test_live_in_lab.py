"""Live in JupyterLab: the assistant's widgets answer a question typed in Korean."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from kg.library import Library
from kg.notebook import copy_notebooks
from tests.helpers.browsers import browser, chromium

PICTURES = os.environ.get("INCIDENT_KG_SCREENSHOTS")
"""A folder to keep screenshots in, for whoever wants to look."""

READY = all(map(importlib.util.find_spec, ("jupyterlab", "playwright"))) and chromium()
pytestmark = pytest.mark.skipif(
    not READY, reason="JupyterLab, Playwright or Chromium is not installed"
)

KOREAN = "학습이 멈추고 NCCL 타임아웃이 났다. 사용률은 100%인데 처리량은 0이고 전력이 떨어졌다"


@pytest.fixture(scope="module")
def lab(lib: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab over a copy of the notebooks, asking the reference cases."""
    folder = tmp_path_factory.mktemp("lab")
    copy_notebooks(folder / "notebooks")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "INCIDENT_KG_LIBRARY": str(lib.path),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
    }
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
        f"--port={port}", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}",
        "--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    log = (folder / "lab.log").open("w")
    server = subprocess.Popen(command, env={**os.environ, **settings}, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(f"{address}/api", server)
        yield f"{address}/lab/tree/notebooks/02_rca_assistant.ipynb"
    finally:
        server.terminate()
        server.wait(timeout=20)
        log.close()


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(120):
        assert server.poll() is None, "JupyterLab ended"
        try:
            with urlopen(address, timeout=2):  # noqa: S310 - our own server
                return
        except (URLError, OSError):
            time.sleep(0.5)
    pytest.fail("JupyterLab did not start")


def test_the_widgets_answer_a_question_typed_in_korean(lab: str) -> None:
    with browser(viewport={"width": 1400, "height": 1300}) as page:
        page.goto(lab)
        page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=60_000)
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=60_000)
        page.locator("#jp-MainMenu").get_by_text("Run", exact=True).click()
        page.locator('li[data-command="runmenu:run-all"]').click()
        box = page.locator(".kg-assistant textarea").first
        box.wait_for(timeout=120_000)
        box.fill(KOREAN)
        page.locator(".kg-assistant button", has_text="진단").first.click()
        answer = page.locator(".kg-assistant .kg-diagnosis")
        answer.get_by_text("알아들은 것").wait_for(timeout=60_000)
        said = answer.inner_text()
        assert "NCCL 타임아웃" in said
        assert "IL-0480" in said
        assert "집합 통신 어긋남" in said
        page.locator(".kg-assistant button", has_text="집합 통신 어긋남").first.click()
        answer.get_by_text("새로 배제됨").wait_for(timeout=60_000)
        assert page.locator(".kg-assistant button", has_text="배제: 집합 통신 어긋남").count() == 1
        if PICTURES:
            page.locator(".kg-assistant").first.screenshot(path=f"{PICTURES}/lab-light.png")
        page.get_by_role("tab", name="그래프").click()
        assert page.locator(".kg-assistant svg.kgp").count() >= 1
        if PICTURES:
            page.locator(".kg-assistant").first.screenshot(path=f"{PICTURES}/lab-graph.png")
            page.screenshot(path=f"{PICTURES}/lab-page.png")
