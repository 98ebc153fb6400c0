"""Text in several languages: short labels and longer prose."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    StringConstraints,
    model_validator,
)
from pydantic_core import CoreSchema

LANG_PATTERN = r"^([a-z]{2,3}(-[A-Za-z0-9]+)*|zxx)$"
Lang = Annotated[str, StringConstraints(pattern=LANG_PATTERN)]
"""A BCP 47 language tag; `zxx` marks text that belongs to no language (addresses, titles)."""

Line = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]

PARAGRAPH_BREAK = "\n\n"
OMITTED = "[…]"
"""A paragraph that stands where a text of another language has one of which there is no
translation; it says nothing itself."""
LANGUAGES = ("en", "ko")
"""The languages that the shipped cases and vocabulary always have."""

# Syllables, and the letters into which they fall in NFD, as macOS writes them.
_HANGUL = re.compile("[\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e]")
_BREAKS = re.compile(r"[\x00-\x1f\x80-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str, most: int = 80) -> str:
    """A text for a message: cut after `most` characters, line ends and the like escaped."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return _BREAKS.sub(lambda m: json.dumps(m.group())[1:-1], short)


def language_of(text: str) -> str:
    """`ko` for a text with Hangul in it, else `en`: the language in which to answer its writer."""
    return "ko" if _HANGUL.search(text) else "en"


def quoted(text: str, most: int = 80) -> str:
    """The same between quotes."""
    return f"'{one_line(text, most)}'"


class Record(BaseModel):
    """Base of all records: frozen, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Text(Record):
    """One short text per language, such as a label or a statement.

    In a file it is an object of language tags: `{"en": "link down", "ko": "링크 다운"}`.
    """

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[Lang, Line]

    @model_validator(mode="after")
    def _not_empty(self) -> Text:
        if not self.languages:
            raise ValueError('a text needs at least one language; write it like {"en": "…"}')
        return self

    @property
    def languages(self) -> tuple[str, ...]:
        """The language tags present, sorted."""
        return tuple(sorted(self.__pydantic_extra__ or {}))

    def get(self, lang: str) -> str | None:
        """The text in exactly this language, or None."""
        return (self.__pydantic_extra__ or {}).get(lang)

    def best(self, lang: str = "en") -> str:
        """The text in `lang`; else in English; else in the first language there is."""
        return self.get(lang) or self.get("en") or self.__pydantic_extra__[self.languages[0]]

    def items(self) -> Iterator[tuple[str, str]]:
        """Pairs of language tag and text, sorted by tag."""
        return iter(sorted((self.__pydantic_extra__ or {}).items()))


class Prose(Record):
    """Paragraphs (or list items) per language; evidence spans point into the joined text.

    In a file: `{"en": ["first paragraph", "second"], "ko": [...]}`, or one string for one
    paragraph. `[]` means "stated as none", and a field that is null means "not stated".
    """

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[Lang, tuple[Line, ...]]

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """The forms that a file may use, shorthands included."""
        line = {"type": "string", "minLength": 1}
        paragraphs = {"anyOf": [line, {"type": "array", "items": line}]}
        by_language = {
            "type": "object",
            "propertyNames": {"pattern": LANG_PATTERN},
            "additionalProperties": paragraphs,
        }
        return {"description": cls.__doc__, "anyOf": [by_language, {"const": []}]}

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        if value == [] or value == ():
            return {}
        if isinstance(value, dict):
            return {k: (v,) if isinstance(v, str) else v for k, v in value.items()}
        return value

    @model_validator(mode="after")
    def _parallel(self) -> Prose:
        counts = {lang: len(paragraphs) for lang, paragraphs in self._by_lang().items()}
        if len(set(counts.values())) > 1:
            told = ", ".join(f"{lang} {count}" for lang, count in sorted(counts.items()))
            raise ValueError(
                "all languages must have the same number of paragraphs, these have "
                f"{told}; split or join paragraphs until they agree"
            )
        for lang, paragraphs in self._by_lang().items():
            if any(PARAGRAPH_BREAK in p for p in paragraphs):
                raise ValueError(f"{lang}: a paragraph must not hold an empty line; split it")
        return self

    def _by_lang(self) -> dict[str, tuple[str, ...]]:
        return self.__pydantic_extra__ or {}

    @property
    def languages(self) -> tuple[str, ...]:
        """The language tags present, sorted."""
        return tuple(sorted(self._by_lang()))

    @property
    def stated_none(self) -> bool:
        """True when the source says that there is nothing here (an empty list)."""
        return not any(self._by_lang().values())

    def paragraphs(self, lang: str) -> tuple[str, ...]:
        """The paragraphs in exactly this language, in order; empty when it is absent."""
        return self._by_lang().get(lang, ())

    def text(self, lang: str) -> str:
        """The stored text in this language: paragraphs joined by an empty line."""
        return PARAGRAPH_BREAK.join(self.paragraphs(lang))

    def best(self, lang: str = "en") -> str:
        """The stored text in `lang`, else English, else the first language there is."""
        for candidate in (lang, "en", *self.languages):
            if self.paragraphs(candidate):
                return self.text(candidate)
        return ""

    def dump(self) -> Any:
        """The form used in files: `[]` for "none", else lists of paragraphs by language."""
        if not self._by_lang():
            return []
        return {lang: list(self.paragraphs(lang)) for lang in self.languages}
