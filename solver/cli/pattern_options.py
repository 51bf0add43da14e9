"""Command-line options shared by the pattern commands."""

from __future__ import annotations

import click

from solver.cli.options import EnumChoice
from solver.tkg.pattern import MOST_HOPS, CycleReading, Flag, PatternError, PatternFlags


class FlagsType(click.ParamType[PatternFlags]):
    """Pattern flags: comma-separated names, ``none``, ``all``, or four digits."""

    name = "flags"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> PatternFlags:
        """Read the flags."""
        if isinstance(value, PatternFlags):
            return value
        try:
            return PatternFlags.read(str(value))
        except PatternError as error:
            self.fail(f"{error}.", param, ctx)


class HopsType(click.ParamType[tuple[int, ...]]):
    """Comma-separated numbers of hops; sorted, without duplicates."""

    name = "hops"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read the numbers."""
        if isinstance(value, tuple):
            return value
        parts = {part.strip() for part in str(value).split(",")}
        known = {str(number): number for number in range(1, MOST_HOPS + 1)}
        if not parts <= set(known):
            self.fail(f"found {value!r}, expected some of {', '.join(known)}.", param, ctx)
        return tuple(sorted(known[part] for part in parts))


FLAGS_HELP = (
    f"Comma-separated flags ({', '.join(Flag)}), none, all, or one digit per flag such as 1100."
)
READING_HELP = (
    "Reading of Algorithm 10, line 22: the first two of three antecedents are disjoint if they "
    "share no entity (fixed), or unless the first contains both entities of the second (literal)."
)

flags = click.option(
    "--flags", type=FlagsType(), default="none", show_default=True, metavar="FLAGS", help=FLAGS_HELP
)
cycle_reading = click.option(
    "--cycle-reading",
    type=EnumChoice(CycleReading),
    default=CycleReading.FIXED,
    show_default=CycleReading.FIXED.value,
    help=READING_HELP,
)
