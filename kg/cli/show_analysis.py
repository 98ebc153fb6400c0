"""What cases share, what comes together, recurs, or would be missed, as text for a terminal."""

from __future__ import annotations

from kg.cli.view import FEW, View, wrap
from kg.cli.words import phrase, word
from kg.library import Library
from kg.model import FieldState
from kg.queries import (
    Common,
    CommonTerm,
    Pattern,
    Patterns,
    Recurrence,
    Recurrences,
    WhatIf,
    Without,
)


def common(library: Library, found: Common, lang: str) -> str:
    """What chosen cases share, with counts, interval, lift, chance and evidence."""
    view = View(library, lang)
    lines: list[str] = []
    if not found.items:
        kind = view.kind(found.kind)
        none = view.say(
            f"These cases share no confirmed {kind}.",
            f"이 사례들에는 공통으로 확정된 {kind} 값이 없습니다.",
        )
        lines.append(word("none shared", lang) if found.kind == "cause" else none)
    for item in found.items:
        lines += _common_term(view, item)
    for doubtful in found.suspected:
        told = view.say(
            f"{view.named(doubtful.term)}: only suspected in {view.ids(doubtful.suspected)}",
            f"{view.named(doubtful.term)}: {view.ids(doubtful.suspected)}에서는 의심에 그침",
        )
        sure = view.say("; confirmed in ", "; 확정: ") + view.ids(doubtful.confirmed)
        lines += wrap(told + (sure if doubtful.confirmed else ""), 0)
        lines += view.quotes(doubtful.evidence, 4)
    if found.items:
        lines += ["", *wrap(found.note, 0)]
    return "\n".join(lines)


def _common_term(view: View, item: CommonTerm) -> list[str]:
    counted = phrase("of case" if item.of == 1 else "of cases", view.lang, item.n, item.of)
    by_chance = view.say(
        f"{item.expected:.2g} expected by chance, q {view.chance(item.q)}",
        f"우연히는 {item.expected:.2g}건, q {view.chance(item.q)}",
    )
    lines = wrap(
        f"{view.named(item.term)}: {counted}, "
        f"{item.share:.0%} [{item.low:.0%}–{item.high:.0%}]; "
        f"{phrase('library', view.lang, item.library_n, item.library_of)}; "
        f"{word('lift', view.lang)} {item.lift:.2f}; {by_chance}",
        0,
    )
    lines += view.quotes(item.evidence, 4)
    if item.suspected:
        lines += wrap(phrase("suspected in", view.lang, view.ids(item.suspected)), 4)
    return lines


def patterns(library: Library, found: Patterns, lang: str) -> str:
    """Combinations beyond chance, surest first; then the next ones, without evidence."""
    view = View(library, lang)
    looked = ", ".join(f"{size}: {n:,}" for size, n in found.looked_at.items())
    lines = wrap(
        view.say(
            f"{view.incidents(found.of)}; at least {found.minimum} per pattern; combinations that "
            f"could have been found, by size: {looked}",
            f"{view.incidents(found.of)}, 패턴마다 {found.minimum}건 이상, 나올 수 있었던 조합 수"
            f"(크기별): {looked}",
        ),
        0,
    )
    if not found.items:
        none = ("No pattern is beyond chance.", "우연을 넘는 패턴이 없습니다.")
        lines.append(view.say(*none))
    for item in found.items:
        lines += ["", *_pattern(view, item)]
        first = {(e.target, e.case_id): e for e in reversed(item.evidence)}
        lines += view.quotes(
            [
                e
                for e in item.evidence
                if e.case_id == item.cases[0] and first[e.target, e.case_id] is e
            ],
            4,
        )
    more = found.total - len(found.items)
    if more:
        lines += ["", view.say(f"{more} more beyond chance", f"우연을 넘는 패턴 {more}개 더 있음")]
    if found.weaker:
        told = view.say(
            f"Others, which may well be chance: {found.total_weaker}; the nearest:",
            f"나머지 {found.total_weaker}개는 우연일 수 있습니다. 가장 가까운 것:",
        )
        lines += ["", told]
        lines += [x for item in found.weaker[:3] for x in _pattern(view, item)]
    return "\n".join([*lines, "", *wrap(found.note, 0)])


