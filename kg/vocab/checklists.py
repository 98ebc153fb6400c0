"""What a text only says that it is looked for: "health checks: ECC errors, link down".

A list of what is checked tells of no incident, though it names many symptoms. Where the same
sentence says that a check failed or found something, its names count.
"""

from __future__ import annotations

import re

_REACH = 200
_CHECK = (
    r"(?:(?:health|node|pre-?flight|start-?up|sanity|burn-?in)[\s-]+(?:check|test|probe)\w*"
    r"|\bcheck(?:s|list)\b|헬스\s*체크|상태\s*점검|사전\s*점검|점검\s*(?:항목|목록)|체크리스트|확인\s*항목)"
)
# Where one of these stands, the sentence tells what came of a check, or of something else.
_TOLD = (
    r"(?:fail|found|report|show|caught|detect|reveal|raise|miss|kill|\b(?:was|were|is|are|has|had|did"
    r"|not|because|when|while|but|after|before|then|kept|could)\b"
    r"|실패|발견|나왔|걸렸|나타났|놓)"
)
_BEFORE = re.compile(
    rf"{_CHECK}(?:(?!{_TOLD})[^.!?\n]){{0,60}}?"
    rf"(?:[:：(]|\b(?:for|cover\w*|includ\w*)\b|에는)(?:(?!{_TOLD})[^.!?\n)])*$"
    rf"|\b(?:checks?|tests?|monitors?|watch(?:es)?|looks?)\s+(?:\w+\s+){{0,2}}?for\s"
    rf"(?:(?!{_TOLD})[^.!?;\n:])*$",
    re.IGNORECASE,
)
_RESULT = re.compile(rf"[^.!?\n]*{_TOLD}", re.IGNORECASE)
_AFTER = re.compile(
    r"^(?:[^.!?\n]*?[을를])?\s*(?:주기적으로|매번|미리|모두|먼저)?\s*"
    r"(?:점검|검사|확인|감시)(?:한다|합니다)\s*(?:[.。!]|$)"
)


def only_checked(text: str, start: int, end: int) -> bool:
    """Whether the words at text[start:end] stand in a list of what is looked for."""
    line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    before = text[max(line_start, start - _REACH) : start]
    after = text[end : line_end if line_end >= 0 else len(text)][:_REACH]
    if _RESULT.match(after):
        return False
    return bool(_BEFORE.search(before) or _AFTER.match(after))
