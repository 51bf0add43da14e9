"""Reads ICEWS weekly event files: tab-separated, with a header, one coded event per line.

Names follow the benchmarks derived from ICEWS: blanks become ``_``, as in ``Make_statement``.
Events of one day that differ only in other columns (intensity, sectors, story) are deduplicated,
and facts are sorted by time.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from solver.reading.failures import InputError
from solver.tkg.dataset import Dataset, Split
from solver.tkg.files.named import readable, text_cell_location
from solver.tkg.files.naming import NamedFacts, assign_ids
from solver.tkg.quadruples import Quadruples

COLUMNS = ("Source Name", "Event Text", "Target Name", "Event Date")


def is_icews(first_line: str) -> bool:
    """Whether the first line is an ICEWS header."""
    return "Event Date" in first_line.rstrip("\r\n").split("\t")


def read_icews(path: Path) -> Dataset:
    """Read a file; column order and further columns are ignored.

    Events without a source, a target or a text, and duplicates, are skipped and counted.

    Raises:
        InputError: a column is missing, a line has another number of columns, or a date is invalid.
    """
    facts, numbers, left_out = NamedFacts(), list[int](), Counter[str]()
    rows = readable(path)
    header = [cell.strip() for cell in next(rows).text.split("\t")]
    chosen = _chosen(header, path)
    for line in rows:
        if line.blank:
            continue
        cells = line.text.split("\t")
        if len(cells) != len(header):
            found = f"found {len(cells)} columns, expected {len(header)} as the header has"
            raise InputError(found, where=f"{path}:{line.number}:{len(line.text) + 1}")
        head, relation, tail, day = (cells[column].strip() for column in chosen)
        named = zip((head, relation, tail), COLUMNS, strict=False)
        missing = next((name for cell, name in named if not cell), None)
        if missing is not None:
            left_out[f"without {missing}"] += 1
            continue
        facts.add(_joined(head), _joined(relation), _joined(tail), day)
        numbers.append(line.number)

    def places(_split: Split, row: int, column: int) -> str:
        return text_cell_location(path, numbers[row], chosen[column])

    read = assign_ids(str(path), {Split.TRAIN: facts}, places, ordered=False, left_out=left_out)
    return _in_order(read, left_out, path)


def _joined(name: str) -> str:
    return "_".join(name.split())


def _chosen(header: list[str], path: Path) -> list[int]:
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        message = f"found no column {missing[0]!r}, expected {', '.join(COLUMNS)}"
        raise InputError(message, where=f"{path}:1:1")
    return [header.index(name) for name in COLUMNS]


def _in_order(read: Dataset, left_out: Counter[str], path: Path) -> Dataset:
    """Deduplicate the facts and sort them by time; the first occurrence is kept."""
    facts = read.splits[Split.TRAIN]
    _, first = np.unique(facts.rows(), axis=0, return_index=True)
    kept: Quadruples = facts.take(np.sort(first))
    if repeated := len(facts) - len(kept):
        left_out["repeated"] = repeated
    return Dataset(
        name=path.name,
        vocabulary=read.vocabulary,
        splits={Split.TRAIN: kept.take(np.argsort(kept.time, kind="stable"))},
        left_out=dict(sorted(left_out.items())),
    )
