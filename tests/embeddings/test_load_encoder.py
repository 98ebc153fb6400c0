"""`load_encoder` by name, and any sentence-transformers model from a folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np
import pytest

from embeddings import BadVector, EncoderNotFound, HashEncoder, encoders, load_encoder
from embeddings.e5 import E5Encoder
from embeddings.encoders import SentenceTransformerEncoder

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["gpu", "node", "switch", "timeout", "[UNK]"]


def _save_model(folder: Path, seed: int, prompts: dict[str, str] | None = None) -> Path:
    """A word-averaging model of eight dimensions, as an ordinary folder."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers

    table = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(table, unk_token=WORDS[-1]))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    weights = np.random.default_rng(seed).normal(size=(len(WORDS), 8)).astype(np.float32)
    weights[-1] = 0 if seed == 99 else weights[-1]
    model = SentenceTransformer(
        modules=[StaticEmbedding(tokenizer, embedding_weights=weights)], prompts=prompts
    )
    model.save(str(folder))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _save_model(tmp_path_factory.mktemp("model"), seed=1)


@pytest.mark.parametrize("name", [None, "", "default"])
def test_the_default(name: str | None) -> None:
    assert isinstance(load_encoder(name), E5Encoder)


def test_the_tiny_one() -> None:
    assert isinstance(load_encoder("hash"), HashEncoder)


def test_a_local_folder(folder: Path) -> None:
    encoder = load_encoder(str(folder))
    assert encoder.dimension == 8
    vectors = encoder.encode_passages(["gpu node", "switch", "gpu"])
    assert vectors.shape == (3, 8)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    scores = encoder.encode_queries(["gpu"]) @ vectors.T
    assert scores[0].argmax() == 2


def test_no_text_gives_no_row_of_the_right_width(folder: Path) -> None:
    encoder = load_encoder(str(folder))
    assert encoder.encode_passages([]).shape == (0, 8)
    assert encoder.encode_queries([]).shape == (0, 8)


def test_progress_counts_texts(folder: Path) -> None:
    calls: list[tuple[int, int]] = []
    encoder = load_encoder(str(folder))
    encoder.encode_passages(["gpu"] * 300, lambda done, total: calls.append((done, total)))
    assert calls == [(256, 300), (300, 300)]


def test_the_fingerprint_is_that_of_the_weights(folder: Path, tmp_path: Path) -> None:
    same = _save_model(tmp_path / "same", seed=1)
    other = _save_model(tmp_path / "other", seed=2)
    prompted = _save_model(tmp_path / "prompted", seed=1, prompts={"query": "gpu "})
    names = [load_encoder(str(f)).fingerprint for f in (folder, same, other, prompted)]
    assert names[0] == names[1]
    assert len(set(names)) == 3
    assert str(folder) not in names[0]


def test_a_name_that_is_not_here_says_to_give_a_folder() -> None:
    encoder = load_encoder("nobody/no-such-model")
    with pytest.raises(EncoderNotFound, match="give a local folder") as caught:
        encoder.encode_queries(["x"])
    assert caught.value.name == "nobody/no-such-model"
    assert len(str(caught.value)) < 600


SILENT, UNKNOWN = "typo", "nobody/typo"
ASK = """
import sys
from collections import Counter
from dataclasses import dataclass, field
from embeddings import EncoderNotFound, load_encoder
for name in sys.argv[1:]:
    try:
        load_encoder(name).dimension
    except EncoderNotFound as error:
        print("not found:", error.name)
print([m for m in ("torch", "sentence_transformers") if m in sys.modules])
"""


@dataclass
class Hub:
    """What a process said that asked a hub for both names, and how often the hub was asked."""

    out: str = ""
    loaded: str = ""
    err: str = ""
    asked: Counter[str] = field(default_factory=Counter)


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Hub:
    """One process for both."""
    found = Hub()
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=_answer, args=(server, found.asked), daemon=True).start()
        environment = {
            **{k: v for k, v in os.environ.items() if "proxy" not in k.lower()},
            "HF_HUB_OFFLINE": "0",
            "HF_ENDPOINT": f"http://127.0.0.1:{server.getsockname()[1]}",
            "HF_HOME": str(tmp_path_factory.mktemp("hub")),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        command = [sys.executable, "-c", ASK, SILENT, UNKNOWN]
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
    *told, found.loaded = run.stdout.splitlines()
    found.out, found.err = "".join(f"{line}\n" for line in told), run.stderr
    return found


def _answer(server: socket.socket, asked: Counter[str]) -> None:
    """Say of the one name that it is unknown, and nothing when asked for the other."""
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    with contextlib.suppress(OSError):  # the server is closed at the end
        while True:
            connection, _ = server.accept()
            with connection:
                known = UNKNOWN.encode() in connection.recv(1 << 16)
                asked[UNKNOWN if known else SILENT] += 1
                connection.sendall(missing if known else b"")


def test_a_hub_out_of_reach_is_asked_once_and_quietly(hub: Hub) -> None:
    assert f"not found: {SILENT}\n" in hub.out, hub.err
    assert 1 <= hub.asked[SILENT] <= 2
    assert "Retrying" not in hub.err


def test_a_model_that_the_hub_does_not_know_is_told(hub: Hub) -> None:
    assert hub.out == f"not found: {SILENT}\nnot found: {UNKNOWN}\n", hub.err
    assert hub.asked[UNKNOWN] == 1
    assert "Retrying" not in hub.err


def test_torch_is_not_loaded_to_say_so(hub: Hub) -> None:
    assert hub.loaded == "[]"


@pytest.mark.parametrize(
    ("name", "full"), [("nobody/cached", "nobody/cached"), ("short", "sentence-transformers/short")]
)
def test_a_model_in_the_cache_needs_no_hub(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, full: str
) -> None:
    """The cache as the hub's own library lays it out: snapshots by commit, named by a reference."""
    from huggingface_hub import constants

    home = tmp_path / f"models--{full.replace('/', '--')}"
    shutil.copytree(folder, home / "snapshots" / ("0" * 40))
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text("0" * 40)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(encoders, "_asked", lambda name: encoders.SILENT)
    assert encoders._at_hand(name)
    assert not encoders._at_hand(f"{name}-not")
    with pytest.raises(EncoderNotFound, match="gives no answer"):
        _ = load_encoder(f"{name}-not").dimension


def test_a_folder_is_not_asked_of_the_hub(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "_asked", lambda name: pytest.fail(name))
    assert load_encoder(str(folder)).dimension == 8


def test_a_zero_vector_of_a_model_is_refused(tmp_path: Path) -> None:
    encoder = SentenceTransformerEncoder(str(_save_model(tmp_path / "zero", seed=99)))
    with pytest.raises(BadVector, match="texts 0 to 2"):
        encoder.encode_passages(["gpu", "unheard"])
