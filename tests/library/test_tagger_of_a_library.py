"""A library's tagger is taught by its own cases, in the space of its own vectors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from embeddings import HashEncoder
from kg.library import Library
from kg.library.passages import passages_of
from kg.library.tagging import examples_of, make_tagger, stated_terms, term_passages
from kg.store import Snapshot
from kg.vocab import MeaningTagger, Tagger, term_texts
from kg.vocab.pieces import pieces_of
from kg.vocab.tagger import HAPPENINGS
from kg.vocab.weights import FEATURES
from tests.helpers.tiny import tiny_vocabulary

HASH = HashEncoder()


@pytest.fixture(scope="module")
def snapshot(quick: Library) -> Snapshot:
    return quick._snapshot


@pytest.fixture(scope="module")
def tagger(snapshot: Snapshot) -> MeaningTagger:
    return make_tagger(snapshot, HASH)


def test_examples_are_the_passages_that_hold_the_evidence(snapshot: Snapshot) -> None:
    examples = examples_of(snapshot.cases, snapshot.passages, snapshot.vectors)
    assert examples.terms
    cases = {c.id: c for c in snapshot.cases}
    for term, row in examples.terms:
        passage = snapshot.passages[row]
        text = cases[passage.case_id].text(passage.field, passage.lang)
        spans = [
            cases[passage.case_id].locate(span)
            for claim in cases[passage.case_id].claims
            if term in claim.terms and claim.status != "ruled_out"
            for span in claim.evidence
            if (span.field, span.lang) == (passage.field, passage.lang)
        ]
        assert text[passage.start : passage.end] == passage.text
        assert any(a < passage.end and passage.start < b for a, b in spans)


def test_every_stated_term_with_evidence_in_the_texts_has_an_example(snapshot: Snapshot) -> None:
    examples = examples_of(snapshot.cases, snapshot.passages, snapshot.vectors)
    shown = {term for term, _ in examples.terms}
    embedded = {(p.case_id, p.field) for p in snapshot.passages}
    wanted = {
        term
        for case in snapshot.cases
        for claim in case.claims
        if claim.status != "ruled_out"
        for term in claim.terms
        if any((case.id, span.field) in embedded for span in claim.evidence)
    }
    assert shown == wanted


def test_what_a_case_rules_out_teaches_nothing(snapshot: Snapshot) -> None:
    (case, claim) = next(
        (case, claim)
        for case in snapshot.cases
        for claim in case.claims
        if claim.status != "ruled_out" and claim.kind == "cause"
    )
    denied = claim.model_copy(update={"status": "ruled_out"})
    others = tuple(denied if c == claim else c for c in case.claims)
    changed = case.model_copy(update={"claims": others})
    before, after = stated_terms(case), stated_terms(changed)
    assert before - after <= set(claim.terms)
    passages = list(passages_of([changed]))
    vectors = HASH.encode_passages([p.text for p in passages])
    shown = {term for term, _ in examples_of([changed], passages, vectors).terms}
    assert shown <= after


def test_the_order_of_cases_does_not_matter(snapshot: Snapshot) -> None:
    turned = snapshot.cases[::-1]
    passages = list(passages_of(turned))
    vectors = HASH.encode_passages([p.text for p in passages])
    mixed = examples_of(turned, passages, vectors)
    plain = examples_of(snapshot.cases, snapshot.passages, snapshot.vectors)
    first = sorted((t, snapshot.passages[i].text) for t, i in plain.terms)
    assert first == sorted((t, passages[i].text) for t, i in mixed.terms)


def test_terms_are_embedded_in_the_order_of_the_vocabulary(snapshot: Snapshot) -> None:
    texts = term_texts(snapshot.vocabulary)
    assert term_passages(snapshot.vocabulary) == [text for _, _, text in texts]


def test_names_are_found_as_without_meaning(snapshot: Snapshot, tagger: MeaningTagger) -> None:
    plain = Tagger(snapshot.vocabulary)
    for case in snapshot.cases:
        for lang in ("en", "ko"):
            text = case.text("summary", lang)
            named = [(t.start, t.end, t.term) for t in tagger.tag(text) if t.how == "label"]
            # A thing that only a denial is about is not told by it.
            apart = [p for p in pieces_of(text) if p.excluded]
            wanted = [
                (t.start, t.end, t.term)
                for t in plain.tag(text)
                if t.negated
                or t.term.partition(":")[0] in HAPPENINGS
                or not any(p.start <= t.start and t.end <= p.end for p in apart)
            ]
            assert named == wanted


@pytest.mark.parametrize("field", ["title", "summary", "symptom", "cause"])
def test_every_text_of_a_case_can_be_tagged(
    snapshot: Snapshot, tagger: MeaningTagger, field: str
) -> None:
    for case in snapshot.cases:
        text = case.text(field, "en")
        for tag in tagger.tag(text):
            assert text[tag.start : tag.end] == tag.text
            assert 0 <= tag.confidence <= 1


def test_a_case_teaches_the_words_of_its_evidence(snapshot: Snapshot) -> None:
    untaught = make_tagger(replace(snapshot, cases=(), passages=(), vectors=_none()), HASH)
    taught = make_tagger(snapshot, HASH)
    examples = examples_of(snapshot.cases, snapshot.passages, snapshot.vectors)
    near = FEATURES.index("near")
    gains = []
    for term, row in examples.terms[::20]:
        if term in taught.ids:
            text, at = snapshot.passages[row].text, taught.ids.index(term)
            before, after = (t.features(text)[at, near] for t in (untaught, taught))
            gains.append(after - before)
    assert len(gains) > 10
    assert np.mean(gains) > 0.5


def test_a_library_without_cases_has_a_tagger() -> None:
    empty = Snapshot(
        cases=(), vocabulary=tiny_vocabulary(), passages=(), vectors=_none(),
        encoder="hash", fingerprint=HASH.fingerprint, background=(0.0, 1.0),
    )  # fmt: skip
    tags = make_tagger(empty, HASH).tag("ECC error on the A100")
    assert {"cause:ecc-error", "component:a100"} <= {t.term for t in tags}


def _none() -> np.ndarray:
    return np.zeros((0, HASH.dimension), np.float32)
