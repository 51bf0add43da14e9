"""Terminal output of the pattern commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from solver.tkg.patterns import PatternVerdict
from solver.tkg.shape import UNLISTED_SHAPES, Shape

if TYPE_CHECKING:
    from rich.table import Table


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
