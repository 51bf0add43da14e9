"""``explain --pattern``: validity, shapes and regimes of a pattern, and a drawing."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import as_json, svg
from solver.cli.printing import print_explanation
from solver.patterns.cli.options import cycle_reading, flags
from solver.patterns.model import CycleReading, PatternFlags


@click.command()
@click.option("--pattern", "text", required=True, metavar="TEXT", help="Pattern to explain.")
@flags
@cycle_reading
@svg
@as_json
def command(
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
