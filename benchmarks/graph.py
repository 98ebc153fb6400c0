"""The compact arrays beside plain networkx on a synthetic library: the same answers, in less time.

Each kind of term has a few common terms and many rare ones, in about the shares of the shipped
cases. Both sides start from the same columns of edges. Every answer of every round is held equal.
"""

from __future__ import annotations

import argparse
import gc
import heapq
import json
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from typing import Any

import networkx as nx
import numpy as np
from timing import median, milliseconds, options, ratio, table

from kg.graph import GraphArrays, Relation
from kg.graph.compact import STATUS_WEIGHT, CaseTerms, rarity_of
from kg.graph.paths import CHAIN_WEIGHT, CHAINS, paths_between
from kg.model import Status
from kg.queries.sharing import KIND_WEIGHTS

KINDS = {
    "cause": (Relation.CAUSED_BY, 0.13, 500),
    "component": (Relation.AFFECTS, 0.26, 1500),
    "factor": (Relation.CONTRIBUTED_BY, 0.09, 300),
    "mitigation": (Relation.MITIGATED_BY, 0.21, 500),
    "symptom": (Relation.EXHIBITS, 0.18, 400),
    "tool": (Relation.DETECTED_WITH, 0.08, 250),
    "trigger": (Relation.TRIGGERED_BY, 0.05, 200),
}
"""The relation, the share of the edges and the number of terms of each kind."""
SHARE_OF_STATUS = {Status.CONFIRMED: 0.88, Status.SUSPECTED: 0.08, Status.RULED_OUT: 0.04}
FLATTENED = 5.0
"""Terms are drawn by rank r as 1 / (r + this): Zipf's law with a flat head (Mandelbrot 1953)."""
PATTERNS = (("cause", "symptom"), ("cause", "component"), ("cause", "factor"),
            ("component", "symptom"), ("factor", "symptom"), ("component", "factor"))  # fmt: skip
LEAST = 5
"""Patterns of fewer cases are not told."""
AIMS = {"building": 200, "neighbours": 10, "top sharing": 50, "paths": 10, "patterns": 14}
NETWORKX, ARRAYS = "networkx", "arrays"


@dataclass(frozen=True)
class Table:
    """Columns of edges: places in the ids, in `tuple(Relation)` and in `tuple(Status)`."""

    cases: list[str]
    nodes: list[str]
    case: np.ndarray
    node: np.ndarray
    relation: np.ndarray
    status: np.ndarray


def make_table(cases: int, edges: int, seed: int = 1) -> Table:
    """Edges in order of their cases. Two claims of a case may name one term."""
    random = np.random.default_rng(seed)
    relations, statuses = list(Relation), list(Status)
    nodes: list[str] = []
    columns = []
    for kind, (relation, share, size) in KINDS.items():
        count = round(share * edges)
        odds = 1 / (np.arange(size) + 1 + FLATTENED)
        term = random.choice(size, count, p=odds / odds.sum()) + len(nodes)
        case = random.integers(0, cases, count)
        columns.append((case, term, np.full(count, relations.index(relation))))
        nodes += [f"{kind}:{kind[:2]}{number:04}" for number in range(size)]
    case, node, relation = (np.concatenate(column) for column in zip(*columns, strict=True))
    order = np.argsort(case, kind="stable")
    status = random.choice(
        [statuses.index(s) for s in SHARE_OF_STATUS], len(case), p=list(SHARE_OF_STATUS.values())
    )
    return Table(
        [f"C-{number:07}" for number in range(cases)],
        nodes,
        case[order].astype(np.int32),
        node[order].astype(np.int32),
        relation[order].astype(np.uint8),
        status.astype(np.uint8),
    )


class WithArrays:
    """The questions, asked of the compact arrays."""

    def __init__(self, given: Table) -> None:
        self.arrays = GraphArrays.from_columns(
            given.cases, given.nodes, given.case, given.node, given.relation, given.status
        )
        self.terms = CaseTerms.from_arrays(self.arrays)

    def neighbours(self, case: str) -> list[str]:
        return self.arrays.neighbours(case)

    def top_sharing(self, case: str, k: int) -> list[tuple[str, float]]:
        return [(s.case_id, s.weight) for s in self.terms.top_sharing(case, k, KIND_WEIGHTS)]

    def paths(self, a: str, b: str) -> list[tuple[tuple[str, ...], float, int, int]]:
        found = paths_between(self.terms, a, b, KIND_WEIGHTS)
        return [(p.nodes, p.weight, p.confirmed, p.suspected) for p in found]

    def patterns(self) -> dict[tuple[str, ...], int]:
        found: dict[tuple[str, ...], int] = {}
        counting = self.arrays.counting()
        for kinds in PATTERNS:
            found |= counting.cooccurrence(*kinds, minimum=LEAST).counts()
        return found


