"""Cases and vocabularies from the records that a library file holds of them.

What was made of a record is remembered: a library that is changed and opened again holds nearly the
same records, and what is made of them never changes.
"""

from __future__ import annotations

from functools import lru_cache

from kg.model import Case, Change, Scheme, Term
from kg.vocab import Vocabulary


@lru_cache(maxsize=512)
def read_case(record: str) -> Case:
    """A case from its record.

    Raises:
        ValidationError: the record is not that of a case.
    """
    return Case.model_validate_json(record)


@lru_cache(maxsize=4)
def make_vocabulary(
    schemes: tuple[tuple[str, str], ...],
    terms: tuple[tuple[str, str], ...],
    history: tuple[str, ...],
) -> Vocabulary:
    """A vocabulary from its records.

    Args:
        schemes: names of schemes with their records, which hold no terms.
        terms: the name of its scheme and the record of each term.
        history: the records of its changes, the oldest first.

    Raises:
        ValidationError: a record cannot be read.
        SchemaError: they do not fit together.
    """
    of_scheme: dict[str, list[Term]] = {}
    for scheme, record in terms:
        of_scheme.setdefault(scheme, []).append(Term.model_validate_json(record))
    return Vocabulary(
        (
            Scheme.model_validate_json(record).model_copy(
                update={"terms": tuple(of_scheme.get(name, ()))}
            )
            for name, record in schemes
        ),
        (Change.model_validate_json(record) for record in history),
    )
