"""Controlled lists: schemes of terms, their hierarchy, spellings, and the tagger."""

from kg.vocab.faults import Fault, faults_of
from kg.vocab.schemes import RELATION_SCHEMES, SCHEMES
from kg.vocab.tagger import Tag, Tagger
from kg.vocab.vocabulary import Vocabulary

__all__ = ["RELATION_SCHEMES", "SCHEMES", "Fault", "Tag", "Tagger", "Vocabulary", "faults_of"]
