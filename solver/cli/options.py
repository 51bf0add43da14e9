"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from math import isfinite
from typing import Any, TypeVar

import click

from solver.engines import EngineName
from solver.model import Domain, Policy, SpatialReading

MOST_PROCESSES = 256
MOST = 2**31 - 1
"""Largest integer that an option accepts: clingo's limit."""

Value = TypeVar("Value", bound=StrEnum)


class EnumChoice(click.Choice[Value]):
    """A choice among the values of an enum."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Write a member on the command line as its value."""
        return str(choice.value if isinstance(choice, StrEnum) else choice)


class CommaSeparated(click.ParamType[tuple[StrEnum, ...]]):
    """Comma-separated members of an enum, deduplicated in the order given; or ``all``."""

    name = "list"

    def __init__(self, values: type[StrEnum]) -> None:
        self._values = values

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[StrEnum, ...]:
        """Return a tuple of the enum's members."""
        if isinstance(value, tuple):
            return value
        if value == "all":
            return tuple(self._values)
        known = [member.value for member in self._values]
        names = [name.strip() for name in str(value).split(",")]
        for name in names:
            if name not in known:
                self.fail(f"{name!r} is not one of {', '.join(known)}.", param, ctx)
        return tuple(dict.fromkeys(self._values(name) for name in names))


class FiniteFloat(click.FloatRange):
    """A finite number in a range; click would accept NaN in any range."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Parse the number."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


policy = click.option(
    "--policy",
    type=EnumChoice(Policy),
    default=Policy.LOCAL,
    show_default=Policy.LOCAL.value,
    help="When a label is undefined: if the premise is contradictory about the claim's own points "
    "(local), about any points (global), or as in the published procedure (published).",
)
spatial = click.option(
    "--spatial",
    type=EnumChoice(SpatialReading),
    default=SpatialReading.GEOMETRIC,
    show_default=SpatialReading.GEOMETRIC.value,
    help="Which edge of a place is its start: the western one (geometric), or the eastern one as "
    "in the published generator (published).",
)
domain = click.option(
    "--domain",
    type=EnumChoice(Domain),
    help="Wording of the texts; detected for each text by default.",
)
crosscheck = click.option(
    "--crosscheck",
    type=CommaSeparated(EngineName),
    default="asp,graph",
    show_default=True,
    metavar="ENGINES",
    help=f"Engines that must agree, of {', '.join(EngineName)}; timelines is for small items.",
)
jobs = click.option(
    "--jobs",
    type=click.IntRange(1, MOST_PROCESSES),
    default=1,
    show_default=True,
    help="Number of worker processes.",
)
as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)
