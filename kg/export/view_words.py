"""The fixed words of explanation pages, in English and Korean."""

from __future__ import annotations

_WORDS: dict[str, tuple[str, str]] = {
    "same cause": ("same cause", "원인 동일 여부"),
    "yes": ("yes", "예"),
    "no": ("no", "아니요"),
    "unknown": ("unknown", "알 수 없음"),
    "text": ("Text", "글"),
    "the text": ("the text", "글"),
    "both": ("both", "두 사례"),
    "caveat": ("caveat", "단서"),
    "incident": ("incident", "사고"),
    "series": ("series", "연속 사고"),
    "study": ("study", "연구"),
    "in common": ("In common", "공통점"),
    "contrasts": ("One side against the other", "서로 다르게 말하는 것"),
    "excluded": ("Ruled out by both", "양쪽 모두 배제한 것"),
    "measures": ("Times and figures of both", "양쪽 모두 적은 시간과 수치"),
    "time_to_detect": ("time to detect", "감지까지"),
    "time_to_recover": ("time to recover", "복구까지"),
    "paths": ("Paths", "경로"),
    "rests on": ("what it rests on", "근거"),
    "generic": ("common in this library, says little", "이 라이브러리에 흔해 뜻이 적음"),
    "vocabulary": ("from the vocabulary", "분류에 적힌 관계"),
    "derived": ("derived from these claims", "아래 주장에서 끌어냄"),
    "counterpart": ("two names of one circumstance", "같은 정황의 두 이름"),
    "status": ("status", "확정 여부"),
    "value": ("value", "값"),
    "result": ("result", "결과"),
    "role": ("role", "역할"),
    "confirmed": ("confirmed", "확정"),
    "suspected": ("suspected", "의심"),
    "ruled_out": ("ruled out", "배제"),
    "worked": ("worked", "효과 있음"),
    "partly": ("worked only partly", "일부 효과"),
    "failed": ("failed", "실패·고장"),
    "primary": ("root cause", "근본 원인"),
    "secondary": ("further cause", "부차적 원인"),
    "affected": ("affected", "영향받음"),
    "involved": ("involved", "관련됨"),
    "watched": ("watched", "관찰 대상"),
    "changed": ("changed", "변경됨"),
    "condition": ("condition", "조건"),
    "subject": ("subject", "연구 대상"),
    "detected": ("detected", "감지"),
    "diagnosed": ("diagnosed", "진단"),
    "missed": ("missed", "놓침"),
    "check_item": ("item of a checklist", "점검 항목"),
}
_PHRASES: dict[str, tuple[str, str]] = {
    "cases": ("in {0} cases of the library", "라이브러리의 사례 {0}건"),
    "steps": ("{0} and {1} steps up", "위로 {0}단계, {1}단계"),
    "only": ("Only {0} ({1})", "{0}에만 있는 것({1})"),
    "denied": ("Ruled out by {0}; {1} says nothing of it", "{0}에서 배제, {1}에는 말이 없는 것"),
    "leads": (
        "stated by {0}: {1} and {2}; that the first led to the second is derived, not stated",
        "{0}의 주장: {1}, {2}. 앞의 것이 뒤의 것으로 이어졌다는 말은 없으며 끌어낸 것임",
    ),
    "about": ("about {0}", "약 {0}"),
    "label": ("by name, confidence {0}", "이름으로 찾음, 확신도 {0}"),
    "meaning": ("in other words, confidence {0}", "다른 말로 찾음, 확신도 {0}"),
}
_RELATIONS: dict[str, tuple[str, str]] = {
    "CAUSED_BY": ("caused by", "원인"),
    "TRIGGERED_BY": ("set off by", "촉발"),
    "CONTRIBUTED_BY": ("made worse or possible by", "기여 요인"),
    "AFFECTS": ("concerns", "구성 요소"),
    "EXHIBITS": ("shows", "증상"),
    "DETECTED_WITH": ("detection with", "감지 도구"),
    "MITIGATED_BY": ("mitigated by", "조치"),
    "FOLLOWED_UP_BY": ("followed up by", "후속 조치"),
    "CITES": ("cites", "인용"),
    "RELATED_TO": ("names as related", "관련 사례"),
    "BROADER": ("is a kind of", "상위"),
    "PART_OF": ("is part of", "일부"),
    "DEPENDS_ON": ("needs", "의존"),
    "VARIANT_OF": ("is a variant of", "변형"),
    "LEADS_TO": ("led to", "이어짐"),
    "COUNTERPART": ("same circumstance", "같은 정황"),
}


def view_word(key: str, lang: str) -> str:
    """A fixed word in a language; English where the language is not known, else as it is."""
    return _WORDS.get(key, (key, key))[lang == "ko"]


def view_phrase(key: str, lang: str, *values: object) -> str:
    """A phrase in a language, with values put in."""
    return _PHRASES[key][lang == "ko"].format(*values)


def relation_word(relation: str, lang: str) -> str:
    """A relation of the graph in words."""
    return _RELATIONS.get(relation, (relation, relation))[lang == "ko"]
