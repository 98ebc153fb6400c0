"""Why two cases, or a text and a case, are alike, and where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kg.graph import IncidentGraph
from kg.model import Case, Status
from kg.queries.differences import contrasts, denials, excluded, measures, only
from kg.queries.explanation import Explanation
from kg.queries.paths import Path, make_paths
from kg.queries.sharing import SameCause, SharedTerm, confirmed_causes, same_cause, shared_between
from kg.queries.sides import TEXT, Saying, Side, case_side, named, standing, text_side
from kg.queries.tell import tell
from kg.queries.tell_text import tell_text
from kg.vocab import Tag, Vocabulary


def make_explanation(
    graph: IncidentGraph, vocabulary: Vocabulary, a: Case, b: Case, lang: str
) -> Explanation:
    """Explain two cases; see `Explanation`."""
    left, right = case_side(graph, a), case_side(graph, b)
    verdict = same_cause(graph, vocabulary, a.id, b.id)
    found = _explain(graph, vocabulary, left, right, verdict, lang)
    return replace(found, text=tell(graph, vocabulary, found, left, right))


def explain_text(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    text: str,
    tags: Sequence[Tag],
    case: Case,
    lang: str,
    text_first: bool = True,
) -> Explanation:
    """Explain a text, of which `tags` are the terms, beside a case; see `Explanation`.

    `text_first`: the text is side a, else side b.
    """
    written, known = text_side(text, tags), case_side(graph, case)
    left, right = (written, known) if text_first else (known, written)
    verdict = text_verdict(graph, vocabulary, written, case.id)
    found = _explain(graph, vocabulary, left, right, verdict, lang)
    found = replace(found, query=text, understood=tuple(tags))
    return replace(found, text=tell_text(graph, vocabulary, found, written, known))


def text_verdict(
    graph: IncidentGraph, vocabulary: Vocabulary, written: Side, case_id: str
) -> SameCause:
    """The verdict on a text: no when it rules out every confirmed cause of the case, else unknown.

    Only what the text denies by name counts, and nothing that it names elsewhere without denying
    it.
    """
    told = standing(written.sayings)
    out = {
        s.target
        for s in written.sayings
        if s.status is Status.RULED_OUT and named(s) and s.target not in told
    }
    causes = confirmed_causes(graph, case_id)
    denied = [c for c in causes if out & vocabulary.broader_steps(c).keys()]
    return SameCause.NO if causes and len(denied) == len(causes) else SameCause.UNKNOWN


def _explain(
    graph: IncidentGraph,
    vocabulary: Vocabulary,
    left: Side,
    right: Side,
    verdict: SameCause,
    lang: str,
) -> Explanation:
    """All but the paragraph."""
    shared = tuple(shared_between(graph, vocabulary, left.sayings, right.sayings))
    only_a = only(vocabulary, left, right, (e.target for s in shared for e in s.left))
    only_b = only(vocabulary, right, left, (e.target for s in shared for e in s.right))
    differing = tuple(contrasts(vocabulary, left, right))
    out = tuple(excluded(vocabulary, left, right))
    denied = [denials(vocabulary, x, y) for x, y in ((left, right), (right, left))]
    paths = tuple(make_paths(graph, vocabulary, left, right, shared))
    nodes = _nodes(shared, paths, (*only_a.values(), *only_b.values()))
    nodes += [s.target for c in differing for s in (c.left, c.right)]
    nodes += [t for x in out for t in (x.term, x.left.target, x.right.target)]
    nodes += [s.target for said in denied for s in said]
    cases = [side.case for side in (left, right) if side.case]
    return Explanation(
        a=left.name,
        b=right.name,
        lang=lang,
        same_cause=verdict,
        shared=shared,
        contrasts=differing,
        excluded=out,
        paths=paths,
        only_a=only_a,
        only_b=only_b,
        told_a=_told(left, only_a),
        told_b=_told(right, only_b),
        denied_a=denied[0],
        denied_b=denied[1],
        caveats=_caveats(cases, lang),
        measures=tuple(measures(left, right)),
        titles={case.id: case.name(lang) for case in cases},
        kinds={case.id: str(case.kind) for case in cases},
        labels=_labels(vocabulary, nodes, cases, lang),
        text="",
    )


def _nodes(
    shared: Iterable[SharedTerm], paths: Iterable[Path], others: Iterable[tuple[str, ...]]
) -> list[str]:
    found = [n for s in shared for n in (s.term, *(e.target for e in (*s.left, *s.right)))]
    found += [node for path in paths for node in path.nodes]
    return found + [node for terms in others for node in terms]


def _told(side: Side, terms: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[Saying, ...]]:
    said = standing(side.sayings)
    return {term: tuple(said[term]) for kind in terms.values() for term in kind}


def _caveats(cases: Iterable[Case], lang: str) -> dict[str, str]:
    """The caveats of claims, by claim id."""
    return {
        claim_id: claim.caveat.best(lang)
        for case in cases
        for claim_id, claim in case.claim_ids()
        if claim.caveat
    }


def _labels(
    vocabulary: Vocabulary, nodes: Iterable[str], cases: Iterable[Case], lang: str
) -> dict[str, str]:
    """The name of each node: label of a term, id of a case, title of a source."""
    sources = _sources(cases)
    found = {}
    for node in sorted(set(nodes)):
        term = vocabulary.terms.get(node)
        if term is not None:
            found[node] = term.label.best(lang)
        else:
            kind, _, name = node.partition(":")
            found[node] = TEXT if kind == "text" else sources.get(node, name)
    return found


def _sources(cases: Iterable[Case]) -> dict[str, str]:
    """The titles of sources; the locator where two cases give one source different titles."""
    titles: dict[str, set[str]] = {}
    for source in (s for case in cases for s in case.sources or ()):
        titles.setdefault(source.locator, set()).add(source.title)
    return {
        f"source:{locator}": next(iter(told)) if len(told) == 1 else locator
        for locator, told in titles.items()
    }
