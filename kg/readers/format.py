"""Put a data folder into its canonical form: `python -m kg.readers.format datasets`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from kg.model import Case, Scheme
from kg.readers.casefile import dump_case
from kg.readers.jsonschema import schema_texts
from kg.readers.vocabularyfile import dump_scheme


def canonical(folder: Path) -> Iterator[tuple[Path, str]]:
    """Each file of a data folder with the text that it should have.

    Raises:
        pydantic.ValidationError: a file is not valid; `kg build` says more.
    """
    for file in sorted(folder.glob("cases/*.json")):
        yield file, dump_case(Case.model_validate_json(file.read_text(encoding="utf-8")))
    for file in sorted(folder.glob("vocabulary/*.json")):
        yield file, dump_scheme(Scheme.model_validate_json(file.read_text(encoding="utf-8")))
    for name, text in schema_texts().items():
        yield folder / "schema" / name, text


def main(arguments: Sequence[str]) -> int:
    """Rewrite what is not canonical and say so; 2 on bad use."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("use: python -m kg.readers.format FOLDER", file=sys.stderr)
        return 2
    for file, text in canonical(Path(arguments[0])):
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            print(f"wrote {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
