"""Equal libraries as equal bytes: DuckDB's random id of a file becomes a digest of what it holds.

DuckDB writes a random id into the first block of each file, by which it knows the write-ahead log
that belongs to it. A digest tells files apart just as well, and equal files get equal ids.

The block (DuckDB 1.4 and later, `MainHeader` in its `storage_info`): a checksum of the rest of it
(8 bytes), the letters DUCK, versions, and the id (16 bytes). A block that looks otherwise, as
another version may write, is left as it is.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

_BLOCK = 4096
_SUM, _MAGIC = slice(0, 8), slice(8, 12)
_NO_SECRETS, _ID, _REST = slice(116, 124), slice(124, 140), slice(140, _BLOCK)
_SEED, _FACTOR = 5381, np.uint64(0xBF58476D1CE4E5B9)
"""Of DuckDB's checksum: seed ^ the product of each word of 8 bytes with the factor."""
_AT_ONCE = 1 << 20


def name_by_content(path: Path) -> bool:
    """Give a closed DuckDB file the id that its content calls for; whether it has it now.

    The caller sees to it that the bytes reach the disk.

    Raises:
        OSError: the file cannot be read or written.
    """
    with path.open("r+b") as file:
        block = bytearray(file.read(_BLOCK))
        if not _is_known(block):
            return False
        digest = hashlib.blake2b(block[_MAGIC.start : _ID.start], digest_size=16)
        while part := file.read(_AT_ONCE):
            digest.update(part)
        block[_ID] = digest.digest()
        block[_SUM] = _checksum(block)
        file.seek(0)
        file.write(block)
    return True


def _is_known(block: bytearray) -> bool:
    """Whether a block is laid out as described, not encrypted, and sums up."""
    return (
        len(block) == _BLOCK
        and block[_MAGIC] == b"DUCK"
        and not any(block[_NO_SECRETS])
        and any(block[_ID])
        and not any(block[_REST])
        and block[_SUM] == _checksum(block)
    )


def _checksum(block: bytearray) -> bytes:
    words = np.frombuffer(bytes(block[_SUM.stop :]), dtype="<u8")
    total = int(np.bitwise_xor.reduce(words * _FACTOR)) ^ _SEED
    return total.to_bytes(8, "little")
