"""What docs/web.md says of the pages is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import kg
from kg.library import Library
from tests.helpers.html import read_html

PAGE = (Path(kg.__file__).resolve().parents[1] / "docs" / "web.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
ADDRESSES = [
    a.replace("{id}", "IL-0480" if "cases" in a else "cause:dependency-failure")
    for row in re.findall(r"^\| (`/.*?) \|", PAGE, flags=re.MULTILINE)
    for a in re.findall(r"`(.+?)`", row)
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_each_address_shows_a_page(client: TestClient, address: str) -> None:
    filled = address.replace("q=", "q=NCCL").replace("a=&b=", "a=IL-0480&b=IL-0428")
    answer = client.get(filled)
    assert answer.status_code == 200
    assert read_html(answer.text).one("h1").text


def test_the_filter_that_it_shows_is_one(client: TestClient) -> None:
    (query,) = re.findall(r"`(\?symptom=.*?)`", PAGE)
    page = read_html(client.get(f"/cases{query}").text)
    assert len(page.all("span", _class="chip")) == query.count("=")


def test_a_page_can_be_made_from_python(tiny: Library) -> None:
    names: dict[str, object] = {"lib": tiny}
    exec(BLOCKS[1].replace("IL-0480", "A-1"), names)  # noqa: S102 - our own text
    page = read_html(str(names["html"]))
    assert page.one("html").get("lang") == "ko"
    assert page.one("h1").text == "A-1의 제목"


def test_a_site_can_be_written_from_python(
    tiny: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(BLOCKS[0], {"lib": tiny})  # noqa: S102 - our own text
    assert (tmp_path / "public" / "ko" / "index.html").is_file()
