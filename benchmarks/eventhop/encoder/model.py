"""Encoders with a head for the three labels: small untrained ones, and pre-trained ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.eventhop.encoder.data import Pair, Tokens, by_length, pad_batch, tokenize_pairs
from benchmarks.eventhop.scores import LABELS
from benchmarks.training import MODEL, UnusableModelError
from grammar.eventhop.model import Label

if TYPE_CHECKING:
    from torch import device
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


NUMBERS = {label.value: number for number, label in enumerate(Label)}
_NAMES = {number: name for name, number in NUMBERS.items()}
_SMALL = {
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
}


class Architecture(StrEnum):
    """Kinds of small encoder; DeBERTa uses relative positions."""

    BERT = "bert"
    DEBERTA = "deberta"


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoder:
    """A model with its tokenizer, whose ``model_max_length`` is the model's maximum."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase

    def save(self, folder: Path) -> None:
        """Save both to a folder in the format of transformers."""
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)


def small_encoder(kind: Architecture, tokenizer: PreTrainedTokenizerBase, *, seed: int) -> Encoder:
    """Create an encoder of two layers of width 64 with random weights."""
    import torch
    from transformers import AutoModelForSequenceClassification, BertConfig, DebertaV2Config

    named: dict[str, Any] = {
        **_SMALL,
        "vocab_size": len(tokenizer),
        "pad_token_id": tokenizer.pad_token_id,
        "max_position_embeddings": tokenizer.model_max_length,
        "type_vocab_size": 2,
        "id2label": _NAMES,
        "label2id": NUMBERS,
    }
    if kind is Architecture.BERT:
        config = BertConfig(**named)
    else:
        config = DebertaV2Config(
            **named, relative_attention=True, position_biased_input=False, pos_att_type="p2c|c2p"
        )
    torch.manual_seed(seed)
    return Encoder(
        model=AutoModelForSequenceClassification.from_config(config), tokenizer=tokenizer
    )


def load_encoder(folder: Path, *, length: int | None = None, seed: int = 0) -> Encoder:
    """Load an encoder from a folder saved by transformers, without downloads.

    Args:
        folder: folder with config.json, weights and tokenizer. Missing weights, such as the
            classification head, are initialised randomly.
        length: maximum number of tokens of a pair; the encoder's maximum by default.
        seed: random seed of the initialisation.

    Raises:
        UnusableModelError: the folder contains no usable encoder.
    """
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    _look(folder)
    torch.manual_seed(seed)
    with _refusals(folder, "tokenizer"):
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    with _refusals(folder, "model"):
        model = AutoModelForSequenceClassification.from_pretrained(
            folder,
            local_files_only=True,
            id2label=_NAMES,
            label2id=NUMBERS,
            ignore_mismatched_sizes=True,
        )
    encoder = Encoder(model=model, tokenizer=tokenizer)
    _check(encoder, folder)
    most = _most(encoder)
    tokenizer.model_max_length = most if length is None else min(length, most)
    return encoder


def load_trained(folder: Path) -> Encoder:
    """Load the encoder from the folder of a training.

    Raises:
        UnusableModelError: there is none, or it has other labels.
    """
    from transformers import AutoConfig

    inner = folder / MODEL
    home = inner if inner.is_dir() else folder
    _look(home)
    with _refusals(home, "model"):
        config = AutoConfig.from_pretrained(home, local_files_only=True)
    if config.label2id != NUMBERS:
        raise UnusableModelError(
            f"found a model with the labels {', '.join(map(str, config.label2id))}, "
            f"expected {', '.join(NUMBERS)}",
            where=str(home),
            hint="train it first: python -m solver train --model DIR",
        )
    return load_encoder(home)


def _look(folder: Path) -> None:
    if not (folder / "config.json").is_file():
        raise UnusableModelError(
            "found no config.json, expected a folder saved by transformers",
            where=str(folder),
            hint="an interrupted training has no model yet; the same command resumes it",
        )


@contextmanager
def _refusals(folder: Path, what: str) -> Iterator[None]:
    """Convert errors of the library, which are of any class, to a message of one line."""
    try:
        yield
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        message = f"the {what} cannot be loaded: {reason[:200]}"
        raise UnusableModelError(message, where=str(folder)) from error


def _check(encoder: Encoder, folder: Path) -> None:
    tokens, known = len(encoder.tokenizer), encoder.model.get_input_embeddings().num_embeddings
    if tokens > known:
        message = f"the tokenizer has {tokens:,} tokens, but the model has {known:,} embeddings"
        raise UnusableModelError(message, where=str(folder))
    if encoder.tokenizer.pad_token_id is None:
        message = "the tokenizer has no padding token, expected that of an encoder"
        raise UnusableModelError(message, where=str(folder))


def _most(encoder: Encoder) -> int:
    """Maximum number of tokens of the encoder."""
    config = encoder.model.config
    places = int(getattr(config, "max_position_embeddings", encoder.tokenizer.model_max_length))
    if "roberta" in config.model_type or config.model_type == "camembert":
        # Their positions start after the index of the padding token.
        places -= config.pad_token_id + 1
    return min(places, int(encoder.tokenizer.model_max_length))


BATCH = 64
Logits = NDArray[np.float64]


def logits(
    encoder: Encoder,
    tokens: Tokens,
    place: device,
    *,
    progress: Callable[[int], object] | None = None,
) -> Logits:
    """The logits of each pair and label, (n, 3)."""
    import torch

    encoder.model.to(place).eval()
    found = np.zeros((len(tokens.ids), len(LABELS)))
    pad = encoder.tokenizer.pad_token_id
    with torch.inference_mode():
        for rows in by_length(tokens.lengths, range(len(tokens.ids)), BATCH):
            batch = {
                name: values.to(place) for name, values in pad_batch(tokens, rows, pad=pad).items()
            }
            found[list(rows)] = encoder.model(**batch).logits.double().cpu().numpy()
            if progress is not None:
                progress(len(rows))
    return found


def encoder_answers(
    encoder: Encoder,
    pairs: Sequence[Pair],
    place: device,
    *,
    progress: Callable[[int], object] | None = None,
) -> list[Label]:
    """The answer to each pair."""
    tokens = tokenize_pairs(pairs, encoder.tokenizer)
    best = logits(encoder, tokens, place, progress=progress).argmax(axis=1)
    return [LABELS[number] for number in best]
