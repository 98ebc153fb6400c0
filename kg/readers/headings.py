"""What the headings and labels of reports mean, in English, Korean, Japanese and Chinese."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

FIELDS = (
    "summary", "impact", "affected_users", "symptom", "trigger", "cause", "detection",
    "mitigation", "follow_up", "lesson", "check",
)  # fmt: skip
"""Roles that are text fields of a case; every other role is read by its own rule."""

ROLES: Mapping[str, str] = {
    "summary": """summary; executive summary; incident summary; issue summary; overview;
        abstract; what happened; high level summary; tl dr; tldr; description;
        incident description; background; introduction; synopsis; 요약; 개요; 사고 개요;
        장애 개요; 사건 개요; 장애 요약; 사고 요약; 배경; 설명; incident report;
        preliminary incident report; 무슨 일이 있었나; 무슨 일이 있었나요;
        概要; 障害概要; 摘要; 故障概述; 概述; 背景""",
    "impact": """impact; impacts; summary of impact; customer impact; user impact;
        end user impact; infrastructure impact; productivity impact; business impact;
        service impact; impact summary; impact assessment; scope; scope of impact; blast radius;
        detailed description of impact; customer impact summary; damage; revenue impact; effect;
        what was the impact; 영향; 영향 범위; 영향도; 고객 영향; 서비스 영향; 피해; 피해 범위;
        피해 규모; 장애 영향; 사용자 영향; 影響; 影響範囲; 影响; 影响范围; 影响面""",
    "affected_users": """affected users; affected customers; impacted users; impacted customers;
        users affected; customers affected; customers impacted; who was affected; 영향 사용자;
        영향받은 사용자; 영향 고객; 영향을 받은 고객; 영향 받은 고객; 影響ユーザー; 受影响用户""",
    "symptom": """symptom; symptoms; symptoms observed; problem; problem description;
        problem statement; observations; customer symptoms; observed behavior;
        observed behaviour; what was seen; what we saw; error messages; errors; 증상; 현상;
        장애 현상; 장애 증상; 문제; 문제 현상; 症状; 事象; 現象; 故障现象; 现象; 症状描述""",
    "trigger": """trigger; triggers; trigger event; triggering event; initiating event;
        what triggered it; 촉발; 촉발 요인; 계기; 발단; 트리거; 発端; トリガー; 触发原因; 触发;
        诱因""",
    "cause": """root cause; root causes; cause; causes; root cause analysis; root cause details;
        rca; preliminary root cause; probable cause; suspected cause; suspected root cause;
        fault; what caused the incident; what went wrong and why; why did it happen;
        why it happened; technical details; technical analysis; analysis; incident analysis;
        diagnosis; five whys; 5 whys; the cause; the root cause; what was the cause;
        contributing factors; contributing factor; contributing causes; contributing cause;
        cause notes; process breakdown; process breakdowns; root cause and trigger; investigation;
        원인; 근본 원인; 근본원인; 장애 원인; 사고 원인; 발생 원인; 원인 분석; 기여 요인; 기여요인;
        추정 원인; 原因; 根本原因; 原因分析; 故障原因; 根因; 根因分析; 寄与要因; 直接原因""",
    "detection": """detection; detections; how was it detected; how it was detected;
        how did we detect; how did we detect it; 감지 경로; how we detected it;
        incident detected by; detected by; detection method; how did we find out; discovery;
        monitoring and detection; alerting; 감지; 탐지; 인지; 감지 방법; 인지 경위; 탐지 경위;
        감지 경위; 인지 경로; 検知; 検出; 発見; 检测; 发现过程; 发现""",
    "mitigation": """mitigation; mitigations; resolution; resolutions; recovery;
        mitigation resolution; mitigation and resolution; resolution and recovery; response;
        incident response; fix; the fix; fix notes; resolution notes; close notes;
        how it was resolved; how did we respond; how was it resolved;
        how we fixed it; workaround; workarounds; actions taken; immediate actions;
        immediate action; steps taken; repair; solution; remedy; recovery actions;
        response and recovery; containment; 조치; 조치 사항; 조치 내용; 대응; 대응 내용;
        대응 과정; 복구; 복구 과정; 복구 조치; 해결; 해결 방법; 완화; 긴급 조치; 임시 조치; 対応;
        復旧; 対処; 暫定対応; 処置; 处理过程; 处理; 恢复; 恢复过程; 应对措施; 缓解; 解决方案;
        解决""",
    "follow_up": """follow up; follow ups; followup; followups; action items; action item;
        actions; action items followups; action items and followups; follow up actions;
        next steps; next step; corrective and preventative measures;
        corrective and preventive measures; corrective actions; corrective action;
        preventative measures; preventive actions;
        preventative actions; prevention; preventive measures; remediation; remediations;
        remediation items; improvements; future work; future actions; what we are doing;
        how are we making incidents like this less likely or less impactful; todo; todos; tasks;
        what are we doing to prevent this; moving forward; going forward; next actions;
        planned work; action plan; remediation and follow up steps; remediation and prevention;
        commitments; 후속 조치; 후속조치; 재발 방지; 재발방지; 재발 방지 대책; 재발방지 대책;
        재발 방지책; 개선 사항; 개선 방안; 개선 계획; 향후 계획; 향후 조치; 액션 아이템;
        액션아이템; 할 일; 再発防止; 再発防止策; 今後の対応; アクションアイテム; 恒久対応;
        改进措施; 后续措施; 后续行动; 预防措施; 行动项; 改善措施""",
    "lesson": """lessons learned; lessons learnt; lesson; lessons; lessons and risks; learnings;
        takeaways; key takeaways; what went well; what went wrong; what went poorly;
        what went badly; what didn't go well; what did not go well; what could have gone better;
        what could be improved; where we got lucky; where did we get lucky; retrospective;
        reflections; conclusion; conclusions; what we learned; what did we learn; 교훈; 배운 점;
        배운점; 잘된 점; 잘한 점; 잘 된 점; 아쉬운 점; 잘못된 점; 잘 안된 점; 운이 좋았던 점;
        회고; 시사점; 教訓; 学び; うまくいったこと; 振り返り; 经验教训; 教训; 总结; 反思""",
    "check": """how to check; how to verify; diagnostics to run; 확인 방법; 점검 방법;
        점검 항목""",
    "timeline": """timeline; incident timeline; timeline of events; event timeline; chronology;
        sequence of events; timeline of the incident; detailed timeline; events; incident log;
        타임라인; 경과; 시간대별 경과; 사건 경과; 장애 경과; 진행 경과; 시간순 경과; 조치 경과;
        발생 경과; タイムライン; 経緯; 時系列; 时间线; 时间轴; 事件经过; 故障时间线; 经过""",
    "timing": """incident timing; timing; stats; statistics; metadata; details; incident details;
        metrics; 지표; 정보""",
    "date": """date; incident date and time; 날짜; 일자; 일시; 日付; 日期; 日時""",
    "started": """start time; started; started at; start; incident start; incident start time;
        start date; impact start; impact start time; outage start; began; began at;
        date of incident; incident date; incident started; outage date; start of incident;
        event date; occurred; occurred at; occurred on; date occurred; time of occurrence;
        발생 시각; 발생 시간; 발생시각; 발생시간; 발생 일시; 발생일시; 발생일; 발생; 장애 시작;
        시작 시각; 시작 시간; 시작; 장애 발생; 장애 일시; 장애 시각; 장애 발생 시각; 장애 시간;
        사고 일시; 発生日時; 発生時刻; 开始时间; 发生时间; 故障时间; 故障开始时间""",
    "detected": """detection time; detected; detected at; time detected; discovered at;
        discovered; acknowledged at; incident detected; 감지 시각; 감지 시간; 탐지 시각;
        인지 시각; 인지 시간; 감지 일시; 인지 일시; 検知日時; 検知時刻; 发现时间; 检测时间""",
    "mitigated": """mitigation time; mitigated; mitigated at; time mitigated; 완화 시각;
        완화 일시; 緩和時刻; 缓解时间""",
    "ended": """end time; ended; ended at; end; incident end; incident end time; end date;
        resolution time; resolved; resolved at; time resolved; resolution date; recovered at;
        impact end; outage end; restored at; date resolved; closed at; recovery time;
        incident resolved; 종료 시각; 종료 시간; 종료; 종료 일시; 복구 시각; 복구시각; 복구 일시;
        복구일시; 복구 완료; 복구 완료 시각; 해소 시각; 장애 종료; 해결 시각; 해결 일시;
        復旧日時; 復旧時刻; 終了時刻; 恢复时间; 结束时间; 故障恢复时间""",
    "published": """published; published at; published on; posted on; posted; postmortem date;
        date posted; publication date; publish date; source published at; pubdate; created;
        report date; date published; review date; written on; 게시일; 작성일; 작성 일자; 공개일;
        발행일; 보고일; 작성일시; 公開日; 作成日; 发布日期; 发布时间; 撰写日期""",
    "updated": """updated; updated at; last updated; last modified; modified; lastmod; 수정일;
        갱신일; 更新日; 更新时间""",
    "duration": """duration; incident duration; outage duration; total duration; downtime;
        total downtime; impact duration; length; 지속 시간; 지속시간; 장애 지속 시간;
        장애지속시간; 중단 시간; 소요 시간; 継続時間; 持续时间; 故障时长; 影响时长""",
    "ttd": """time to detect; time to detection; ttd; time to detect ttd; detection delay;
        time until detection; 감지까지; 감지까지 걸린 시간; 탐지까지; 탐지까지 걸린 시간;
        인지까지; 인지까지 걸린 시간; 감지 소요 시간; 탐지 소요 시간; 検知までの時間; 检测耗时;
        发现耗时""",
    "ttr": """time to recover; time to recovery; time to resolve; time to resolution;
        time to restore; ttr; time to repair; time to resolve ttr; time to recovery ttr;
        time until recovery; 복구까지; 복구까지 걸린 시간; 복구 소요 시간; 해결까지;
        해결까지 걸린 시간; 復旧までの時間; 恢复耗时""",
    "severity": """severity; incident severity; sev; priority; severity level; level;
        incident level; impact level; 심각도; 등급; 장애 등급; 사고 등급; 중요도; 우선순위;
        深刻度; 重要度; 严重程度; 故障等级; 级别""",
    "services": """services; service; affected services; affected service; impacted services;
        impacted service; services affected; services impacted; service affected; component;
        components; affected components; affected systems; systems affected; affected system;
        impacted systems; system; product; products; affected products; 영향 서비스;
        영향받은 서비스; 서비스; 대상 서비스; 장애 서비스; 구성 요소; 시스템; 대상 시스템;
        영향 시스템; 対象サービス; サービス; 影響サービス; 受影响服务; 影响服务; 服务""",
    "regions": """region; regions; affected regions; affected region; locations; location; 지역;
        리전; リージョン; 区域; 地域""",
    "organization": """company; organization; organisation; vendor; provider; 회사; 조직; 기관;
        会社; 公司""",
    "people": """authors; author; written by; attendees; postmortem attendees; participants;
        owner; owners; incident commander; incident commanders; sre lead; developer lead;
        incident mgmt lead; postmortem lead; incident lead; incident manager; responders;
        on call; oncall; on call engineer; reviewers; reviewer; reported by; reporter; assignee;
        assigned to; facilitator; scribe; people involved; involved; by; postmortem owner;
        contributors; team members; communications lead; tech lead; presenter; creator; 작성자;
        담당자; 참석자; 참여자; 보고자; 대응자; 책임자; 검토자; 작성; 담당; 승인자; 온콜; 作成者;
        担当者; 参加者; 作者; 负责人; 参与人; 值班人""",
    "id": """incident id; incident number; id; incident; incident no; ticket; ticket number;
        tracking id; case id; incident key; incident ticket; issue id; uuid; 사고 번호;
        장애 번호; 사례 번호; 티켓; 번호; 障害番号; インシデント番号; 事件编号; 故障编号;
        工单号""",
    "title": """title; incident title; name; headline; subject; 제목; 사고명; 장애명; 件名;
        タイトル; 标题; 故障名称""",
    "labels": """time to mitigate; ttm; time to acknowledge; tta; tags; tag; labels; keywords;
        categories; category; type; incident type; topics; 태그; 분류; 유형; 标签""",
    "links": """sources; source; references; reference; links; media; status page;
        provider status page; supporting documents; supporting information; supporting material;
        related links; further reading; resources; url; link; external links; see also;
        internal post mortem; press; dashboards; discussion; 출처; 참고; 참고 문서; 참고 자료;
        참고자료; 관련 링크; 링크; 관련 문서; 参考; 参考資料; リンク; 参考链接; 来源; 链接""",
    "state": """status; state; postmortem status; incident status; draft; layout; slug;
        permalink; war room required; recording; chaos eng preventable; source fetched at;
        fetched at; 상태; 状態; 状态""",
    "nothing": """glossary; appendix; table of contents; contents; toc; license;
        about this document; acknowledgements; open questions; images; screenshots; graphs; 용어;
        부록; 목차; 用語; 术语表; 附录""",
}  # fmt: skip
"""Role → the headings and labels that mean it, `;` between them."""

_HINTS = (
    ("timeline", r"\btimeline|\bchronolog|타임라인|경과$|時系列|时间线"),
    (
        "lesson",
        r"\blessons?\b|\blearn(?:ed|t|ings)\b|\btakeaway|went (?:well|wrong|badly|poorly)"
        r"|교훈|배운|教訓|教训",
    ),
    (
        "follow_up",
        r"\baction items?\b|\bfollow[- ]?ups?\b|\bnext steps?\b|\bprevent|\bremediation"
        r"|\bimprovement|\bcorrective|재발|후속|개선|再発防止|改进|改善",
    ),
    (
        "cause",
        r"\bcauses?\b|\bcaused\b|\bwhy (?:did|it (?:happened|failed|broke))\b|원인|原因|根因",
    ),
    ("impact", r"\bimpact|\baffected\b|영향|影響|影响"),
    ("detection", r"\bdetect|\bdiscover|감지|탐지|検知|检测"),
    (
        "mitigation",
        r"\bmitigat|\bresol(?:ution|ved?|ving)\b|\brecover|\brestor|\bfix(?:ed|ing)?\b"
        r"|\bresponse\b|\bworkaround|조치|복구|대응|해결|復旧|対応|恢复",
    ),
    ("symptom", r"\bsymptoms?\b|증상|症状"),
)
"""What a longer heading is about, by a word in it; the first that fits."""

_PLAIN = re.compile(r"[^\w\s'/]+")


def normal(heading: str) -> str:
    """A heading as it stands in the table: lower case, without marks, numbers and brackets."""
    text = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", heading.lower().replace("’", "'"))
    text = re.sub(r"\b(trigger|cause|breakdown|factor|lesson|symptom|user)\(s\)", r"\1s", text)
    text = _PLAIN.sub(" ", text.replace("_", " ").replace("-", " ").replace("/", " "))
    text = re.sub(r"^(?:\d+|[ivx]+)\s+(?=\D)", "", " ".join(text.split()))
    return text.strip()


@cache
def _table() -> Mapping[str, str]:
    """Heading → role; the first role that lists a heading has it."""
    found: dict[str, str] = {}
    for role, names in ROLES.items():
        for name in names.split(";"):
            if key := normal(" ".join(name.split())):
                found.setdefault(key, role)
    return found


def role_of(heading: str) -> str | None:
    """The role of a heading or label that stands in the table, None for another."""
    key = normal(heading)
    return _table().get(key) or _table().get(re.sub(r"^(?:the|our|a)\s", "", key))


def field_of(heading: str) -> str:
    """The text field of a heading or label, "" when it speaks of none; timelines are summaries."""
    role = role_of(heading)
    return "summary" if role == "timeline" else role if role in FIELDS else ""


def hinted_role(heading: str) -> str | None:
    """The role of a longer heading by a word in it; None when no word tells."""
    text = heading.lower()
    return next((role for role, pattern in _HINTS if re.search(pattern, text)), None)
