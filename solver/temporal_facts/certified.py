"""Reads the certificates that ``forecast`` writes: the rule of each fact and its grounding."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeAlias

import msgspec

from solver.reading.failures import RowError, shown
from solver.reading.jsonl import malformed
from solver.reading.lines import lines
from solver.reading.source import open_input
from solver.records import Place
from solver.tkg.files.naming import day

NamedFact: TypeAlias = tuple[str, str, str, int]
"""Subject, relation as written, object, and the day as a proleptic ordinal."""


class _Line(msgspec.Struct):
    """A line of JSON; other fields are ignored."""

    subject: str
    relation: str
    object: str
    date: str
    rule: str
    grounding: list[tuple[str, str, str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedFact:
    """A fact with its certificate.

    Attributes:
        rule: as in ``hosts(A, B) <- visits(B, A)``.
        grounding: the facts matching the rule's body, in body order.
        where: ``file:line``.
    """

    fact: NamedFact
    rule: str
    grounding: tuple[NamedFact, ...]
    where: str


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
    decode = msgspec.json.Decoder(_Line).decode
    with open_input(path, "a file of certificates") as source:
        for line in lines(source):
            if line.error is not None:
                unreadable.append(str(line.error))
            elif not line.blank:
                place = Place(file=str(path), line=line.number)
                try:
                    found.append(_certified(decode(line.text), f"{path}:{line.number}"))
                except (msgspec.DecodeError, RecursionError) as error:
                    unreadable.append(str(malformed(line.text, place, error)))
                except RowError as error:
                    unreadable.append(str(error))
    return tuple(found), tuple(unreadable)


def _certified(one: _Line, where: str) -> CertifiedFact:
    return CertifiedFact(
        fact=_named((one.subject, one.relation, one.object, one.date), where),
        rule=one.rule,
        grounding=tuple(_named(fact, where) for fact in one.grounding),
        where=where,
    )


def _named(fact: tuple[str, str, str, str], where: str) -> NamedFact:
    number = day(fact[3])
    if number is None:
        message = f"found date {shown(fact[3])}, expected a valid date such as 2026-01-31"
        raise RowError(message, where=where)
    return (*fact[:3], number)
