"""Terms that a text tells of in other words: nearness to definitions and to claims of cases.

For each piece of a text and each term three measures are taken: how much of one of its spellings
stands there in any order, how like the words are to its spellings and definitions, and how near
the piece is to the term in the encoder's space. A logistic function per scheme, fitted on the
shipped cases, makes one confidence of them: of whether the term is named, of each measure at the
best piece, and of its lead over the best other term of the scheme.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from kg.model.text import language_of
from kg.vocab.denial import denied, lacks
from kg.vocab.pieces import Piece, clause_of, pieces_of
from kg.vocab.schemes import SCHEMES
from kg.vocab.space import Examples, Floats, Scores, Space
from kg.vocab.spelling import words
from kg.vocab.tagger import ALIKE, DENIABLE, HAPPENINGS, MEANING, Tag, Tagger, fired
from kg.vocab.termwords import Tokenize, words_of_terms
from kg.vocab.vocabulary import Vocabulary
from kg.vocab.weights import MEASURES, MeaningWeights

Embed = Callable[[Sequence[str]], Floats]

_Read = tuple[int, int, Sequence[str]]
"""A word of a text: start, end, tokens."""

COVERED = 0.5
"""Share of a spelling that must stand in words for these to be what a tag rests on."""
NEARLY_NAMED = 0.9
"""Confidence from which words that are denied are held to mean a term that they do not name."""
APART = 0.5
"""Confidence from which a term is told in its own clause, whatever broader one is denied."""
DENIED = 0.5
"""Confidence from which what a denying clause tells of is held to be denied."""
WHOLE = 0.99
"""Share of a spelling that words must hold to be quoted alone, without their clause."""
NAMED_ONLY = frozenset({"organization"})
"""Schemes of proper names: what is not named in part at least is not told of."""


def term_texts(vocabulary: Vocabulary) -> list[tuple[str, str, str]]:
    """What is embedded of a vocabulary, as (term, language, text): label and definition."""
    return [
        (term.id, lang, f"{term.label.best(lang)}: {definition}")
        for term in vocabulary.terms.values()
        if not term.unnamed
        for lang, definition in term.definition.items()
    ]


class MeaningTagger:
    """Finds terms by name and by meaning, each with a confidence.

    Args:
        vocabulary: the terms.
        term_vectors: unit vectors of `term_texts`, in their order.
        examples: texts of cases with the terms that they state.
        embed: text -> unit vectors in the same space, for texts to be tagged.
        tokenize: text -> words, stemmed; Korean with pairs of syllables.
        weights: the fitted parameters.
        labels: the tagger that finds names; made where not given.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        term_vectors: Floats,
        examples: Examples,
        embed: Embed,
        tokenize: Tokenize,
        weights: MeaningWeights,
        labels: Tagger | None = None,
    ) -> None:
        self._labels = labels or Tagger(vocabulary)
        self._vocabulary = vocabulary
        self._terms = [t for t in vocabulary.terms.values() if not t.unnamed]
        self.ids = tuple(t.id for t in self._terms)
        """The terms in the order of `features`."""
        self._row = {term_id: i for i, term_id in enumerate(self.ids)}
        self._embed, self._tokenize, self._weights = embed, tokenize, weights
        self._schemes = [
            (name, rows)
            for name in SCHEMES
            if len(rows := np.flatnonzero([t.scheme == name for t in self._terms]))
        ]
        self._said = words_of_terms(vocabulary, tokenize)
        self._space = Space(term_texts(vocabulary), term_vectors, examples, self._row)

    def tag(self, text: str, vector: Floats | None = None) -> list[Tag]:
        """All terms found in `text`, in order of place.

        Each term is found by its names, as often as they stand there, or else at most once by
        meaning, and not on words within a name of another term of its scheme. Texts that deny
        something are embedded without it.

        Args:
            text: what was written.
            vector: that of the whole text, where it is known; then nothing is embedded, unless
                the text takes something out of question.
        """
        named = self._labels.tag(text)
        pieces = pieces_of(text)
        told = [p for p in pieces if not p.excluded]
        apart = [p for p in pieces if p.excluded]
        known = {t.term for t in named}
        measured = self._measured(text, told, vector if not apart else None)
        confidence = self._confidence(measured, {t.term for t in named if not t.negated})
        tags = self._found(text, told, measured, confidence, known)
        if apart:
            known |= {t.term for t in tags}
            measured = self._measured(text, apart, None)
            judged = self._confidence(measured, set())
            tags += self._denied(self._found(text, apart, measured, judged, known), named, apart)
        tags = [t for t in tags if not any(_explains(name, t) for name in named)]
        tags = [self._quoted(text, t, pieces) for t in self._carried(named, tags, pieces)]
        # What a denial is about is not told by it: "damage to the checkpoint was not the reason".
        named = [t for t in named if t.negated or _happens(t.term) or not _within(t, apart)]
        return sorted(tags + [self._named(t, confidence) for t in named])

    def _denied(
        self, told: Sequence[Tag], named: Sequence[Tag], apart: Sequence[Piece]
    ) -> list[Tag]:
        """Of what denying clauses tell of, the one thing that each denies: the surest.

        A clause that denies something by name denies that alone. What else it brings to mind is
        neither told nor denied.
        """
        kept: list[Tag] = []
        for piece in apart:
            if any(t.negated and _within(t, (piece,)) for t in named):
                continue
            sure = [
                t
                for t in told
                if _within(t, (piece,))
                and _happens(t.term)
                and t.confidence >= DENIED
                and not self._said.named_as_lack[self._row[t.term]]
            ]
            kept += sorted(sure, key=lambda t: (-t.confidence, t.term))[:1]
        return [replace(t, negated=True) for t in kept]

    def with_weights(self, weights: MeaningWeights) -> MeaningTagger:
        """The same tagger with other parameters."""
        other = copy.copy(self)
        other._weights = weights
        return other

    def features(self, text: str, vector: Floats | None = None) -> Scores:
        """The features of every term for a text, in the order of `ids`: (terms, FEATURES)."""
        named = {t.term for t in self._labels.tag(text) if not t.negated}
        told = [p for p in pieces_of(text) if not p.excluded]
        return self._features(self._measured(text, told, vector), named)

    def _measured(self, text: str, pieces: Sequence[Piece], vector: Floats | None) -> Scores:
        """The measures of each piece for every term: (pieces, terms, MEASURES)."""
        if not pieces:
            return np.zeros((1, len(self.ids), len(MEASURES)))
        texts = [text[p.start : p.end] for p in pieces]
        if vector is None:
            vectors = self._embed(texts)
        else:
            vectors = np.broadcast_to(vector.reshape(1, -1), (len(texts), vector.size))
        near = self._space.nearness(vectors, [language_of(t) for t in texts])
        tokens = [frozenset(self._tokenize(t)) for t in texts]
        covered = np.stack([self._said.names.covered(t) for t in tokens])
        alike = np.stack([self._said.likeness.cosine(t) for t in tokens])
        return np.stack([covered, alike, near], axis=-1)

    def _features(self, measured: Scores, named: set[str]) -> Scores:
        """Whether each term is named, its measures at their best, and two leads."""
        covered, alike, near = measured.max(axis=0).T
        label = np.zeros(len(self.ids))
        label[[self._row[t] for t in named]] = 1.0
        leads = (self._leads(covered), self._leads(near))
        return np.stack([label, covered, alike, near, *leads], axis=-1)

    def _confidence(self, measured: Scores, named: set[str]) -> Scores:
        return self._weights.confidence(self._features(measured, named), self._schemes)

    def _leads(self, values: Scores) -> Scores:
        """How far each term is above the best other of its scheme; below it, how far below."""
        leads = np.zeros(len(values))
        for _, rows in self._schemes:
            if len(rows) > 1:
                mine = values[rows]
                second, first = np.partition(mine, -2)[-2:]
                leads[rows] = mine - np.where(mine == first, second, first)
        return leads

    def _found(
        self,
        text: str,
        pieces: Sequence[Piece],
        measured: Scores,
        confidence: Scores,
        known: set[str],
    ) -> list[Tag]:
        """Tags by meaning for the terms above their scheme's threshold that are not yet known."""
        sure = [
            int(row)
            for name, rows in self._schemes
            for row in rows[confidence[rows] >= self._weights.schemes[name].threshold]
            if self.ids[row] not in known
            and (name not in NAMED_ONLY or measured[:, row, 0].max() >= COVERED)
        ]
        if not sure or not pieces:
            return []
        best = self._weights.of_pieces(measured, self._schemes).argmax(axis=0)
        read = {i: self._read(text, pieces[i]) for i in {int(best[row]) for row in sure}}
        found = (
            self._by_meaning(text, pieces[best[row]], row, read[best[row]], confidence[row])
            for row in sure
        )
        return [tag for tag in found if tag is not None]

    def _read(self, text: str, piece: Piece) -> list[_Read]:
        """The words of a piece: their places in the text, and what the tokenizer makes of them."""
        found = [
            (piece.start + w.start, piece.start + w.end)
            for w in words(text[piece.start : piece.end])
        ]
        return [(start, end, self._tokenize(text[start:end])) for start, end in found]

    def _by_meaning(
        self, text: str, piece: Piece, row: int, read: Sequence[_Read], confidence: float
    ) -> Tag | None:
        """A tag on the words that name most of a term, or on the whole piece if they name little.

        What is denied of those words is denied of the term, unless it is itself a lack. None
        where the words say its opposite, or name only what something is like.
        """
        term_id, (first, last) = self.ids[row], self._anchor(row, read)
        start, end, negated = piece.start, piece.end, False
        if first < last:
            inner = (read[first][0], read[last - 1][1])
            alike = any(ALIKE.match(text, at) for _, at, _ in read[first:last])
            if alike or fired(text, *inner) or self._opposite(text, piece, row, inner):
                return None
            happening = term_id.partition(":")[0] in DENIABLE and not self._said.negative[row]
            negated = denied(text, *inner, happening)
            inside = frozenset(t for _, _, tokens in read[first:last] for t in tokens)
            covered = float(self._said.names.covered(inside)[row])
            sure = _happens(term_id) and (covered >= WHOLE or confidence >= NEARLY_NAMED)
            if negated and not sure:
                return None  # what only brings a term to mind does not deny it either
            if covered >= COVERED:
                start, end = inner
        rounded = round(float(confidence), 4)
        return Tag(start, end, term_id, text[start:end], negated, rounded, MEANING)

    def _opposite(self, text: str, piece: Piece, row: int, words: tuple[int, int]) -> bool:
        """Whether words speak of what a term lacks, and lack nothing: "nodes are Ready"."""
        start, end = clause_of(text, *words, (piece,))
        lacked, told = self._said.lacked[row], text[start:end]
        return bool(lacked) and not lacks(told) and not lacked.isdisjoint(self._tokenize(told))

    def _quoted(self, text: str, tag: Tag, pieces: Sequence[Piece]) -> Tag:
        """A tag on words that do not name its term whole, on the clause in which they stand."""
        inside = frozenset(self._tokenize(tag.text))
        if self._said.names.covered(inside)[self._row[tag.term]] >= WHOLE:
            return tag
        start, end = clause_of(text, tag.start, tag.end, pieces)
        return replace(tag, start=start, end=end, text=text[start:end])

    def _carried(
        self, named: Sequence[Tag], tags: Sequence[Tag], pieces: Sequence[Piece]
    ) -> list[Tag]:
        """What is denied by name takes along its narrower terms, and what its words tell of.

        Not so a narrower term that another sentence tells of with some confidence: "the
        controller's battery died. There is no disk failure".
        """
        stated = {t.term for t in named if not t.negated}
        gone = {t.term for t in named if t.negated} - stated
        spans = [(t.start, t.end) for t in named if t.negated]
        return [
            replace(tag, negated=True)
            if _happens(tag.term)
            and (
                (
                    not gone.isdisjoint(self._vocabulary.broader_steps(tag.term))
                    and not (tag.confidence >= APART and _elsewhere(tag, named, pieces))
                )
                or any(start <= tag.start and tag.end <= end for start, end in spans)
            )
            else tag
            for tag in tags
        ]

    def _anchor(self, row: int, read: Sequence[_Read]) -> tuple[int, int]:
        """The stretch of words that weighs most for a term; empty when none does."""
        mine = self._said.likeness.weights(row)
        values = [sum(mine.get(t, 0.0) for t in tokens) for _, _, tokens in read]
        return max(_runs(values), key=lambda r: sum(values[r[0] : r[1]]), default=(0, 0))

    def _named(self, tag: Tag, confidence: Scores) -> Tag:
        """A tag by name with the confidence of its term; what is denied stays as it is."""
        if tag.negated:
            return tag
        return replace(tag, confidence=round(float(confidence[self._row[tag.term]]), 4))


def _explains(name: Tag, tag: Tag) -> bool:
    """Whether a term is told of by words that name another of its scheme: the longer name wins."""
    same = name.term.partition(":")[0] == tag.term.partition(":")[0]
    return same and name.start <= tag.start and tag.end <= name.end


def _happens(term_id: str) -> bool:
    return term_id.partition(":")[0] in HAPPENINGS


def _runs(values: Sequence[float]) -> Iterable[tuple[int, int]]:
    """Stretches of telling words, with at most one other word between two of them."""
    at = [i for i, v in enumerate(values) if v > 0]
    start = 0
    for i in range(1, len(at) + 1):
        if i == len(at) or at[i] - at[i - 1] > 2:
            yield at[start], at[i - 1] + 1
            start = i


def _elsewhere(tag: Tag, named: Sequence[Tag], pieces: Sequence[Piece]) -> bool:
    """Whether a tag stands in a sentence in which nothing is denied by name."""
    own = [p for p in pieces if p.start < tag.end and tag.start < p.end]
    return bool(own) and not any(t.negated and _within(t, own) for t in named)


def _within(tag: Tag, pieces: Sequence[Piece]) -> bool:
    return any(p.start <= tag.start and tag.end <= p.end for p in pieces)
