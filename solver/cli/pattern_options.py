"""Options of the commands that deal with patterns."""

from __future__ import annotations

import click

from solver.cli.options import EnumChoice
from solver.tkg.pattern import MOST_HOPS, CycleReading, Flag, PatternError, PatternFlags


class FlagsType(click.ParamType[PatternFlags]):
    """Flags of patterns: names joined by commas, ``none``, ``all``, or four digits."""

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
    """Numbers of hops, joined by commas, each once and ascending."""

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
    f"Some of {', '.join(Flag)}, joined by commas; none; all; or a digit for each, such as 1100."
)
READING_HELP = (
    "When the first two of three antecedents lie apart (Algorithm 10, line 22): if they share no "
    "entity (fixed), or unless both ends of the second are ends of the first, as printed (literal)."
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
