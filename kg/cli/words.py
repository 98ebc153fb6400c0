"""The fixed words of the views, in English and Korean; terms and texts have their own labels."""

from __future__ import annotations

_WORDS: dict[str, tuple[str, str]] = {
    # search and similar
    "understood": ("understood", "알아들은 말"),
    "same cause": ("same cause", "원인 동일"),
    "probability": ("relevant with", "관련 확률"),
    "shared": ("shared", "공통"),
    "words": ("words", "낱말"),
    "below": ("nearest below the line", "기준선 아래에서 가장 가까운 사례"),
    "yes": ("yes", "예"),
    "no": ("no", "아니요"),
    "unknown": ("unknown", "알 수 없음"),
    # explain
    "paths": ("paths", "경로"),
    "rarity": ("rarity", "희소성"),
    # causes
    "none shared": (
        "These cases share no confirmed root cause.",
        "이 사례들에는 공통으로 확정된 근본 원인이 없습니다.",
    ),
    "lift": ("lift", "향상도"),
    # show
    "time to detect": ("time to detect", "감지까지"),
    "time to recover": ("time to recover", "복구까지"),
    "not_stated": ("not stated", "적혀 있지 않음"),
    "none": ("none", "없음"),
    "claims": ("claims", "주장"),
    "figures": ("figures", "수치"),
    "title": ("title", "제목"),
    "summary": ("summary", "요약"),
    "impact": ("impact", "영향"),
    "affected_users": ("affected_users", "영향받은 사용자"),
    "symptom": ("symptom", "증상"),
    "trigger": ("trigger", "촉발"),
    "cause": ("cause", "원인"),
    "detection": ("detection", "감지"),
    "mitigation": ("mitigation", "조치"),
    "follow_up": ("follow_up", "후속 조치"),
    "lesson": ("lesson", "교훈"),
    "check": ("check", "점검"),
    "factor": ("factor", "기여 요인"),
    "component": ("component", "구성 요소"),
    "organization": ("organization", "조직"),
    "tool": ("tool", "감지 도구"),
    "published": ("published", "발표"),
    "started": ("started", "시작"),
    "detected": ("detected", "감지"),
    "mitigated": ("mitigated", "조치"),
    "ended": ("ended", "끝"),
    "incident": ("incident", "사고"),
    "series": ("series", "연속 사고"),
    "study": ("study", "연구"),
    "paper": ("paper", "논문"),
    "postmortem": ("postmortem", "사후 보고"),
    "blog": ("blog", "블로그"),
    "log": ("log", "로그"),
    "library": ("library", "라이브러리"),
    "talk": ("talk", "강연"),
    "ticket": ("ticket", "티켓"),
    "document": ("document", "문서"),
    "confirmed": ("confirmed", "확정"),
    "suspected": ("suspected", "의심"),
    "ruled_out": ("ruled_out", "배제"),
    "primary": ("primary", "근본 원인"),
    "secondary": ("secondary", "부차적 원인"),
    "failed": ("failed", "고장"),
    "affected": ("affected", "영향받음"),
    "involved": ("involved", "관련됨"),
    "watched": ("watched", "관찰 대상"),
    "changed": ("changed", "변경됨"),
    "condition": ("condition", "조건"),
    "subject": ("subject", "연구 대상"),
    "diagnosed": ("diagnosed", "진단"),
    "missed": ("missed", "놓침"),
    "check_item": ("check_item", "점검 항목"),
    "owner": ("owner", "소유"),
    "vendor": ("vendor", "공급 업체"),
    "researcher": ("researcher", "연구자"),
    "exposure_check": ("exposure_check", "노출 점검"),
    "agent_host": ("agent_host", "에이전트 호스트"),
    "platform": ("platform", "플랫폼"),
    # list
    "undated": ("undated", "날짜 없음"),
    "components": ("most frequent components", "가장 잦은 구성 요소"),
    # topic
    "broader": ("broader", "상위"),
    "narrower": ("narrower", "하위"),
    "serves": ("serves a check of", "점검에 쓰인 사례"),
}

