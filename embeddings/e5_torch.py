"""multilingual-e5-small as a real `SentenceTransformer`: the bulk path, and a door for users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from embeddings.e5_tokenizer import MAX_TOKENS, build_tokenizer, normalise
from embeddings.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import torch
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import InputModule

    from embeddings.e5_file import E5File

    Floats = NDArray[np.float32]

PROMPTS = {"query": "query: ", "document": "passage: "}
"""The prefixes that the model was trained with (its model card)."""

_BERT_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


def build_sentence_transformer(file: E5File) -> SentenceTransformer:
    """A `SentenceTransformer` over the decoded weights: encoder, mean pooling, unit length.

    Use `encode_query` and `encode_document`: plain `encode` adds no prefix. About 470 MB.

    Raises:
        MissingExtra: sentence-transformers (or torch) is not installed.
    """
    try:
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer.modules import Normalize, Pooling
    except ImportError as error:
        raise MissingExtra("sentence-transformers", "the torch path of the encoder") from error
    # transformers and its friends leave parts of their constructors without types.
    pooling: Any = Pooling
    modules = [_module(file), pooling(file.shape.hidden, "mean"), Normalize()]
    model = SentenceTransformer(modules=modules, prompts=dict(PROMPTS), device=_device())
    model.train(False)  # before the first `encode`, which would do it, users may call `forward`
    return model


def encode_with_hidden(
    model: SentenceTransformer, texts: list[str]
) -> Iterator[tuple[Floats, Floats]]:
    """Of each text the vector that `encode_document` gives, and the hidden states of its tokens.

    The states are float32 (tokens, hidden), of <s>, the prompt and </s> too, without padding.
    """
    found: Any = model.encode_document(texts, output_value=None, show_progress_bar=False)
    for features in found:
        length = int(features["attention_mask"].sum())
        hidden = features["token_embeddings"][:length]
        yield features["sentence_embedding"].cpu().numpy(), hidden.cpu().numpy()


def _device() -> str:
    """A GPU when there is one; vectors differ from the processor's by rounding only."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _module(file: E5File) -> InputModule:
    """The input module, its class made here so that importing this file needs no torch."""
    from sentence_transformers.base.modules import InputModule

    class E5Module(InputModule):
        """Text -> hidden states of all tokens, by transformers' own BertModel."""

        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            pieces = file.pieces()
            self.tokenizer = build_tokenizer(pieces)
            self.model = _bert(file)
            self.max_seq_length = MAX_TOKENS
            self._character_map = pieces.character_map

        def preprocess(
            self, inputs: Sequence[Any], prompt: str | None = None, **_kwargs: Any
        ) -> dict[str, Any]:
            import torch

            texts = [normalise((prompt or "") + text, self._character_map) for text in inputs]
            encodings = self.tokenizer.encode_batch(texts)
            return {
                "input_ids": torch.tensor([e.ids for e in encodings]),
                "attention_mask": torch.tensor([e.attention_mask for e in encodings]),
            }

        def forward(self, features: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
            features["token_embeddings"] = self.model(
                input_ids=features["input_ids"], attention_mask=features["attention_mask"]
            ).last_hidden_state
            return features

        def get_embedding_dimension(self) -> int:
            return file.shape.hidden

        def save(self, output_path: str, *_args: Any, **_kwargs: Any) -> None:
            """Write an ordinary transformers folder (config, weights, tokenizer)."""
            self.model.save_pretrained(output_path)
            self.tokenizer.save(f"{output_path}/tokenizer.json")

    return E5Module()


def _bert(file: E5File) -> Any:
    """A BertModel of transformers with the decoded weights, ready for inference."""
    import torch
    from transformers import BertConfig, BertModel

    shape = file.shape
    config = BertConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.feed_forward,
        max_position_embeddings=shape.positions,
        type_vocab_size=shape.token_types,
        layer_norm_eps=shape.epsilon,
    )
    with torch.device("meta"):  # no random weights: they would be thrown away
        model: Any = BertModel(config, add_pooling_layer=False)
    model = model.to_empty(device="cpu")
    for name, buffer in model.named_buffers():
        _fill_buffer(name, buffer)
    model.load_state_dict(_state(file))
    model.train(False)
    return model


def _fill_buffer(name: str, buffer: torch.Tensor) -> None:
    """Position numbers and token types, the only buffers of a BERT."""
    import torch

    if name.endswith("position_ids"):
        buffer.copy_(torch.arange(buffer.shape[-1]).expand_as(buffer))
    else:
        buffer.zero_()


def _state(file: E5File) -> dict[str, torch.Tensor]:
    """Weights under transformers' names."""
    import torch

    hidden = file.shape.hidden
    state = {
        "embeddings.word_embeddings.weight": file.matrix("emb.word", hidden),
        "embeddings.position_embeddings.weight": file.matrix("emb.pos", hidden),
        "embeddings.token_type_embeddings.weight": file.matrix("emb.type", hidden),
        "embeddings.LayerNorm.weight": file.vector("emb.ln.w"),
        "embeddings.LayerNorm.bias": file.vector("emb.ln.b"),
    }
    for layer in range(file.shape.layers):
        for short, long in _BERT_NAMES.items():
            name, key = f"l{layer}.{short}", f"encoder.layer.{layer}.{long}"
            columns = file.shape.feed_forward if short == "fo" else hidden
            norm = short.endswith("ln")
            weight = f"{name}.w"
            state[f"{key}.weight"] = file.vector(weight) if norm else file.matrix(weight, columns)
            state[f"{key}.bias"] = file.vector(f"{name}.b")
    return {key: torch.from_numpy(value) for key, value in state.items()}
