"""What a sentence of an answer claims: certain or not, of which incident, or nothing at all.

Plain forms in English and Korean. In doubt a sentence is a claim, and a claim is certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

UNKNOWN, QUESTION, ASIDE = "unknown", "question", "aside"
"""The rules by which a sentence without a citation may stand, see `without_claim`."""

_ASIDE_WORDS = 10

_UNKNOWN = re.compile(
    r"\bthe\s+evidence\s+(?:does\s+not|doesn['’]t)\s+(?:say|state|tell|show|cover)\b"
    r"|\b(?:is|are|was|were|remains?|stays?)\s+(?:not\s+known|unknown|unclear|not\s+stated)\b"
    r"|\b(?:do\s+not|don['’]t|cannot|can['’]t)\s+(?:know|tell|say)\b"
    r"|^\s*(?:unknown|not\s+known|not\s+stated|no\s+evidence)\b"
    r"|\b(?:cannot|can['’]t)\s+be\s+(?:determined|told|said|known)\b"
    r"|\bno\s+(?:evidence|case)\s+(?:says|states|tells|shows)\b"
    r"|근거(?:에|가|에는)?\s*(?:나와\s*있지\s*않|없)|알\s*수\s*없|적혀\s*있지\s*않|알려지지\s*않"
    r"|확인할\s*수\s*없|모릅니다|모른다",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\b(?:but|however|though|although|because|since|except|yet|so|therefore|nevertheless|still)\b"
    r"|[;:]|[—–]|\band\b.*\b(?:caused|led\s+to|due\s+to|because\s+of)\b|\bdid\s+you\s+know\b"
    r"|하지만|그러나|다만|지만\s|는데\s|으므로|때문",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\b(?:but|however|whereas|while)\b|;|하지만|그러나|(?<=지만)\s", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:may|might|could|can|possibl\w*|perhaps|likely|probabl\w*|suspect\w*|hypothes\w*"
    r"|candidates?|unconfirmed|appears?|seems?|suggests?|whether|if|not\s+(?:yet\s+)?confirmed"
    r"|never\s+confirmed|no\s+(?:\w+\s+)?cause\s+(?:is|was|has\s+been)\s+confirmed|should\s+be\s+checked)\b"
    r"|수\s*(?:도\s*)?있|가능성|의심|추정|아마|것으로\s*보|듯(?:하|합|이)|가설|후보|여부|확정되지\s*않"
    r"|확인(?:되지|하지)\s*않",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:ruled?\s+out|rules\s+out|excluded?|excludes|eliminated)\b"
    r"|\b(?:is|was|are|were)(?:\s+not|n['’]t)\s+(?:the\s+|a\s+|an\s+)?(?:root\s+)?(?:cause|culprit|reason)"
    r"|\bnot\s+(?:caused\s+by|due\s+to|because\s+of)|배제|제외|원인(?:이|은)?\s*아니|원인으로\s*(?:\S+\s*){0,2}않",
    re.IGNORECASE,
)
_CAUSAL = re.compile(
    r"\b(?:root\s+)?causes?\s+(?:\w+\s+){0,6}?(?:is|was|are|were|of)\b|\bcaused\s+(?:by|the|this|your)\b"
    r"|\b(?:is|was|are|were)\s+(?:the|a|an|its|your|our)\s+(?:\w+\s+)?(?:cause|reason)\b"
    r"|\b(?:due\s+to|because\s+of|triggered\s+by|result(?:s|ed)?\s+from|culprit|to\s+blame)\b"
    r"|(?:근본\s*)?원인(?:은|이|입니다|이다|으로)|때문(?:이|입|에)|탓(?:이|입|에)|비롯(?:됐|되|한)",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"\b(?:this|your|our|the\s+(?:present|current|reported))\s+(?:\w+\s+){0,3}"
    r"(?:incident|outage|failure|hang|stall|problem|issue|error|run|job|event|crash)\b"
    r"|(?:이번|현재|지금|이)\s*(?:\S+\s+)?(?:사고|장애|멈춤|문제|오류|작업|증상)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:cases?|there|then|at\s+that\s+time|earlier|previous|similar|like\s+incidents?)\b"
    r"|사례|당시|그때|거기|비슷한|과거|앞선",
    re.IGNORECASE,
)
_WORKED = re.compile(
    r"\b(?:fixed|resolved|solved|cured|worked|helped|restored|recovered)\b"
    r"|해결|고쳤|고쳐졌|효과가\s*있|나았|복구(?:됐|되었|했)",
    re.IGNORECASE,
)
_NOT_WORKED = re.compile(
    r"\b(?:not|n['’]t|never|no|without|neither|only|until|failed\s+to|did\s+nothing|unsuccessful\w*)\b"
    r"|않|못|없|실패",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|「([^」]+)」|『([^』]+)』")
_QUOTE_WORDS = 3


def without_claim(text: str, heading: bool) -> str | None:
    """The rule by which a sentence claims nothing; None where it does.

    `unknown`: it says that something is not known, and does not turn from there ("but …").
    `question`: it ends in a question mark. `aside`: a heading, or at most ten words that end in
    a colon; the caller sees to it that they name nothing.
    """
    bare = text.strip().rstrip("*_ ")
    if _UNKNOWN.search(bare) and not _TURN.search(bare.rstrip(".:")):
        return UNKNOWN
    if bare.endswith(("?", "？")) and not _TURN.search(bare):
        return QUESTION
    led = bare.endswith((":", "：")) and len(bare.split()) <= _ASIDE_WORDS
    return ASIDE if led or (heading and len(bare.split()) <= _ASIDE_WORDS) else None


def hedged(text: str) -> bool:
    """Whether a sentence leaves open whether it is so."""
    return _HEDGE.search(text) is not None


def denies(text: str) -> bool:
    """Whether a sentence takes something out of question as a cause."""
    return _DENIAL.search(text) is not None


def settles_this_incident(text: str, case_ids: Iterable[str]) -> bool:
    """Whether a sentence says for certain what caused the incident itself.

    A part of it (up to a "but") does when it speaks of a cause and of "this incident", or of a
    cause and of no case, and leaves nothing open.
    """
    return any(_settles(part, tuple(case_ids)) for part in _PARTS.split(text))


def _settles(part: str, case_ids: Sequence[str]) -> bool:
    if not says_a_cause(part) or hedged(part):
        return False
    told = part.casefold()
    elsewhere = _ELSEWHERE.search(part) or any(i.casefold() in told for i in case_ids)
    return bool(_THIS.search(part)) or not elsewhere


def says_a_cause(text: str) -> bool:
    """Whether a sentence speaks of what caused something, without taking it out of question."""
    return _CAUSAL.search(text) is not None and not denies(text)


def says_it_worked(text: str) -> bool:
    """Whether a sentence says that something helped."""
    return _WORKED.search(text) is not None and _NOT_WORKED.search(text) is None


def quotations(text: str) -> list[str]:
    """What stands in quotation marks and is longer than a name."""
    found = (next(g for g in m.groups() if g) for m in _QUOTED.finditer(text))
    return [q.strip(" .,") for q in found if len(q.split()) >= _QUOTE_WORDS]
