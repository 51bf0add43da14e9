"""Cross-fitting over time: which rules count for the questions of which times.

Rules are not evaluated on the facts that they were mined from: those for a part of ``train`` are
mined from its other parts, those for ``valid`` and ``test`` from all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids, UnknownNameError, Vocabulary
from solver.io.sources import InputError, open_input, shown, sound_lines
from solver.io.writing import packed
from solver.questions.io import CROSS_FITTED, FOLDS, RULES
from solver.questions.names import TimeIndex
from solver.rules.io import read_rules
from solver.rules.model import RuleTable

COLUMNS = ("begin", "end", "first", "rules")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Rules that count for questions of some times.

    Attributes:
        begin, end: first and last time.
        first: row of its first rule, counted through both files of rules.
        rules: number of its rules, which follow each other.
    """

    begin: int
    end: int
    first: int
    rules: int


def everything(rules: RuleTable) -> tuple[Fold, ...]:
    """One fold: all rules count for all times."""
    return (Fold(begin=0, end=2**62, first=0, rules=len(rules)),)


def fold_of(folds: Sequence[Fold], times: Ids) -> Ids:
    """The number of the fold of each time, -1 for none."""
    found = np.full(len(times), -1, dtype=np.int64)
    for number, one in enumerate(folds):
        found[(times >= one.begin) & (times <= one.end)] = number
    return found


def rows_of(fold: Fold, size: int) -> NDArray[np.bool_]:
    """Which of so many rules are in a fold."""
    rows = np.arange(size)
    inside: NDArray[np.bool_] = (rows >= fold.first) & (rows < fold.first + fold.rules)
    return inside


def write_folds(path: Path, folds: Sequence[Fold], vocabulary: Vocabulary) -> None:
    """Write a table with a header, one fold per row.

    Raises:
        OutputError: writing failed.
    """
    with packed(path) as file:
        file.write("\t".join(COLUMNS).encode() + b"\n")
        for one in folds:
            cells = (vocabulary.time(one.begin), vocabulary.time(one.end), one.first, one.rules)
            file.write("\t".join(map(str, cells)).encode() + b"\n")


def read_folds(path: Path, vocabulary: Vocabulary, size: int) -> tuple[Fold, ...]:
    """Read a table of folds.

    Args:
        path: the file.
        vocabulary: vocabulary of the graph.
        size: number of rules.

    Raises:
        InputError: the file cannot be read, or a row is not a fold of these rules.
    """
    folds: list[Fold] = []
    times = TimeIndex(vocabulary)
    with open_input(path) as source:
        for line in sound_lines(source):
            where = f"{source.name}:{line.number}:1"
            cells = line.text.split("\t")
            if line.number == 1:
                if tuple(cells) != COLUMNS:
                    message = f"found {shown(line.text)}, expected the columns {', '.join(COLUMNS)}"
                    raise InputError(message, where=where, hint="separated by tabs")
                continue
            try:
                begin, end, first, rules = cells
                fold = Fold(begin=times[begin], end=times[end], first=int(first), rules=int(rules))
            except (ValueError, KeyError, UnknownNameError):
                message = f"found {shown(line.text)}, expected two times and two numbers"
                raise InputError(message, where=where) from None
            if not 0 <= fold.first <= fold.first + fold.rules <= size:
                message = f"found rows {first} and {rules} on, expected some of {size} rules"
                raise InputError(message, where=where)
            folds.append(fold)
    return tuple(folds)


def folder_rules(folder: Path, vocabulary: Vocabulary) -> tuple[RuleTable, tuple[Fold, ...]]:
    """The rules of a folder of questions, all in one table, and their folds.

    Raises:
        InputError: a file cannot be read.
    """
    paths = [path for name in (RULES, CROSS_FITTED) if (path := _file(folder, name)) is not None]
    tables = [read_rules(path, relations=vocabulary.relations) for path in paths]
    rules = tables[0] if len(tables) == 1 else RuleTable.joined(*tables)
    table = _file(folder, FOLDS)
    folds = everything(rules) if table is None else read_folds(table, vocabulary, len(rules))
    return rules, folds


def _file(folder: Path, name: str) -> Path | None:
    return next((p for p in (folder / name, folder / f"{name}.gz") if p.is_file()), None)
