"""Put the data of a checkout into canonical form: `python -m kg.readers.format .`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from kg.model import Case, Scheme
from kg.readers.casefile import dump_case
from kg.readers.jsonschema import schema_texts
from kg.readers.pages import eval_corpus, manifest, vocabulary_page
from kg.readers.vocabularyfile import dump_scheme
from kg.vocab import Vocabulary


def canonical(root: Path) -> dict[Path, str]:
    """Each data file and generated page of a checkout with the text that it should have.

    Raises:
        pydantic.ValidationError, SchemaError: a file is not valid; `kg build` says more.
    """
    data = root / "datasets"
    cases = [Case.model_validate_json(t) for t in _texts(data / "cases", "*.json").values()]
    schemes = [
        Scheme.model_validate_json(t) for t in _texts(data / "vocabulary", "*.json").values()
    ]
    vocabulary = Vocabulary(schemes)
    files = {f"cases/{c.id}.json": dump_case(c) for c in cases}
    files |= {f"vocabulary/{s.scheme}.json": dump_scheme(s) for s in schemes}
    files |= {f"schema/{name}": text for name, text in schema_texts().items()}
    files["eval/corpus.jsonl"] = eval_corpus(sorted(cases, key=lambda c: c.id))
    kept = {p.relative_to(data).as_posix(): t for p, t in _texts(data / "eval", "**/*.*").items()}
    files["manifest.json"] = manifest({**kept, **files}, vocabulary, cases)
    pages = {root / "docs" / "vocabulary.md": vocabulary_page(vocabulary, cases)}
    return {data / name: text for name, text in files.items()} | pages


def _texts(folder: Path, pattern: str) -> dict[Path, str]:
    files = sorted(f for f in folder.glob(pattern) if f.is_file())
    return {f: f.read_text(encoding="utf-8") for f in files}


def main(arguments: Sequence[str]) -> int:
    """Rewrite what is not canonical and say so; 2 on bad use."""
    if len(arguments) != 1 or not Path(arguments[0], "datasets").is_dir():
        print("use: python -m kg.readers.format CHECKOUT", file=sys.stderr)
        return 2
    for file, text in canonical(Path(arguments[0])).items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            print(f"wrote {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
