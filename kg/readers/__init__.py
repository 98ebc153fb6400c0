"""From files to records: one module per input format. Bad input becomes a `Problem`."""

from kg.readers.batch import Batch, load_batch
from kg.readers.casefile import dump_case, parse_case, read_cases
from kg.readers.shipped import shipped
from kg.readers.vocabularyfile import dump_scheme, read_vocabulary

__all__ = [
    "Batch",
    "dump_case",
    "dump_scheme",
    "load_batch",
    "parse_case",
    "read_cases",
    "read_vocabulary",
    "shipped",
]
