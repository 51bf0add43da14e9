"""Patterns of a generated graph: templates with relation ids and lags.

Source: synthetic temporal knowledge graphs, section 3.2. A line of ``patterns.jsonl``::

    {"closed": true, "id": 0, "lags": [[1, 3]], "pattern": "1 -7-> 2 => 2 -0-> 1"}

Relations in the text are ids of the graph, from 0; entities are placeholders, from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import msgspec

from grammar.errors import HopcheckError
from solver.io.columns import SAME_NAMES, ColumnNames, column
from solver.io.json_lines import JsonDecoder
from solver.io.sources import InputError, open_input
from solver.io.writing import json_lines
from solver.patterns.model import Lag, Pattern, PatternError, Triple, read

_RELATION = re.compile(r"(-\s*)([0-9]{1,9})(?=\s*->)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedPattern:
    """A pattern of one graph.

    Attributes:
        id: number in the graph, from 0.
        template: steps; relation placeholder ``n`` denotes ``relations[n - 1]``.
        relations: relation ids by placeholder.
        lags: allowed time from each step to the next, one per hop.
        closed: whether the graph is closed under it: each match has its consequence.
    """

    id: int
    template: Pattern
    relations: tuple[int, ...]
    lags: tuple[Lag, ...]
    closed: bool = True

    def __post_init__(self) -> None:
        if len(self.lags) != self.template.hops:
            raise PatternError(
                f"found {len(self.lags)} lags, expected {self.template.hops}, one a hop"
            )

    @property
    def hops(self) -> int:
        """The number of antecedents."""
        return self.template.hops

    @property
    def placeholders(self) -> int:
        """The largest entity placeholder."""
        return max(max(step.head, step.tail) for step in self.template.steps)

    def relation(self, step: Triple) -> int:
        """The id of a step's relation in the graph."""
        return self.relations[step.relation - 1]

    def __str__(self) -> str:
        """Format as ``1 -7-> 2, 2 -0-> 3 => 1 -7-> 3``, with the graph's relations."""
        steps = [
            f"{step.head} -{self.relation(step)}-> {step.tail}" for step in self.template.steps
        ]
        return f"{', '.join(steps[:-1])} => {steps[-1]}"


class PlantedRow(msgspec.Struct):
    """A pattern of a generated graph."""

    id: Annotated[int, column("number of the pattern in the graph, from 0", example=0)]
    pattern: Annotated[
        str,
        column(
            "entities are placeholders, from 1, and relations are ids of the graph, from 0",
            example="1 -7-> 2 => 2 -0-> 1",
        ),
    ]
    lags: Annotated[
        list[tuple[int, int]],
        column("least and greatest time from each step to the next", unit="time steps",
               example=[[1, 3]]),
    ]  # fmt: skip
    closed: Annotated[
        bool, column("whether each match of the pattern has its consequence", example=True)
    ] = True


LARGEST = 999_999_999
"""Largest id of a pattern, and largest lag."""

_HINT = 'such as {"id": 0, "lags": [[1, 3]], "pattern": "1 -7-> 2 => 2 -0-> 1"}'
_DECODER = JsonDecoder(PlantedRow, what="pattern", hint=_HINT)


def write_planted(path: Path, patterns: Iterable[PlantedPattern]) -> Path:
    """Write the patterns, one per line, and return the path.

    Raises:
        OutputError: the file cannot be written.
    """
    with json_lines(path) as file:
        for pattern in patterns:
            lags = [(lag.low, lag.high) for lag in pattern.lags]
            row = PlantedRow(pattern.id, str(pattern), lags, pattern.closed)
            file.write(msgspec.to_builtins(row))
    return path


def read_planted(path: str | Path, columns: ColumnNames = SAME_NAMES) -> tuple[PlantedPattern, ...]:
    """Read the patterns, in the order of the file; ids must be distinct.

    Raises:
        InputError: the file cannot be read, or a line is invalid.
    """
    found: list[PlantedPattern] = []
    seen: dict[int, int] = {}
    with open_input(path, "a list of patterns") as source:
        for row in _DECODER.with_names(columns).sound_rows(source):
            pattern = _pattern(row.value, row.place.at(1))
            if pattern.id in seen:
                message = (
                    f"found pattern {pattern.id} again, it is on line {seen[pattern.id]} already"
                )
                raise InputError(message, where=row.place.at(1))
            seen[pattern.id] = row.place.line
            found.append(pattern)
    return tuple(found)


