"""Reads texts and their reference facts, aligned by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import starmap, zip_longest
from pathlib import Path
from typing import Annotated

import msgspec

from grammar.dates import day_number
from grammar.errors import HopcheckError
from grammar.texts.model import TextFact
from grammar.texts.phrases import PhraseRow, admit, known_rows
from solver.facts.literals import StatedFact, read_literals
from solver.io.columns import SAME_NAMES, ColumnNames, column, table_rows
from solver.io.json_lines import BrokenRow, JsonDecoder
from solver.io.sources import InputError, RowError, lines, open_input, shown


class TextRow(msgspec.Struct):
    """A text of dated facts."""

    text: Annotated[
        str,
        column("one or more sentences", example="On 2 March 2026, Ada founded Lanternworks."),
    ]
    facts: Annotated[
        list[tuple[str, str, str, str]] | None,
        column(
            "reference facts, if no file of them is named",
            example=[["Ada", "startWorksFor", "Lanternworks", "2026-03-02"]],
        ),
    ] = None


class PhraseLine(msgspec.Struct):
    """Words for a relation in both tenses."""

    relation: Annotated[str, column("the relation", example="endWorksFor")]
    past: Annotated[str, column("words in the past tense", example="left the team of")]
    ahead: Annotated[str, column("words in the future tense", example="will leave the team of")]


_ROWS = JsonDecoder(TextRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """A text of a file, with the facts of its row; ``error`` is set if it cannot be read."""

    where: str
    text: str = ""
    error: HopcheckError | None = None
    facts: tuple[StatedFact, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFacts:
    """The reference facts of one text.

    Attributes:
        where: ``file:line``.
        errors: one for each unreadable fact.
    """

    where: str
    facts: tuple[TextFact, ...]
    errors: tuple[HopcheckError, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A text and its reference facts; None if that file has fewer lines."""

    text: ReadText | None
    references: ReferenceFacts | None


def read_pairs(
    texts: str | Path, facts: str | Path, columns: ColumnNames = SAME_NAMES
) -> Iterator[Pair]:
    """Pair texts with reference facts in order, ignoring blank lines.

    Args:
        texts: one per line, or JSON Lines with a field ``text``, plain or gzip, or Parquet.
        facts: one Python literal per line, the facts of one text; empty for those of the rows.
        columns: names of columns of the texts.

    Raises:
        InputError: a file cannot be read or is empty.
    """
    if not facts:
        yield from _own_pairs(texts, columns)
        return
    whole = list(read_texts(texts, columns))
    references = list(read_references(facts))
    for path, found in ((texts, whole), (facts, references)):
        if not found:
            raise InputError("found no lines, expected at least one", where=f"{path}:1")
    for text, other_facts in zip_longest(whole, references):
        yield Pair(text=text, references=other_facts)


def _own_pairs(path: str | Path, columns: ColumnNames) -> Iterator[Pair]:
    """Texts with the facts of their rows."""
    found = False
    for text in read_texts(path, columns):
        found = True
        if text.facts is None and text.error is None:
            hint = "name a file of them with --facts, or state them as facts in each row"
            raise InputError("found a text without facts", where=text.where, hint=hint)
        yield Pair(text=text, references=_reference_facts(text.facts or (), (), text.where))
    if not found:
        raise InputError("found no lines, expected at least one", where=f"{path}:1")


def read_texts(path: str | Path, columns: ColumnNames = SAME_NAMES) -> Iterator[ReadText]:
    """Read the texts of a file."""
    with open_input(path, "a file of texts") as source:
        if source.parquet or source.head().lstrip()[:1] == b"{":
            for row in _ROWS.with_names(columns).rows(source):
                if isinstance(row, BrokenRow):
                    yield ReadText(where=row.place.at(), error=row.error)
                else:
                    given = row.value.facts
                    facts = None if given is None else tuple(starmap(_stated, given))
                    yield ReadText(where=row.place.at(), text=row.value.text, facts=facts)
            return
        for line in lines(source):
            if not line.blank:
                where = f"{source.name}:{line.number}"
                yield ReadText(where=where, text=line.text, error=line.error)


def _stated(subject: str, relation: str, object: str, date: str) -> StatedFact:
    return StatedFact(subject=subject, relation=relation, object=object, date=date)


def read_references(path: str | Path) -> Iterator[ReferenceFacts]:
    """Read the reference facts of each line of a file."""
    for example in read_literals(path):
        yield _reference_facts(example.facts, example.errors, f"{path}:{example.line}")


def _reference_facts(
    given: Sequence[StatedFact], faults: Sequence[HopcheckError], where: str
) -> ReferenceFacts:
    facts: list[TextFact] = []
    errors = list(faults)
    for stated in given:
        fact = text_fact(stated)
        if fact is None:
            message = f"found date {shown(stated.date)}, expected a day such as 2026-01-31"
            errors.append(RowError(message, where=where))
        else:
            facts.append(fact)
    return ReferenceFacts(where=where, facts=tuple(facts), errors=tuple(errors))


def text_fact(stated: StatedFact) -> TextFact | None:
    """Parse the date of a fact; None if it is not a valid date."""
    number = day_number(stated.date.strip())
    if number is None:
        return None
    return TextFact(
        subject=stated.subject,
        relation=stated.relation,
        object=stated.object,
        date=date.fromordinal(number),
    )


def read_phrases(path: str | Path) -> tuple[PhraseRow, ...]:
    """Read additional phrases: the columns of ``phrases.tsv``, with its header.

    Rows of ``phrases.tsv`` itself are skipped.

    Raises:
        InputError: the file cannot be read, or a phrase clashes with another one.
    """
    with open_input(path, "a table of phrases") as source:
        read = table_rows(source, PhraseLine)
        rows = [(PhraseRow(**msgspec.structs.asdict(row)), where) for where, row in read]
    found = [(row, where) for row, where in rows if row not in known_rows()]
    admission = admit([row for row, _ in found])
    for refused in admission.refused:
        where = next(where for row, where in found if row is refused.row)
        message = f"{refused.code}: {refused.message}"
        raise InputError(message, where=where, hint="remove or change the line")
    return admission.admitted
