"""The lanes of a text over a library, each against a slow, obvious twin."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from embeddings import (
    EmbeddedQuery,
    HashEncoder,
    Ranking,
    TokenTable,
    embed_query,
    fitted,
    tokenize,
)
from embeddings.fusion import BRIDGE, WORD_LANES
from embeddings.late import decode
from embeddings.query import query_parts
from embeddings.tokens import letter_grams
from kg.library import Library
from kg.library.documents import FIELD_WEIGHTS, document_of
from kg.library.fitted import case_fusion, case_words
from kg.library.text_lanes import GRAPH_FLOOR, LANES, TextLanes
from kg.queries.sharing import KIND_WEIGHTS
from kg.vocab import Tag
from tests.helpers import twins

ENGLISH = "NCCL watchdog timeout, all_reduce stuck on rank 3, power at 190 W"
KOREAN = "GPU 사용률은 100%인데 NCCL 통신이 멈췄다"
LONG = "\n".join([ENGLISH, *(f"{w} went down with an ECC error again." * 3 for w in "abcdef")] * 2)
TEXTS = [ENGLISH, KOREAN, LONG]
OF = [None, "en", "ko"]


@pytest.fixture(scope="module", params=OF, ids=["both", "en", "ko"])
def lanes(request: pytest.FixtureRequest, quick: Library) -> TextLanes:
    return TextLanes(quick._snapshot, quick.graph, request.param)


def asked(quick: Library, lanes: TextLanes, text: str) -> Ranking:
    return lanes.rank(embed_query(quick.encoder, text), quick.labels(text), lanes.ids)


def cosines(quick: Library, lanes: TextLanes, text: str) -> list[dict[int, float]]:
    """For each part of a text: passage number -> cosine, of the passages in the lanes' language."""
    found = []
    for part in query_parts(text):
        vector = quick.encoder.encode_queries([part])[0].tolist()
        found.append(
            {
                n: sum(
                    a * float(b) for a, b in zip(vector, quick._snapshot.vectors[n], strict=True)
                )
                for n, p in enumerate(quick._snapshot.passages)
                if lanes._lang in (None, p.lang)
            }
        )
    return found


def of_case(quick: Library, case_id: str, numbers: Mapping[int, float]) -> list[int]:
    return [n for n in numbers if quick._snapshot.passages[n].case_id == case_id]


@pytest.mark.parametrize("text", TEXTS, ids=["en", "ko", "long"])
def test_dense_is_the_best_passages_for_the_most_telling_part(
    quick: Library, lanes: TextLanes, text: str
) -> None:
    assert (len(query_parts(text)) > 1) == (text == LONG)
    few, judge = fitted().dense, []
    parts = cosines(quick, lanes, text)
    for case_id in lanes.ids:
        of_parts = [-1.0]
        for part in parts:
            best = sorted((part[n] for n in of_case(quick, case_id, part)), reverse=True)
            if best := best[: few.best_of]:
                mean = sum(best) / len(best)
                of_parts.append(few.best_share * best[0] + (1 - few.best_share) * mean)
        judge.append(max(of_parts))
    assert asked(quick, lanes, text).lanes["dense"] == pytest.approx(judge, abs=1e-5)


def bm25f(
    documents: Sequence[Mapping[str, str]],
    query: str,
    k1: float,
    b: float,
    cut: Callable[[str], list[str]],
) -> list[float]:
    """The formula as it stands in the module of the words lane, document by document."""
    counted = [{f: Counter(cut(t)) for f, t in d.items()} for d in documents]
    mean = {f: sum(d[f].total() for d in counted if f in d) / len(documents) for f in FIELD_WEIGHTS}

    def tf(document: Mapping[str, Counter[str]], word: str) -> float:
        return sum(
            FIELD_WEIGHTS[f] * c[word] / (1 - b + b * c.total() / mean[f])
            for f, c in document.items()
            if c[word]
        )

    scores = [0.0] * len(documents)
    for word, count in Counter(cut(query)).items():
        values = [tf(d, word) for d in counted]
        frequency = sum(v > 0 for v in values)
        idf = math.log1p((len(documents) - frequency + 0.5) / (frequency + 0.5))
        for row, value in enumerate(values):
            if value:
                scores[row] += (1 + math.log(count)) * idf * value / (k1 + value)
    return scores


