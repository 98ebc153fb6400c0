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
    r"|(?:이후|이전|다음|뒤|때문|직후)(?:에|로|으로)?(?=\s|$)|(?<=아니라)\s",
    re.IGNORECASE,
)
_REACH = 64
_SENTENCE_REACH = 200
_ARTICLE = r"(?:\s+(?:a|an|the|any))?"
_IT_IS = (
    r"(?:\s+(?:it|this|that|there)(?:\s+(?:is|was|are|were|could\s+be|can\s+be|has\s+been)|['’]s))"
)
_UNBELIEVED = (
    r"(?:(?:\bnot|n['’]t)\s+(?:think|thought|believe|suspect|expect)"
    r"|(?<!\bno\s)(?<!\bany\s)(?<!\ba\s)(?<!\bwithout\s)(?<!\bbeyond\s)(?<!\bnot\s)(?<!n['’]t\s)"
    r"\bdoubt(?:ed|s)?)(?:\s+that)?"
    rf"{_IT_IS}?"
)
_NOT_BECAUSE = (
    r"(?:\bnot|n['’]t|\bnever|\bneither|\bnor)\s+(?:been\s+|be\s+)?"
    r"(?:(?:caused|triggered|explained|produced)\s+by|(?:due|related|attributable|linked)\s+to"
    r"|because\s+of|(?:a|the)\s+(?:result|fault|case|matter)\s+of)"
)
_BEFORE = re.compile(
    r"(?:"
    r"\bno(?:\s+(?:sign|signs|trace|evidence|hint|record)\s+of|\s+(?:more|further|other|visible))?"
    rf"|(?<!\bcould\s)(?<!\bcan\s)\bnot{_ARTICLE}"  # "could not log in" is what was seen
    rf"|\b(?:neither|nor)(?:\s+(?:of|was\s+there|were\s+there|did\s+\w+\s+(?:see|find))\b)?{_ARTICLE}"
    rf"|\bnever\s+(?:was|were|had|saw|hit){_ARTICLE}"
    rf"|\bwithout{_ARTICLE}"
    rf"|(?<!\bcould)(?<!\bca)n['’]t{_ARTICLE}"
    rf"|n['’]t\s+(?:see|saw|have|find|get|hit|show|be){_ARTICLE}"
    rf"|\b(?:ruled\s+out|excluded|excluding){_ARTICLE}"
    r")\s*$",
    re.IGNORECASE,
)
# Looked for in the sentence, since their own words (due, because, commas) end clauses.
_EXCLUDED_FAR = re.compile(rf"(?:{_NOT_BECAUSE}|{_UNBELIEVED}){_ARTICLE}\s*$", re.IGNORECASE)
_ITEM = r"(?:[\w/+'’-]+\s+){0,3}[\w/+'’-]+"
_LIST_BEFORE = re.compile(
    r"\b(?:ruled\s+out|excluded|배제(?:한\s*것)?|제외)\s*:\s*(?:[\w-]+\s*(?:,|·|/|and|or)?\s*){0,8}$",
    re.IGNORECASE,
)
_LIST_EXCLUDED = re.compile(
    rf"(?:\b(?:ruled\s+out|excluded|excluding)|{_NOT_BECAUSE})\s+{_ITEM}(?:\s*,\s*{_ITEM})*"
    rf"\s*(?:,|,?\s+(?P<last>and|or|nor)){_ARTICLE}\s+$",
    re.IGNORECASE,
)
_LIST_ABSENT = re.compile(
    rf"\b(?:no|without|neither)\s+{_ITEM}(?:\s*,\s*{_ITEM})*,?\s+(?:or|nor){_ARTICLE}\s+$",
    re.IGNORECASE,
)
_LIST_GOES_ON = re.compile(rf"^(?:\s*,\s*{_ITEM})*,?\s+(?:and|or|nor)\b", re.IGNORECASE)
_ACTS = re.compile(
    r"^\s+(?:was|were|is|are|has|had|did|came|come|remain\w*|persist\w*|occur\w*|happen\w*|appear\w*"
    r"|start\w*|began|kept|show\w*|caused|hit|followed|still|then)\b",
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
    r"(?:cause|reason|culprit|blame|problem|issue|factor|it|involved|responsible)\b"
    r"|(?:was|is|were|are|has\s+been|could\s+be)\s+(?:ruled\s+out|excluded)"
    r"|(?:was|is|were|are|looked|looks|seemed|seems)\s+(?:\w+ly\s+)?"
    r"(?:fine|healthy|clean|ok|okay|normal|unaffected|not\s+affected)\b(?!\s+(?:un)?til|\s+at\s+first)"
    r"|clean\b)",
    re.IGNORECASE,
)
# Of a thing it is trouble: "the GPU was not found".
_ABSENT_AFTER = re.compile(
    r"^(?:\s+(?:itself|error|errors|problem|failure))?\s+(?:was|is|were|are|did|has\s+been)"
    r"(?:\s+not|n['’]t)\s+(?:\w+\s+)?(?:seen|found|there|present|happen|occur)\b",
    re.IGNORECASE,
)
_THOUGHT = re.compile(
    r"^\s+(?:was|were|had\s+been)\s+(?:\w+\s+)?(?:suspected|blamed|considered|assumed)\b"
    r"[^.\n]{0,40}?\b(?:but|and)\s+(?:(?:it|that|this|was|were|is|had|been|then|later|soon|quickly"
    r"|finally|eventually)\s+)*(?:ruled\s+out|excluded|dismissed|cleared"
    r"|not\s+(?:it|so|(?:the|a)\s+(?:cause|culprit|reason|problem|factor))\b)",
    re.IGNORECASE,
)
_THING = r"(?:원인|문제|이유|탓|오류|에러|증상|흔적|징후|현상|장애)(?:은|는|이|가|도|을|를)?\s*"
_PARTICLE = r"\s*(?:은|는|이|가|도|를|을|의)?\s*"
_KOREAN_ITEM = r"[\w-]+(?:\s[\w-]+)??"
_KOREAN_LIST = rf"(?:\s*(?:과|와|이나|나|이랑|랑|이든|도|및|,|·|/)\s*{_KOREAN_ITEM}){{0,4}}?"
_AFTER_KOREAN = re.compile(
    rf"^{_PARTICLE}(?:{_THING})?(?:없|(?:나|발생하|발생되|일어나|있|보이|확인되|관찰되|발견되|감지되)지(?:는|도)?\s*않)"
)
_LIST_AFTER_KOREAN = re.compile(rf"^(?:도\s+{_KOREAN_ITEM}){{1,4}}?도\s*(?:{_THING})?없")
_NONE_AFTER = re.compile(r"^\s*[:=]\s*(?:none|nothing|no|0|없음)\b", re.IGNORECASE)
_WELL_KOREAN = re.compile(
    rf"^{_PARTICLE}(?:모두\s*|다\s*)?(?:정상(?:이(?!었다가)|입|적|으로)|멀쩡|(?:문제|이상)(?:은|는|이|가|도)?\s*없)"
)
_EXCLUDED_BEFORE = re.compile(
    rf"(?<!\bcould\s)(?<!\bcan\s)\b(?:ruled\s+out|excluded|excluding|not){_ARTICLE}\s*$",
    re.IGNORECASE,
)
_ZERO_AFTER = re.compile(
    r"^(?:\s+(?:rate|count|errors?))?\s+(?:was|were|is|are|stayed|remained)\s+(?:at\s+)?(?:zero|nil|0\s?%?)"
    r"(?![-\w]|[.,:%]\w)",
    re.IGNORECASE,
)
_THOUGHT_KOREAN = re.compile(
    r"^\s*(?:을|를|이|가|로|으로|이라고|라고|인\s*줄)?\s*(?:의심|생각|추정|추측|예상)(?:했|하였|됐|되었|받았)"
    r"(?:지만|으나|는데)[^.。\n]{0,24}?(?:아니(?:었|였|라)|아님|아닌)"
)
_EXCLUDED_KOREAN = re.compile(
    rf"^{_KOREAN_LIST}{_PARTICLE}(?:때문(?:이|은)?\s*|{_THING})?(?:아니|아님|아닌|아닙|배제|제외)"
)