def planted(number: int, text: str, lags: Iterable[Lag], *, closed: bool = True) -> PlantedPattern:
    """Parse a pattern whose relations are ids of the graph.

    Raises:
        PatternError: the text is invalid, or the numbers of lags and hops differ.
    """
    # Templates number relations from 1, graphs from 0.
    shifted = _RELATION.sub(lambda found: f"{found[1]}{int(found[2]) + 1}", text)
    concrete = read(shifted)
    order = list(dict.fromkeys(step.relation for step in concrete.steps))
    names = {relation: place for place, relation in enumerate(order, 1)}
    steps = [
        Triple(head=step.head, relation=names[step.relation], tail=step.tail)
        for step in concrete.steps
    ]
    return PlantedPattern(
        id=number,
        template=Pattern(antecedents=tuple(steps[:-1]), consequence=steps[-1]),
        relations=tuple(relation - 1 for relation in order),
        lags=tuple(lags),
        closed=closed,
    )


def _pattern(row: PlantedRow, where: str) -> PlantedPattern:
    try:
        for number in (row.id, *chain.from_iterable(row.lags)):
            if not 0 <= number <= LARGEST:
                message = f"found {number}, expected a whole number from 0 to {LARGEST:,}"
                raise PatternError(message)
        given = [Lag(low=low, high=high) for low, high in row.lags]
        return planted(row.id, row.pattern, given, closed=row.closed)
    except HopcheckError as error:
        message = f"{error.where}: {error.message}".removeprefix(": ")
        raise InputError(message, where=where, hint=_HINT) from None


WINDOW = 5
"""Recency window in time steps: W of Table 5a."""

FAR = 10 * WINDOW
"""Time steps far beyond the window."""


class LagProfile(StrEnum):
    """The regimes of Table 5a.

    ``tight``: each lag is a single value. ``loose``: each lag is a wide interval.
    ``front_loaded``: early lags are longer in expectation than the last. ``back_loaded``: the
    opposite. ``recency``: no lag exceeds the window. ``long_range``: the last lag ends far beyond
    the window.
    """

    TIGHT = "tight"
    LOOSE = "loose"
    FRONT_LOADED = "front_loaded"
    BACK_LOADED = "back_loaded"
    RECENCY = "recency"
    LONG_RANGE = "long_range"


@dataclass(frozen=True, slots=True, kw_only=True)
class LagRange:
    """Ranges from which a lag ``[low, low + width]`` is drawn uniformly, both ends included.

    Attributes:
        low: range of ``low``.
        width: range of ``width``.
    """

    low: Lag
    width: Lag

    @property
    def longest(self) -> int:
        """Maximum of a lag drawn from this range, in time steps."""
        return self.low.high + self.width.high

    @property
    def mean(self) -> float:
        """Expected gap, in time steps, drawn uniformly from a lag drawn from this range."""
        low = (self.low.low + self.low.high) / 2
        return low + (self.width.low + self.width.high) / 4


_POINT = Lag(low=0, high=0)
_SLOW = LagRange(low=Lag(low=5, high=5), width=Lag(low=5, high=5))
_FAST = LagRange(low=_POINT, width=Lag(low=2, high=2))
_RECENT = LagRange(low=Lag(low=1, high=2), width=Lag(low=0, high=WINDOW - 2))
_DISTANT = LagRange(low=Lag(low=WINDOW, high=FAR), width=Lag(low=FAR, high=2 * FAR))


@dataclass(frozen=True, slots=True, kw_only=True)
class _ProfileRanges:
    """Lag ranges of a profile: for all steps but the last, and for the last."""

    early: LagRange
    last: LagRange


_PROFILES: Mapping[LagProfile, _ProfileRanges] = MappingProxyType(
    {
        LagProfile.TIGHT: _ProfileRanges(
            early=LagRange(low=Lag(low=1, high=10), width=_POINT),
            last=LagRange(low=Lag(low=1, high=10), width=_POINT),
        ),
        LagProfile.LOOSE: _ProfileRanges(
            early=LagRange(low=Lag(low=1, high=5), width=Lag(low=5, high=15)),
            last=LagRange(low=Lag(low=1, high=5), width=Lag(low=5, high=15)),
        ),
        LagProfile.FRONT_LOADED: _ProfileRanges(early=_SLOW, last=_FAST),
        LagProfile.BACK_LOADED: _ProfileRanges(early=_FAST, last=_SLOW),
        LagProfile.RECENCY: _ProfileRanges(early=_RECENT, last=_RECENT),
        LagProfile.LONG_RANGE: _ProfileRanges(early=_RECENT, last=_DISTANT),
    }
)


def lag_ranges(profile: LagProfile, hops: int) -> tuple[LagRange, ...]:
    """The lag range of each step, in order; a single hop has only the last.

    Raises:
        PatternError: ``hops`` is less than 1.
    """
    if hops < 1:
        raise PatternError(f"found {hops} hops, expected at least 1")
    ranges = _PROFILES[profile]
    return (*[ranges.early] * (hops - 1), ranges.last)
