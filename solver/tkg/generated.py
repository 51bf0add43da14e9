"""Reads the folder of a generated graph: facts, patterns, labels and the manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np

from solver.reading.failures import InputError
from solver.tkg.dataset import Dataset
from solver.tkg.files import read_dataset
from solver.tkg.files.soundness import LARGEST
from solver.tkg.labels import Labels, read_labels
from solver.tkg.pattern import MOST_HOPS
from solver.tkg.planted import PlantedPattern, read_planted
from solver.tkg.quadruples import Quadruples

MANIFEST = "manifest.json"
PATTERNS = "patterns.jsonl"
LABELS = "labels.tsv"
FORWARD = "forward"

MOST_ALIKE = 200
"""Limit on labels per instance and on rows per fact.

Valid graphs have at most four labels per instance and one row per fact; violations are reported
for each pair beyond that, so their number is quadratic.
"""

_Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDeclaration:
    """How the manifest says a graph was generated.

    Attributes:
        mode: ``forced``, ``forward`` or ``literal``.
        steps: number of time steps; times are 0 to this, exclusive.
        planted: number of planted instances; they come first, derived instances follow.
        injective: whether distinct placeholders of planted instances are distinct entities.
        depth: maximum depth of derivation; None for no limit.
        shares: shares of the time steps in the splits.
        digests: SHA-256 checksums of the files, by name.
    """

    mode: str
    steps: int
    planted: int
    injective: bool = False
    depth: int | None = None
    shares: tuple[float, ...] = ()
    digests: Mapping[str, str] = field(default_factory=dict)

    @property
    def closed(self) -> bool:
        """Whether every derivable consequence must be in the graph."""
        return self.mode == FORWARD


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GeneratedGraph:
    """A generated graph as read from its folder.

    Attributes:
        facts: facts of all splits, in the row order that labels refer to.
        unordered: error about the time order, if it is violated.
    """

    facts: Quadruples
    patterns: tuple[PlantedPattern, ...]
    labels: Labels
    declared: GraphDeclaration
    dataset: Dataset
    unordered: InputError | None = None


class _Closure(msgspec.Struct):
    depth: _Count | None = None


class _Config(msgspec.Struct):
    steps: _Count
    injective: bool = False
    closure: _Closure = msgspec.field(default_factory=_Closure)
    splits: tuple[float, ...] = ()


class _Manifest(msgspec.Struct):
    mode: Literal["forced", "forward", "literal"]
    forced_instances: _Count
    config: _Config
    outputs: dict[str, str] = {}


def read_generated(folder: Path) -> GeneratedGraph:
    """Read a folder; violations of the time order are recorded in ``unordered``, not raised.

    Raises:
        InputError: a file is missing or cannot be read.
    """
    declared = _declared(folder / MANIFEST)
    unordered = None
    try:
        dataset = read_dataset(folder)
    except InputError as error:
        dataset = read_dataset(folder, ordered=False)
        unordered = error
    labels = read_labels(folder / LABELS)
    patterns = read_planted(folder / PATTERNS)
    _require_countable(folder, labels, patterns, declared)
    facts = dataset.facts()
    _require_bounded(folder, labels, facts)
    return GeneratedGraph(
        facts=facts,
        patterns=patterns,
        labels=labels,
        declared=declared,
        dataset=dataset,
        unordered=unordered,
    )


def _declared(path: Path) -> GraphDeclaration:
    if not path.is_file():
        hint = "generate tkg writes one with its configuration"
        raise InputError("not found, expected a manifest", where=str(path), hint=hint)
    try:
        read = msgspec.json.decode(path.read_bytes(), type=_Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = f"found an invalid manifest ({error})"
        raise InputError(message, where=f"{path}:1:1") from None
    return GraphDeclaration(
        mode=read.mode,
        steps=read.config.steps,
        planted=read.forced_instances,
        injective=read.config.injective,
        depth=read.config.closure.depth,
        shares=read.config.splits,
        digests=read.outputs,
    )


def _require_countable(
    folder: Path, labels: Labels, patterns: tuple[PlantedPattern, ...], declared: GraphDeclaration
) -> None:
    """Reject numbers that clingo cannot represent, and patterns outside the encodings' scope."""
    for name in ("fact", "pattern", "instance", "position"):
        column = getattr(labels, name)
        if len(column) and column.max() > LARGEST:
            message = f"found {name} {column.max()}, expected at most {LARGEST}"
            raise InputError(message, where=f"{folder / LABELS}:{int(column.argmax()) + 2}:1")
    for one in patterns:
        where = f"{folder / PATTERNS}"
        if one.hops > MOST_HOPS:
            message = f"found {one.hops} antecedents in pattern {one.id}, expected 1 to {MOST_HOPS}"
            raise InputError(message, where=where)
        if one.id > LARGEST or max(lag.high for lag in one.lags) + declared.steps > LARGEST:
            message = f"found a number in pattern {one.id} that is too large"
            raise InputError(f"{message}, expected at most {LARGEST}", where=where)
        bound = {end for step in one.template.antecedents for end in (step.head, step.tail)}
        last = one.template.consequence
        if declared.closed and one.closed and not {last.head, last.tail} <= bound:
            message = f"found closed pattern {one.id}, whose consequence introduces a new entity"
            raise InputError(f"{message}, expected entities of its antecedents", where=where)


def _require_bounded(folder: Path, labels: Labels, facts: Quadruples) -> None:
    """Reject files with a quadratic number of violations."""
    instances, sizes = np.unique(labels.instance, return_counts=True)
    if len(sizes) and sizes.max() > MOST_ALIKE:
        found = f"{sizes.max():,} labels of instance {instances[sizes.argmax()]}"
        message = f"found {found}, expected at most {MOST_HOPS + 1}"
        raise InputError(message, where=str(folder / LABELS))
    rows, sizes = np.unique(facts.rows(), axis=0, return_counts=True)
    if sizes.max() > MOST_ALIKE:
        found = f"{tuple(rows[sizes.argmax()].tolist())} {sizes.max():,} times"
        raise InputError(f"found {found}, expected each fact once", where=str(folder))
