"""What pydantic finds, said in the words of JSON: text, number, list, object, null."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from kg.model.text import LANG_PATTERN, one_line, quoted

_SHAPES = {
    r"^[A-Za-z0-9][A-Za-z0-9._-]*$": "letters, digits, '.', '_' and '-', and begin with a letter"
    " or digit",
    r"^[a-z][a-z0-9-]*$": "lower-case letters, digits and '-', such as ai-infra",
    r"^[a-z][a-z0-9_]*$": "lower-case letters, digits and '_', such as lost_hours",
    r"^[a-z][a-z-]*$": "lower-case letters and '-'",
    r"^[a-z]+$": "lower-case letters",
    r"^[a-z]+:[a-z0-9][a-z0-9.-]*$": "a scheme and a name, such as cause:race-condition",
    r"^[0-9a-f]{64}$": "a SHA-256 digest: 64 digits and letters from a to f",
    LANG_PATTERN: "a language tag such as en, ko, pt-BR or zxx",
}
"""What each pattern of the models asks for."""

_LANGUAGES = 'an object of languages, such as {"en": "…"}'
_MODELS = {"Text": _LANGUAGES, "Prose": _LANGUAGES}

_Context = Mapping[str, Any]


def _pattern(context: _Context) -> str:
    shape = _SHAPES.get(context["pattern"])
    return f"must be {shape}" if shape else "has not the form that is asked for"


_TOLD: dict[str, Callable[[_Context], str]] = {
    "missing": lambda _: "this field is required",
    "extra_forbidden": lambda _: "no such field",
    "string_type": lambda _: "must be text",
    "string_unicode": lambda _: "must be text",
    "string_too_short": lambda _: "must not be empty",
    "string_too_long": lambda c: f"must have at most {c['max_length']} characters",
    "string_pattern_mismatch": _pattern,
    "bool_type": lambda _: "must be true or false",
    "bool_parsing": lambda _: "must be true or false",
    "int_type": lambda _: "must be a whole number",
    "int_parsing": lambda _: "must be a whole number",
    "int_parsing_size": lambda _: "must be a smaller whole number",
    "int_from_float": lambda _: "must be a whole number",
    "float_type": lambda _: "must be a number",
    "float_parsing": lambda _: "must be a number",
    "finite_number": lambda _: "must be a number that is not too large",
    "greater_than_equal": lambda c: f"must be {c['ge']:g} or more",
    "enum": lambda c: f"must be one of {c['expected']}".replace("'", ""),
    "tuple_type": lambda _: "must be a list",
    "too_short": lambda _: "must not be an empty list",
    "dict_type": lambda _: "must be an object",
    "model_type": lambda c: f"must be {_MODELS.get(c['class_name'], 'an object')}",
    "model_attributes_type": lambda _: "must be an object",
}
_SAY_ALL = ("missing", "extra_forbidden", "string_too_short", "too_short")


def plain_message(kind: str, context: _Context, value: Any) -> str:
    """What is wrong with a value, and what stands there.

    Args:
        kind: pydantic's type of the error.
        context: its numbers and names.
        value: what was given.
    """
    tell = _TOLD.get(kind)
    said = tell(context) if tell else "has not the form that is asked for"
    return said if kind in _SAY_ALL else f"{said}, not {shown(value)}"


def kind_of(value: Any) -> str:
    """What a JSON value is: `null`, `a list`, `a number` and so on."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return "text"
    if isinstance(value, int | float):
        return "a number"
    return "an object" if isinstance(value, dict) else "a list"


def shown(value: Any, most: int = 60) -> str:
    """A JSON value in a message, cut short."""
    if isinstance(value, str):
        return quoted(value, most)
    written = one_line(json.dumps(value, ensure_ascii=False, default=str), most)
    if isinstance(value, list | dict):
        return f"the {kind_of(value).split()[1]} {written}"
    return written
