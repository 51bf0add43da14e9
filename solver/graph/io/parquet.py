"""Reads and writes Parquet with columns head, relation, tail, time and, optionally, split.

Written files hold ids, with the names in the metadata; files to read may hold ids or names, and
times as integers, strings or dates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import msgspec
import numpy as np
import pyarrow as pa

from solver.graph.io.named import (
    COLUMNS,
    HEAD,
    RELATION,
    TAIL,
    TIME,
    NamedFacts,
    assign_ids,
    require_ids,
    require_order,
    require_points,
)
from solver.graph.model import Dataset, Ids, Quadruples, Split, Vocabulary
from solver.io.parquet import read_table, write_table
from solver.io.sources import InputError, shown

_KEY = b"hopcheck.vocabulary"
_SPLIT = "split"
_Columns: TypeAlias = dict[str, pa.ChunkedArray]


def read_parquet(path: Path, *, ordered: bool) -> Dataset:
    """Read a file; without a column ``split`` all facts are ``train``.

    Raises:
        InputError: the file is damaged, lacks a column, or holds an invalid fact.
    """
    table = read_table(path)
    require_points(f"{path}:1:1", columns=table.schema.names)
    rows = _rows_of_splits(table, path)
    return _dataset(table, path, rows, lambda split, row: (path, rows[split][row]), ordered=ordered)


def read_exported(folder: Path, files: Mapping[Split, Path], *, ordered: bool) -> Dataset:
    """Read the files of splits of an export for the hub, whose facts have names.

    Raises:
        InputError: as of ``read_parquet``.
    """
    tables = {split: read_table(path) for split, path in files.items()}
    for split, table in tables.items():
        for name in COLUMNS:
            _column(table, name, files[split])
    sizes = [len(table) for table in tables.values()]
    ends = np.cumsum(sizes)
    rows = {
        split: np.arange(end - size, end, dtype=np.int64)
        for split, size, end in zip(tables, sizes, ends.tolist(), strict=True)
    }
    whole = pa.concat_tables([table.select(COLUMNS) for table in tables.values()])
    return _dataset(whole, folder, rows, lambda split, row: (files[split], row), ordered=ordered)


def _dataset(
    table: pa.Table,
    path: Path,
    rows: Mapping[Split, Ids],
    placed: Callable[[Split, int], tuple[Path, int]],
    *,
    ordered: bool,
) -> Dataset:
    """The facts of a table.

    Args:
        table: all facts.
        path: of its file, or of the folder.
        rows: the rows of each split.
        placed: the file of a row of a split, and its row there.
        ordered: as of ``read_dataset``.
    """
    columns = {name: _column(table, name, path) for name in COLUMNS}

    def places(split: Split, row: int, column: int) -> str:
        file, number = placed(split, row)
        return f"{file}:{number + 1}:{table.schema.names.index(COLUMNS[column]) + 1}"

    kinds = {name: pa.types.is_integer(column.type) for name, column in columns.items()}
    if not all(kinds[name] for name in COLUMNS):
        splits = {split: _named(columns, chosen) for split, chosen in rows.items()}
        named = assign_ids(str(path), splits, places, ordered=ordered)
        return replace(named, name=path.name) if path.is_dir() else named
    values = {name: _integers(column, name, path) for name, column in columns.items()}
    everything = Quadruples(**values)
    facts = {split: everything.take(chosen) for split, chosen in rows.items()}
    vocabulary, limits = _vocabulary(table, everything, path)
    require_ids(facts, places, limits)
    if ordered:
        require_order(facts, places)
    return Dataset(name=path.name, vocabulary=vocabulary, splits=facts)


def write_parquet(path: str | Path, dataset: Dataset) -> None:
    """Write a data set atomically.

    Raises:
        OutputError: the file cannot be written.
    """
    facts = dataset.facts()
    names = [split for split in Split if split in dataset.splits]
    sizes = [len(dataset.splits[split]) for split in names]
    places = np.repeat(np.arange(len(names), dtype=np.int8), sizes)
    table = pa.table(
        {
            **{name: pa.array(getattr(facts, name), pa.int64()) for name in COLUMNS},
            _SPLIT: pa.DictionaryArray.from_arrays(places, pa.array(map(str, names), pa.string())),
        }
    )
    described = {"splits": names, "vocabulary": dataset.vocabulary}
    table = table.replace_schema_metadata({_KEY: msgspec.json.encode(described)})
    write_table(path, table)


class _Metadata(msgspec.Struct):
    vocabulary: Vocabulary
    splits: list[Split] = []


def _described(table: pa.Table, path: Path) -> _Metadata | None:
    text = (table.schema.metadata or {}).get(_KEY)
    try:
        return None if text is None else msgspec.json.decode(text, type=_Metadata)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = f"found metadata that cannot be read ({error}), expected a vocabulary"
        raise InputError(message, where=f"{path}:1:1") from None


def _vocabulary(
    table: pa.Table, facts: Quadruples, path: Path
) -> tuple[Vocabulary, dict[int, tuple[int, str]]]:
    """The vocabulary and id limits from the metadata, or else inferred from the ids."""
    found = _described(table, path)
    if found is not None:
        known = found.vocabulary
        counts = {HEAD: known.entities, RELATION: known.relations, TAIL: known.entities}
        counts[TIME] = known.times
        return known, {column: (count, "its vocabulary") for column, count in counts.items()}
    if not len(facts):
        raise InputError("found no facts, expected at least one", where=f"{path}:1:1")
    entities = int(max(facts.head.max(), facts.tail.max())) + 1
    relations, times = int(facts.relation.max()) + 1, int(facts.time.max()) + 1
    return Vocabulary(entities=entities, relations=relations, times=times), {}


def _column(table: pa.Table, name: str, path: Path) -> pa.ChunkedArray:
    if name not in table.schema.names:
        message = f"found no column {name}, expected {', '.join(COLUMNS)} and, if wanted, split"
        raise InputError(message, where=f"{path}:1:1")
    column, place = table.column(name), table.schema.names.index(name) + 1
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.null_count:
        row = int(np.flatnonzero(column.is_null().to_numpy())[0])
        message = f"found no {name}, expected one in every row"
        raise InputError(message, where=f"{path}:{row + 1}:{place}")
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.date32(), safe=False)
    kinds = pa.types
    text = kinds.is_string(column.type) or kinds.is_large_string(column.type)
    if not (text or kinds.is_integer(column.type) or kinds.is_date(column.type)):
        message = f"found {name} of type {column.type}, expected integers or names"
        raise InputError(message, where=f"{path}:1:{place}")
    return column


def _integers(column: pa.ChunkedArray, name: str, path: Path) -> Ids:
    try:
        return np.ascontiguousarray(column.cast(pa.int64()).to_numpy())
    except pa.ArrowException:
        message = f"found a {name} that is too large, expected 64 bits"
        raise InputError(message, where=f"{path}:1:1") from None


def _named(columns: _Columns, chosen: Ids) -> NamedFacts:
    head, relation, tail, time = (
        list(map(str, columns[name].take(pa.array(chosen)).to_pylist())) for name in COLUMNS
    )
    return NamedFacts(heads=head, relations=relation, tails=tail, times=time)


def _rows_of_splits(table: pa.Table, path: Path) -> dict[Split, Ids]:
    if _SPLIT not in table.schema.names:
        return {Split.TRAIN: np.arange(table.num_rows, dtype=np.int64)}
    column = table.column(_SPLIT)
    names = np.array(column.to_pylist(), dtype=object)
    known = set(Split)
    for name in dict.fromkeys(names):
        if name not in known:
            row = int(np.flatnonzero(names == name)[0])
            where = f"{path}:{row + 1}:{table.schema.names.index(_SPLIT) + 1}"
            message = f"found split {shown(str(name))}, expected {', '.join(Split)}"
            raise InputError(message, where=where)
    found = {split: np.flatnonzero(names == split.value) for split in Split}
    described = _described(table, path)
    kept = set(described.splits) if described is not None else set[Split]()
    return {split: rows for split, rows in found.items() if len(rows) or split in kept}
