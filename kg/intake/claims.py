"""What a program can claim of a case: terms found in its texts, names in fields of its source."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from kg.errors import AmbiguousTerm, TermNotFound
from kg.model import PROSE_FIELDS, ROLES, Case, Claim, ClaimKind, Made, MadeBy, Role, Span, Status
from kg.model.text import PARAGRAPH_BREAK
from kg.readers.batch import SCHEME_OF_KIND
from kg.readers.draft import Draft
from kg.vocab import Tag, Vocabulary

NAMED = 0.3
"""Confidence from which a term that is named becomes a claim."""
MEANT = 0.5
"""Confidence from which a term that is told of in other words becomes a claim."""
SPANS = 3
"""Most spans that a claim made by a program cites."""

_KIND_IN: Mapping[str, Mapping[str, ClaimKind]] = {
    "cause": dict.fromkeys(("title", "summary", "trigger", "cause"), ClaimKind.CAUSE),
    "trigger": dict.fromkeys(("title", "summary", "trigger", "cause"), ClaimKind.TRIGGER),
    "factor": dict.fromkeys(
        ("summary", "trigger", "cause", "detection", "lesson"), ClaimKind.FACTOR
    ),
    "symptom": dict.fromkeys(
        ("title", "summary", "impact", "affected_users", "symptom", "detection"), ClaimKind.SYMPTOM
    ),
    "component": dict.fromkeys(
        ("title", "summary", "impact", "symptom", "trigger", "cause", "mitigation"),
        ClaimKind.COMPONENT,
    ),
    "mitigation": {
        "summary": ClaimKind.MITIGATION,
        "mitigation": ClaimKind.MITIGATION,
        "follow_up": ClaimKind.FOLLOW_UP,
        "lesson": ClaimKind.FOLLOW_UP,
    },
    "tool": {"detection": ClaimKind.DETECTION},
}
"""Scheme of a term -> field in which it stands -> what it is claimed to be. Elsewhere it says
nothing: a cause that the follow-ups name is one that is guarded against."""

_FACTORS = re.compile(r"contribut|(?<!root )\bfactors?\b|요인", re.IGNORECASE)
"""Headings of what made an incident possible or worse."""

_ROLE = {
    ClaimKind.CAUSE: Role.SECONDARY,
    ClaimKind.COMPONENT: Role.INVOLVED,
    ClaimKind.DETECTION: Role.DETECTED,
    ClaimKind.ORGANIZATION: Role.OWNER,
}

Tagged = Callable[[str], Sequence[Tag]]


_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。\n]")


def factor_texts(draft: Draft) -> tuple[str, ...]:
    """The paragraphs that stand under a heading of contributing factors: they name no causes."""
    return tuple(
        paragraph.strip()
        for passage in draft.passages
        if _FACTORS.search(passage.heading)
        for paragraph in passage.text.split(PARAGRAPH_BREAK)
        if paragraph.strip()
    )


def text_claims(case: Case, tagged: Tagged, factors: Sequence[str] = ()) -> Iterator[Claim]:
    """A claim for each kind and term that the texts tell of, in the order of `ClaimKind`.

    What is denied everywhere is ruled out; what is told somewhere is suspected. Of `factors`,
    paragraphs about what contributed, no cause is made.
    """
    found: dict[tuple[ClaimKind, str], list[tuple[Tag, Span]]] = defaultdict(list)
    for field, lang, text in case.texts():
        if field not in PROSE_FIELDS:
            continue
        apart = [(at, at + len(f)) for f in factors if (at := text.find(f)) >= 0]
        for tag in _standing(tagged(text), text):
            kind = _KIND_IN.get(tag.term.partition(":")[0], {}).get(field)
            if kind is ClaimKind.CAUSE and any(a <= tag.start < b for a, b in apart):
                continue
            if kind is not None and tag.confidence >= (NAMED if tag.how == "label" else MEANT):
                span = Span(field=field, lang=lang, quote=tag.text, start=tag.start, end=tag.end)
                found[kind, tag.term].append((tag, span))
    primary = _likeliest_cause(found)
    order = list(ClaimKind)
    for kind, term in sorted(found, key=lambda k: (order.index(k[0]), k[1])):
        yield _claim(kind, term, found[kind, term], primary)


def _standing(tags: Sequence[Tag], text: str) -> Iterator[Tag]:
    """The tags without those that their own sentence takes back further on.

    "We first suspected a network fault, but a network failure was ruled out" tells of none.
    """
    for tag in tags:
        end = _SENTENCE_END.search(text, tag.end)
        stop = end.start() if end else len(text)
        if tag.negated or not any(
            t.negated and t.term == tag.term and tag.end <= t.start < stop for t in tags
        ):
            yield tag


def _likeliest_cause(found: Mapping[tuple[ClaimKind, str], Sequence[tuple[Tag, Span]]]) -> str:
    """The cause that the section on causes tells of most surely; "" where it tells of none."""
    told = [
        (tag.confidence, term)
        for (kind, term), places in found.items()
        for tag, span in places
        if kind is ClaimKind.CAUSE and span.field == "cause" and not tag.negated
    ]
    return min(told, key=lambda t: (-t[0], t[1]))[1] if told else ""


def _claim(kind: ClaimKind, term: str, places: Sequence[tuple[Tag, Span]], primary: str) -> Claim:
    told = [p for p in places if not p[0].negated] or list(places)
    best = sorted(told, key=lambda p: (-p[0].confidence, p[1].field, p[0].start))
    tag = best[0][0]
    role = Role.PRIMARY if kind is ClaimKind.CAUSE and term == primary else _ROLE.get(kind)
    return Claim(
        kind=kind,
        terms=(term,),
        status=Status.RULED_OUT if tag.negated else Status.SUSPECTED,
        role=role if ROLES[kind] else None,
        evidence=tuple(dict.fromkeys(span for _, span in best))[:SPANS],
        made=Made(
            by=MadeBy.NAME if tag.how == "label" else MadeBy.MEANING,
            confidence=round(tag.confidence, 4),
        ),
    )


def field_claims(draft: Draft, vocabulary: Vocabulary) -> Iterator[Claim]:
    """Claims for what the source's own fields name, where the vocabulary has exactly that name."""
    named = [(ClaimKind.COMPONENT, name, Status.CONFIRMED, "services") for name in draft.services]
    named += [(g.kind, g.name, g.status, "labels") for g in draft.given]
    done: set[tuple[ClaimKind, str]] = set()
    for kind, name, status, field in named:
        line = " ".join(name.split())
        term = _resolved(line, kind, vocabulary)
        if term is None or (kind, term) in done:
            continue
        done.add((kind, term))
        yield field_claim(kind, term, field, line, status)


def field_claim(
    kind: ClaimKind, term: str, field: str, line: str, status: Status = Status.SUSPECTED
) -> Claim:
    """A claim for a line of `services` or `labels`; suspected until a person judges it."""
    role = Role.AFFECTED if kind is ClaimKind.COMPONENT else _ROLE.get(kind)
    return Claim(
        kind=kind,
        terms=(term,),
        status=Status.RULED_OUT if status is Status.RULED_OUT else Status.SUSPECTED,
        role=role if ROLES[kind] else None,
        evidence=(Span(field=field, lang="zxx", quote=line),),
        made=Made(by=MadeBy.FIELD, confidence=1.0),
    )


def _resolved(name: str, kind: ClaimKind, vocabulary: Vocabulary) -> str | None:
    for scheme in SCHEME_OF_KIND[kind]:
        try:
            return vocabulary.resolve(name, scheme).id
        except (TermNotFound, AmbiguousTerm):
            continue
    return None
