"""Items in tables of one's own: which columns hold what, and which words are which labels."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grammar.eventhop.model import Label
from solver.eventhop import records as fields
from solver.eventhop.labels import LabelScheme
from solver.eventhop.records import BrokenRecord, ItemPlace, ReadRecord
from solver.io.columns import ColumnNames, MapError, columns_of, require_names
from solver.io.sources import FieldError, InputError, Line, RowError, shown

_LABELS = {label.value: label for label in Label}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemMap(ColumnNames):
    """Names of columns, in lower case, and of labels that differ from ours.

    Attributes:
        labels: word of the file, in lower case -> label.
        scheme: the words of the labels by status, instead.
    """

    labels: Mapping[str, Label] = field(default_factory=dict)
    scheme: LabelScheme | None = None

    @property
    def renames(self) -> bool:
        """Whether columns or words of labels have other names; a scheme changes neither."""
        return bool(self.columns or self.labels)

    @classmethod
    def parse_items(cls, text: str) -> ItemMap:
        """Parse ``gold=answer,entailment=true,neutral=false``.

        Fields of items stand on the left for the names of their columns; other words for labels.

        Raises:
            MapError: a part has another form.
        """
        columns: dict[str, str] = {}
        labels: dict[str, Label] = {}
        for part in text.split(","):
            name, sign, value = (word.strip().lower() for word in part.partition("="))
            known = name in fields.ROWS.names
            if not (name and sign and value) or not (known or value in _LABELS):
                expected = "FIELD=COLUMN or WORD=LABEL, such as premise=context,neutral=false"
                hint = f"fields: {', '.join(fields.FIELDS)}; labels: {', '.join(_LABELS)}"
                raise MapError(f"found {shown(part)}, expected {expected}", hint=hint)
            if known:
                columns[name] = value
            else:
                labels[name] = _LABELS[value]
        return cls(columns=columns, labels=labels)

    def as_json(self) -> dict[str, str]:
        """The parts, for a manifest."""
        return {**self.columns, **{word: label.value for word, label in self.labels.items()}}

    def ours(self, values: Mapping[str, object]) -> dict[str, object]:
        """The values of a row by the names of our fields, and with our labels."""
        found = self.named({name.strip().lower(): value for name, value in values.items()})
        if self.scheme is not None:
            found = dict(fields.in_words(found, self.scheme))
        for name in fields.LABEL_NAMES:
            word = found.get(name)
            if self.scheme is not None and isinstance(word, bool | int):
                found[name] = str(word).lower()
            elif isinstance(word, str | int) and str(word).strip().lower() in self.labels:
                found[name] = self.labels[str(word).strip().lower()].value
        return found


def table_records(
    lines: Iterable[Line],
    file: str,
    found: tuple[str, Sequence[str]],
    mapping: ItemMap | None,
    *,
    first: int,
) -> Iterator[ReadRecord]:
    """Read the rows below a line of names; ``first`` is the number of the first of them.

    Raises:
        InputError: the names contain no premise or no claim.
    """
    delimiter, names = found
    if mapping is not None:
        mapping.require_present(names, f"{file}:1:1")
    try:
        require_names(names, fields.KNOWN if mapping is None else ())
    except FieldError as error:
        raise InputError(str(error), where=f"{file}:1:1", hint=error.hint) from None
    mapping = mapping or ItemMap()
    present = {*names} - set(mapping.columns.values()) | set(mapping.columns)
    for name in ("premise", "claim"):
        if present.isdisjoint(columns_of(fields.ItemRow)[name].names):
            message = f"found the columns {', '.join(names)}, but none of the {name}"
            raise InputError(message, where=f"{file}:1:1", hint=fields.MAP_COLUMNS)
    broken: list[Line] = []
    reader = csv.reader(_texts(lines, broken), delimiter=delimiter, strict=True)
    while True:
        number = reader.line_num + first
        try:
            cells = next(reader, None)
        except csv.Error as error:
            place = ItemPlace(file=file, line=number)
            message = f"{error}, expected a row of a table"
            yield BrokenRecord(
                id=str(number), place=place, error=RowError(message, where=place.at(1))
            )
            continue
        if cells is None:
            break
        if not any(cell.strip() for cell in cells):
            continue
        yield _record(cells, names, ItemPlace(file=file, line=number), mapping)
    for line in broken:
        assert line.error is not None
        place = ItemPlace(file=file, line=line.number)
        yield BrokenRecord(id=str(line.number), place=place, error=line.error)


def _texts(lines: Iterable[Line], broken: list[Line]) -> Iterator[str]:
    for line in lines:
        if line.error is not None:
            broken.append(line)
            yield "\n"  # keeps the numbers of the lines
        else:
            yield line.text + "\n"


def _record(
    cells: Sequence[str], names: Sequence[str], place: ItemPlace, mapping: ItemMap
) -> ReadRecord:
    if len(cells) != len(names):
        message = f"found {len(cells)} columns, expected {len(names)} as the first line names"
        error = RowError(message, where=place.at(1), hint="quote texts that contain the separator")
        return BrokenRecord(id=str(place.line), place=place, error=error)
    values = mapping.ours(dict(zip(names, map(str.strip, cells), strict=True)))
    try:
        read = fields.ROWS.read_cells({name: str(value) for name, value in values.items()})
        group = str(values.get(fields.GROUP, "")) or None
        return fields.placed(read, place, group, scheme=mapping.scheme)
    except FieldError as error:
        return fields.broken(str(place.line), place, 1, error)