_PHRASES: dict[str, tuple[str, str]] = {
    "not": ("not {0}", "{0} 아님"),
    "steps": ("{0} and {1} steps up", "위로 {0}단계, {1}단계"),
    "of cases": ("{0} of {1} cases", "사례 {1}건 중 {0}건"),
    "of case": ("{0} of {1} case", "사례 {1}건 중 {0}건"),
    "library": ("library {0} of {1}", "라이브러리 {1}건 중 {0}건"),
    "suspected in": ("only suspected in {0}", "{0}에서는 의심에 그침"),
    "seconds": ("{0} s", "{0}초"),
    "about": ("about {0}", "약 {0}"),
    "cases": ("{0} cases", "사례 {0}건"),
    "case": ("{0} case", "사례 {0}건"),
    "with": ("{0} with {1}", "{0} ({1})"),
    "together": ("with {0}", "함께 나온 {0}"),
    # changes of the vocabulary
    "rename": ("renamed {0} to {1}", "이름 변경: {0} → {1}"),
    "merge": ("merged {0} into {1}", "병합: {0} → {1}"),
    "split": ("split {0}, which stays, into {1}", "분할: {0} → {1} (원래 값은 남음)"),
    "undone": ("undone: {0} → {1}", "되돌림: {0} → {1}"),
    "by name": ("{0}: {1}, listed by: {2}", "{0}: {1}, 목록: {2}"),
    "dry run": ("would be done, nothing is written: {0}", "시험 실행, 쓰지 않음: {0}"),
    "claims re-tagged": (
        "claims re-tagged: {0}, cases: {1}",
        "재분류한 주장 {0}건, 사례 {1}건",
    ),
    "addresses": ("what it addresses", "대응한 원인"),
    "undecided": (
        "not decided, so still {0}: {1}",
        "정하지 않아 {0}에 그대로 둔 주장: {1}",
    ),
    "stayed": ("decided to stay {0}: {1}", "{0}에 두기로 정한 주장: {1}"),
    "both said": (
        "{0} now both states and rules it out: {1} / {2}",
        "{0}: 같은 값을 두고 서로 어긋남, 주장 {1} / 배제 {2}",
    ),
    "more": ("and {0} more", "외 {0}건"),
    "no history": (
        "No term was renamed, merged or split.",
        "이름을 바꾸거나 합치거나 나눈 분류 값이 없습니다.",
    ),
    "old ids": ("old ids", "옛 식별자"),
    # merges of cases
    "no merges": (
        "No two cases seem to tell of one event.",
        "같은 사건으로 보이는 사례가 없습니다.",
    ),
    "merges": (
        "{0} pairs may tell of one event, {1} shown; kg merge KEEP OTHER, or kg merges --reject",
        "같은 사건일 수 있는 쌍 {0}개, {1}개 표시; kg merge KEEP OTHER 또는 kg merges --reject",
    ),
    "cases merged": ("merged {0} into {1}", "사례 병합: {0} → {1}"),
    "merge undone": ("{0} is a case of its own again, beside {1}", "병합을 되돌림: {0}, {1}"),
    "said otherwise": ("not alike, {0}: {1} / {2}", "서로 다름, {0}: {1} / {2}"),
    "untranslated": (
        "paragraphs in one language only, […] in the other: {0}",
        "한 언어로만 있는 문단, 다른 언어에는 […]: {0}",
    ),
    "told apart": (
        "{0} and {1} are two events and are not proposed again",
        "{0}, {1}: 다른 사건으로 정함, 다시 제안하지 않음",
    ),
    # names that no term has
    "no unknown names": (
        "Every service and label names a term.",
        "모든 서비스와 레이블이 분류 값의 이름입니다.",
    ),
    "unknown names": (
        "{0} names have no term, {1} shown; kg vocab accept NAME TERM",
        "분류 값이 없는 이름 {0}개, {1}개 표시; kg vocab accept 이름 분류값",
    ),
    "name accepted": ("{0} is a spelling of {1} now", "별칭 추가: {0} → {1}"),
    "name added": ("{0} has a new term, {1}", "새 분류 값: {0} → {1}"),
    "claims to review": (
        "cases with a new claim to review: {0} {1}",
        "검토할 주장이 생긴 사례 {0}건 {1}",
    ),
    "allowed": ("{0} and {1} may be proposed again", "{0}, {1}: 다시 제안할 수 있음"),
}
"""The same with places for values."""


def word(key: str, lang: str) -> str:
    """A fixed word in a language; English where the language is not known.

    A word that the table lacks is shown as it is.
    """
    return _WORDS.get(key, (key, key))[lang == "ko"]


def phrase(key: str, lang: str, *values: object) -> str:
    """A phrase in a language, with values put in."""
    return _PHRASES[key][lang == "ko"].format(*values)


def count_of_cases(number: int, lang: str) -> str:
    """A number of cases: `1 case`, `2 cases`, `사례 2건`."""
    return phrase("case" if number == 1 else "cases", lang, number)
