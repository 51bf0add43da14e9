"""Reads facts with names: head, relation, tail and time, separated by tabs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from solver.reading.failures import InputError
from solver.reading.lines import Line, lines
from solver.reading.source import open_input
from solver.tkg.dataset import Dataset, Split
from solver.tkg.files.naming import NamedFacts, assign_ids
from solver.tkg.files.soundness import COLUMNS

_HEADERS = ({"head", "relation", "tail"}, {"subject", "relation", "object"}, {"s", "r", "o"})


def read_named_files(name: str, files: Mapping[Split, Path], *, ordered: bool) -> Dataset:
    """Read files of names; a header line is optional and further columns are ignored.

    Raises:
        InputError: a file cannot be read, a line has fewer than four columns, or a name is empty.
    """
    splits: dict[Split, NamedFacts] = {}
    numbers: dict[Split, list[int]] = {}
    for split, path in files.items():
        splits[split], numbers[split] = NamedFacts(), []
        for line in readable(path):
            cells = [cell.strip() for cell in line.text.split("\t")]
            if line.blank or (line.number == 1 and is_header(cells)):
                continue
            _require_names(cells, line, path)
            splits[split].add(*cells[:4])
            numbers[split].append(line.number)

    def places(split: Split, row: int, column: int) -> str:
        return text_cell_location(files[split], numbers[split][row], column)

    return assign_ids(name, splits, places, ordered=ordered)


def readable(path: Path) -> Iterator[Line]:
    """Lines of a text file.

    Raises:
        InputError: a line cannot be read.
    """
    with open_input(path, "a file of facts") as source:
        for line in lines(source):
            if line.error is not None:
                raise InputError(line.error.message, where=line.error.where, hint=line.error.hint)
            yield line


def text_cell_location(path: Path, number: int, column: int) -> str:
    """Location of a cell as ``file:line:column``; ``column`` counts cells from 0."""
    text = next(islice(readable(path), number - 1, None)).text
    before = text.split("\t")[:column]
    return f"{path}:{number}:{sum(map(len, before)) + len(before) + 1}"


def is_header(cells: list[str]) -> bool:
    """Whether a line is a header."""
    names = {cell.strip().lower() for cell in cells}
    return any(known <= names for known in _HEADERS)


def _require_names(cells: list[str], line: Line, path: Path) -> None:
    expected = f"{', '.join(COLUMNS)}, separated by tabs"
    if len(cells) < len(COLUMNS):
        found = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
        where = f"{path}:{line.number}:{len(line.text) + 1}"
        raise InputError(f"found {found}, expected {expected}", where=where)
    for column, name in enumerate(COLUMNS):
        if not cells[column]:
            where = text_cell_location(path, line.number, column)
            raise InputError(f"found no {name}, expected {expected}", where=where)
