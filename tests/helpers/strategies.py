"""Hypothesis strategies: small random vocabularies, and valid cases over them."""

from __future__ import annotations

import string
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from kg.model import ROLES, Case, ClaimKind, MadeBy, Scheme, Status
from kg.readers.batch import SCHEME_OF_KIND
from kg.vocab import SCHEMES, Vocabulary
from tests.helpers.tiny import scheme, term

QUICK = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""For tests that run in memory."""

WORLDS = settings(QUICK, max_examples=10)
"""For tests over whole random libraries."""

FEW = settings(QUICK, max_examples=4)
"""For tests that write library files."""

_LETTERS = "".join(
    (string.ascii_letters, string.digits, " .,;:'\"<>&%-_/()[]{}", "가나다라마바사 오류멈춤")
)
sentences = (
    st.text(_LETTERS, min_size=1, max_size=40)
    .map(str.strip)
    .filter(lambda s: s and "\n\n" not in s)
)
"""Prose in two scripts, with signs that SQL, HTML and JSON care about."""

slugs = st.text(string.ascii_lowercase, min_size=2, max_size=5)


@st.composite
def schemes(draw: st.DrawFn, name: str, most: int = 5) -> Scheme:
    """A scheme of one to `most` terms; `broader` always points at an earlier term.

    Terms may match concepts of other vocabularies, no two of them the same one exactly.
    """
    found = draw(st.lists(slugs, min_size=1, max_size=most, unique=True))
    terms = []
    for i, slug in enumerate(found):
        above = draw(st.lists(st.sampled_from(found[:i]), max_size=2, unique=True)) if i else []
        ko = draw(st.sampled_from([None, f"{slug} 말"]))
        exact, close = f"https://one.example/{slug}", "http://two.example/개념?a=1#b"
        matches = {
            "exact_match": draw(st.sampled_from([[], [exact], [f"{exact}/z", exact]])),
            "close_match": draw(st.sampled_from([[], [close], [f"{exact}/y", close]])),
        }
        terms.append(term(f"{name}:{slug}", f"{slug} {name}", ko, broader=above, **matches))
    return scheme(name, *draw(st.permutations(terms)))


@st.composite
def vocabularies(draw: st.DrawFn) -> Vocabulary:
    """All eight schemes, each a small forest or lattice."""
    return Vocabulary([draw(schemes(name, 6 if name == "cause" else 4)) for name in SCHEMES])


@st.composite
def proses(draw: st.DrawFn, least: int = 1) -> dict[str, list[str]]:
    """One to three parallel paragraphs in English, often in Korean too."""
    count = draw(st.integers(least, 3))
    langs = draw(st.sampled_from([("en",), ("en", "ko"), ("ko",)]))
    return {lang: [draw(sentences) for _ in range(count)] for lang in langs}


@st.composite
def dates(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Up to two times of different precision; never an end before a start."""
    kinds = draw(
        st.lists(st.sampled_from(["published", "started", "detected"]), max_size=2, unique=True)
    )
    forms = ["2019", "2021-07", "2022-02-28", "2022-03-04T10:00Z", "2023-12-31T23:59:59+09:00"]
    return [
        {"kind": k, "at": draw(st.sampled_from(forms)), "approx": draw(st.booleans())}
        for k in kinds
    ]


@st.composite
def claims(draw: st.DrawFn, vocabulary: Vocabulary, texts: dict[str, Any]) -> dict[str, Any]:
    """A claim over the vocabulary with evidence cut out of the texts."""
    kind = draw(st.sampled_from(list(ClaimKind)))
    terms = [t.id for s in SCHEME_OF_KIND[kind] for t in vocabulary.of(s)]
    made: dict[str, Any] = {
        "kind": str(kind),
        "terms": draw(st.lists(st.sampled_from(terms), min_size=1, max_size=2, unique=True)),
        "status": str(draw(st.sampled_from(list(Status)))),
        "evidence": draw(st.lists(spans(texts), min_size=1, max_size=2)),
    }
    if kind is ClaimKind.CAUSE:
        made["role"] = "secondary"
    elif ROLES[kind]:
        made["role"] = str(draw(st.sampled_from(ROLES[kind])))
    if draw(st.booleans()):
        made["statement"] = {"en": draw(sentences)}
    if kind in (ClaimKind.MITIGATION, ClaimKind.FOLLOW_UP) and draw(st.booleans()):
        made["addresses"] = [draw(st.sampled_from([t.id for t in vocabulary.of("cause")]))]
        made["result"] = draw(st.sampled_from(["worked", "partly", "failed", "unknown"]))
    if draw(st.booleans()):
        made["made"] = draw(makings(fact=made["status"] == "confirmed"))
    return made


