"""``explain --pattern``, and options of other commands about patterns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import as_json, svg
from solver.cli.printing import print_explanation
from solver.cli.settings import made_option
from solver.patterns.engine import PatternVerdict
from solver.patterns.model import UNLISTED_SHAPES, CycleReading, PatternFlags, Shape
from solver.patterns.settings import FLAGS, READING

if TYPE_CHECKING:
    from rich.table import Table


flags = made_option("flags", FLAGS, "none")
cycle_reading = made_option("cycle_reading", READING, CycleReading.FIXED)


def counts(verdicts: Sequence[PatternVerdict]) -> dict[str, dict[str, Any]]:
    """Count patterns per number of hops: all, by shape, and those of shapes not in Table 4."""
    table_counts: dict[str, dict[str, Any]] = {}
    for hops in sorted({verdict.pattern.hops for verdict in verdicts}):
        chosen = [verdict for verdict in verdicts if verdict.pattern.hops == hops]
        shapes = Counter(shape for verdict in chosen for shape in verdict.shapes)
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


@click.command()
@click.option("--pattern", "text", required=True, metavar="TEXT", help="Pattern to explain.")
@flags
@cycle_reading
@svg
@as_json
def explain(
    text: str,
    flags: PatternFlags,
    cycle_reading: CycleReading,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Report whether a pattern is valid, the rules it violates, and its shapes.

    \b
    Examples:
      python -m solver explain --pattern "1 -1-> 2 => 2 -2-> 1"
      python -m solver explain --pattern "1 -1-> 2, 2 -2-> 3 => 1 -3-> 3" --svg closure.svg
      python -m solver explain --pattern "1 -1-> 2, 3 -2-> 4 => 1 -1-> 2" --flags 1100
    """  # noqa: D301 - click reads the backslash
    from solver.patterns.explain import explain

    print_explanation(explain(text, flags, cycle_reading), drawing=drawing, as_json=as_json)
