"""The files of a data set, joined from its shards: JSON Lines, Parquet, TSV, card, manifest."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from generators import dataset
from generators.dataset import README, DatasetFolder, decoded
from generators.eventhop.config import Config, SharedTrait, Split, names
from generators.eventhop.groups import phrases
from generators.eventhop.layout import LABELS, ExcludedCell, Layout, layout
from generators.eventhop.shards import SIDES, cell_key, certified, published, shards
from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import PUBLISHED_ORDERS, ClaimRelation, Domain
from solver.eventhop.dataset import lemmas
from solver.eventhop.io import tsv_lines
from solver.eventhop.outcomes import ROWS
from solver.extras import available
from solver.io.writing import packed

if TYPE_CHECKING:
    import pyarrow as pa


def card(
    config: Config, planned: Layout, items: Mapping[Split, int], shard_size: int | None = None
) -> str:
    """README.md of a data set.

    Args:
        config: the options of the data set.
        planned: its cells.
        items: number of items of each split.
        shard_size: items of a shard, if its shards are its files.
    """
    sharded = [] if shard_size is None else ["--shard-size", str(shard_size)]
    ending = ".parquet" if available("pyarrow") else ".jsonl"
    ending = "-*.jsonl" if sharded else ending
    sizes = ", ".join(f"{count:,} {split}" for split, count in sorted(items.items()))
    shapes = ", ".join(dict.fromkeys(str(block.shape) for block in planned.blocks))
    withheld = "".join(f"- {reason}\n" for reason in planned.withheld_shapes)
    values = {
        "preset": config.preset,
        "domain": config.domain,
        "seed": config.seed,
        "sizes": sizes,
        "shapes": shapes,
        "impossible": len(planned.impossible),
        "withheld": f"\nExcluded:\n\n{withheld}" if withheld else "",
        "tables": "" if sharded else _TABLES,
    }
    return dataset.card(
        f"EventHop ({config.preset}, {config.domain})",
        Path(__file__).with_name("card.md"),
        values,
        task="text-classification",
        task_ids=("natural-language-inference",),
        tags=("temporal-reasoning", "synthetic"),
        splits={
            split.value: split + ("-*.jsonl" if sharded else ending) for split in sorted(items)
        },
        items=max(items.values()),
        commands=(
            ("generate", "eventhop", *arguments(config), *sharded, "--out", "DIR"),
            ("verify", "DIR"),
        ),
    )


def arguments(config: Config) -> list[str]:
    """The options of ``generate eventhop`` that make a data set."""
    split = "both" if len(config.sizes) == len(Split) else str(*config.sizes)
    found = ["--preset", config.preset, "--domain", config.domain, "--split", split]
    for name, size in sorted(config.sizes.items()):
        found += [f"--{name}-size", str(size)]
    for shape in config.shapes or ():
        found += ["--shape", str(shape)]
    if config.claims != tuple(ClaimRelation):
        found += ["--claims", ",".join(config.claims)]
    if config.hops is not None:
        found += ["--hops", ",".join(map(str, config.hops))]
    if config.contradiction is not None:
        found += ["--contradiction", "with" if config.contradiction else "without"]
    for file in config.phrases:
        found += ["--phrases", file.where]
    flags = {"--exact": config.exact, "--keep-unbalanced": config.keep_unbalanced}
    return [*found, *(flag for flag, on in flags.items() if on), "--seed", str(config.seed)]


_TABLES = """
The TSV files hold the columns of the published EventHopNLI files: index, declared, forced,
relation, events, relations, event distance, premise, hypothesis, label (`True`, `False`,
`Impossible`).
"""


class CensusError(HopcheckError):
    """A split whose counts differ from the plan."""

    code = "census"
    exit_status = ExitStatus.VIOLATIONS


class Census:
    """Counts of a split, in 16 bytes per item.

    Attributes:
        items: number of items.
        timelines: their hashes, in the order of the items.
        outlines: the hashes of what the premises of a matched group have in common.
    """

    def __init__(self, config: Config, split: Split) -> None:
        self._size = config.sizes[split]
        self._split = split
        self._side = SIDES[config.source(split, SharedTrait.TIMELINES)]
        self._cells: Counter[str] = Counter()
        self._labels: Counter[str] = Counter()
        self._texts = array("Q")
        self._misplaced = 0
        self.items = 0
        self.timelines = array("Q")
        self.outlines = array("Q")

    def count(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Count some rows."""
        for row in rows:
            self.items += 1
            self._cells[cell_key(row)] += 1
            self._labels[row["label"]] += 1
            timeline = int(row["timeline"], 16)
            self.timelines.append(timeline)
            outline = int(row["outline"], 16)
            self.outlines.append(outline)
            self._misplaced += outline & 1 != self._side
            text = f"{row['premise']}\t{row['claim']}".encode()
            self._texts.append(int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big"))

    def add(self, other: Census) -> None:
        """Add the counts of another part of the split."""
        self.items += other.items
        self._cells.update(other._cells)
        self._labels.update(other._labels)
        self._misplaced += other._misplaced
        self._texts.extend(other._texts)
        self.timelines.extend(other.timelines)
        self.outlines.extend(other.outlines)

    def counted(
        self, shards: Iterable[Path], planned: Layout, use: Callable[[list[dict[str, Any]]], object]
    ) -> Iterator[bytes]:
        """The lines of each shard, counted, and compared with the plan at the end.

        Args:
            shards: the files of the shards.
            planned: the cells of the split.
            use: called with the rows of each shard.
        """
        for shard in shards:
            lines = shard.read_bytes()
            rows = list(decoded([lines]))
            self.count(rows)
            use(rows)
            yield lines
        self.check(planned)

    def check(self, planned: Layout) -> None:
        """Compare the counts with the plan.

        Raises:
            CensusError: a cell has too few or too many items, or a timeline belongs to the other
                split.
        """
        due = planned.counts(self._size)
        spare = self._size % LABELS
        last = Counter(cell.key for cell in planned.cells(self._size // LABELS))
        over = self._cells - due
        if self.items != self._size or due - self._cells or over - last or over.total() != spare:
            raise CensusError(f"the cell counts of {self._split} differ from the plan")
        if self._misplaced:
            raise CensusError(f"{self._misplaced} premises belong to the other split")

    def as_json(self) -> dict[str, object]:
        """The counts for the manifest."""
        return {
            "items": self.items,
            "labels": dict(sorted(self._labels.items())),
            "cells": dict(sorted(self._cells.items())),
            "timelines": _distinct(self.timelines),
            "repeated_texts": self.items - _distinct(self._texts),
            "outline_bit": self._side,
        }


def _distinct(numbers: array[int]) -> int:
    # Sorting takes a tenth of the memory of a set.
    return len(np.unique(np.frombuffer(numbers, dtype=np.uint64))) if numbers else 0


def finish(config: Config, out: Path, home: Path, *, certificates: bool = False) -> None:
    """Write the files of all splits from the shards in ``home``.

    Args:
        config: the options of the data set.
        out: its folder.
        home: the folder of its shards.
        certificates: whether to write the certificates, too.

    Raises:
        CensusError: the counts of the shards differ from the plan.
        OutputError: a file cannot be written.
    """
    planned = layout(config)
    censuses: dict[Split, Census] = {}
    folder = DatasetFolder(out)
    for split in sorted(config.sizes):
        paths = [home / shard.name for shard in shards(config) if shard.split is split]
        censuses[split] = Census(config, split)
        tsv = out / f"{split}.tsv"
        with packed(tsv) as file:

            def write(
                rows: list[dict[str, Any]], file: BinaryIO = file, name: str = tsv.name
            ) -> None:
                file.writelines(tsv_lines(published(row, name) for row in rows))

            lines = censuses[split].counted(paths, layout(config, split), write)
            folder.add_split(split, lines, partial(_schema, config))
        folder.add(tsv)
    if certificates:
        splits = [(split, out / f"{split}.jsonl") for split in sorted(censuses)]
        folder.add_lines(ROWS, _certified(config, splits))
    folder.remove_stale([ROWS])
    counts = {split: census.items for split, census in censuses.items()}
    folder.add_text(README, card(config, planned, counts))
    folder.finish(
        config=config.as_json(),
        seed=config.seed,
        more=described(config, planned, censuses, [f"{split}.jsonl" for split in sorted(censuses)])
        | ({"certificates": True} if certificates else {}),
    )


def described(
    config: Config, planned: Layout, censuses: Mapping[Split, Census], data: list[str]
) -> dict[str, object]:
    """What the manifest says on the items; ``data`` names their files."""
    return {
        "generator": "eventhop",
        "data": data,
        "splits": {split.value: census.as_json() for split, census in censuses.items()},
        "impossible": [_excluded(cell) for cell in planned.impossible],
        "withheld": [_excluded(cell) for cell in planned.withheld],
        "overlaps": overlaps(config, censuses),
        "vocabulary": vocabulary(config),
    }


def _certified(config: Config, splits: Iterable[tuple[Split, Path]]) -> Iterator[dict[str, Any]]:
    for split, path in splits:
        with path.open("rb") as file:
            yield from certified(decoded(file), split.value, config.domain)


def _schema(config: Config) -> pa.Schema:
    import pyarrow as pa

    text = ("id", "premise", "claim", "label", "declared", "relation", "status", "domain")
    return pa.schema(
        [
            *(pa.field(name, pa.string(), nullable=False) for name in text),
            pa.field("timeline", pa.string(), nullable=False),
            pa.field("outline", pa.string(), nullable=False),
            pa.field("forced", pa.bool_(), nullable=False),
            *((name, pa.int32()) for name in ("events", "relations", "event_distance", "hops")),
            *((pa.field("group", pa.int64(), nullable=False),) if config.traits.minimal else ()),
        ]
    )


def _excluded(excluded_cell: ExcludedCell) -> dict[str, str]:
    return {"cell": excluded_cell.cell.key, "reason": excluded_cell.reason}


_KINDS = ("names", "phrases")
_BY_SIDE = (
    "the last bit of the hash of a premise's outline, which is invariant under renaming and "
    "reordering and does not depend on the claim, is 0 for train and 1 for test"
)


def overlaps(config: Config, censuses: Mapping[Split, Census]) -> dict[str, object]:
    """Names, phrases, words, premises and timelines that train and test share.

    Premises (by their outlines) and timelines are counted where both splits are made; otherwise
    their hashes prove it.
    """
    named, worded = ([set(own[kind]) for own in vocabulary(config).values()] for kind in _KINDS)
    found: dict[str, object] = {
        "names": len(named[0] & named[1]),
        "phrases": len(worded[0] & worded[1]),
        "lemmas": None,
        "premises": _shared(config, censuses, "outlines"),
        "timelines": _shared(config, censuses, "timelines"),
        "timelines_proved_by": None if SharedTrait.TIMELINES in config.traits.shared else _BY_SIDE,
    }
    if config.domain is Domain.TEMPORAL:
        found["lemmas"] = len(lemmas(worded[0]) & lemmas(worded[1]))
    else:
        found["lemmas_note"] = "exempt: places and logic have too few words for an order"
    if config.domain is Domain.LOGICAL:
        found["phrases_note"] = "logic has one symbol for each order, in both splits"
    return found


def vocabulary(config: Config) -> dict[str, dict[str, list[str]]]:
    """The names and phrases of each split, including splits that are not made."""
    found = {}
    for split in Split:
        worded_by = config.source(split, SharedTrait.PHRASES)
        every = (phrases(worded_by, config.domain, order) for order in PUBLISHED_ORDERS)
        named = names(config.source(split, SharedTrait.NAMES), config.domain)
        found[split.value] = dict(
            zip(_KINDS, (sorted(named), sorted(chain.from_iterable(every))), strict=True)
        )
    return found


def _shared(config: Config, censuses: Mapping[Split, Census], what: str) -> int | None:
    if len(censuses) == len(Split):
        train, test = (
            np.frombuffer(getattr(censuses[split], what), dtype=np.uint64) for split in Split
        )
        return len(np.intersect1d(train, test))
    return None if SharedTrait.TIMELINES in config.traits.shared else 0
