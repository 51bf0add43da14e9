"""Command-line options shared by the pattern commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import choice_option
from solver.patterns.engine import PatternVerdict
from solver.patterns.model import (
    UNLISTED_SHAPES,
    CycleReading,
    Flag,
    PatternError,
    PatternFlags,
    Shape,
)

if TYPE_CHECKING:
    from rich.table import Table


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
cycle_reading = choice_option(
    "--cycle-reading", values=CycleReading, default=CycleReading.FIXED, help=READING_HELP
)


def counts(verdicts: Sequence[PatternVerdict]) -> dict[str, dict[str, Any]]:
    """Count patterns per number of hops: all, by shape, and those of shapes not in Table 4."""
    table_counts: dict[str, dict[str, Any]] = {}
    for hops in sorted({one.pattern.hops for one in verdicts}):
        chosen = [one for one in verdicts if one.pattern.hops == hops]
        shapes = Counter(shape for one in chosen for shape in one.shapes)
        table_counts[str(hops)] = {
            "patterns": len(chosen),
            "shapes": {shape.value: shapes[shape] for shape in Shape if shapes[shape]},
            "unlisted": sum(shapes[shape] for shape in UNLISTED_SHAPES),
        }
    return table_counts


def shape_table(verdicts: Sequence[PatternVerdict]) -> Table:
    """Tabulate patterns by hops and shape; shapes of Table 4 overlap at three hops."""
    from solver.cli.printing import narrow_table

    table = narrow_table("Patterns by shape", "shape", ("hops", "patterns", "in Table 4"))
    for hops, table_counts in counts(verdicts).items():
        for shape, number in table_counts["shapes"].items():
            listed = "no" if shape in UNLISTED_SHAPES else "yes"
            table.add_row(shape, hops, f"{number:,}", listed)
        table.add_row("all", hops, f"{table_counts['patterns']:,}", "", end_section=True)
    return table