# What was not done, and trouble that did not come. A verb that tells of things going well is in
# neither list: "did not answer" and "연결되지 않았다" are what was seen.
_NOT_DONE_KOREAN = (
    r"(?:(?:은|는|도)\s+하|바꾸|변경하|건드리|손대|고치|수정하|추가하|배포하|적용하|전환하|재시작하"
    r"|재기동하|재부팅하|페일오버하|롤백하|업데이트하|업그레이드하"
    r"|차|넘|넘치|나|생기|걸리|오르|늘|급증하|폭증하|튀|치솟|떨어지|느려지|죽|꺼지|터지|깨지|끊기"
    r"|끊어지|멈추|무너지|새|손상되|유실되|부족하|모자라|고갈되|만료되|과열되|충돌하|폭주하)"
    r"지(?:는|도|를)?\s*않(?:았|음|습|는다|다\b)"
)
_WE = r"\b(?:we|i|they|you|nobody|no[ -]?one|the\s+team|operators?|engineers?)\s+(?:\w+ly\s+)?"
_DOING = (
    r"(?:chang|touch|deploy|modif|updat|upgrad|edit|alter|restart|reboot|releas|ship|migrat|merg)\w*"
    r"|roll(?:ed)?\s+(?:out|back)|fail(?:ed)?\s+over"
)
_TROUBLE = (
    r"fill(?:ed)?(?:\s+up)?\b|run\s+out|overheat|expire|exceed|spike|surge|leak|crash|drop|overflow"
    r"|saturate|corrupt"
)
_NOT_DONE = re.compile(
    rf"{_NOT_DONE_KOREAN}"
    rf"|{_WE}(?:did|have|had|has)(?:\s+not|n['’]t|\s+never)\s+(?:\w+ly\s+)?(?:{_DOING})"
    rf"|\b(?:nobody|no[ -]?one|none\s+of\s+us)\s+(?:has\s+|had\s+)?(?:{_DOING})"
    rf"|\b(?:did|has|have|had)(?:\s+not|n['’]t|\s+never)\s+(?:\w+ly\s+)?(?:{_TROUBLE})",
    re.IGNORECASE,
)

