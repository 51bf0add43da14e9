"""Commands about patterns, ``verify`` and ``explain``, and options of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import EnumChoice, WholeNumbers, as_json, choice_option, svg
from solver.cli.printing import print_explanation
from solver.cli.verify import checking, finish
from solver.patterns.engine import PatternVerdict
from solver.patterns.model import (
    MOST_HOPS,
    UNLISTED_SHAPES,
    CycleReading,
    Flag,
    PatternError,
    PatternFlags,
    Shape,
)
from solver.verification.report import Kind

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


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--hops",
    type=WholeNumbers(1, MOST_HOPS),
    metavar="HOPS",
    help="Numbers of hops for which the lists must be complete. Default: from the manifest, or "
    "those that occur.",
)
@click.option(
    "--flags",
    type=FlagsType(),
    metavar="FLAGS",
    help=f"{FLAGS_HELP} Default: from the manifest.",
)
@click.option(
    "--cycle-reading",
    type=EnumChoice(CycleReading),
    help=f"{READING_HELP} Default: from the manifest, or fixed.",
)
@checking
@click.pass_context
def verify(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    hops: tuple[int, ...] | None,
    flags: PatternFlags | None,
    cycle_reading: CycleReading | None,
    report: Path | None,
    show: int,
    as_json: bool,
) -> None:
    """Check that lists of patterns are valid, canonical, duplicate-free and complete.

    \b
    Examples:
      python -m solver verify --kind patterns patterns.jsonl
      python -m solver verify --kind patterns patterns.jsonl --flags 1100 --hops 1,2
    """  # noqa: D301 - click reads the backslash
    from solver.patterns.verify import PatternSettings
    from solver.verification.run import verify

    settings = PatternSettings(hops=hops, flags=flags, reading=cycle_reading)
    result = verify(paths, Kind.PATTERNS, config=settings)
    ctx.exit(finish(result, report=report, show=show, as_json=as_json))


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
