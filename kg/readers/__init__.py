"""From files to records: one module per input format. Bad input becomes a `Problem`."""

from kg.readers.batch import Batch, load_batch, read_rdf_files
from kg.readers.casefile import dump_case, parse_case, read_cases
from kg.readers.exported import find_export
from kg.readers.rdf import RdfBatch, read_rdf
from kg.readers.shipped import shipped
from kg.readers.vocabularyfile import dump_scheme, read_vocabulary, vocabulary_among

__all__ = [
    "Batch",
    "RdfBatch",
    "dump_case",
    "dump_scheme",
    "find_export",
    "load_batch",
    "parse_case",
    "read_cases",
    "read_rdf",
    "read_rdf_files",
    "read_vocabulary",
    "shipped",
    "vocabulary_among",
]
