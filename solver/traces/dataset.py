"""Data sets of twins: what rows, copies and statistics repeat is computed again.

The chains of a twin are the same word for word, and their premises differ in one sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grammar.errors import HopcheckError
from solver.dataset.copies import Copy, PlacedRow, differences, in_words, read
from solver.dataset.seal import DataSet, open_dataset
from solver.extras import available
from solver.io.json_lines import read_document, without_nulls
from solver.io.sources import Place, shown
from solver.io.writing import line
from solver.traces import check
from solver.traces.codes import CODES
from solver.traces.io import TraceRow, declared
from solver.traces.model import DeclaredTrace
from solver.traces.settings import TraceSettings
from solver.verification.report import Finding, Unreadable

if TYPE_CHECKING:
    import pyarrow as pa

SPLITS = ("train", "test")
STATISTICS = "statistics.json"
_FORMATS = (".jsonl", ".parquet")
_SHARED = ("twin", "claim", "domain", "spatial", "policy", "hops")
"""What the rows of a twin have in common, besides the texts of their steps."""
_TABLED = ("kind", "orders", "label", "verdict", "uses")
"""What Parquet has of a statement."""
_GIVEN = ("id", "hops", "error", "label", "first_error")
"""What is compared with other rows, or has findings of its own."""


def tabled(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What Parquet has of a row: no certificates, and no fields without a value."""
    kept = {name: value for name, value in fields.items() if name not in ("verdict", "certificate")}
    if isinstance(kept.get("steps"), list):
        kept["steps"] = [_tabled_step(step) for step in kept["steps"]]
    return {name: without_nulls(part) for name, part in kept.items() if part is not None}


def _tabled_step(step: Any) -> Any:  # noqa: ANN401 - as the file has it
    if not isinstance(step, Mapping) or not isinstance(step.get("statements"), list):
        return step
    statements = [
        {name: statement.get(name) for name in _TABLED}
        if isinstance(statement, Mapping)
        else statement
        for statement in step["statements"]
    ]
    return without_nulls({**step, "statements": statements})


def _uncertified(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, Mapping):
        return {name: _uncertified(value[name]) for name in value if name != "certificate"}
    return [_uncertified(part) for part in value] if isinstance(value, list) else value


def schema() -> pa.Schema:
    """The columns of a Parquet file of chains; certificates are left to JSON Lines."""
    import pyarrow as pa

    text, number, flag = pa.string(), pa.int32(), pa.bool_()
    statement = pa.struct(
        [
            ("kind", text),
            ("orders", pa.list_(pa.list_(text))),
            ("label", text),
            ("verdict", text),
            ("uses", pa.list_(text)),
        ]
    )
    step = pa.struct([("text", text), ("verdict", text), ("statements", pa.list_(statement))])
    texts = ("id", "twin", "premise", "claim", "domain", "label")
    return pa.schema(
        [
            *(pa.field(name, text, nullable=False) for name in texts),
            ("hops", number),
            ("error", text),
            ("answer_correct", flag),
            ("spatial", text),
            ("policy", text),
            ("first_error", number),
            ("supported", text),
            ("lucky", flag),
            ("answer", text),
            ("steps", pa.list_(step)),
        ]
    )


class TwinFolder:
    """A folder of ``generate traces``.

    Attributes:
        equal: the copies that were found equal.
    """

    def __init__(self, dataset: DataSet) -> None:
        self.equal: list[str] = []
        self._dataset = dataset
        self._rows: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}

    @classmethod
    def of(cls, path: str) -> TwinFolder | None:
        """The folder at a path; None for anything else."""
        if not Path(path).is_dir():
            return None
        dataset = open_dataset(path)
        return cls(dataset) if dataset is not None and any(_files(dataset)) else None

    def read(self, settings: TraceSettings) -> Iterator[DeclaredTrace | Unreadable]:
        """The rows of all splits, with all of their fields.

        Raises:
            InputError: a file cannot be read.
        """
        for split, name in _files(self._dataset):
            kept = self._rows.setdefault(split, [])
            for number, row in enumerate(read(self._dataset.folder.path(name)), 1):
                if row.broken:
                    yield Unreadable(where=row.where, message=row.broken)
                    continue
                kept.append((row.where, row.values))
                try:
                    yield _declared(row, number, settings)
                except HopcheckError as error:
                    message = f"{error.where}: {error.message}" if error.where else error.message
                    yield Unreadable(where=row.where, message=message)

    def findings(self) -> Iterator[Finding]:
        """What differs between rows, copies and statistics; after all rows are read."""
        for split, rows in self._rows.items():
            for number, (where, fields) in enumerate(rows):
                wanted = f"{split}-{number // 2:06d}-{'ab'[number % 2]}"
                if fields.get("id") != wanted:
                    message = f"found the id {shown(str(fields.get('id')))}, expected {wanted}"
                    yield CODES["wrong-twin"].finding(where, message=message)
            for (_, first), (where, other) in list(pairwise(rows))[::2]:
                for message in _contrast(first, other):
                    yield CODES["wrong-twin"].finding(where, message=message)
            if len(rows) % 2:
                message = "found a chain without its twin, expected two"
                yield CODES["wrong-twin"].finding(rows[-1][0], message=message)
        yield from self._copies()
        place = self._dataset.folder.path(STATISTICS)
        for message in self._statistics():
            yield CODES["wrong-statistics"].finding(place, message=message)

    def _copies(self) -> Iterator[Finding]:
        names = self._dataset.folder.names()
        for split in SPLITS:
            files = [f"{split}{ending}" for ending in _FORMATS]
            if not names.issuperset(files) or not available("pyarrow"):
                continue
            paths = {name: self._dataset.folder.path(name) for name in files}
            copies = [
                Copy(name=name, rows=partial(_tabled_rows, path)) for name, path in paths.items()
            ]
            wrong = list(differences(str(self._dataset.folder), copies))
            yield from wrong
            self.equal += [] if wrong else [in_words(copies)]

    def _statistics(self) -> Iterator[str]:
        if not self._dataset.folder.has(STATISTICS):
            yield f"found no {STATISTICS}, expected one"
            return
        path = self._dataset.folder.path(STATISTICS)
        stated = read_document(path, dict[str, Any], "statistics").get("counts")
        counts: Counter[str] = Counter()
        for split, rows in self._rows.items():
            for _, fields in rows:
                counts.update(cells(fields, split))
        expected = {name: number for name, number in counts.items() if number}
        found = (
            {name: number for name, number in stated.items() if number}
            if (isinstance(stated, dict))
            else {}
        )
        for name in sorted(expected.keys() | found.keys()):
            if found.get(name) != expected.get(name):
                yield f"{name}: found {found.get(name, 0)}, expected {expected.get(name, 0)}"


