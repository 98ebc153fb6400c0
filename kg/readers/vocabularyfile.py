"""Vocabulary files: one JSON file per scheme in a folder."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from kg.errors import InputError, Problem
from kg.model import Scheme
from kg.readers.positions import Positions, syntax_place
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
    remedy = "See docs/vocabulary.md for the form of a term"
    found = error.errors(include_url=False)
    if found[0]["type"] == "json_invalid":
        line, column, message = syntax_place(found[0]["msg"])
        return [Problem(str(file), line, "", message, f"Look at column {column} of this line")]
    lines = Positions(text)
    return [
        Problem(
            str(file), lines.line(e["loc"]), ".".join(map(str, e["loc"])), e["msg"], remedy
        )
        for e in found
    ]  # fmt: skip


def dump_scheme(scheme: Scheme) -> str:
    """A scheme as the canonical text of its file: terms sorted by id, defaults left out."""
    ordered = scheme.model_copy(update={"terms": tuple(sorted(scheme.terms, key=lambda t: t.id))})
    data = ordered.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
