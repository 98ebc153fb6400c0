"""What people decided about cases, and how cases came to be: PROV activities, each with its record.

The record holds the whole decision or step, which reading back needs. Nothing of it is said plainly
of a case: what a rejected claim said, or a record of before, is no fact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote

from kg.export.rdf.activities import activity
from kg.export.rdf.triples import Triple, integer
from kg.export.records import record_line
from kg.model import Apart, Review, Revision
from kg.readers.decisions import Decisions
from kg.readers.rdf_names import case_iri, choice, term_iri, word


def decision_triples(decisions: Decisions, base: str) -> Iterator[Triple]:
    """Reviews of claims, steps in the histories of cases, and pairs that were told apart."""
    count: Counter[str] = Counter()
    for review in decisions.reviews:
        count[review.case_id] += 1
        iri = f"{case_iri(base, review.case_id)}/review/{count[review.case_id]}"
        yield from _told(iri, "Review", review, base, review.case_id)
        yield iri, word("decision"), choice("decision", review.decision)
        yield iri, word("claimedTerm"), term_iri(base, review.term)
    for step in decisions.revisions:
        iri = f"{case_iri(base, step.case_id)}/revision/{step.number}"
        yield from _told(iri, "Revision", step, base, step.case_id)
        yield iri, word("action"), choice("action", step.action)
        yield iri, word("position"), integer(step.number)
    for apart in decisions.apart:
        one, other = (quote(case_id, safe="") for case_id in apart.pair)
        yield from _told(f"{base}apart/{one}/{other}", "ToldApart", apart, base, *apart.pair)


def _told(
    iri: str, kind: str, record: Review | Revision | Apart, base: str, *case_ids: str
) -> Iterator[Triple]:
    """What all of them have: the activity, and the cases that it is about."""
    yield from activity(iri, kind, record, record_line(record))
    for case_id in case_ids:
        yield iri, word("ofCase"), case_iri(base, case_id)
