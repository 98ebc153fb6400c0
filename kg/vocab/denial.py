"""Whether a text denies what it names: "no OOM", "네트워크는 원인이 아니었다".

A wrong denial hides the very thing that was seen, a missed one only weakens an answer. So a term
is denied only by a few plain forms that stand in its own clause and next to it; in doubt it is not.
"""

from __future__ import annotations

import re

# What ends a clause: punctuation, and the words and endings that begin another thought.
_CLAUSE_END = re.compile(
    r"[.!?。;:,，\n()\[\]]"
    r"|\b(?:but|after|before|because|since|from|while|although|though|when|then|so|due|despite)\b"
    r"|(?<=[가-힣])(?:지만|는데|은데|인데|므로|더니)(?=\s)|(?<=[았었했났됐겼렸쳤])고(?=\s)"
    r"|(?:이후|이전|다음|뒤|때문|직후)(?:에|로|으로)?(?=\s|$)",
    re.IGNORECASE,
)
_REACH = 64
_ARTICLE = r"(?:\s+(?:a|an|the|any))?"
_BEFORE = re.compile(
    r"(?:"
    r"\bno(?:\s+(?:sign|signs|trace|evidence|hint|record)\s+of|\s+(?:more|further|other|visible))?"
    rf"|\bnot{_ARTICLE}"
    rf"|\bnever\s+(?:was|were|had|saw|hit){_ARTICLE}"
    rf"|\bwithout{_ARTICLE}"
    rf"|n['’]t(?:\s+(?:see|saw|have|find|get|hit|show|be))?{_ARTICLE}"
    rf"|\b(?:ruled\s+out|excluded|excluding){_ARTICLE}"
    r")\s*$",
    re.IGNORECASE,
)
_LIST_BEFORE = re.compile(
    r"\b(?:ruled\s+out|excluded|배제(?:한\s*것)?|제외)\s*:\s*(?:[\w-]+\s*(?:,|·|/|and|or)?\s*){0,8}$",
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    r"(?:can(?:no|['’])t|cannot|could\s*n['’]t|not|n['’]t)\s+(?:yet\s+|be\s+)?"
    r"(?:rule\w*\s+(?:it\s+)?out|exclude\w*)",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^(?:\s+(?:itself|error|errors|problem|failure))?\s+(?:"
    r"(?:was|is|were|are|did|has\s+been)(?:\s+not|n['’]t)\s+(?:\w+\s+)?"
    r"(?:cause|reason|culprit|blame|problem|issue|factor|it|involved|responsible|seen|found|there|"
    r"present|happen|occur)\b"
    r"|(?:was|is|were|are|has\s+been)\s+(?:ruled\s+out|excluded))",
    re.IGNORECASE,
)
_AFTER_KOREAN = re.compile(
    r"^(?:은|는|이|가|도|를|을|의)?\s*"
    r"(?:(?:원인|문제|이유|탓|오류|에러|증상|흔적|징후|현상|장애)(?:은|는|이|가|도|을|를)?\s*)?"
    r"(?:없|(?:나|발생하|일어나|있)지(?:는|도)?\s*않)"
)
_EXCLUDED_BEFORE = re.compile(
    rf"\b(?:ruled\s+out|excluded|excluding|not){_ARTICLE}\s*$", re.IGNORECASE
)
_EXCLUDED_KOREAN = re.compile(
    r"^(?:은|는|이|가|도|를|을|의)?\s*(?:때문(?:이|은)?\s*|"
    r"(?:원인|문제|이유|탓|오류|에러|증상|장애)(?:은|는|이|가|도|을|를)?\s*)?"
    r"(?:아니|아님|아닌|배제|제외)"
)


def denied(text: str, start: int, end: int, happening: bool) -> bool:
    """Whether the words at text[start:end] are denied within their clause.

    `happening` says that they name something that happens, such as a symptom or a cause. A thing
    is only ever excluded: "no GPU visible" tells of the GPU, "no OOM" denies the OOM.
    """
    before, after = _clause(text, start, end)
    if _DOUBTED.search(before) or _DOUBTED.search(after):
        return False
    line = text[text.rfind("\n", 0, start) + 1 : start]
    excluded = (
        _EXCLUDED_BEFORE.search(before)
        or _LIST_BEFORE.search(line)
        or _AFTER.match(after)
        or _EXCLUDED_KOREAN.match(text[end : end + _REACH])
    )
    return bool(excluded or (happening and (_BEFORE.search(before) or _AFTER_KOREAN.match(after))))


def _clause(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after a place, up to the ends of its clause."""
    reach = text[max(0, start - _REACH) : start]
    cuts = [m.end() for m in _CLAUSE_END.finditer(reach)]
    following = text[end : end + _REACH]
    stop = _CLAUSE_END.search(following)
    return reach[cuts[-1] if cuts else 0 :], following[: stop.start()] if stop else following
