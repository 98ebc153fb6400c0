"""Term records under a change: ids replaced wherever they stand, and several terms made one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from kg.model import Term, TermRelation, Text
from kg.vocab.spelling import normal

_POINTING = ("broader", *(r.value for r in TermRelation))
"""The fields of a term that hold ids of others."""


def replaced(ids: Iterable[str], new_ids: Mapping[str, str]) -> tuple[str, ...]:
    """Ids with some of them replaced, in their order, each once."""
    return tuple(dict.fromkeys(new_ids.get(i, i) for i in ids))


def repointed(term: Term, new_ids: Mapping[str, str]) -> Term:
    """A term that points at the new ids, but not at itself where it did not before."""
    found = {name: _repointed(getattr(term, name), term.id, new_ids) for name in _POINTING}
    changed = {name: ids for name, ids in found.items() if ids != getattr(term, name)}
    return term.model_copy(update=changed) if changed else term


def _repointed(ids: tuple[str, ...], own: str, new_ids: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(i for i in replaced(ids, new_ids) if i != own or own in ids)


def points_at(term: Term) -> set[str]:
    """The ids that a term names as broader or related."""
    return {i for name in _POINTING for i in getattr(term, name)}


def named_anew(term: Term, label: Mapping[str, str]) -> Term:
    """A term with other labels; those that they replace become aliases."""
    if not label:
        return term
    kept = {lang: said for lang, said in term.label.items() if lang not in label}
    fresh = term.model_copy(update={"label": Text.model_validate({**kept, **label})})
    return with_aliases(fresh, term.label.items())


def with_aliases(term: Term, spellings: Iterable[tuple[str, str]]) -> Term:
    """A term with more spellings, given as (language, spelling).

    One that has the same words as a spelling of its language already is left out.
    """
    aliases = {lang: list(names) for lang, names in term.aliases.items()}
    known = {(lang, normal(said)) for lang, said in term.spellings()}
    for lang, said in spellings:
        if (lang, normal(said)) not in known:
            known.add((lang, normal(said)))
            aliases.setdefault(lang, []).append(said)
    more = {lang: tuple(names) for lang, names in sorted(aliases.items())}
    return term if more == term.aliases else term.model_copy(update={"aliases": more})


def joined(target: Term, others: Sequence[Term], above: Mapping[str, Collection[str]]) -> Term:
    """One term for several: what it means is what `target` means.

    Labels and aliases of the others become aliases, their broader and related terms are added.
    What elsewhere means exactly the same as one of them is nearly the same as the target.

    Args:
        target: the term that stays.
        others: those that end, in order.
        above: each term with all that is broader than it; of what the others bring, a broader
            term that lies above another one is left out.
    """
    ended = {target.id, *(t.id for t in others)}
    more: dict[str, Any] = {}
    for name in _POINTING:
        own = [i for i in getattr(target, name) if i not in ended]
        brought = [i for t in others for i in getattr(t, name) if i not in ended]
        if name == "broader":
            brought = _lowest(own, brought, above)
        more[name] = tuple(dict.fromkeys([*own, *brought]))
    near = [iri for t in others for _, iri in t.matches()]
    more["close_match"] = tuple(sorted({*target.close_match, *near} - {*target.exact_match}))
    made = target.model_copy(update=more)
    return with_aliases(made, [pair for t in others for pair in t.spellings()])


def _lowest(
    own: Sequence[str], brought: Sequence[str], above: Mapping[str, Collection[str]]
) -> list[str]:
    every = {*own, *brought}
    return [i for i in brought if not any(i in above.get(j, ()) for j in every if j != i)]
