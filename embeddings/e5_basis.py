"""The fixed token basis of the default encoder, a file that comes with this package.

Made once, from sentences in twelve languages, by `python -m embeddings.e5_basis`. The file is the
truth and never computed at run time: principal axes differ from one machine to another in their
last bits, and neighbouring ones by more, so token vectors under two fits must not be compared.
"""

from __future__ import annotations

import hashlib
import io
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np

from embeddings.e5_file import E5File, find_weights
from embeddings.e5_light import LightE5
from embeddings.e5_torch import PROMPTS
from embeddings.errors import EncoderMismatch
from embeddings.late import TokenBasis, fit_basis
from embeddings.parallel_sentences import SENTENCES

TOKEN_DIMENSION = 48
"""Axes that are kept. On the development sets 48 lost nothing against all 384."""

SHA256 = "b36ee9a2946209700fe0c8c70490f9d89bfb0790b67e2d613884fb30140b8821"
"""Of the file. Another file is another encoder: raise the version in the encoder's fingerprint."""

_FILE = "e5_basis.npz"


def load_basis() -> TokenBasis:
    """The basis in the file: 384 numbers of a hidden state -> 48.

    Raises:
        EncoderMismatch: the file is not the one that was tested.
    """
    raw = files("embeddings").joinpath(_FILE).read_bytes()
    found = hashlib.sha256(raw).hexdigest()
    if found != SHA256:
        raise EncoderMismatch(f"token basis {_FILE}", SHA256, found)
    with np.load(io.BytesIO(raw), allow_pickle=False) as file:
        return TokenBasis(file["mean"], file["axes"])


def compute_basis(light: LightE5) -> TokenBasis:
    """The basis anew, from the tokens of `SENTENCES` read as passages; a few seconds."""
    texts = [text for sentences in SENTENCES.values() for text in sentences]
    _, hidden = light.encode_with_tokens(PROMPTS["document"], texts, lambda states: states)
    return fit_basis(np.concatenate(hidden), TOKEN_DIMENSION)


def write_basis(basis: TokenBasis, path: Path) -> str:
    """Write the file; returns its sha256."""
    buffer = io.BytesIO()
    np.savez(buffer, mean=basis.mean, axes=basis.axes)
    path.write_bytes(buffer.getvalue())
    return hashlib.sha256(buffer.getvalue()).hexdigest()


def main() -> int:
    """Write the file into this package and print the hash that belongs into `SHA256`."""
    basis = compute_basis(LightE5(E5File(find_weights())))
    print(f'SHA256 = "{write_basis(basis, Path(__file__).with_name(_FILE))}"')
    return 0


if __name__ == "__main__":
    sys.exit(main())
