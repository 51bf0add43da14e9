"""Reads the folder of a generated graph: facts, patterns, labels and the manifest."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
import numpy as np

from solver.graph.io import read_dataset
from solver.graph.io.named import COLUMNS as FACT_COLUMNS
from solver.graph.io.named import LARGEST, require_ids, require_order
from solver.graph.model import Dataset, Ids, Quadruples, Split, Vocabulary
from solver.io.columns import SAME_NAMES, ColumnNames, column, columns_of, table_rows
from solver.io.json_lines import JsonDecoder, read_document
from solver.io.parquet import exported
from solver.io.sources import MANIFEST, InputError, Place, Source, open_input
from solver.io.writing import atomic
from solver.patterns.model import MOST_HOPS
from solver.tkg.planted import PlantedPattern, read_planted

_LARGEST_DIGITS = 18


class Role(StrEnum):
    """Role of a fact in an instance of a pattern."""

    ANTECEDENT = "antecedent"
    CONSEQUENCE = "consequence"


Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=10**_LARGEST_DIGITS)]


class LabelRow(msgspec.Struct, frozen=True):
    """A label of a fact of a generated graph."""

    fact: Annotated[
        Number, column("row of the fact over all splits, train first, from 0", example=5)
    ]
    pattern: Annotated[Number, column("id of the pattern", example=0)]
    instance: Annotated[
        Number, column("number of the instance; its labels have the same pattern", example=2)
    ]
    role: Annotated[Role, column("role of the fact in the instance", example="antecedent")]
    position: Annotated[
        Number, column("step in the pattern, from 1; the consequence has hops + 1", example=1)
    ]


class FactRow(msgspec.Struct, frozen=True):
    """A fact of a generated graph in a table."""

    fact: Annotated[
        Number, column("row of the fact over all splits, train first, from 0", example=0)
    ]
    head_id: Annotated[Number, column("id of the head", example=3)]
    relation_id: Annotated[Number, column("id of the relation", example=1)]
    tail_id: Annotated[Number, column("id of the tail", example=5)]
    time: Annotated[Number, column("time step, from 0", example=2)]


COLUMNS = tuple(columns_of(LabelRow))
"""Columns of ``labels.tsv``."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labels:
    """One label per row, in columns of the same length; sorted by fact, instance and position.

    Attributes:
        fact: row number of the fact over all splits, train first, from 0.
        pattern: id of the pattern.
        instance: number of the instance; all labels of one have the same pattern.
        consequence: whether the fact is the instance's consequence, else it is an antecedent.
        position: position of the step in the pattern, from 1; the consequence has hops + 1.
    """

    fact: Ids
    pattern: Ids
    instance: Ids
    consequence: np.ndarray[tuple[int], np.dtype[np.bool_]]
    position: Ids

    def __len__(self) -> int:
        return len(self.fact)

    def by_fact(self) -> Labels:
        """Sort by fact, instance and position, the order of the file."""
        order = np.lexsort((self.position, self.instance, self.fact))
        return Labels(
            fact=self.fact[order],
            pattern=self.pattern[order],
            instance=self.instance[order],
            consequence=self.consequence[order],
            position=self.position[order],
        )


def write_labels(path: Path, labels: Labels) -> Path:
    """Write the labels, sorted, and return the path.

    Raises:
        OutputError: the file cannot be written.
    """
    ordered = labels.by_fact()
    roles = np.where(ordered.consequence, Role.CONSEQUENCE.value, Role.ANTECEDENT.value).tolist()
    columns = (ordered.fact, ordered.pattern, ordered.instance)
    numbers = zip(*(column.tolist() for column in columns), strict=True)
    rows = zip(numbers, roles, ordered.position.tolist(), strict=True)
    text = "".join(f"{f}\t{p}\t{i}\t{role}\t{at}\n" for (f, p, i), role, at in rows)
    with atomic(path) as file:
        file.write(("\t".join(COLUMNS) + "\n" + text).encode())
    return path


def read_labels(path: str | Path, columns: ColumnNames = SAME_NAMES) -> Labels:
    """Read a table; rows keep their order, and empty lines are skipped.

    Args:
        path: of the table.
        columns: names of its columns.

    Raises:
        InputError: the file cannot be read, or its header or a line is invalid.
    """
    with open_input(path, "a table of labels") as source:
        if source.parquet:
            return _of_rows(row.value for row in _LABELS.with_names(columns).sound_rows(source))
        text = source.whole()
        rows, names = text.splitlines(), tuple(map(columns.in_file, COLUMNS))
        if rows and tuple(rows[0].decode("utf-8", "replace").split("\t")) == names:
            with suppress(ValueError):
                return _parsed(rows[1:])
        for _ in table_rows(Source(source.name, None, io.BytesIO(text)), LabelRow, columns=columns):
            pass
    raise InputError("found a line that is no label", where=source.name)


_LABELS = JsonDecoder(LabelRow, what="label")


