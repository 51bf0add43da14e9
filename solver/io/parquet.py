"""Parquet: rows in groups of bounded size, or whole tables; needs pyarrow (extra ``parquet``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from solver.extras import require
from solver.io import sources as limits
from solver.io.sources import InputError, Place, Source, open_remote, shown_path
from solver.io.writing import atomic

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

GROUP = 4_096
"""Rows per row group: what a writer or a reader keeps in memory at a time."""

_BATCH = 256
_HINT = "write or fetch the file again"


_FEATURES = b"huggingface"
"""Entry of a schema's metadata: the features of a data set, as ``datasets`` has them."""


def label_metadata(labels: Mapping[str, Sequence[str]], schema: pa.Schema) -> dict[bytes, bytes]:
    """The names of labels that are stored as their numbers, for the metadata of a schema."""
    import pyarrow as pa

    features = {}
    for name, words in labels.items():
        feature: dict[str, Any] = {"names": list(words), "_type": "ClassLabel"}
        several = pa.types.is_list(schema.field(name).type)
        features[name] = {"feature": feature, "_type": "Sequence"} if several else feature
    return {_FEATURES: msgspec.json.encode({"info": {"features": features}})}


class _Label(msgspec.Struct):
    """A feature, if it is a label; of a list its parts are."""

    names: list[str] | None = None
    feature: Any = None


class _Info(msgspec.Struct):
    features: dict[str, Any] = {}


class _Described(msgspec.Struct):
    info: _Info = msgspec.field(default_factory=_Info)


