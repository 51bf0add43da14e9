"""Labels of a generated graph: the pattern, instance and step that each fact belongs to.

Source: synthetic temporal knowledge graphs, section 3.2; see ``docs/tkg.md``. A fact may have
several labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from solver.reading.failures import InputError, shown
from solver.reading.source import open_input
from solver.tkg.quadruples import Ids
from solver.writing.atomic import atomic

COLUMNS = ("fact", "pattern", "instance", "role", "position")
"""Columns of ``labels.tsv``."""

_LARGEST_DIGITS = 18


class Role(StrEnum):
    """Role of a fact in an instance of a pattern."""

    ANTECEDENT = "antecedent"
    CONSEQUENCE = "consequence"


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


def read_labels(path: str | Path) -> Labels:
    """Read a table; rows keep their order, and empty lines are skipped.

    Raises:
        InputError: the file cannot be read, or its header or a line is invalid.
    """
    with open_input(path, "a table of labels") as source:
        text = source.whole()
        rows = text.splitlines()
        if not rows or tuple(rows[0].decode("utf-8", "replace").split("\t")) != COLUMNS:
            expected = f"expected the header {' '.join(COLUMNS)}, separated by tabs"
            raise InputError(f"found another first line, {expected}", where=f"{source.name}:1:1")
        try:
            return _parsed(rows[1:])
        except ValueError:
            raise _refusal(rows, source.name) from None


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


def _refusal(rows: list[bytes], name: str) -> InputError:
    """Locate the malformed line."""
    hint = "a line holds fact, pattern, instance, role and position, separated by tabs"
    for number, row in enumerate(rows[1:], 2):
        cells = row.split(b"\t")
        if not row.strip():
            continue
        if len(cells) != len(COLUMNS):
            message = f"found {len(cells)} columns, expected {len(COLUMNS)}"
            return InputError(message, where=f"{name}:{number}:1", hint=hint)
        column = 1
        for title, cell in zip(COLUMNS, cells, strict=True):
            written = cell.decode("utf-8", "replace")
            if title == "role":
                right, expected = written in set(Role), " or ".join(Role)
            else:
                right, expected = _plain(cell), f"a whole number ({title})"
            if not right:
                message = f"found {shown(written)}, expected {expected}"
                return InputError(message, where=f"{name}:{number}:{column}", hint=hint)
            column += len(written) + 1
    return InputError("found a line that is no label", where=name, hint=hint)