# A whole clause that takes something out of question.
_EXCLUDING_CLAUSE = re.compile(
    rf"\b(?:ruled\s+out|excluded|excluding)\b|{_NOT_BECAUSE}|{_UNBELIEVED}"
    r"|\b(?:was|is|were|are)(?:\s+not|n['’]t)\s+(?:(?:the|a|an|our|its)\s+)?(?:\w+\s+)?"
    r"(?:cause|reason|culprit|to\s+blame|responsible|involved|at\s+fault)\b"
    r"|\bno\s+(?:sign|signs|trace|evidence|indication|hint)\s+(?:of|that)\b"
    r"|\bneither\b.*\bnor\b|^\s*(?:(?:it|this|that)\s+(?:was|is)\s+)?not\s+(?:a|an|the)\b"
    r"|(?:원인|이유|탓|때문|문제)(?:은|는|이|가)?\s*(?:아니|아님|아닌|아닙)|배제(?:했|됐|함|된|하)"
    r"|(?:흔적|징후|증거|정황)(?:은|는|이|가|도)?\s*없"
    r"|[가-힣](?:은|는|이|가|도)\s+(?:아니(?:었|라|고|다|며|야)|아님|아닙)",
    re.IGNORECASE,
)


_LACK = re.compile(
    r"\b(?:no|not|non|none|never|nor|neither|nothing|nobody|without|cannot|unable|few(?:er)?|less|low"
    r"|down|dead|gone|away|off|out|only)\b|n['’]t\b|\bNot(?=[A-Z])|\b(?:un|in|dis|mis)[a-z]{4,}"
    r"|\b(?:miss|lack|absen|fail|los[est]|stop|hang|hung|stuck|stall|drop|left|evict|reject|refus|block"
    r"|forg[eo]t|ignor|skip|disappear|vanish|die|kill|crash|broke|wait|delay|late|ended|lapse)"
    r"|없|않|못|안\s|불|미[가-힣]|실패|누락|부재|중단|끊|죽|사라|빠[져졌지]|멈|꺼|거부|막|늦|지연|잃|빼먹",
    re.IGNORECASE,
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
    near, following = line[-_SENTENCE_REACH:], text[end : end + _REACH]
    excluded = (
        _EXCLUDED_BEFORE.search(before)
        or _LIST_BEFORE.search(line)
        or _AFTER.match(after)
        or _EXCLUDED_KOREAN.match(following)
        or _WELL_KOREAN.match(following)
        or _THOUGHT_KOREAN.match(following)
        or _THOUGHT.match(following)
        or _EXCLUDED_FAR.search(near)
        or _in_list(_LIST_EXCLUDED, near, following)
    )
    if excluded or not happening:
        return bool(excluded)
    return bool(
        _BEFORE.search(before)
        or _ABSENT_AFTER.match(after)
        or _AFTER_KOREAN.match(after)
        or _LIST_AFTER_KOREAN.match(following)
        or _NONE_AFTER.match(following)
        or _ZERO_AFTER.match(following)
        or _NOT_DONE.search(before + text[start:end] + after)
        or _in_list(_LIST_ABSENT, near, following)
    )


def excludes(clause: str) -> bool:
    """Whether a clause as a whole takes what it tells of out of question.

    "No alert fired" does not, nor "the node did not answer": that may be the very finding.
    """
    if _DOUBTED.search(clause):
        return False
    return bool(_EXCLUDING_CLAUSE.search(clause) or _NOT_DONE.search(clause))


def lacks(text: str) -> bool:
    """Whether a text holds a word that says no, or that something failed, ended or is gone."""
    return _LACK.search(text) is not None


def _in_list(form: re.Pattern[str], before: str, after: str) -> bool:
    """Whether a place is a later item of a list that is excluded or absent.

    After "ruled out OOM," the list must go on to its "and"; and where a verb follows, the place
    begins a clause of its own: "ruled out OOM and NCCL timeouts came back".
    """
    found = form.search(before)
    if found is None or _ACTS.match(after):
        return False
    closed = found.groupdict().get("last", "or")
    return closed is not None or _LIST_GOES_ON.match(after) is not None


def _clause(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after a place, up to the ends of its clause."""
    reach = text[max(0, start - _REACH) : start]
    cuts = [m.end() for m in _CLAUSE_END.finditer(reach)]
    following = text[end : end + _REACH]
    stop = _CLAUSE_END.search(following)
    return reach[cuts[-1] if cuts else 0 :], following[: stop.start()] if stop else following
