"""Reads dated and interval facts from Python literals, TSV, JSON Lines or Parquet.

Every unreadable row is reported with its file and line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePath
from typing import Annotated, TypeAlias

import msgspec

from grammar.dates import day_number
from solver.facts.intervals import Naming
from solver.facts.literals import read_literals
from solver.facts.model import DatedFact, IntervalFact
from solver.graph.io.named import is_header
from solver.io.columns import SAME_NAMES, ColumnNames, RowReader, column
from solver.io.json_lines import BrokenRow, JsonDecoder
from solver.io.sources import FieldError, InputError, Line, RowError, lines, open_input, shown

_ROWS = (
    "subject, relation, object and date, or subject, relation, object, first and last day "
    "(one of them may be empty)"
)
_DATE = "a valid date such as 2026-01-31"

Fact: TypeAlias = DatedFact | IntervalFact


SUBJECT = column("name of the subject", example="Ada")
OBJECT = column("name of the object", example="Lanternworks")
_DAY = "2026-01-31"


class FactRow(msgspec.Struct):
    """A fact with its date, or with the first and the last day of an interval."""

    subject: Annotated[str, SUBJECT]
    relation: Annotated[
        str,
        column("name of the relation; that of a bound for a date", example="startWorksFor"),
    ]
    object: Annotated[str, OBJECT]
    date: Annotated[str | None, column("day on which the fact is stated", example=_DAY)] = None
    start: Annotated[str | None, column("first day of an interval", example=_DAY)] = None
    end: Annotated[str | None, column("last day of an interval", example="2026-03-01")] = None


_OBJECTS = JsonDecoder(FactRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFile:
    """The contents of a file.

    Attributes:
        facts: in file order.
        unreadable: one message for each row, or fact of a row, that could not be read.
    """

    facts: tuple[Fact, ...]
    unreadable: tuple[str, ...] = ()


def read_facts(path: str | Path, naming: Naming, columns: ColumnNames = SAME_NAMES) -> FactFile:
    """Read a file; the format is detected by extension, else by the first character.

    Args:
        path: ``*.references.txt`` (Python literals), ``*.jsonl``, ``*.tsv``, plain or gzip, or
            Parquet; or ``-`` for Python literals from standard input.
        naming: names of relations and their bounds.
        columns: names of columns that differ from ours; the first line of a table then names them.

    Raises:
        InputError: the file cannot be read, or is empty.
    """
    sign = _sign(path)
    if sign == "[":
        read = _literals(path, naming)
    elif sign == "{":
        read = _objects(path, naming, columns)
    else:
        read = _named_cells(path, naming, columns) if columns.columns else _cells(path, naming)
    facts: list[Fact] = []
    unreadable: list[str] = []
    for fact in read:
        if isinstance(fact, RowError):
            unreadable.append(str(fact))
        else:
            facts.append(fact)
    if not facts and not unreadable:
        hint = f"each line contains {_ROWS}"
        raise InputError("found no facts, expected at least one", where=f"{path}:1", hint=hint)
    return FactFile(facts=tuple(facts), unreadable=tuple(unreadable))


def _sign(path: str | Path) -> str:
    """The first character of each row, by which formats are distinguished."""
    name = PurePath(path).name.removesuffix(".gz")
    for ending, sign in (("-", "["), (".references.txt", "["), (".jsonl", "{"), (".tsv", "")):
        if name.endswith(ending):
            return sign
    with open_input(path, "a file of facts") as source:
        # Rows of Parquet are read as objects.
        return "{" if source.parquet else source.head().lstrip()[:1].decode(errors="replace")


def _literals(path: str | Path, naming: Naming) -> Iterator[Fact | RowError]:
    for example in read_literals(path):
        yield from example.errors
        for fact in example.facts:
            names = (fact.subject, fact.relation, fact.object)
            yield _dated(names, fact.date, f"{path}:{example.line}", naming)


def _objects(path: str | Path, naming: Naming, columns: ColumnNames) -> Iterator[Fact | RowError]:
    with open_input(path, "a file of facts") as source:
        for row in _OBJECTS.with_names(columns).rows(source):
            if isinstance(row, BrokenRow):
                yield row.error
            else:
                yield _of_row(row.value, f"{path}:{row.place.line}", naming)


def _of_row(row: FactRow, where: str, naming: Naming) -> Fact | RowError:
    names = (row.subject, row.relation, row.object)
    if row.date is None:
        return _interval(names, row.start or "", row.end or "", where)
    if row.start is not None or row.end is not None:
        return RowError("found a date and an interval, expected one of them", where=where)
    return _dated(names, row.date, where, naming)


def _named_cells(
    path: str | Path, naming: Naming, columns: ColumnNames
) -> Iterator[Fact | RowError]:
    """Read a table whose first line names its columns.

    Raises:
        InputError: a column that is mapped is missing.
    """
    names: list[str] = []
    reader = RowReader(FactRow)
    with open_input(path, "a file of facts") as source:
        for line in lines(source):
            where = f"{path}:{line.number}"
            cells = [cell.strip() for cell in line.text.split("\t")]
            if line.error is not None:
                yield line.error
            elif line.blank:
                continue
            elif not names:
                names = cells
                for missing in {*columns.columns.values()} - {*names}:
                    message = f"found the columns {', '.join(names)}, but not {shown(missing)}"
                    raise InputError(message, where=f"{where}:1")
            elif len(cells) != len(names):
                message = f"found {len(cells)} cells, expected {len(names)} as the first line names"
                yield RowError(message, where=where)
            else:
                row = columns.named(dict(zip(names, cells, strict=True)))
                try:
                    yield _of_row(reader.read_cells(row), where, naming)
                except FieldError as error:
                    yield RowError(str(error), where=where, hint=error.hint)


def _cells(path: str | Path, naming: Naming) -> Iterator[Fact | RowError]:
    with open_input(path, "a file of facts") as source:
        for line in lines(source):
            if line.error is not None:
                yield line.error
            elif not line.blank:
                # As in graph files, blanks around a cell are stripped; literals and JSON keep them.
                cells = [cell.strip() for cell in line.text.split("\t")]
                if line.number > 1 or not is_header(cells):
                    yield _of_cells(cells, line, f"{path}:{line.number}", naming)


def _of_cells(cells: list[str], line: Line, where: str, naming: Naming) -> Fact | RowError:
    match cells:
        case [subject, relation, object_, date]:
            return _dated((subject, relation, object_), date, where, naming)
        case [subject, relation, object_, start, end]:
            return _interval((subject, relation, object_), start, end, where)
    message = f"found {shown(line.text)}, expected 4 or 5 tab-separated cells"
    return RowError(message, where=where, hint=_ROWS)


def _dated(
    names: tuple[str, str, str], date: str, where: str, naming: Naming
) -> DatedFact | RowError:
    number = day_number(date.strip())
    if number is None:
        return RowError(f"found date {shown(date)}, expected {_DATE}", where=where)
    relation, bound = naming.read(names[1])
    return DatedFact(
        subject=names[0],
        relation=relation,
        object=names[2],
        bound=bound,
        day=number,
        written=names[1],
        where=where,
    )


def _interval(
    names: tuple[str, str, str], start: str, end: str, where: str
) -> IntervalFact | RowError:
    days: list[int | None] = []
    for text in (start.strip(), end.strip()):
        number = day_number(text) if text else None
        if text and number is None:
            return RowError(f"found date {shown(text)}, expected {_DATE}, or none", where=where)
        days.append(number)
    if days == [None, None]:
        return RowError("found no date, expected at least one", where=where, hint=_ROWS)
    return IntervalFact(
        subject=names[0],
        relation=names[1],
        object=names[2],
        start=days[0],
        end=days[1],
        where=where,
    )


NamedFact: TypeAlias = tuple[str, str, str, int]
"""Subject, relation as written, object, and the day as a proleptic ordinal."""


class CertificateRow(msgspec.Struct):
    """A forecast fact with its certificate."""

    subject: Annotated[str, SUBJECT]
    relation: Annotated[str, column("relation of the fact", example="hosts")]
    object: Annotated[str, OBJECT]
    date: Annotated[str, column("day of the fact", example=_DAY)]
    rule: Annotated[
        str, column("rule that derives the fact", example="hosts(A, B) <- visits(B, A)")
    ]
    grounding: Annotated[
        list[tuple[str, str, str, str]],
        column(
            "earlier facts that match the body of the rule, in its order",
            example=[["Lanternworks", "visits", "Ada", "2026-01-30"]],
        ),
    ]
    confidence: Annotated[
        float | None, column("confidence of the fact, over all rules", example=0.75)
    ] = None
    rule_number: Annotated[
        int | None, column("row of the rule among the rules of the forecast, from 0", example=3)
    ] = None
    role_rule: Annotated[
        int | None, column("number of the role rule that derives the fact", example=0)
    ] = None
    rule_confidence: Annotated[float | None, column("confidence of the rule", example=0.5)] = None


_CERTIFICATES = JsonDecoder(CertificateRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedFact:
    """A fact with its certificate.

    Attributes:
        rule: as in ``hosts(A, B) <- visits(B, A)``.
        grounding: the facts matching the rule's body, in body order.
        where: ``file:line``.
        confidence: aggregated over all rules.
        number, rule_confidence: row of the rule among the rules of the forecast, its confidence.
        role_rule: number of the role rule, if one derives the fact.
    """

    fact: NamedFact
    rule: str
    grounding: tuple[NamedFact, ...]
    where: str
    confidence: float | None = None
    number: int | None = None
    rule_confidence: float | None = None
    role_rule: int | None = None


def format_fact(fact: NamedFact) -> str:
    """Format as ``(Ada, startSpouse, Ben, 2026-01-31)``."""
    return f"({', '.join(fact[:3])}, {date.fromordinal(fact[3])})"


def read_certificates(path: str | Path) -> tuple[tuple[CertifiedFact, ...], tuple[str, ...]]:
    """Read certificates, and a one-line message for each unreadable line.

    Raises:
        InputError: the file cannot be read completely.
    """
    found: list[CertifiedFact] = []
    unreadable: list[str] = []
    with open_input(path, "a file of certificates") as source:
        for row in _CERTIFICATES.rows(source):
            try:
                if isinstance(row, BrokenRow):
                    raise row.error
                found.append(_certified(row.value, f"{path}:{row.place.line}"))
            except RowError as error:
                unreadable.append(str(error))
    return tuple(found), tuple(unreadable)


def _certified(line: CertificateRow, where: str) -> CertifiedFact:
    return CertifiedFact(
        fact=_named((line.subject, line.relation, line.object, line.date), where),
        rule=line.rule,
        grounding=tuple(_named(fact, where) for fact in line.grounding),
        where=where,
        confidence=line.confidence,
        number=line.rule_number,
        rule_confidence=line.rule_confidence,
        role_rule=line.role_rule,
    )


def _named(fact: tuple[str, str, str, str], where: str) -> NamedFact:
    number = day_number(fact[3])
    if number is None:
        message = f"found date {shown(fact[3])}, expected a valid date such as 2026-01-31"
        raise RowError(message, where=where)
    return (*fact[:3], number)
