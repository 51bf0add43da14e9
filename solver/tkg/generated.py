"""A generated graph as its folder holds it: facts, patterns, labels, and how it was made."""

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
"""Labels of one instance, or rows of one fact, beyond which a file is no graph with some flaws.

An instance has four labels at most, and a fact one row; every two too many would be told.
"""

_Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """How a graph is said to have been made.

    Attributes:
        mode: ``forced``, ``forward`` or ``literal``.
        steps: times are 0 to this, exclusive.
        planted: instances 0 to this, exclusive, were planted; all later ones followed from facts.
        injective: whether planted instances have different entities for different placeholders.
        depth: at most so many consequences rest on each other; None for any number.
        shares: of the time steps, for the splits.
        digests: of the files, by name.
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
        """Whether each consequence that is due has to be there."""
        return self.mode == FORWARD


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GeneratedGraph:
    """What a proof is about.

    Attributes:
        facts: of all splits, in the order that labels count them.
        unordered: how the order of time is broken, if it is.
    """

    facts: Quadruples
    patterns: tuple[PlantedPattern, ...]
    labels: Labels
    declared: Declared
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
    """Read a folder; order in time is told, not demanded.

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


def _declared(path: Path) -> Declared:
    if not path.is_file():
        hint = "generate tkg writes one; it says how the graph was made"
        raise InputError("not there, expected a manifest", where=str(path), hint=hint)
    try:
        read = msgspec.json.decode(path.read_bytes(), type=_Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = f"found a manifest that says something else ({error})"
        raise InputError(message, where=f"{path}:1:1") from None
    return Declared(
        mode=read.mode,
        steps=read.config.steps,
        planted=read.forced_instances,
        injective=read.config.injective,
        depth=read.config.closure.depth,
        shares=read.config.splits,
        digests=read.outputs,
    )


def _require_countable(
    folder: Path, labels: Labels, patterns: tuple[PlantedPattern, ...], declared: Declared
) -> None:
    """Refuse numbers that clingo does not count to, and patterns that the logic does not follow."""
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
        told = {end for step in one.template.antecedents for end in (step.head, step.tail)}
        last = one.template.consequence
        if declared.closed and one.closed and not {last.head, last.tail} <= told:
            message = f"found pattern {one.id} closed, whose consequence names an entity of its own"
            raise InputError(f"{message}, expected entities of its antecedents", where=where)


def _require_bounded(folder: Path, labels: Labels, facts: Quadruples) -> None:
    """Refuse what would be wrong in millions of ways."""
    instances, sizes = np.unique(labels.instance, return_counts=True)
    if len(sizes) and sizes.max() > MOST_ALIKE:
        found = f"{sizes.max():,} labels of instance {instances[sizes.argmax()]}"
        message = f"found {found}, expected at most {MOST_HOPS + 1}"
        raise InputError(message, where=str(folder / LABELS))
    rows, sizes = np.unique(facts.rows(), axis=0, return_counts=True)
    if sizes.max() > MOST_ALIKE:
        found = f"{tuple(rows[sizes.argmax()].tolist())} {sizes.max():,} times"
        raise InputError(f"found {found}, expected each fact once", where=str(folder))
