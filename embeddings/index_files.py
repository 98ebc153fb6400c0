"""The folder that `VectorIndex.save` writes: `meta.json`, and arrays named for their content."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from embeddings.errors import BadIndexFolder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

FORMAT = 1
META = "meta.json"


def _digest(array: Array) -> str:
    little = array.dtype.newbyteorder("<")
    return hashlib.sha256(np.ascontiguousarray(array, dtype=little).data).hexdigest()


def write_array(folder: Path, what: str, array: Array) -> dict[str, Any]:
    """Write an array under a name that tells its content; what meta.json says of it."""
    digest = _digest(array)
    name = f"{what}-{digest[:16]}.npy"
    write_atomically(folder / name, lambda file: np.save(file, array, allow_pickle=False))
    return {"file": name, "sha256": digest}


def write_atomically(path: Path, write: Any) -> None:
    """Write beside and rename, so that a killed process leaves the old file whole."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read_meta(folder: Path) -> dict[str, Any]:
    """What meta.json says of the vectors.

    Raises:
        BadIndexFolder: it cannot be read, is of another format, or lacks something.
    """
    try:
        meta = json.loads((folder / META).read_bytes())
    except (OSError, ValueError) as error:
        raise BadIndexFolder(str(folder), f"{META} cannot be read ({error})") from error
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise BadIndexFolder(str(folder), f"{META} is not of format {FORMAT}")
    kinds = {"fingerprint": str, "dimension": int, "count": int, "file": str, "sha256": str}
    check_kinds(folder, meta, kinds)
    return meta


def check_kinds(folder: Path, facts: Any, kinds: dict[str, type]) -> None:
    """See that `facts` are an object with these keys, each of its kind.

    Raises:
        BadIndexFolder: they are not.
    """
    for key, kind in kinds.items():
        if not isinstance(facts, dict) or type(facts.get(key)) is not kind:
            raise BadIndexFolder(str(folder), f"{META} lacks a valid {key!r}")


def read_array(folder: Path, facts: dict[str, Any], shape: tuple[int, ...], dtype: Any) -> Array:
    """The array that `facts` name, of that shape and kind.

    Raises:
        BadIndexFolder: it is missing, of another shape or kind, or altered.
    """
    # Only the name: a meta.json from elsewhere must not point out of its folder.
    name = Path(facts["file"]).name
    try:
        array: Array = np.load(folder / name, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadIndexFolder(str(folder), f"{name} cannot be read ({error})") from error
    if array.shape != shape or array.dtype != dtype:
        raise BadIndexFolder(str(folder), f"{name} is {array.dtype} of shape {array.shape}")
    if _digest(array) != facts["sha256"]:
        raise BadIndexFolder(str(folder), f"{name} does not match its checksum")
    return array
