"""Rules as Parquet, with the fields of the JSON Lines as columns."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from solver.graph.model import Ids
from solver.io.parquet import read_table, write_table
from solver.io.sources import InputError, RowError, shown_path
from solver.rules.model import (
    LARGEST,
    MOST_FACTS,
    RuleTable,
    code_of,
    groups,
    groups_of,
    refuse,
    with_stated,
)

SCHEMA = pa.schema(
    [
        ("head", pa.int32()),
        ("body", pa.list_(pa.int32())),
        ("same", pa.list_(pa.list_(pa.int8()))),
        ("confidence", pa.float64()),
        ("rule_support", pa.int64()),
        ("body_support", pa.int64()),
    ]
)
"""The columns."""


def write_parquet(path: str | Path, rules: RuleTable) -> None:
    """Write a file."""
    offsets = np.concatenate([[0], np.cumsum(rules.length)]).astype(np.int32)
    relations = pa.array(rules.body[rules.body >= 0], pa.int32())
    codes, number = np.unique(rules.same, return_inverse=True)
    patterns = pa.array([groups_of(int(code)) for code in codes], SCHEMA.field("same").type)
    columns = [
        pa.array(rules.head, pa.int32()),
        pa.ListArray.from_arrays(offsets, relations),
        patterns.take(pa.array(number)),
        pa.array(rules.confidence),
        pa.array(rules.rule_support),
        pa.array(rules.body_support),
    ]
    write_table(path, pa.Table.from_arrays(columns, schema=SCHEMA))


def read_parquet(path: str | Path, relations: int | None) -> RuleTable:
    """Read a file; see ``read_rules``."""
    name = shown_path(str(path))
    found = read_table(path)
    missing = [other_name for other_name in SCHEMA.names if other_name not in found.column_names]
    if missing:
        message = f"found no column {missing[0]}, expected {', '.join(SCHEMA.names)}"
        raise InputError(message, where=name)
    try:
        table = found.select(SCHEMA.names).cast(SCHEMA).combine_chunks()
    except (pa.ArrowException, ValueError) as error:
        reason = " ".join(str(error).split())[:120]
        raise InputError(f"{reason}, expected a Parquet file of rules", where=name) from None
    for column in SCHEMA.names:
        if table[column].null_count:
            raise InputError(f"found nothing in column {column}, expected a value", where=name)
    return _table(table, name, relations)


def _table(table: Any, name: str, relations: int | None) -> RuleTable:  # noqa: ANN401 - untyped
    def place(row: int) -> str:
        return f"{name}:{row + 1}:1"

    columns = {
        column: table[column].to_numpy() for column in ("head", "rule_support", "body_support")
    }
    body = _body(table["body"].combine_chunks(), place_name=name)
    _refuse_numbers(np.minimum(columns["head"], columns["rule_support"]), place)
    confidence = table["confidence"].to_numpy()
    for row in np.flatnonzero(~((confidence >= 0) & (confidence <= 1)))[:1]:
        message = f"found a confidence of {confidence[row]}, expected 0 to 1"
        raise RowError(message, where=place(int(row)))
    same = np.zeros(len(body), dtype=np.int64)
    patterns = table["same"].combine_chunks()
    flat = patterns.flatten()
    if flat.null_count or flat.flatten().null_count:
        raise InputError("found nothing within column same, expected positions", where=name)
    for row in np.flatnonzero(patterns.value_lengths().to_numpy()):
        length = int((body[row] >= 0).sum())
        same[row] = code_of(groups(patterns[int(row)].as_py(), length, partial(place, int(row))))
    rules = RuleTable(
        head=columns["head"].astype(np.int64),
        body=body,
        same=same,
        rule_support=columns["rule_support"],
        body_support=columns["body_support"],
    )
    refuse(rules, place, relations)
    return with_stated(rules, confidence, place)


def _body(column: Any, *, place_name: str) -> Ids:  # noqa: ANN401 - untyped
    lengths: NDArray[np.int64] = column.value_lengths().to_numpy().astype(np.int64)
    for row in np.flatnonzero((lengths < 1) | (lengths > MOST_FACTS))[:1]:
        message = f"found a body of {lengths[row]} facts, expected 1 to {MOST_FACTS}"
        raise RowError(message, where=f"{place_name}:{row + 1}:1")
    body = np.full((len(lengths), int(lengths.max(initial=1))), -1, dtype=np.int64)
    relations = column.flatten().to_numpy(zero_copy_only=False)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    bad = ~((relations >= 0) & (relations <= LARGEST))
    for at in np.flatnonzero(bad)[:1]:
        message = f"found relation {relations[at]}, expected 0 or more"
        raise RowError(message, where=f"{place_name}:{rows[at] + 1}:1")
    body[np.arange(body.shape[1]) < lengths[:, None]] = relations
    return body


def _refuse_numbers(least: Ids, place: Any) -> None:  # noqa: ANN401
    for row in np.flatnonzero(least < 0)[:1]:
        raise RowError(f"found {least[row]}, expected 0 or more", where=place(int(row)))
