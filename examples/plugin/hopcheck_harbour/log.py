"""A grammar: the log of a harbour, in which each stay of a ship has its dates.

    Gull: 3 May to 9 May; Tern: 9 May to 12 May

A premise states how any two successive points of the log are ordered. ``Log`` reads with Lark, and
its ``second`` reader with a regular expression, so that an error in one of them stops a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from lark import Lark, Token, Transformer

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
GRAMMAR = r"""
log: stay (";" stay)* "."?
stay: NAME ":" date "to" date
date: DAY MONTH
NAME: /[A-Z][a-z]+/
DAY: /[0-9]{1,2}/
MONTH.2: /Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec/
%ignore " "
"""
Point = tuple[int, str]


def sentences(points: Iterable[Point]) -> str:
    """The order of successive points, in the published wording."""
    parts = [
        f"the {first} happened {'before' if at < then else 'at the same time as'} the {second}"
        for (at, first), (then, second) in pairwise(sorted(points))
    ]
    return ". ".join(parts)


class _Stays(Transformer[Token, list[Point]]):
    def date(self, parts: list[Token]) -> int:
        """The days before a date, with 31 days a month."""
        return 31 * MONTHS.index(str(parts[1])) + int(parts[0])

    def stay(self, parts: list[Any]) -> list[Point]:
        """The start and the end of a stay."""
        name, start, end = parts
        return [(start, f"start of {name}"), (end, f"end of {name}")]

    def log(self, parts: list[list[Point]]) -> list[Point]:
        """All points."""
        return [point for stay in parts for point in stay]


class _Second:
    """Reads a log without Lark."""

    stay = re.compile(r"\s*([A-Z][a-z]+):\s*(\d\d?) (\w{3})\s+to\s+(\d\d?) (\w{3})\s*\.?")

    def premise(self, text: str) -> str:
        """A log."""
        points: list[Point] = []
        for part in text.split(";"):
            found = self.stay.fullmatch(part)
            if found is None:
                raise ValueError(f"no stay: {part!r}")
            name, *dates = found.groups()
            for bound, day, month in (("start", *dates[:2]), ("end", *dates[2:])):
                points.append((100 * MONTHS.index(month) + int(day), f"{bound} of {name}"))
        parts = []
        for earlier, later in pairwise(sorted(points)):
            same = earlier[0] == later[0]
            order = "was simultaneous with" if same else "happened after"
            parts.append(f"the {later[1]} {order} the {earlier[1]}")
        return ". ".join(parts)

    def claim(self, text: str) -> str:
        """A claim is written as the package reads it."""
        return text


class Log:
    """The grammar of the entry point."""

    second = _Second()

    def __init__(self) -> None:
        """Compiles the grammar."""
        self._parser = Lark(GRAMMAR, parser="lalr", start="log")

    def premise(self, text: str) -> str:
        """A log."""
        return sentences(_Stays().transform(self._parser.parse(text)))

    def claim(self, text: str) -> str:
        """A claim is written as the package reads it."""
        return text
