"""Every part of a diagnosis of the shipped cases, found again by plain loops over their claims."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

import pytest

from kg.library import Library
from kg.model import Case, Claim
from kg.rca import Diagnosis
from kg.rca.checks import EXCLUDED, MOST, NOTICED
from kg.rca.look_alikes import ALIKE
from kg.rca.mitigations import OUTCOME, UNCONFIRMED
from tests.helpers import twins

QUESTIONS = {
    "NCCL timeout, the job hangs at full utilization": {},
    "DNS resolution fails everywhere after a change": {"ruled_out": ["race condition"]},
    "5xx after a configuration push": {"ruled_out": ["cause:configuration-error"]},
    "노드가 NotReady로 바뀌고 파드가 쫓겨났다": {"observed": ["software upgrade"]},
    "loss spike after resuming from a checkpoint": {"ruled_out": ["data loader defect"]},
    "power failed in one data center": {},
}  # fmt: skip


@pytest.fixture(scope="module", params=list(QUESTIONS))
def found(request: pytest.FixtureRequest, whole: Library) -> Diagnosis:
    """Thresholds low, so that many cases are looked at under the tiny encoder as well."""
    return whole.diagnose(request.param, threshold=0.02, **QUESTIONS[request.param])  # type: ignore[arg-type]


def claims(case: Case, kind: str, *statuses: str) -> Iterator[tuple[str, Claim]]:
    for claim_id, claim in case.claim_ids():
        if claim.kind == kind and (not statuses or str(claim.status) in statuses):
            yield claim_id, claim


def terms(case: Case, kind: str, *statuses: str) -> set[str]:
    return {t for _, c in claims(case, kind, *(statuses or ("confirmed",))) for t in c.terms}


def gone(whole: Library, found: Diagnosis) -> set[str]:
    return {t for r in found.understood.ruled_out for t in twins.below(whole.vocabulary, r)}


def rests(whole: Library, case: Case, out: set[str]) -> set[str]:
    """What a case rests on, by the rule as it stands in the page."""
    failed = {
        t for _, c in claims(case, "component", "confirmed") if c.role == "failed" for t in c.terms
    }
    found: set[str] = set()
    for mine, share in (
        (terms(case, "cause"), 1.0), (terms(case, "trigger"), 1.0), (failed, 1.0),
        (terms(case, "symptom"), 0.5),
    ):  # fmt: skip
        if mine & out and len(mine & out) >= share * len(mine):
            found |= mine & out
    return found


def test_each_case_looked_at_has_its_weight(whole: Library, found: Diagnosis) -> None:
    out = gone(whole, found)
    assert found.near
    for near in found.near:
        case = whole.get(near.case_id)
        assert set(near.depends_on) == rests(whole, case, out)
        assert near.incident == (case.kind == "incident")
        assert near.weight <= (0.5 if near.depends_on else 1.0)
        if not near.depends_on:
            assert near.weight >= round(near.probability, 6) - 1e-6


def test_hypotheses_count_the_incidents_that_confirm_them(whole: Library, found: Diagnosis) -> None:
    incidents = [whole.get(n.case_id) for n in found.near if n.incident]
    for h in found.hypotheses:
        below = twins.below(whole.vocabulary, h.cause) - gone(whole, found)
        assert below
        reports = {n.case_id for n in found.near if not n.incident}
        assert set(h.reports) <= {i for i in reports if terms(whole.get(i), "cause") & below}
        assert h.n == sum(bool(terms(c, "cause") & below) for c in incidents)
        assert h.of == sum(bool(terms(c, "cause")) for c in incidents)
        excluded = {
            i for c in (whole.get(n.case_id) for n in found.near)
            for i, claim in claims(c, "cause", "ruled_out")
            if set(claim.terms) & set(twins.above(whole.vocabulary, h.cause))
        }  # fmt: skip
        told = {o.statement.claim_id for o in h.against if o.kind == "ruled_out" and o.statement}
        assert told <= excluded
        assert bool(told) == bool(excluded)


def test_tools_are_worth_what_they_found(whole: Library, found: Diagnosis) -> None:
    if found.abstention and found.abstention.reason in ("nothing_similar", "no_terms"):
        pytest.skip("the checks are taken from other cases")
    weights = {n.case_id: n.weight for n in found.near}
    used, first = defaultdict(set), defaultdict(set)
    stating = set()
    for case_id in weights:
        for _, claim in claims(whole.get(case_id), "detection", "confirmed", "suspected"):
            stating.add(case_id)
            for tool in claim.terms:
                if claim.role == "diagnosed":
                    used[tool].add(case_id)
                elif claim.role in ("detected", "check_item"):
                    first[tool].add(case_id)
    whole_weight = math.fsum(weights[i] for i in stating)
    for check in (c for c in found.checks if c.kind == "tool"):
        looked = first[check.term] - used[check.term]
        share = math.fsum(weights[i] for i in used[check.term])
        share += NOTICED * math.fsum(weights[i] / items(whole.get(i)) for i in looked)
        assert check.worth == pytest.approx(share / whole_weight, abs=1e-5)
        assert (check.n, check.of) == (len(used[check.term]), len(stating))


def items(case: Case) -> int:
    """How many things a report on many events lists as checked; 1 of an incident."""
    listed = [c for _, c in claims(case, "detection") if c.role == "check_item"]
    return 1 if case.kind == "incident" else max(1, len(listed))


def test_excluded_causes_are_worth_the_cases_that_excluded_them(
    whole: Library, found: Diagnosis
) -> None:
    weights = {n.case_id: n.weight for n in found.near}
    stating = [i for i in weights if list(claims(whole.get(i), "cause"))]
    whole_weight = math.fsum(weights[i] for i in stating)
    for check in (c for c in found.checks if c.kind == "cause"):
        cases = [i for i in stating if check.term in terms(whole.get(i), "cause", "ruled_out")]
        share = EXCLUDED * math.fsum(weights[i] for i in cases) / whole_weight
        assert check.worth == pytest.approx(share, abs=1e-5)
        assert (check.n, check.of) == (len(cases), len(stating))


def test_no_check_is_made_of_what_is_known(whole: Library, found: Diagnosis) -> None:
    u = found.understood
    known = {*u.seen, *u.ruled_out, *(t.term for t in (*u.denied, *u.perhaps))}
    assert len(found.checks) <= MOST
    for check in found.checks:
        assert check.term not in known
        if check.kind != "tool":
            kin = {
                *twins.above(whole.vocabulary, check.term),
                *twins.below(whole.vocabulary, check.term),
            }
            assert not kin & known


def test_look_alikes_are_all_there_is(whole: Library, found: Diagnosis) -> None:
    """Each pair has two causes that do not meet, and symptoms that are alike or equally seen."""
    out, vocabulary = gone(whole, found), whole.vocabulary
    seen = {t for t in found.understood.seen if t.startswith("symptom:")}
    expected = set()
    for a, b in combinations(sorted(found.near, key=lambda n: n.case_id), 2):
        one, two = whole.get(a.case_id), whole.get(b.case_id)
        left, right = terms(one, "cause"), terms(two, "cause")
        meet = any(
            x in twins.above(vocabulary, y) or y in twins.above(vocabulary, x)
            for x in left for y in right
        )  # fmt: skip
        if meet or not (left - out and right - out) or not (a.similar or b.similar):
            continue
        shown = [
            {up for t in terms(c, "symptom") for up in twins.above(vocabulary, t)} & seen
            for c in (one, two)
        ]
        expected.add((a.case_id, b.case_id, bool(shown[0]) and shown[0] == shown[1]))
    for pair in found.look_alikes:
        same = (pair.a, pair.b, True) in expected
        assert same or (pair.likeness >= ALIKE and (pair.a, pair.b, False) in expected)
    if not (found.abstention and found.abstention.reason in ("nothing_similar", "no_terms")):
        assert bool(found.look_alikes) >= any(equal for *_, equal in expected)


def test_each_remedy_is_worth_its_steps(whole: Library, found: Diagnosis) -> None:
    beliefs = {h.cause: h.probability for h in found.hypotheses}
    near = {n.case_id: n for n in found.near}
    out = gone(whole, found)
    for kind, remedies in (("mitigation", found.mitigations), ("follow_up", found.follow_ups)):
        for r in remedies:
            worth = 0.0
            for case_id, n in near.items():
                case = whole.get(case_id)
                confirmed = terms(case, "cause")
                for _, claim in claims(case, kind, "confirmed"):
                    served = set(claim.addresses) or confirmed
                    if r.term not in claim.terms or (served and served <= out):
                        continue
                    causes = [c for c in beliefs if twins.below(whole.vocabulary, c) & served]
                    if bool(causes) != bool(r.causes) or not (causes or (n.similar and not served)):
                        continue
                    sure = 1.0 if confirmed & served else UNCONFIRMED
                    belief = max((beliefs[c] for c in causes), default=1.0)
                    result = OUTCOME[claim.result] if claim.result else OUTCOME["unknown"]  # type: ignore[index]
                    worth += n.weight * belief * sure * result
            assert r.worth == pytest.approx(worth, abs=1e-5), r.term


def test_what_is_set_aside_serves_only_what_is_ruled_out(whole: Library, found: Diagnosis) -> None:
    out = gone(whole, found)
    for s in found.set_aside:
        served = set(s.step.addresses) or terms(whole.get(s.step.case_id), "cause")
        assert s.because in out
        assert served <= out or set(s.step.terms) & out
    told = {s.claim_id for r in found.mitigations for s in r.steps}
    assert not told & {s.step.claim_id for s in found.set_aside}
