"""Whether a sentence turns round what its evidence says: before and after, fell and did not fall.

Plain forms in English and Korean. Only plain cases are seen: what is said in wholly other words is
not weighed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(r"[A-Za-z0-9]+(?:['’][a-z]+)?|[가-힣]+")
_OPPOSITES = """
before after | above below | over under | on off | up down | enabled disabled | enable disable
rose fell | rises falls | rise fall | raised lowered | raising lowering | raise lower | more less
increased decreased | increase decrease | increasing decreasing | first last | larger smaller
higher lower | started stopped | added removed | adding removing | earlier later | with without
grew shrank | faster slower | longer shorter | open closed | success failure | succeeded failed
앞 뒤 | 전 후 | 전에 뒤에 | 전에 후에 | 앞에 뒤에 | 켜서 꺼서 | 켜자 끄자 | 켰다 껐다 | 켜면 끄면
올렸다 내렸다 | 올리자 내리자 | 높였다 낮췄다 | 높이자 낮추자 | 늘었다 줄었다 | 늘렸다 줄였다
올랐다 떨어졌다 | 올라갔다 내려갔다 | 커졌다 작아졌다 | 먼저 나중에 | 빨라졌다 느려졌다
"""
_PAIRS: dict[str, set[str]] = {}
for _row in _OPPOSITES.replace("\n", "|").split("|"):
    for _one, _other in (_row.split(), _row.split()[::-1]) if _row.strip() else ():
        _PAIRS.setdefault(_one, set()).add(_other)

_NEAR = 4
"""So many words on either side tell what an opposite is said of."""

_STOP_WORDS = """
the a an of to in at on by for and or is was are were be been it its this that with as from had has
have did does do not no never could can than then so into only all any also very quite
"""
STOP = frozenset(_STOP_WORDS.split())
_NEGATED = re.compile(
    r"\b(?:did|does|do|was|were|is|are|has|have|had|could|can|would|will)(?:\s+not|n['’]t)\s+"
    r"(?:yet\s+|ever\s+|been\s+|be\s+)*(?P<verb>[a-z]+)|\bcannot\s+(?P<other>[a-z]+)"
    r"|\bnever\s+(?P<never>[a-z]+)",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|nor|without|cannot|fail\w*|lack\w*|miss\w*|zero|0|absent"
    r"|stuck|stop\w*|still|un\w+able|refus\w*|ruled|exclud\w*|hang\w*|hung|wait\w*|until|little|few"
    r"|impossible|prevent\w*)\b|n['’]t\b|않|못|없|아니|안\s|배제|빠졌|빠뜨|실패|멈",
    re.IGNORECASE,
)
_KOREAN_NEGATED = re.compile(r"(?P<verb>[가-힣]+?)지\s*(?:않|못)")
_KOREAN_NEGATIVE = re.compile(r"않|못|없|아니|배제|실패")
_FORMS = {
    "fell": "fall", "fallen": "fall", "rose": "rise", "risen": "rise", "went": "go", "gone": "go",
    "broke": "break", "broken": "break", "found": "find", "held": "hold", "ran": "run",
    "came": "come", "lost": "lose", "sent": "send", "took": "take", "gave": "give", "hung": "hang",
    "kept": "keep", "left": "leave", "began": "begin", "grew": "grow", "saw": "see", "seen": "see",
    "shown": "show", "knew": "know", "known": "know", "told": "tell", "read": "read", "got": "get",
    "woke": "wake", "froze": "freeze", "frozen": "freeze", "died": "die", "led": "lead",
}  # fmt: skip
_CAUSE = re.compile(
    r"\b(?:caused|triggered|brought\s+about|explained|produced)\s+by\s+(?P<a>[^.;:]+)"
    r"|\b(?:due\s+to|because\s+of|owing\s+to|(?:stem|aris|com|result)\w*\s+from|came\s+from)\s+"
    r"(?P<b>[^.;:]+)"
    r"|\b(?:root\s+)?cause\s+(?:\w+\s+){0,4}?(?:is|was)\s+(?P<c>[^.;:]+)"
    r"|(?P<d>[^.,;:]+?)\s+(?:is|was)\s+(?:the|a)\s+(?:root\s+)?cause\b"
    r"|원인(?:은|이)\s*(?P<e>[^.,;:]+?)(?:이다|다|입니다|였다|이었다|였습니다|이었습니다)"
    r"|(?P<f>[^.,;:]+?)(?:이|가)\s*(?:근본\s*)?원인(?:이|입|으)"
    r"|(?P<g>[^.,;:]+?)\s*(?:때문|탓|(?:으로|로)\s*인(?:해|한|하여)|에서\s*비롯)",
    re.IGNORECASE,
)
_GENERAL_WORDS = """
cause caused root incident outage failure problem fault bad faulty broken wrong issue error case
failed failing defective dead damaged lost
원인 사고 장애 문제 오류 사례 근본 이번 불량 고장
"""
GENERAL = frozenset(_GENERAL_WORDS.split())


def turned(text: str, evidence: str) -> Iterator[str]:
    """The words of a sentence that say the opposite of what the evidence says of the same thing."""
    here, there = words_of(text), words_of(evidence)
    held = set(there)
    for at, word in enumerate(here):
        for other in _PAIRS.get(word, ()):
            if word in held or other in here or other not in held:
                continue
            about = _around(here, at)
            if any(about & _around(there, i) for i, w in enumerate(there) if w == other):
                yield word
    yield from _denied(text, evidence)
    yield from _affirmed(text, evidence)


def stranger_cause(text: str, evidence: str) -> str:
    """The cause that a sentence names and of which the evidence holds no word; "" if there is none.

    Of words in other forms the beginnings are compared.
    """
    held = {stem(w) for w in words_of(evidence)}
    for match in _CAUSE.finditer(text):
        phrase = next(p for p in match.groups() if p)
        told = [w for w in words_of(phrase) if w not in STOP and w not in GENERAL and len(w) > 1]
        if told and not any(stem(w) in held for w in told):
            return phrase.strip()
    return ""


def _denied(text: str, evidence: str) -> Iterator[str]:
    """What is denied here and said there, or denied where the evidence denies nothing."""
    said = {stem(w) for w in words_of(evidence)} - _denied_stems(evidence)
    silent = _NEGATIVE.search(evidence) is None
    for match in _NEGATED.finditer(text):
        verb = next(g for g in match.groups() if g)
        if silent or (stem(verb.casefold()) in said and verb.casefold() not in STOP):
            yield match.group()
    silent = silent or _KOREAN_NEGATIVE.search(evidence) is None
    for match in _KOREAN_NEGATED.finditer(text):
        if silent and (stem(match["verb"]) in said or not _NEGATIVE.search(evidence)):
            yield match.group()


def _affirmed(text: str, evidence: str) -> Iterator[str]:
    """What is said here and only denied there."""
    if _NEGATIVE.search(text):
        return
    gone = _denied_stems(evidence)
    for match in _NEGATED.finditer(evidence):
        rest = evidence[: match.start()] + evidence[match.end() :]
        gone -= {stem(w) for w in words_of(rest)}
    for word in words_of(text):
        if word not in STOP and stem(word) in gone:
            yield word


def _denied_stems(text: str) -> set[str]:
    verbs = (next(g for g in m.groups() if g) for m in _NEGATED.finditer(text))
    return {stem(v.casefold()) for v in verbs if v.casefold() not in STOP}


def words_of(text: str) -> list[str]:
    """The words of a text, folded."""
    return [w.casefold() for w in _WORD.findall(text)]


def _around(words: list[str], at: int) -> set[str]:
    """The stems of the words near a place that say what it is about."""
    near = words[max(0, at - _NEAR) : at] + words[at + 1 : at + 1 + _NEAR]
    return {stem(w) for w in near if w not in STOP and len(w) > 1}


def stem(word: str) -> str:
    """The beginning of a word, alike in most of its forms: five letters, or two syllables."""
    if "가" <= word[:1] <= "힣":
        return word[:2]
    word = _FORMS.get(word, word)
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word[:5]
