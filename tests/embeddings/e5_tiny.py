"""Writes a tiny weights file of format E5S1, so that tests need neither 90 MB nor a network."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

HIDDEN, LAYERS, HEADS, FEED_FORWARD, POSITIONS, TOKEN_TYPES = 32, 2, 4, 64, 16, 2
PIECES = [
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    "\u2581",
    "\u2581a",
    "b",
    "ab",
    "\u2581ab",
    "\u2581노드",
    "가",
]
SCORES = [0.0, 0.0, 0.0, 0.0, -3.0, -2.0, -2.5, -4.0, -2.2, -3.5, -2.8]
CHARACTER_MAP = {"\t": " ", "\n": " ", "\u3000": " ", "ａ": "a", "\u200b": "", "㎏": "kg"}


def encode_blocks(weights: NDArray[np.float32]) -> bytes:
    """The slow obvious way round: scale = max / 7, nibble = round(weight / scale) + 8."""
    out = b""
    for block in weights.reshape(-1, 32):
        scale = np.float16(np.abs(block).max() / 7)
        nibbles = [8 + (round(float(w / scale)) if scale else 0) for w in block]
        nibbles = [min(15, max(0, n)) for n in nibbles]
        packed = [nibbles[i] | nibbles[i + 16] << 4 for i in range(16)]
        out += scale.tobytes() + bytes(packed)
    return out


def decode_blocks(stored: bytes) -> list[float]:
    """The slow obvious reader of blocks."""
    values: list[float] = []
    for at in range(0, len(stored), 18):
        (scale,) = struct.unpack_from("<e", stored, at)
        packed = stored[at + 2 : at + 18]
        values += [((byte & 15) - 8) * scale for byte in packed]
        values += [((byte >> 4) - 8) * scale for byte in packed]
    return values


def tensors(seed: int = 0) -> dict[str, tuple[int, NDArray[np.float32]]]:
    """Name -> (type, weights); matrices as blocks, vectors as f32, as in the real file."""
    random = np.random.default_rng(seed)

    def draw(*shape: int, around: float = 0.0) -> NDArray[np.float32]:
        return (around + 0.5 * random.standard_normal(shape)).astype(np.float32)

    found = {
        "emb.word": (1, draw(len(PIECES), HIDDEN)),
        "emb.pos": (0, draw(POSITIONS, HIDDEN)),
        "emb.type": (0, draw(TOKEN_TYPES, HIDDEN)),
        "emb.ln.w": (0, draw(HIDDEN, around=1.0)),
        "emb.ln.b": (0, draw(HIDDEN)),
    }
    for layer in range(LAYERS):
        sizes = {"q": (HIDDEN, HIDDEN), "k": (HIDDEN, HIDDEN), "v": (HIDDEN, HIDDEN)}
        sizes |= {
            "ao": (HIDDEN, HIDDEN),
            "fi": (FEED_FORWARD, HIDDEN),
            "fo": (HIDDEN, FEED_FORWARD),
        }
        for name, size in sizes.items():
            found[f"l{layer}.{name}.w"] = (1, draw(*size))
            found[f"l{layer}.{name}.b"] = (0, draw(size[0]))
        for name in ("aln", "oln"):
            found[f"l{layer}.{name}.w"] = (0, draw(HIDDEN, around=1.0))
            found[f"l{layer}.{name}.b"] = (0, draw(HIDDEN))
    return found


def write(path: Path, seed: int = 0) -> Path:
    """Write a whole file and return its path."""
    head = b"E5S1" + struct.pack("<I", 1)
    head += struct.pack(
        "<7i", HIDDEN, LAYERS, HEADS, FEED_FORWARD, len(PIECES), POSITIONS, TOKEN_TYPES
    )
    head += struct.pack("<fi", 1e-12, 32) + _pieces() + _character_map()
    stored = {
        name: (kind, w.size, encode_blocks(w) if kind else w.tobytes())
        for name, (kind, w) in tensors(seed).items()
    }
    directory = 4 + sum(2 + len(name) + 21 for name in stored)
    at = len(head) + directory
    entries = struct.pack("<i", len(stored))
    for name, (kind, count, raw) in stored.items():
        entries += struct.pack("<H", len(name)) + name.encode()
        entries += struct.pack("<BIQQ", kind, count, at, len(raw))
        at += len(raw)
    path.write_bytes(head + entries + b"".join(raw for _, _, raw in stored.values()))
    return path


def _pieces() -> bytes:
    blobs = [piece.encode() for piece in PIECES]
    offsets = np.cumsum([0, *map(len, blobs)]).astype("<u4")
    out = struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, int(offsets[-1]))
    return out + offsets.tobytes() + np.array(SCORES, dtype="<f4").tobytes() + b"".join(blobs)


def _character_map() -> bytes:
    out = b""
    for source, target in sorted(CHARACTER_MAP.items()):
        out += struct.pack("<IB", ord(source), len(target))
        out += struct.pack(f"<{len(target)}I", *map(ord, target))
    return struct.pack("<iI", len(CHARACTER_MAP), len(out)) + out
