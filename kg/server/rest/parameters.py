"""What a request may ask with: facets, ranges, texts; anything else is refused by name."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from kg.queries import FACETS
from kg.server.wording import A_DAY

MOST_WORDS = 20_000
"""Characters of a text in a body; the library condenses longer ones, which takes time."""
MOST_QUERY = 2_000
"""Characters of a text in an address."""
MOST_ITEMS = 200
"""Items of a page of a list."""
MOST_OFFSET = 10_000_000

Value = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Values = Annotated[list[Value], Field(default_factory=list, max_length=20)]
Lang = Literal["en", "ko"]
Words = Annotated[str, StringConstraints(min_length=1, max_length=MOST_QUERY)]


def is_day(text: str) -> bool:
    """Whether a text is a day of the calendar, written as 2024-06-25 and no other way."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _day(text: str) -> str:
    if not is_day(text):
        raise PydanticCustomError("day", A_DAY)
    return text


Day = Annotated[
    str,
    AfterValidator(_day),
    WithJsonSchema({"type": "string", "format": "date", "examples": ["2024-06-25"]}),
]
Scheme = Literal[
    "cause", "trigger", "factor", "symptom", "component", "mitigation", "organization", "tool"
]
Group = Literal[
    "cause", "trigger", "factor", "component", "symptom", "mitigation", "follow_up",
    "organization", "tool", "domain", "severity", "year", "quarter", "month",
]  # fmt: skip
Share = Annotated[float, Field(ge=0, le=1)]
Few = Annotated[int, Field(ge=1, le=50)]


class Asked(BaseModel):
    """Base of all parameters: a name that is not known is refused, so that no slip goes unseen."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lang: Lang | None = Field(None, description="language of the answer")


class Chosen(BaseModel):
    """Facet values that a case must have, all of them: ids, slugs or any spelling."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cause: Values
    trigger: Values
    factor: Values
    symptom: Values
    component: Values
    mitigation: Values
    organization: Values
    tool: Values
    kind: Literal["incident", "series", "study"] | None = None
    domain: Value | None = None
    severity: Value | None = None
    since: Day | None = Field(None, description="dated this day or later")
    before: Day | None = Field(None, description="dated before this day")

    def facets(self) -> dict[str, Any]:
        """The facets that were given."""
        found = {name: getattr(self, name) for name in FACETS}
        return {name: value for name, value in found.items() if value not in (None, [])}


class Facets(Asked, Chosen):
    """Facet values beside other parameters."""


class ListAsked(Facets):
    """A page of a list."""

    sort: Literal["recent", "oldest", "id"] = "recent"
    offset: int = Field(0, ge=0, le=MOST_OFFSET)
    limit: int = Field(20, ge=1, le=MOST_ITEMS)
    values: int = Field(20, ge=0, le=2000, description="values listed of each facet")


class GroupsAsked(Facets):
    """Groups by cause."""

    every_cause: bool = Field(False, description="count a case under each of its causes")


class SearchAsked(Facets):
    """A search."""

    q: Words = Field(description="symptoms, log lines, a question, in Korean or English")
    k: Few = Field(5, description="at most so many hits")
    threshold: Share | None = Field(None, description="least probability of a hit")
    lane: Literal["hybrid", "words"] = Field("hybrid", description="`words` compares words only")
    diversity: Share = 0.0


class SimilarAsked(Facets):
    """The neighbours of a case."""

    k: Few = 5
    threshold: Share = 0.0


class ExplainAsked(Asked):
    """Two cases, or a text and a case."""

    a: Words = Field(description="id of a case, or a text of several words")
    b: Words = Field(description="id of a case, or a text of several words")


class DiagnoseAsked(Asked):
    """An incident under way, in an address."""

    q: Words = Field(description="what was seen, in Korean or English")
    observed: Values
    ruled_out: Values
    k: Few = 6
    threshold: Share | None = None


class GraphAsked(Facets):
    """The graph of a result."""

    case: Annotated[list[Value], Field(default_factory=list, max_length=200)]
    limit: int = Field(50, ge=1, le=500, description="at most so many cases, the newest")


class StatsAsked(Facets):
    """Figures by group."""

    group_by: Group = "cause"
    dated: Literal["published", "started", "detected", "mitigated", "ended"] = "started"


class VocabAsked(Asked):
    """The vocabulary, or one scheme."""

    scheme: Scheme | None = None


class ExplainBody(BaseModel):
    """Two cases, or a text and a case, in a body."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    a: Annotated[str, Field(min_length=1, max_length=MOST_WORDS)]
    b: Annotated[str, Field(min_length=1, max_length=MOST_WORDS)]
    lang: Lang | None = None


class DiagnoseBody(BaseModel):
    """An incident under way, in a body."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: Annotated[str, Field(min_length=1, max_length=MOST_WORDS)]
    observed: Values
    ruled_out: Values
    k: Few = 6
    threshold: Share | None = None
    lang: Lang | None = None


class SearchBody(BaseModel):
    """A search in a body, for texts too long for an address."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: Annotated[str, Field(min_length=1, max_length=MOST_WORDS)]
    k: Few = 5
    threshold: Share | None = None
    lane: Literal["hybrid", "words"] = "hybrid"
    diversity: Share = 0.0
    lang: Lang | None = None
    facets: Chosen = Field(default_factory=lambda: Chosen.model_validate({}))
