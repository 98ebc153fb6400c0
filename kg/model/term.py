"""Terms and schemes: the controlled lists behind causes, symptoms, components and the rest."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from kg.model.claim import TermId
from kg.model.iri import Iri
from kg.model.text import Lang, Line, Record, Text, quoted

MATCHES = ("exact_match", "close_match")
"""How a term may match a concept of another vocabulary, the stronger way first."""


class TermRelation(StrEnum):
    """How one term stands to another (beside `broader`)."""

    PART_OF = "part_of"
    DEPENDS_ON = "depends_on"
    VARIANT_OF = "variant_of"
    DOES_NOT_COVER = "does_not_cover"


class Term(Record):
    """One entry of a scheme; a SKOS concept.

    Attributes:
        id: `scheme:slug`, stable for ever.
        type: a finer kind within the scheme, such as `gpu-model` or `setting`.
        label: the preferred name in each language.
        aliases: other spellings by language; `zxx` holds identifiers.
        definition: what the term means and where it ends.
        broader: more general terms of the same scheme.
        part_of, depends_on, variant_of, does_not_cover: relations to other terms.
        exact_match: concepts of other vocabularies that mean the same (SKOS exactMatch), as
            absolute IRIs; kept sorted.
        close_match: those that mean nearly the same (SKOS closeMatch); none stands in both.
        unnamed: stands for something that the source leaves without a name; never merged
            with another and never found in text.
    """

    id: TermId
    type: Annotated[str, Field(pattern=r"^[a-z][a-z-]*$")] | None = None
    label: Text
    aliases: dict[Lang, tuple[Line, ...]] = Field(default_factory=dict)
    definition: Text
    broader: tuple[TermId, ...] = ()
    part_of: tuple[TermId, ...] = ()
    depends_on: tuple[TermId, ...] = ()
    variant_of: tuple[TermId, ...] = ()
    does_not_cover: tuple[TermId, ...] = ()
    exact_match: tuple[Iri, ...] = ()
    close_match: tuple[Iri, ...] = ()
    unnamed: bool = False

    @field_validator(*MATCHES)
    @classmethod
    def _each_once(cls, iris: tuple[str, ...]) -> tuple[str, ...]:
        for iri, count in Counter(iris).items():
            if count > 1:
                raise ValueError(f"{quoted(iri)} stands here {count} times; keep one of them")
        return tuple(sorted(iris))

    @model_validator(mode="after")
    def _in_one_of_both(self) -> Term:
        if both := sorted({*self.exact_match} & {*self.close_match}):
            raise ValueError(
                f"{quoted(both[0])} is in exact_match and in close_match; "
                "keep it in exact_match if it means the same, else in close_match"
            )
        return self

    @property
    def scheme(self) -> str:
        """The part of the id before the colon."""
        return self.id.partition(":")[0]

    @property
    def slug(self) -> str:
        """The part of the id after the colon."""
        return self.id.partition(":")[2]

    def related(self, relation: TermRelation) -> tuple[str, ...]:
        """The ids that stand in `relation` to this term."""
        targets: tuple[str, ...] = getattr(self, relation.value)
        return targets

    def matches(self) -> tuple[tuple[str, str], ...]:
        """Every match as (`exact_match` or `close_match`, IRI), exact ones first."""
        return tuple((name, iri) for name in MATCHES for iri in getattr(self, name))

    def spellings(self) -> tuple[tuple[str, str], ...]:
        """Every label and alias as (language, spelling), labels first."""
        aliases = [(lang, a) for lang, names in sorted(self.aliases.items()) for a in names]
        return (*self.label.items(), *aliases)


class Scheme(Record):
    """One vocabulary file: a SKOS concept scheme and its terms."""

    scheme: Annotated[str, Field(pattern=r"^[a-z]+$")]
    label: Text
    definition: Text
    terms: tuple[Term, ...]