class WithNetworkx:
    """The same questions, as one writes them with networkx: a typed graph, dicts and sets."""

    def __init__(self, given: Table) -> None:
        relations, statuses = [str(r) for r in Relation], [str(s) for s in Status]
        weights = [STATUS_WEIGHT[s] for s in Status]
        self.graph = nx.MultiDiGraph()
        self.graph.add_nodes_from(given.cases, kind="case")
        self.graph.add_nodes_from((n, {"kind": n.partition(":")[0]}) for n in given.nodes)
        columns = (given.case, given.node, given.relation, given.status)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        self.graph.add_edges_from(
            (
                given.cases[c],
                given.nodes[n],
                {"relation": relations[r], "status": statuses[s], "weight": weights[s]},
            )
            for c, n, r, s in rows
        )

    def learn_worth(self, cases: int) -> None:
        """How much sharing each term says; made once and not measured."""
        self.worth = {}
        for node, kind in self.graph.nodes(data="kind"):
            if kind != "case":
                often = len({c for c, _, w in self.graph.in_edges(node, data="weight") if w})
                self.worth[node] = rarity_of(often, cases) * KIND_WEIGHTS[kind]

    def neighbours(self, case: str) -> list[str]:
        causes = {
            cause
            for _, cause, data in self.graph.out_edges(case, data=True)
            if data["relation"] == "CAUSED_BY" and data["status"] == "confirmed"
        }
        found: set[str] = set()
        for cause in causes:
            edges = self.graph.in_edges(cause, data="status")
            found.update(other for other, _, status in edges if status == "confirmed")
        found.discard(case)
        return sorted(found)

    def top_sharing(self, case: str, k: int) -> list[tuple[str, float]]:
        shared: defaultdict[str, float] = defaultdict(float)
        for term, mine in sorted(self._strongest(case).items()):
            worth = self.worth[term]
            theirs: dict[str, float] = {}
            for other, _, weight in self.graph.in_edges(term, data="weight"):
                if weight > theirs.get(other, 0.0):
                    theirs[other] = weight
            for other, weight in theirs.items():
                shared[other] += worth * min(mine, weight)
        shared.pop(case, None)
        best = heapq.nlargest(k, shared.values())[-1:]
        near = [(-round(w, 9), c) for c, w in shared.items() if w >= best[0] - 1e-9]
        return [(other, -weight) for weight, other in sorted(near)[:k]]

    def paths(self, a: str, b: str) -> list[tuple[tuple[str, ...], float, int, int]]:
        in_a, in_b = self._strongest(a), self._strongest(b)
        known: dict[str, tuple[set[str], set[str]]] = {}
        paths = []
        for term in in_a.keys() & in_b.keys():
            weight = self.worth[term] * min(in_a[term], in_b[term])
            paths.append(((f"case:{a}", term, f"case:{b}"), weight, *self._count(known, term)))
        for before, after in CHAINS:
            for start, end, mine, theirs in ((a, b, in_a, in_b), (b, a, in_b, in_a)):
                firsts = [t for t in mine if t.startswith(before)]
                lasts = [t for t in theirs if t.startswith(after)]
                for first, last in product(firsts, lasts):
                    counts = self._count(known, first, last)
                    if any(counts):
                        shown = min(theirs[last], mine.get(last, 1.0))
                        weight = CHAIN_WEIGHT * mine[first] * self.worth[last] * shown
                        way = (f"case:{start}", first, last, f"case:{end}")
                        paths.append((way if start == a else way[::-1], weight, *counts))
        rounded = [(nodes, round(weight, 9), *counts) for nodes, weight, *counts in paths]
        return sorted(rounded, key=lambda path: (-path[1], path[0]))

    def patterns(self) -> dict[tuple[str, ...], int]:
        counts: Counter[tuple[str, ...]] = Counter()
        kinds = {str(relation): kind for kind, (relation, *_) in KINDS.items()}
        for case, kind in self.graph.nodes(data="kind"):
            if kind != "case":
                continue
            stated: dict[str, set[str]] = {kind: set() for kind in KINDS}
            for _, term, data in self.graph.out_edges(case, data=True):
                if data["status"] == "confirmed":
                    stated[kinds[data["relation"]]].add(term)
            for left, right in PATTERNS:
                counts.update(product(stated[left], stated[right]))
        return {pattern: n for pattern, n in counts.items() if n >= LEAST}

    def _strongest(self, case: str) -> dict[str, float]:
        found: dict[str, float] = {}
        for _, term, weight in self.graph.out_edges(case, data="weight"):
            if weight > found.get(term, 0.0):
                found[term] = weight
        return found

    def _count(self, known: dict[str, tuple[set[str], set[str]]], *terms: str) -> tuple[int, int]:
        """Cases that confirm all terms, and further ones that state all of them."""
        for term in terms:
            if term not in known:
                edges = list(self.graph.in_edges(term, data="status"))
                confirmed = {case for case, _, status in edges if status == "confirmed"}
                standing = {case for case, _, status in edges if status != "ruled_out"}
                known[term] = confirmed, standing
        confirmed = set.intersection(*(known[t][0] for t in terms))
        standing = set.intersection(*(known[t][1] for t in terms))
        return len(confirmed), len(standing) - len(confirmed)


