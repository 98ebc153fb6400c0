"""Vocabulary files: one JSON file per scheme in a folder."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from kg.errors import InputError, Problem
from kg.model import Scheme
from kg.readers.positions import Positions
from kg.vocab import Vocabulary


def read_vocabulary(folder: str | Path) -> Vocabulary:
    """Read all `*.json` schemes of a folder.

    Raises:
        InputError: files that cannot be read or are not schemes; all problems together.
        SchemaError: the schemes do not fit together.
    """
    schemes: list[Scheme] = []
    problems: list[Problem] = []
    files = sorted(Path(folder).glob("*.json"))
    if not files:
        problems.append(
            Problem(
                str(folder), 0, "", "no vocabulary files here", "Give a folder with *.json schemes"
            )
        )
    for file in files:
        try:
            text = file.read_text(encoding="utf-8-sig")
            schemes.append(Scheme.model_validate_json(text))
        except ValidationError as error:
            problems += _problems(error, file, text)
        except (OSError, UnicodeDecodeError) as error:
            problems.append(Problem(str(file), 0, "", f"cannot be read: {error}", "Check the file"))
    if problems:
        raise InputError(problems)
    return Vocabulary(schemes)


def _problems(error: ValidationError, file: Path, text: str) -> list[Problem]:
    try:
        json.loads(text)
        positions: Positions | None = Positions(text)
    except ValueError:
        positions = None
    return [
        Problem(
            str(file),
            positions.line(entry["loc"]) if positions else 1,
            ".".join(map(str, entry["loc"])),
            entry["msg"],
            "See docs/vocabulary.md for the form of a term",
        )
        for entry in error.errors(include_url=False)
    ]


def dump_scheme(scheme: Scheme) -> str:
    """A scheme as the canonical text of its file: terms sorted by id, defaults left out."""
    ordered = scheme.model_copy(update={"terms": tuple(sorted(scheme.terms, key=lambda t: t.id))})
    data = ordered.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