def labels_of(schema: pa.Schema) -> dict[str, list[str]]:
    """The names of the labels of columns, by their numbers; what is not of this form has none."""
    try:
        stated = msgspec.json.decode((schema.metadata or {})[_FEATURES], type=_Described)
    except (KeyError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
    found = {}
    for name, feature in stated.info.features.items():
        with suppress(msgspec.ValidationError):
            label = msgspec.convert(feature, _Label)
            label = label if label.feature is None else msgspec.convert(label.feature, _Label)
            if label.names is not None:
                found[name] = label.names
    return found


def named_labels(row: Mapping[str, Any], labels: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """A row with the names of labels in place of their numbers."""
    return {
        name: _named(value, labels[name]) if name in labels else value
        for name, value in row.items()
    }


def _named(value: Any, names: Sequence[str]) -> Any:  # noqa: ANN401 - a cell
    if isinstance(value, list):
        return [_named(part, names) for part in value]
    known = type(value) is int and 0 <= value < len(names)
    return names[value] if known else value


def write_rows(
    path: str | Path, schema: Callable[[], pa.Schema], rows: Iterable[Mapping[str, Any]]
) -> None:
    """Write rows atomically, in row groups with page checksums.

    Args:
        path: output file.
        schema: makes the schema; called once pyarrow is known to be installed.
        rows: values by column.

    Raises:
        OutputError: writing fails.
    """
    require("Parquet", "pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns, left = schema(), iter(rows)
    with (
        atomic(path) as file,
        pq.ParquetWriter(file, columns, compression="zstd", write_page_checksum=True) as writer,
    ):
        while group := list(islice(left, GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema=columns))


def write_table(path: str | Path, table: pa.Table) -> None:
    """Write a table atomically, with page checksums.

    Raises:
        OutputError: writing fails.
    """
    import pyarrow.parquet as pq

    with atomic(path) as file:
        pq.write_table(table, file, compression="zstd", write_page_checksum=True)


def plain_path(source: Source) -> Path:
    """The path of an open Parquet file, which cannot be read as a stream.

    Raises:
        InputError: it is compressed, or not a file.
        MissingLibraryError: pyarrow is not installed.
    """
    if source.path is None or source.packed or not source.path.is_file():
        message = "found Parquet in a stream, expected a plain file"
        raise InputError(message, where=source.name, hint="save it, unpacked, and name it")
    require("Parquet", "pyarrow")
    return source.path


def read_rows(
    source: Source, columns: Callable[[Sequence[str]], Sequence[str]]
) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Read a file's rows in batches, each with its place.

    Args:
        source: the open file, or a part of it.
        columns: selects the columns to read from those of the file.

    Raises:
        InputError: the file is damaged, compressed, or larger than ``limits.WHOLE`` in one group.
    """
    path = open_remote(source.uri) if source.uri is not None else plain_path(source)
    part = source.part
    row = 0 if part is None else part.line - 1
    # Pages are read on demand: with pre-buffering, Arrow would keep the whole file in memory.
    with (
        _damage_reported(source.name, lambda: row + 1),
        _opened(path, pre_buffer=False, buffer_size=1 << 20) as file,
    ):
        _require_distinct(file.schema_arrow.names, source.name)
        known = file.metadata
        sizes = (known.row_group(n).total_byte_size for n in range(known.num_row_groups))
        _require_size(max(sizes, default=0), source.name)
        names = list(columns(file.schema_arrow.names))
        labels = labels_of(file.schema_arrow)
        # All columns are decoded: a file that is damaged anywhere is refused.
        # Group by group, so that a part has the same batches.
        for group in range(known.num_row_groups) if part is None else (part.group,):
            at = 0
            for batch in file.iter_batches(_BATCH, row_groups=[group], use_threads=False):
                some = batch.select(names)
                if part is not None:
                    first = max(part.start - at, 0)
                    some = some.slice(first, max(part.end - at - first, 0))
                for values in some.to_pylist():
                    row += 1
                    if labels:
                        values = named_labels(values, labels)
                    yield Place(file=source.name, line=row), values
                at += batch.num_rows
                if part is not None and at >= part.end:
                    break


def group_rows(uri: str) -> list[int]:
    """The number of rows of each row group of a file.

    Raises:
        InputError: the file is damaged.
    """
    require("Parquet", "pyarrow")
    with _damage_reported(shown_path(uri)), _opened(open_remote(uri)) as file:
        known = file.metadata
        return [known.row_group(n).num_rows for n in range(known.num_row_groups)]


def read_table(path: str | Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a whole table.

    Args:
        path: of the file.
        columns: names of the columns to read; by default all.

    Raises:
        InputError: the file is damaged, or larger than ``limits.WHOLE``.
    """
    require("Parquet", "pyarrow")
    import pyarrow as pa

    name = shown_path(str(path))
    with _damage_reported(name), _opened(path) as file:
        _require_distinct(file.schema_arrow.names, name)
        known = file.metadata
        sizes = (known.row_group(n).total_byte_size for n in range(known.num_row_groups))
        # A run of equal values takes a few bytes in the file, and eight each in memory.
        _require_size(max(sum(sizes), 8 * known.num_rows * known.num_columns), name)
        if not known.num_rows:
            return file.read(columns=columns)
        batches, size = [], 0
        # The size of texts that repeat is known only when they are read.
        for batch in file.iter_batches(GROUP):
            kept = batch if columns is None else batch.select(columns)
            size += kept.nbytes
            _require_size(size, name)
            batches.append(kept)
        return pa.Table.from_batches(batches)


def exported(folder: str | Path, configuration: str) -> dict[str, Path]:
    """The files of the splits of a configuration of an export for the hub."""
    paths = {s: Path(folder, f"{configuration}-{s}.parquet") for s in ("train", "valid", "test")}
    return {split: path for split, path in paths.items() if path.is_file()}


def column_names(path: Path) -> frozenset[str]:
    """The names of the columns of a file; none if it cannot be read."""
    try:
        from pyarrow.parquet import read_schema

        return frozenset(read_schema(path).names)
    except (ImportError, OSError, ValueError):
        return frozenset()


def _opened(path: str | Path | pa.NativeFile, **options: Any) -> pq.ParquetFile:  # noqa: ANN401 - of pyarrow
    import pyarrow.parquet as pq

    # Verifies the page checksums that our writers add; files without any pass.
    return pq.ParquetFile(path, page_checksum_verification=True, **options)


def _require_distinct(columns: Sequence[str], name: str) -> None:
    for column, times in Counter(columns).items():
        if times > 1:
            message = f"found {times} columns {column}, expected columns with distinct names"
            raise InputError(message, where=name)


def _require_size(size: int, name: str) -> None:
    if size > limits.WHOLE:
        message = f"found columns of {size:,} bytes, expected at most {limits.WHOLE:,}"
        raise InputError(message, where=name, hint="write smaller row groups, or split the file")


@contextmanager
def _damage_reported(name: str, row: Callable[[], int] = lambda: 1) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    # Errors that damaged files raise: Arrow's own, from the system, and from values out of range.
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        message = f"damaged Parquet data ({reason[:120]}), expected a whole Parquet file"
        raise InputError(message, where=f"{name}:{row()}:1", hint=_HINT) from None
