"""The tagger of a library: taught by the claims of its cases, in the space of its own vectors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from embeddings import tokenize
from kg.model import Case, Status
from kg.vocab import Examples, MeaningTagger, Tagger, term_texts
from kg.vocab.weights import shipped_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embeddings import Encoder
    from kg.store import Passage, Snapshot
    from kg.vocab import Vocabulary


def term_passages(vocabulary: Vocabulary) -> list[str]:
    """What a build embeds of a vocabulary beside the passages of its cases."""
    return [text for _, _, text in term_texts(vocabulary)]


def examples_of(
    cases: Sequence[Case], passages: Sequence[Passage], vectors: NDArray[np.float32]
) -> Examples:
    """The passages of cases, with the terms whose evidence stands in them."""
    return Examples(
        vectors,
        [p.lang for p in passages],
        sorted(set(_stated(cases, passages))),
    )


def stated_terms(case: Case) -> set[str]:
    """The terms that a case confirms or suspects."""
    return {t for c in case.claims if c.status != Status.RULED_OUT for t in c.terms}


def make_tagger(
    snapshot: Snapshot, encoder: Encoder, labels: Tagger | None = None
) -> MeaningTagger:
    """A tagger for a library; the terms are embedded unless the encoder remembers them.

    `labels`: the library's tagger of names, made where not given.
    """
    return MeaningTagger(
        snapshot.vocabulary,
        encoder.encode_passages(term_passages(snapshot.vocabulary)),
        examples_of(snapshot.cases, snapshot.passages, snapshot.vectors),
        encoder.encode_queries,
        tokenize,
        shipped_weights(),
        labels,
    )


def _stated(cases: Sequence[Case], passages: Sequence[Passage]) -> Iterator[tuple[str, int]]:
    """Each term of a claim with the passage that holds most of each span of its evidence."""
    within: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for number, p in enumerate(passages):
        within[p.case_id, p.field, p.lang].append(number)
    for case in cases:
        for claim in case.claims:
            if claim.status == Status.RULED_OUT:
                continue
            for span in claim.evidence:
                start, end = case.locate(span)
                held = [
                    (max(start, passages[i].start) - min(end, passages[i].end), i)
                    for i in within[case.id, span.field, span.lang]
                ]
                if held and min(held)[0] < 0:
                    for term in claim.terms:
                        yield term, min(held)[1]