@pytest.mark.parametrize("text", [ENGLISH, KOREAN], ids=["en", "ko"])
def test_words_and_grams_are_bm25f_over_the_texts_of_the_language(
    quick: Library, lanes: TextLanes, text: str
) -> None:
    documents = [document_of(c, quick.vocabulary, lanes._lang) for c in quick._snapshot.cases]
    own, found = case_words(FIELD_WEIGHTS), asked(quick, lanes, text).lanes
    words = bm25f(documents, text, own.k1, own.b, tokenize)
    grams = bm25f(documents, text, own.grams_k1, own.grams_b, letter_grams)
    assert found["words"] == pytest.approx(words, rel=1e-5)
    assert found["grams"] == pytest.approx(grams, rel=1e-5)
    assert any(words)
    assert any(grams)


@pytest.mark.parametrize("text", TEXTS, ids=["en", "ko", "long"])
def test_words_of_a_case_sum_to_its_score(quick: Library, lanes: TextLanes, text: str) -> None:
    found = asked(quick, lanes, text).lanes["words"]
    for case_id in lanes.ids:
        told = lanes.words_of(text, case_id)
        assert sum(value for _, value in told) == pytest.approx(found[lanes.row[case_id]], rel=1e-5)
        assert [value for _, value in told] == sorted((v for _, v in told), reverse=True)


@pytest.mark.parametrize("text", [ENGLISH, KOREAN], ids=["en", "ko"])
def test_late_is_maxsim_over_the_best_passages(quick: Library, lanes: TextLanes, text: str) -> None:
    encoder, settings = HashEncoder(), fitted().late
    assert len(lanes.ids) <= settings.documents  # so that it looks at all of them
    (tokens,) = encoder.encode_queries_with_tokens([text])[1]
    (near,) = cosines(quick, lanes, text)
    judge = []
    for case_id in lanes.ids:
        numbers = sorted(of_case(quick, case_id, near), key=lambda n: (-near[n], n))
        values = []
        for n in numbers[: settings.passages]:
            (codes,) = encoder.encode_passages_with_tokens([quick._snapshot.passages[n].text])[1]
            theirs = decode(codes).tolist()
            values.append(
                statistics.fmean(
                    max(sum(a * b for a, b in zip(q, p, strict=True)) for p in theirs)
                    for q in tokens.tolist()[: settings.tokens]
                )
            )
        judge.append(max(values))
    assert asked(quick, lanes, text).lanes["late"] == pytest.approx(judge, abs=1e-4)


def test_the_token_table_holds_the_passages_of_the_language(
    quick: Library, lanes: TextLanes
) -> None:
    table, snapshot = lanes.retriever.tokens, quick._snapshot
    assert table is not None
    assert snapshot.token_codes is not None
    assert snapshot.token_starts is not None
    whole = TokenTable(snapshot.token_codes, snapshot.token_starts)
    mine = [n for n, p in enumerate(snapshot.passages) if lanes._lang in (None, p.lang)]
    assert len(table) == len(mine) == len(lanes.retriever.owners)
    for row, number in enumerate(mine):
        assert np.array_equal(table.codes_of(row), whole.codes_of(number))
        assert lanes.ids[lanes.retriever.owners[row]] == snapshot.passages[number].case_id


@pytest.mark.parametrize(
    "text",
    ["NCCL timeout, the training job hung", "학습 작업 실패, NCCL 타임아웃", "no OOM was seen"],
)
def test_graph_is_the_share_of_the_questions_term_weight(
    quick: Library, lanes: TextLanes, text: str
) -> None:
    rows = {i: twins.weights(quick.graph, quick.vocabulary, i) for i in lanes.ids}
    frequency = twins.frequencies(rows)
    wanted: dict[str, float] = {}
    for tag in quick.labels(text):
        for term, steps in twins.above(quick.vocabulary, tag.term).items():
            if not tag.negated:
                wanted[term] = max(wanted.get(term, 0.0), tag.confidence * 0.5**steps)
    rarities = {t: twins.rarity(frequency.get(t, 0), len(rows)) for t in {*frequency, *wanted}}
    most = sum(
        w * rarities[t] * KIND_WEIGHTS.get(t.partition(":")[0], 0.0) for t, w in wanted.items()
    )
    found = asked(quick, lanes, text).lanes["graph"]
    for case_id in lanes.ids:
        shared = twins.overlap(wanted, rows[case_id], rarities, KIND_WEIGHTS)
        assert found[lanes.row[case_id]] == pytest.approx(shared / max(most, GRAPH_FLOOR))
        assert 0 <= found[lanes.row[case_id]] <= 1
    assert found.any() == ("no OOM" not in text)


