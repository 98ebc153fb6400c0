"""Short values as reports state them: nothing, not stated, placeholders, durations, names, ids."""

from __future__ import annotations

import re

from kg.model import Duration, parse_duration
from kg.readers.times_in_prose import find_times

_NONE = {
    "none", "n/a", "na", "nil", "not applicable", "nothing", "no impact", "none known",
    "none at this time", "없습니다",
    "없음", "해당 없음", "해당없음", "해당사항 없음", "해당 사항 없음", "なし", "無し",
    "該当なし", "无", "無", "不适用",
}  # fmt: skip
_UNSAID = {
    "", "-", "–", "—", "--", "?", "??", "???", "…", "...", "unknown", "not known", "not stated",
    "pending", "미상", "모름", "알 수 없음", "미정", "확인 중", "不明", "未知", "未定",
}  # fmt: skip
_PLACEHOLDER = re.compile(
    r"x{3,}|y{3,}|z{3,}|tbd|tba|todo|wip|fixme|\.{3,}|_{3,}|lorem ipsum.*|<[^<>]+>"
    r"|\[[^\[\]]+\]|\{.+\}"
    r"|(?:19|20)(?:xx|yy|\d\d)[-/]mm[-/]dd.*|yyyy.*|(?:hh|xx):(?:mm|xx).*|mm/dd/.*|dd/mm/.*"
    r"|(?:please )?(?:describe|explain|fill in|insert|enter) (?:the|a|an|your|what|how|why"
    r"|here|any)\b.*"
    r"|short event description|(?:your |first )?name here|placeholder.*|q \(who\): a \(who\):"
    r"|작성 필요|작성하세요.*|여기에 .*|내용을? (?:입력|작성).*|(?:someone"
    r"|somebody) .*\(use initials\)",
    re.I | re.S,
)
_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "한": 1, "두": 2, "세": 3, "네": 4,
}  # fmt: skip
_IN_WORDS = re.compile(
    r"(?<!\w)(" + "|".join(_WORDS) + r")(?=\s+(?:seconds?|minutes?|hours?|days?|weeks?|시간))", re.I
)
_RANGE = re.compile(r"\d\s*[a-z]{0,7}\s*(?:-|–|~|to|or|에서)\s*\d", re.I)
_TEAM = re.compile(
    r"\b(?:team|sre|ops|eng|engineering|group|infra\w*|platform|support|security|squad|on-?call|all|everyone|n/?a"
    r"|none|dev\w*|qa|backend|frontend|network\w*|storage|database|data|product|management|tbd|unknown)\b"
    r"|팀$|파트$|본부$|그룹$|부서$|チーム$", re.I
)  # fmt: skip
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NAME = re.compile(
    r"@?[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]*){1,3}|@[\w.-]{2,}|[가-힣]{2,4}|[가-힣]{2,4} ?님"
    r"|[一-龥]{2,4}"
)
_SEPARATORS = re.compile(r"\s*(?:[,;/&\n、，·]|\band\b)\s*")


def stated_none(text: str) -> bool:
    """Whether a value says that there is nothing ("none", "N/A", "없음")."""
    return text.strip(" .!*_·").lower() in _NONE


def unsaid(text: str) -> bool:
    """Whether a value says nothing: empty, a dash, "unknown"."""
    return text.strip(" .:*_·").lower() in _UNSAID or not any(map(str.isalnum, text))


def placeholder(text: str) -> bool:
    """Whether a value is what a template leaves to be filled in, or empty."""
    bare = text.strip(" *_`\n")
    return unsaid(bare) or _PLACEHOLDER.fullmatch(bare) is not None


def stated_duration(text: str) -> tuple[Duration | None, str]:
    """The duration that a value states, and why it was not read ("" when it was, or says nothing).

    A range or several durations are not read: no one of them is what the source states.
    """
    said = text.strip()
    if placeholder(said) or stated_none(said):
        return None, ""
    bare = re.sub(r"\([^()]*\)", " ", said).strip() or said
    bare = re.sub(r"(?<=\d),(?=\d{1,2}(?!\d))", ".", bare)
    bare = _IN_WORDS.sub(lambda m: str(_WORDS[m[1].lower()]), bare)
    if _RANGE.search(bare) or "\n" in bare:
        return None, f"{said}: more than one length of time"
    if find_times(bare):
        return None, f"{said}: a time of day, not a length of time"
    try:
        found = parse_duration(bare)
    except ValueError:  # so many digits that it is no number of seconds
        found = None
    if found is None:
        return None, f"{said}: no length of time that can be read"
    return Duration(seconds=found.seconds, text=said, approx=found.approx), ""


def people_in(text: str, *, loose: bool = True) -> list[str]:
    """The names of people in the value of a field for people; teams and initials are none.

    Args:
        text: the value.
        loose: whether a single word counts, as it does in a field for authors.
    """
    found = _EMAIL.findall(text)
    rest = re.sub(r"<[^<>]*>|\([^()]*\)|\[[^\[\]]*\]", " ", _EMAIL.sub(" ", text))
    for part in _SEPARATORS.split(rest):
        name = " ".join(re.sub(r"^[^:：]{2,30}[:：]\s*", "", part).strip(" .*_-:").split())
        known = _NAME.fullmatch(name) or (loose and re.fullmatch(r"[A-Za-z][\w.'’-]{2,30}", name))
        if known and not _TEAM.search(name) and not placeholder(name):
            found.append(name.removesuffix("님").strip())
    return list(dict.fromkeys(found))


def names_in(text: str) -> list[str]:
    """The names in the value of a field for services or regions; [] when it is a sentence."""
    pieces = re.split(r"\s*[,;\n、，](?![^()]*\))\s*|\s+and\s+(?![^()]*\))", text)
    parts = [p.strip(" .*_`") for p in pieces]
    kept = [p for p in parts if p and not placeholder(p) and not stated_none(p)]
    if any(len(p) > 60 or len(p.split()) > 6 for p in kept):
        return []
    return list(dict.fromkeys(kept))


def id_in(text: str) -> str:
    """The id that a value is, "" when it is none."""
    bare = text.strip().lstrip("#").strip()
    return bare if re.fullmatch(r"(?=.*\d)[\w.:/-]{1,80}", bare) else ""


_TITLE_IDS = re.compile(
    r"\b(PM\d{4}-\d+|INC(?:IDENT)?[-_ ]?\d+|IR[-_]\d+|SEV[-_]\d{2,}|[A-Z]{2,6}-INC-\d+)\b"
    r"|\(?\bincident #\s?(\w*\d\w*)\)?", re.I
)  # fmt: skip


def id_in_title(text: str) -> str:
    """The id of the incident in a title or file name, such as `PM2021-011` or `(incident #465)`."""
    found = _TITLE_IDS.search(text)
    return (found[1] or found[2] or "") if found else ""
