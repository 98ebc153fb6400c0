"""What the tools may be asked with."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_origin

from pydantic import BaseModel, ConfigDict, Field, model_validator

from kg.server.mcp.budget import LEAST, MOST, USUAL
from kg.server.rest.parameters import MOST_WORDS, Chosen, Few, Lang, Scheme, Share, Value, Values

RECORD = 60_000
"""Characters of JSON of an incident by default: most records with both languages fit whole."""

Text = Annotated[str, Field(min_length=1, max_length=MOST_WORDS)]


def _or_one(schema: dict[str, Any]) -> None:
    """Have the description say that one value stands for a list of one."""
    for told in schema.get("properties", {}).values():
        if told.get("type") == "array":
            bounds = {k: told.pop(k) for k in ("type", "items", "maxItems") if k in told}
            told["anyOf"] = [bounds["items"], bounds]


class Arguments(BaseModel):
    """Base: language and budget; a name that is not known is refused.

    Where a list of values is asked for, one value will do: models give either.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_or_one)

    lang: Lang | None = Field(None, description="language of titles and sentences: en or ko")
    budget: int = Field(
        USUAL, ge=LEAST, le=MOST, description="characters of JSON that the answer may have"
    )

    @property
    def named(self) -> frozenset[str]:
        """What is asked for by name, as the path of an address would; see `told_of_error`."""
        return frozenset()

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, given: Any) -> Any:
        """One value where a list is asked for, as a list."""
        if not isinstance(given, dict):
            return given
        lists = {n for n, f in cls.model_fields.items() if get_origin(f.annotation) is list}
        return {n: [v] if n in lists and isinstance(v, str) else v for n, v in given.items()}


class SearchArguments(Arguments, Chosen):
    """A search: a text, and facets that a case must have."""

    text: Text = Field(description="symptoms, log lines, a question, in Korean or English")
    k: Few = Field(5, description="at most so many incidents")
    threshold: Share | None = Field(None, description="least probability that a hit is relevant")
    lane: Literal["hybrid", "words"] = Field("hybrid", description="`words` compares words only")


class GetArguments(Arguments):
    """One incident."""

    id: Value = Field(description="id of the incident, such as IL-0480")
    budget: int = Field(
        RECORD, ge=LEAST, le=MOST, description="characters of JSON that the answer may have"
    )

    @property
    def named(self) -> frozenset[str]:
        """The incident."""
        return frozenset({self.id})


class ListArguments(Arguments, Chosen):
    """A page of a list."""

    sort: Literal["recent", "oldest", "id"] = "recent"
    offset: int = Field(0, ge=0, le=10_000_000)
    limit: int = Field(5, ge=1, le=200)
    values: int = Field(3, ge=0, le=2000, description="values listed of each facet")


class TopicArguments(Arguments):
    """One topic."""

    term: Value = Field(description="id such as cause:dependency-failure, or any spelling")

    @property
    def named(self) -> frozenset[str]:
        """The term."""
        return frozenset({self.term})


class VocabArguments(Arguments):
    """The vocabulary, or one scheme."""

    scheme: Scheme | None = Field(None, description="one facet; all where not given")
    offset: int = Field(0, ge=0, le=1_000_000, description="terms of each scheme to leave out")
    detail: bool = Field(False, description="with definitions, aliases and ids of incidents")


class SimilarArguments(Arguments, Chosen):
    """The neighbours of an incident."""

    id: Value = Field(description="id of the incident")
    k: Few = 5
    threshold: Share = 0.0

    @property
    def named(self) -> frozenset[str]:
        """The incident."""
        return frozenset({self.id})


class ExplainArguments(Arguments):
    """Two incidents, or a text and an incident."""

    a: Text = Field(description="id of an incident, or a text of several words")
    b: Text = Field(description="id of an incident, or a text of several words")


class DiagnoseArguments(Arguments):
    """An incident under way."""

    text: Text = Field(description="what was seen, in Korean or English")
    observed: Values = Field(description="terms also seen, looked at or tried")
    ruled_out: Values = Field(description="terms that are out of question")
    k: Few = 6
    threshold: Share | None = None
