"""Small numpy helpers behind the compact arrays: groups, spans and counts of whole numbers."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]
N = TypeVar("N", bound=np.generic)


def offsets(codes: Ints, size: int) -> NDArray[np.int64]:
    """Where each code begins and ends once equal ones stand together: shape (size + 1,)."""
    bounds = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(codes, minlength=size), out=bounds[1:])
    return bounds


def grouped(codes: Ints, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The order that puts equal codes together, and where each code begins in it.

    Equal codes keep their order. A code and its place are packed into one number, since plain
    numbers are sorted several times faster than places by what they point at.

    Args:
        codes: 0 to size - 1, shape (n,).
        size: how many codes there may be.

    Returns:
        offsets, shape (size + 1,), and places, shape (n,).
    """
    places = max(1, (len(codes) - 1).bit_length())
    width = places + max(1, (size - 1).bit_length())
    keys: NDArray[Any] = codes.astype(np.uint32 if width <= 32 else np.uint64)
    keys <<= places
    keys |= np.arange(len(codes), dtype=keys.dtype)
    keys.sort()
    if size << 5 < len(keys):  # few codes are looked up faster than all are counted
        firsts = np.arange(size, dtype=keys.dtype) << places
        bounds = np.append(np.searchsorted(keys, firsts), len(keys))
    else:
        bounds = offsets(codes, size)
    keys &= (1 << places) - 1
    return bounds, keys.astype(np.int64)


def picked(values: NDArray[N], places: Ints) -> NDArray[N]:
    """The values at these places, which must be sound: not checked, which halves the time."""
    return values.take(places, mode="clip")


def spans(starts: Ints, lengths: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All places of several spans, one span after the other, and the span of each place."""
    span = np.repeat(np.arange(len(lengths)), lengths)
    shift = starts - (np.cumsum(lengths) - lengths)
    return np.arange(len(span)) + shift[span], span


def distinct(codes: Ints, size: int) -> NDArray[np.int64]:
    """The different codes among 0 to size - 1, ascending."""
    if len(codes) < 64:
        return np.array(sorted(set(codes.tolist())), dtype=np.int64)
    if 16 * len(codes) < size:
        ordered = np.sort(codes)
        first = np.ones(len(ordered), dtype=bool)
        np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
        return ordered[first].astype(np.int64)
    seen = np.zeros(size, dtype=bool)
    seen[codes] = True
    return np.flatnonzero(seen)


def counted(keys: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different keys among 0 to size - 1, ascending, and how often each stands there."""
    if size <= 2 * len(keys):
        often = np.bincount(keys, minlength=size)
        found = np.flatnonzero(often)
        return found, often[found]
    ordered = np.sort(keys.astype(np.uint32) if size < 1 << 32 else keys)
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    at = np.flatnonzero(first)
    return ordered[at].astype(np.int64), np.diff(at, append=len(ordered))
