"""Counts patterns and times their enumeration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from benchmarks.reproduction.speed.clock import Part, machine, milliseconds
from solver.patterns.engine import enumerate_patterns
from solver.patterns.model import CycleReading, PatternFlags

EVERY_FLAGS = tuple(PatternFlags.read("".join(digits)) for digits in product("01", repeat=4))
EVERY_HOPS = (1, 2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Number of patterns and time of their enumeration.

    Attributes:
        flags: four digits, as ``PatternFlags.code``.
        milliseconds: process time of grounding, solving and decoding.
    """

    hops: int
    flags: str
    reading: str
    patterns: int
    milliseconds: float


def costs(
    *,
    hops: Sequence[int] = EVERY_HOPS,
    flags: Sequence[PatternFlags] = EVERY_FLAGS,
    rounds: int = 3,
    each: Callable[[Part], object] | None = None,
) -> list[Cost]:
    """Time all combinations in interleaved rounds; costs are medians.

    Args:
        hops: numbers of antecedents.
        flags: combinations of flags.
        rounds: number of timing rounds.
        each: callback before each part.
    """
    combinations = list(product(hops, flags, CycleReading))
    counts: dict[str, int] = {}
    parts = []
    for combination in combinations:

        def run(row: tuple[int, PatternFlags, CycleReading] = combination) -> None:
            counts[_name(*row)] = len(enumerate_patterns(*row))

        parts.append(Part(name=_name(*combination), run=run))
    taken = milliseconds(parts, rounds=rounds, each=each)
    return [
        Cost(
            hops=number,
            flags=chosen.code,
            reading=reading.value,
            patterns=counts[name],
            milliseconds=taken[name],
        )
        for number, chosen, reading in combinations
        if (name := _name(number, chosen, reading))
    ]


def _name(hops: int, flags: PatternFlags, reading: CycleReading) -> str:
    return f"{hops} hops, {flags.code}, {reading}"


def as_json(found: Sequence[Cost], rounds: int) -> dict[str, Any]:
    """The costs as JSON values, with the sums of ``seconds``."""
    rows = [asdict(cost) | {"milliseconds": round(cost.milliseconds, 1)} for cost in found]
    return {"machine": machine(), "rounds": rounds, "rows": rows, "seconds": seconds(found)}


def seconds(found: Sequence[Cost]) -> dict[str, float]:
    """Process time in seconds for all flags at the largest number of hops, by reading."""
    most = max(cost.hops for cost in found)
    return {
        reading.value: round(
            sum(o.milliseconds for o in found if o.hops == most and o.reading == reading) / 1000, 1
        )
        for reading in CycleReading
    }


def table(found: Sequence[Cost]) -> str:
    """Markdown table with one row per combination of flags; readings differ at three hops only."""
    by_flags: dict[str, dict[tuple[int, str], Cost]] = {}
    for cost in found:
        by_flags.setdefault(cost.flags, {})[cost.hops, cost.reading] = cost
    lines = ["| flags | 1 hop | 2 hops | 3 hops, literal | 3 hops, fixed |", f"|{'---|' * 5}"]
    for flags, costs_of in sorted(by_flags.items()):
        shown = [(1, "fixed"), (2, "fixed"), (3, "literal"), (3, "fixed")]
        cells = [f"{costs_of[key].patterns:,}" if key in costs_of else "" for key in shown]
        lines.append(f"| {' | '.join((flags, *cells))} |")
    return "\n".join(lines) + "\n"