def test_a_term_counts_by_its_surest_place_and_not_where_it_is_denied(
    quick: Library, lanes: TextLanes
) -> None:
    def graph(*tags: Tag) -> list[float]:
        query = EmbeddedQuery("x", np.zeros((0, 64), np.float32), None)
        return lanes.rank(query, tags, lanes.ids).lanes["graph"].tolist()

    sure = quick.labels("NCCL timeout")[0]
    unsure, denied = replace(sure, confidence=0.25), replace(sure, negated=True)
    assert graph(unsure, sure) == graph(sure, unsure) == graph(sure, denied) == graph(sure)
    assert not any(graph(denied))


@pytest.mark.parametrize("text", TEXTS, ids=["en", "ko", "long"])
def test_parts_are_weighted_standard_scores(quick: Library, lanes: TextLanes, text: str) -> None:
    found, fusion = asked(quick, lanes, text), case_fusion()
    judge: dict[str, list[float]] = dict.fromkeys(LANES, [0.0] * len(lanes.ids))
    for lane, scores in found.lanes.items():
        weight, part = fusion.weights[lane], "words" if lane in WORD_LANES else lane
        if lane == BRIDGE:
            weight *= 1 - found.known_share
        elif part == "words":
            weight *= found.known_share**fusion.coverage_power
        mean, deviation = statistics.fmean(scores), statistics.pstdev(scores)
        own = [weight * (s - mean) / deviation if deviation else 0.0 for s in scores]
        judge[part] = [a + b for a, b in zip(judge[part], own, strict=True)]
    assert set(found.parts) == set(LANES)
    for part, values in judge.items():
        assert found.parts[part] == pytest.approx(values, abs=2e-6)
    assert found.total == pytest.approx(np.sum(list(judge.values()), axis=0), abs=1e-5)


def test_the_best_passages_are_numbered_as_in_the_library(quick: Library, lanes: TextLanes) -> None:
    found = asked(quick, lanes, ENGLISH)
    (near,) = cosines(quick, lanes, ENGLISH)
    for case_id in lanes.ids:
        numbers = sorted(of_case(quick, case_id, near), key=lambda n: (-round(near[n], 5), n))
        best = lanes.best_passages(found, case_id, 3)
        assert len(best) == 3
        for number, cosine in best:
            assert cosine == pytest.approx(near[number], abs=1e-5)
            assert quick._snapshot.passages[number].case_id == case_id
        assert near[best[0][0]] == pytest.approx(near[numbers[0]], abs=1e-5)


def test_a_language_that_no_case_has_is_empty_but_for_terms(quick: Library) -> None:
    lanes = TextLanes(quick._snapshot, quick.graph, "ja")
    found = asked(quick, lanes, ENGLISH)
    assert set(found.lanes["dense"].tolist()) == {-1.0}
    assert np.isnan(found.lanes["late"]).all()
    assert not found.parts["dense"].any()
    assert not found.parts["late"].any()
    assert found.parts["graph"].any()
    assert found.lanes["words"].any()  # the names of the cases' terms are in every language
    assert lanes.best_passages(found, lanes.ids[0], 3) == []


def test_the_texts_of_one_language_are_those_of_the_cases(quick: Library) -> None:
    for case in quick._snapshot.cases:
        both = document_of(case, quick.vocabulary)
        for lang in ("en", "ko"):
            own = document_of(case, quick.vocabulary, lang)
            assert own["terms"] == both["terms"]
            for field, text in own.items():
                if field != "terms":
                    assert text == case.text(field, lang)


def test_what_is_ruled_out_does_not_name_a_case(quick: Library) -> None:
    for case in quick._snapshot.cases:
        stated = {t for c in case.claims if c.status != "ruled_out" for t in c.terms}
        denied = {t for c in case.claims for t in c.terms} - stated
        names = document_of(case, quick.vocabulary)["terms"].splitlines()
        for term in denied:
            only = {s for _, s in quick.vocabulary.terms[term].spellings()}
            others = {s for t in stated for _, s in quick.vocabulary.terms[t].spellings()}
            assert not (only - others) & set(names)


def test_cases_that_are_not_allowed_are_searched_but_move_nothing(
    quick: Library, lanes: TextLanes
) -> None:
    every = asked(quick, lanes, ENGLISH)
    query = embed_query(quick.encoder, ENGLISH)
    only = lanes.rank(query, quick.labels(ENGLISH), ["IL-0126"])
    row = lanes.row["IL-0126"]
    assert only.total[row] == pytest.approx(every.total[row], abs=2e-6)
    assert lanes.best_passages(only, "IL-0126", 3) == lanes.best_passages(every, "IL-0126", 3)
