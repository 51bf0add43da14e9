"""Reads numeric tables from text, JSON Lines (both optionally gzip-compressed) or Parquet.

Text columns are separated by spaces, tabs or commas, and are in the expected order unless the first
line names them. Columns can have other names: ``s`` also ``subject`` or ``head``, and so on.
"""

from __future__ import annotations

import lzma
import math
import re
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids
from solver.io import parquet
from solver.io.json_lines import JsonDecoder
from solver.io.parquet import plain_path
from solver.io.sources import InputError, Place, RowError, Source, open_input, shown, unpacked_limit

Numbers = NDArray[np.float64]

ALIASES = {
    "s": ("s", "subject", "head"),
    "r": ("r", "relation", "rel"),
    "o": ("o", "object", "tail"),
    "t": ("t", "time", "timestamp"),
    "sk": ("sk", "strikingness", "weight"),
    "candidate": ("candidate", "entity", "o", "object", "tail"),
}
_DECODER = JsonDecoder[dict[str, object]](dict[str, object])
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|nan|inf)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """The rows of a file.

    Attributes:
        file: name of the file, as given.
        columns: names of the columns, in the order of ``values``.
        values: shape (rows, columns); may be infinite or NaN.
        lines: line of each row in the file, from 1; the row number for Parquet.
    """

    file: str
    columns: tuple[str, ...]
    values: Numbers
    lines: Ids

    def __len__(self) -> int:
        return len(self.values)

    def column(self, name: str) -> Numbers:
        """The values of a column."""
        return self.values[:, self.columns.index(name)]

    def where(self, row: int) -> str:
        """The location of a row, ``file:line``."""
        return f"{self.file}:{self.lines[row]}"

    def ids(self, name: str, size: int, what: str) -> Ids:
        """A column as ids.

        Raises:
            InputError: a value is not an integer from 0 to ``size``, exclusive.
        """
        values = self.column(name)
        # NaN and infinity fail these comparisons, too.
        wrong = np.flatnonzero(~((values >= 0) & (values < size) & (values == np.floor(values))))
        if len(wrong):
            found = f"{values[wrong[0]]:.15g}"
            message = f"found {what} {found}, expected a whole number from 0 to {size - 1:,}"
            hint = f"in {len(wrong):,} rows" if len(wrong) > 1 else ""
            raise InputError(message, where=self.where(int(wrong[0])), hint=hint)
        return values.astype(np.int64)


def read_table(path: str, columns: Sequence[str]) -> Table:
    """Read a file; ``-`` is standard input. Additional columns require a line of names.

    Raises:
        InputError: the file cannot be read or is empty, or a row does not have these numbers.
    """
    names = tuple(columns)
    with open_input(path, "ranks, scores or weights") as source:
        if source.head().startswith(b"PAR1"):
            table = _parquet(source, names)
        else:
            text = source.whole()
            by_name = text.lstrip()[:1] == b"{"
            table = (_json_lines if by_name else _text)(text, source.name, names)
    if not len(table):
        message = f"found no rows, expected {', '.join(names)} on each line"
        raise InputError(message, where=table.file)
    return table


def _text(text: bytes, file: str, columns: tuple[str, ...]) -> Table:
    lines = text.replace(b",", b"\t").splitlines()
    kept = [number for number, line in enumerate(lines) if line.strip()]
    used = tuple(range(len(columns)))
    if kept:
        first = lines[kept[0]].decode("utf-8", "replace").lower().split()
        if _NUMBER.fullmatch(first[0]) is None:
            used = _named(first, columns, f"{file}:{kept[0] + 1}")
            kept = kept[1:]
        elif len(first) > len(columns):
            message = f"found {len(first)} columns without names, expected {' '.join(columns)}"
            hint = "add a first line of column names"
            raise InputError(message, where=f"{file}:{kept[0] + 1}", hint=hint)
    if not kept:
        nothing = np.empty((0, len(columns)))
        return Table(file=file, columns=columns, values=nothing, lines=np.empty(0, np.int64))
    try:
        values = np.loadtxt(
            [lines[number] for number in kept],
            dtype=np.float64,
            usecols=used,
            ndmin=2,
            comments=None,
            encoding="utf-8",
        )
    except ValueError:
        raise _refusal(lines, kept, file, dict(zip(columns, used, strict=True))) from None
    numbers = np.asarray(kept, dtype=np.int64) + 1
    return Table(file=file, columns=columns, values=values, lines=numbers)


