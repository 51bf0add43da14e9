"""Steps of a chain: what phrases about the calendar mean. See docs/calendar.md for the notation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

ARITIES: Mapping[str, tuple[str, ...]] = {
    "date": ("year", "month", "day"),
    "month": ("year", "month"),
    "count": ("number",),
    "shift": ("from", "unit", "amount"),
    "nth": ("from", "weekday", "number"),
    "bound": ("from", "side", "months"),
    "palindrome": ("year",),
    "weekday": ("from",),
    "elapsed": ("from", "to", "unit"),
    "cycle": ("from", "length"),
    "either": ("from", "to"),
    "ratio": ("from", "times", "over"),
    "size": ("from",),
    "recur": ("from", "length", "to"),
    "within": ("from", "to", "weekday", "number"),
    "upto": ("from", "to", "number"),
    "utc": ("from", "zone"),
    "local": ("from", "zone"),
}
"""The operations of steps, by the names of their arguments; ``from`` and ``to`` are steps."""


class Step(NamedTuple):
    """A step of a chain: what it is called, and how it follows from earlier steps."""

    name: str
    op: str
    arguments: tuple[int | str, ...]

    @property
    def named(self) -> dict[str, int | str]:
        """The arguments by name."""
        return dict(zip(ARITIES[self.op], self.arguments, strict=True))


class Stated(NamedTuple):
    """A fact that the text states about a step, such as its weekday."""

    step: int
    value: int
    text: str
