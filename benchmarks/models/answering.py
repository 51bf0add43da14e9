"""Answers of an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmarks.models.batches import by_length
from benchmarks.models.encoder import Encoder
from benchmarks.models.pairs import Pair
from benchmarks.models.tokens import Tokens, pad_batch, tokenize_pairs
from benchmarks.nli.metrics import LABELS
from solver.model import Label

if TYPE_CHECKING:
    from torch import device

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