def _named(names: Sequence[str], columns: Sequence[str], where: str) -> tuple[int, ...]:
    """The indexes of columns among the column names of a file."""
    found = []
    for column in columns:
        name = next((alias for alias in ALIASES.get(column, (column,)) if alias in names), None)
        if name is None:
            message = f"found no column {column} among {shown(' '.join(names))}"
            raise InputError(f"{message}, expected {' '.join(columns)}", where=where)
        found.append(names.index(name))
    return tuple(found)


def _refusal(
    lines: Sequence[bytes], kept: Sequence[int], file: str, used: Mapping[str, int]
) -> InputError:
    """Find the first invalid line and describe it."""
    expected = f"{len(used)} numbers: {' '.join(used)}"
    for number in kept:
        cells = lines[number].decode("utf-8", "replace").split()
        where = f"{file}:{number + 1}"
        if len(cells) <= max(used.values()):
            return InputError(f"found {len(cells)} columns, expected {expected}", where=where)
        for name, place in used.items():
            if not _NUMBER.fullmatch(cells[place]):
                found = f"found {shown(cells[place])} as {name}"
                return InputError(f"{found}, expected {expected}", where=where)
    return InputError(f"no table of numbers, expected {expected}", where=file)


def _json_lines(text: bytes, file: str, columns: tuple[str, ...]) -> Table:
    numbers, rows = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            numbers.append(number)
            rows.append(list(_json_row(line, Place(file=file, line=number), columns)))
    return Table(
        file=file,
        columns=columns,
        values=np.array(rows, dtype=np.float64).reshape(-1, len(columns)),
        lines=np.array(numbers, dtype=np.int64),
    )


def _json_row(line: bytes, place: Place, columns: tuple[str, ...]) -> Iterator[float]:
    expected = f"an object with the numbers {', '.join(columns)}"
    try:
        row = _DECODER.decode(line, place)
    except RowError as error:
        hint = "JSON has no NaN and no Infinity" if b"N" in line or b"I" in line else ""
        raise InputError(error.message, where=error.where, hint=hint) from None
    where = place.at()
    for column in columns:
        name = next((alias for alias in ALIASES.get(column, (column,)) if alias in row), None)
        value = row[name] if name else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            found = "nothing" if name is None else shown(str(value))
            raise InputError(f"found {found} as {column}, expected {expected}", where=where)
        yield value


def _parquet(source: Source, columns: tuple[str, ...]) -> Table:
    path = plain_path(source)
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        names = pq.read_schema(path).names
        named = [names[place] for place in _named(names, columns, source.name)]
        table = parquet.read_table(path, named)
        # Missing values become NaN, which is refused later.
        arrays = [table[name].cast(pa.float64()).to_numpy(zero_copy_only=False) for name in named]
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:120]
        message = f"damaged Parquet data ({reason}), expected numbers: {' '.join(columns)}"
        raise InputError(message, where=source.name) from None
    values = np.stack(arrays, axis=1).astype(np.float64)
    return Table(
        file=source.name,
        columns=columns,
        values=values,
        lines=np.arange(1, len(values) + 1, dtype=np.int64),
    )


def require_unpackable(path: str) -> None:
    """Refuse an archive that decompresses to much more than its size.

    Raises:
        InputError: it does.
    """
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    size = sum(member.file_size for member in members)
    most = unpacked_limit(sum(member.compress_size for member in members))
    if size > most:
        message = f"found {size:,} bytes of decompressed data, expected at most {most:,}"
        raise InputError(message, where=path, hint="write the file with np.savez")


BROKEN = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    EOFError,
    SyntaxError,
    RuntimeError,  # encrypted, or an unknown compression
    OverflowError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    tokenize.TokenError,
)
"""What ``zipfile`` and numpy raise for archives and headers that are damaged."""


def npz_arrays(path: str, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Arrays of an ``.npz`` file; damaged ones raise one of ``BROKEN``.

    Raises:
        InputError: the file decompresses to much more than its size.
    """
    require_unpackable(path)
    with zipfile.ZipFile(path) as archive:
        return {name: _npz_array(archive, name) for name in names}


def _npz_array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """An array, whose header is compared with its size before it is allocated."""
    member = archive.getinfo(f"{name}.npy")
    with archive.open(member) as file:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0
        if version != (1, 0):
            read = np.lib.format.read_array_header_2_0
        shape, _, kind = read(file)
    if math.prod(shape) * kind.itemsize > member.file_size or any(number < 0 for number in shape):
        raise ValueError(f"found {name} of shape {shape} in {member.file_size:,} bytes")
    with archive.open(member) as file:
        return np.lib.format.read_array(file, allow_pickle=False)