@st.composite
def makings(draw: st.DrawFn, fact: bool) -> dict[str, Any]:
    """How a program came to a claim; a fact has been reviewed."""
    return {
        "by": draw(st.sampled_from(list(MadeBy))),
        "confidence": draw(st.sampled_from([0, 0.25, 0.9999, 1])),
        "reviewed": fact or draw(st.booleans()),
    }


@st.composite
def origins(draw: st.DrawFn) -> dict[str, Any]:
    """Where a case was read from."""
    optional = ("system", "identifier", "file", "updated")
    told = {name: draw(sentences) for name in optional if draw(st.booleans())}
    told["duplicates"] = draw(st.lists(sentences, max_size=2))
    return {"format": "status-page", "digest": f"{draw(st.integers(0, 99)):064x}", **told}


@st.composite
def spans(draw: st.DrawFn, texts: dict[str, Any]) -> dict[str, Any]:
    """A span of one of the texts, with or without its place."""
    field = draw(st.sampled_from(sorted(texts)))
    lang = draw(st.sampled_from(sorted(texts[field])))
    whole = "\n\n".join(texts[field][lang])
    start = draw(st.integers(0, len(whole) - 1))
    end = draw(st.integers(start + 1, len(whole)))
    span = {"field": field, "lang": lang, "quote": whole[start:end]}
    return {**span, "start": start, "end": end} if draw(st.booleans()) else span


@st.composite
def cases(draw: st.DrawFn, vocabulary: Vocabulary, case_id: str | None = None) -> Case:
    """A valid case with up to five claims."""
    texts = {"title": draw(proses()), "summary": draw(proses())}
    for field in draw(st.sets(st.sampled_from(["symptom", "cause", "mitigation", "lesson"]))):
        texts[field] = draw(proses())
    found = draw(st.lists(claims(vocabulary, texts), max_size=5))
    confirmed = [c for c in found if c["kind"] == "cause" and c["status"] == "confirmed"]
    if confirmed and draw(st.booleans()):
        confirmed[0]["role"] = "primary"
    seconds = st.none() | st.builds(dict, seconds=st.integers(0, 10**6))
    title = st.text(string.ascii_lowercase, min_size=1, max_size=6)
    source = st.builds(dict, kind=st.sampled_from(["blog", "paper"]), title=title, locator=title)
    data: dict[str, Any] = {
        "id": case_id or "C-" + draw(slugs),
        "kind": draw(st.sampled_from(["incident", "series", "study"])),
        "domain": draw(st.sampled_from(["ai-infra", "web"])),
        "severity": draw(st.sampled_from([None, "SEV1", "a & b=c"])),
        "dates": draw(dates()),
        "time_to_detect": draw(seconds),
        "time_to_recover": draw(seconds),
        **texts,
        "trigger": draw(st.sampled_from([None, []])),
        "claims": found,
        "sources": draw(st.none() | st.lists(source, max_size=2)),
        "services": draw(st.none() | st.lists(sentences, max_size=2)),
        "labels": draw(st.none() | st.lists(sentences, max_size=2)),
        "origin": draw(st.none() | origins()),
    }
    return Case.model_validate({k: v for k, v in data.items() if v is not None})


@st.composite
def worlds(draw: st.DrawFn, most: int = 5, least: int = 1) -> tuple[Vocabulary, list[Case]]:
    """A vocabulary and `least` to `most` cases over it, with ids of their own."""
    vocabulary = draw(vocabularies())
    count = draw(st.integers(least, most))
    found = [draw(cases(vocabulary, f"C-{i}")) for i in range(count)]
    ids = [c.id for c in found]
    for i, case in enumerate(found):
        others = draw(st.lists(st.sampled_from([*ids, "GONE-1"]), max_size=2, unique=True))
        related = tuple(o for o in others if o != case.id)
        if related:
            found[i] = case.model_copy(update={"related": related})
    return vocabulary, found