def _of_rows(rows: Iterable[LabelRow]) -> Labels:
    found = [(r.fact, r.pattern, r.instance, r.role is Role.CONSEQUENCE, r.position) for r in rows]
    fact, pattern, instance, consequence, position = (
        np.array(found, dtype=np.int64).reshape(-1, 5).T
    )
    return Labels(
        fact=fact,
        pattern=pattern,
        instance=instance,
        consequence=consequence == 1,
        position=position,
    )


def _parsed(rows: list[bytes]) -> Labels:
    codes = {role.value.encode(): code for code, role in enumerate(Role)}
    table = [row.split(b"\t") for row in rows if row.strip()]
    if any(len(row) != len(COLUMNS) or row[3] not in codes for row in table):
        raise ValueError
    numbers = [(row[0], row[1], row[2], codes[row[3]], row[4]) for row in table]
    if not all(all(map(_plain, (*row[:3], row[4]))) for row in numbers):
        raise ValueError
    columns = np.array(numbers, dtype=object).reshape(-1, len(COLUMNS)).T
    fact, pattern, instance, role, position = (column.astype(np.int64) for column in columns)
    return Labels(
        fact=fact,
        pattern=pattern,
        instance=instance,
        consequence=role == 1,
        position=position,
    )


def _plain(cell: object) -> bool:
    return isinstance(cell, bytes) and cell.isdigit() and len(cell) <= _LARGEST_DIGITS


