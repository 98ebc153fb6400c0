"""Whether a sentence says that something went the other way, or swaps who did what to whom.

Plain forms in English and Korean: up and down, from one value to another, one thing instead of
another, subject and object of a verb of causing. What is said in wholly other words is not weighed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.rca.figures import Amount, amounts
from kg.rca.turned import GENERAL, STOP, stem, words_of

_UP = re.compile(
    r"\b(?:r(?:o|i)se[sn]?|rising|rais(?:e[sd]?|ing)|increas(?:e[sd]?|ing)|climb(?:ed|s|ing)?"
    r"|gr(?:e|o)w(?:n|s|ing)?|jump(?:ed|s)?|surged?|spiked|soared|gained"
    r"|(?:went|goes|gone|go|was|were|is|are)\s+up|up\s+(?:from|by)|lengthened|doubled|tripled)\b"
    r"|올[라랐려렸리릴린]|오[르른름]|높[아았이인였여]|늘[어었려렸리릴린고]|증가|상승|커[졌지져]|치솟|급증",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:f(?:e|a)ll(?:en|s|ing)?|drop(?:s|ped|ping)?|decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)"
    r"|low(?:er)?(?:ed|s|ing)|reduc(?:e[sd]?|ing)|s(?:a|u)nk|shr(?:a|u)nk|shortened|halved|plunged"
    r"|(?:went|goes|gone|go|came)\s+down|down\s+(?:from|by|to)|cut\s+(?:from|to))\b"
    r"|내[려렸]|낮[아았추춘춰췄]|떨어[져졌지진뜨]|줄[어었였여이인]|감소|하락|급감|작아[졌지져]",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|no|n['’]t|neither|nor|without)\b|않|못|없|아니", re.IGNORECASE
)
_NEAR = 60
"""So many characters on either side tell what went up or down."""

_FROM_TO = re.compile(
    r"\bfrom\s+(?P<a>[^.;]{1,30}?)\s+to\s+(?P<b>[^.;,]{1,20})"
    r"|(?P<c>[^\s.;,]+(?:\s?[^\s.;,]+)?)에서\s+(?P<d>[^\s.;,]+?)(?:으로|로)(?=\s|$|[.,;])",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?P<a>[\w-]+)\s+(?:instead\s+of|rather\s+than|and\s+not|,\s*not)\s+(?:on\s+|in\s+|at\s+)?"
    r"(?:the\s+|a\s+|an\s+)?(?P<b>[\w-]+)"
    r"|(?P<d>[가-힣\w-]+?)(?:이|가)?\s*(?:아니라|아닌|대신(?:에)?|말고)\s+(?P<c>[가-힣\w-]+)",
    re.IGNORECASE,
)
_ACTS = re.compile(
    r"\b(?P<verb>caus|crash|kill|overload|block|trigger|stopp|starv|corrupt|delet|remov|replac"
    r"|overwr[oi]t|flood|exhaust|delay|restart|broke|break|took\s+down|brought\s+down)\w*\b",
    re.IGNORECASE,
)
_CAUSING = re.compile(
    r"\b(?:caus(?:ed|es|ing)|crash(?:ed|es)|kill(?:ed|s)|broke|breaks|took\s+down|brought\s+down"
    r"|trigger(?:ed|s)|led\s+to|leads\s+to|stopped|made|makes|set\s+off|overload(?:ed|s)"
    r"|blocked|corrupt(?:ed|s))\b",
    re.IGNORECASE,
)
_CAUSING_KO = re.compile(
    r"(?P<who>[^.,;]+?)(?:이|가|은|는)\s+(?:[^.,;]*?\s)?[^\s.,;]*"
    r"(?:일으켰|일으킨|유발|초래|멈추게|멈춰\s*세|죽였|다운시켰|무너뜨렸|망가뜨렸|중단시켰)"
)
_PASSIVE = re.compile(r"\b(?:was|were|is|are|been|being|be|got)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_NO_OBJECT = re.compile(
    r"\s*(?:$|\b(?:by|because|as|when|while|after|before|since|until|in|at|on|from|due|and|so)\b)",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^\s*(?:(?:so|and|but|there|then|also)\b[,\s]*)*(?:in|at|on|for|with)?\s*"
    r"(?:case\s+)?[A-Z]{2}-\d+\w*[,:]?\s*(?:에서는|에서|의|는|은)?\s*",
    re.IGNORECASE,
)


def opposed(text: str, evidence: str) -> Iterator[str]:
    """The words of a sentence that put something the other way round than its evidence."""
    yield from _direction(text, evidence, _UP, _DOWN)
    yield from _direction(text, evidence, _DOWN, _UP)
    yield from _swapped_values(text, evidence)
    yield from _swapped_places(text, evidence)
    yield from _swapped_roles(text, evidence)


def acting(text: str) -> str:
    """What a sentence says to have done something to another: the subject of a verb of causing.

    "" where no such verb is used, or only in the passive.
    """
    match = _CAUSING.search(text)
    if match and not _PASSIVE.search(text[: match.start()]):
        return re.split(r"[,;:]", _OPENING.sub("", text[: match.start()]))[-1].strip()
    korean = _CAUSING_KO.search(_OPENING.sub("", text))
    return korean["who"].strip() if korean else ""


def is_strange(phrase: str, evidence: str) -> bool:
    """Whether a phrase has telling words and the evidence none of them."""
    held = {stem(w) for w in words_of(evidence)}
    told = [w for w in words_of(phrase) if w not in STOP and w not in GENERAL and len(w) > 1]
    return bool(told) and not any(stem(w) in held for w in told)


def _direction(
    text: str, evidence: str, here: re.Pattern[str], there: re.Pattern[str]
) -> Iterator[str]:
    """A word for one direction, where the evidence has only the other of the same thing."""
    if here.search(evidence) or there.search(text) or _NEGATED.search(text):
        return
    for match in here.finditer(text):
        about = _about(text, *match.span())
        for other in there.finditer(evidence):
            denied = _NEGATED.search(evidence[other.end() : other.end() + 8])
            if not denied and len(about & _about(evidence, *other.span())) >= 1:
                yield match.group()
                break


def _about(text: str, start: int, end: int) -> set[str]:
    """The stems of the telling words around a place, in the same line."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end) % (len(text) + 1)
    near = text[max(first, start - _NEAR) : start] + " " + text[end : min(last, end + _NEAR)]
    return {stem(w) for w in words_of(near) if w not in STOP and len(w) > 1 and not w.isdigit()}


