"""The vocabulary: all schemes, their hierarchy, and the way from a spelling to a term."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from kg.errors import AmbiguousTerm, SchemaError, TermNotFound
from kg.model import Change, Scheme, Term
from kg.model.text import language_of
from kg.vocab.faults import faults_of
from kg.vocab.history import history_faults, successors
from kg.vocab.spelling import normal, strip_particle

_CLOSE = 0.6
"""How alike a spelling must be to be suggested, as `difflib` counts."""

_NEUTRAL = ("", "zxx")
"""The language of slugs and identifiers: they fit a question in any language."""


class Vocabulary:
    """Terms of all schemes, looked up by id or by any spelling.

    Args:
        schemes: the schemes; order does not matter.
        history: what was renamed, merged and split until they became so, the oldest first. Ids
            that ended in it are old ids, each of one term; wherever an id is taken, they serve.

    Attributes:
        replaced: each old id with that of its term.

    Raises:
        SchemaError: a scheme is not one of `SCHEMES`, an id stands twice, a relation points
            nowhere or joins what it must not, `broader` has a cycle, or the history leads to a
            term that is not there; the message lists every fault.
    """

    def __init__(self, schemes: Iterable[Scheme], history: Iterable[Change] = ()) -> None:
        ordered = sorted(schemes, key=lambda s: s.scheme)
        if faults := faults_of(ordered):
            listed = "\n  ".join(map(str, faults))
            raise SchemaError(f"the vocabulary is not consistent:\n  {listed}")
        self.schemes: dict[str, Scheme] = {
            s.scheme: s.model_copy(update={"terms": tuple(_by_id(s))}) for s in ordered
        }
        self.terms: dict[str, Term] = {t.id: t for s in ordered for t in _by_id(s)}
        self.history: tuple[Change, ...] = tuple(history)
        if lost := history_faults(self.history, self.terms):
            raise SchemaError(
                "the history of the vocabulary does not fit it:\n  " + "\n  ".join(lost.values())
            )
        self.replaced: Mapping[str, str] = successors(self.history, self.terms)

    def __contains__(self, term_id: object) -> bool:
        """Whether this is the id of a term; an old id is not."""
        return term_id in self.terms

    def __len__(self) -> int:
        return len(self.terms)

    def get(self, term_id: str) -> Term:
        """The term with this id, or of which this is an old id.

        Raises:
            TermNotFound: there is none; the message names ids that look like it.
        """
        term = self.find(term_id)
        if term is None:
            raise TermNotFound(term_id, near=self.near(term_id))
        return term

    def find(self, term_id: str) -> Term | None:
        """The term with this id, or of which this is an old id; or None."""
        return self.terms.get(self.current(term_id))

    def current(self, term_id: str) -> str:
        """The id by which a term goes now: of an old id the new one, any other as it is."""
        return self.replaced.get(term_id, term_id)

    def near(self, term_id: str, count: int = 3) -> list[str]:
        """Up to `count` ids that look like `term_id`, best first."""
        return difflib.get_close_matches(term_id, self.terms, n=count, cutoff=_CLOSE)

    def of(self, scheme: str) -> tuple[Term, ...]:
        """The terms of one scheme, sorted by id.

        Raises:
            TermNotFound: there is no such scheme.
        """
        if scheme not in self.schemes:
            raise TermNotFound(scheme, near=difflib.get_close_matches(scheme, self.schemes))
        return tuple(_by_id(self.schemes[scheme]))

    def resolve(self, spelling: str, scheme: str | None = None, lang: str | None = None) -> Term:
        """The one term that a spelling names: an id (old ones too), a slug, a label or an alias.

        Only whole spellings count (case and separators aside): nothing is guessed, so `A100`
        never becomes `H100`. A Korean particle at the end is ignored.

        Args:
            spelling: what was given.
            scheme: only terms of this scheme.
            lang: language of suggestions; that of the spelling when None.

        Raises:
            TermNotFound: no term has this spelling; the message suggests what looks like it.
            AmbiguousTerm: terms of several schemes have it; give `scheme`.
        """
        found = self.lookup(spelling, scheme)
        if not found:
            raise TermNotFound(spelling, scheme, self._suggestions(spelling, scheme, lang))
        if len(found) > 1:
            raise AmbiguousTerm(spelling, [t.id for t in found])
        return found[0]

    def lookup(self, spelling: str, scheme: str | None = None) -> list[Term]:
        """All terms that a spelling names, sorted by id; empty when there is none."""
        named = [spelling, *([f"{scheme}:{spelling}"] if scheme else [])]
        by_id = [n for n in named if n in self.terms] or [n for n in named if n in self.replaced]
        if by_id:
            ids = {self.current(by_id[0])}
        else:
            key = normal(spelling)
            bare = (*key[:-1], strip_particle(key[-1])) if key else key
            ids = self._spelled(key, scheme) or self._spelled(bare, scheme)
        return [self.terms[i] for i in sorted(ids) if scheme in (None, self.terms[i].scheme)]

    def _spelled(self, key: tuple[str, ...], scheme: str | None) -> set[str]:
        ids = self.by_spelling.get(key, set())
        return {i for i in ids if scheme in (None, self.terms[i].scheme)}

    @cached_property
    def by_spelling(self) -> Mapping[tuple[str, ...], set[str]]:
        """Term ids by the normal form of each of their spellings."""
        found: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for term in self.terms.values():
            for _, spelling in term.spellings():
                if key := normal(spelling):
                    found[key].add(term.id)
        return dict(found)

    @cached_property
    def narrower(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the directly narrower terms of each term that has any."""
        found: dict[str, list[str]] = defaultdict(list)
        for term in self.terms.values():
            for parent in term.broader:
                found[parent].append(term.id)
        return {parent: tuple(sorted(children)) for parent, children in found.items()}

    def broader_steps(self, term_id: str) -> Mapping[str, int]:
        """The term and all its broader terms, with the least number of steps to each."""
        term_id = self.current(term_id)
        if (known := self._above.get(term_id)) is None:
            known = self._above[term_id] = self._steps_above(term_id)
        return known

    @cached_property
    def _above(self) -> dict[str, Mapping[str, int]]:
        """What `broader_steps` found: it is asked of the same few terms all the time."""
        return {}

    def _steps_above(self, term_id: str) -> Mapping[str, int]:
        steps, frontier = {term_id: 0}, [term_id]
        while frontier:
            current = frontier.pop(0)
            for parent in self.terms[current].broader:
                if parent not in steps:
                    steps[parent] = steps[current] + 1
                    frontier.append(parent)
        return steps

    def narrower_all(self, term_id: str) -> set[str]:
        """The term and every term below it."""
        term_id = self.current(term_id)
        found, frontier = {term_id}, [term_id]
        while frontier:
            for child in self.narrower.get(frontier.pop(), ()):
                if child not in found:
                    found.add(child)
                    frontier.append(child)
        return found

    def top(self, term_id: str) -> str:
        """The most general term above a term, by the first of its broader terms at each step.

        A term may have several broader terms; the first is the one under which it is grouped.
        """
        term_id = self.current(term_id)
        while self.terms[term_id].broader:
            term_id = self.terms[term_id].broader[0]
        return term_id

    def split_run(self, text: str, scheme: str) -> list[Term] | None:
        """Split labels that were run together, as in `NCCL 타임아웃학습 작업 실패`.

        Returns the terms in order, or None when the text is not wholly made of labels.
        """
        labels = sorted(
            ((s.casefold(), t) for t in self.of(scheme) for _, s in t.spellings()),
            key=lambda pair: (-len(pair[0]), pair[0], pair[1].id),
        )
        whole = text.strip().casefold()
        # Ways to read the text from each place on, found from the end; longer labels first.
        ways: dict[int, list[Term]] = {len(whole): []}
        for at in range(len(whole) - 1, -1, -1):
            for label, term in labels:
                after = at + len(label)
                after += len(whole[after:]) - len(whole[after:].lstrip(" ,·/"))
                if after in ways and whole.startswith(label, at):
                    ways[at] = [term, *ways[after]]
                    break
        return ways.get(0)

    def _suggestions(self, spelling: str, scheme: str | None, lang: str | None) -> list[str]:
        """Up to three spellings that look like this one, each of another term, best first."""
        wanted = lang or language_of(spelling)
        found: dict[str, list[str]] = defaultdict(list)
        for term in self.terms.values():
            if scheme in (None, term.scheme):
                for _, text in _offered(term, scheme):
                    found[text.casefold()].append(term.id)
        close = difflib.get_close_matches(spelling.casefold(), found, n=24, cutoff=_CLOSE)
        ids = dict.fromkeys(i for text in close for i in found[text])
        shown = (_nearest(_offered(self.terms[i], scheme), spelling, wanted) for i in ids)
        return list(dict.fromkeys(shown))[:3]


def _offered(term: Term, scheme: str | None) -> list[tuple[str, str]]:
    """What names a term, as (language, spelling); a slug does so only within its scheme."""
    return [*term.spellings(), *([("", term.slug)] if scheme else [])]


def _nearest(offered: list[tuple[str, str]], spelling: str, lang: str) -> str:
    """The spelling of a term that is most like the given one, in the language if there is one."""
    fitting = [s for code, s in offered if code in (lang, *_NEUTRAL)] or [s for _, s in offered]
    matcher = difflib.SequenceMatcher(b=spelling.casefold())

    def likeness(text: str) -> float:
        matcher.set_seq1(text.casefold())
        return matcher.ratio()

    return max(fitting, key=likeness)


def _by_id(scheme: Scheme) -> list[Term]:
    return sorted(scheme.terms, key=lambda t: t.id)
