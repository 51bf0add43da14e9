"""Encoders with a head for the three labels: small ones without training, and those of a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.errors import HopcheckError
from solver.model import Label

if TYPE_CHECKING:
    from torch import device
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MODEL = "model"
"""Folder of the trained encoder, in the folder of its training."""
NUMBERS = {label.value: number for number, label in enumerate(Label)}
_NAMES = {number: name for name, number in NUMBERS.items()}
_SMALL = {
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
}


class Architecture(StrEnum):
    """Kinds of small encoder; DeBERTa's attention knows how far tokens are from each other."""

    BERT = "bert"
    DEBERTA = "deberta"


class Device(StrEnum):
    """What computes; ``auto`` is a graphics card where there is one."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


class UnusableModelError(HopcheckError):
    """A folder that holds no encoder that can be used here."""

    code = "unusable-model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoder:
    """A model with its tokenizer, whose ``model_max_length`` is what the model can read."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase

    def save(self, folder: Path) -> None:
        """Write both into a folder, as transformers and ``loaded`` read them."""
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)


def small(kind: Architecture, tokenizer: PreTrainedTokenizerBase, *, seed: int) -> Encoder:
    """An encoder of two layers, width 64, whose weights are drawn by the seed."""
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


def loaded(folder: Path, *, length: int | None = None, seed: int = 0) -> Encoder:
    """The encoder of a folder that transformers saved; nothing is fetched from elsewhere.

    Args:
        folder: with config.json, weights and tokenizer. What the weights lack, the head for three
            labels for one, is drawn by the seed.
        length: tokens of a pair, at most; as many as the encoder can read by default.
        seed: of what is drawn.

    Raises:
        UnusableModelError: the folder holds no such encoder.
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


def trained(folder: Path) -> Encoder:
    """The encoder that a training left in its folder.

    Raises:
        UnusableModelError: the folder holds none, or one that answers with other labels.
    """
    from transformers import AutoConfig

    inner = folder / MODEL
    home = inner if inner.is_dir() else folder
    _look(home)
    with _refusals(home, "model"):
        config = AutoConfig.from_pretrained(home, local_files_only=True)
    if config.label2id != NUMBERS:
        raise UnusableModelError(
            f"found a model that answers {', '.join(map(str, config.label2id))}, "
            f"expected {', '.join(NUMBERS)}",
            where=str(home),
            hint="train it first: python -m solver train --model DIR",
        )
    return loaded(home)


def chosen(wanted: Device) -> device:
    """The device to compute on.

    Raises:
        UnusableModelError: a graphics card was asked for, and there is none.
    """
    import torch

    there = torch.cuda.is_available()
    if wanted is Device.CUDA and not there:
        raise UnusableModelError("found no graphics card that CUDA can use", hint="--device cpu")
    return torch.device("cuda" if there and wanted is not Device.CPU else "cpu")


def _look(folder: Path) -> None:
    if not (folder / "config.json").is_file():
        raise UnusableModelError(
            "found no config.json, expected a folder that transformers saved",
            where=str(folder),
            hint="a training that was interrupted has no model yet: the same command goes on",
        )


@contextmanager
def _refusals(folder: Path, what: str) -> Iterator[None]:
    """Tell in one line what the library finds wrong; it raises errors of any class."""
    try:
        yield
    except Exception as error:
        told = " ".join(str(error).split()) or type(error).__name__
        message = f"the {what} cannot be loaded: {told[:200]}"
        raise UnusableModelError(message, where=str(folder)) from error


def _check(encoder: Encoder, folder: Path) -> None:
    tokens, known = len(encoder.tokenizer), encoder.model.get_input_embeddings().num_embeddings
    if tokens > known:
        message = f"the tokenizer has {tokens:,} tokens, but the model knows {known:,}"
        raise UnusableModelError(message, where=str(folder))
    if encoder.tokenizer.pad_token_id is None:
        message = "the tokenizer has no token to pad with, expected that of an encoder"
        raise UnusableModelError(message, where=str(folder))


def _most(encoder: Encoder) -> int:
    """Tokens that the encoder can read at once."""
    config = encoder.model.config
    places = int(getattr(config, "max_position_embeddings", encoder.tokenizer.model_max_length))
    if "roberta" in config.model_type or config.model_type == "camembert":
        # These count places from the number of the padding token on.
        places -= config.pad_token_id + 1
    return min(places, int(encoder.tokenizer.model_max_length))