def _pattern(view: View, item: Pattern) -> list[str]:
    names = [f"{view.label(p.term)} ({view.kind(p.kind)})" for p in item.terms]
    also = [f"{view.label(p.term)} ({view.kind(p.kind)})" for p in item.also]
    lines = wrap(" + ".join(names), 0)
    lines += wrap(
        view.say(
            f"{view.incidents(item.n)} ({item.expected:.2g} expected by chance), "
            f"lift {item.lift:.1f}, q {view.chance(item.q)}: {view.ids(item.cases)}",
            f"{view.incidents(item.n)}(우연히는 {item.expected:.2g}건), 향상도 {item.lift:.1f}, "
            f"q {view.chance(item.q)}: {view.ids(item.cases)}",
        ),
        4,
    )
    if also:
        lines += wrap(view.say("all of them also: ", "모두에 함께 있음: ") + ", ".join(also), 4)
    if item.suspected:
        lines += wrap(phrase("suspected in", view.lang, view.ids(item.suspected)), 4)
    if item.one_quote:
        lines += wrap(
            view.say(
                f"in {item.one_quote} of them one quotation says it all",
                f"그 가운데 {item.one_quote}건은 한 구절이 모두를 말함",
            ),
            4,
        )
    if len(item.organizations) == 1:
        owner = view.label(item.organizations[0])
        lines += wrap(view.say(f"all of {owner}", f"모두 {owner}의 사고"), 4)
    return lines


def recurrences(library: Library, found: Recurrences, lang: str) -> str:
    """Each incident whose cause had struck the same organisation before."""
    view = View(library, lang)
    lines = wrap(
        view.say(
            f"{view.incidents(found.incidents)}, of which {found.usable} confirm a named owner "
            "and a cause",
            f"{view.incidents(found.incidents)}, 그 가운데 조직과 원인이 확정된 것 "
            f"{found.usable}건",
        ),
        0,
    )
    if not found.items:
        lines.append(view.say("No cause is shown to recur.", "되풀이가 확인된 원인이 없습니다."))
    for item in found.items:
        lines += ["", *_recurrence(view, item)]
    if found.unsure:
        told = view.say(
            "Again, but the dates do not prove the order:",
            "다시 일어났지만 날짜만으로는 순서가 증명되지 않음:",
        )
        lines += ["", told]
        lines += [x for item in found.unsure for x in _recurrence(view, item)]
    if found.unplaced:
        told = view.say(
            f"not to be put in order by their dates: {view.ids(found.unplaced)}",
            f"날짜로 순서를 정할 수 없음: {view.ids(found.unplaced)}",
        )
        lines += ["", *wrap(told, 0)]
    return "\n".join([*lines, "", *wrap(found.note, 0)])


def _recurrence(view: View, item: Recurrence) -> list[str]:
    order, owner = item.order, view.label(item.organization)
    least, most = order.least_days, order.most_days
    days = f"{least}" if least == most else f"{least}–{most}"
    kinds = [word(k, view.lang) for k in (order.earlier_kind, order.later_kind)]
    mixed = "" if order.same_kind else view.say(" (different kinds of date)", " (다른 종류의 날짜)")
    lines = wrap(
        view.say(
            f"{owner}: {view.terms(item.causes)}: {item.earlier} → {item.later} "
            f"(number {item.times} of its incidents with some cause in common)",
            f"{owner}: {view.terms(item.causes)}: {item.earlier} → {item.later} "
            f"(공통 원인이 있는 사건 중 {item.times}번째)",
        ),
        0,
    )
    lines += wrap(
        f"{kinds[0]} {order.earlier_at} → {kinds[1]} {order.later_at}: "
        + view.say(f"{days} days", f"{days}일")
        + mixed,
        4,
    )
    lines += wrap(_follow_ups(view, item), 4)
    causes = [e for e in item.evidence if e.target != item.organization]
    return lines + view.quotes(causes, 4)


