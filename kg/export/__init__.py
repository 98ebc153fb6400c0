"""The library in other forms; so far, pictures."""

from kg.export.svg import draw

__all__ = ["draw"]
