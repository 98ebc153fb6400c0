"""Making a name that sources use a spelling of a term, in a library of one's own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from kg.errors import BadQuery
from kg.intake import Merges
from kg.intake.names import with_term
from kg.library.build import Progress, rebuilt
from kg.library.own import change_own
from kg.library.progress import no_progress
from kg.model import Action, Term
from kg.model.text import language_of
from kg.store import Snapshot
from kg.vocab import Told, Vocabulary
from kg.vocab.evolving import with_terms
from kg.vocab.spelling import normal


@dataclass(frozen=True)
class AcceptedName:
    """A name that is a spelling of a term now.

    Attributes:
        path: the library file.
        name: the name.
        term: the term, as it is now.
        new: whether the term was added.
        cases: the cases that got a claim for it, sorted by id; it waits for review.
    """

    path: Path
    name: str
    term: Term
    new: bool
    cases: tuple[str, ...]


def accept_name(
    path: str | Path,
    name: str,
    term: str | Term,
    *,
    at: str | None = None,
    author: str | None = None,
    progress: Progress | None = None,
) -> AcceptedName:
    """Make a name an alias of a term, or add a term that has it, and claim it where it stands.

    In every case whose services or labels have the name a claim is made as it would have been made
    when its document was read: by the field, suspected, for a person to judge.

    Args:
        path: the library file, one of your own.
        name: the name, as `lib.unknown_names()` tells it.
        term: the term by any spelling; or a new one, described whole.
        at: when, for the history of the cases, as ISO 8601; no clock is read.
        author: by whom.
        progress: called as progress(stage, done, total).

    Raises:
        TermNotFound, AmbiguousTerm: `term` names no term, or several.
        BadQuery: the name is empty or that of another term, the new term is one already or does
            not fit in, or the term stands for something without a name.
        LibraryError, LibraryLocked: the library cannot be changed.
    """
    found: list[AcceptedName] = []

    def change(snapshot: Snapshot) -> Snapshot:
        words, made = _named(snapshot.vocabulary, name, term)
        merges = Merges(snapshot.cases, snapshot.revisions, words)
        told = Told(at, author, f"{' '.join(name.split())} is {made.id}")
        touched = set()
        for member in list(merges.sources()):
            after = with_term(member, name, made.id)
            if after is not member:
                merges.put(after, Action.UPDATED, told)
                touched.add(merges.top(member.id))
        new = made.id not in snapshot.vocabulary
        found.append(AcceptedName(Path(path), name, made, new, tuple(sorted(touched))))
        return replace(
            snapshot,
            vocabulary=words,
            cases=tuple(merges.cases.values()),
            revisions=merges.revisions(),
        )

    change_own(path, change, lambda s: rebuilt(s, progress or no_progress))
    return found[0]


def _named(vocabulary: Vocabulary, name: str, term: str | Term) -> tuple[Vocabulary, Term]:
    """The vocabulary in which a term has a name, and the term."""
    spelling = " ".join(name.split())
    if not normal(spelling):
        raise BadQuery("the name has no words; give one as lib.unknown_names() tells it")
    old = vocabulary.resolve(term) if isinstance(term, str) else term
    if isinstance(term, Term) and vocabulary.current(term.id) in vocabulary:
        raise BadQuery(f"{term.id} is a term already; give its id alone to add a spelling")
    if old.unnamed:
        raise BadQuery(f"{old.id} stands for something without a name, so it can have no spelling")
    if old.scheme not in vocabulary.schemes:
        raise BadQuery(
            f"there is no scheme {old.scheme}; there are {', '.join(vocabulary.schemes)}"
        )
    others = [t.id for t in vocabulary.lookup(spelling, old.scheme) if t.id != old.id]
    if others:
        raise BadQuery(f"{spelling!r} names {others[0]} already")
    made = old
    if normal(spelling) not in {normal(s) for _, s in old.spellings()}:
        lang = _lang(spelling)
        aliases = {**old.aliases, lang: (*old.aliases.get(lang, ()), spelling)}
        made = Term.model_validate(old.model_dump() | {"aliases": aliases})
    terms = {**vocabulary.terms, made.id: made}
    ordered = {i: terms[i] for i in sorted(terms)}
    return with_terms(vocabulary, ordered, vocabulary.history), made


def _lang(spelling: str) -> str:
    """`ko` with Hangul, `zxx` for one word, as identifiers are, else `en`."""
    if language_of(spelling) == "ko":
        return "ko"
    return "en" if " " in spelling else "zxx"
