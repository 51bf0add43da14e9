"""Compares the copies of a split in several formats, row by row, whatever their checksums are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from grammar.errors import HopcheckError
from solver.dataset.seal import DataSet, open_dataset
from solver.extras import available
from solver.io.json_lines import BrokenRow, JsonDecoder
from solver.io.parquet import read_rows
from solver.io.sources import MANIFEST, counted, open_input, shown
from solver.verification.report import Finding

CODE = "copies-differ"
COPIES = {CODE: ("{message}", "copies of the same rows, in several formats, differ")}
"""The code of kinds with several copies of their rows."""

Row = Mapping[str, Any]
_DECODER = JsonDecoder[dict[str, Any]](dict[str, Any])
_ABSENT: Row = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRow:
    """A row; ``broken`` says why it could not be read."""

    where: str
    values: Row
    broken: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """The rows of a split in one format.

    Attributes:
        name: name of its file, or one name for its shards.
        rows: reads them.
        partial: whether it has only some of the fields.
    """

    name: str
    rows: Callable[[], Iterable[PlacedRow]]
    partial: bool = False


def split_copies(
    dataset: DataSet, table: Callable[[str], Iterable[PlacedRow]] | None = None
) -> list[tuple[Copy, ...]]:
    """The copies of each split that has several; Parquet needs pyarrow.

    Args:
        dataset: the folder.
        table: reads the rows of a TSV, with the fields of JSON Lines as far as it has them.
    """
    every, present_names = [], dataset.folder.names()
    for files in dataset.splits.values():
        copies = []
        for ending, names in files.items():
            if not present_names.issuperset(names):
                continue
            table_read = table if ending.startswith(".tsv") else read
            if table_read is None or (ending == ".parquet" and not available("pyarrow")):
                continue
            paths = [dataset.folder.path(name) for name in names]
            copies.append(
                Copy(
                    name=names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}",
                    rows=_Chained(table_read, paths),
                    partial=table_read is table,
                )
            )
        every += [tuple(copies)] if len(copies) > 1 else []
    return every


@dataclass(frozen=True, slots=True)
class _Chained:
    read: Callable[[str], Iterable[PlacedRow]]
    paths: Sequence[str]

    def __call__(self) -> Iterator[PlacedRow]:
        return chain.from_iterable(map(self.read, self.paths))


def read(path: str) -> Iterator[PlacedRow]:
    """The rows of JSON Lines or Parquet.

    Raises:
        InputError: the file cannot be read to its end.
    """
    with open_input(path) as source:
        if source.parquet:
            for place, values in read_rows(source, lambda names: names):
                yield PlacedRow(where=place.at(), values=values)
            return
        for row in _DECODER.rows(source):
            if isinstance(row, BrokenRow):
                yield PlacedRow(where=row.place.at(), values={}, broken=row.error.message)
            else:
                yield PlacedRow(where=row.place.at(), values=row.value)


def present(values: Row) -> dict[str, Any]:
    """The values that are not missing, also in objects within them."""
    return {
        name: present(value) if isinstance(value, Mapping) else value
        for name, value in values.items()
        if value is not None
    }


def differences(folder: str, copies: Sequence[Copy]) -> Iterator[Finding]:
    """Compare copies with the first one; one finding for each that differs."""
    first, *others = copies
    for other in others:
        number, example = 0, None
        try:
            for left, right in zip_longest(first.rows(), other.rows()):
                fault = _difference(left, right, partial=other.partial)
                number += fault is not None
                example = example or fault
        except HopcheckError as error:
            number, example = number + 1, (error.where or folder, error.message)
        if example is not None:
            where, message = example
            rows = f"{counted(number, 'row')} of {other.name} differ from {first.name}, the first: "
            yield Finding(code=CODE, where=where, message=f"{rows}{message}")


def _difference(
    left: PlacedRow | None, right: PlacedRow | None, *, partial: bool
) -> tuple[str, str] | None:
    if left is None or right is None:
        row = left or right
        assert row is not None
        return row.where, "the row is in one of them only"
    if left.broken or right.broken:
        return (left if left.broken else right).where, left.broken or right.broken
    expected_values, values = present(left.values), present(right.values)
    for name in sorted(values if partial else expected_values.keys() | values.keys()):
        one, two = expected_values.get(name), values.get(name)
        if one != two or isinstance(one, bool) is not isinstance(two, bool):
            found, expected = shown(repr(two)), shown(repr(one))
            return right.where, f"{name}: found {found}, expected {expected} as in {left.where}"
    return None


def in_words(copies: Iterable[Copy]) -> str:
    """The names of copies: ``test.jsonl, test.parquet and test.tsv``."""
    *names, last = (copy.name for copy in copies)
    return f"{', '.join(names)} and {last}"


def folders(paths: Iterable[object]) -> Iterator[DataSet]:
    """The data sets among some paths: folders, and files with a manifest of their own."""
    for path in paths:
        if hasattr(path, "__fspath__") or isinstance(path, str):
            dataset = None if str(path) == "-" else open_dataset(str(path))
            if dataset is not None and (dataset.only is None or dataset.name != MANIFEST):
                yield dataset
