"""What the commands that deal with patterns show on a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from solver.tkg.patterns import PatternVerdict
from solver.tkg.shape import UNLISTED_SHAPES, Shape

if TYPE_CHECKING:
    from rich.table import Table


def counts(verdicts: Sequence[PatternVerdict]) -> dict[str, dict[str, Any]]:
    """For each number of hops: how many patterns, of each shape, and of shapes without a row."""
    told: dict[str, dict[str, Any]] = {}
    for hops in sorted({one.pattern.hops for one in verdicts}):
        chosen = [one for one in verdicts if one.pattern.hops == hops]
        shapes = Counter(shape for one in chosen for shape in one.shapes)
        told[str(hops)] = {
            "patterns": len(chosen),
            "shapes": {shape.value: shapes[shape] for shape in Shape if shapes[shape]},
            "unlisted": sum(shapes[shape] for shape in UNLISTED_SHAPES),
        }
    return told


def shape_table(verdicts: Sequence[PatternVerdict]) -> Table:
    """Patterns by hops and shape; at three hops a pattern can have several of Table 4."""
    from solver.cli.printing import narrow_table

    table = narrow_table("Patterns by shape", "shape", ("hops", "patterns", "in Table 4"))
    for hops, told in counts(verdicts).items():
        for shape, number in told["shapes"].items():
            listed = "no" if shape in UNLISTED_SHAPES else "yes"
            table.add_row(shape, hops, f"{number:,}", listed)
        table.add_row("all", hops, f"{told['patterns']:,}", "", end_section=True)
    return table
