"""Labelled pairs of premise and claim from the files of a data set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmarks.eventhop.baselines import UntrainableError
from benchmarks.eventhop.cases import UnlabelledError, read_cases
from benchmarks.eventhop.scores import Numbers, numbered
from grammar.eventhop.model import Label
from solver.eventhop.dataset import item_files
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.records import BrokenRecord
from solver.io.sources import InputError
from solver.seeding import seed_of

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase


TRAIN = "train"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Premise and claim, with the label if known."""

    premise: str
    claim: str
    label: Label | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairData:
    """Pairs in the order of their files, and a message for each unreadable row."""

    pairs: tuple[Pair, ...]
    unparsed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """Training and validation pairs."""

    train: tuple[Pair, ...]
    validation: tuple[Pair, ...]


def train_files(paths: Sequence[str]) -> list[str]:
    """The training files: of a data set folder only those of the train split.

    Raises:
        InputError: a data set has no train split.
    """
    found: list[str] = []
    for path in paths:
        named = item_files(path)
        if named != [path]:
            named = [name for name in named if PurePath(name).name.split(".")[0] == TRAIN]
            if not named:
                message = "the data set has no train split, expected one"
                raise InputError(message, where=path, hint="pass the training file")
        found += named
    return found


def decided_pairs(paths: Sequence[str], settings: ItemSettings) -> PairData:
    """Pairs with the labels decided by the engines."""
    read = read_cases(paths, settings)
    pairs = tuple(
        Pair(premise=case.record.premise, claim=case.record.claim, label=label)
        for case, label in zip(read.cases, read.decided, strict=True)
    )
    return PairData(pairs=pairs, unparsed=read.unparsed)


def declared_pairs(paths: Sequence[str]) -> PairData:
    """Pairs with the labels of the files.

    Raises:
        UnlabelledError: an item has none.
    """
    pairs: list[Pair] = []
    unparsed: list[str] = []
    for record in (record for path in paths for record in read_records(path)):
        if isinstance(record, BrokenRecord):
            unparsed.append(str(record.error))
            continue
        if record.label is None:
            message = f"item {record.id} has no gold label"
            raise UnlabelledError(message, where=record.place.at(), hint="use --gold decided")
        pairs.append(Pair(premise=record.premise, claim=record.claim, label=Label(record.label)))
    return PairData(pairs=tuple(pairs), unparsed=tuple(unparsed))


def partition(pairs: Sequence[Pair], *, share: float, seed: int) -> Partition:
    """Hold out a random share of the pairs.

    Raises:
        UntrainableError: there are too few pairs or labels.
    """
    if len({pair.label for pair in pairs}) < 2:
        message = f"found fewer than two labels among {len(pairs):,} items, expected several"
        raise UntrainableError(message, hint="use more training items")
    size = round(share * len(pairs))
    if share and not 0 < size < len(pairs):
        message = f"a validation share of {share} of {len(pairs):,} items leaves a part empty"
        raise UntrainableError(message, hint="change --validation or use more items")
    drawn = set(Random(seed_of(seed, "encoder", "validation")).sample(range(len(pairs)), size))
    return Partition(
        train=tuple(pair for place, pair in enumerate(pairs) if place not in drawn),
        validation=tuple(pairs[place] for place in sorted(drawn)),
    )


def digest(pairs: Sequence[Pair]) -> str:
    """Checksum of the texts and labels of training data."""
    sha = hashlib.sha256()
    for text in _texts(pairs):
        sha.update(text.encode(errors="surrogatepass") + b"\0")
    return sha.hexdigest()


def _texts(pairs: Sequence[Pair]) -> Iterator[str]:
    for pair in pairs:
        yield from (pair.premise, pair.claim, pair.label.value if pair.label else "")


_BLOCK = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The tokens of pairs.

    Attributes:
        ids: token ids of each pair.
        sides: token types of each pair, 0 for the premise and 1 for the claim; empty if the
            encoder does not use them.
        labels: (n,) the number of each label (``benchmarks.eventhop.scores.numbered``).
        cut: number of truncated pairs.
    """

    ids: tuple[NDArray[np.int32], ...]
    sides: tuple[NDArray[np.int32], ...]
    labels: Numbers
    cut: int

    @property
    def lengths(self) -> list[int]:
        """Number of tokens of each pair."""
        return [len(identifier) for identifier in self.ids]


def tokenize_pairs(pairs: Sequence[Pair], tokenizer: PreTrainedTokenizerBase) -> Tokens:
    """Tokenise pairs, truncated to ``tokenizer.model_max_length``."""
    ids: list[NDArray[np.int32]] = []
    sides: list[NDArray[np.int32]] = []
    cut = 0
    for start in range(0, len(pairs), _BLOCK):
        part = pairs[start : start + _BLOCK]
        texts = [pair.premise for pair in part], [pair.claim for pair in part]
        whole = tokenizer(*texts, add_special_tokens=True, return_attention_mask=False)
        cut += sum(
            len(identifier) > tokenizer.model_max_length for identifier in whole["input_ids"]
        )
        encoded = tokenizer(*texts, truncation="longest_first", return_attention_mask=False)
        ids += [np.array(identifier, dtype=np.int32) for identifier in encoded["input_ids"]]
        sides += [np.array(row, dtype=np.int32) for row in encoded.get("token_type_ids", [])]
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


POOL = 50
"""Number of batches whose pairs are sorted by length together."""


def epoch_batches(
    lengths: Sequence[int], size: int, *, seed: int, epoch: int
) -> list[tuple[int, ...]]:
    """The batches of an epoch in order; each pair is in one of them.

    They depend only on the arguments, so that training can resume within an epoch.
    """
    random = Random(seed_of(seed, "encoder", "epoch", epoch))
    order = list(range(len(lengths)))
    random.shuffle(order)
    batches: list[tuple[int, ...]] = []
    for start in range(0, len(order), POOL * size):
        batches += by_length(lengths, order[start : start + POOL * size], size)
    random.shuffle(batches)
    return batches


def by_length(lengths: Sequence[int], places: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Batches of the given positions, from short to long."""
    ordered = sorted(places, key=lengths.__getitem__)
    return [tuple(ordered[at : at + size]) for at in range(0, len(ordered), size)]
