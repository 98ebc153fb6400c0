"""A case and the findings of a log as HTML, with evidence; everything in it is escaped."""

from __future__ import annotations

from collections.abc import Iterator

from kg.library import Library
from kg.model import PROSE_FIELDS, Case, Claim
from kg.model.escaping import safe_line
from kg.model.html import Markup, chip, heading, paragraph, table, view
from kg.model.text import language_of
from kg.queries.view_words import say, time_text
from kg.readers.logs import Finding, log_findings

_WORDS = {
    "finding": ("what the log says", "로그가 말하는 것"),
    "count": ("lines", "줄 수"),
    "first": ("first", "처음"),
    "last": ("last", "마지막"),
    "where": ("where", "어디서"),
    "terms": ("terms", "분류 값"),
    "no findings": (
        "No rule knows a line of it. That does not say that nothing is wrong.",
        "규칙이 아는 줄이 없습니다. 문제가 없다는 뜻은 아닙니다.",
    ),
    "summary": ("Summary", "요약"),
    "impact": ("Impact", "영향"),
    "affected_users": ("Affected users", "영향받은 사용자"),
    "symptom": ("Symptoms", "증상"),
    "trigger": ("Trigger", "촉발"),
    "cause": ("Cause", "원인"),
    "detection": ("Detection", "감지"),
    "mitigation": ("Mitigation", "조치"),
    "follow_up": ("Follow-ups", "후속 조치"),
    "lesson": ("Lessons", "교훈"),
    "check": ("Checks", "점검"),
    "not stated": ("not stated", "적혀 있지 않음"),
    "none": ("none, says the source", "출처에 없다고 적혀 있음"),
    "recover": ("time to recover", "복구까지"),
    "detect": ("time to detect", "감지까지"),
    "claims": ("Claims with evidence", "주장과 근거"),
    "none made": ("none are made", "없음"),
    "sources": ("Sources", "출처"),
}


def _word(key: str, lang: str) -> str:
    return _WORDS.get(key, (key, key))[lang == "ko"]


class View:
    """A piece of HTML that a notebook shows."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        return self.html


def log_view(library: Library, text: str, lang: str | None = None) -> View:
    """What a pasted log says by named rules: how often, when and where, and as which terms.

    `lang` is the language of labels; that of the text when None.
    """
    lang = lang or language_of(text)
    found = log_findings(text, library.vocabulary)
    if not found:
        return View(view(paragraph(_word("no findings", lang)), lang))
    head = [_word(k, lang) for k in ("finding", "count", "first", "last", "where", "terms")]
    return View(view(table(head, [_finding(library, f, lang) for f in found]), lang))


def _finding(library: Library, found: Finding, lang: str) -> tuple[object, ...]:
    places = [*found.hosts, *found.devices, *(f"rank {r}" for r in found.ranks)]
    shown = ", ".join(places[:6]) + (" …" if len(places) > 6 else "")
    name = f"<b>{safe_line(found.name)}</b> {safe_line(found.meaning)}"
    example = f'<br><span class="kg-faint">{safe_line(found.example)}</span>'
    return (
        Markup(name + example),
        found.count,
        found.first or None,
        found.last or None,
        shown or None,
        ", ".join(_label(library, t, lang) for t in found.terms) or None,
    )


def show_case(library: Library, case_id: str, lang: str = "en") -> View:
    """A case in full: its texts, each claim with status and quotation, times and sources.

    Raises:
        CaseNotFound: the id is not in the library.
    """
    case = library.get(case_id).resolved()
    return View(view("".join(_case(library, case, lang)), lang))


def _case(library: Library, case: Case, lang: str) -> Iterator[str]:
    yield f"<h4>{safe_line(case.id)} · {safe_line(case.name(lang))}</h4>"
    chips = [say(str(case.kind), lang), case.domain]
    chips += [f"{say(str(when.kind), lang)}: {when.at}" for when in case.dates]
    for key, length in (("detect", case.time_to_detect), ("recover", case.time_to_recover)):
        known = time_text(length.seconds, lang) if length else _word("not stated", lang)
        chips.append(f"{_word(key, lang)}: {known}")
    yield f"<p>{''.join(map(chip, chips))}</p>"
    for field in PROSE_FIELDS[1:]:  # the title heads the view
        yield from _prose(case, field, lang)
    yield heading(_word("claims", lang))
    claims = [_claim(library, i, claim, lang) for i, claim in case.claim_ids()]
    yield table((), claims) if claims else paragraph(_word("none made", lang), faint=True)
    yield heading(_word("sources", lang))
    for source in case.sources or ():
        yield paragraph(source.line, faint=True)
    if not case.sources:
        unsaid = "not stated" if case.sources is None else "none"
        yield paragraph(_word(unsaid, lang), faint=True)


def _prose(case: Case, field: str, lang: str) -> Iterator[str]:
    state = case.field_state(field)
    prose = getattr(case, field)
    if state == "stated":
        told = "".join(paragraph(line) for line in prose.best(lang).split("\n"))
        fold = field != "summary"
        name = safe_line(_word(field, lang))
        yield f"<details><summary>{name}</summary>{told}</details>" if fold else told
    else:
        word = _word("none" if state == "none" else "not stated", lang)
        yield paragraph(f"{_word(field, lang)}: {word}", faint=True)


def _claim(library: Library, claim_id: str, claim: Claim, lang: str) -> tuple[object, ...]:
    spans = [s for s in claim.evidence if s.lang == lang] or list(claim.evidence)
    quote = f"“{spans[0].quote}” [{spans[0].field}.{spans[0].lang}]" if spans else ""
    names = ", ".join(_label(library, t, lang) for t in claim.terms)
    return (
        claim_id.rpartition("#")[2],
        say(str(claim.kind), lang),
        names,
        say(str(claim.status), lang),
        quote,
    )


def _label(library: Library, term: str, lang: str) -> str:
    return library.vocabulary.terms[term].label.best(lang)