PATTERNS = "patterns.jsonl"
LABELS = "labels.tsv"
PARQUET = "facts.parquet"
CONFIG = "config.json"
STATISTICS = "statistics.json"
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
        entities: number of entities; None if it is not stated.
        relations: number of relations; None if it is not stated.
        digests: SHA-256 checksums of the files, by name.
    """

    mode: str
    steps: int
    planted: int
    injective: bool = False
    depth: int | None = None
    shares: tuple[float, ...] = ()
    entities: int | None = None
    relations: int | None = None
    digests: Mapping[str, str] = field(default_factory=dict)

    def bounds(self) -> list[tuple[Split, int, int]]:
        """The splits, each with its first time step and the one after its last."""
        if len(self.shares) != len(Split):
            return []
        ends = [round(share * self.steps) for share in np.cumsum((0.0, *self.shares))]
        return list(zip(Split, ends, ends[1:], strict=False))

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
    entities: _Count | None = None
    relations: _Count | None = None
    injective: bool = False
    closure: _Closure = msgspec.field(default_factory=_Closure)
    splits: tuple[float, ...] = ()


class _Manifest(msgspec.Struct):
    mode: Literal["forced", "forward", "literal"]
    forced_instances: _Count
    config: _Config
    outputs: dict[str, str] = {}


def labels_file(folder: Path) -> Path:
    """The labels of a folder; an export for the hub has them in a table."""
    return _table(folder, LABELS, "labels")


def patterns_file(folder: Path) -> Path:
    """The patterns of a folder; an export for the hub has them in a table."""
    return _table(folder, PATTERNS, "patterns")


def facts_file(folder: Path, split: Split) -> Path:
    """The facts of a split; an export for the hub has them in a table."""
    plain = folder / f"{split}.txt"
    return plain if plain.is_file() else exported(folder, "facts").get(split, plain)


def _table(folder: Path, name: str, configuration: str) -> Path:
    plain = folder / name
    return plain if plain.is_file() else exported(folder, configuration).get("train", plain)


def read_generated(
    folder: Path, columns: ColumnNames = SAME_NAMES, facts: Iterable[Path] = ()
) -> GeneratedGraph:
    """Read a folder; violations of the time order are recorded in ``unordered``, not raised.

    Args:
        folder: as ``generate tkg`` writes it, or an export of this for the hub.
        columns: names of columns in its files.
        facts: files of rows with the facts, instead of those of the folder; a file that is named
            after a split has its facts, others have those of all splits.

    Raises:
        InputError: a file is missing or cannot be read.
    """
    declared = _declared(folder / MANIFEST)
    unordered = None
    tables = tuple(facts) or _exported_facts(folder)
    if tables:
        dataset, unordered = _of_tables(folder, tables, declared, columns)
    else:
        try:
            dataset = read_dataset(folder)
        except InputError as error:
            dataset = read_dataset(folder, ordered=False)
            unordered = error
    labels = read_labels(labels_file(folder), columns)
    patterns = read_planted(patterns_file(folder), columns)
    _require_countable(folder, labels, patterns, declared)
    quadruples = dataset.facts()
    _require_bounded(folder, labels, quadruples)
    return GeneratedGraph(
        facts=quadruples,
        patterns=patterns,
        labels=labels,
        declared=declared,
        dataset=dataset,
        unordered=unordered,
    )


def _exported_facts(folder: Path) -> tuple[Path, ...]:
    """The tables of facts of an export for the hub, which has its labels in a table too."""
    table = labels_file(folder).suffix == ".parquet"
    return tuple(exported(folder, "facts").values()) if table else ()


_FACTS = JsonDecoder(FactRow, what="fact")


def _of_tables(
    folder: Path, files: Iterable[Path], declared: GraphDeclaration, columns: ColumnNames
) -> tuple[Dataset, InputError | None]:
    """The facts of tables, and the error about their order in time if there is one."""
    rows: list[tuple[int, int, int, int, int]] = []
    places: list[Place] = []
    named: list[Split | None] = []
    for file in files:
        split = _split_of(file)
        with open_input(file, "a table of facts") as source:
            for row in _FACTS.with_names(columns).sound_rows(source):
                fact = row.value
                rows.append((fact.fact, fact.head_id, fact.relation_id, fact.tail_id, fact.time))
                places.append(row.place)
                named.append(split)
    order = sorted(range(len(rows)), key=lambda number: rows[number][0])
    for due, number in enumerate(order):
        if rows[number][0] != due:
            message = f"found fact {rows[number][0]}, expected fact {due}"
            hint = "pass the facts of all splits, each once"
            raise InputError(message, where=places[number].at(1), hint=hint)
    if not rows:
        raise InputError("found no facts, expected at least one", where=str(folder))
    table = np.array([rows[number][1:] for number in order], dtype=np.int64)
    bounds = declared.bounds()
    splits: dict[Split, list[int]] = {}
    for row_number, number in enumerate(order):
        time = rows[number][-1]
        due_split = next((split for split, low, high in bounds if low <= time < high), Split.TRAIN)
        splits.setdefault(named[number] or due_split, []).append(row_number)
    facts = {split: Quadruples.of(table[splits[split]]) for split in Split if split in splits}

    def cell(split: Split, row: int, column: int) -> str:
        return places[order[splits[split][row]]].at(column + 1)

    head, relation, tail, _ = (int(values.max()) + 1 for values in table.T)
    entities = max(head, tail) if declared.entities is None else declared.entities
    relations = relation if declared.relations is None else declared.relations
    counts = (entities, relations, entities, declared.steps)
    limits = {n: (count, MANIFEST) for n, count in enumerate(counts[: len(FACT_COLUMNS)])}
    require_ids(facts, cell, limits)
    words = Vocabulary(entities=entities, relations=relations, times=declared.steps)
    dataset = Dataset(name=folder.name, vocabulary=words, splits=facts)
    try:
        require_order(facts, cell)
    except InputError as error:
        return dataset, error
    return dataset, None


def _split_of(file: Path) -> Split | None:
    """The split that a table is named after."""
    name = file.stem.rpartition("-")[2]
    return Split.VALID if name == "validation" else next((s for s in Split if s == name), None)


def _declared(path: Path) -> GraphDeclaration:
    if not path.is_file():
        hint = "only folders that generate tkg --out DIR writes state their patterns and labels"
        raise InputError("not found, expected a manifest", where=str(path), hint=hint)
    read = read_document(path, _Manifest, "manifest")
    return GraphDeclaration(
        mode=read.mode,
        steps=read.config.steps,
        planted=read.forced_instances,
        injective=read.config.injective,
        depth=read.config.closure.depth,
        shares=read.config.splits,
        entities=read.config.entities,
        relations=read.config.relations,
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
            raise InputError(message, where=f"{labels_file(folder)}:{int(column.argmax()) + 2}:1")
    for pattern in patterns:
        where = f"{patterns_file(folder)}"
        if pattern.hops > MOST_HOPS:
            message = (
                f"found {pattern.hops} antecedents in pattern {pattern.id}, expected 1 to "
                f"{MOST_HOPS}"
            )
            raise InputError(message, where=where)
        if pattern.id > LARGEST or max(lag.high for lag in pattern.lags) + declared.steps > LARGEST:
            message = f"found a number in pattern {pattern.id} that is too large"
            raise InputError(f"{message}, expected at most {LARGEST}", where=where)
        bound = {end for step in pattern.template.antecedents for end in (step.head, step.tail)}
        last = pattern.template.consequence
        if declared.closed and pattern.closed and not {last.head, last.tail} <= bound:
            message = (
                f"found closed pattern {pattern.id}, whose consequence introduces a new entity"
            )
            raise InputError(f"{message}, expected entities of its antecedents", where=where)


def _require_bounded(folder: Path, labels: Labels, facts: Quadruples) -> None:
    """Reject files with a quadratic number of violations."""
    instances, sizes = np.unique(labels.instance, return_counts=True)
    if len(sizes) and sizes.max() > MOST_ALIKE:
        found = f"{sizes.max():,} labels of instance {instances[sizes.argmax()]}"
        message = f"found {found}, expected at most {MOST_HOPS + 1}"
        raise InputError(message, where=str(labels_file(folder)))
    rows, sizes = np.unique(facts.rows(), axis=0, return_counts=True)
    if sizes.max() > MOST_ALIKE:
        found = f"{tuple(rows[sizes.argmax()].tolist())} {sizes.max():,} times"
        raise InputError(f"found {found}, expected each fact once", where=str(folder))