def _follow_ups(view: View, item: Recurrence) -> str:
    done = item.follow_ups
    if done.state is FieldState.NOT_STATED:
        return view.say(
            f"{item.earlier} states no follow-up", f"{item.earlier}에는 후속 조치가 적혀 있지 않음"
        )
    if done.state is FieldState.NONE:
        return view.say(
            f"{item.earlier} says that nothing was changed",
            f"{item.earlier}에는 바꾼 것이 없다고 적혀 있음",
        )
    aimed = view.say(" (aimed at the cause)", " (이 원인을 겨냥함)")
    told = dict.fromkeys(
        view.label(e.target) + (aimed if e.claim_id in done.aimed else "") for e in done.edges
    )
    named = ", ".join(told) or view.say("in words only", "글로만 적혀 있음")
    return view.say(f"stated after {item.earlier}: ", f"{item.earlier} 뒤에 적힌 조치: ") + named


def what_if(library: Library, found: WhatIf, lang: str) -> str:
    """Which incidents stay explained, which do not, and which are only weakened."""
    view = View(library, lang)
    work = _work(view, found.kind)
    lines = wrap(view.say("Without ", "없다고 치면: ") + view.named(found.term), 0)
    below = [t for t in found.struck if t != found.term]
    if below:
        lines += wrap(
            view.say("and what lies below: ", "아래에 있는 것도 함께: ") + view.terms(below), 4
        )
    if not found.touched:
        lines.append(view.say("No incident states it.", "이것을 적은 사고가 없습니다."))
    if found.share is not None:
        lines += wrap(
            view.say(
                f"{len(found.gone)} of {found.of} incidents with {work} "
                f"({found.share:.0%} [{found.low:.0%}–{found.high:.0%}]) would have none left",
                f"{work} 있는 사고 {found.of}건 가운데 {len(found.gone)}건"
                f"({found.share:.0%} [{found.low:.0%}–{found.high:.0%}])에 남는 것이 없음",
            ),
            0,
        )
    for title, group in (
        (view.say("nothing is left", "남는 것이 없음"), found.gone),
        (view.say("others are left", "다른 것이 남음"), found.remaining),
        (view.say("only weakened", "약해지기만 함"), found.weakened),
        (view.say("it had failed there", "거기서는 실패했음"), found.spared),
    ):
        if group:
            lines += ["", f"{title}: {view.incidents(len(group))}"]
            lines += [x for w in group[:FEW] for x in _without(view, w)]
            if len(group) > FEW:
                lines += wrap(view.ids([w.case for w in group[FEW:]]), 2)
    return "\n".join([*lines, "", *wrap(found.note, 0)])


def _work(view: View, kind: str) -> str:
    return {
        "cause": view.say("a confirmed cause", "확정된 원인이"),
        "trigger": view.say("a confirmed trigger", "확정된 촉발 요인이"),
        "component": view.say("a failed component", "고장 난 구성 요소가"),
        "mitigation": view.say("a mitigation that did not fail", "실패하지 않은 조치가"),
    }.get(kind, "")


def _without(view: View, lost: Without) -> list[str]:
    left = view.terms(dict.fromkeys(e.target for e in lost.left))
    gone = view.terms(dict.fromkeys(e.target for e in lost.lost))
    status = "" if lost.lost[0].status == "confirmed" else f" ({word('suspected', view.lang)})"
    stays = view.say("; stays: ", "; 남음: ") + left if left else ""
    return [
        *wrap(f"{lost.case}: {gone}{status}{stays}", 2),
        *view.quotes(lost.lost[:1], 6),
    ]
