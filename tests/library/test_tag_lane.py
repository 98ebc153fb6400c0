"""The graph lane over plain documents against a plain weighted Jaccard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.library.tag_lane import TagLane, surest
from kg.queries.sharing import KIND_WEIGHTS
from kg.vocab import Tag, Tagger
from tests.helpers import twins
from tests.helpers.tiny import TERMS, tiny_vocabulary

VOCABULARY = tiny_vocabulary()
NAMES = [s for t in TERMS for _, s in t.spellings()]
PIECE = st.one_of(st.sampled_from(NAMES), st.sampled_from(["broke", "no", "멈췄다", "on Monday"]))
TEXT = st.lists(PIECE, max_size=5).map(". ".join)
DOCUMENTS = st.lists(st.lists(TEXT, max_size=3), max_size=6)
TAGGER = Tagger(VOCABULARY)


class Unsure(Tagger):
    """Names, surer the longer the text is."""

    def tag(self, text: str) -> tuple[Tag, ...]:
        sureness = 1 - 1 / (2 + len(text))
        return tuple(replace(tag, confidence=sureness) for tag in super().tag(text))


UNSURE = Unsure(VOCABULARY)


def slow_terms(tagged: Iterable[Sequence[Tag]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for tag in (t for tags in tagged for t in tags if not t.negated):
        for term, steps in twins.above(VOCABULARY, tag.term).items():
            found[term] = max(found.get(term, 0.0), tag.confidence * 0.5**steps)
    return found


def slow_scores(documents: list[list[str]], query: str) -> list[float]:
    """Sum of minima over sum of maxima, over terms that some document has."""
    rows = {str(i): slow_terms(map(UNSURE.tag, passages)) for i, passages in enumerate(documents)}
    value = {
        t: twins.rarity(n, len(documents)) * KIND_WEIGHTS.get(t.partition(":")[0], 0.0)
        for t, n in twins.frequencies(rows).items()
    }
    wanted = {t: w for t, w in slow_terms([UNSURE.tag(query)]).items() if t in value}
    scores = []
    for row in rows.values():
        terms = set(row) | set(wanted)
        less = sum(min(row.get(t, 0), wanted.get(t, 0)) * value[t] for t in terms)
        more = sum(max(row.get(t, 0), wanted.get(t, 0)) * value[t] for t in terms)
        scores.append(less / more if more else 0.0)
    return scores


def lane_of(documents: list[str]) -> TagLane:
    """Documents of one passage each, all sure."""
    lane = TagLane(VOCABULARY, TAGGER)
    lane.fit([[text] for text in documents])
    return lane


@settings(deadline=None)
@given(DOCUMENTS, TEXT)
def test_scores_equal_the_twin(documents: list[list[str]], query: str) -> None:
    lane = TagLane(VOCABULARY, UNSURE)
    lane.fit(documents)
    found = lane.scores(query)
    assert found.shape == (len(documents),)
    assert found.tolist() == pytest.approx(slow_scores(documents, query), abs=1e-9)
    assert ((found >= 0) & (found <= 1 + 1e-9)).all()


@settings(deadline=None)
@given(st.lists(TEXT, min_size=2, max_size=6), st.data())
def test_a_document_is_most_like_itself(documents: list[str], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(documents) - 1))
    found = lane_of(documents).scores(documents[number])
    assert found[number] == pytest.approx(1) or found[number] == 0
    assert found.max() == pytest.approx(found[number])


def test_a_korean_question_and_an_english_report_meet_in_their_terms() -> None:
    documents = ["It ended in a NCCL timeout.", "The port says link down.", "느린 학습을 겪었다"]
    lane = lane_of(documents)
    assert int(lane.scores("NCCL 타임아웃이 났다").argmax()) == 0
    assert int(lane.scores("링크 다운").argmax()) == 1
    assert int(lane.scores("slow training").argmax()) == 2


def test_a_broader_term_counts_less_than_the_term_itself() -> None:
    lane = lane_of(["ECC error", "GPU fault", "link down", "slow training"])
    exact, broader, cousin, other = lane.scores("ECC error")
    assert exact > broader > cousin > other == 0


def test_what_is_denied_counts_nothing() -> None:
    lane = lane_of(["NCCL timeout", "slow training"])
    assert lane.scores("slow training")[1] > 0
    assert not lane.scores("there was no slow training").any()


@pytest.mark.parametrize("query", ["", "nothing that is known", "Alpha Labs"])
def test_a_question_without_terms_that_count_gives_zeros(query: str) -> None:
    assert not lane_of(["NCCL timeout", "Alpha Labs"]).scores(query).any()


def test_a_term_that_every_document_names_counts_next_to_nothing() -> None:
    documents = ["NCCL timeout, restart"] * 30 + ["NCCL timeout, slow training"]
    scores = lane_of(documents).scores("NCCL timeout, slow training")
    assert scores[-1] == pytest.approx(1)
    assert scores[:-1].max() < 0.05


def test_a_document_is_as_sure_as_its_surest_passage() -> None:
    class Told(Tagger):
        def tag(self, text: str) -> tuple[Tag, ...]:
            sureness = 0.3 if text.startswith("perhaps") else 0.9
            return tuple(replace(tag, confidence=sureness) for tag in super().tag(text))

    perhaps, surely = "perhaps a NCCL timeout", "surely a NCCL timeout"
    lane = TagLane(VOCABULARY, Told(VOCABULARY))
    lane.fit([[perhaps], [perhaps, surely], [surely], [], ["surely slow training"]])
    one, both, other, none, off = lane.scores("NCCL timeout")
    assert one < both == other
    assert none == off == 0


def test_what_a_passage_denies_another_may_state() -> None:
    lane = TagLane(VOCABULARY, TAGGER)
    lane.fit([["no slow training at first", "then slow training"], ["no slow training"], ["x"]])
    first, denied, other = lane.scores("slow training")
    assert first > denied == other == 0


def test_fitting_again_forgets() -> None:
    lane = lane_of(["NCCL timeout", "slow training"])
    lane.fit([["link down"]])
    assert lane.scores("NCCL timeout").tolist() == [0]
    assert lane.scores("link down").tolist() == [1]


def test_before_fitting_there_are_no_documents() -> None:
    assert TagLane(VOCABULARY, TAGGER).scores("NCCL timeout").shape == (0,)


def test_the_same_again_is_the_same() -> None:
    documents = ["NCCL timeout after a version upgrade", "ECC error, restart"]
    one, other = (lane_of(documents).scores("NCCL timeout, restart") for _ in range(2))
    assert np.array_equal(one, other)


@pytest.mark.parametrize("text", ["", "NCCL timeout", "no NCCL timeout", "NCCL timeout, no NCCL"])
def test_the_surest_place_of_each_term_that_is_not_denied(text: str) -> None:
    tags = [
        replace(t, confidence=c, start=t.start + n)
        for n, c in enumerate((0.2, 0.7, 0.4))
        for t in TAGGER.tag(text)
    ]
    assert surest(tags) == {t.term: 0.7 for t in tags if not t.negated}
