"""Corrected copies of files of items: labels, declared consistency and hops as decided.

Rows that are as declared are copied byte for byte; rows that cannot be verified (unparsed, about
one event, or repeated) are removed. Every change is listed.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import msgspec

from grammar.errors import HopcheckError
from grammar.eventhop.model import Label
from solver.eventhop import records as fields
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import COLUMNS, header, read_records
from solver.eventhop.outcomes import FindingCode, ItemDecider, Outcome
from solver.eventhop.records import Record
from solver.eventhop.shards import text_digest
from solver.io.columns import SeenHashes
from solver.io.sources import BYTE_ORDER_MARK, open_input
from solver.io.writing import atomic, line, packed, spreadsheet_cell

_BATCH = 256
_REMOVED = (FindingCode.UNPARSED, FindingCode.SELF_CLAIM, FindingCode.DUPLICATE)


class CorrectionError(HopcheckError):
    """A source that cannot be corrected."""

    code = "correction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change of one field of one row, or its removal.

    Attributes:
        line: line of the row in the file, from 1; of Parquet its row.
        id: id of the item.
        field: name of the field; empty for a removed row.
        before, after: the values as written.
        reason: the finding code.
    """

    line: int
    id: str
    field: str
    before: str
    after: str
    reason: str

    def cells(self) -> tuple[str, ...]:
        """A row of the table of changes; what could be a formula is marked as text."""
        cells = (str(self.line), self.id, self.field, self.before, self.after, self.reason)
        return tuple(map(spreadsheet_cell, cells))


TITLES = ("line", "id", "field", "before", "after", "reason")


def correct(path: str | Path, out: str | Path, settings: ItemSettings) -> tuple[Change, ...]:
    """Write a corrected copy in the format of the file, and the table of changes beside it.

    Args:
        path: a file of items.
        out: output file; the table is ``OUT.changes.tsv``.
        settings: how the items are decided.

    Raises:
        CorrectionError: the path is a folder or a stream.
        HopcheckError: the file cannot be read, or a file not be written.
    """
    source = Path(path)
    if str(path) == "-" or not source.is_file():
        message = "found no plain file, expected one file of items to correct"
        raise CorrectionError(message, where=str(path), hint="pass one file with --fixed")
    outcomes = list(_outcomes(source, settings))
    words = _words(outcomes, settings)
    changes = [change for outcome in outcomes for change in _changes(outcome, words)]
    edits: dict[int, dict[str, str] | None] = {}
    for change in changes:
        if not change.field:
            edits[change.line] = None
        else:
            row = edits.setdefault(change.line, {})
            if row is not None:
                row[change.field] = change.after
    _write(source, Path(out), edits, [outcome.record.place.line for outcome in outcomes], settings)
    with atomic(f"{out}.changes.tsv") as file:
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter="\t", lineterminator="\n")
        writer.writerows([TITLES, *(change.cells() for change in changes)])
        file.write(text.getvalue().encode())
    return tuple(changes)


def _outcomes(path: Path, settings: ItemSettings) -> Iterator[Outcome]:
    records, decider = read_records(path, mapping=settings.columns), ItemDecider(settings)
    seen = SeenHashes()
    for batch in iter(lambda: list(islice(records, _BATCH)), []):
        for record, outcome in zip(batch, decider.outcomes(batch), strict=True):
            if seen.repeats(text_digest(record)):
                outcome = replace(outcome, findings=(*outcome.findings, FindingCode.DUPLICATE))
            yield outcome


def _words(outcomes: Iterable[Outcome], settings: ItemSettings) -> Callable[[Outcome], str]:
    """How the file writes the label of an outcome: as most right rows of its status and label."""
    seen: Counter[tuple[object, str, str]] = Counter()
    for outcome in outcomes:
        record, verdict = outcome.record, outcome.verdict
        if not isinstance(record, Record) or record.gold is None or verdict is None:
            continue
        label = settings.label(verdict)
        if record.label == label:
            seen[verdict.status, label, record.gold] += 1
            seen[None, label, record.gold] += 1
    mapped = {} if settings.mapping is None else settings.mapping.labels

    numbered = bool(seen) and all(gold.isdecimal() for _, _, gold in seen)

    def word(outcome: Outcome) -> str:
        assert outcome.verdict is not None
        label = settings.label(outcome.verdict)
        for status in (outcome.verdict.status, None):
            found = [
                (n, gold) for (s, known, gold), n in seen.items() if (s, known) == (status, label)
            ]
            if found:
                written = max(found)[1]
                return written if settings.labels is not None else _written(written, mapped)
        if numbered and settings.labels is not None:
            return str(settings.labels.order.index(label))
        return next((name for name, known in mapped.items() if known == label), label)

    return word


def _written(gold: str, mapped: Mapping[str, Label]) -> str:
    """A label as the file writes it; with a map, records hold our names instead."""
    label = fields.LABELS[gold.lower()]
    return next((name for name, known in mapped.items() if known is label), gold)


