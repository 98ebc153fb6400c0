"""Where the shipped data lies; found one floor below, where the tagger needs it as well."""

from kg.vocab.shipped import shipped

__all__ = ["shipped"]
