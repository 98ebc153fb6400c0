"""Controlled lists: schemes of terms, their hierarchy, spellings, and the tagger."""

from kg.vocab.faults import Fault, faults_of
from kg.vocab.meaning import MeaningTagger, term_texts
from kg.vocab.schemes import RELATION_SCHEMES, SCHEMES
from kg.vocab.space import Examples
from kg.vocab.tagger import Tag, Tagger
from kg.vocab.tagging import tag
from kg.vocab.vocabulary import Vocabulary
from kg.vocab.weights import MeaningWeights

__all__ = [
    "RELATION_SCHEMES",
    "SCHEMES",
    "Examples",
    "Fault",
    "MeaningTagger",
    "MeaningWeights",
    "Tag",
    "Tagger",
    "Vocabulary",
    "faults_of",
    "tag",
    "term_texts",
]
