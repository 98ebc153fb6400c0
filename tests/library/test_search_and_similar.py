"""Search and similar cases: scores that add up, filters before ranking, an honest nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.errors import BadQuery, CaseNotFound, TermNotFound
from kg.library import Library
from kg.model import Case
from kg.queries import Hits, SameCause
from kg.vocab import Vocabulary
from tests.helpers.strategies import FEW, worlds
from tests.helpers.tiny import tiny_cases, tiny_vocabulary

QUERY = "NCCL watchdog timeout, power dropped to 190 W, training stopped"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Library:
    path = tmp_path_factory.mktemp("tiny") / "tiny.duckdb"
    return kg.build_library(tiny_cases(), path, vocabulary=tiny_vocabulary(), encoder="hash")


def check_hits(library: Library, hits: Hits, allowed: set[str], text: bool = True) -> None:
    """`text`: the answer is to a text, and has probabilities; else to a case, with scores only."""
    every = (*hits.items, *hits.weaker)
    assert {h.id for h in every} <= allowed
    assert len({h.id for h in every}) == len(every)
    assert [(-h.score, h.id) for h in every] == sorted((-h.score, h.id) for h in every)
    assert all(h.level >= hits.threshold for h in hits.items)
    assert all(h.level < hits.threshold for h in hits.weaker)
    assert [h.level for h in every] == sorted((h.level for h in every), reverse=True)
    for hit in every:
        assert set(hit.parts) == {"dense", "words", "graph", *(["late"] if text else [])}
        assert hit.score == pytest.approx(sum(hit.parts.values()), abs=1e-9)
        assert 0 <= hit.level <= 1
        if text:
            assert hit.level == hit.probability
        else:
            assert (hit.level, hit.probability) == (hit.score, None)
            assert all(part >= 0 for part in hit.parts.values())
        case = library.get(hit.id)
        for p in hit.passages:
            assert case.text(p.field, p.lang)[p.start : p.end] == p.text
        assert [p.score for p in hit.passages] == sorted(
            (p.score for p in hit.passages), reverse=True
        )
        for t in hit.shared:
            assert library.vocabulary.get(t.term).scheme == t.kind
            assert t.status in ("confirmed", "suspected")
        assert sum(share for _, share in hit.words) <= 1.001


def test_scores_are_sums_and_hits_are_in_order(quick: Library) -> None:
    hits = quick.search(QUERY, k=len(quick), threshold=0.0)
    check_hits(quick, hits, set(quick.cases))
    assert len(hits) == len(quick)


def test_the_threshold_parts_hits_from_weaker_ones(quick: Library) -> None:
    every = quick.search(QUERY, k=len(quick), threshold=0.0)
    line = every[2].probability
    assert line is not None
    hits = quick.search(QUERY, k=len(quick), threshold=line)
    check_hits(quick, hits, set(quick.cases))
    assert hits.ids == tuple(h.id for h in every if h.level >= line)
    assert [h.id for h in hits.weaker] == [h.id for h in every if h.level < line][:3]
    assert hits.message == ""


def test_nothing_similar_is_said_and_the_nearest_is_named(quick: Library) -> None:
    hits = quick.search(QUERY, threshold=1.0)
    assert (len(hits), list(hits), hits.ids) == (0, [], ())
    assert len(hits.weaker) == 3
    assert hits.weaker[0].id in hits.message
    assert f"a probability of {100 * hits.weaker[0].level:.0f} %, below the line" in hits.message
    assert "비슷한 사례가 없습니다" in quick.search("NCCL 타임아웃", threshold=1.0).message


def test_when_no_case_passes_the_filter_that_is_said(quick: Library) -> None:
    hits = quick.search(QUERY, before="1990-01-01")
    assert (hits.items, hits.weaker) == ((), ())
    assert hits.message == "No case is left to compare with."


def test_an_answer_can_be_cut_again(quick: Library) -> None:
    hits = quick.search(QUERY, k=len(quick), threshold=0.0)
    line = hits[1].level
    assert hits.above(line).ids == tuple(h.id for h in hits if h.level >= line)
    assert hits.above(1.1).ids == ()
    assert hits.above(1.1).above(0.0).ids == hits.ids
    assert hits.above(line).threshold == line


@pytest.mark.parametrize("k", [1, 2, 5, 1000])
def test_k_is_at_most_how_many(quick: Library, k: int) -> None:
    every = quick.search(QUERY, k=len(quick), threshold=0.0)
    assert quick.search(QUERY, k=k, threshold=0.0).ids == every.ids[:k]


@pytest.mark.parametrize("text", ["", " ", "\n\t", "…?!", "–", "🔥"])
def test_a_query_without_words_is_refused(quick: Library, text: str) -> None:
    with pytest.raises(BadQuery, match="no words"):
        quick.search(text)


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one_is_refused(quick: Library, k: int) -> None:
    with pytest.raises(BadQuery, match="k must be 1 or more"):
        quick.search(QUERY, k=k)
    with pytest.raises(BadQuery, match="k must be 1 or more"):
        quick.similar(sorted(quick.cases)[0], k=k)


@pytest.mark.parametrize(
    "text",
    [
        "'; DROP TABLE cases; --",
        "<script>alert(1)</script>",
        "a" * 20_000,
        "\x00 x",
        "NCCL\u202e",
        "%s {0}",
    ],
)
def test_any_text_is_only_text(quick: Library, text: str) -> None:
    check_hits(quick, quick.search(text, threshold=0.0, k=3), set(quick.cases))
    assert len(quick.list().items) == len(quick)


def test_filters_come_before_ranking(quick: Library) -> None:
    for facets in ({"kind": "incident"}, {"kind": "series"}, {"component": "nccl"}):
        allowed = set(quick.list(**facets).ids)
        assert 0 < len(allowed) < len(quick)
        hits = quick.search(QUERY, k=len(quick), threshold=0.0, **facets)
        check_hits(quick, hits, allowed)
        assert set(hits.ids) == allowed
        every = quick.search(QUERY, k=len(quick), threshold=0.0)
        assert hits.ids == tuple(i for i in every.ids if i in allowed)
        for hit in hits:
            judge = next(h for h in every if h.id == hit.id)
            assert hit.parts == pytest.approx(judge.parts, abs=2e-6)
            assert hit.probability == pytest.approx(judge.probability, abs=2e-4)


def test_a_filter_and_facets_together_are_refused(quick: Library) -> None:
    wanted = quick.filter(kind="incident")
    assert (
        quick.search(QUERY, wanted=wanted, threshold=0).ids
        == quick.search(QUERY, kind="incident", threshold=0).ids
    )
    with pytest.raises(BadQuery, match="not both"):
        quick.search(QUERY, wanted=wanted, kind="incident")
    with pytest.raises(TermNotFound):
        quick.search(QUERY, component="nothing-like-it")


def test_terms_of_the_query_are_understood_and_shared(tiny: Library) -> None:
    hits = tiny.search("NCCL timeout on an H100, no race condition", threshold=0.0, k=9)
    understood = {(t.term, t.negated) for t in hits.understood}
    assert understood == {
        ("symptom:nccl-timeout", False), ("component:nccl", False), ("component:h100", False),
        ("cause:race", True),
    }  # fmt: skip
    shared = {h.id: [t.term for t in h.shared] for h in hits}
    assert set(shared["A-1"]) == {"symptom:nccl-timeout", "component:nccl"}
    assert "component:h100" in shared["A-3"]
    assert "symptom:failure" in shared["A-3"]
    assert "cause:race" not in shared["A-2"]


def graph_parts(library: Library, text: str) -> dict[str, float]:
    return {h.id: h.parts["graph"] for h in library.search(text, threshold=0.0, k=9)}


def test_a_denied_term_does_not_make_a_case_nearer(tiny: Library) -> None:
    """A-1 and S-1 have no component of the question; only A-1 has the symptom."""
    named = graph_parts(tiny, "NCCL timeout on PyTorch")
    denied = graph_parts(tiny, "no NCCL timeout on PyTorch")
    assert named["B-2"] > named["S-1"]
    assert denied["B-2"] == denied["S-1"]
    assert denied["A-2"] > denied["A-1"]  # PyTorch is not denied, and A-2 has it


@pytest.mark.parametrize("text", ["no NCCL timeout", "NCCL 타임아웃은 없었다"])
def test_a_question_that_only_denies_says_nothing_to_the_graph(tiny: Library, text: str) -> None:
    only = [t for t in tiny.tag(text) if t.term == "symptom:nccl-timeout"]
    assert only
    assert all(t.negated for t in only)
    shared = {t.term for h in tiny.search(text, threshold=0.0, k=9) for t in h.shared}
    assert "symptom:nccl-timeout" not in shared


@pytest.mark.parametrize("text", ["NCCL timeout", "was it mismatched collectives? not sure"])
def test_a_text_confirms_no_cause(tiny: Library, text: str) -> None:
    verdicts = {h.same_cause for h in tiny.search(text, threshold=0.0, k=9)}
    assert verdicts == {SameCause.UNKNOWN}


def test_another_threshold_brings_another_message(tiny: Library) -> None:
    hits = tiny.search("NCCL timeout", threshold=0.0)
    assert hits.message == ""
    assert "Nothing in this library is like this" in hits.above(2.0).message
    assert hits.above(2.0).above(0.0).message == ""


def test_the_language_follows_the_query_unless_given(tiny: Library) -> None:
    assert tiny.search("NCCL timeout", threshold=0.0)[0].title.startswith("Title of")
    assert tiny.search("NCCL 타임아웃", threshold=0.0)[0].title.endswith("의 제목")
    assert tiny.search("NCCL 타임아웃", threshold=0.0, lang="en")[0].title.startswith("Title of")


def test_the_same_question_has_the_same_answer(quick: Library) -> None:
    assert quick.search(QUERY, threshold=0.0) == quick.search(QUERY, threshold=0.0)


def test_similar_never_holds_the_case_itself(quick: Library) -> None:
    for case_id in quick.cases:
        hits = quick.similar(case_id, k=len(quick))
        check_hits(quick, hits, set(quick.cases) - {case_id}, text=False)
        assert len(hits) == len(quick) - 1
        assert hits.query == case_id


def test_similar_tells_whether_the_cause_is_the_same_and_what_differs(tiny: Library) -> None:
    hits = {h.id: h for h in tiny.similar("A-1", k=9)}
    assert {i: str(h.same_cause) for i, h in hits.items()} == {
        "A-2": "yes", "A-3": "no", "B-1": "no", "B-2": "unknown", "S-1": "no",
    }  # fmt: skip
    assert hits["A-2"].difference == ""
    assert "What differs" in hits["A-3"].difference
    assert "다른 점" in tiny.similar("A-1", k=9, lang="ko")[-1].difference


def test_the_case_that_shares_the_most_is_nearest(tiny: Library) -> None:
    assert tiny.similar("A-1", k=1).ids == ("A-2",)
    assert tiny.similar("A-2", k=1).ids == ("A-1",)
    assert tiny.similar("A-1", k=1)[0].shared[0].term == "cause:mismatch"


def test_similar_filters_before_ranking(tiny: Library) -> None:
    assert tiny.similar("A-1", k=9, kind="study").ids == ("S-1",)
    assert tiny.similar("A-1", k=9, cause="mismatch").ids == ("A-2",)


def test_the_stored_neighbours_are_those_of_similar(quick: Library) -> None:
    table = quick.sql(
        "SELECT case_id, other_id, score, dense, words, graph, same_cause "
        "FROM similarity ORDER BY case_id, rank"
    )
    judge = [
        (i, h.id, h.score, h.parts["dense"], h.parts["words"], h.parts["graph"], str(h.same_cause))
        for i in sorted(quick.cases) for h in quick.similar(i, k=20)
    ]  # fmt: skip
    assert list(table.rows) == judge


def test_an_exact_duplicate_is_found_and_is_not_the_case_itself(tmp_path: Path) -> None:
    (original, *rest) = tiny_cases()
    twin = original.model_copy(update={"id": "A-0"})
    vocabulary = tiny_vocabulary()
    with kg.build_library(
        [original, twin, *rest], tmp_path / "x.duckdb", vocabulary=vocabulary, encoder="hash"
    ) as it:
        assert it.similar("A-1", k=1).ids == ("A-0",)
        assert it.similar("A-0", k=1).ids == ("A-1",)
        assert it.similar("A-0", k=1)[0].same_cause is SameCause.YES


def test_a_library_of_one_case_has_nothing_similar(tmp_path: Path) -> None:
    vocabulary = tiny_vocabulary()
    with kg.build_library(
        tiny_cases()[0], tmp_path / "x.duckdb", vocabulary=vocabulary, encoder="hash"
    ) as it:
        assert it.similar("A-1").ids == ()
        assert it.search("NCCL timeout", threshold=0.0).ids == ("A-1",)


def test_a_missing_case_is_told_with_ids_that_look_like_it(tiny: Library) -> None:
    for ask in (tiny.similar, tiny.get, tiny.check_components):
        with pytest.raises(CaseNotFound, match="A-1"):
            ask("A-11")
    assert tiny.find("A-11") is None
    with pytest.raises(CaseNotFound):
        tiny.explain("A-1", "nothing")


@FEW
@given(st.data())
def test_random_libraries_keep_the_rules(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    world: tuple[Vocabulary, list[Case]] = data.draw(worlds(least=2))
    vocabulary, cases = world
    text = data.draw(
        st.sampled_from([s for t in vocabulary.terms.values() for _, s in t.spellings()])
    )
    path = tmp_path_factory.mktemp("random") / "x.duckdb"
    with kg.build_library(cases, path, vocabulary=vocabulary, encoder="hash") as library:
        ids = set(library.cases)
        check_hits(library, library.search(text, k=3, threshold=0.1), ids)
        for case_id in ids:
            hits = library.similar(case_id, k=99)
            check_hits(library, hits, ids - {case_id}, text=False)
            assert set(hits.ids) == ids - {case_id}
