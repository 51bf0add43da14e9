"""Reads a schema from a folder with tables, a single table, or SHACL shapes."""

from __future__ import annotations

from pathlib import Path

from solver.reading.failures import InputError, shown_path
from solver.schema.relations import Schema
from solver.schema.table import CLASSES, RELATIONS, read_table

SHAPES = (".ttl", ".shacl")
_FORMS = f"a folder with {RELATIONS} and {CLASSES}, such a table, or SHACL shapes (.ttl)"


def read_schema(path: Path, *, exclusive: str | None = None) -> Schema:
    """Read ``DIR/relations.csv`` with ``classes.csv``, such a table, or Turtle with SHACL shapes.

    Args:
        path: a folder or a file.
        exclusive: the column of the table that marks exclusive relations.

    Raises:
        InputError: it cannot be read, or is none of these.
    """
    if not path.exists():
        # Otherwise the error would name classes.csv, which the user did not mention.
        message = f"no such file or directory, expected {_FORMS}"
        raise InputError(message, where=shown_path(str(path)), hint="check the path")
    if path.suffix in SHAPES:
        from solver.schema.shapes import read_shapes

        if exclusive is not None:
            message = f"shapes have no column {exclusive}, expected a table of relations"
            raise InputError(message, where=str(path))
        return read_shapes(path)
    table = path / RELATIONS if path.is_dir() else path
    return read_table(table, exclusive=exclusive)
