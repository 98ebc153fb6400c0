"""Which field of a case a heading, a label or the name of a custom field speaks of."""

from __future__ import annotations

import re

from kg.readers.jsonvalues import words

_NAMES: dict[str, str] = {
    "summary": "summary|overview|executive summary|incident summary|what happened|background|"
    "description|timeline|incident report|preliminary incident report|요약|개요|장애 개요|배경|"
    "설명|경과|타임라인|사건 개요",
    "impact": "impact|impacts|customer impact|user impact|business impact|service impact|"
    "detailed description of impact|impact summary|customer impact summary|"
    "영향|영향 범위|고객 영향|장애 영향|서비스 영향|피해",
    "affected_users": "affected users|users affected|customers affected|affected customers|"
    "who was affected|customers impacted|영향받은 사용자|영향 받은 고객|영향 고객",
    "symptom": "symptom|symptoms|diagnosis|customer symptoms|observed behavior|"
    "observed behaviour|what was seen|증상|현상|장애 현상|장애 증상",
    "trigger": "trigger|triggers|triggering event|촉발|계기|발단|촉발 요인",
    "cause": "cause|causes|root cause|root causes|root cause analysis|rca|the cause|"
    "why it happened|cause notes|원인|근본 원인|발생 원인|장애 원인|원인 분석",
    "detection": "detection|how it was detected|how was it detected|how did we detect|"
    "detection method|감지|탐지|인지|감지 경로|인지 경로",
    "mitigation": "mitigation|mitigations|resolution|remediation|workaround|fix|recovery|"
    "fix notes|resolution notes|close notes|how it was resolved|mitigation and resolution|"
    "조치|조치 내용|완화|해결|복구|해결 방법|조치 사항|대응",
    "follow_up": "action items|actions|follow up|follow ups|follow up actions|next steps|"
    "corrective actions|corrective action|preventive actions|prevention|remediation and prevention|"
    "preventative measures|후속 조치|재발 방지|재발 방지 대책|재발방지 대책|재발방지|향후 계획",
    "lesson": "lesson|lessons|lessons learned|learnings|takeaways|what went well|"
    "what went wrong|what went poorly|where we got lucky|교훈|배운 점|잘된 점|아쉬운 점",
}
_FIELDS = {name: field for field, names in _NAMES.items() for name in names.split("|")}
_NOISE = re.compile(r"[^\w\s&/]|^\d+\s*[.)]?\s*")
_NONE = words(
    "none|n/a|na|not applicable|nothing|none at this time|없음|해당 없음|해당없음|없습니다", "|"
)


def field_of(heading: str) -> str:
    """The field of a heading, "" when it speaks of none that cases have."""
    plain = " ".join(_NOISE.sub(" ", heading.strip().lower().replace("-", " ")).split())
    return _FIELDS.get(plain, "")


def says_none(text: str) -> bool:
    """Whether a section says that there is nothing to say ("N/A", "없음")."""
    return text.strip().rstrip(".").lower() in _NONE
