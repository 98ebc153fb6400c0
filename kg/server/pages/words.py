"""Every word of the interface, in English and Korean. Cases and terms have their own texts."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


@cache
def words() -> dict[str, tuple[str, str]]:
    """All of them by key, as (English, Korean); `{0}` and so on stand for values."""
    text = files("kg.server.pages").joinpath("words.json").read_text(encoding="utf-8")
    return {key: (en, ko) for key, (en, ko) in json.loads(text).items()}


def word(key: str, lang: str, *values: object) -> str:
    """A word or phrase in a language, with values put in; one of a thing has words of its own.

    Raises:
        KeyError: there is no such word, which is a mistake of a template.
    """
    single = f"{key}.one"
    found = words()[single if values[:1] == (1,) and single in words() else key]
    return found[lang == "ko"].format(*values)
