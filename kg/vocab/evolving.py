"""Renaming, merging and splitting terms: a vocabulary and its cases in, the same changed out.

Nothing is decided for the caller: what contradicts itself is refused unless asked for, and what
a split leaves open stays on the term that is split.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kg.errors import BadQuery, SchemaError
from kg.model import Case, Change, Claim, Operation, Part, Term
from kg.vocab.assigning import Assignments, decided_terms
from kg.vocab.joining import joined, named_anew, replaced, repointed
from kg.vocab.retagging import Contradiction, Rule, Terms, contradictions, retag
from kg.vocab.targets import (
    Told,
    check_labels_free,
    check_mergeable,
    check_no_ring,
    contradicting,
    id_in,
    make_change,
    make_term,
    merge_target,
    split_off,
    taken,
    target_in,
)
from kg.vocab.vocabulary import Vocabulary

NOTHING_TOLD = Told()
"""A change of which nobody said who, when or why."""


@dataclass(frozen=True)
class Evolution:
    """Cases and vocabulary after a change.

    Attributes:
        cases: all cases, in their order.
        vocabulary: with the change at the end of its history.
        change: the change.
        undecided: of a split, the claims that still name the term since nobody decided them.
        stayed: those that were decided to stay there.
        contradictions: of a merge, cases that now say of one term that it holds and does not.
    """

    cases: tuple[Case, ...]
    vocabulary: Vocabulary
    change: Change
    undecided: tuple[str, ...] = ()
    stayed: tuple[str, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


def rename_term(
    cases: Iterable[Case],
    vocabulary: Vocabulary,
    old: str,
    new: str,
    *,
    label: Mapping[str, str] | None = None,
    told: Told = NOTHING_TOLD,
) -> Evolution:
    """Give a term another id, and other labels if they are given.

    Every claim keeps its place for the term, so that no two terms fall together.

    Args:
        cases: all cases; the records given stay as they are.
        vocabulary: their terms, with what was done to them before.
        old: the term, by any spelling.
        new: its new id, or the slug of it.
        label: labels by language; those that they replace become aliases.
        told: who, when and why.

    Raises:
        TermNotFound, AmbiguousTerm: `old` names no term, or several.
        BadQuery: the new id cannot be one, is that of another scheme, or is taken.
    """
    term = vocabulary.resolve(old)
    new_id = id_in(new, term.scheme)
    if new_id in vocabulary:
        said = "is its id already" if new_id == term.id else "is a term already"
        raise BadQuery(f"{new_id} {said}; take another id, or merge the two into one")
    if vocabulary.current(new_id) not in (new_id, term.id):
        raise taken(new_id, vocabulary)
    data = {**term.model_dump(), "id": new_id}
    fresh = named_anew(make_term(data), label or {})
    check_labels_free(vocabulary, [fresh], {term.id})
    change = make_change(Operation.RENAME, (term.id,), (new_id,), told)
    return _carried_out(cases, vocabulary, change, {new_id: fresh})


def merge_terms(
    cases: Iterable[Case],
    vocabulary: Vocabulary,
    terms: Sequence[str],
    into: str,
    *,
    described: Term | None = None,
    keep_both: bool = False,
    told: Told = NOTHING_TOLD,
) -> Evolution:
    """Make one term of several.

    A target that is a term keeps what it means. A new one means what `described` says, else what
    the first of the terms meant. See `kg.vocab.joining.joined` for what the others bring.

    Args:
        cases: all cases; the records given stay as they are.
        vocabulary: their terms, with what was done to them before.
        terms: the terms, by any spelling; the target may be among them.
        into: the target: a term, or a new id or slug.
        described: label, definition and the rest of a new target.
        keep_both: also when a case says of one of the terms that it holds and rules another out;
            it then says both of the target, each with its evidence.
        told: who, when and why.

    Raises:
        TermNotFound, AmbiguousTerm: a name of no term, or of several.
        BadQuery: too few terms, terms of several schemes or without a name of their own, a target
            that is taken or described twice, a ring of broader terms, or, without `keep_both`, a
            case that would contradict itself.
    """
    given = list(dict.fromkeys(vocabulary.resolve(t).id for t in terms))
    target_id = merge_target(vocabulary, given, into)
    is_new = target_id not in vocabulary
    if is_new and described is None and len(given) < 2:
        raise BadQuery(
            f"{target_id} is no term, so this is a rename; use rename, or give more terms"
        )
    if not is_new and described is not None:
        raise BadQuery(f"{target_id} is a term already and keeps its own label and definition")
    others = [vocabulary.terms[t] for t in given if t != target_id]
    if not others:
        raise BadQuery(f"there is nothing to merge into {target_id}; give another term")
    target = described if is_new else vocabulary.terms[target_id]
    check_mergeable([*others, *([target] if target else [])], target_id)
    if target is None:
        target = make_term({**others[0].model_dump(), "id": target_id})
    if is_new:
        check_labels_free(vocabulary, [target], set(given))
    above = {t: vocabulary.broader_steps(t) for t in vocabulary.terms}
    made = joined(target.model_copy(update={"id": target_id}), others, above)
    check_no_ring(vocabulary, made, {t.id for t in others})
    change = make_change(Operation.MERGE, tuple(t.id for t in others), (target_id,), told)
    done = _carried_out(cases, vocabulary, change, {target_id: made})
    return _judged(done, keep_both)


def split_term(
    cases: Iterable[Case],
    vocabulary: Vocabulary,
    term: str,
    into: Sequence[str],
    by: Assignments,
    *,
    described: Iterable[Term] = (),
    keep_both: bool = False,
    told: Told = NOTHING_TOLD,
) -> Evolution:
    """Split terms off a term and re-tag the claims that are decided; the term itself stays.

    New terms hang below it unless they say where. Claims that nobody decided keep it and are
    listed in `undecided`.

    Args:
        cases: all cases; the records given stay as they are.
        vocabulary: their terms, with what was done to them before.
        term: the term, by any spelling.
        into: ids or slugs of the terms that it is split into.
        by: for a case or a claim, the terms that it is to have; the term itself says that it
            stays. What is said of a claim goes before what is said of its case.
        described: label, definition and the rest of those that are new.
        keep_both: also when a case is given a term that it rules out elsewhere, or the reverse.
        told: who, when and why.

    Raises:
        TermNotFound, AmbiguousTerm, CaseNotFound: a name of nothing here, or of several terms.
        BadQuery: a target of another scheme, one that is taken, broader than the term or not
            described, an assignment to none of them or of a claim that does not name the term, or,
            without `keep_both`, a case that would contradict itself.
    """
    known = tuple(cases)
    split = vocabulary.resolve(term)
    new_ids = tuple(dict.fromkeys(target_in(vocabulary, t, split.scheme) for t in into))
    fresh = split_off(vocabulary, split, new_ids, described)
    decided = decided_terms(known, split, new_ids, by)
    change = make_change(Operation.SPLIT, (split.id,), new_ids, told)

    def rule(claim_id: str, _part: Part, terms: Terms) -> Terms:
        wanted = decided.get(claim_id)
        if wanted is None or split.id not in terms:
            return terms
        at = terms.index(split.id)
        return tuple(dict.fromkeys([*terms[:at], *wanted, *terms[at + 1 :]]))

    done = _judged(_carried_out(known, vocabulary, change, fresh, rule), keep_both)
    holding = [i for c in done.cases for i, claim in c.claim_ids() if _names(claim, split.id)]
    return replace(
        done,
        undecided=tuple(i for i in holding if i not in decided),
        stayed=tuple(i for i in holding if i in decided),
    )


def _judged(done: Evolution, keep_both: bool) -> Evolution:
    """The change with the cases that it makes contradict themselves; refused unless asked for."""
    touched = set(done.change.cases)
    cases = [c for c in done.cases if c.id in touched]
    found = {t: contradictions(cases, t) for t in done.change.new}
    for term_id, cases_of_term in found.items():
        if cases_of_term and not keep_both:
            raise BadQuery(contradicting(cases_of_term, term_id))
    return replace(done, contradictions=tuple(c for each in found.values() for c in each))


def _names(claim: Claim, term_id: str) -> bool:
    return term_id in claim.terms or term_id in claim.addresses


def _carried_out(
    cases: Iterable[Case],
    vocabulary: Vocabulary,
    change: Change,
    fresh: Mapping[str, Term],
    rule: Rule | None = None,
) -> Evolution:
    """The change applied: terms that end taken out, others pointed at the new ones, claims."""
    new_ids = dict.fromkeys(change.retired, change.new[0])
    kept = {i: repointed(t, new_ids) for i, t in vocabulary.terms.items() if i not in new_ids}
    terms = {**kept, **{i: repointed(t, new_ids) for i, t in fresh.items()}}
    by_id = rule or (lambda _claim, _part, ids: replaced(ids, new_ids))
    made, retags = retag(cases, by_id)
    old = vocabulary.terms
    touched = sorted(i for i in {*old, *terms} if old.get(i) != terms.get(i))
    whole = change.model_copy(
        update={
            "before": tuple(old[i] for i in touched if i in old),
            "after": tuple(terms[i] for i in touched if i in terms),
            "retags": retags,
        }
    )
    return Evolution(made, with_terms(vocabulary, terms, (*vocabulary.history, whole)), whole)


def with_terms(
    vocabulary: Vocabulary, terms: Mapping[str, Term], history: Sequence[Change]
) -> Vocabulary:
    """The schemes of a vocabulary with these terms in them, and a history.

    Raises:
        BadQuery: the terms do not fit together.
    """
    try:
        return Vocabulary(
            (
                scheme.model_copy(
                    update={"terms": tuple(t for t in terms.values() if t.scheme == name)}
                )
                for name, scheme in vocabulary.schemes.items()
            ),
            history,
        )
    except SchemaError as error:
        raise BadQuery(f"this cannot be done: {error}") from error
