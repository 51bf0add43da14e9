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
"""The largest number of things that an option asks for: clingo counts so far."""

Value = TypeVar("Value", bound=StrEnum)


class OneOf(click.Choice[Value]):
    """A choice among the members of an enum, by their values."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Name a member on the command line by its value."""
        return str(choice.value if isinstance(choice, StrEnum) else choice)


class Several(click.ParamType[tuple[StrEnum, ...]]):
    """Some members of an enum, joined by commas, each once and in the order given; or ``all``."""

    name = "list"

    def __init__(self, values: type[StrEnum]) -> None:
        self._values = values

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[StrEnum, ...]:
        """Give a tuple of the enum's members."""
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


class Amount(click.FloatRange):
    """A number in a range, infinity and NaN not among them: NaN would be in any range."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Read the number."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


policy = click.option(
    "--policy",
    type=OneOf(Policy),
    default=Policy.LOCAL,
    show_default=Policy.LOCAL.value,
    help="When a label is undefined: if the claim's own points contradict each other (local), if "
    "any point of the premise does (global), or as the published procedure says (published).",
)
spatial = click.option(
    "--spatial",
    type=OneOf(SpatialReading),
    default=SpatialReading.GEOMETRIC,
    show_default=SpatialReading.GEOMETRIC.value,
    help="Which edge of a place is its start: the western (geometric), or the eastern as in the "
    "published generator (published).",
)
domain = click.option(
    "--domain",
    type=OneOf(Domain),
    help="Wording of the texts; told from each text by default.",
)
crosscheck = click.option(
    "--crosscheck",
    type=Several(EngineName),
    default="asp,graph",
    show_default=True,
    metavar="ENGINES",
    help=f"Engines that have to agree, of {', '.join(EngineName)}; timelines is for small items.",
)
jobs = click.option(
    "--jobs",
    type=click.IntRange(1, MOST_PROCESSES),
    default=1,
    show_default=True,
    help="Processes.",
)
as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)