class Turns:
    """Both sides do the same in turns, and each answer is held equal.

    Notes the time of each turn in milliseconds, by the wall (or by what `--processor` chose) and
    by the processor.
    """

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = {NETWORKX: [], ARRAYS: []}
        self.processor: dict[str, list[float]] = {NETWORKX: [], ARRAYS: []}

    def ask(
        self, questions: Sequence[Sequence[Any]], calls: Mapping[str, Callable[..., Any]]
    ) -> None:
        for number, question in enumerate(questions):
            turn = list(calls.items())[:: -1 if number % 2 else 1]
            told = {name: self.measure(name, partial(call, *question)) for name, call in turn}
            if told[ARRAYS] != told[NETWORKX]:
                raise SystemExit(f"the answers to {question} differ:\n{told}")

    def measure(self, name: str, call: Callable[[], Any]) -> Any:
        answers: list[Any] = []
        begin = time.process_time()
        self.spent[name].append(milliseconds(lambda: answers.append(call())))
        self.processor[name].append(1000 * (time.process_time() - begin))
        return answers[0]

    def row(self, aim: int) -> dict[str, Any]:
        return {
            "networkx_ms": median(self.spent[NETWORKX]),
            "arrays_ms": median(self.spent[ARRAYS]),
            "times_faster": ratio(self.spent[NETWORKX], self.spent[ARRAYS]),
            "times_less_processor": ratio(self.processor[NETWORKX], self.processor[ARRAYS]),
            "aim": aim,
            "rounds": len(self.spent[ARRAYS]),
        }


def build(given: Table, rounds: int) -> tuple[WithNetworkx, WithArrays, Turns]:
    """Both sides, built in turns; the last ones are kept."""
    turns = Turns()
    for _ in range(rounds):
        slow = fast = None  # of the round before, which would else be freed on the clock
        gc.collect()
        slow = turns.measure(NETWORKX, lambda: WithNetworkx(given))
        fast = turns.measure(ARRAYS, lambda: WithArrays(given))
    slow.learn_worth(len(given.cases))
    return slow, fast, turns


def measure(cases: int, edges: int, questions: int, rounds: int, k: int) -> dict[str, Any]:
    given = make_table(cases, edges)
    slow, fast, building = build(given, rounds)
    gc.collect()
    gc.freeze()  # millions of dicts would else be looked through during some of the questions
    asked, pairs = _questions(given, fast, questions)
    turns = {"building": building, **{name: Turns() for name in list(AIMS)[1:]}}

    def both(name: str) -> dict[str, Callable[..., Any]]:
        return {NETWORKX: getattr(slow, name), ARRAYS: getattr(fast, name)}

    turns["neighbours"].ask([(case,) for case in asked], both("neighbours"))
    turns["top sharing"].ask([(case, k) for case in asked], both("top_sharing"))
    turns["paths"].ask(pairs, both("paths"))
    turns["patterns"].ask([()] * rounds, both("patterns"))
    return {
        "cases": cases,
        "edges": len(given.case),
        "nodes": len(given.nodes),
        "k": k,
        "rows": {name: turns[name].row(aim) for name, aim in AIMS.items()},
        "peak_memory_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
    }


def _questions(
    given: Table, fast: WithArrays, count: int
) -> tuple[list[str], list[tuple[str, str]]]:
    """Cases that share a confirmed cause with others, and each with one of the nearest to it."""
    random = np.random.default_rng(2)
    drawn = (given.cases[i] for i in random.permutation(len(given.cases)))
    asked = list(islice((case for case in drawn if fast.neighbours(case)), count))
    pairs = []
    for case in asked:
        near = fast.top_sharing(case, 10)
        pairs.append((case, near[random.integers(len(near))][0]))
    return asked, pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--edges", type=int, help="default: ten for each case")
    parser.add_argument("--questions", type=int, default=50, help="of each kind but patterns")
    parser.add_argument("--rounds", type=int, default=5, help="of building and of patterns")
    parser.add_argument("-k", type=int, default=10)
    given = options(parser)
    edges = given.edges or 10 * given.cases
    result = measure(given.cases, edges, given.questions, given.rounds, given.k)
    print(json.dumps(result, indent=2) if given.json else _told(result))


def _told(result: dict[str, Any]) -> str:
    title = (
        f"{result['cases']:,} cases, {result['edges']:,} edges, {result['nodes']:,} terms; "
        "medians, all answers equal"
    )
    head = ("question", "networkx ms", "arrays ms", "× faster", "× less processor", "aim", "rounds")
    rows = [(name, *row.values()) for name, row in result["rows"].items()]
    return f"{title}\n{table(head, rows)}\npeak memory of both: {result['peak_memory_gb']} GB"


if __name__ == "__main__":
    main()
