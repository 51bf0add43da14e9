"""Reads texts and the facts that they were written from, line beside line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest
from pathlib import Path

import msgspec

from grammar.fact_text import SaidFact
from solver.errors import HopcheckError
from solver.reading.failures import InputError, RowError, shown
from solver.reading.jsonl import malformed
from solver.reading.lines import lines
from solver.reading.source import open_input
from solver.records import Place
from solver.tkg.files.literals import Example, StatedFact, read_literals
from solver.tkg.files.naming import day


class _Row(msgspec.Struct):
    """A line of JSON; further fields are passed over."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """A text as it stands in a file; ``error`` says why it cannot be read."""

    where: str
    text: str = ""
    error: HopcheckError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The facts of one text.

    Attributes:
        where: ``file:line``.
        errors: what cannot be read of them.
    """

    where: str
    facts: tuple[SaidFact, ...]
    errors: tuple[HopcheckError, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A text and its facts; None where a file ends before the other."""

    text: ReadText | None
    told: Told | None


def read_pairs(texts: str | Path, facts: str | Path) -> Iterator[Pair]:
    """Pair the texts of a file with the facts of another, in their order; blank lines aside.

    Args:
        texts: one a line, or JSON Lines with a field ``text``; plain or gzip.
        facts: Python literals, the facts of a text a line.

    Raises:
        InputError: a file cannot be read, or has no texts or no facts.
    """
    whole = list(read_texts(texts))
    told = list(read_told(facts))
    for path, found in ((texts, whole), (facts, told)):
        if not found:
            raise InputError("found no lines, expected at least one", where=f"{path}:1")
    for text, one in zip_longest(whole, told):
        yield Pair(text=text, told=one)


def read_texts(path: str | Path) -> Iterator[ReadText]:
    """The texts of a file."""
    with open_input(path, "a file of texts") as source:
        as_json = source.head().lstrip()[:1] == b"{"
        decode = msgspec.json.Decoder(_Row).decode
        for line in lines(source):
            where = f"{source.name}:{line.number}"
            if line.blank:
                continue
            if line.error is not None or not as_json:
                yield ReadText(where=where, text=line.text, error=line.error)
                continue
            try:
                yield ReadText(where=where, text=decode(line.text).text)
            except (msgspec.DecodeError, RecursionError) as error:
                place = Place(file=source.name, line=line.number)
                yield ReadText(where=where, error=malformed(line.text, place, error))


def read_told(path: str | Path) -> Iterator[Told]:
    """The facts of each line of a file."""
    for example in read_literals(path):
        yield _told(example, f"{path}:{example.line}")


def _told(example: Example, where: str) -> Told:
    facts: list[SaidFact] = []
    errors: list[HopcheckError] = list(example.errors)
    for stated in example.facts:
        fact = said_fact(stated)
        if fact is None:
            message = f"found date {shown(stated.date)}, expected a day such as 2026-01-31"
            errors.append(RowError(message, where=where))
        else:
            facts.append(fact)
    return Told(where=where, facts=tuple(facts), errors=tuple(errors))


def said_fact(stated: StatedFact) -> SaidFact | None:
    """A stated fact with its date read; None if there is no such day."""
    number = day(stated.date.strip())
    if number is None:
        return None
    return SaidFact(
        subject=stated.subject,
        relation=stated.relation,
        object=stated.object,
        date=date.fromordinal(number),
    )
