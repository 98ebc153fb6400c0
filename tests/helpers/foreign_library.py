"""Documents of others on the way into small libraries: the hash encoder and the tiny terms."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kg.library.intake import Intake, add_documents
from tests.helpers.libraries import all_tables, rows
from tests.helpers.tiny import tiny_vocabulary

VOCABULARY = tiny_vocabulary()

HANG = """# Training hung
Severity: SEV2

## Impact
Training stood still for two hours.

## Symptoms
NCCL timeout and slow training were seen.

## Root cause
A race condition in NCCL. It was not an ECC error.

## Resolution
We did a restart.
"""

LINK = """# Link went down
## Summary
A link down between two racks.

## Root cause
The link down was caused by a bad cable.

## Action items
Replace hardware of this age.
"""


def write(folder: Path, **documents: str) -> Path:
    """Write Markdown documents by name into a folder."""
    folder.mkdir(exist_ok=True)
    for name, text in documents.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def add(library: Path, *documents: Path, **more: Any) -> Intake:
    """Add documents; a new library gets the tiny terms and the hash encoder."""
    if not library.exists():
        more = {"vocabulary": VOCABULARY, "encoder": "hash", **more}
    return add_documents(library, documents, **more)


def tables(library: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All tables, with decisions and histories."""
    return all_tables(library)


def ids(found: Intake, action: str | None) -> list[str]:
    """The cases to which this was done."""
    return [item.case_id for item in found.items if item.action == action]


def claimed(library: Path, case_id: str) -> dict[str, str]:
    """Kind and term of each claim of a case, with its status, as SQL has it."""
    query = (
        "SELECT kind || ' ' || term_id, status FROM claims JOIN claim_terms USING (claim_id) "
        "WHERE case_id = ? ORDER BY 1"
    )
    return dict(rows(library, query, [case_id]))


def texts(found: Iterable[Any]) -> str:
    """Problems or notes as one text."""
    return "\n".join(map(str, found))
