"""Sentences of a diagnosis in English and Korean: abstention, what is unknown, why it changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kg.queries.korean import josa
from kg.rca.diagnosis import Abstention, Diagnosis, Unknown

_FIELDS = {
    "trigger": ("trigger", "촉발 요인"),
    "cause": ("cause", "원인"),
    "detection": ("detection", "감지"),
    "mitigation": ("mitigation", "조치"),
    "time_to_recover": ("time to recover", "복구까지 걸린 시간"),
}


def percent(share: float) -> str:
    """A share in whole percent, `<1` and `>99` at the ends."""
    if 0 < share < 0.005:
        return "<1"
    return ">99" if 0.995 <= share < 1 else f"{100 * share:.0f}"


def share(value: float, lang: str) -> str:
    """A share with its sign, as it is written in the language: `5 %`, `5%`."""
    return f"{percent(value)}%" if lang == "ko" else f"{percent(value)} %"


def quoted(label: str, lang: str) -> str:
    """A label as it stands in a sentence: in Korean in marks, as particles follow it."""
    return f"‘{label}’" if lang == "ko" else label


def line_text(line: float, nearest: Sequence[tuple[str, float]], lang: str) -> str:
    """That no case reaches the line of a search, and which come nearest."""
    named = ", ".join(f"{i} ({share(p, lang)})" for i, p in nearest)
    if lang == "ko":
        near = f" 가장 가까운 것은 {named}입니다." if named else ""
        return f"관련 확률이 기준인 {share(line, lang)}에 이르는 사례가 없습니다.{near}"
    word = "nearest is" if len(nearest) == 1 else "nearest are"
    near = f" The {word} {named}." if named else ""
    return f"No case reaches the line of {share(line, lang)} to be called similar.{near}"


def listed(items: Sequence[str], lang: str, most: int = 6) -> str:
    """Names in a row, the rest counted."""
    told = list(items[:most])
    rest = len(items) - most
    if rest > 0:
        told.append(f"그 밖에 {rest}건" if lang == "ko" else f"{rest} more")
    return ", ".join(told)


def abstention_text(abstention: Abstention, lang: str) -> str:
    """Why no hypothesis is offered."""
    best = percent(abstention.probability)
    near = [line_text(abstention.line, abstention.nearest, code) for code in ("en", "ko")]
    en, ko = {
        "nothing_similar": (
            f"No hypothesis: n{near[0][1:]} No cause is guessed.",
            f"가설을 내지 않습니다. {near[1]} 원인을 추측하지 않습니다.",
        ),
        "no_terms": (
            "No hypothesis: the text says of no term of the vocabulary that it was there, so that "
            "the cases named here may be like it in words only. Add what was seen, as observed "
            "terms.",
            "가설을 내지 않습니다. 글이 있었다고 말하는 분류 값을 하나도 찾지 못해, 여기 든 "
            "사례들은 낱말만 비슷한 것일 수 있습니다. 무엇이 보였는지 관찰된 값으로 더해 주세요.",
        ),
        "no_cause": (
            "No hypothesis: none of the cases that are like this has a confirmed cause.",
            "가설을 내지 않습니다. 비슷한 사례 가운데 원인이 확정된 것이 없습니다.",
        ),
        "all_ruled_out": (
            "No hypothesis: every cause that the like cases confirm is ruled out here.",
            "가설을 내지 않습니다. 비슷한 사례들이 확정한 원인이 여기서는 모두 배제되었습니다.",
        ),
        "too_unsure": (
            f"No hypothesis: the likeliest cause has a probability of only {best} %, too little to "
            "name it.",
            f"가설을 내지 않습니다. 가장 그럴듯한 원인도 확률이 {best}%뿐이라 들 만하지 않습니다.",
        ),
    }[abstention.reason]
    return ko if lang == "ko" else en


def unknown_text(
    unknown: Unknown, lang: str, label: str = "", mark: Callable[[str], str] = str
) -> str:
    """Something that is not known.

    `label` names the term that it is about; `mark` writes a case, with its number where it has one.
    """
    n, of, cases = unknown.n, unknown.of, listed([mark(i) for i in unknown.cases], lang)
    name = quoted(label, "ko")
    # How long it took may well stand in the text; what is missing is the figure of its own.
    silent = ("recorded as a field", "항목으로 기록되어") if _timed(unknown) else _NOT_STATED
    field_en, field_ko = _FIELDS.get(unknown.about, (unknown.about, unknown.about))
    en, ko = {
        "few_cases": (
            f"Few cases: {label} rests on {_incidents(n)} ({cases or 'none'}).",
            f"사례가 적습니다. {josa(name, '은/는')} 사고 {n}건에 근거합니다({cases or '없음'}).",
        ),
        "only_reports": (
            f"No single incident looked at confirms {label}; it rests on reports on many events, "
            f"which count apart: {cases}.",
            f"살펴본 사고 가운데 {josa(name, '을/를')} 확정한 것은 없고, 따로 세는 여러 사고의 "
            f"보고에만 근거합니다: {cases}.",
        ),
        "no_case": (
            f"No case looked at confirms {label}.",
            f"살펴본 사례 가운데 {josa(name, '을/를')} 확정한 것이 없습니다.",
        ),
        "unconfirmed": (
            f"The cause was never confirmed in {n} of {of} similar cases: {cases}.",
            f"비슷한 사례 {of}건 가운데 {n}건에서는 원인이 확정된 적이 없습니다: {cases}.",
        ),
        "not_stated": (
            f"The {field_en} is not {silent[0]} in {n} of {of} similar cases: {cases}.",
            f"비슷한 사례 {of}건 가운데 {n}건에는 {josa(field_ko, '이/가')} {silent[1]} 있지 "
            f"않습니다: {cases}.",
        ),
        "unexplained": (
            f"No case looked at has {label} among its symptoms, nor names it.",
            f"살펴본 사례 가운데 {josa(name, '을/를')} 증상으로 적거나 그 이름을 든 것이 없습니다.",
        ),
        "not_incidents": (
            f"Not single events: {cases}. Among incidents they are not counted, among cases they "
            "are.",
            f"사고 한 건이 아닌 것: {cases}. 사고의 수에는 넣지 않고, 사례의 수에는 넣습니다.",
        ),
        "no_terms": (
            "The text says of no term of the vocabulary that it was there.",
            "글이 있었다고 말하는 분류 값을 하나도 찾지 못했습니다.",
        ),
        "new_cause": (
            f"The cause may be none that the library knows (probability {n} %).",
            f"이 라이브러리가 모르는 원인일 수 있습니다(확률 {n}%).",
        ),
        "unnamed_cause": (
            "The cause may be none that was named here and none that the library knows "
            f"(probability {n} %).",
            f"여기서 든 원인도, 이 라이브러리가 아는 원인도 아닐 수 있습니다(확률 {n}%).",
        ),
    }[unknown.kind]
    return ko if lang == "ko" else en


_NOT_STATED = ("stated", "적혀")


def _timed(unknown: Unknown) -> bool:
    return unknown.about == "time_to_recover"


def _incidents(n: int) -> str:
    return f"{n} incident" if n == 1 else f"{n} incidents"


def why(reason: str, lang: str, *values: str) -> str:
    """Why a hypothesis moved; the values are labels, ids and percentages."""
    a, b, c = (*values, "", "", "")[:3]
    name_a, name_b = quoted(a, "ko"), quoted(b, "ko")
    en, ko = {
        "ruled_out": (f"you ruled out {a}", f"{josa(name_a, '을/를')} 배제했습니다"),
        "taken_back": (
            f"{a} is no longer ruled out",
            f"{josa(name_a, '은/는')} 이제 배제되지 않았습니다",
        ),
        "denied": (f"the text denies {a}", f"글이 {josa(name_a, '을/를')} 부정합니다"),
        "rests": (
            f"{a} rests on {b}, which you ruled out, and counts half",
            f"{josa(a, '은/는')} 배제한 {name_b}에 기대고 있어 절반만 셉니다",
        ),
        "shows": (
            f"{a} shows {b}, which you added",
            f"{a}에는 새로 더한 {josa(name_b, '이/가')} 있습니다",
        ),
        "likeness": (
            f"{a} is now relevant with {c} %, before with {b} %",
            f"{a}의 관련 확률이 {b}%에서 {c}%로 바뀌었습니다",
        ),
        "observed": (f"you observed {a}", f"{josa(name_a, '을/를')} 관찰했습니다"),
        "observed_other": (
            f"you observed {a}, another cause",
            f"다른 원인인 {josa(name_a, '을/를')} 관찰했습니다",
        ),
        "entered": (
            f"{a} is looked at now, relevant with {b} %",
            f"이제 {josa(a, '을/를')} 살펴봅니다(관련 확률 {b}%)",
        ),
        "left": (
            f"{a} is no longer looked at (it was relevant with {b} %)",
            f"이제 {josa(a, '을/를')} 살펴보지 않습니다(관련 확률 {b}%였음)",
        ),
        "elsewhere": (f"other causes: {a}", f"다른 원인: {a}"),
        "elsewhere_rests": (
            f"other causes: {a} rests on {b}, which you ruled out, and counts half",
            f"다른 원인: {josa(a, '은/는')} 배제한 {name_b}에 기대고 있어 절반만 셉니다",
        ),
        "abstains": ("no hypothesis is offered any more", "이제 가설을 내지 않습니다"),
        "others": (
            "nothing changed in the cases behind it; its share moved with those of other causes",
            "이 원인의 사례는 그대로이고, 다른 원인들의 몫과 함께 움직였습니다",
        ),
        "together": (
            "no single change explains it; all facts together do",
            "한 가지 변화로 설명되지 않고, 모든 사실이 함께 바꾼 것입니다",
        ),
        "text": ("the text changed", "글이 바뀌었습니다"),
    }[reason]
    return ko if lang == "ko" else en


def kind_of_change(kind: str, lang: str) -> str:
    """The word for how a hypothesis moved."""
    en, ko = {
        "came": ("new", "새로 나옴"),
        "rose": ("rose", "올라감"),
        "fell": ("fell", "내려감"),
        "went": ("gone", "빠짐"),
    }[kind]
    return ko if lang == "ko" else en


def about_label(diagnosis: Diagnosis, unknown: Unknown, lang: str) -> str:
    """The label of the term that an unknown is about; "" where it is about a field."""
    return diagnosis.label(unknown.about, lang) if ":" in unknown.about else ""
