"""Controlled lists: schemes of terms, their hierarchy, spellings, and the tagger."""

from kg.vocab.tagger import Tag, Tagger
from kg.vocab.vocabulary import SCHEMES, Vocabulary

__all__ = ["SCHEMES", "Tag", "Tagger", "Vocabulary"]
