"""Every kind of index against brute force: exact scores, ties by row, filters, recall, saving."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from embeddings import BadIndexFolder, BadVector, Neighbor, VectorIndex, approximate
from embeddings import index as module
from embeddings.approximate import PLANS, TRIAL_RECALL, Lists, Plan, _centres, recall

KINDS = ("exact", "approximate", "auto")
SHIPPED = Path(__file__).parents[2] / "datasets/vectors/default.npz"

Make = Callable[[np.ndarray], VectorIndex]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Quick also where the tests run side by side."""
    import faiss

    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    yield
    faiss.omp_set_num_threads(before)


@pytest.fixture(params=KINDS)
def make(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes an index of each kind; `auto` is approximate above 500 vectors."""
    monkeypatch.setattr(module, "EXACT_UP_TO", 500)

    def make(vectors: np.ndarray) -> VectorIndex:
        index = VectorIndex(vectors.shape[1], "test/1", request.param)
        index.add(vectors)
        return index

    return make


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def topics(count: int, dimension: int = 64, seed: int = 1) -> np.ndarray:
    """Like passages of e5: one common direction, topics within topics, a spectrum that falls."""
    random = np.random.default_rng(seed)
    falling = 1 / np.sqrt(1 + np.arange(dimension) / 4)
    broad = np.random.default_rng(2).normal(size=(30, dimension))
    narrow = np.repeat(broad, 12, axis=0) + 0.7 * np.random.default_rng(3).normal(
        size=(360, dimension)
    )
    weights = 1 / (1 + np.arange(360))  # a few topics hold most of the passages
    chosen = narrow[random.choice(360, count, p=weights / weights.sum())]
    return unit(8 * np.eye(dimension)[0] + (chosen + random.normal(size=chosen.shape)) * falling)


@cache
def passages(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Shipped passages under the default encoder and points between neighbours; 60 kept back."""
    with np.load(SHIPPED) as file:
        real = unit(file["vectors"].astype(np.float32))
    random = np.random.default_rng(4)
    random.shuffle(real)
    asked, real = real[:60], real[60:]
    near = np.argpartition(-(real @ real.T), 11, axis=1)[:, :11]
    rows = random.integers(0, len(real), count - len(real))
    others = near[rows, random.integers(0, 11, len(rows))]
    share = random.uniform(0.5, 1, (len(rows), 1))
    return np.concatenate([real, unit(share * real[rows] + (1 - share) * real[others])]), asked


def brute(
    vectors: np.ndarray, query: np.ndarray, k: int, allowed: np.ndarray | None = None
) -> list[Neighbor]:
    """All scores by numpy in float64, sorted by (-score, row)."""
    scores = (vectors.astype(np.float64) * query.astype(np.float64)).sum(axis=1).astype(np.float32)
    rows = np.arange(len(vectors)) if allowed is None else np.unique(allowed)
    order = rows[np.argsort(-scores[rows], kind="stable")][:k]
    return [Neighbor(int(row), float(scores[row])) for row in order]


def recall_at_10(index: VectorIndex, asked: np.ndarray, allowed: np.ndarray | None = None) -> float:
    """Recall by rows, with none of the help that `recall` gives to ties."""
    scores = asked @ index.vectors.T
    if allowed is not None:
        scores[:, np.setdiff1d(np.arange(len(index)), allowed)] = -9.0
    wanted = np.argpartition(-scores, 10, axis=1)[:, :10]
    found = [{hit.row for hit in hits} for hits in index.search(asked, 10, allowed)]
    return float(np.mean([len(f & set(w)) / 10 for f, w in zip(found, wanted, strict=True)]))


# What it finds


@pytest.mark.parametrize("seed", range(8))
def test_small_indexes_equal_brute_force_whatever_the_vectors(make: Make, seed: int) -> None:
    random = np.random.default_rng(seed)
    count, dimension = random.integers(1, 350), random.integers(1, 20)
    vectors = random.choice([-1, -0.5, 0.25, 2], (count, dimension)).astype(np.float32)
    vectors = vectors[random.integers(0, max(1, count // 3), count)]  # many equal ones
    asked = random.normal(size=(4, dimension)).astype(np.float32)
    allowed = random.integers(0, count, count // 2)
    index = make(vectors)
    for k in (1, 7, count + 3):
        assert index.search(asked, k) == [brute(vectors, q, k) for q in asked]
        assert index.search(asked, k, allowed) == [brute(vectors, q, k, allowed) for q in asked]


def test_recall_on_topics(make: Make) -> None:
    everything = topics(10_100)
    index, asked = make(everything[100:]), everything[:100]
    for allowed in (None, np.arange(0, 10_000, 2), np.arange(7_000, 7_800)):
        assert recall_at_10(index, asked, allowed) >= 0.98


def test_recall_on_real_passages(make: Make) -> None:
    vectors, asked = passages(8_000)
    index = make(vectors)
    assert recall_at_10(index, asked) >= 0.98
    assert len(index.search(asked[:1], 2_000)[0]) == 2_000


def test_recall_is_kept_even_where_vectors_have_no_topics(make: Make) -> None:
    """Random directions are what lists serve worst: then the answer is exact after all."""
    index = make(unit(np.random.default_rng(5).normal(size=(6_000, 96))))
    assert recall_at_10(index, unit(np.random.default_rng(6).normal(size=(50, 96)))) >= 0.98
    assert index.kind == "exact"


def test_what_is_found_has_exact_scores_in_order_and_is_allowed(make: Make) -> None:
    vectors, allowed = topics(6_000), np.arange(1, 6_000, 3)
    asked = topics(20, seed=9)
    index = make(vectors)
    for query, hits in zip(asked, index.search(asked, 50, allowed), strict=True):
        scores = index.scores(query)
        assert [hit.score for hit in hits] == [float(scores[hit.row]) for hit in hits]
        assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.row))
        assert {hit.row for hit in hits} <= set(allowed.tolist())
        assert len({hit.row for hit in hits}) == 50


@pytest.mark.parametrize("copies", [30, 1_500])
def test_equal_vectors_stand_by_row_however_many_there_are(make: Make, copies: int) -> None:
    vectors = topics(5_000)
    rows = np.sort(np.random.default_rng(7).choice(5_000, copies, replace=False))
    vectors[rows] = topics(1, seed=8)
    hits = make(vectors).search(vectors[rows[0]], 12)[0]
    assert [hit.row for hit in hits] == rows[:12].tolist()


def test_equal_vectors_stand_by_row_when_better_ones_push_some_of_them_out(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAISS lets go of the lowest row of a tie when a better vector comes later in the list."""
    monkeypatch.setattr(approximate, "_assign", lambda rows, _: np.zeros(len(rows), np.int64))
    near, far = topics(2, seed=18)
    tied = np.tile(unit((near + 0.2 * far)[None]), (3_000, 1))
    index = make(np.concatenate([tied, np.tile(near, (20, 1)), topics(2_000)]))
    assert index.kind == ("exact" if index._wanted == "exact" else "approximate")
    hits = index.search(near, 25)[0]
    assert [hit.row for hit in hits] == [*range(3_000, 3_020), *range(5)]


def test_allowed_rows_that_all_lie_far_away(make: Make) -> None:
    vectors = topics(4_000)
    vectors[:2_000] *= [-1.0] + [1.0] * 63  # another half of the world
    vectors = np.ascontiguousarray(vectors)
    asked = topics(5, seed=10)
    far = np.arange(2_000)
    assert [len(hits) for hits in make(vectors).search(asked, 10, far)] == [10] * 5


def test_one_query_alone_is_answered_as_in_company(make: Make) -> None:
    index, asked = make(topics(5_000)), topics(40, seed=11)
    assert index.search(asked, 5) == [index.search(query, 5)[0] for query in asked]


def test_vectors_too_large_for_an_estimate_are_scored_exactly(make: Make) -> None:
    vectors = topics(600) * np.float32(3e19)
    asked = topics(3, seed=12)
    found = make(vectors).search(asked, 5)
    assert found == [brute(vectors, query, 5) for query in asked]


# When it is approximate


def test_auto_is_exact_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EXACT_UP_TO", 100)
    index = VectorIndex(64, "x")
    assert index.kind == "exact"
    index.add(topics(100))
    assert index.kind == "exact"
    index.add(topics(1))
    assert index.kind == "approximate"


@pytest.mark.parametrize("kind", ["exact", "approximate"])
def test_a_kind_can_be_forced(kind: str) -> None:
    index = VectorIndex(64, "x", kind)  # type: ignore[arg-type]
    index.add(topics(50))
    assert index.kind == kind


def test_an_empty_index_is_exact(make: Make) -> None:
    index = make(topics(0))
    assert (len(index), index.kind, index.search(topics(1), 3)) == (0, "exact", [[]])


def test_no_other_kind() -> None:
    with pytest.raises(ValueError, match="exact, approximate, got 'hnsw'"):
        VectorIndex(4, "x", "hnsw")  # type: ignore[arg-type]


def test_few_allowed_rows_are_scored_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    index = VectorIndex(64, "x", "approximate")
    index.add(vectors := topics(3_000))
    assert index.kind == "approximate"
    monkeypatch.setattr(Lists, "ask", None)  # would fail if it were called
    few = np.arange(0, 3_000, 10)
    assert index.search(vectors[5], 9, few) == [brute(vectors, vectors[5], 9, few)]


def test_vectors_added_later_are_found(make: Make) -> None:
    index = make(topics(2_000))
    index.search(topics(1), 1)
    index.add(late := topics(1_000, seed=13))
    for row in (0, 500, 999):
        assert index.search(late[row], 1)[0][0].row == 2_000 + row


def test_a_refused_vector_changes_nothing(make: Make) -> None:
    index = make(topics(600))
    before = index.kind, index.search(topics(2, seed=14), 5)
    with pytest.raises(BadVector):
        index.add(np.zeros(64))
    assert (index.kind, index.search(topics(2, seed=14), 5)) == before


# The same again


def test_building_is_repeatable_whatever_the_number_of_threads() -> None:
    import faiss

    vectors, asked, answers = topics(5_000), topics(20, seed=15), []
    for threads in (1, 2, 1):
        faiss.omp_set_num_threads(threads)
        index = VectorIndex(64, "x", "approximate")
        index.add(vectors)
        answers.append(index.search(asked, 20))
    assert answers[0] == answers[1] == answers[2]


def test_adding_in_parts_is_adding_at_once(make: Make) -> None:
    vectors, asked = topics(3_000), topics(10, seed=16)
    whole, parts = make(vectors), make(vectors[:10])
    parts.search(asked, 1)
    parts.add(vectors[10:1_900])
    parts.search(asked, 1)
    parts.add(vectors[1_900:])
    assert whole.search(asked, 10) == parts.search(asked, 10)


# Saving


def test_saved_and_loaded_it_answers_the_same(make: Make, tmp_path: Path) -> None:
    vectors, asked = topics(3_000), topics(10, seed=17)
    index = make(vectors)
    index.save(tmp_path)
    found = index.search(asked, 10)
    for kind in KINDS:
        loaded = VectorIndex.load(tmp_path, "test/1", kind)  # type: ignore[arg-type]
        assert np.array_equal(loaded.vectors, vectors)
        if loaded.kind == index.kind:
            assert loaded.search(asked, 10) == found


def test_lists_that_were_saved_are_not_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = VectorIndex(64, "x", "approximate")
    index.add(topics(2_000))
    index.save(tmp_path)
    monkeypatch.setattr(Lists, "build", None)  # would fail if it were called
    assert VectorIndex.load(tmp_path, kind="approximate").kind == "approximate"
    assert VectorIndex.load(tmp_path, kind="exact").kind == "exact"
    assert VectorIndex.load(tmp_path).kind == "exact"


def test_saving_is_byte_stable_and_clears_what_is_old(tmp_path: Path) -> None:
    index = VectorIndex(64, "x", "approximate")
    index.add(topics(1_000))
    index.save(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(before) == 3
    VectorIndex.load(tmp_path, kind="approximate").save(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    index.add(topics(1))
    index.save(tmp_path)
    assert len(list(tmp_path.iterdir())) == 3
    VectorIndex.load(tmp_path, kind="exact").save(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


DAMAGE: dict[str, Callable[[dict[str, object]], object]] = {
    "not an object": lambda lists: [lists],
    "no count": lambda lists: {k: v for k, v in lists.items() if k != "count"},
    "a count that is true": lambda lists: lists | {"count": True},
    "too few lists": lambda lists: lists | {"count": 3},
    "more lists than vectors": lambda lists: lists | {"count": 10**9},
    "a plan of its own": lambda lists: lists | {"share": 0.001},
    "no such file": lambda lists: lists | {"file": "lists-0.npy"},
    "another file": lambda lists: lists | {"file": "../../etc/hosts"},
    "another checksum": lambda lists: lists | {"sha256": "0"},
}


@pytest.mark.parametrize("how", DAMAGE)
def test_damaged_lists_are_a_clear_error(tmp_path: Path, how: str) -> None:
    index = VectorIndex(64, "x", "approximate")
    index.add(topics(300))
    index.save(tmp_path)
    meta = tmp_path / "meta.json"
    facts = json.loads(meta.read_text())
    meta.write_text(json.dumps(facts | {"lists": DAMAGE[how](facts["lists"])}))
    with pytest.raises(BadIndexFolder, match="build the index again"):
        VectorIndex.load(tmp_path, kind="approximate")
    assert len(VectorIndex.load(tmp_path, kind="exact")) == 300


def test_lists_of_other_vectors_are_a_clear_error(tmp_path: Path) -> None:
    index = VectorIndex(64, "x", "approximate")
    index.add(topics(300))
    index.save(tmp_path)
    path = next(tmp_path.glob("lists-*.npy"))
    np.save(path, np.load(path)[:-1], allow_pickle=False)
    with pytest.raises(BadIndexFolder, match="shape"):
        VectorIndex.load(tmp_path, kind="approximate")


# How far to look


def test_plans_look_further_and_further() -> None:
    assert list(PLANS) == sorted(PLANS, key=lambda plan: (plan.share, plan.candidates))
    assert PLANS[-1].share == 1.0
    assert TRIAL_RECALL > 0.98


def test_the_cheapest_plan_that_keeps_the_promise_is_taken() -> None:
    def search(lists: Lists | None, queries: np.ndarray, k: int) -> list[list[float]]:
        good = lists is None or lists.plan == PLANS[1]
        return [[float(good)] * k for _ in queries]

    built = Lists.build(topics(200), search)
    assert built is not None
    assert built.plan == PLANS[1]


def test_lists_that_cannot_keep_the_promise_are_refused() -> None:
    def search(lists: Lists | None, queries: np.ndarray, k: int) -> list[list[float]]:
        return [[1.0 if lists is None else 0.0] * k for _ in queries]

    assert Lists.build(topics(200), search) is None


def test_lists_that_hold_nothing_do_no_harm() -> None:
    vectors = topics(50)
    lists = Lists(vectors, np.full(50, 3), 7, Plan(1.0, 5))
    assert np.isfinite(_centres(vectors, lists.assignment, 7)).all()
    scores, rows = lists.ask(vectors[:4], 50, None)
    assert np.isfinite(scores).all()
    assert [sorted(found) for found in rows.tolist()] == [list(range(50))] * 4


def test_recall_is_by_scores() -> None:
    assert recall([], []) == 1.0
    assert recall([[]], [[]]) == 1.0
    assert recall([[0.9, 0.8]], [[0.9, 0.8]]) == 1.0
    assert recall([[0.9, 0.7]], [[0.9, 0.8]]) == 0.5
    assert recall([[], [0.5, 0.5]], [[0.9], [0.5, 0.5]]) == 0.5
