"""The notebooks as they lie in the repository: stripped, in two languages, the same each time."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from kg.notebook import shipped_notebooks
from tests.helpers.cells import code_cells, read

FILES = sorted(shipped_notebooks().glob("*.ipynb"))
MOST_CODE = 30
"""A cell of more lines would belong into the library."""

ids = pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)


@ids
def test_outputs_are_stripped(file: Path) -> None:
    for cell in read(file)["cells"]:
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None
        assert set(cell["metadata"]) <= {"tags"}


@ids
def test_nothing_of_a_machine_is_in_its_metadata(file: Path) -> None:
    assert read(file)["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }


@ids
def test_it_is_written_as_jupyter_writes_it(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text == json.dumps(read(file), ensure_ascii=False, indent=1) + "\n"


@ids
def test_each_cell_has_its_own_id(file: Path) -> None:
    names = [cell["id"] for cell in read(file)["cells"]]
    assert len(set(names)) == len(names)


@ids
def test_all_prose_is_in_english_and_korean(file: Path) -> None:
    for cell in read(file)["cells"]:
        if cell["cell_type"] == "markdown":
            text = "".join(cell["source"])
            assert re.search("[가-힣]", text), text
            assert re.search("[A-Za-z]{3}", text), text


@ids
def test_it_is_short_and_explains_itself(file: Path) -> None:
    cells = read(file)["cells"]
    prose = [c for c in cells if c["cell_type"] == "markdown"]
    assert len(cells) <= 30
    assert len(prose) >= len(cells) / 3
    assert cells[0]["source"][0].startswith("# ")
    assert all(len(source.splitlines()) <= MOST_CODE for source in code_cells(file))


@ids
def test_the_parameters_are_in_one_tagged_cell(file: Path) -> None:
    tagged = [c for c in read(file)["cells"] if "parameters" in c["metadata"].get("tags", ())]
    assert len(tagged) == 1
    assert read(file)["cells"].index(tagged[0]) == 1


@ids
def test_its_code_is_python_and_fetches_nothing(file: Path) -> None:
    code = "\n".join(code_cells(file))
    ast.parse(code)
    assert not re.search(r"^\s*[%!]|requests|urllib|pip install", code, flags=re.MULTILINE)


@ids
def test_links_between_notebooks_lead_somewhere(file: Path) -> None:
    text = "".join(line for c in read(file)["cells"] for line in c["source"])
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert (file.parent / target).exists()


def test_the_documents_beside_them_are_in_both_languages() -> None:
    documents = [f.read_text(encoding="utf-8") for f in FILES[0].parent.glob("incidents/*.md")]
    korean = [d for d in documents if re.search("[가-힣]", d)]
    assert len(documents) >= 6
    assert 2 <= len(korean) < len(documents)
