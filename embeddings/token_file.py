"""Token vectors that come with the data: one file of keys and codes, read only.

Found by the same keys as in the cache, as the vectors of a `VectorFile` are: a changed text is
simply not there and is encoded anew.
"""

from __future__ import annotations

import io
import zipfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from embeddings.errors import BadVector
from embeddings.late import TokenTable
from embeddings.vector_file import KEY_BYTES, read_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    Codes = NDArray[np.int8]

PASSAGE_TOKENS = "passage tokens/1"
"""The role in the key of a passage's token vectors; see `vector_key`."""


class TokenFile:
    """Token vectors in a file that `write_tokens` made.

    A file that is missing, damaged or of another dimension holds nothing: whatever is not found
    is encoded, so it is never worth an error.
    """

    def __init__(self, path: Path | str) -> None:
        """`path`: the file; its codes are read when the first ones that it holds are asked for."""
        self.path = Path(path)

    def get(self, keys: Iterable[bytes], dimension: int) -> dict[bytes, Codes]:
        """The token vectors that are there: int8 (tokens, dimension) each."""
        wanted = [key for key in dict.fromkeys(keys) if key in self._keys]
        if not wanted:
            return {}
        places, table = self._content
        if table.dimension != dimension:
            return {}
        return {key: table.codes_of(places[key]) for key in wanted if key in places}

    def __len__(self) -> int:
        """Number of texts."""
        return len(self._content[0])

    @cached_property
    def _keys(self) -> frozenset[bytes]:
        return read_keys(self.path)

    @cached_property
    def _content(self) -> tuple[dict[bytes, int], TokenTable]:
        try:
            with np.load(self.path, allow_pickle=False) as file:
                keys, table = file["keys"], TokenTable(file["codes"], file["starts"])
            if keys.shape == (len(table), KEY_BYTES) and table.codes.dtype == np.int8:
                return {key.tobytes(): row for row, key in enumerate(keys)}, table
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, BadVector):
            pass
        return {}, TokenTable.of([])


def write_tokens(path: Path | str, tokens: Mapping[bytes, Codes]) -> None:
    """Write token vectors by key, sorted by key; equal ones give equal bytes.

    Raises:
        BadVector: token vectors of different dimensions.
    """
    ordered = sorted(tokens)
    keys = np.frombuffer(b"".join(ordered), dtype=np.uint8).reshape(len(ordered), KEY_BYTES)
    table = TokenTable.of([tokens[key] for key in ordered])
    buffer = io.BytesIO()
    np.savez(buffer, keys=keys, starts=table.starts, codes=table.codes)
    Path(path).write_bytes(buffer.getvalue())
