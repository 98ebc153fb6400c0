"""JSON Schemas of the file formats, generated from the models."""

from __future__ import annotations

import json
from typing import Any

from kg.model import Case, Scheme

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_FORMATS: dict[str, tuple[type[Case | Scheme], str]] = {
    "case.schema.json": (Case, "A case of the incident library"),
    "scheme.schema.json": (Scheme, "A vocabulary scheme with its terms"),
}


def schema_texts() -> dict[str, str]:
    """File name → text of each JSON Schema, byte for byte as it is shipped."""
    return {
        name: _text(model.model_json_schema(), title) for name, (model, title) in _FORMATS.items()
    }


def _text(schema: dict[str, Any], title: str) -> str:
    whole = {"$schema": _DIALECT, **schema, "title": title}
    return json.dumps(whole, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
