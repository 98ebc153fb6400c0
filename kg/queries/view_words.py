"""The fixed words of the views of results, in English and Korean."""

from __future__ import annotations

_WORDS: dict[str, tuple[str, str]] = {
    "understood": ("Understood", "알아들은 말"),
    "not": ("not {}", "{} 아님"),
    "weaker": ("Nearest below the line", "기준선 아래에서 가장 가까운 사례"),
    "relevant": ("relevant with", "관련 확률"),
    "score": ("score", "점수"),
    "same cause": ("same cause", "원인 동일 여부"),
    "yes": ("yes", "예"),
    "no": ("no", "아니요"),
    "unknown": ("unknown", "알 수 없음"),
    "shared": ("shared", "공통"),
    "repeated": ("tells the same", "같은 내용"),
    "case": ("case", "사례"),
    "cases": ("cases", "사례"),
    "title": ("title", "제목"),
    "kind": ("kind", "종류"),
    "date": ("date", "날짜"),
    "organization": ("organisation", "조직"),
    "cause": ("cause", "원인"),
    "trigger": ("trigger", "촉발"),
    "factor": ("contributing factor", "기여 요인"),
    "component": ("component", "구성 요소"),
    "symptom": ("symptom", "증상"),
    "mitigation": ("mitigation", "조치"),
    "follow_up": ("follow-up", "후속 조치"),
    "tool": ("detection tool", "감지 도구"),
    "incident": ("incident", "사고"),
    "series": ("series", "연속 사고"),
    "study": ("study", "연구"),
    "published": ("published", "발표"),
    "started": ("started", "시작"),
    "detected": ("detected", "감지"),
    "mitigated": ("mitigated", "조치"),
    "ended": ("ended", "끝"),
    "confirmed": ("confirmed", "확정"),
    "suspected": ("suspected", "의심"),
    "ruled_out": ("ruled out", "배제"),
    "domain": ("domain", "분야"),
    "severity": ("severity", "심각도"),
    "year": ("year", "연도"),
    "quarter": ("quarter", "분기"),
    "month": ("month", "달"),
    "term": ("term", "분류 값"),
    "n of": ("n of", "n / 전체"),
    "share": ("share (95 % interval)", "비율 (95 % 구간)"),
    "lift": ("lift", "향상도"),
    "expected": ("expected by chance", "우연한 기대 건수"),
    "q": ("q", "q"),
    "pattern": ("come together", "함께 나타난 것"),
    "beyond": ("Beyond chance", "우연을 넘음"),
    "perhaps chance": ("These may well be chance", "우연일 수 있는 것"),
    "nothing beyond": ("No pattern is beyond chance.", "우연을 넘는 패턴이 없습니다."),
    "nothing shared": (
        "These cases share no confirmed term of this kind.",
        "이 사례들에는 공통으로 확정된 값이 없습니다.",
    ),
    "nothing recurs": ("No cause is shown to recur.", "되풀이가 확인된 원인이 없습니다."),
    "nothing trends": (
        "No term rises or falls beyond chance.",
        "우연을 넘어 늘거나 줄어드는 값이 없습니다.",
    ),
    "time": ("no. with a cause in common", "공통 원인이 있는 순번"),
    "earlier": ("earlier", "앞 사례"),
    "later": ("later", "뒤 사례"),
    "days": ("days between", "사이의 날수"),
    "follow-ups": ("follow-ups stated after the earlier one", "앞 사례에 적힌 후속 조치"),
    "not_stated": ("not stated", "적혀 있지 않음"),
    "none": ("none, as it says", "없다고 적혀 있음"),
    "in words": ("in words only", "글로만 적혀 있음"),
    "unsure": (
        "Again, but the dates do not prove the order",
        "다시 일어났지만 날짜만으로는 순서가 증명되지 않음",
    ),
    "group": ("group", "묶음"),
    "incidents": ("incidents", "사고 건수"),
    "stated": ("state the time (n)", "시간을 적은 것 (n)"),
    "median": ("median to recover", "복구까지 중앙값"),
    "middle": ("middle half", "가운데 절반"),
    "interval": ("95 % interval of the median", "중앙값의 95 % 구간"),
    "too few": ("too few", "너무 적음"),
    "direction": ("trend", "추세"),
    "rising": ("rising", "늘어남"),
    "falling": ("falling", "줄어듦"),
    "unclear": ("unclear", "불분명"),
    "few": ("too few incidents", "사고가 너무 적음"),
    "periods": ("n of incidents by period", "기간별 사고 중 건수"),
    "what happens": ("what happens to it", "어떻게 되나"),
    "gone": ("nothing is left", "남는 것이 없음"),
    "remaining": ("others are left", "다른 것이 남음"),
    "weakened": ("only weakened", "약해지기만 함"),
    "spared": ("it had failed there", "거기서는 실패했음"),
    "together": ("Comes with", "함께 나오는 것"),
    "narrower": ("Narrower", "하위"),
    "broader": ("Broader", "상위"),
    "total": ("{} cases match", "맞는 사례 {}건"),
    "undated": ("undated", "날짜 없음"),
}
_UNITS = ((86400, "d", "일"), (3600, "h", "시간"), (60, "min", "분"), (1, "s", "초"))


def say(key: str, lang: str, *values: object) -> str:
    """A fixed word in a language, with values put in; a key that there is not stands as it is."""
    return _WORDS.get(key, (key, key))[lang == "ko"].format(*values)


def time_text(seconds: float | None, lang: str) -> str | None:
    """Seconds in the unit that suits them, with three digits; None stays None."""
    if seconds is None:
        return None
    size, en, ko = next(u for u in _UNITS if seconds >= 2 * u[0] or u[0] == 1)
    return f"{seconds / size:.3g}{ko}" if lang == "ko" else f"{seconds / size:.3g} {en}"


def chance_text(p: float) -> str:
    """A probability with two digits that tell something, or one where it is tiny."""
    return f"{p:.2g}" if p >= 0.01 else f"{p:.1g}"
