"""Controlled lists: schemes of terms, their hierarchy, spellings, and the tagger."""

from kg.vocab.assigning import parse_assignments
from kg.vocab.evolving import Evolution, merge_terms, rename_term, split_term
from kg.vocab.faults import Fault, faults_of
from kg.vocab.following import Followed, follow_history
from kg.vocab.meaning import MeaningTagger, term_texts
from kg.vocab.retagging import Contradiction, contradictions
from kg.vocab.schemes import RELATION_SCHEMES, SCHEMES
from kg.vocab.space import Examples
from kg.vocab.tagger import Tag, Tagger, tagger_of
from kg.vocab.tagging import tag
from kg.vocab.targets import Told
from kg.vocab.undoing import Undone, undo_last
from kg.vocab.vocabulary import Vocabulary
from kg.vocab.weights import MeaningWeights

__all__ = [
    "RELATION_SCHEMES",
    "SCHEMES",
    "Contradiction",
    "Evolution",
    "Examples",
    "Fault",
    "Followed",
    "MeaningTagger",
    "MeaningWeights",
    "Tag",
    "Tagger",
    "Told",
    "Undone",
    "Vocabulary",
    "contradictions",
    "faults_of",
    "follow_history",
    "merge_terms",
    "parse_assignments",
    "rename_term",
    "split_term",
    "tag",
    "tagger_of",
    "term_texts",
    "undo_last",
]
