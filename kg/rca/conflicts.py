"""Whether a statement tells of another value than was seen: H100 and B300, Xid 79 and Xid 63."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from kg.rca.names import holds
from kg.rca.statements import Statement
from kg.vocab import Vocabulary

_CODE = re.compile(
    r"(?<![A-Za-z])(s?xid|http|errno|error|err|signal|exit|status)(?:\s+(?:code|status|error))?"
    r"\s*[#:=]?\s*(\d{1,5})(?!\d)",
    re.IGNORECASE,
)
"""Names whose number says which one it is."""

MODEL = "-model"
"""How the types of components end of which one is not another, such as `gpu-model`."""


def conflicts(vocabulary: Vocabulary, text: str, seen: Iterable[str], statement: Statement) -> bool:
    """Whether a statement gives another code than the text, or another model than was seen."""
    told = words_of(statement)
    return _other_code(text, told) or _other_model(vocabulary, set(seen), statement, told)


def words_of(statement: Statement) -> str:
    """All that a statement says, in every language."""
    return "\n".join([*(w for _, w in statement.words), *(s.quote for s in statement.evidence)])


def _other_code(text: str, told: str) -> bool:
    here, there = _codes(text), _codes(told)
    return any(not here[name] & there[name] for name in here.keys() & there.keys())


def _codes(text: str) -> dict[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for name, number in _CODE.findall(text):
        found[name.casefold()].add(int(number))
    return dict(found)


def _other_model(vocabulary: Vocabulary, seen: set[str], statement: Statement, told: str) -> bool:
    """Whether another model of the same kind is named and none of those that were seen."""
    terms = vocabulary.terms
    mine = [terms[t] for t in seen if t in terms and (terms[t].type or "").endswith(MODEL)]
    if not mine or any(_names(vocabulary, t.id, statement, told) for t in mine):
        return False
    types = {t.type for t in mine}
    others = (t.id for t in terms.values() if t.type in types)
    return any(_names(vocabulary, t, statement, told) for t in others)


def _names(vocabulary: Vocabulary, term: str, statement: Statement, told: str) -> bool:
    spellings = (spelling for _, spelling in vocabulary.terms[term].spellings())
    return term in statement.terms or any(holds(told, s) for s in spellings)
