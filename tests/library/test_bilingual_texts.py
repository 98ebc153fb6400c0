"""What a library tells in two languages: the pairs, and folds that keep a case out."""

from __future__ import annotations

from embeddings.lexicon import Pair
from kg.library import Library
from kg.library.bilingual import FOLDS, bilingual_pairs, folds_of, taught_without, teach
from kg.model.case import PROSE_FIELDS


def pairs_of(library: Library) -> list[Pair]:
    return bilingual_pairs(list(library.cases.values()), list(library.vocabulary.terms.values()))


def test_every_paragraph_stands_beside_its_translation(tiny: Library) -> None:
    found = set(pairs_of(tiny))
    expected = 0
    for case in tiny.cases.values():
        for field in PROSE_FIELDS:
            prose = getattr(case, field)
            if prose and {"en", "ko"} <= set(prose.languages):
                for one, other in zip(prose.paragraphs("en"), prose.paragraphs("ko"), strict=True):
                    assert Pair(case.id, one, other) in found
                    expected += 1
    assert expected
    assert len(found) >= expected


def test_terms_and_statements_are_pairs_too(tiny: Library) -> None:
    found = set(pairs_of(tiny))
    for term in tiny.vocabulary.terms.values():
        label = dict(term.label.items())
        if len(label) == 2:
            assert Pair(term.id, label["en"], label["ko"]) in found
    for case in tiny.cases.values():
        for claim in case.claims:
            told = dict(claim.statement.items()) if claim.statement else {}
            if len(told) == 2:
                assert Pair(case.id, told["en"], told["ko"]) in found


def test_a_text_in_one_language_gives_no_pair(tiny: Library) -> None:
    known = {(p.owner, p.one) for p in pairs_of(tiny)} | {
        (p.owner, p.other) for p in pairs_of(tiny)
    }
    for case in tiny.cases.values():
        for field in PROSE_FIELDS:
            prose = getattr(case, field)
            if prose and len(prose.languages) == 1:
                for text in prose.paragraphs(prose.languages[0]):
                    assert (case.id, text) not in known


def test_folds_are_even_and_do_not_hang_on_the_order() -> None:
    ids = [f"C-{n:02}" for n in range(23)]
    folds = folds_of(ids)
    assert folds == folds_of(ids[::-1])
    sizes = [list(folds.values()).count(fold) for fold in range(FOLDS)]
    assert sum(sizes) == 23
    assert max(sizes) - min(sizes) <= 1


def test_a_fold_is_taught_by_the_others_alone(quick: Library) -> None:
    terms = list(quick.vocabulary.terms.values())[::10]
    pairs = bilingual_pairs(list(quick.cases.values()), terms)
    folds = folds_of(list(quick.cases))
    lexicons = taught_without(pairs, folds)
    assert len(lexicons) == FOLDS
    first = teach([p for p in pairs if folds.get(p.owner) != 0])
    assert lexicons[0].translations == first.translations
    whole = teach(pairs).translations
    assert all(lexicon.translations != whole for lexicon in lexicons)