def _changes(outcome: Outcome, word: Callable[[Outcome], str]) -> Iterator[Change]:
    record, verdict = outcome.record, outcome.verdict
    removed = next((code for code in _REMOVED if code in outcome.findings), None)

    def change(code: FindingCode, field: str = "", before: str = "", after: str = "") -> Change:
        return Change(
            line=record.place.line,
            id=record.id,
            field=field,
            before=before,
            after=after,
            reason=code.value,
        )

    if removed is not None or not isinstance(record, Record) or verdict is None:
        yield change(removed or FindingCode.UNPARSED)
        return
    for code in outcome.findings:
        if code is FindingCode.WRONG_LABEL:
            yield change(code, "label", str(record.gold), word(outcome))
        elif code is FindingCode.WRONG_CONSISTENCY:
            before = fields.DECLARED[bool(record.declared)]
            yield change(code, "declared", before, fields.DECLARED[verdict.consistent])
        elif code is FindingCode.WRONG_HOPS:
            after = "" if outcome.hops is None else str(outcome.hops)
            yield change(code, "hops", str(record.hops), after)


def _write(
    path: Path,
    out: Path,
    edits: Mapping[int, dict[str, str] | None],
    starts: Sequence[int],
    settings: ItemSettings,
) -> None:
    with open_input(path) as source:
        parquet = source.parquet
        data = b"" if parquet else source.whole()
    if parquet:
        _write_parquet(path, out, edits, settings)
        return
    raw = data.splitlines(keepends=True)
    mark = BYTE_ORDER_MARK if data.startswith(BYTE_ORDER_MARK) else b""
    body = data.removeprefix(mark).lstrip()
    if body.startswith(b"{"):
        edit = _json_edit(settings)
    else:
        first = next(name for name in body.decode().splitlines() if name.strip())
        edit = _cell_edit(header(first, settings.columns), settings)
    with packed(out) as file:
        file.writelines(_edited(raw, edits, starts, edit))


def _edited(
    raw: Sequence[bytes],
    edits: Mapping[int, dict[str, str] | None],
    starts: Sequence[int],
    edit: Callable[[str, Mapping[str, str]], str],
) -> Iterator[bytes]:
    """The lines of a file, with the rows that start at some lines edited or removed."""
    ends = dict(zip(starts, [*starts[1:], len(raw) + 1], strict=True))
    number = 1
    while number <= len(raw):
        end = ends.get(number, number + 1)
        text = b"".join(raw[number - 1 : end - 1])
        change = edits.get(number, {})
        if change is None:
            number = end
            continue
        if change:
            stripped = text.rstrip(b"\r\n")
            text = edit(stripped.decode(), change).encode() + text[len(stripped) :]
        yield text
        number = end


def _json_edit(settings: ItemSettings) -> Callable[[str, Mapping[str, str]], str]:
    def edit(text: str, change: Mapping[str, str]) -> str:
        row = msgspec.json.decode(text, type=dict[str, object])
        lower = {name.lower(): name for name in row}
        for name, value in change.items():
            key = next(lower[known] for known in _names(name, settings) if known in lower)
            row[key] = _typed(name, value, row[key], settings)
        if list(row) == sorted(row):
            return line(row).decode().rstrip("\n")
        return msgspec.json.encode(row).decode()

    return edit


def _names(field: str, settings: ItemSettings) -> list[str]:
    """The names that a field may have in the file, those of ``--map`` first."""
    names = [*fields.LABEL_NAMES] if field == "label" else [field]
    columns = {} if settings.mapping is None else settings.mapping.columns
    return [columns[name] for name in names if name in columns] + names


def _typed(field: str, value: str, before: object, settings: ItemSettings) -> object:
    """A value of the type that the cell has: labels may be numbers, or true and false."""
    scheme = settings.labels
    if field == "label" and scheme is not None and isinstance(before, bool | int):
        word = scheme.meaning(value)
        if isinstance(before, bool):
            return scheme.meaning("true") == word
        return scheme.order.index(word)
    if field != "hops":
        return value
    return int(value) if value else None


def _cell_edit(
    named: tuple[str, Sequence[str]] | None, settings: ItemSettings
) -> Callable[[str, Mapping[str, str]], str]:
    def edit(text: str, change: Mapping[str, str]) -> str:
        delimiter = "\t" if named is None else named[0]
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        names: Sequence[str] = COLUMNS
        if named is not None and len(named[1]) == len(cells):
            names = named[1]
        elif len(cells) < len(COLUMNS):
            names = [name for name in COLUMNS if name != "forced"]
        for name, value in change.items():
            place = next((names.index(n) for n in _names(name, settings) if n in names), None)
            if place is None:
                # The published columns: their order is fixed, with any header.
                place = COLUMNS.index(name) - len(COLUMNS) + len(cells)
            cells[place] = value
        written = io.StringIO(newline="")
        csv.writer(written, delimiter=delimiter, lineterminator="").writerow(cells)
        return written.getvalue()

    return edit


def _write_parquet(
    path: Path, out: Path, edits: Mapping[int, dict[str, str] | None], settings: ItemSettings
) -> None:
    import pyarrow as pa

    from solver.io.parquet import read_table, write_table

    table = read_table(path)
    rows = []
    for number, row in enumerate(table.to_pylist(), 1):
        change = edits.get(number, {})
        if change is None:
            continue
        for name, value in change.items():
            key = next(known for known in _names(name, settings) if row.get(known) is not None)
            row[key] = _typed(name, value, row[key], settings)
        rows.append(row)
    write_table(out, pa.Table.from_pylist(rows, schema=table.schema))
