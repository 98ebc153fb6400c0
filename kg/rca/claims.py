"""What a sentence of an answer claims: certain or not, of which incident, or nothing at all.

Plain forms in English and Korean. In doubt a sentence is a claim, and a claim is certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

UNKNOWN, QUESTION, ASIDE = "unknown", "question", "aside"
"""The rules by which a sentence without a citation may stand, see `without_claim`."""

_ASIDE_WORDS = 10

_SILENT_KO = (
    r"(?:나와|적혀|나타나|언급되어|언급돼|쓰여|실려|기록되어|기록돼)\s*있지\s*않|나오지\s*않"
    r"|언급되지\s*않"
)
_UNKNOWN = re.compile(
    r"\bthe\s+evidence\s+(?:does\s+not|doesn['’]t)\s+(?:say|state|tell|show|cover)\b"
    r"|\b(?:is|are|was|were|remains?|stays?)\s+(?:not\s+known|unknown|unclear|not\s+stated)\b"
    r"|\b(?:do\s+not|don['’]t|cannot|can['’]t)\s+(?:know|tell|say)\b"
    r"|^\s*(?:unknown|not\s+known|not\s+stated|no\s+evidence)\b"
    r"|\b(?:cannot|can['’]t)\s+be\s+(?:determined|told|said|known)\b"
    r"|\bno\s+(?:evidence|case)\s+(?:says|states|tells|shows)\b"
    r"|\b(?:the\s+)?evidence\s+(?:holds|gives|contains|has|names|offers)\s+(?:no|nothing|neither)\b"
    r"|\bnot\s+(?:recorded|given|mentioned|told|found)\s+in\s+the\s+evidence\b"
    rf"|근거(?:에는|에서는|에|가|는)?\s(?:[^.!?]{{0,60}}\s)?(?:{_SILENT_KO})"
    r"|근거(?:가|에는|에)?\s*없|알\s*수\s*없|적혀\s*있지\s*않|알려지지\s*않"
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
_LEADING = re.compile(
    r"^(?:so\s+|but\s+|and\s+)?(?:is|are|was|were|do|does|did|have|has|had|could|would|should|wo|ca)"
    r"n['’]t\b|^(?:is|are|was|were|does|did)\s+\w+\s+not\b|,\s*(?:right|no|isn['’]t\s+it)\s*\?$"
    r"|아닌가|아닐까|아닙니까|아니겠|아니야|지\s*않(?:나|을까|습니까|은가)|맞죠|맞지요|그렇죠",
    re.IGNORECASE,
)
"""Questions that say what they ask."""
_OPEN = re.compile(
    r"^(?:what|which|why|how|who|when|where)\b|무엇|뭐|어떤|왜|어느|어떻게|누가|언제|어디",
    re.IGNORECASE,
)
_CAUSAL = re.compile(
    r"\b(?:root\s+)?causes?\s+(?:\w+\s+){0,6}?(?:is|was|are|were|of)\b|\bcaused\s+(?:by|the|this|your)\b"
    r"|\b(?:is|was|are|were)\s+(?:the|a|an|its|your|our)\s+(?:\w+\s+)?(?:cause|reason)\b"
    r"|\b(?:due\s+to|because|triggered\s+by|result(?:s|ed|ing)?\s+(?:from|of)|culprit|to\s+blame"
    r"|(?:stem|aris|com|originat|deriv)(?:s|es|med|e|ed|ing)?\s+(?:directly\s+)?from|came\s+from"
    r"|arose\s+from|owing\s+to|thanks\s+to|responsible\s+for|lead(?:s|ing)?\s+to|led\s+to"
    r"|brought\s+(?:about|on)|traced\s+(?:back\s+)?to|down\s+to|explained\s+by|lies\s+behind"
    r"|(?:is|was|are|were)\s+behind|made\s+\w+(?:\s+\w+){0,4}\s+(?:hang|fail|stop|crash|stall|drop))\b"
    r"|\bcauses?\s+(?:this|your|our|the)\b|\bcaused?\s+(?:it|that)\b"
    r"|\b(?:hang|hung|froze|freez|fail|stop|stall|crash|died|dropp?)\w*\s+(?:since|as)\s+(?:the|a|an|your)\b"
    r"|(?:로|으로)\s*인(?:해|한|하여)|에\s*의해|말미암|바람에|덕분|[가-힣](?:서|으로|로)\s*(?:\S+\s+){0,2}"
    r"(?:생겼|생긴|생깁|발생|일어났|일어난|빚어|터졌|멈췄|멈춘|죽었|실패했|벌어)"
    r"|(?:근본\s*)?원인(?:은|이|입니다|이다|으로)|때문(?:이|입|에)|탓(?:이|입|에)|비롯(?:됐|되|한)",
    re.IGNORECASE,
)
_ACTED_ON = re.compile(
    r"\b(?:broke|breaks|breaking|killed|kills|stopped|stops|stalled|stalls|hung|hangs|froze|freezes"
    r"|crashed|crashes|took\s+down|brought\s+down|blocked|blocks|deadlocked|starved|slowed|corrupted"
    r"|ruined|produced|produces|explains?|explained|drove|drives|is\s+what|was\s+what)\s+"
    r"(?:your|our|this|the\s+(?:present|current|reported))\b",
    re.IGNORECASE,
)
"""Something that acts on the incident itself."""
_OURS = re.compile(r"\b(?:your|yours|our|ours)\b|귀사|여러분|당신|우리", re.IGNORECASE)
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
    r"\b(?:fixe[sd]|fix|resolve[sd]?|solve[sd]?|cure[sd]?|worked|works|help(?:ed|s)?|restore[sd]?"
    r"|recover(?:ed|s)?|brought\s+(?:\S+\s+){1,6}?back|back\s+(?:on\s+track|to\s+normal|up|online)"
    r"|stable|stabili[sz]e[sd]?|got\s+(?:\S+\s+){1,5}?(?:going|running|working)|went\s+away|go\s+away"
    r"|disappear(?:ed|s)?|vanish(?:ed|es)?|cleared|cures|healed|normal\s+again|succeeded|successful"
    r"|successfully|did\s+the\s+trick|effective|resumed|ended\s+the|stopped\s+the|put\s+an\s+end"
    r"|(?:work|run|respond|serv|start|answer)(?:s|ed|ing|e[sd]?)?\s+again|(?:was|is|were|are|up|fine)\s+again"
    r"|(?:came|was|were|is|are|got|went|comes)\s+back|end(?:ed|s)|(?:was|is)\s+over|no\s+more\s+(?:errors|failures)"
    r"|healthy|the\s+end\s+of|did\s+it|turned\s+(?:it|things)\s+(?:a)?round|paid\s+off|saved"
    r"|converged|improved|let\s+(?:\S+\s+){1,4}?(?:go\s+on|continue|proceed|finish)|prevented)\b"
    r"|해결|고쳤|고쳐졌|효과가\s*있|나았|나아졌|복구(?:됐|되었|했)|멈췄|멈추었|사라졌|없어졌|안정|정상|되살|살아났"
    r"|풀렸|잡혔|잡았|개선|회복|성공|막았|막을\s*수\s*있었|그쳤|다시\s*(?:돌|움직|작동|살|떴|열|나아갔|됐|되었)|돌아왔"
    r"|돌아갔|되찾|재개|끝났|끝냈|가라앉|통했|먹혔|효험|괜찮아졌|멀쩡",
    re.IGNORECASE,
)
_NOT_WORKED = re.compile(
    r"\b(?:not|n['’]t|never|no|without|neither|only|until|failed\s+to|did\s+nothing|unsuccessful\w*)\b"
    r"|않|못|없|실패",
    re.IGNORECASE,
)
_FULLY = re.compile(
    r"\b(?:for\s+good|completely|fully|entirely|permanently|once\s+and\s+for\s+all|altogether"
    r"|fixed|resolved|solved|cured|eliminated|ended|for\s+(?:everyone|everybody|all)|(?:was|were|is)\s+over"
    r"|no\s+more|every(?:one|body|thing)|back\s+to\s+normal|the\s+end\s+of|(?:vanished|disappeared))\b"
    r"|완전히|영구|말끔|모두\s*(?:해결|사라|끝|나았)|전부|해결(?:했|됐|되었|하였)|고쳤|끝났|끝냈|사라졌|없어졌",
    re.IGNORECASE,
)
_IN_PART = re.compile(
    r"\b(?:part(?:ly|ial|ially)?|somewhat|some|further|longer|only|delayed|until|reduced|not)\b"
    r"|일부|부분|어느\s*정도|조금|더\s|만\s|않|못",
    re.IGNORECASE,
)
_NO_HELP = re.compile(
    r"\b(?:did\s+not|didn['’]t|does\s+not|doesn['’]t|never)\s+(?:help|work|fix|solve|resolve|cure)"
    r"|\b(?:no\s+(?:effect|help|use)|useless|ineffective|failed|in\s+vain|to\s+no\s+avail)\b"
    r"|효과(?:가|는)?\s*없|소용(?:이)?\s*없|도움(?:이)?\s*되지|해결하지\s*못|해결되지\s*않|실패",
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
    if bare.endswith(("?", "？")) and not _TURN.search(bare) and _asks(bare):
        return QUESTION
    led = bare.endswith((":", "：")) and len(bare.split()) <= _ASIDE_WORDS
    return ASIDE if led or (heading and len(bare.split()) <= _ASIDE_WORDS) else None


def _asks(text: str) -> bool:
    """Whether a question leaves open what it asks: "Isn't the cause …?" does not."""
    return not _LEADING.search(text) and bool(_OPEN.search(text) or not _CAUSAL.search(text))


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
    acted = _ACTED_ON.search(part) is not None and not denies(part)
    if not (acted or says_a_cause(part)) or hedged(part):
        return False
    told = part.casefold()
    elsewhere = _ELSEWHERE.search(part) or any(i.casefold() in told for i in case_ids)
    return bool(acted or _THIS.search(part) or _OURS.search(part)) or not elsewhere


def says_a_cause(text: str) -> bool:
    """Whether a sentence speaks of what caused something, without taking it out of question."""
    return _CAUSAL.search(text) is not None and not denies(text)


def says_it_worked(text: str, evidence: str = "") -> bool:
    """Whether a sentence says that something helped, in words that the evidence does not use."""
    found = [m.group().casefold() for m in _WORKED.finditer(text)]
    told = _said_plainly(evidence)
    return any(w not in told for w in found) and _NOT_WORKED.search(text) is None


def says_it_fully_worked(text: str, evidence: str = "") -> bool:
    """Whether a sentence says that something was the end of the trouble."""
    found = [m.group().casefold() for m in _FULLY.finditer(text)]
    told = _said_plainly(evidence)
    return any(w not in told for w in found) and _IN_PART.search(text) is None


def _said_plainly(evidence: str) -> str:
    """The parts of an evidence that deny nothing: "did not succeed" holds no success."""
    parts = re.split(r"[.;:!?\n]|,\s|\bbut\b|지만\s", evidence.casefold())
    return "\n".join(p for p in parts if _NOT_WORKED.search(p) is None)


def says_it_was_no_help(text: str, evidence: str = "") -> bool:
    """Whether a sentence says that something did not help, where the evidence does not say so."""
    return _NO_HELP.search(text) is not None and _NO_HELP.search(evidence) is None


def quotations(text: str) -> list[str]:
    """What stands in quotation marks and is longer than a name."""
    found = (next(g for g in m.groups() if g) for m in _QUOTED.finditer(text))
    return [q.strip(" .,") for q in found if len(q.split()) >= _QUOTE_WORDS]
