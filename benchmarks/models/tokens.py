"""Tokenised pairs of premise and claim, and their batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmarks.models.pairs import Pair
from benchmarks.nli.metrics import Numbers, numbered

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

_BLOCK = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The tokens of pairs.

    Attributes:
        ids: token ids of each pair.
        sides: token types of each pair, 0 for the premise and 1 for the claim; empty if the
            encoder does not use them.
        labels: (n,) the number of each label (``benchmarks.nli.metrics.numbered``).
        cut: number of truncated pairs.
    """

    ids: tuple[NDArray[np.int32], ...]
    sides: tuple[NDArray[np.int32], ...]
    labels: Numbers
    cut: int

    @property
    def lengths(self) -> list[int]:
        """Number of tokens of each pair."""
        return [len(one) for one in self.ids]


def tokenize_pairs(pairs: Sequence[Pair], tokenizer: PreTrainedTokenizerBase) -> Tokens:
    """Tokenise pairs, truncated to ``tokenizer.model_max_length``."""
    ids: list[NDArray[np.int32]] = []
    sides: list[NDArray[np.int32]] = []
    cut = 0
    for start in range(0, len(pairs), _BLOCK):
        part = pairs[start : start + _BLOCK]
        texts = [pair.premise for pair in part], [pair.claim for pair in part]
        whole = tokenizer(*texts, add_special_tokens=True, return_attention_mask=False)
        cut += sum(len(one) > tokenizer.model_max_length for one in whole["input_ids"])
        encoded = tokenizer(*texts, truncation="longest_first", return_attention_mask=False)
        ids += [np.array(one, dtype=np.int32) for one in encoded["input_ids"]]
        sides += [np.array(one, dtype=np.int32) for one in encoded.get("token_type_ids", [])]
    labels = numbered([pair.label for pair in pairs])
    return Tokens(ids=tuple(ids), sides=tuple(sides), labels=labels, cut=cut)


def pad_batch(tokens: Tokens, places: Sequence[int], *, pad: int) -> dict[str, Tensor]:
    """A batch of tensors (pairs, longest pair), padded at the ends."""
    import torch

    longest = max(len(tokens.ids[place]) for place in places)
    ids = np.full((len(places), longest), pad, dtype=np.int64)
    seen = np.zeros_like(ids)
    sides = np.zeros_like(ids)
    for row, place in enumerate(places):
        length = len(tokens.ids[place])
        ids[row, :length] = tokens.ids[place]
        seen[row, :length] = 1
        if tokens.sides:
            sides[row, :length] = tokens.sides[place]
    batch = {"input_ids": ids, "attention_mask": seen}
    if tokens.sides:
        batch["token_type_ids"] = sides
    return {name: torch.from_numpy(values) for name, values in batch.items()}
