"""Foreign formats: one module each, and the list by which a document is recognised."""

from kg.readers.formats.format import Format, Reading, recognised

__all__ = ["Format", "Reading", "recognised"]
