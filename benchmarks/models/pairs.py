"""Labelled pairs of premise and claim from the files of a data set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from random import Random

from benchmarks.nli.baselines import UntrainableError
from benchmarks.nli.cases import UnlabelledError, read_cases
from solver.model import Label
from solver.reading import InputError, read_records
from solver.records import BrokenRecord
from solver.seeding import seed_of
from solver.verify.inputs import files
from solver.verify.settings import Settings

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
        named = files(path)
        if named != [path]:
            named = [name for name in named if PurePath(name).name.split(".")[0] == TRAIN]
            if not named:
                message = "the data set has no train split, expected one"
                raise InputError(message, where=path, hint="pass the training file")
        found += named
    return found


def decided_pairs(paths: Sequence[str], settings: Settings) -> PairData:
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
        pairs.append(Pair(premise=record.premise, claim=record.claim, label=record.label))
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