def _swapped_values(text: str, evidence: str) -> Iterator[str]:
    """From one value to another, where the evidence has it from the second to the first."""
    there = [pair for pair, _ in _moves(evidence)]
    for (a, b), said in _moves(text):
        same = any(a.equals(x) and b.equals(y) for x, y in there)
        if not same and any(a.equals(y) and b.equals(x) for x, y in there):
            yield said


def _moves(text: str) -> list[tuple[tuple[Amount, Amount], str]]:
    found = []
    for match in _FROM_TO.finditer(text):
        low, high = (match["a"], match["b"]) if match["a"] else (match["c"], match["d"])
        first, last = amounts(low), amounts(high)
        if first and last:
            found.append(((first[-1], last[0]), match.group()))
    return found


def _swapped_places(text: str, evidence: str) -> Iterator[str]:
    """One thing instead of another, where the evidence has the other instead of the one."""
    there = {(stem(x), stem(y)) for x, y, _ in _instead(evidence)}
    for x, y, said in _instead(text):
        mine = (stem(x), stem(y))
        if mine not in there and mine[::-1] in there:
            yield said


def _instead(text: str) -> Iterator[tuple[str, str, str]]:
    for match in _INSTEAD.finditer(text):
        taken, left = (match["a"], match["b"]) if match["a"] else (match["c"], match["d"])
        yield taken.casefold(), left.casefold(), match.group()


def _swapped_roles(text: str, evidence: str) -> Iterator[str]:
    """Subject and object of one verb, where the evidence has them the other way round."""
    there = list(_acts(evidence))
    for verb, subject, object_, said in _acts(text):
        for other, theirs, at, _ in there:
            straight = bool(subject & theirs or object_ & at)
            if verb == other and not straight and subject & at and object_ & theirs:
                yield said
                break


def _acts(text: str) -> Iterator[tuple[str, set[str], set[str], str]]:
    """Active verbs with the stems of what stands before and behind them."""
    for part in re.split(r"[.;:\n]", text):
        for match in _ACTS.finditer(part):
            before, after = part[: match.start()], part[match.end() :]
            if not _PASSIVE.search(before) and not _NO_OBJECT.match(after):
                sides = [
                    {stem(w) for w in words_of(x) if w not in STOP and len(w) > 2}
                    for x in (before, after)
                ]
                yield stem(match["verb"].casefold()), sides[0], sides[1], match.group()
