"""N-Triples of a synthetic library: the product's writer beside rdflib's, and both ways back.

Part of `export.py`. The triples are those of whole cases (claims, evidence, texts), as the product
makes them; making them, and putting them into an rdflib graph, is not timed. What is timed is from
triples in memory to a UTF-8 file, and from the file to triples as each parser gives them.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rdflib import Graph
from timing import interleaved, median, ratio

from kg.export.rdf import as_graph, rdf_parts, write_rdf
from kg.export.rdf.write import Parts
from kg.model import Case
from kg.readers import read_vocabulary, shipped
from kg.readers.rdf_files import has_oxigraph
from kg.readers.rdf_names import DEFAULT_BASE
from kg.vocab import Vocabulary

AIM = 10
KINDS = ("cause", "component", "symptom", "mitigation", "factor") * 2
ROLES = {"cause": "secondary", "component": "failed"}
STATUSES = ("confirmed", "suspected", "ruled_out")


def _case(number: int, terms: dict[str, list[str]], choose: random.Random) -> Case:
    """A case of ten claims, each with one term and one span."""
    text = f"In outage {number} requests failed for {number % 90} minutes after a deploy. " * 3
    claims = []
    for kind in KINDS:
        start = choose.randrange(60)
        span = {"field": "summary", "lang": "en", "quote": text[start : start + 40]}
        claims.append(
            {
                "kind": kind,
                "terms": [choose.choice(terms[kind])],
                "status": choose.choices(STATUSES, (88, 8, 4))[0],
                "role": ROLES.get(kind),
                "statement": {"en": f"Statement {number} says what happened to the service"},
                "evidence": [{**span, "start": start, "end": start + 40}],
            }
        )
    return Case.model_validate(
        {
            "id": f"C-{number:07}",
            "kind": "incident",
            "domain": "web",
            "title": {"en": [f"Outage {number}"]},
            "summary": {"en": [text]},
            "claims": claims,
            "dates": [{"kind": "started", "at": f"20{10 + number % 15}-01-15"}],
            "time_to_recover": {"seconds": 60 * number},
        }
    )


def _cases(vocabulary: Vocabulary, seed: int = 1) -> Iterator[Case]:
    choose = random.Random(seed)
    terms = {kind: [t.id for t in vocabulary.of(kind)] for kind in KINDS}
    number = 0
    while True:
        yield _case(number, terms, choose)
        number += 1


def make_parts(triples: int) -> Parts:
    """The vocabulary and as many cases as give this many triples, at least one."""
    vocabulary = read_vocabulary(shipped("vocabulary"))
    more = _cases(vocabulary)
    each = len(rdf_parts([next(more)], vocabulary, DEFAULT_BASE)[0][1])
    cases = [next(more) for _ in range(max(1, triples // each))]
    return rdf_parts(cases, vocabulary, DEFAULT_BASE)


def measure(triples: int, rounds: int) -> dict[str, Any]:
    """Milliseconds of each way, in turns, and how many times as long rdflib's takes."""
    parts = make_parts(triples)
    graph = as_graph(parts, DEFAULT_BASE)
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder, "ours.nt"), Path(folder, "theirs.nt")
        writers: dict[str, Callable[[int], Any]] = {
            "rdflib": lambda _: graph.serialize(theirs, format="nt", encoding="utf-8"),
            "ours": lambda _: write_rdf(parts, "ntriples", DEFAULT_BASE, ours),
        }
        if has_oxigraph():
            writers["Oxigraph's dump"] = _dump(parts, Path(folder, "dumped.nt"))
        written = interleaved(writers, rounds)
        check_equal(ours, graph)
        read = interleaved(_readers(ours), 2)
    return {
        "triples": len(graph),
        "cases": len(parts) - 1,
        "write": _rows(written),
        "read": _rows(read),
    }


def _dump(parts: Parts, file: Path) -> Callable[[int], Any]:
    """What Oxigraph needs for the same triples, unsorted, when they are in its store already."""
    from pyoxigraph import DefaultGraph, RdfFormat

    from kg.export.rdf.oxigraph import store_of

    store, place = store_of(parts), DefaultGraph()
    return lambda _: store.dump(str(file), RdfFormat.N_TRIPLES, from_graph=place)


def _readers(file: Path) -> dict[str, Callable[[int], Any]]:
    readers: dict[str, Callable[[int], Any]] = {
        "rdflib": lambda _: Graph().parse(file, format="nt"),
    }
    if has_oxigraph():
        from kg.readers.rdf_files import read_triples

        readers["ours"] = lambda _: read_triples(file)
    return readers


def check_equal(file: Path, graph: Graph) -> None:
    """Stop when the file does not hold just the triples of the graph."""
    if set(Graph().parse(file, format="nt")) != set(graph):
        raise SystemExit("the N-Triples differ")


def _rows(times: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    return {
        name: {"ms": median(took), "times_faster": ratio(times["rdflib"], took)}
        for name, took in times.items()
    }