def cells(row: Mapping[str, Any], split: str) -> Counter[str]:
    """The cells of ``statistics.json`` that a row counts for."""
    first = row.get("first_error")
    wrong = isinstance(first, int) and first >= 0
    counts = Counter([f"rows {split}", f"domain {row.get('domain')}", f"hops {row.get('hops')}"])
    counts[f"error {row.get('error')}" if wrong else "right"] += 1
    counts["answers that are right after an error"] += bool(row.get("lucky"))
    return counts


def _files(dataset: DataSet) -> Iterator[tuple[str, str]]:
    """Each split with its file, JSON Lines if there are any."""
    names = dataset.folder.names()
    for split in SPLITS:
        found = [f"{split}{ending}" for ending in _FORMATS if f"{split}{ending}" in names]
        if found:
            yield split, found[0]


def _tabled_rows(path: str) -> Iterator[PlacedRow]:
    for row in read(path):
        yield PlacedRow(where=row.where, values=tabled(row.values), broken=row.broken)


def _declared(row: PlacedRow, number: int, settings: TraceSettings) -> DeclaredTrace:
    try:
        typed = msgspec.convert(dict(row.values), TraceRow)
    except msgspec.ValidationError as error:
        raise HopcheckError(str(error)) from None
    file = row.where.rpartition(":")[0]
    return declared(typed, Place(file=file, line=number), settings, fields=row.values)


def _contrast(row: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    """In what the rows of a twin differ, or agree, against what makes them one."""
    for name in _SHARED:
        if row.get(name) != other.get(name):
            found, expected = shown(repr(other.get(name))), shown(repr(row.get(name)))
            yield f"{name}: found {found}, expected {expected} as in its twin"
    if _texts(row) != _texts(other):
        yield "found other steps than those of its twin, expected the same"
    sentences, others = (str(fields.get("premise")).split(". ") for fields in (row, other))
    differing = sum(left != right for left, right in zip(sentences, others, strict=False))
    if len(sentences) != len(others) or differing != 1:
        yield f"found a premise that differs from its twin's in {differing:,} sentences, expected 1"
    if (row.get("error") is None) is (other.get("error") is None):
        yield "found an error in both chains of a twin or in none, expected one"
    for fields in (row, other):
        if (fields.get("error") is None) is not (fields.get("first_error") == -1):
            yield (
                f"found the error {fields.get('error')} with first_error "
                f"{fields.get('first_error')}"
            )


def _texts(fields: Mapping[str, Any]) -> list[Any]:
    steps = fields.get("steps")
    return [step.get("text") for step in steps] if isinstance(steps, list) else []


def differing_fields(
    row: DeclaredTrace, decided: Mapping[str, Any], *, answer_correct: bool
) -> Iterator[tuple[str, str]]:
    """The code and the message of each field of a row that is not as decided.

    Args:
        row: a row with all of its fields.
        decided: the line that its verdict is certified by.
        answer_correct: whether the answer of the chain is the label.
    """
    assert row.fields is not None
    fields = dict(row.fields)
    due = {**decided, "twin": row.id[:-2], "answer_correct": answer_correct}
    # Parquet has no certificates, and no absent fields.
    whole = not row.where.rpartition(":")[0].endswith(".parquet")
    if whole:
        for name in sorted((due.keys() | set(_GIVEN)) - fields.keys()):
            yield "wrong-field", f"{name}: found none, expected one"
    found, expected = (
        _uncertified(values) if whole else tabled(values) for values in (fields, due)
    )
    for name in sorted((found.keys() | expected.keys()) - set(_GIVEN)):
        if line(found.get(name)) != line(expected.get(name)):
            parts = shown(repr(found.get(name))), shown(repr(expected.get(name)))
            yield "wrong-field", f"{name}: found {parts[0]}, expected {parts[1]}"
    if not whole:
        return
    try:
        check.check_row(fields)
    except check.RejectedError as error:
        yield "wrong-certificate", str(error)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        yield "wrong-certificate", f"not of this form: {type(error).__name__}"
