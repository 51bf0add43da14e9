"""Reads a schema from a folder with tables, a single table, or SHACL shapes."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from solver.facts.schema import Hierarchy, Relation, Schema, Signature, end_name, pair, start_name
from solver.io.sources import InputError, open_input, shown, shown_path, sound_lines

if TYPE_CHECKING:
    import _csv


RELATIONS, CLASSES = "relations.csv", "classes.csv"
EXCLUSIVE = ("exclusive", "exclusive_in_code")
"""Columns that mark exclusive relations; the first one present is used."""

LITERALS = ("xsd:", "rdf:", "geo:")
"""Prefixes of literal datatypes, which are not checked."""

_NEEDED = ("relation", "domain_class", "range_class", "can_end")
_FLAGS = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """Cells by column, and the position of the row."""

    cells: Mapping[str, str]
    where: str

    def names(self, column: str) -> tuple[str, ...]:
        """The alternatives in a cell."""
        return tuple(part.strip() for part in self.cells.get(column, "").split("|") if part.strip())

    def flag(self, column: str) -> bool:
        """The Boolean value of a yes/no cell.

        Raises:
            InputError: it is neither yes nor no.
        """
        value = self.cells[column].strip().lower()
        if value not in _FLAGS:
            message = f"found {shown(value)} for {column}, expected yes or no"
            raise InputError(message, where=self.where)
        return _FLAGS[value]


def read_table(path: Path, *, exclusive: str | None = None) -> Schema:
    """Read ``relations.csv`` and ``classes.csv`` from the same folder.

    Args:
        path: the table of relations.
        exclusive: the column that marks exclusive relations; by default the first of ``EXCLUSIVE``
            that is present; without any, no relation is exclusive.

    Raises:
        InputError: a file cannot be read, a column is missing, or a class is unknown.
    """
    hierarchy = _classes(path.with_name(CLASSES))
    rows = list(_rows(path, _NEEDED if exclusive is None else (*_NEEDED, exclusive)))
    if not rows:
        raise InputError("found no relations, expected at least one", where=f"{path}:1")
    marks = exclusive or next((name for name in EXCLUSIVE if name in rows[0].cells), None)
    relations: dict[str, Relation] = {}
    for row in rows:
        relation = _relation(row, hierarchy, marks)
        twin = relations.get(relation.name)
        relations[relation.name] = relation if twin is None else _both(twin, relation, row.where)
    return Schema(relations=relations, hierarchy=hierarchy)


def _relation(row: _Row, hierarchy: Hierarchy, marks: str | None) -> Relation:
    name = row.cells["relation"].strip()
    if not name:
        raise InputError("found no name, expected a relation name", where=row.where)
    ends = row.flag("can_end")
    start = row.cells.get("start_relation", "").strip() or (start_name(name) if ends else name)
    end = row.cells.get("end_relation", "").strip() or end_name(name)
    signature = Signature(
        domain=_class_names(row, "domain_class", hierarchy),
        range=_class_names(row, "range_class", hierarchy),
        qname=row.cells.get("qname", "").strip(),
    )
    return Relation(
        name=name,
        start=start,
        end=end if ends else None,
        exclusive=marks is not None and row.flag(marks),
        signatures=(signature,),
    )


def _class_names(row: _Row, column: str, hierarchy: Hierarchy) -> tuple[str, ...]:
    """The classes in a cell; empty (any class) if it contains a literal datatype."""
    names = row.names(column)
    if any(name.startswith(LITERALS) for name in names):
        return ()
    for name in names:
        if name not in hierarchy.parents:
            message = f"found class {shown(name)} for {column}, expected one of {CLASSES}"
            raise InputError(message, where=row.where)
    return names


def _both(relation: Relation, other: Relation, where: str) -> Relation:
    """Merge relations of the same name: facts cannot distinguish them, so either signature fits."""
    if (relation.start, relation.end) != (other.start, other.end):
        message = (
            f"found {relation.name} twice, with different names for its bounds, expected the same"
        )
        raise InputError(message, where=where)
    return Relation(
        name=relation.name,
        start=relation.start,
        end=relation.end,
        exclusive=relation.exclusive and other.exclusive,
        signatures=(*relation.signatures, *other.signatures),
    )


def _classes(path: Path) -> Hierarchy:
    parents: dict[str, tuple[str, ...]] = {}
    disjoint = set()
    rows = list(_rows(path, ("class", "parents")))
    for row in rows:
        name = row.cells["class"].strip()
        if not name or name in parents:
            found = f"class {shown(name)} again" if name else "no name"
            raise InputError(f"found {found}, expected each class once", where=row.where)
        parents[name] = row.names("parents")
        disjoint |= {pair(name, other) for other in row.names("disjoint_with")}
    for row in rows:
        for column in ("parents", "disjoint_with"):
            for text in row.names(column):
                if text not in parents:
                    message = f"found {shown(text)} for {column}, expected a class of this table"
                    raise InputError(message, where=row.where)
    return Hierarchy(parents=parents, disjoint=frozenset(disjoint))


def _rows(path: Path, needed: Collection[str]) -> Iterator[_Row]:
    with open_input(path, "a table of a schema") as source:
        texts = [line.text for line in sound_lines(source, blank=True)]
    table = csv.reader(io.StringIO("\n".join(texts), newline=""))
    header = [name.strip() for name in next(_whole(table, path), [])]
    missing = [name for name in needed if name not in header]
    if missing:
        message = f"found no column {', '.join(missing)}, expected {', '.join(needed)}"
        raise InputError(message, where=f"{path}:1")
    for cells in _whole(table, path):
        where = f"{path}:{table.line_num}"
        if not any(map(str.strip, cells)):
            continue
        if len(cells) != len(header):
            message = f"found {len(cells)} columns, expected {len(header)} as in the first line"
            raise InputError(message, where=where)
        yield _Row(cells=dict(zip(header, cells, strict=True)), where=where)


def _whole(table: _csv.Reader, path: Path) -> Iterator[list[str]]:
    """Yield the rows of a table; malformed CSV raises an InputError."""
    try:
        yield from table
    except csv.Error as error:
        message = f"found a broken row ({error}), expected comma-separated cells"
        hint = "quote the whole cell if it contains a quote, and double the quotes inside it"
        raise InputError(message, where=f"{path}:{table.line_num}", hint=hint) from None


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
        from solver.facts.shapes import read_shapes

        if exclusive is not None:
            message = f"shapes have no column {exclusive}, expected a table of relations"
            raise InputError(message, where=str(path))
        return read_shapes(path)
    table = path / RELATIONS if path.is_dir() else path
    return read_table(table, exclusive=exclusive)
